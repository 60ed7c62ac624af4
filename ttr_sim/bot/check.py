"""Whether a bot can play at all, found out before a run begins."""

from __future__ import annotations

import inspect
from typing import Any

from ttr_sim import paths
from ttr_sim.bot.api import Bot
from ttr_sim.bot.compiled import Policy
from ttr_sim.bot.specs import BotSpec, load_bot
from ttr_sim.errors import TtrError

_POLICY_ARGUMENTS = ("T", "V", "W", "params", "memory")


def check_bot(spec: BotSpec) -> None:
    """Raise TtrError when every game of this bot would fail: no `choose`, or an instance cannot be made."""
    if spec.command:  # that it can be started was seen when the spec was read
        return
    made: Any = load_bot(spec).made
    where = f"{paths.shown(spec.file)}: bot {spec.name}"
    if isinstance(made, Policy):
        given = len(inspect.signature(getattr(made.source, "py_func", made.source)).parameters)
        if given != len(_POLICY_ARGUMENTS):
            raise TtrError(f"{where}: takes {given} arguments, must take ({', '.join(_POLICY_ARGUMENTS)})")
        return
    if made.choose is Bot.choose:
        raise TtrError(f"{where}: has no choose; it needs a method choose(self, view)")
    try:
        made(**dict(spec.values))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # also SystemExit
        raise TtrError(f"{where}: cannot be made: {type(error).__name__}: {error}") from error
