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
from llvmlite import binding
from numba import types
from numba.core import caching
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

from ttr_sim import paths

_PACKAGE = Path(__file__).resolve().parents[1]
_BOTS = paths.shipped_root() / paths.BOT.folder
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


class _Locator(caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Keeps the kernels of the package and of its bots under one name, wherever the package is installed.

    Numba has a folder for each place of a source file, so that every new environment would compile all of it again.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder's name for a source file."""
        file = Path(py_file)
        for name, folder in (("ttr_sim", _PACKAGE), ("bots", _BOTS)):
            if file.is_relative_to(folder):
                return "_".join((name, *file.relative_to(folder).parts[:-1]))
        return str(super().get_suitable_cache_subpath(py_file))


caching.CacheImpl._locator_classes = [_Locator, *caching.CacheImpl._locator_classes]

COMPILED = not numba.config.DISABLE_JIT


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, fully optimised with all kernels in it; on first call, for the types it gets."""
    return _for_python()(function)


def trusting(function: Any, *examples: Any) -> Callable[..., Any]:
    """Return the code of an `entry` for arguments of the types of these, without the tests of what it is given.

    The tests take longer than one step of a game. Whoever calls it must give the same types: others crash.
    """
    code: Callable[..., Any] = function.compile(tuple(map(numba.typeof, examples))) if COMPILED else function
    return code


def signed(signature: Any, function: Callable[..., Any]) -> Any:
    """Like `entry`, compiled or loaded from the cache at once, for one signature and never again for another."""
    return _for_python(signature)(function)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that other kernels call; on first use, for the types it gets. Releases the interpreter lock."""
    return _inner(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Like `kernel`, for the smallest helpers: LLVM may always inline them."""
    return _inner(function, forceinline=True)


def pointed(function: Callable[..., Any]) -> Any:
    """Compile a function that kernels call by its address, fully optimised; once its `compile` gets the signature."""
    return _without_wrapper(function, pipeline_class=_EntryCompiler)


def _for_python(*signature: Any) -> Any:
    options = {"cache": True, "nogil": True, "no_cfunc_wrapper": True, "pipeline_class": _EntryCompiler}
    return numba.njit(*signature, **options)


def _inner(function: Callable[..., Any], **options: Any) -> Any:
    return _without_wrapper(function, no_cfunc_wrapper=True, pipeline_class=_InnerCompiler, **options)


def _without_wrapper(function: Callable[..., Any], **options: Any) -> Any:
    if not COMPILED:
        return function
    found = numba.njit(cache=True, nogil=True, no_cpython_wrapper=True, **options)(function)
    found.__class__ = _Inner
    return found


# Every kernel is optimised and made machine code as a part of those that call it, so what is done for it alone is lost
# time: the wrapper for Python (a call without one would crash), the optimisation, the code. That was two thirds of it.


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


class _LinkOnly(JITCodeLibrary):  # type: ignore[misc]
    """A library that others link and that never runs: it stays as it was lowered, its machine code is next to none."""

    _final_module: Any

    def finalize(self) -> None:
        """Link what is called; make nothing of it but a module for others to link."""
        own = [v.name for v in self._final_module.global_variables if v.name.startswith(_ENVIRONMENT)]
        self._stub = "".join(f'@"{name}" = common global ptr null\n' for name in own)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Leave that to those that link it."""

    def _finalize_final_module(self) -> None:
        linked = self._final_module
        for function in linked.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module = linked
        # Numba writes to the variable of the function's environment, so that must be there.
        self._final_module = binding.parse_assembly(self._stub)
        self._final_module.name = linked.name
        self._final_module.triple = linked.triple
        self._final_module.data_layout = linked.data_layout
        super()._finalize_final_module()


_ENVIRONMENT = "_ZN08NumbaEnv"


class _Entry(JITCodeLibrary):  # type: ignore[misc]
    """A library that runs, optimised once and by less than Numba's: these kernels are as fast so, and done sooner."""

    def _optimize_final_module(self) -> None:
        """Optimise what is called together with what calls it."""
        passes, builder = self._codegen._module_pass_manager(opt=2)
        passes.run(self._final_module, builder)


class _Lowering(NativeLowering):  # type: ignore[misc]
    """Lowering to a library of another class than Numba's."""

    _library: type

    def run_pass(self, state: Any) -> bool:
        library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
        library.__class__ = self._library
        library.enable_object_caching()
        state.library = library
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _LinkOnlyLowering(_Lowering):
    _name = "link_only_lowering"
    _library = _LinkOnly


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(_Lowering):
    _name = "entry_lowering"
    _library = _Entry


class _Compiler(Compiler):  # type: ignore[misc]
    """Compiles with another lowering than Numba's."""

    _lowering: type

    def define_pipelines(self) -> Any:
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (self._lowering if step is NativeLowering else step, why) for step, why in pipeline.passes
            ]
        return pipelines


class _InnerCompiler(_Compiler):
    _lowering = _LinkOnlyLowering


class _EntryCompiler(_Compiler):
    _lowering = _EntryLowering
