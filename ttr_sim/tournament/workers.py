"""What a worker process does: play batches of a plan, with every table opened once."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from ttr_sim.board import Board
from ttr_sim.bot.forfeit import NOBODY, Spoiled
from ttr_sim.bot.play import BatchResult
from ttr_sim.bot.specs import BotSpec
from ttr_sim.errors import TtrError
from ttr_sim.rules import Rules
from ttr_sim.tournament import notes
from ttr_sim.tournament.batch import Batch
from ttr_sim.tournament.games import Games, from_result, merge, unplayed
from ttr_sim.tournament.notes import Note
from ttr_sim.tournament.plan import Plan


class Table(Protocol):
    """Bots at a table: `ttr_sim.bot.play.Table`, or what a test puts in its place."""

    def play(self, seeds: Any, bot_seeds: Any, rotation: Any, *, forfeit: Any = None) -> BatchResult:
        """Play games."""


Opener = Callable[[Board, Rules, Sequence[BotSpec]], Table]


class Player:
    """Plays batches of a plan, and notes how far it is."""

    def __init__(self, note: Note, plan: Plan, opener: Opener) -> None:
        self._note, self._plan, self._opener = note, plan, opener
        self._tables: dict[int, Table] = {}
        self._note[notes.SEAT] = NOBODY

    def __call__(self, batch: Batch) -> Games:
        """Return the games of a batch, in the order of their numbers. Ends the process when a bot has spoiled it."""
        try:
            games = self._play(batch)
        except Spoiled as spoiled:
            self._note[notes.SPOILED] = spoiled.why
            os._exit(1)
        self._note[notes.BATCHES] += 1
        return games

    def _play(self, batch: Batch) -> Games:
        rows = self._plan.schedule.rows(np.arange(batch.first, batch.stop))
        matches = np.unique(rows.match).tolist()
        tables = {match: self._table(match) for match in matches if not self._is_off(match, batch)}
        ends = {"forfeit": batch.forfeit} if batch.forfeit else {}
        begun = perf_counter()
        parts, places = [], []
        for match in matches:
            here = rows.match == match
            places.append(rows.number[here])
            if match in tables:
                self._note[notes.MATCH], self._note[notes.SEAT] = match, NOBODY
                self._note[notes.EXACT] = not getattr(tables[match], "all_compiled", True)
                which = rows.seed[here], rows.bot_seed[here], rows.rotation[here]
                parts.append(from_result(tables[match].play(*which, **ends)))
            else:
                parts.append(unplayed(rows.players[here]))
        self._note[notes.SEAT] = NOBODY
        return replace(merge(parts, places), seconds=perf_counter() - begun)

    def _is_off(self, match: int, batch: Batch) -> bool:
        return not batch.withdrawn.isdisjoint(self._plan.schedule.matches[match].bots)

    def _table(self, match: int) -> Table:
        if match not in self._tables:
            setting = self._plan.match_setting(match)
            table: Any = self._opener(setting.board, setting.rules, self._plan.match_bots(match))
            table.progress = self._note[notes.PROGRESS]
            table.limit = self._plan.limits.time_per_decision
            table.disposable = True
            self._tables[match] = table
        return self._tables[match]


def start(note: Note, plan: Plan, opener: Opener) -> Player:
    """Begin work in a worker process."""
    if plan.limits.memory_per_worker is not None:
        _limit_memory(plan.limits.memory_per_worker)
    return Player(note, plan, opener)


def _limit_memory(size: int) -> None:
    """Let allocations fail once this process has so many bytes of private memory."""
    try:
        import resource
    except ImportError:
        raise TtrError("--memory-per-worker: this system has no such limit") from None
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    except (OSError, ValueError) as error:
        raise TtrError(f"--memory-per-worker: the system refuses the limit: {error}") from None
