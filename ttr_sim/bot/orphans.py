"""Processes that do not outlive the one that started them."""

from __future__ import annotations

import ctypes
import signal
import sys
from typing import Any

_PR_SET_PDEATHSIG = 1
_libc: Any = ctypes.CDLL(None) if sys.platform.startswith("linux") else None


def die_with_parent() -> None:
    """Let the system kill this process when its parent ends, whatever it does then; on Linux, elsewhere nothing."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
