"""Timing: the best of several short rounds, and what an entry of the benchmark is."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time

ROUNDS = 5
ROUND_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class Entry:
    """A figure: how it is measured, its unit, and the bar it should reach (None without one).

    at_most: the bar is the most it may be, not the least. measure: raises Absent when what it measures is not there.
    """

    name: str
    unit: str
    bar: float | None
    measure: Callable[[], float]
    at_most: bool = False

    def reaches(self, value: float) -> bool:
        """Whether a value is on the right side of the bar."""
        return self.bar is None or (value <= self.bar if self.at_most else value >= self.bar)


class Absent(Exception):
    """What an entry measures does not exist; the message says what."""


def rate(work: Callable[[int], object], start: int = 1) -> float:
    """Return how often a second `work(n)` does its thing, n times a call: the best round, in processor time."""
    work(start)  # loads what it needs
    n = start
    while (seconds := _spent(work, n)) < ROUND_SECONDS / 4:
        n = max(n + 1, min(10 * n, int(n * ROUND_SECONDS / max(seconds, 1e-6))))
    n = max(1, int(n * ROUND_SECONDS / seconds))
    return max(n / _spent(work, n) for _ in range(ROUNDS))


def _spent(work: Callable[[int], object], n: int) -> float:
    begun = process_time()
    work(n)
    return process_time() - begun


def least_seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the wall time of the fastest call."""
    return min(_wall(work) for _ in range(rounds))


def _wall(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun
