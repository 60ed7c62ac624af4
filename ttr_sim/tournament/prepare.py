"""Compile what was never compiled of these sources for this processor, and say so."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

_MESSAGE = "compiling {} for this processor, once ..."


def ensure_warm(quiet: bool = False, bots: Iterable[Path] = (), load: bool = False) -> tuple[int, float]:
    """Compile what is not compiled yet, saying so on stderr.

    bots: files of the bots that will play. load: load what is compiled already into this process. Returns the
    number of kernels compiled and the seconds that took. Raises TtrError when a bot does not compile.
    """
    from ttr_sim.bot.warm import is_warm, warm_up

    files = list(dict.fromkeys(bots))
    warm, begun = is_warm(files), monotonic()
    if warm and not load:
        return 0, 0.0
    from ttr_sim.results.replay import use_replayer

    what = "the bots" if is_warm() else "the engine"
    with _counter(None if quiet or warm else _MESSAGE.format(what)) as count:
        kernels = warm_up(count, files, also=[use_replayer])
    return kernels, monotonic() - begun


def start_server() -> None:
    """Let the fork server load the engine (unless it must be compiled first) while this process does other things."""
    from ttr_sim.tournament import pool

    pool.start_server(pool.PRELOAD)


@contextmanager
def _counter(message: str | None) -> Iterator[Callable[[int], None] | None]:
    """Say that kernels are being compiled; on a terminal, count them."""
    if message is None:
        yield None
        return
    print(message, file=sys.stderr, flush=True)
    if not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(file=sys.stderr, leave=False, bar_format="{n_fmt} kernels in {elapsed}") as bar:

        def count(kernels: int) -> None:
            bar.n = kernels
            bar.refresh()

        yield count
