"""What a bot may use up, and how often it may forfeit."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ttr_sim.errors import TtrError, unknown

LEAST_MEMORY = 400 << 20  # bytes; the program with its kernels takes 240 MiB
_MOST_SECONDS = 1e6
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a run; None: none.

    time_per_decision: seconds of wall time for one call of a bot. memory_per_worker: bytes of private memory of a worker
    process, the program and all bots in it. max_forfeits: a bot that forfeits more games is withdrawn.
    """

    time_per_decision: float | None = None
    memory_per_worker: int | None = None
    max_forfeits: int | None = None

    def given(self) -> dict[str, float | int]:
        """Return the limits there are, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


NO_LIMITS = Limits()


def as_option(name: str) -> str:
    """Return the name of a limit as the command line knows it."""
    return "--" + name.replace("_", "-")


def read_limits(given: Mapping[str, Any], named: Callable[[str], str] = as_option) -> Limits:
    """Return checked limits from values by name; None where there is none.

    A size is a number of bytes or a text such as "800M" or "2G" (powers of 1024). named: how messages name a limit.
    Raises TtrError.
    """
    readers: dict[str, Callable[[Any, str], Any]]
    readers = {"time_per_decision": _seconds, "memory_per_worker": _size, "max_forfeits": _count}
    for name in given:
        if name not in readers:
            raise unknown("limit", name, readers)
    return Limits(**{n: None if v is None else readers[n](v, named(n)) for n, v in given.items()})


def _seconds(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= _MOST_SECONDS:
        raise TtrError(f"{name} must be a number of seconds above 0, not {value!r}")
    return float(value)


def _size(value: Any, name: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", str(value).strip(), re.IGNORECASE)
    if isinstance(value, bool) or not match:
        raise TtrError(f"{name} must be a size such as 800M or 2G, not {value!r}")
    if not sys.platform.startswith("linux"):
        raise TtrError(f"{name} needs Linux")
    size = int(float(match[1]) * _UNITS[match[2].upper()])
    if size < LEAST_MEMORY:
        raise TtrError(f"{name} must be at least {LEAST_MEMORY >> 20}M, which the program needs, not {value}")
    return size


def _count(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TtrError(f"{name} must be a whole number of at least 0, not {value!r}")
    return value
