"""The one decorator of compiled kernels, and the cache folder that can never hold a stale one."""

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numba
import platformdirs

_PACKAGE = Path(__file__).resolve().parents[1]
_KERNEL_FOLDERS = ("engine", "bot")


def sources_digest(files: Iterable[Path], salt: str = "") -> str:
    """Short hash of the contents of `files`, of Numba's version and of the bounds-check flag."""
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK} {salt}".encode())
    for file in sorted(files):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def kernel_sources() -> list[Path]:
    """Every file of the package that may hold compiled code."""
    return [file for folder in _KERNEL_FOLDERS for file in (_PACKAGE / folder).rglob("*.py")]


def cache_root() -> Path:
    """The per-user cache folder; `TTR_SIM_CACHE` overrides it (CI may keep it between jobs)."""
    return Path(os.environ.get("TTR_SIM_CACHE") or platformdirs.user_cache_dir("ttr-sim"))


# Numba stamps a cached kernel with its own file only, so a change in a file it calls would go unseen, and checked
# code would be shared with unchecked code. A folder for each state of all the sources cures both.
ENGINE_DIGEST = sources_digest(kernel_sources())


def cache_folder() -> Path:
    """Where the compiled kernels of exactly these sources live."""
    return cache_root() / ENGINE_DIGEST


numba.config.CACHE_DIR = str(cache_folder())


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first call for the types it gets; releases the interpreter lock, cached on disk."""
    return numba.njit(cache=True, nogil=True)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Like `kernel`, for the smallest helpers: LLVM may always inline them."""
    return numba.njit(cache=True, nogil=True, forceinline=True)(function)


COMPILED = not numba.config.DISABLE_JIT
