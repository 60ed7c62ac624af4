"""Play the games of a plan in worker processes and hand their rows to a sink."""

import logging
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from types import FrameType
from typing import Protocol

from ttr_sim.tournament.batch import Batch, Supply
from ttr_sim.tournament.games import Games, lost
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.pool import Crew, Died, Done, Event, Said
from ttr_sim.tournament.rows import table_rows
from ttr_sim.tournament.stopping import Gate, Rule, Sink
from ttr_sim.tournament.workers import PRELOAD, SEAT_NOTE, Opener, start

PART_GAMES = 50_000
DEATHS = 3  # a game during which so many workers died is not played again
_PATIENCE = 0.7  # seconds to wait for games being played when asked to stop
_TICK = 0.2

log = logging.getLogger("ttr_sim.tournament")

Progress = Callable[[int, Games], None]


class Executor(Protocol):
    """Where batches are played: `pool.Crew`, or anything that reports the same events."""

    @property
    def busy(self) -> int:
        """Number of batches given and not yet answered for."""

    @property
    def room(self) -> int:
        """Number of batches that can be given now."""

    def give(self, job: Batch, /) -> None:
        """Take a batch; it comes back in a `Done` or a `Died`."""

    def events(self, timeout: float) -> Iterable[Event]:
        """Yield what happened, waiting at most `timeout` seconds for a first event. Raises RunFailed."""

    def stop(self, wait: bool = True) -> None:
        """End all work: after the batches given with `wait`, else at once."""


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
) -> bool:
    """Play the missing games (default: all) in `workers` processes; what a worker logs is logged here.

    hire: gives the executor for a plan, an opener and a number of workers (default: processes of this machine).
    rule: ends the run early; the missing games must be the last of the run then, and `sink` gets games in order.
    progress: called with the number of the first and the games of each finished batch. Ctrl-C or SIGTERM stops
    it: games being played are waited for, less than a second. Returns whether all games were played, or enough of
    them for the rule. Raises RunFailed when workers cannot work. Which games get which rows never depends on the workers.
    """
    ranges = [range(plan.schedule.games)] if missing is None else list(missing)
    if not any(map(len, ranges)):
        return True
    supply = Supply(ranges, part_games, workers, rule.looks if rule else ())
    gate = Gate(sink, rule, ranges[0].start) if rule else None
    with stop_signals() as stopped, (hire or _processes)(plan, opener or _opener(), workers) as crew:
        director = _Director(plan, gate or sink, crew, supply, progress)
        while not (gate and gate.closed) and director.step(stopped):
            pass
        if stopped:
            director.wind_up()
        enough = gate is not None and gate.closed
        if stopped or enough:
            crew.stop(wait=False)
    return enough or not stopped


def _processes(plan: Plan, opener: Opener, workers: int) -> Crew:
    return Crew(workers, start, (plan, opener), PRELOAD)


def _opener() -> Opener:
    from ttr_sim.bot.play import open_table

    return open_table


@contextmanager
def stop_signals() -> Iterator[list[int]]:
    """Collect Ctrl-C and SIGTERM in a list instead of being interrupted anywhere; a second one interrupts."""
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


class _Director:
    """Keeps the workers busy and passes on what they report."""

    def __init__(
        self, plan: Plan, sink: Sink, crew: Executor, supply: Supply, progress: Progress | None
    ) -> None:
        self._plan, self._sink, self._crew, self._supply = plan, sink, crew, supply
        self._progress = progress

    def step(self, stopped: list[int]) -> bool:
        """Give out batches, then handle what is reported; returns False when all is done or to be stopped."""
        while self._crew.room and not stopped and (batch := self._supply.next()):
            self._crew.give(batch)
        if stopped or not self._crew.busy:
            return False
        self._handle(_TICK)
        return True

    def wind_up(self) -> None:
        """Take what is finished soon."""
        until = monotonic() + _PATIENCE
        while self._crew.busy and (left := until - monotonic()) > 0:
            self._handle(left)

    def _handle(self, timeout: float) -> None:
        for event in self._crew.events(timeout):
            self._take(event)
        self._sink.tick()

    def _take(self, event: Event) -> None:
        if isinstance(event, Done):
            self._keep(event.job, event.result, event.worker)
        elif isinstance(event, Died):
            self._again(event)
        elif isinstance(event, Said):
            logging.getLogger(event.record.name).handle(event.record)

    def _keep(self, batch: Batch, games: Games, worker: int) -> None:
        if games.seconds:
            self._supply.sizer.learn(len(games), games.seconds)
        self._supply.finished(batch)
        for index, fault in games.faults.items():
            log.warning("%s", self._blame(batch.first + index, int(games.game["forfeit_seat"][index]), fault))
        self._sink.add(table_rows(self._plan, batch.first, games, worker))
        if self._progress:
            self._progress(batch.first, games)

    def _again(self, death: Died) -> None:
        """Play the batches of a dead worker again; the one it worked on alone if it killed workers before."""
        batches: list[Batch] = list(death.jobs)
        if not batches or not death.began:
            self._supply.again(batches)
            return
        first = Batch(batches[0].first, batches[0].games, batches[0].deaths + 1)
        log.warning("a worker %s while playing %s", _how(death), _which(first))
        if first.games > 1 and first.deaths > 1:
            self._supply.again([*first.singles(), *batches[1:]])
        elif first.deaths >= DEATHS:
            self._give_up(first, death)
            self._supply.again(batches[1:])
        else:
            self._supply.again([first, *batches[1:]])

    def _give_up(self, batch: Batch, death: Died) -> None:
        players = len(self._plan.schedule.game(batch.first).seats)
        seat = death.note[SEAT_NOTE] if 0 <= death.note[SEAT_NOTE] < players else -1
        games = lost(players, seat, f"the worker process {_how(death)} every time")
        self._keep(batch, games, death.worker)

    def _blame(self, number: int, seat: int, fault: str) -> str:
        """Return the line of the log about a game that was not played to its end."""
        if seat < 0:
            return f"game {number} has no result: {fault}"
        bot = self._plan.labels[self._plan.schedule.game(number).seats[seat]]
        return f"game {number}: {bot} in seat {seat} forfeits: {fault}"


def _how(death: Died) -> str:
    code = death.exitcode
    if code is None or code >= 0:
        return f"ended (exit code {code})"
    return f"was killed (signal {-code})"


def _which(batch: Batch) -> str:
    return f"game {batch.first}" if batch.games == 1 else f"games {batch.first} to {batch.stop - 1}"
