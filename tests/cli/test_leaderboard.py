"""`ttr-sim leaderboard`: text, JSON and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.results.made import make_run
from tests.tournament import fake
from ttr_sim.cli.main import main
from ttr_sim.results.leaderboard_text import aligned

HEADER = "bot Elo 95 % games wins ties win rate score margin forfeits time/decision"


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    make_run(Path("one"), fake.plan("a,raiser", games=60))
    capsys.readouterr()
    assert main(["leaderboard", "one", "one"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(lines[0].split()) == HEADER
    assert {line.split()[1] for line in lines[1:3]} == {"a", "raiser"}
    assert lines[3] == "60 games in 30 blocks"
    assert all(
        line.startswith("forfeits: ") and line.endswith(" x ValueError: as planned") for line in lines[4:]
    )


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    make_run(Path("one"), fake.plan("a,b", games=60))
    make_run(Path("two"), fake.plan("b,c", games=20))
    assert main(["leaderboard", "one", "two", "--json", "--anchor", "a"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["schema_version"] == 1
    assert content["runs"] == ["one", "two"]
    assert (content["games"], content["blocks"], content["connected"]) == (80, 40, True)
    bots = {bot["bot"]: bot for bot in content["leaderboard"]}
    assert bots["a"]["elo"] == 0
    assert bots["b"]["games"] == 80
    assert (
        0
        <= bots["c"]["win_rate"]["low"]
        <= bots["c"]["win_rate"]["mean"]
        <= bots["c"]["win_rate"]["high"]
        <= 1
    )
    assert [len(row) for row in content["superiority"]] == [3, 3, 3]


def test_bots_that_never_met(capsys: pytest.CaptureFixture[str]) -> None:
    make_run(Path("one"), fake.plan("a,b", games=20))
    make_run(Path("two"), fake.plan("c,d", games=20))
    assert main(["leaderboard", "one", "two"]) == 0
    assert "note: not all bots met" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "Missing argument 'RUN...'"),
        (["nowhere"], "nowhere: there is no such run folder"),
        (["."], "is not a run folder"),
        (["one", "--anchor", "b"], "--anchor: unknown bot 'b'"),
    ],
)
def test_bad_input(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    make_run(Path("one"), fake.plan("a,c", games=20))
    assert main(["leaderboard", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_columns_line_up() -> None:
    assert aligned([("", "bot", "n"), ("1", "ab", "10")], left=(1,)) == ["   bot   n", "1  ab   10"]


def test_sections(capsys: pytest.CaptureFixture[str]) -> None:
    make_run(Path("one"), fake.plan("a,b,c", games=60))
    titles = {
        "--superiority": "likelihood that the bot of the row is stronger",
        "--head-to-head": "head to head",
        "--seats": "wins by seat, 60 games of 2 players: chi-square ",
        "--per-board": "all games were played on one board",
    }
    assert main(["leaderboard", "one"]) == 0
    short = capsys.readouterr().out
    for option in titles:
        assert main(["leaderboard", "one", option]) == 0
        out = capsys.readouterr().out
        assert out.startswith(short)
        assert [other for other, found in titles.items() if found in out] == [option]
    assert main(["leaderboard", "one", "--details"]) == 0
    out = capsys.readouterr().out
    assert all(title in out for title in titles.values())
    header = next(line for line in out.splitlines() if line.startswith("bot  against"))
    rows = out[out.index(header) :].splitlines()[1:4]
    assert {frozenset(row.split()[:2]) for row in rows} == {frozenset("ab"), frozenset("ac"), frozenset("bc")}
    assert all(sum(map(int, row.split()[3:6])) == int(row.split()[2]) == 20 for row in rows)


def test_json_holds_the_details(capsys: pytest.CaptureFixture[str]) -> None:
    make_run(Path("one"), fake.plan("a,b,c", games=60, players=3))
    assert main(["leaderboard", "one", "./one", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["runs"] == ["one"]
    assert len(content["head_to_head"]) == 6
    (seats,) = content["seats"]
    assert (seats["players"], seats["games"]) == (3, 60)
    assert sum(share["mean"] for share in seats["wins"]) == pytest.approx(1, abs=0.001)
    assert 0 <= seats["p"] <= 1
    assert content["per_board"] == []
    assert content["warnings"] == []
