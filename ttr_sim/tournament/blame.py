"""What follows from the death of a worker: which games are played again, and which bot lost one by it."""

import signal
from collections import Counter
from dataclasses import dataclass

import numpy as np

from ttr_sim.bot.forfeit import LEFT_A_THREAD, NOBODY, Forfeit, Spoiled, took_longer
from ttr_sim.tournament.batch import Batch
from ttr_sim.tournament.notes import Noted, noted
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.pool import Died

MOST_DEATHS = 10  # a game during which so many workers died is given up
SAME_DEATHS = 3  # killed so often at the same decision, a worker was not killed by chance
# Nobody sends these to a process; it was the bot's code.
_CRASHES = {
    getattr(signal, name, 0) for name in ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS")
}


@dataclass(frozen=True, slots=True)
class Lost:
    """A game that cannot be played, nor up to the decision at which `seat` lost it (NOBODY: not known who)."""

    number: int
    seat: int
    reason: str


class Blame:
    """Judges deaths. A bot is to blame for

    - a call that took too long (the worker was killed for it) or left a thread running, as soon as it is
      known at which decision;
    - memory used up, the end of the process or its crash, when the game is played alone in a new worker: what other
      games left behind has no part in it then;
    - a worker that is killed from outside (by the system, or by the bot's own hand) at the same decision again and again.

    The game is then played up to that decision, so that its rows are as complete as those of any other forfeit.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._deaths: Counter[int] = Counter()
        self._same: Counter[tuple[int, int, int]] = Counter()

    def judge(self, batch: Batch, death: Died) -> list[Batch] | Lost:
        """Return what is to be played instead of a batch during which a worker died, the game in question first."""
        note = noted(death.note)
        number = self._game(batch, note)
        self._deaths[number] += 1
        if batch.forfeit and (death.late or self._deaths[number] >= MOST_DEATHS):
            return Lost(number, batch.forfeit.seat, batch.forfeit.reason)
        reason = "" if batch.forfeit or note.seat == NOBODY else self._reason(batch, number, note, death)
        if not reason and batch.games == 1 and self._deaths[number] >= MOST_DEATHS:
            return Lost(number, NOBODY, f"the worker process {how(death)} every time")
        first, *others = batch.around(number)
        if not reason:
            return [first, *others]
        self._deaths[number] = 0
        return [Batch(number, 1, Forfeit(note.decisions, note.seat, reason), batch.withdrawn), *others]

    def _game(self, batch: Batch, note: Noted) -> int:
        """Return the game that was played; where that is not known, the first of the batch."""
        numbers = np.arange(batch.first, batch.stop)
        of_match = numbers[self._plan.schedule.rows(numbers).match == note.match]
        known = note.seat != NOBODY and 0 <= note.game < len(of_match)
        return int(of_match[note.game]) if known else batch.first

    def _reason(self, batch: Batch, number: int, note: Noted, death: Died) -> str:
        """Return what the bot that was called did; "" when it may have been something else."""
        limits = self._plan.limits
        if batch.games > 1 and not note.exact:
            return ""
        if death.late and limits.time_per_decision is not None:
            return took_longer(limits.time_per_decision)
        if note.spoiled == Spoiled.THREAD:
            return LEFT_A_THREAD
        if batch.games > 1:
            return ""
        code = death.exitcode or 0
        if note.spoiled == Spoiled.MEMORY:
            size = limits.memory_per_worker
            more = "all memory there is" if size is None else f"more than {size / 2**20:g} MiB of memory"
            return "" if note.batches else f"used {more}"
        if code >= 0 or -code in _CRASHES:
            return "" if note.batches else f"the worker process {how(death)}"
        key = (number, note.decisions, note.seat)
        self._same[key] += 1
        return f"the worker process {how(death)}" if self._same[key] >= SAME_DEATHS else ""


def how(death: Died) -> str:
    """Return how a worker ended, as the end of a sentence."""
    code = death.exitcode
    if code is None or code >= 0:
        return f"ended (exit code {code})"
    return f"was killed (signal {-code})"
