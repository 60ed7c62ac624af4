"""A monotonic clock that compiled code can read, for bots with a time budget and for think times."""

import platform
import sys
import time
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

_X86 = platform.machine().lower() in ("x86_64", "amd64")
_MONOTONIC = 1 if sys.platform.startswith("linux") else 6  # CLOCK_MONOTONIC of Linux, of macOS


def now_ns() -> int:
    """Nanoseconds of a monotonic clock."""
    return time.monotonic_ns()


@intrinsic
def _clock_gettime(typingctx):
    from llvmlite import ir

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        i64, i32 = ir.IntType(64), ir.IntType(32)
        pair = ir.LiteralStructType([i64, i64])
        spec = cgutils.alloca_once(builder, pair)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(i32, [i32, pair.as_pointer()]), "clock_gettime"
        )
        builder.call(function, [ir.Constant(i32, _MONOTONIC), spec])
        seconds = builder.load(cgutils.gep_inbounds(builder, spec, 0, 0))
        nanos = builder.load(cgutils.gep_inbounds(builder, spec, 0, 1))
        return builder.add(builder.mul(seconds, ir.Constant(i64, 1_000_000_000)), nanos)

    return types.int64(), codegen


@overload(now_ns)
def _now_ns():
    if sys.platform == "win32":  # no clock_gettime there: compiled code has no clock, think times read 0
        return lambda: 0
    return lambda: _clock_gettime()


def ticks() -> int:
    """Ticks of a counter that runs at a steady rate and costs least to read; a rate is had by reading `now_ns` beside it."""
    return time.monotonic_ns()


@intrinsic
def _cycles(typingctx):
    from llvmlite import ir

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        counter = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(i64, []), "llvm.readcyclecounter"
        )
        return builder.call(counter, [])

    return types.int64(), codegen


@overload(ticks)
def _ticks():
    if _X86:  # elsewhere user programs may not read such a counter
        return lambda: _cycles()
    return lambda: now_ns()
