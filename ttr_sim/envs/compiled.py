"""What the kernels of the environments need besides those of the engine: a cache of their own, and bots by address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from ttr_sim.bot.compiled import POLICY_T, SIGNATURE, STATE_T, TABLES_T, Policy
from ttr_sim.engine import jit

# A call from Python with the functions themselves would take most of a millisecond; their addresses cost nothing.
_FUNCTIONS: dict[int, Any] = {}


def address(policy: Policy) -> int:
    """The address of a compiled bot, for `policy_at`; never 0. Raises TtrError when the bot does not compile."""
    function = policy.function
    if jit.COMPILED:
        compiled = function.get_compile_result(SIGNATURE)
        found = int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))
    else:
        found = id(function)
    _FUNCTIONS[found] = function  # also keeps it alive
    return found


def policy_at(where):
    """The compiled bot at an address, as a function that kernels call."""
    return _FUNCTIONS[where]


@intrinsic
def _policy_at(typingctx, where):
    def codegen(context, builder, sig, args):
        function = cgutils.create_struct_proxy(POLICY_T)(context, builder)
        function.jit_addr = builder.inttoptr(args[0], context.get_value_type(types.voidptr))
        return function._getvalue()

    return POLICY_T(types.int64), codegen


@overload(policy_at, inline="always")
def _overload_policy_at(where):
    return lambda where: _policy_at(where)


# Of a function that writes a row about a View, which bots get read-only.
VIEW_TO_ROW = types.void(
    types.Array(TABLES_T, 1, "C"), types.Array(STATE_T, 1, "C", readonly=True), types.int8[::1]
)


def env_entry(function: Callable[..., Any], signature: Any = None) -> Any:
    """Like `ttr_sim.engine.jit.entry`, cached apart for each state of the files in this folder, which call each other.

    With a signature it is compiled at once, like `ttr_sim.engine.jit.signed`: for what bot files use, so that a tournament
    compiles it before its first game.
    """
    before = numba.config.CACHE_DIR
    digest = jit.sources_digest(Path(__file__).parent.glob("*.py"), jit.ENGINE_DIGEST)
    numba.config.CACHE_DIR = str(jit.cache_root() / digest)
    try:
        return jit.entry(function) if signature is None else jit.signed(signature, function)
    finally:
        numba.config.CACHE_DIR = before
