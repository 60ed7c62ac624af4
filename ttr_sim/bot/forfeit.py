"""How a bot loses a game by forfeit: for what, said how, and the ranks that follow."""

from __future__ import annotations

import os
import re
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

NOBODY = -1  # a seat: no bot is called, none is to blame
_PACKAGE = str(Path(__file__).resolve().parents[1]) + os.sep


class Fault(Exception):
    """What a bot did that is against the rules of the tournament; its message is the whole reason."""


class Spoiled(BaseException):
    """What a bot did makes this process unfit for other games (see `ttr_sim.bot.play.Table.disposable`)."""

    MEMORY, THREAD = 1, 2

    def __init__(self, why: int) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game ends by forfeit of `seat` once so many decisions were taken in it, unless it is over by then."""

    decisions: int
    seat: int
    reason: str


def took_longer(seconds: float) -> str:
    """Return the reason of a bot that ran over its time."""
    return f"took longer than {seconds:g} s for a decision"


LEFT_A_THREAD = "left a thread running when it answered"


def reason_of(error: BaseException) -> str:
    """Return one line on an error that a bot raised, with the bot's own line; the same in every run."""
    if isinstance(error, Fault):
        return str(error)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_PACKAGE)]
    where = f" (line {frames[-1].lineno} of {frames[-1].name})" if frames else ""
    try:
        text = " ".join(str(error).split())[:300]
    except Exception:
        text = "(its message cannot be shown)"
    # An address in memory would differ from run to run, and the tables with it.
    return re.sub(r" at 0x[0-9a-fA-F]+", "", f"{type(error).__name__}: {text}{where}")


def traceback_of(error: BaseException) -> str:
    """Return the traceback of an error that a bot raised; "" where the error says all."""
    if isinstance(error, Fault):
        return ""
    try:
        return "".join(traceback.format_exception(error))
    except Exception:  # an error whose own methods fail
        return ""


def ranks_after(rank: Any, seat: Any, forfeiter: Any, players: Any) -> Any:
    """Return final ranks: who forfeits is last, the others share the first place; `rank` where nobody does.

    Arrays that broadcast; forfeiter: the seat that forfeits the game, negative for none.
    """
    return np.where(forfeiter >= 0, np.where(seat == forfeiter, players, 1), rank)
