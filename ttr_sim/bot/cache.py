"""Where compiled bots are cached: apart for each state of the files beside them, so that none is stale."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numba

from ttr_sim.engine.jit import ENGINE_DIGEST, cache_root, sources_digest


@contextmanager
def bot_cache(file: Path) -> Iterator[None]:
    """Kernels defined inside are cached under the hash of all Python files in the bot's folder and of the engine."""
    before = numba.config.CACHE_DIR
    digest = sources_digest(file.parent.glob("*.py"), ENGINE_DIGEST)
    numba.config.CACHE_DIR = str(cache_root() / digest)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before
