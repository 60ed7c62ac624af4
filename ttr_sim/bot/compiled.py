"""Compiled bots: a policy function with one fixed signature, so that the driver takes any of them without recompiling."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from ttr_sim.bot.params import Param
from ttr_sim.engine.jit import COMPILED, pointed
from ttr_sim.engine.layout import STATE, TABLES, WORK
from ttr_sim.errors import TtrError

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
        source: the function (T, V, W, params, memory) -> action, not yet compiled.
        params: its parameters in the order of the `params` array.
        memory: length in 64-bit words of the `memory` array of each seat.
        doc: its docstring.
    """

    name: str
    source: Any
    params: Mapping[str, Param]
    memory: int
    doc: str
    module: str

    @cached_property
    def function(self) -> Any:
        """The compiled function; compiled or loaded from the cache when first asked for.

        Raises:
            TtrError: it does not compile.
        """
        if COMPILED:
            try:
                self.source.compile(SIGNATURE)
            except Exception as error:  # a misspelt field is a bare KeyError
                raise TtrError(f"bot {self.name}: does not compile: {_short(error)}") from error
            self.source.disable_compile()
        return self.source


def policy(
    function: None = None, /, *, params: Mapping[str, Param] | None = None, memory: int = 16
) -> Callable[[Callable[..., Any]], Policy]:
    """Make a function a compiled bot.

    The function gets (T, V, W, params, memory):

    - T: the TABLES record (board and rules; a copy), V: the seat's View (a STATE record without what is hidden; a copy),
    - W: a WORK record: the legal actions are `W.acts[:W.n]`, ascending; `W.rng` is the bot's own random stream (advance it
      with `W.rng = W.rng + GOLD` and use `mix(W.rng)`),
    - params: float64 array of the parameters in the order declared (a choice is its index),
    - memory: int64 array that lasts through a game; `memory[0]` is 0 at the first decision of every game, the rest is left
      as it was and must not be read before it is written.

    It returns one of the legal actions. Called at nanosecond cost in the driver's loop.

    Raises:
        TypeError: used without brackets, or a parameter that is no Param.
    """
    if function is not None:
        raise TypeError("write @policy() with brackets")
    for name, param in (params or {}).items():
        if not isinstance(param, Param):
            raise TypeError(f"the parameter {name} must be a Param, such as Param({param!r}), not {param!r}")

    def wrap(function: Callable[..., Any]) -> Policy:
        return Policy(
            function.__name__,
            pointed(function),
            dict(params or {}),
            max(1, memory),
            function.__doc__ or "",
            function.__module__,
        )

    return wrap


def _short(error: Exception) -> str:
    """The gist of Numba's error, in one line with the place."""
    text = re.sub(r"\x1b\[\d*m", "", str(error))
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith(("Failed in nopython mode", "File "))]
    where = f" (line {places[-1][1]} of {places[-1][0]})" if places else ""
    return f"{type(error).__name__}: {said[0][:200] if said else 'no message'}{where}"
