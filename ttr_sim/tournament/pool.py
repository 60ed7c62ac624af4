"""A crew of worker processes in which any worker may be killed at any moment without harm to the others.

Each worker has a pipe of its own for its jobs, results and log records. Pools in which the workers share one pipe
and its lock (multiprocessing.Pool, ProcessPoolExecutor, pebble) stop for ever when a worker is killed while it
holds the lock; here a killed worker only closes its own pipe. The parent needs no thread.
"""

import contextlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from time import monotonic
from types import ModuleType
from typing import Any

from ttr_sim.errors import RunFailed
from ttr_sim.tournament import notes
from ttr_sim.tournament.serve import Start, serve
from ttr_sim.tournament.watch import Watch

PRELOAD = ("ttr_sim.tournament.preload",)  # what players need; imported once by the fork server
QUEUED = 2  # jobs given to a worker at once: the one it works on, and the next, so that it never waits for us
START_FAILURES = 50  # in a row; an error while starting is reported at the first
HASH_SEED = "0"  # of all workers, so that a bot that goes through a set of texts repeats its games
_GRACE = 1.0

log = logging.getLogger("ttr_sim.tournament")


@dataclass(frozen=True, slots=True)
class Done:
    """A worker finished a job."""

    job: Any
    result: Any
    worker: int


@dataclass(frozen=True, slots=True)
class Died:
    """A worker ended by itself; `jobs` are those it had, the first of which it had begun if it `began` at all.

    note: what it noted last. late: it was killed because the call of a bot took too long.
    """

    jobs: tuple[Any, ...]
    began: bool
    exitcode: int | None
    worker: int
    note: tuple[int, ...]
    late: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A worker logged something."""

    record: logging.LogRecord
    worker: int


Event = Done | Died | Said


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: connection.Connection
    memory: Any
    ready: bool = False
    jobs: deque[Any] = field(default_factory=deque)

    @property
    def note(self) -> tuple[int, ...]:
        """What it noted last."""
        return tuple(self.memory[notes.PLACE])


def process_context() -> BaseContext:
    """Return the way to start processes: from a fork server, or fresh where the system has none."""
    known = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("forkserver" if "forkserver" in known else "spawn")


def start_server(preload: Sequence[str]) -> None:
    """Start the fork server, if the system has one: it imports `preload` while this process does other things.

    A server that runs already stays as it is.
    """
    if process_context().get_start_method() == "forkserver":
        from multiprocessing import forkserver

        forkserver.set_forkserver_preload([__name__, *preload])
        with starting_processes(), _no_interrupt():
            forkserver.ensure_running()


class Crew:
    """`size` workers; each calls `start(note, *args)` once and then the function it returned for each job.

    `start` must be importable and `args` picklable. `note` is an array of notes.SIZE int64 in shared memory, in
    which a job may say what it is doing; it is read when the worker dies. `preload` names the modules that the
    fork server imports once, so that a worker starts with them. watch: kills workers in which a call takes too long. Use it
    as a context manager.
    """

    def __init__(
        self,
        size: int,
        start: Start,
        args: tuple[Any, ...] = (),
        preload: Sequence[str] = (),
        watch: Watch | None = None,
    ) -> None:
        self._context = process_context()
        self._start, self._args, self._watch = start, args, watch
        self._failures = 0
        start_server(preload)
        self._workers: list[_Worker | None] = [None] * size

    def __enter__(self) -> "Crew":
        try:
            for slot in range(len(self._workers)):
                self._hire(slot)
        except BaseException:
            self.stop(wait=False)
            raise
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.stop(wait=kind is None)

    @property
    def pids(self) -> list[int]:
        """Process ids of the workers."""
        return [w.process.pid for w in self._workers if w and w.process.pid]

    @property
    def busy(self) -> int:
        """Number of jobs given and not yet answered for."""
        return sum(len(w.jobs) for w in self._workers if w)

    @property
    def room(self) -> int:
        """Number of jobs that can be given now."""
        return sum(QUEUED - len(w.jobs) for w in self._workers if w)

    def give(self, job: Any) -> None:
        """Give a job to the worker with the fewest."""
        worker = min((w for w in self._workers if w), key=lambda w: len(w.jobs))
        worker.jobs.append(job)
        with contextlib.suppress(OSError):  # it just died: the job comes back with its `Died`
            worker.pipe.send(job)

    def events(self, timeout: float) -> Iterator[Event]:
        """Yield what the workers reported, waiting at most `timeout` seconds for a first report.

        Dead workers are replaced. Raises RunFailed when workers die before they can work.
        """
        slots: dict[Any, int] = {}
        for slot, worker in enumerate(self._workers):
            if worker:
                slots[worker.pipe] = slots[worker.process.sentinel] = slot
        timeout = min(timeout, self._watch.tick) if self._watch else timeout
        for slot in dict.fromkeys(slots[item] for item in connection.wait(list(slots), timeout)):
            yield from self._read(slot)
        self._end_late_calls()

    def stop(self, wait: bool = True) -> None:
        """End all workers: after their jobs with `wait` (a second at most), else at once."""
        workers = [w for w in self._workers if w]
        self._workers = [None] * len(self._workers)
        for worker in workers if wait else ():
            with contextlib.suppress(OSError):
                worker.pipe.send(None)
        until = monotonic() + _GRACE
        for worker in workers:
            if wait:
                worker.process.join(max(0.0, until - monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()

    def _end_late_calls(self) -> None:
        for slot, worker in enumerate(self._workers):
            if (
                self._watch
                and worker
                and worker.ready
                and worker.jobs
                and self._watch.is_late(slot, worker.jobs[0], worker.note)
            ):
                worker.process.kill()

    def _hire(self, slot: int) -> None:
        ours, theirs = self._context.Pipe()
        note = multiprocessing.get_context(self._context.get_start_method()).RawArray("q", notes.ROOM)
        name = f"worker-{slot + 1}"
        process = self._context.Process(  # type: ignore[attr-defined]
            target=serve, name=name, args=(theirs, note, self._start, self._args), daemon=True
        )
        try:
            with starting_processes():
                process.start()
        except (OSError, EOFError) as error:
            raise RunFailed(f"worker processes cannot be started: {error}") from error
        theirs.close()
        self._workers[slot] = _Worker(process, ours, note)

    def _read(self, slot: int) -> Iterator[Event]:
        worker = self._workers[slot]
        alive = worker is not None and worker.process.is_alive()
        try:
            while worker and worker.pipe.poll():
                yield from self._understand(worker, slot, worker.pipe.recv())
        except (EOFError, OSError):
            alive = False
        if worker and not alive:
            yield self._bury(worker, slot)

    def _understand(self, worker: _Worker, slot: int, message: tuple[str, Any]) -> Iterator[Event]:
        kind, content = message
        if kind == "log":
            yield Said(content, slot)
        elif kind == "ready":
            worker.ready, self._failures = True, 0
        elif kind == "done":
            yield Done(worker.jobs.popleft(), content, slot)
        else:
            log.error("a worker process failed:\n%s", content)
            last = content.strip().splitlines()[-1]
            raise RunFailed(f"a worker process failed: {last} (its traceback is in the log)")

    def _bury(self, worker: _Worker, slot: int) -> Died:
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        if not worker.ready:
            self._failures += 1
            if self._failures >= START_FAILURES:
                raise RunFailed(
                    f"worker processes end before they can work (exit code {worker.process.exitcode})"
                )
        self._hire(slot)
        note = worker.note
        late = self._watch is not None and self._watch.was_late(slot, note)
        return Died(tuple(worker.jobs), worker.ready, worker.process.exitcode, slot, note, late)


class _Starting:
    """What of this process is changed while others are started, and by how many threads."""

    lock = threading.Lock()
    threads = 0
    main: ModuleType | None = None
    hash_seed: str | None = None


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Let the processes started meanwhile ignore Ctrl-C from their first moment on: it is for this process alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def starting_processes() -> Iterator[None]:
    """Hide the main module, which a new process would import again and no job needs, and fix the hashes of texts."""
    with _Starting.lock:
        if not _Starting.threads:
            _Starting.main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
            _Starting.hash_seed = os.environ.get("PYTHONHASHSEED")
            os.environ["PYTHONHASHSEED"] = HASH_SEED
        _Starting.threads += 1
    try:
        yield
    finally:
        with _Starting.lock:
            _Starting.threads -= 1
            if not _Starting.threads and _Starting.main:
                sys.modules["__main__"] = _Starting.main
                if _Starting.hash_seed is None:
                    del os.environ["PYTHONHASHSEED"]
                else:
                    os.environ["PYTHONHASHSEED"] = _Starting.hash_seed
