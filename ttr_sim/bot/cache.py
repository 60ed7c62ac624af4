"""Where compiled bots are cached: apart for each state of the files they are made of, so that none is stale."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numba

from ttr_sim.engine import jit


@contextmanager
def bot_cache(file: Path) -> Iterator[None]:
    """Kernels defined inside are cached in the bot's own folder."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(bot_folder(file))
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def bot_folder(file: Path) -> Path:
    """Where the compiled kernels of exactly this bot, its helper modules and the engine live."""
    return jit.cache_root() / jit.sources_digest(bot_sources(file), jit.ENGINE_DIGEST)


def bot_sources(file: Path) -> set[Path]:
    """The bot's file and the modules beside it that it imports, directly or not."""
    found: set[Path] = set()
    new = {file}
    while new:
        found |= new
        new = {module for path in new for module in _imported(path, file.parent)} - found
    return found


def _imported(path: Path, folder: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return  # the import will say so
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            first = name.split(".")[0]
            if (folder / f"{first}.py").is_file():
                yield folder / f"{first}.py"
            elif first and (folder / first / "__init__.py").is_file():
                yield from (folder / first).rglob("*.py")
