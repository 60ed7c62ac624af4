"""Play the games of a plan in worker processes and hand their rows to a sink."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType

from ttr_sim.tournament.batch import Supply
from ttr_sim.tournament.director import Director, Progress
from ttr_sim.tournament.executor import Executor
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.pool import PRELOAD, Crew
from ttr_sim.tournament.stopping import Gate, Rule, Sink
from ttr_sim.tournament.watch import watch_of
from ttr_sim.tournament.withdrawal import Withdrawals
from ttr_sim.tournament.workers import Opener, start

__all__ = ["PART_GAMES", "Executor", "Hire", "Progress", "play", "stop_signals"]

PART_GAMES = 50_000

Hire = Callable[[Plan, Opener, int], AbstractContextManager[Executor]]


def play(
    plan: Plan,
    sink: Sink,
    *,
    workers: int,
    opener: Opener | None = None,
    missing: Iterable[range] | None = None,
    part_games: int = PART_GAMES,
    progress: Progress | None = None,
    hire: Hire | None = None,
    rule: Rule | None = None,
    kept_forfeits: Iterable[tuple[int, int]] = (),
    stopped: list[int] | None = None,
) -> bool:
    """Play the missing games (default: all) in `workers` processes; what a worker logs is logged here.

    hire: gives the executor for a plan, an opener and a number of workers (default: processes of this machine).
    rule: ends the run early; the missing games must be the last of the run then, and `sink` gets games in order.
    kept_forfeits: (game, bot), ascending, of the games that are not missing; needed where forfeits are limited.
    stopped: of a caller's `stop_signals`, which may have begun before.
    progress: called with the number of the first and the games of each finished batch. Ctrl-C or SIGTERM stops
    it: games being played are waited for, less than a second. Returns whether all games were played, or enough of
    them for the rule. Raises RunFailed when workers cannot work. Which games get which rows never depends on the workers.
    """
    ranges = [range(plan.schedule.games)] if missing is None else list(missing)
    if not any(map(len, ranges)):
        return True
    supply = Supply(ranges, part_games, workers, rule.looks if rule else ())
    gate = Gate(sink, rule, ranges[0].start) if rule else None
    most = plan.limits.max_forfeits
    withdrawals = None if most is None else Withdrawals(plan, most, ranges, kept_forfeits)
    with stop_signals(stopped) as stopped, (hire or _processes)(plan, opener or _opener(), workers) as crew:
        director = Director(plan, gate or sink, crew, supply, progress, withdrawals)
        while not (gate and gate.closed) and director.step(stopped):
            pass
        if stopped:
            director.wind_up()
        enough = gate is not None and gate.closed
        if stopped or enough:
            crew.stop(wait=False)
    return enough or not stopped


def _processes(plan: Plan, opener: Opener, workers: int) -> Crew:
    return Crew(workers, start, (plan, opener), PRELOAD, watch_of(plan))


def _opener() -> Opener:
    from ttr_sim.bot.play import open_table

    return open_table


@contextmanager
def stop_signals(begun: list[int] | None = None) -> Iterator[list[int]]:
    """Collect Ctrl-C and SIGTERM in a list instead of being interrupted anywhere; a second one interrupts.

    begun: the list of one that is at work already, which stays so.
    """
    if begun is not None:
        yield begun
        return
    received: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        received.append(number)
        if len(received) > 1:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield received
        return
    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
