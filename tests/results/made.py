"""Runs made without worker processes, for tests of what is done with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.tournament import fake
from ttr_sim.results.checksums import confirm
from ttr_sim.results.folder import Folder, make_folders
from ttr_sim.results.info import begin, end, new_info, write_info
from ttr_sim.results.schema import TABLES
from ttr_sim.results.writer import RunWriter
from ttr_sim.tournament import notes
from ttr_sim.tournament.batch import Batch
from ttr_sim.tournament.describe import describe
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.rows import TableRows, table_rows
from ttr_sim.tournament.shard import Shard
from ttr_sim.tournament.workers import Player


def rows_of(plan: Plan, first: int, games: int, worker: int = 0) -> TableRows:
    player = Player(np.zeros(notes.SIZE, np.int64), plan, fake.open_fake)
    return table_rows(plan, first, player(Batch(first, games)), worker)


def make_writer(path: Path, plan: Plan, part_games: int = 30, **options: Any) -> RunWriter:
    return _writer(path, range(plan.schedule.games), part_games, **options)


def _writer(path: Path, games: range, part_games: int, **options: Any) -> RunWriter:
    folder = Folder(path)
    make_folders(folder, [table.name for table in TABLES])
    return RunWriter(folder, games, part_games, **options)


def sign(run: Path) -> None:
    """Let the checksums be those of the files as they are now."""
    for file in (run / "checksums").glob("part-*.json"):
        tables = run.glob(f"*/{file.stem}.parquet")
        confirm(Folder(run), int(file.stem[5:]), {path.parent.name: path.read_bytes() for path in tables})


def make_run(
    path: Path,
    plan: Plan | None = None,
    stop: int | None = None,
    part_games: int = 30,
    shard: Shard | None = None,
) -> Path:
    """Write the games of a plan, or of a shard of it, before `stop` (default: all)."""
    plan = plan or fake.plan(games=100)
    games = shard.games(plan) if shard else range(plan.schedule.games)
    writer = _writer(path, games, part_games)
    first, end_at = games.start, games.stop if stop is None else stop
    while first < end_at:
        count = min(10 - first % 10, games.stop - first)
        writer.add(rows_of(plan, first, count))
        first += count
    writer.flush()
    info = new_info(path.name, describe(plan), len(games), part_games)
    if shard:
        where = {"first_game": games.start, "of_games": plan.schedule.games}
        info["shard"] = {"number": shard.number, "of": shard.of, **where}
    begin(info, 1)
    end(info, writer.kept, writer.kept, 1.0, None)
    write_info(Folder(path), info)
    return path
