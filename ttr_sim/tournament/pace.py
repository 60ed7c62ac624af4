"""How fast a plan is played, measured by playing a little of it."""

import random
from dataclasses import dataclass, replace
from time import monotonic

from ttr_sim.tournament.games import Games
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.rows import TableRows
from ttr_sim.tournament.run import play
from ttr_sim.tournament.workers import Opener

MEASURE = 3.0  # seconds to play for, from the first finished game
PATIENCE = 30.0  # seconds to wait for a first finished game


@dataclass(frozen=True, slots=True)
class Pace:
    """Games that were played, and the seconds that took; no game: so many seconds were not enough for one."""

    games: int
    seconds: float

    def expected(self, games: int) -> float | None:
        """Seconds for so many games; None when that is not known."""
        return games * self.seconds / self.games if self.games else None


def measure(
    plan: Plan,
    workers: int,
    opener: Opener | None = None,
    seconds: float = MEASURE,
    patience: float = PATIENCE,
) -> Pace | None:
    """Play games of the plan, its line-ups in random order, for some seconds; None when stopped by a signal."""
    clock = _Clock(seconds, patience)
    try:
        if not play(_mixed(plan), clock, workers=workers, opener=opener, progress=clock.finished):
            return None
    except _TimeIsUp:
        pass
    return clock.pace


def _mixed(plan: Plan) -> Plan:
    matches = random.Random(1).sample(plan.schedule.matches, len(plan.schedule.matches))
    return replace(plan, schedule=replace(plan.schedule, matches=tuple(matches)))


class _TimeIsUp(Exception):
    pass


class _Clock:
    """A sink that keeps nothing and ends the playing."""

    def __init__(self, seconds: float, patience: float) -> None:
        self._seconds, self._patience = seconds, patience
        self._created = self._last = monotonic()
        self._begun: float | None = None
        self._games = 0

    @property
    def pace(self) -> Pace:
        return Pace(self._games, self._last - (self._created if self._begun is None else self._begun))

    def add(self, rows: TableRows) -> None:
        pass

    def tick(self) -> None:
        now = monotonic()
        if self._begun is None:
            self._last = now
            if now - self._created > self._patience:
                raise _TimeIsUp
        elif now - self._begun > self._seconds:
            raise _TimeIsUp

    def finished(self, first: int, games: Games) -> None:
        self._last = monotonic()
        if self._begun is None:  # what came before is the start of the workers
            self._begun = self._last - games.seconds
        self._games += len(games)
