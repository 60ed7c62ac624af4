"""`ttr-sim check`: answers, exit codes and files, with real bots and from counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.tournament import fake
from ttr_sim.cli.main import main
from ttr_sim.tournament import duel
from ttr_sim.tournament import run as running

PLAIN = """
from ttr_sim.bot import Bot
import taste

class Mine(Bot):
    def choose(self, view):
        return taste.pick(view)
"""
QUICK = """
from ttr_sim.bot import policy

@policy()
def mine(T, V, W, params, memory):
    return {}
"""


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(*args: str) -> int:
    return main(["check", "--quiet", *args])


def answer(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert content["schema_version"] == 1
    return content


@pytest.fixture
def fake_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_opener", lambda: fake.open_fake)


def two_revisions(text: str, new: str, old: str) -> list[str]:
    """Write a bot and its helper module twice, differing in the helper or in the text."""
    for folder, part in (("new", new), ("old", old)):
        Path(folder).mkdir()
        Path(folder, "my_bot.py").write_text(text.format(part))
        Path(folder, "taste.py").write_text(f"def pick(view):\n    return {part}\n")
    return ["--candidate", "new/my_bot.py", "--baseline", "old/my_bot.py"]


@pytest.mark.parametrize(
    ("counts", "options", "code", "llrs", "elo"),
    [
        ("379,10170,21828,10640,343", ["--elo0", "0", "--elo1", "2"], 0, (2.94550, 3.12568), 1.5946),
        ("13,37,50,25,3", ["--elo0", "0", "--elo1", "4"], 4, (-0.54912, -0.80223), -43.6578),
        ("10, 20, 30", ["--elo0", "0", "--elo1", "5"], 4, (0.34642, 0.42317), 120.412),
        ("343,10640,21828,10170,379", ["--elo0", "-2", "--elo1", "0"], 1, (-2.94550, -3.12568), -1.5946),
    ],
)
def test_answers_from_counts(
    counts: str,
    options: list[str],
    code: int,
    llrs: tuple[float, float],
    elo: float,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert check("--counts", counts, *options, "--json") == code
    found = answer(capsys)
    assert found["answer"] == {0: "accepted", 1: "regression", 4: "undecided"}[code]
    assert found["llrs"] == pytest.approx(dict(zip(("normalised", "logistic"), llrs, strict=True)), abs=6e-6)
    assert found["llr"] == found["llrs"]["normalised"]
    assert found["elo"] == pytest.approx(elo, abs=1e-3)
    assert main(["check", "--counts", counts, *options, "--model", "logistic"]) in (code, 0, 1)
    assert f"{llrs[1]:+.5f} [-2.94, 2.94] logistic" in capsys.readouterr().out


@pytest.mark.parametrize(
    "counts", ["0,0,0,0,0", "0,0,0,0,1", "1,0,0,0,0", "0,0,5,0,0", "0,0,0,0,999999999", "0,0,3"]
)
def test_one_sided_and_tiny_counts(counts: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--counts", counts, "--json") in (0, 1, 4)
    found = answer(capsys)
    assert "NaN" not in json.dumps(found) and "Infinity" not in json.dumps(found)
    assert check("--counts", counts) in (0, 1, 4)
    assert "nan" not in capsys.readouterr().out.lower()


def test_accepted_and_regression(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--candidate", "greedy", "--baseline", "random", "--json", "--workers", "2") == 0
    found = answer(capsys)
    assert (found["answer"], found["accepted_hypothesis"]) == ("accepted", "H1")
    assert found["games"] == 2 * found["blocks"] < 400
    assert [count["blocks"] for count in found["counts"]][:2] == [0, 0]
    line = ["--candidate", "random", "--baseline", "greedy", "--junit", "j.xml", "--markdown", "s.md"]
    assert check(*line, "--workers", "1", "--board", "usa") == 1
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "regression: random v greedy: Elo -10 is accepted, Elo 0 is not"
    case = ElementTree.parse("j.xml").getroot().find("testsuite/testcase")
    assert case is not None and case.get("name") == "random v greedy: not weaker"
    failure = case.find("failure")
    assert failure is not None and failure.get("type") == "regression" and failure.get("message") == out[-1]
    assert Path("s.md").read_text().splitlines()[0] == f"### {out[-1]}"
    assert "| Elo | " in Path("s.md").read_text()


@pytest.mark.usefixtures("fake_tables")
def test_undecided_at_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["--candidate", "random", "--baseline", "random", "--max-games", "31", "--junit", "j.xml"]
    assert check(*line, "--json") == 4
    found = answer(capsys)
    assert (found["answer"], found["games"], found["max_games"]) == ("undecided", 30, 30)
    assert found["blocks_left"] > 0
    suite = ElementTree.parse("j.xml").getroot().find("testsuite")
    assert suite is not None and suite.get("failures") == "1"


@pytest.mark.usefixtures("fake_tables")
def test_opponents_boards_and_players(capsys: pytest.CaptureFixture[str]) -> None:
    line = [
        "--candidate",
        "random",
        "--baseline",
        "random",
        "--opponents",
        "greedy,random",
        "--max-games",
        "96",
    ]
    more = [
        "--players",
        "3",
        "--board",
        "usa",
        "--board",
        "nordic",
        "--option",
        "turn_limit=20",
        "--elo0",
        "-300",
    ]
    assert check(*line, *more, "--json") in (0, 1, 4)
    found = answer(capsys)
    assert [s["rules"] for s in found["settings"]] == ["usa+turn_limit=20", "nordic+turn_limit=20"]
    assert (found["opponents"], found["players"]) == (["greedy", "random#3"], 3)
    assert found["games"] == 12 * found["blocks"]


@pytest.mark.parametrize("kind", ["class", "policy"])
def test_a_baseline_of_another_revision(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Same file name, class and helper module: each is loaded apart."""
    if kind == "class":
        line = two_revisions(PLAIN, "view.legal[-1]", "view.legal[0]")
    else:
        line = two_revisions(QUICK, "int(W.acts[W.n - 1])", "int(W.acts[0])")
    assert check(*line, "--same-games", "--json") == 1
    first = answer(capsys)["first_difference"]
    assert (first["game"], first["decision"]) == (0, 0)
    assert first["candidate"] != first["baseline"]
    assert "offered: " in first["position"]
    assert check("--candidate", "old/my_bot.py", "--baseline", "old/my_bot.py", "--same-games", "--json") == 0
    found = answer(capsys)
    assert (found["answer"], found["games_same"], found["first_difference"]) == ("same", 200, None)


def test_the_first_difference_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["--candidate", "greedy", "--baseline", "random", "--opponents", "greedy", "--same-games"]
    assert check(*line, "--markdown", "s.md", "--junit", "j.xml") == 1
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "different: greedy v random: they choose differently"
    assert "first difference  game " in out and "\nhand: " in out
    assert "```text\nseat " in Path("s.md").read_text()
    ElementTree.parse("j.xml")


def test_a_bot_that_always_forfeits(capsys: pytest.CaptureFixture[str]) -> None:
    line = two_revisions(PLAIN, "1 // 0", "view.legal[0]")
    assert check(*line, "--elo0", "-400", "--json") == 1
    found = answer(capsys)
    assert found["baseline_forfeits"] == {}
    (reason,) = found["candidate_forfeits"]
    assert reason.startswith("ZeroDivisionError") and found["candidate_forfeits"][reason] == found["games"]
    assert check(*line[:2], "--baseline", "new/my_bot.py", "--same-games") == 0
    assert "forfeits  200 of these games, alike in both" in capsys.readouterr().out


@pytest.mark.usefixtures("fake_tables")
def test_stopped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(duel, "play", lambda *args, **kwargs: False)
    assert check("--candidate", "random", "--baseline", "random") == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("stopped: 0 games: LLR +0.00 [-2.94, 2.94], Elo ")


BOTH = ["--candidate", "random", "--baseline", "random"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "--candidate must name a bot"),
        (["--candidate", "random"], "--baseline must name a bot"),
        (["--candidate", " ", "--baseline", "random"], "--candidate must name a bot"),
        (["--candidate", "randon", "--baseline", "random"], "unknown bot 'randon' (did you mean 'random'?)"),
        ([*BOTH, "--elo0", "5"], "must be elo0 < elo1"),
        ([*BOTH, "--elo0", "nan"], "must be elo0 < elo1"),
        ([*BOTH, "--alpha", "0"], "must be alpha, beta > 0"),
        ([*BOTH, "--max-games", "1"], "--max-games must be at least the 2 games of a block"),
        ([*BOTH, "--workers", "0"], "--workers must be at least 1"),
        ([*BOTH, "--players", "9"], "are for 2 to 5 players, not 9"),
        ([*BOTH, "--opponents", "a,,b"], "--opponents must name"),
        ([*BOTH, "--junit", "no/where.xml"], "--junit no/where.xml: there is no folder no"),
        ([*BOTH, "--same-games", "--elo1", "3"], "--elo1 cannot be given with --same-games"),
        (["--counts", "1,2,3,4"], "--counts must be five numbers"),
        (["--counts", "1,2,3,4,-5"], "--counts must be five numbers"),
        (["--counts", ""], "--counts must be five numbers"),
        (["--counts", "1,2,3,4,5", "--candidate", "random"], "--candidate cannot be given with --counts"),
    ],
)
def test_bad_input(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_bot_that_never_answers(capsys: pytest.CaptureFixture[str]) -> None:
    line = two_revisions(PLAIN, "[x for x in iter(int, 1)]", "view.legal[0]")
    line = [*line, "--time-per-decision", "0.2", "--workers", "2"]
    assert check(*line, "--elo0", "-900", "--json") == 1
    found = answer(capsys)
    assert found["candidate_forfeits"] == {"took longer than 0.2 s for a decision": found["games"]}
    assert check(*line, "--same-games", "--max-games", "2", "--json") == 1
    found = answer(capsys)
    assert (found["answer"], found["games_not_compared"]) == (
        "not comparable",
        {"took longer than 0.2 s for a decision": 2},
    )
