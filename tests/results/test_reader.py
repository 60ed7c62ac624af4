"""A run folder reads back, and whatever is wrong with one is said with the name of the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from tests.results.made import make_run, sign
from tests.tournament import fake
from ttr_sim.errors import TtrError
from ttr_sim.results.folder import Folder
from ttr_sim.results.info import git_state
from ttr_sim.results.leaderboard import make_leaderboard
from ttr_sim.results.reader import open_run


def test_frames_are_lazy_and_ordered(tmp_path: Path) -> None:
    run = open_run(make_run(tmp_path / "run"))
    assert isinstance(run.games(), pl.LazyFrame)
    assert run.games().collect()["game"].to_list() == list(range(100))
    seats = run.seats().collect()
    assert list(zip(seats["game"], seats["seat"], strict=True)) == [
        (g, s) for g in range(100) for s in (0, 1)
    ]
    assert run.timing().collect().height == 200
    assert run.finished


def test_an_unfinished_run_reads_as_far_as_it_is(tmp_path: Path) -> None:
    run = open_run(make_run(tmp_path / "run", stop=40))
    assert not run.finished
    assert run.games().collect().height == 40
    nothing = open_run(make_run(tmp_path / "none", stop=0))
    assert nothing.seats().collect().height == 0
    with pytest.raises(TtrError, match="no game with a result yet"):
        make_leaderboard([nothing])


def edit_info(run: Path, **changes: object) -> None:
    path = run / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def newer(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({b"ttr_sim_schema_version": b"3"}), path)


def shorter(path: Path) -> None:
    pq.write_table(pq.read_table(path).slice(1), path)


def other_columns(path: Path) -> None:
    pq.write_table(pq.read_table(path).drop_columns(["worker"]), path)


FAULTS: list[tuple[Callable[[Path], object], str]] = [
    (lambda run: (run / "run.json").unlink(), r"run: is not a run folder \(it has no run.json\)"),
    (lambda run: (run / "run.json").write_text("{"), r"run.json: is damaged and cannot be read"),
    (lambda run: (run / "run.json").write_text("[]"), r"run.json: is not the run.json of a run"),
    (lambda run: edit_info(run, schema_version=3), r"run.json: has schema version 3, newer than 2"),
    (lambda run: edit_info(run, schema_version=1), r"run.json: has schema version 1, this ttr-sim reads 2"),
    (
        lambda run: edit_info(run, games="many"),
        r"run.json: is damaged: games is missing or has the wrong type",
    ),
    (lambda run: edit_info(run, part_games=0), r"run.json: is damaged: games and part_games"),
    (lambda run: truncate(run / "seats" / "part-00001.parquet"), r"seats/part-00001.parquet: is truncated"),
    (
        lambda run: (run / "games" / "part-00002.parquet").write_text("x"),
        r"games/part-00002.parquet: is truncated",
    ),
    (lambda run: (run / "games" / "part-00001.parquet").unlink(), r"games/part-00001.parquet: is missing"),
    (lambda run: (run / "timing" / "part-00003.parquet").unlink(), r"timing/part-00003.parquet: is missing"),
    (lambda run: newer(run / "games" / "part-00000.parquet"), r"part-00000.parquet: has schema version 3"),
    (
        lambda run: shorter(run / "games" / "part-00000.parquet"),
        r"part-00000.parquet: has 29 games, must have 30",
    ),
    (
        lambda run: other_columns(run / "timing" / "part-00000.parquet"),
        r"timing/part-00000.parquet: has other columns",
    ),
    (
        lambda run: edit_info(run, games=60),
        r"games/part-0000\d.parquet|timing/part-00003.parquet: does not belong",
    ),
]


@pytest.mark.parametrize(("spoil", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_damaged_runs(tmp_path: Path, spoil: Callable[[Path], object], message: str) -> None:
    run = make_run(tmp_path / "run")
    spoil(run)
    with pytest.raises(TtrError, match=message) as error:
        open_run(run)
    assert "\n" not in str(error.value)


def test_damage_inside_a_file_is_found(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    path = run / "seats" / "part-00002.parquet"
    content = bytearray(path.read_bytes())
    content[4:1000] = b"\xff" * 996
    path.write_bytes(content)
    with pytest.raises(TtrError, match=r"seats/part-00002.parquet: is damaged or was changed"):
        open_run(run)
    sign(run)  # as if it had been written so: then it is found where it is read
    with pytest.raises(TtrError, match=r"seats/part-00002.parquet: is truncated or damaged"):
        make_leaderboard([open_run(run)])


def test_not_a_folder(tmp_path: Path) -> None:
    with pytest.raises(TtrError, match="there is no such run folder"):
        open_run(tmp_path / "nowhere")
    assert Folder(tmp_path).parts("games") == []


def test_git_state(tmp_path: Path) -> None:
    assert git_state(tmp_path) is None
    state = git_state(Path(__file__).parent)
    assert state is None or len(state["commit"]) == 40


def test_plans_of_several_labels_read_back(tmp_path: Path) -> None:
    run = open_run(make_run(tmp_path / "run", fake.plan("a,a,b", games=12)))
    assert set(run.seats().collect()["bot"]) == {"a", "a#2", "b"}
