"""What a bot author touches: Bot and policy, their parameters, specs and how they are played."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttr_sim.bot.api import Bot
    from ttr_sim.bot.compiled import Policy, policy
    from ttr_sim.bot.params import Param

__all__ = ["Bot", "Param", "Policy", "policy"]

_HOME = {"Bot": "api", "Param": "params", "Policy": "compiled", "policy": "compiled"}


def __getattr__(name: str) -> Any:
    # Late, so that reading a bot spec's text does not load Numba.
    from importlib import import_module

    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"ttr_sim.bot.{_HOME[name]}"), name)
