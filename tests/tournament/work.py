"""Work for a crew that does as it is told; imports little, so that workers start quickly."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from ttr_sim.tournament.notes import Note

Job = tuple[str, Any]


def start(note: Note, offset: int = 0) -> Callable[[Job], Any]:
    def work(job: Job) -> Any:
        kind, value = job
        note[0] = value
        if kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif kind == "exit":
            os._exit(value)
        elif kind == "raise":
            raise ValueError("as planned")
        elif kind == "log":
            logging.getLogger("a.bot").warning("number %d", value)
        elif kind == "print":
            print("x" * value)
        elif kind == "thread":
            threading.Thread(target=time.sleep, args=(60,)).start()
        elif kind == "modules":
            return sorted({name.split(".")[0] for name in sys.modules})
        elif kind == "large":
            return os.urandom(value)
        return value + offset

    return work


def cannot_start(note: Note) -> Callable[[Job], Any]:
    raise RuntimeError("no engine here")


def dies_at_once(note: Note) -> Callable[[Job], Any]:
    os._exit(7)
