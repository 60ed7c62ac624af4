"""Finding the workers in which a bot runs over its time."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from ttr_sim.bot.forfeit import NOBODY
from ttr_sim.tournament.notes import noted

if TYPE_CHECKING:
    from ttr_sim.tournament.plan import Plan

GRACE = 0.25  # seconds beyond the limit in which a bot that returns after all is judged in its worker

Note = tuple[int, ...]


class Watch:
    """Remembers since when each worker has been in the call of a bot. limit: seconds a call may take."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._since: dict[int, tuple[Any, Note, float]] = {}
        self._late: dict[int, Note] = {}

    @property
    def tick(self) -> float:
        """How many seconds may lie between two looks."""
        return max(self._limit / 4, 0.02)

    def is_late(self, worker: int, job: Any, note: Note) -> bool:
        """Look at what a worker works on and has noted; tells whether it is to be killed."""
        before, now = self._since.get(worker), monotonic()
        if before is None or before[:2] != (job, note):
            self._since[worker] = job, note, now
            return False
        if noted(note).seat == NOBODY or now - before[2] <= self._limit + GRACE:
            return False
        self._late[worker] = note
        return True

    def was_late(self, worker: int, note: Note) -> bool:
        """Tell whether a worker that died was killed for this, and did not go on before it died; forgets it."""
        self._since.pop(worker, None)
        return self._late.pop(worker, None) == note


def watch_of(plan: Plan) -> Watch | None:
    """Return what watches over the time that a plan gives its bots; None where it is not limited."""
    limit = plan.limits.time_per_decision
    return None if limit is None else Watch(limit)
