"""Going on with a run: what was kept of it goes into a writer, so that exactly the missing games are played."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from ttr_sim import paths
from ttr_sim.errors import TtrError
from ttr_sim.results.checksums import wrong_files
from ttr_sim.results.folder import Folder
from ttr_sim.results.reader import read_part
from ttr_sim.results.schema import GAMES
from ttr_sim.results.writer import RunWriter


def load_kept(writer: RunWriter, folder: Folder) -> list[str]:
    """Let `writer` take over the games in the part files of `folder`; returns what is missing there, one line each.

    A game counts as kept when it is in `games`; rows of other games in the other tables are left out. Of a part of which
    a file is missing no game is kept. Raises TtrError when a file is damaged or was changed.
    """
    notes = []
    for part in _part_numbers(folder):
        wrong = wrong_files(folder, part)
        for file, what in wrong.items():
            if file.is_file():
                remove = paths.shown(folder.part(GAMES.name, part))
                raise TtrError(f"{paths.shown(file)}: {what}; remove {remove} to have its games played again")
        notes += [f"{paths.shown(file)} is missing: the games of its part are played again" for file in wrong]
        if not wrong and folder.part(GAMES.name, part).is_file():
            tables = {table.name: read_part(folder.part(table.name, part), table) for table in writer.tables}
            writer.load(part, _segments(tables))
    return notes


def _part_numbers(folder: Folder) -> list[int]:
    names = {path.stem for path in folder.path.glob("*/part-*")}
    return sorted(int(name.removeprefix("part-")) for name in names)


def forfeits(folder: Folder) -> Iterator[tuple[int, int, int]]:
    """Yield (game, match, place of the forfeiter in its line-up), ascending, of the kept games. Raises TtrError."""
    for file in folder.parts(GAMES.name):
        games = read_part(file, GAMES)
        rows = games.filter(games.column("forfeit_seat").is_valid())
        names = ("game", "match", "forfeit_seat", "rotation", "players")
        for game, match, seat, rotation, players in zip(
            *(rows.column(n).to_pylist() for n in names), strict=True
        ):
            yield game, match, (seat + rotation) % players


def _segments(tables: dict[str, Any]) -> dict[int, tuple[int, dict[str, Any]]]:
    """Cut the tables of a part where game numbers are missing."""
    games = tables[GAMES.name].column("game").to_numpy()
    edges = np.flatnonzero(np.diff(games) != 1) + 1
    bounds = [0, *edges.tolist(), len(games)]
    return {
        int(games[start]): (
            stop - start,
            {name: _between(rows, games[start], games[stop - 1]) for name, rows in tables.items()},
        )
        for start, stop in pairwise(bounds)
        if stop > start
    }


def _between(rows: Any, first: int, last: int) -> Any:
    """Return the rows of the games first to last of a table ordered by game."""
    games = rows.column("game").to_numpy()
    start, stop = np.searchsorted(games, [first, last + 1])
    cut: pa.Table = rows.slice(start, stop - start)
    return cut
