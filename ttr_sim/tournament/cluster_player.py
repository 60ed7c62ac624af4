"""What a worker of a Dask cluster does: play batches in worker processes of our own.

A bot plays in a child process of the Dask worker, as in a local run: what it does to its process (ends it, fills its
memory, hangs) is dealt with here as there, and the Dask worker lives on.
"""

import multiprocessing
import threading
from dataclasses import dataclass
from typing import Any

from distributed import get_worker
from distributed.diagnostics.plugin import WorkerPlugin

from ttr_sim.tournament.batch import Batch
from ttr_sim.tournament.luggage import Luggage, unpack
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.pool import PRELOAD, Crew, Died, Done, Event, start_server
from ttr_sim.tournament.start_warm import start_warm
from ttr_sim.tournament.watch import Watch, watch_of
from ttr_sim.tournament.workers import Opener

HANG_SECONDS = 600.0  # a call of a bot that takes longer hangs, where the run has no limit of its own
IDLE_SECONDS = 60.0  # after so long without a batch the processes end; they start again with the next
_TICK = 1.0


class StoppedError(Exception):
    """The worker was told to end while it played."""


@dataclass(frozen=True, slots=True)
class Report:
    """What happened while a batch was played, and the name of the process it was played in."""

    events: list[Event]
    place: str


class Playing(WorkerPlugin):  # type: ignore[misc]
    """A run on a Dask worker: its plan, and idle worker processes, one for each thread at most."""

    def __init__(self, name: str, luggage: Luggage, opener: Opener, version: str) -> None:
        self.name = name
        self._luggage, self._opener, self._version = luggage, opener, version

    def setup(self, worker: Any) -> None:
        """Called by Dask on every worker, also on those that come later."""
        self._address = str(worker.address)
        self._lock = threading.Lock()
        self._idle: list[_Mate] = []
        self._busy: set[_Mate] = set()
        self._mates = 0
        self._plan: Plan | None = None
        self._timer: threading.Timer | None = None
        # A nanny makes its worker "daemonic", and such a process may start no others.
        multiprocessing.process.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
        start_server(PRELOAD)  # it gets ready while the first batch is on its way

    def teardown(self, worker: Any) -> None:
        """Called by Dask when the run is over, or the worker."""
        self._rest()
        for mate in list(self._busy):
            mate.crew.stop(wait=False)

    def _rest(self) -> None:
        with self._lock:
            ended, self._idle = self._idle, []
        for mate in ended:
            mate.crew.stop(wait=False)

    def play(self, batch: Batch, fresh: bool) -> Report:
        """Play a batch; `fresh`: in a process that played nothing before. Raises TtrError when this worker cannot."""
        mate = self._borrow(fresh)
        events: list[Event] = []
        try:
            mate.crew.give(batch)
            while mate.crew.busy:
                events += mate.crew.events(_TICK)
        except BaseException:
            mate.crew.stop(wait=False)
            raise
        finally:
            self._give_back(mate)
        if not any(isinstance(event, Done | Died) for event in events):
            raise StoppedError
        return Report(events, f"{self._address} worker-{mate.number}")

    def _borrow(self, fresh: bool) -> "_Mate":
        with self._lock:
            if self._timer:
                self._timer.cancel()
            if self._plan is None:
                self._plan = self._unpacked()
            if fresh and self._idle:
                self._idle.pop().crew.stop(wait=False)
            mate = self._idle.pop() if self._idle and not fresh else self._hire(self._plan)
            self._busy.add(mate)
        return mate

    def _give_back(self, mate: "_Mate") -> None:
        with self._lock:
            self._busy.discard(mate)
            if mate.crew.pids:
                self._idle.append(mate)
            if not self._busy:
                self._timer = threading.Timer(IDLE_SECONDS, self._rest)
                self._timer.daemon = True
                self._timer.start()

    def _unpacked(self) -> Plan:
        from ttr_sim.errors import RunFailed
        from ttr_sim.tournament.describe import engine_digest

        if engine_digest() != self._version:
            raise RunFailed(f"has {engine_digest()}, must have the same as here: {self._version}")
        return unpack(self._luggage)

    def _hire(self, plan: Plan) -> "_Mate":
        self._mates += 1
        crew = Crew(1, start_warm, (plan, self._opener), PRELOAD, watch_of(plan) or Watch(HANG_SECONDS))
        return _Mate(self._mates, crew.__enter__())


@dataclass(frozen=True, eq=False, slots=True)
class _Mate:
    number: int
    crew: Crew


def play_batch(name: str, batch: Batch, fresh: bool) -> Report:
    """Play a batch of the run of that name: the task that Dask sends."""
    playing: Playing = get_worker().plugins[name]
    return playing.play(batch, fresh)
