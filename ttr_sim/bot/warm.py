"""Compile every kernel that a game needs, once for this processor and exactly these sources.

The kernels are kept in the cache folders (see `ttr_sim.engine.jit` and `ttr_sim.bot.cache`), for the package wherever it
lies and apart for each place of a bot of the user's; a mark in each says that all are there for this kind of processor.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from numba.core import event
from numba.core.registry import cpu_target

from ttr_sim import paths
from ttr_sim.board import Board, load_board
from ttr_sim.bot.api import Bot
from ttr_sim.bot.cache import bot_folder
from ttr_sim.bot.compiled import Policy
from ttr_sim.bot.play import Table
from ttr_sim.bot.specs import LoadedBot, bots_in, load_bot, module_name, parse_spec
from ttr_sim.engine import Game, faces, jit
from ttr_sim.engine.layout import STATE, WORK, new_record
from ttr_sim.engine.scoring import SCORES
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.view import View
from ttr_sim.rules import Rules, load_rules

Counter = Callable[[int], None]
Also = Callable[[], object]


def is_warm(bots: Iterable[Path] = ()) -> bool:
    """Whether all kernels of the engine and of the bots in these files are compiled."""
    return not jit.COMPILED or all(mark.exists() for mark in _marks(_with_random(bots)))


def warm_up(count: Counter | None = None, bots: Iterable[Path] = (), also: Iterable[Also] = ()) -> int:
    """Compile what is not compiled yet, load the rest; returns how many this process compiled (a helper takes its share).

    count: called with that number after each kernel. bots: files of further bots. also: functions to call that use
    further kernels. Raises TtrError when a bot does not compile.
    """
    files = _with_random(bots)
    with _counted(count) as compiled, _no_garbage_collection(), _helper(files, is_warm(bots)) as helper:
        _use_scoring()
        use_engine()
        _use_by_hand()
        last = _largest(files)
        for file in (file for file in files if file != last):
            compile_bots(file)
        helper.wait()
        compile_bots(last)
        for use in also:
            use()
    if jit.COMPILED:
        for mark in _marks(files):
            with contextlib.suppress(OSError):
                mark.parent.mkdir(parents=True, exist_ok=True)
                mark.touch()
    return compiled[0]


def use_engine() -> None:
    """Play a game between compiled bots and one with an interpreted bot, which loads or compiles what a run needs."""
    board, rules = _europe()
    random = load_bot(parse_spec(str(_random())))
    for other in (random, LoadedBot(random.spec, _First, {})):
        table = Table(board, rules, [random, other])
        table.play(np.ones(1, np.uint64), np.ones(1, np.uint64), np.zeros(1, np.int64))


def _use_scoring() -> None:
    """Score an empty game: the helper begins with the rules, this process with the scoring."""
    tables = make_tables(*_europe(), 2)
    faces.score_game(tables, new_record(STATE), new_record(WORK), new_record(SCORES))


def _use_by_hand() -> None:
    """Play some of a game by hand."""
    game = Game.new(*_europe(), 2, 1)
    game.step(game.legal()[0])
    game.view(0)
    game.copy().result()


def _europe() -> tuple[Board, Rules]:
    shipped = paths.shipped_root()
    board = load_board(shipped / paths.BOARD.folder / "europe")
    return board, load_rules(shipped / paths.RULES.folder / "europe.toml")


def compile_bots(file: Path) -> None:
    """Compile the policies of a bot file, or load them."""
    for bot in _policies(file):
        assert bot.function is not None


def _with_random(bots: Iterable[Path]) -> list[Path]:
    """Return the files that have something to compile, with that of the bot by whose games the engine is compiled."""
    compiled = (file.resolve() for file in bots if _policies(file))
    return list(dict.fromkeys([_random(), *compiled]))


def _policies(file: Path) -> list[Policy]:
    return [bot for bot in bots_in(file).values() if isinstance(bot, Policy)]


def _random() -> Path:
    return (paths.shipped_root() / paths.BOT.folder / "random.py").resolve()


def built_in() -> list[Path]:
    """Return the files of the built-in bots."""
    return sorted((paths.shipped_root() / paths.BOT.folder).glob("[!._]*.py"))


def _marks(bots: Iterable[Path]) -> list[Path]:
    machine = f"{sys.version} {cpu_target.target_context.codegen().magic_tuple()}"
    name = f"warm-{hashlib.sha256(machine.encode()).hexdigest()[:12]}"
    return [jit.cache_folder() / name, *(bot_folder(bot) / f"{name}-{module_name(bot)}" for bot in bots)]


# The helper compiles the largest bot, in a process of its own, while this one compiles the engine and the other bots.
_HELP = "import sys; from ttr_sim.bot.warm import help_out; help_out(sys.argv[1])"


def help_out(file: str) -> None:
    """Compile the policies of a bot file."""
    with _no_garbage_collection():
        compile_bots(Path(file))


def _largest(files: Iterable[Path]) -> Path:
    return max(files, key=lambda file: (file.stat().st_size, file))


class _Helper:
    """A process that compiles the largest bot; both find in the cache what the other has compiled."""

    def __init__(self, files: Iterable[Path]) -> None:
        command = [sys.executable, "-c", _HELP, str(_largest(files))]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        quiet = subprocess.DEVNULL  # what fails there fails here again
        self._process = subprocess.Popen(command, env=environment, stdin=quiet, stdout=quiet, stderr=quiet)

    def wait(self) -> None:
        """Wait until all is compiled."""
        self._process.wait()

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


class _NoHelper:
    def wait(self) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


@contextlib.contextmanager
def _helper(files: list[Path], warm: bool) -> Iterator[_Helper | _NoHelper]:
    alone = warm or len(files) < 2 or (os.cpu_count() or 1) < 2
    helper = _NoHelper() if alone else _Helper(files)
    try:
        yield helper
    finally:
        helper.stop()


class _First(Bot):
    """Takes the first legal action."""

    def choose(self, view: View) -> int:
        return view.legal[0]


class _Count(event.Listener):  # type: ignore[misc]
    def __init__(self, compiled: list[int], count: Counter | None) -> None:
        self.compiled, self.count = compiled, count

    def on_start(self, event: object) -> None:
        """Nothing."""

    def on_end(self, event: object) -> None:
        """Count a kernel."""
        self.compiled[0] += 1
        if self.count:
            self.count(self.compiled[0])


@contextlib.contextmanager
def _counted(count: Counter | None) -> Iterator[list[int]]:
    compiled = [0]
    with event.install_listener("numba:compile", _Count(compiled, count)):
        yield compiled


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """The compiler makes very many objects that live on: looking through them again and again takes a tenth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
