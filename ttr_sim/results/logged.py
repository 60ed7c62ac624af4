"""Logged games of a run, with the board and rules they were played on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from ttr_sim import paths
from ttr_sim.board import Board, load_board
from ttr_sim.errors import TtrError
from ttr_sim.results.info import games_of
from ttr_sim.results.reader import Run, read_part
from ttr_sim.results.schema import GAMES, SEATS, Table
from ttr_sim.rules import Rules, rules_from_options


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of `games` and `seats` of the same games, as Arrow tables, ascending by game (and seat)."""

    games: Any
    seats: Any

    def column(self, name: str) -> Any:
        """A column of `games` as an array."""
        return self.games.column(name).to_numpy()

    @property
    def actions(self) -> tuple[Any, Any]:
        """Logged actions (values, offsets): game i has values[offsets[i] : offsets[i + 1]]."""
        lists = self.games.column("actions").combine_chunks()
        offsets = lists.offsets.to_numpy().astype(np.int64)
        values = lists.values.to_numpy().astype(np.int16)
        return values[offsets[0] : offsets[-1]], offsets - offsets[0]

    def only(self, which: Any) -> "Part":
        """The games where `which` (booleans by row of `games`) holds."""
        numbers = self.games.column("game").filter(which)
        return Part(self.games.filter(which), self.seats.filter(pc.is_in(self.seats.column("game"), numbers)))


def parts(run: Run) -> Iterator[Part]:
    """Yield the kept games of a run, part file by part file. Raises TtrError that names a damaged file."""
    for file in run.folder.parts(GAMES.name):
        games = read_part(file, GAMES)
        seats = _beside(file, SEATS)
        # A run that was killed may have written a little more here than in `games`.
        seats = seats.filter(pc.is_in(seats.column("game"), games.column("game")))
        if len(seats) != pc.sum(games.column("players")).as_py():
            raise TtrError(f"{paths.shown(_path(file, SEATS))}: has not one row for each seat of its games")
        yield Part(games, seats)


def find_game(run: Run, number: int) -> Part:
    """Return one game. Raises TtrError when it is not kept."""
    games = games_of(run.info)
    if number not in games:
        raise TtrError(f"{run.folder.shown}: has no game {number}; its games are {games[0]} to {games[-1]}")
    file = run.folder.part(GAMES.name, number // run.info["part_games"])
    if file.is_file():
        part = Part(read_part(file, GAMES), _beside(file, SEATS))
        found = part.only(pc.equal(part.games.column("game"), number))
        if len(found.games):
            return found
    raise TtrError(f"{run.folder.shown}: game {number} was not played yet; ttr-sim run --resume plays it")


class Settings:
    """Boards and rules of a run's matches."""

    def __init__(self, run: Run) -> None:
        self._where = paths.shown(run.folder.info)
        try:
            self._matches = [int(match["setting"]) for match in run.config["matches"]]
            self._settings: list[tuple[Board, Rules]] = [
                recorded_setting(setting, self._where) for setting in run.config["settings"]
            ]
        except (KeyError, TypeError, ValueError) as error:
            raise TtrError(f"{self._where}: is damaged: config: {error!r}") from None

    def of(self, match: int) -> tuple[Board, Rules]:
        """Return the board and rules of a match. Raises TtrError when run.json has no such match."""
        if not 0 <= match < len(self._matches):
            raise TtrError(f"{self._where}: has no match {match}, of which there are games")
        return self._settings[self._matches[match]]


def recorded_setting(setting: Mapping[str, Any], where: str) -> tuple[Board, Rules]:
    """Return the board and rules of a setting in run.json. Raises TtrError when the board is not the same any more."""
    rules = rules_from_options(setting["rules_options"], setting["rules"], setting["rules_board"])
    return _same_board(setting["board"], setting["board_folder"], setting["board_sha256"], where), rules


@cache
def _same_board(name: str, folder: str, sha256: str, where: str) -> Board:
    """Return the board that was played on, from where it was or by its name."""
    for place in (Path(folder), name):
        try:
            board = load_board(place)
        except TtrError:
            continue
        if board.sha256 == sha256:
            return board
    raise TtrError(
        f"{where}: the board {name!r} it was played on is not in {folder} any more, or has changed"
    )


def _beside(file: Path, table: Table) -> Any:
    return read_part(_path(file, table), table)


def _path(file: Path, table: Table) -> Path:
    return file.parent.parent / table.name / file.name
