"""`ttr-sim warmup`, and the compiling that other commands do when it was never done."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click

from ttr_sim.cli.output import json_option, print_json

_MESSAGE = "compiling {} for this processor, once ..."


@click.command(epilog="Example: ttr-sim warmup")
@json_option
def warmup(as_json: bool) -> None:
    """Compile the engine and the built-in bots for this processor, so that the next commands start at once.

    The first run does the same. The compiled code is kept in a cache folder of the user; TTR_SIM_CACHE names another.
    """
    from ttr_sim.engine.jit import cache_root

    kernels, seconds = ensure_warm(load=True)
    if as_json:
        print_json({"kernels_compiled": kernels, "seconds": round(seconds, 3), "folder": str(cache_root())})
    elif kernels:
        click.echo(f"compiled {kernels} kernels in {seconds:.1f} s; kept in {cache_root()}")
    else:
        click.echo(f"all kernels are compiled; kept in {cache_root()}")


def ensure_warm(quiet: bool = False, bots: Iterable[Path] = (), load: bool = False) -> tuple[int, float]:
    """Compile what was never compiled of these sources for this processor, saying so on stderr.

    bots: files of bots beside the built-in ones. load: load what is compiled already into this process. Returns the
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


@contextmanager
def _counter(message: str | None) -> Iterator[Callable[[int], None] | None]:
    """Say that kernels are being compiled; on a terminal, count them."""
    if message is None:
        yield None
        return
    click.echo(message, err=True)
    if not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(file=sys.stderr, leave=False, bar_format="{n_fmt} kernels in {elapsed}") as bar:

        def count(kernels: int) -> None:
            bar.n = kernels
            bar.refresh()

        yield count
