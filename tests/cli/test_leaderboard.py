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
