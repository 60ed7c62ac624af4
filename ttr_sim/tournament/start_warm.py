"""The start of a worker process on a machine on which nothing may be compiled yet; imports nothing of Dask."""

import contextlib
from collections.abc import Iterator

from ttr_sim.tournament.notes import Note
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.workers import Opener, Player, start


def start_warm(note: Note, plan: Plan, opener: Opener) -> Player:
    """Begin work in a worker process, after everything it needs is compiled."""
    from ttr_sim.bot.warm import is_warm, warm_up

    files = sorted({bot.file for bot in plan.bots if not bot.command})
    if not is_warm(files):
        with _alone():  # the others of this machine wait, and find it compiled
            if not is_warm(files):
                warm_up(bots=files)
    return start(note, plan, opener)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Let no other process of this machine in, where the system has locks for that."""
    from ttr_sim.engine.jit import cache_root

    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(cache_root() / "compiling.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
