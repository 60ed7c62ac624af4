"""The decorators of compiled kernels, and the cache folder that can never hold a stale one."""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import platformdirs
from numba import types
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

_PACKAGE = Path(__file__).resolve().parents[1]
_DECORATOR = "from ttr_sim.engine.jit import"


def sources_digest(files: Iterable[Path], salt: str = "") -> str:
    """Short hash of the contents of `files`, of Numba's version and of the bounds-check flag."""
    digest = hashlib.sha256(f"{numba.__version__} {numba.config.BOUNDSCHECK} {salt}".encode())
    for file in sorted(files):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def kernel_sources() -> list[Path]:
    """Every file of the package on which compiled code may depend."""
    others = [
        file for file in (_PACKAGE / "bot").rglob("*.py") if _DECORATOR in file.read_text(encoding="utf-8")
    ]
    return [*(_PACKAGE / "engine").rglob("*.py"), *others]


@cache
def cache_root() -> Path:
    """The per-user cache folder; `TTR_SIM_CACHE` overrides it (CI may keep it between jobs).

    Where it cannot be written, a temporary folder of this process and those it starts.
    """
    wanted = Path(os.environ.get("TTR_SIM_CACHE") or platformdirs.user_cache_dir("ttr-sim"))
    with contextlib.suppress(OSError):
        wanted.mkdir(parents=True, exist_ok=True)
    if os.access(wanted, os.W_OK | os.X_OK):
        return wanted
    os.environ["TTR_SIM_CACHE"] = folder = tempfile.mkdtemp(prefix="ttr-sim-")
    return Path(folder)


# Numba stamps a cached kernel with its own file only, so a change in a file it calls would go unseen, and checked
# code would be shared with unchecked code. A folder for each state of all the sources cures both.
ENGINE_DIGEST = sources_digest(kernel_sources())


def cache_folder() -> Path:
    """Where the compiled kernels of exactly these sources live."""
    return cache_root() / ENGINE_DIGEST


numba.config.CACHE_DIR = str(cache_folder())


COMPILED = not numba.config.DISABLE_JIT


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, fully optimised with all kernels in it; on first call, for the types it gets."""
    return numba.njit(cache=True, nogil=True, no_cfunc_wrapper=True)(function)


def signed(signature: Any, function: Callable[..., Any]) -> Any:
    """Like `entry`, compiled or loaded from the cache at once, for one signature and never again for another."""
    return numba.njit(signature, cache=True, nogil=True, no_cfunc_wrapper=True)(function)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels call; on first use, for the types it gets. Releases the interpreter lock."""
    return _inner(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Like `kernel`, for the smallest helpers: LLVM may always inline them."""
    return _inner(function, forceinline=True)


def pointed(function: Callable[..., Any]) -> Any:
    """Compile a function that kernels call by its address, fully optimised; once its `compile` gets the signature."""
    return _without_wrapper(function)


def _inner(function: Callable[..., Any], **options: Any) -> Any:
    return _without_wrapper(function, no_cfunc_wrapper=True, pipeline_class=_InnerCompiler, **options)


def _without_wrapper(function: Callable[..., Any], **options: Any) -> Any:
    if not COMPILED:
        return function
    found = numba.njit(cache=True, nogil=True, no_cpython_wrapper=True, **options)(function)
    found.__class__ = _Inner
    return found


# Every kernel is optimised again as a part of those that call it, so most of what is done for it alone is lost time:
# the wrapper for Python (a call without one would crash) and the more thorough optimisation. That is 40 % of the time.


class _Inner(CPUDispatcher):  # type: ignore[misc]
    """A kernel for kernels. Python may call it too: then it is compiled once more, as an entry."""

    def __call__(self, *args: Any) -> Any:
        return _as_entry(self.py_func)(*args)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Type a call; constants and small integers count as 64-bit integers, so that they make no further versions."""
        wide = {key: _widened(kind) for key, kind in kws.items()}
        return super().get_call_template(tuple(map(_widened, args)), wide)


def _widened(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


@cache
def _as_entry(function: Callable[..., Any]) -> Any:
    twin = FunctionType(function.__code__, function.__globals__, function.__name__)
    twin.__qualname__ = f"{function.__qualname__}_entry"  # in the cache it must not be taken for the other
    twin.__module__ = function.__module__
    return entry(twin)


@register_pass(mutates_CFG=True, analysis_only=False)
class _QuickLowering(NativeLowering):  # type: ignore[misc]
    """Machine code with little optimisation."""

    _name = "quick_lowering"

    def run_pass(self, state: Any) -> bool:
        before = numba.config.OPT
        numba.config.OPT = _LITTLE
        try:
            return bool(super().run_pass(state))
        finally:
            numba.config.OPT = before


_LITTLE = type(numba.config.OPT)(1)


class _InnerCompiler(Compiler):  # type: ignore[misc]
    def define_pipelines(self) -> Any:
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (_QuickLowering if step is NativeLowering else step, why) for step, why in pipeline.passes
            ]
        return pipelines
