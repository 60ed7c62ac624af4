"""Compile the engine once for this processor, and load it where workers are forked from.

The kernels are kept in the cache folder of exactly these sources (see `ttr_sim.engine.jit`), apart for each place
where the package lies; a file `warm-...` in it says that all that a game needs is there.
"""

import contextlib
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import numpy as np

from ttr_sim import paths
from ttr_sim.board import load_board
from ttr_sim.bot.api import Bot
from ttr_sim.bot.play import Table
from ttr_sim.bot.specs import LoadedBot, load_bot, parse_spec
from ttr_sim.engine.jit import COMPILED, cache_folder
from ttr_sim.engine.view import View
from ttr_sim.rules import load_rules

Say = Callable[[str], None]


def is_warm() -> bool:
    """Whether all kernels of a game are compiled."""
    return not COMPILED or _mark().exists()


def warm_up(say: Say | None = None) -> float:
    """Compile what is not compiled yet, load the rest, and return the seconds that took.

    say: told before and after, when there is something to compile.
    """
    begun, cold = monotonic(), not is_warm()
    if cold and say:
        say("compiling the engine for this processor, once; this takes about a minute")
    _play_everything()
    if cold:
        with contextlib.suppress(OSError):
            _mark().parent.mkdir(parents=True, exist_ok=True)
            _mark().touch()
        if say:
            say(f"compiled in {monotonic() - begun:.0f} s")
    return monotonic() - begun


def _mark() -> Path:
    place = hashlib.sha256(f"{paths.__file__} {sys.version}".encode()).hexdigest()[:16]
    return cache_folder() / f"warm-{place}"


class _First(Bot):
    """Takes the first legal action."""

    def choose(self, view: View) -> int:
        """Return it."""
        return view.legal[0]


def _play_everything() -> None:
    """Play a game between compiled bots and one with an interpreted bot: that calls every kernel of a game."""
    shipped = paths.shipped_root()
    board, rules = (
        load_board(shipped / "configs/boards/europe"),
        load_rules(shipped / "configs/rules/europe.toml"),
    )
    random = load_bot(parse_spec(str(shipped / "bots/random.py")))
    for other in (random, LoadedBot(random.spec, _First, {})):
        table = Table(board, rules, [random, other])
        table.play(np.ones(1, np.uint64), np.ones(1, np.uint64), np.zeros(1, np.int64))
