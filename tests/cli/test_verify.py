"""`ttr-sim verify`: tables that are right, wrong, damaged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ttr_sim.cli.main import main

Change = Callable[[list[Any]], None]


@pytest.fixture
def run(small_run: Path, tmp_path: Path) -> Path:
    shutil.copytree(small_run, tmp_path / "run")
    return tmp_path / "run"


def change(run: Path, table: str, column: str, how: Change) -> None:
    """Change a column of a table on disk."""
    file = run / table / "part-00000.parquet"
    rows = pq.read_table(file)
    values = rows.column(column).to_pylist()
    how(values)
    place = rows.schema.get_field_index(column)
    field = rows.schema.field(column)
    pq.write_table(rows.set_column(place, field, pa.array(values, field.type)), file)


def finished(run: Path) -> int:
    """The first game that was played to its end."""
    ends = pq.read_table(run / "games" / "part-00000.parquet").column("end").to_pylist()
    return next(i for i, end in enumerate(ends) if end == "final_round")


def forfeited(run: Path) -> int:
    ends: list[str] = pq.read_table(run / "games" / "part-00000.parquet").column("end").to_pylist()
    return ends.index("forfeit")


def verify(capsys: pytest.CaptureFixture[str], run: Path) -> tuple[int, str, str]:
    code = main(["verify", str(run)])
    out, err = capsys.readouterr()
    return code, out, err


def test_all_is_well(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = verify(capsys, run)
    assert (code, err) == (0, "")
    assert out.startswith("20 games replayed, all as in the tables (")
    assert main(["verify", str(run), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["schema_version"] == 1
    assert (content["games"], content["wrong"], content["first_difference"]) == (20, 0, None)


@pytest.mark.parametrize(
    "column",
    [
        "score",
        "rank",
        "route_points",
        "ticket_points_lost",
        "longest_path",
        "trains_left",
        "cards_drawn",
        "decisions",
    ],
)
def test_a_wrong_number_of_a_seat(run: Path, capsys: pytest.CaptureFixture[str], column: str) -> None:
    game = finished(run)

    def more(values: list[Any]) -> None:
        values[2 * game + 1] += 1

    change(run, "seats", column, more)
    code, out, _ = verify(capsys, run)
    assert code == 1
    assert out.startswith(f"game {game}, seat 1, {column}: logged ")
    assert "1 of 20 games differ" in out


@pytest.mark.parametrize(
    ("column", "value"),
    [("end", "exhausted"), ("turns", 3), ("decisions", 3), ("decided_by", 2), ("winners", [0, 1])],
)
def test_a_wrong_fact_of_a_game(
    run: Path, capsys: pytest.CaptureFixture[str], column: str, value: object
) -> None:
    game = finished(run)

    def replace(values: list[Any]) -> None:
        values[game] = value

    change(run, "games", column, replace)
    code, out, _ = verify(capsys, run)
    assert code == 1
    assert out.startswith(f"game {game}, {column}: logged {value}")


def test_forfeited_games_are_replayed_too(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = forfeited(run)

    def more(values: list[Any]) -> None:
        values[2 * game] += 1

    change(run, "seats", "routes", more)
    code, out, _ = verify(capsys, run)
    assert code == 1
    assert out.startswith(f"game {game}, seat 0, routes: logged ")


def test_other_actions(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = finished(run)

    def pass_first(values: list[Any]) -> None:
        values[game][0] = 11

    change(run, "games", "actions", pass_first)
    code, out, _ = verify(capsys, run)
    assert code == 1
    assert out.startswith(
        f"game {game}, actions: logged legal actions to the end, replayed action 11 is illegal"
    )


def test_too_few_and_too_many_actions(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = finished(run)
    change(run, "games", "actions", lambda values: values[game].append(9))
    code, out, _ = verify(capsys, run)
    assert code == 1
    assert out.startswith(f"game {game}, actions: logged legal actions to the end, replayed 1 actions after")
    change(run, "games", "actions", lambda values: values[game].__delitem__(slice(-3, None)))
    code, out, _ = verify(capsys, run)
    assert code == 1
    assert out.startswith(f"game {game}, end: logged final_round, replayed unfinished")


def test_the_first_difference_is_of_the_first_game(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def more(values: list[Any]) -> None:
        values[-1] += 1
        values[0] += 1

    change(run, "seats", "routes", more)
    assert main(["verify", str(run), "--json"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert content["wrong"] == 2
    assert content["first_difference"]["game"] == 0
    assert content["first_difference"]["column"] == "routes"


def test_damaged_files_are_named(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = run / "seats" / "part-00000.parquet"
    file.write_bytes(file.read_bytes()[:-40])
    code, _, err = verify(capsys, run)
    assert code == 2
    assert "seats/part-00000.parquet: is truncated or damaged" in err
    assert err.count("\n") == 1


def test_a_board_that_has_changed(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    info = json.loads((run / "run.json").read_text())
    info["config"]["settings"][0]["board_sha256"] = "0" * 64
    (run / "run.json").write_text(json.dumps(info))
    code, _, err = verify(capsys, run)
    assert code == 2
    assert "run.json: the board 'europe' it was played on" in err


def test_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = verify(capsys, tmp_path)
    assert code == 2
    assert "is not a run folder" in err
