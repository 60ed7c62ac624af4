"""`ttr-sim replay`: a logged game as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ttr_sim.cli.main import main


def games(run: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pq.read_table(run / "games" / "part-00000.parquet").to_pylist()
    return rows


def number_of(run: Path, end: str) -> int:
    return next(i for i, row in enumerate(games(run)) if row["end"] == end)


def test_text(small_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = number_of(small_run, "final_round")
    assert main(["replay", str(small_run), "--game", str(number)]) == 0
    lines = capsys.readouterr().out.splitlines()
    row = games(small_run)[number]
    assert lines[0] == f"game {number} of block {number // 2}: europe, rules europe, seed {row['seed']}"
    assert sum(line.startswith("turn ") for line in lines) == row["turns"]
    assert any("; sees " in line for line in lines[1:3])
    assert any(": keeps " in line for line in lines[3:5])
    assert any(line.startswith("    had ") and "; market " in line for line in lines)
    assert "ended by final_round; decided by points" in lines
    score = next(line for line in lines if line.startswith("score"))
    seats = pq.read_table(small_run / "seats" / "part-00000.parquet").to_pylist()[2 * number : 2 * number + 2]
    assert score.split()[1:] == [str(seat["score"]) for seat in seats]


def test_a_forfeited_game(small_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = number_of(small_run, "forfeit")
    assert main(["replay", str(small_run), "--game", str(number)]) == 0
    out = capsys.readouterr().out
    seat = games(small_run)[number]["forfeit_seat"]
    assert f"ended by forfeit: seat {seat} forfeits: RuntimeError: lost the thread" in out


def test_json(small_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = number_of(small_run, "final_round")
    assert main(["replay", str(small_run), "--game", str(number), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    row = games(small_run)[number]
    asked = [step["action"] for step in content["decisions"] if not step["forced"]]
    assert asked == row["actions"]
    assert content["schema_version"] == 1
    assert content["seed"] == row["seed"]
    assert len(content["bots"]) == len(content["result"]["seats"]) == 2
    assert content["result"]["reason"] == "final_round"
    first = content["decisions"][0]
    assert (first["turn"], first["seat"], first["phase"]) == (0, 0, "KEEP_SETUP")
    assert first["text"].startswith("keep ")


def test_what_a_blind_draw_brought_is_shown(small_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = number_of(small_run, "final_round")
    main(["replay", str(small_run), "--game", str(number), "--json"])
    steps = json.loads(capsys.readouterr().out)["decisions"]
    blind = [step["note"] for step in steps if step["text"] == "draw blind"]
    assert blind
    assert all(note.startswith("gets ") for note in blind)


@pytest.mark.parametrize("number", [-1, 20, 10**9])
def test_no_such_game(small_run: Path, capsys: pytest.CaptureFixture[str], number: int) -> None:
    assert main(["replay", str(small_run), "--game", str(number)]) == 2
    assert f"has no game {number}; its games are 0 to 19" in capsys.readouterr().err


def test_the_number_is_needed(small_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(small_run)]) == 2
    assert "Missing option '--game'" in capsys.readouterr().err


def test_a_page(small_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number, page = str(number_of(small_run, "final_round")), tmp_path / "game.html"
    assert main(["replay", str(small_run), "--game", number, "--html", str(page)]) == 0
    assert capsys.readouterr().out == f"wrote {page}; open it in a browser\n"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["replay", str(small_run), "--game", number, "--html", str(page), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "schema_version": 1,
        "game": int(number),
        "html": str(page),
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--html", "/no/such/folder/game.html"], "--html /no/such/folder/game.html: cannot be written"),
        (["--explain"], "--explain needs --html"),
    ],
)
def test_pages_that_cannot_be(
    small_run: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert main(["replay", str(small_run), "--game", "0", *options]) == 2
    assert message in capsys.readouterr().err


def test_a_wrong_number_is_refused_before_compiling(
    small_run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ttr_sim.cli.replay.ensure_warm", lambda: pytest.fail("compiles first"))
    assert main(["replay", str(small_run), "--game", "99"]) == 2
    assert "has no game 99" in capsys.readouterr().err
