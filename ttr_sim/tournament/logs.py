"""run.log: the log records of the run and of all its workers, through one handler of multiprocessing-logging.

Workers send their records on their own pipe, not on the handler's queue: a worker that is killed while it writes
to a shared queue leaves it locked for all others. A handler made in the parent alone also has no trap with
start methods other than fork.
"""

import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from multiprocessing_logging import MultiProcessingHandler
from tqdm import tqdm

from ttr_sim import paths
from ttr_sim.errors import RunFailed

SHOWN = 5  # warnings that reach the terminal; the others are in the file
_FORMAT = "%(asctime)s %(levelname)s %(processName)s %(name)s: %(message)s"


@contextmanager
def run_log(path: Path, quiet: bool = False, final: Path | None = None) -> Iterator[None]:
    """Append what is logged meanwhile, from level INFO, to a file; show the first warnings unless `quiet`.

    final: where the file will be in the end, if that is another place.
    """
    try:
        file = _File(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise RunFailed(f"{paths.shown(path)}: cannot be written: {error.strerror}") from error
    file.setFormatter(logging.Formatter(_FORMAT))
    handlers: list[logging.Handler] = [MultiProcessingHandler("run.log", file)]
    if not quiet:
        handlers.append(_Terminal(final or path))
    logger = logging.getLogger()
    before = logger.level
    for handler in handlers:
        logger.addHandler(handler)
    logger.setLevel(min(before, logging.INFO) or logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(before)
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()


@contextmanager
def terminal_log(quiet: bool = False) -> Iterator[None]:
    """Show the first warnings that are logged meanwhile, unless `quiet`; keep none."""
    handler: logging.Handler = logging.NullHandler() if quiet else _Terminal(None)
    logger = logging.getLogger()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _File(logging.FileHandler):
    """Writes what can be written: on a full disk the tables are what the run fails for, with one line."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Nothing."""

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            super().close()


class _Terminal(logging.Handler):
    """Shows the first warnings on stderr, above a progress bar, and says in which file the others are, if in any."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(logging.WARNING)
        self._path = path
        self._shown = 0

    def emit(self, record: logging.LogRecord) -> None:
        self._shown += 1
        if self._shown <= SHOWN:
            self._write(f"{record.levelname.lower()}: {record.getMessage().splitlines()[0]}")
        if self._shown == SHOWN:
            more = f"are in {paths.shown(self._path)}" if self._path else "are not shown"
            self._write(f"more warnings {more}")

    def _write(self, line: str) -> None:
        if threading.current_thread() is threading.main_thread():
            tqdm.write(line, file=sys.stderr)
