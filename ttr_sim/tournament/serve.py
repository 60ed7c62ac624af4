"""The worker's side of a crew: do jobs, and send what is logged or printed to the parent."""

import contextlib
import logging
import logging.handlers
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from multiprocessing import connection
from typing import Any

import numpy as np

from ttr_sim.bot.orphans import die_with_parent
from ttr_sim.bot.printed import Printed
from ttr_sim.tournament import notes

Work = Callable[[Any], Any]
Start = Callable[..., Work]


def serve(pipe: connection.Connection, note: Any, start: Start, args: tuple[Any, ...]) -> None:
    """Work until told to stop or until the parent is gone; ends the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with_parent()  # the fork server ends with the run, also when that is killed
    line, printed = _Line(pipe), Printed()
    _take_over_output(line, printed)
    code = 0
    try:
        work = start(np.frombuffer(note, np.int64)[notes.PLACE], *args)
        line.send("ready", None)
        while (job := pipe.recv()) is not None:
            line.send("done", work(job))
            printed.reset_log()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except MemoryError:  # bots have used it up
        code = 1
    except BaseException:
        code = 1
        with contextlib.suppress(OSError):
            line.send("failed", traceback.format_exc())
    os._exit(code)  # not sys.exit: threads a bot left behind must not keep the process


class _Line:
    """The worker's end of its pipe; several threads may send."""

    def __init__(self, pipe: connection.Connection) -> None:
        self.pipe = pipe
        self.lock = threading.Lock()

    def send(self, kind: str, content: Any) -> None:
        with self.lock:
            self.pipe.send((kind, content))


class _LineHandler(logging.handlers.QueueHandler):
    """Sends log records to the parent, with their text made here."""

    def __init__(self, line: _Line) -> None:
        super().__init__(line)  # type: ignore[arg-type]

    def enqueue(self, record: logging.LogRecord) -> None:
        self.queue.send("log", record)  # type: ignore[attr-defined]


def _take_over_output(line: _Line, printed: Printed) -> None:
    """Send log records to the parent and prints to the log; nothing reaches the real stdout and stderr."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    sys.stdout = sys.stderr = printed
    logging.root.handlers[:] = [_LineHandler(line)]
    logging.root.setLevel(logging.INFO)
    logging.captureWarnings(True)
