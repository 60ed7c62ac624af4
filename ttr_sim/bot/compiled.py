"""Compiled bots: a policy function with one fixed signature, so that the driver takes any of them without recompiling."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from ttr_sim.bot.params import Param
from ttr_sim.engine.jit import COMPILED
from ttr_sim.engine.layout import STATE, TABLES, WORK

warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)

TABLES_T = numba.from_dtype(TABLES)
STATE_T = numba.from_dtype(STATE)
WORK_T = numba.from_dtype(WORK)
SIGNATURE = types.int64(TABLES_T, STATE_T, WORK_T, types.float64[::1], types.int64[::1])
POLICY_T = types.FunctionType(SIGNATURE)


@dataclass(frozen=True, eq=False)
class Policy:
    """A compiled bot, as `policy` makes it.

    Attributes:
        function: the compiled function (T, V, W, params, memory) -> action.
        params: its parameters in the order of the `params` array.
        memory: length in 64-bit words of the `memory` array of each seat.
        doc: its docstring.
    """

    name: str
    function: Any
    params: Mapping[str, Param]
    memory: int
    doc: str
    module: str


def policy(
    *, params: Mapping[str, Param] | None = None, memory: int = 16
) -> Callable[[Callable[..., Any]], Policy]:
    """Make a function a compiled bot.

    The function gets (T, V, W, params, memory):

    - T: the TABLES record (board and rules; a copy), V: the seat's View (a STATE record without what is hidden; a copy),
    - W: a WORK record: the legal actions are `W.acts[:W.n]`, ascending; `W.rng` is the bot's own random stream (advance it with
      `W.rng = W.rng + GOLD` and use `mix(W.rng)`),
    - params: float64 array of the parameters in the order declared (a choice is its index),
    - memory: int64 array that lasts through a game; `memory[0]` is 0 at the first decision of every game, the rest is left
      as it was and must not be read before it is written.

    It returns one of the legal actions. Called at nanosecond cost in the driver's loop.
    """

    def wrap(function: Callable[..., Any]) -> Policy:
        compiled = numba.njit(SIGNATURE, cache=True, nogil=True)(function) if COMPILED else function
        return Policy(
            function.__name__,
            compiled,
            dict(params or {}),
            max(1, memory),
            function.__doc__ or "",
            function.__module__,
        )

    return wrap
