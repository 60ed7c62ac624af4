"""Bots that travel: the files of a plan's bots as bytes, laid out again on the machine that plays.

A bot takes along its own file, the modules beside it that it imports, and every file beside it that one of them names
in a text (`"weights.npz"`). The program of an external bot must be where it is here.
"""

import ast
import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ttr_sim import paths
from ttr_sim.bot.cache import bot_sources
from ttr_sim.tournament.plan import Plan

_LONGEST = 200  # characters of a text that may name a file


@dataclass(frozen=True, slots=True)
class Luggage:
    """A plan, and for each file of a bot the contents of what it needs, by path relative to its folder."""

    plan: Plan
    files: dict[Path, dict[str, bytes]]


def pack(plan: Plan) -> Luggage:
    """Return a plan with the files of its bots."""
    return Luggage(
        plan, {file: _contents(file) for file in {bot.file for bot in plan.bots if not bot.command}}
    )


def unpack(luggage: Luggage) -> Plan:
    """Return the plan with bots whose files are on this machine, with the same contents.

    A file that is here already, at the same place or among the shipped bots, is used as it is: its kernels may be
    compiled. Others go to the cache folder.
    """
    here = {file: _lay_out(file, contents) for file, contents in luggage.files.items()}
    bots = tuple(replace(bot, file=here.get(bot.file, bot.file)) for bot in luggage.plan.bots)
    return replace(luggage.plan, bots=bots)


def _contents(file: Path) -> dict[str, bytes]:
    sources = bot_sources(file)
    named = {path for source in sources for path in _named_files(source, file.parent)}
    return {
        path.relative_to(file.parent).as_posix(): path.read_bytes()
        for path in sorted(sources | named)
        if path.is_file()
    }


def _named_files(source: Path, folder: Path) -> Iterator[Path]:
    """Yield the files in or below a folder that a module names in its texts."""
    try:
        tree = ast.parse(source.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) < _LONGEST:
            with contextlib.suppress(OSError, ValueError):
                path = (folder / node.value).resolve()
                if path.is_file() and path.is_relative_to(folder.resolve()):
                    yield folder / path.relative_to(folder.resolve())


def _lay_out(file: Path, contents: dict[str, bytes]) -> Path:
    shipped = paths.shipped_root() / paths.BOT.folder / file.name
    for place in (file, shipped):
        if place.is_file() and _contents(place) == contents:
            return place
    folder = _travelled() / _digest(contents)
    if not folder.is_dir():
        _write(folder, contents)
    return folder / file.name


def _travelled() -> Path:
    from ttr_sim.engine.jit import cache_root

    return cache_root() / "travelled"


def _digest(contents: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in contents.items():
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:20]


def _write(folder: Path, contents: dict[str, bytes]) -> None:
    """Write files so that the folder appears with all of them; another process may do the same."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=".tmp-", dir=folder.parent))
    try:
        for name, content in contents.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        os.rename(temporary, folder)
    except OSError:
        if not folder.is_dir():
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
