"""Ending a run early: decided on the first games of the run at numbers fixed beforehand, so that workers never matter."""

from collections.abc import Sequence
from typing import Protocol

from ttr_sim.tournament.rows import TableRows

_GROWTH = 50  # from one look to the next, one part in so many of the games is added


class Rule(Protocol):
    """Says when enough games were played."""

    @property
    def looks(self) -> Sequence[int]:
        """The numbers of games at which it is asked, ascending."""

    def add(self, rows: TableRows) -> None:
        """Take the next games; they come in order."""

    def enough(self, games: int) -> bool:
        """Tell whether the run ends after its first `games` games, which were all added; asked at a look."""


class Sink(Protocol):
    """Takes the rows of finished games, batches in any order."""

    def add(self, rows: TableRows) -> None:
        """Keep rows."""

    def tick(self) -> None:
        """Called a few times a second."""


class Gate:
    """A sink that passes rows on in the order of the games, up to the look at which a rule has enough.

    Rows come in any order, none of them across a look (see `batch.Supply`). Rows behind the end are dropped.
    """

    def __init__(self, sink: Sink, rule: Rule, begin: int = 0) -> None:
        self._sink, self._rule, self._at = sink, rule, begin
        self._looks = frozenset(rule.looks)
        self._waiting: dict[int, TableRows] = {}
        self.closed = False

    def add(self, rows: TableRows) -> None:
        """Take rows and pass on those whose turn it is."""
        self._waiting[rows.first] = rows
        while not self.closed and self._at in self._waiting:
            rows = self._waiting.pop(self._at)
            self._rule.add(rows)
            self._sink.add(rows)
            self._at += rows.games
            self.closed = self._at in self._looks and self._rule.enough(self._at)

    def tick(self) -> None:
        """Pass it on."""
        self._sink.tick()


def looks(cycle: int, games: int, least: int = 1) -> list[int]:
    """Return numbers of games to look at: whole cycles of `cycle` games, from `least` cycles up to `games`.

    One cycle apart at first, later two per cent, so that looking often costs little.
    """
    found, at = [], least * cycle
    while at < games:
        found.append(at)
        at += max(1, at // cycle // _GROWTH) * cycle
    return [*found, games]


class Drop:
    """A sink that keeps nothing."""

    def add(self, rows: TableRows) -> None:
        """Drop them."""

    def tick(self) -> None:
        """Nothing."""
