"""What a worker process does: play batches of a plan, with every table opened once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from ttr_sim.board import Board
from ttr_sim.bot.play import BatchResult
from ttr_sim.bot.specs import BotSpec
from ttr_sim.rules import Rules
from ttr_sim.tournament.batch import Batch
from ttr_sim.tournament.games import Games, from_result, merge
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.serve import Note

PRELOAD = ("ttr_sim.tournament.preload",)  # imported once by the fork server
PROGRESS_SIZE, SEAT_NOTE = 3, 2  # a table notes its progress there: at SEAT_NOTE the seat that is thinking


class Table(Protocol):
    """Bots at a table: `ttr_sim.bot.play.Table`, or what a test puts in its place."""

    def play(self, seeds: Any, bot_seeds: Any, rotation: Any) -> BatchResult:
        """Play games."""


Opener = Callable[[Board, Rules, Sequence[BotSpec]], Table]


class Player:
    """Plays batches of a plan. `note[SEAT_NOTE]` is the seat that is thinking, -1 where that is not known."""

    def __init__(self, note: Note, plan: Plan, opener: Opener) -> None:
        self._note, self._plan, self._opener = note, plan, opener
        self._tables: dict[int, Table] = {}

    def __call__(self, batch: Batch) -> Games:
        """Return the games of a batch, in the order of their numbers."""
        rows = self._plan.schedule.rows(np.arange(batch.first, batch.stop))
        matches = np.unique(rows.match).tolist()
        tables = [self._table(match) for match in matches]
        begun = perf_counter()
        parts, places = [], []
        for match, table in zip(matches, tables, strict=True):
            here = rows.match == match
            self._note[SEAT_NOTE] = -1
            result = table.play(rows.seed[here], rows.bot_seed[here], rows.rotation[here])
            parts.append(from_result(result))
            places.append(rows.number[here])
        return replace(merge(parts, places), seconds=perf_counter() - begun)

    def _table(self, match: int) -> Table:
        if match not in self._tables:
            setting = self._plan.match_setting(match)
            table: Any = self._opener(setting.board, setting.rules, self._plan.match_bots(match))
            table.progress = self._note[:PROGRESS_SIZE]
            self._tables[match] = table
        return self._tables[match]


def start(note: Note, plan: Plan, opener: Opener) -> Player:
    """Begin work in a worker process."""
    return Player(note, plan, opener)
