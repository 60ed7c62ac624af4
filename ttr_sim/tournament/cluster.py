"""Batches played on a Dask cluster: an executor for `ttr_sim.tournament.run.play`.

The batches are those of a local run, so the tables are too. A batch whose worker is lost goes to another one; what a
bot does to the process it plays in is reported from there (see `cluster_player`).
"""

import contextlib
import logging
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.tournament.ask import LOCAL, MAX_WORKERS
from ttr_sim.tournament.batch import Batch
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.pool import QUEUED, START_FAILURES, Died, Event, Said, starting_processes
from ttr_sim.tournament.run import Hire
from ttr_sim.tournament.workers import Opener

CONNECT_SECONDS = 10
_GONE = "the scheduler is gone; --resume goes on with the run"
_LOOK_SECONDS = 1.0  # how often the number of workers is asked
_LONELY_SECONDS = 10.0  # after so long without any worker it is said

log = logging.getLogger("ttr_sim.tournament")


@contextlib.contextmanager
def connected(scheduler: str) -> Iterator[tuple[Hire, int]]:
    """Connect to "tcp://HOST:PORT", or start "local:N" workers here; yields the hire of `play` and the number of workers.

    Raises TtrError: no such text, Dask is not installed; RunFailed: nobody answers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise TtrError("--scheduler needs Dask: pip install 'ttr-sim[cluster]'") from None
    with contextlib.ExitStack() as stack:
        stack.enter_context(_logged_with_ours())
        if scheduler.startswith(LOCAL):
            stack.enter_context(starting_processes())
            target: Any = stack.enter_context(_local(scheduler))
        elif "://" in scheduler:
            target = scheduler
        else:
            raise TtrError(f"--scheduler must be tcp://HOST:PORT or local:N, not {scheduler!r}")
        try:
            client = stack.enter_context(Client(target, timeout=CONNECT_SECONDS, set_as_default=False))
        except (OSError, ValueError) as error:  # TimeoutError is an OSError
            reason = str(error).split(" after ")[0].splitlines()[0]
            raise RunFailed(f"--scheduler {scheduler}: no scheduler answers there: {reason}") from error
        yield partial(Cluster, client), max(1, _threads(client))


def _local(text: str) -> Any:
    from distributed import LocalCluster

    count = text.removeprefix(LOCAL)
    if not count.isdecimal() or not 1 <= int(count) <= MAX_WORKERS:
        raise TtrError(f"--scheduler local:N: N must be from 1 to {MAX_WORKERS}, not {count!r}")
    return LocalCluster(
        n_workers=int(count), threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
    )


@contextlib.contextmanager
def _logged_with_ours() -> Iterator[None]:
    """Let Dask log where we do, and not beside it on the terminal."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    loggers = [logging.getLogger(name) for name in names]
    before = [(logger, logger.handlers[:], logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.handlers[:], logger.propagate = [logging.NullHandler()], True
    try:
        yield
    finally:
        for logger, handlers, propagate in before:
            logger.handlers[:], logger.propagate = handlers, propagate


def _threads(client: Any) -> int:
    return sum(client.nthreads().values())


class Cluster:
    """The workers of a cluster; they come and go as they like. Use it as a context manager."""

    def __init__(self, client: Any, plan: Plan, opener: Opener, workers: int) -> None:
        self._client, self._plan, self._opener = client, plan, opener
        self._threads = workers
        self._name = f"ttr-sim-{uuid.uuid4().hex[:12]}"
        self._out: dict[Any, Batch] = {}  # by future
        self._reported: SimpleQueue[Any] = SimpleQueue()
        self._places: dict[str, int] = {}
        self._suspects: set[int] = set()  # games during which a process died
        self._given = self._lost = 0
        self._looked = self._peopled = monotonic()
        self._told = False

    def __enter__(self) -> "Cluster":
        from ttr_sim.tournament.cluster_player import Playing
        from ttr_sim.tournament.describe import engine_digest
        from ttr_sim.tournament.luggage import pack

        playing = Playing(self._name, pack(self._plan), self._opener, engine_digest())
        try:
            self._client.register_plugin(playing, name=self._name)
        except Exception as error:
            raise RunFailed(f"a worker of the cluster cannot play: {_line(error)}") from error
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.stop(wait=kind is None)

    @property
    def busy(self) -> int:
        """Number of batches given and not yet answered for."""
        return len(self._out)

    @property
    def room(self) -> int:
        """Number of batches that can be given now; some wait in the scheduler while there is no worker."""
        return QUEUED * max(1, self._threads) - len(self._out)

    def give(self, batch: Batch) -> None:
        """Send a batch to the scheduler."""
        from ttr_sim.tournament.cluster_player import play_batch

        self._given += 1
        key = f"{self._name}-{self._given}"
        # Alone in a new process, as a local run plays it in the one that took the place of the dead.
        fresh = batch.games == 1 and batch.first in self._suspects
        future = self._client.submit(play_batch, self._name, batch, fresh, key=key, pure=False)
        self._out[future] = batch
        future.add_done_callback(self._reported.put)

    def events(self, timeout: float) -> Iterator[Event]:
        """Yield what the workers reported, waiting at most `timeout` seconds for a first report.

        Raises RunFailed: the scheduler is gone, or a worker cannot play.
        """
        self._look()
        with contextlib.suppress(Empty):
            future = self._reported.get(timeout=timeout)
            while True:
                yield from self._read(future)
                future = self._reported.get_nowait()

    def stop(self, wait: bool = True) -> None:
        """Take back what is not played yet, and let the workers forget the run."""
        out, self._out = list(self._out), {}
        if self._client.status != "running":
            return  # it tries to reach a scheduler that is gone, and would for a while
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._client.cancel(out, force=True)
            self._client.unregister_worker_plugin(self._name)

    def _read(self, future: Any) -> Iterator[Event]:
        if future not in self._out:
            return
        if future.status == "finished":
            report = self._fetched(future.result)
            self._lost = 0
            yield from (self._seen(event, report.place) for event in report.events)
        elif future.status == "error":
            yield self._failed(self._out[future], self._fetched(future.exception))
        elif future.status == "cancelled":
            raise RunFailed(_GONE)
        else:  # its result was lost with the worker, and is made again
            future.add_done_callback(self._reported.put)
            return
        del self._out[future]

    def _fetched(self, fetch: Callable[[], Any]) -> Any:
        """Return what is fetched from the cluster. Raises RunFailed when its scheduler goes away meanwhile."""
        try:
            return fetch()
        except (CancelledError, OSError) as error:
            raise RunFailed(_GONE) from error

    def _seen(self, event: Event, place: str) -> Event:
        """Return an event of a process of a worker as one of this run."""
        worker = self._places.setdefault(place, len(self._places))
        if isinstance(event, Said):
            event.record.processName = place
        elif isinstance(event, Died):
            self._suspects.update(game for batch in event.jobs for game in range(batch.first, batch.stop))
        return replace(event, worker=worker)

    def _failed(self, batch: Batch, error: BaseException) -> Event:
        from distributed import KilledWorker

        from ttr_sim.tournament.cluster_player import StoppedError

        self._lost += 1
        if not isinstance(error, KilledWorker | StoppedError) or self._lost > START_FAILURES:
            raise RunFailed(f"a worker of the cluster cannot play: {_line(error)}") from error
        log.warning("the workers that had games %d to %d were lost", batch.first, batch.stop - 1)
        return Died((batch,), began=False, exitcode=None, worker=0, note=())

    def _look(self) -> None:
        """See how many workers there are, now and then."""
        now = monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        with contextlib.suppress(OSError):
            self._threads = _threads(self._client)
        if self._threads:
            self._peopled, self._told = now, False
        elif now - self._peopled > _LONELY_SECONDS and not self._told:
            log.warning("the scheduler has no worker; waiting for one")
            self._told = True


def _line(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]
