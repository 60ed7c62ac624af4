"""Where batches are played: what a run needs of it."""

from collections.abc import Iterable
from typing import Protocol

from ttr_sim.tournament.batch import Batch
from ttr_sim.tournament.pool import Event


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
