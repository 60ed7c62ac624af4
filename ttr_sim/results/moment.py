"""A moment of a logged game as a position: what stood there before one action."""

import re
from collections.abc import Sequence
from typing import Any

from ttr_sim.bot.save_position import position_data
from ttr_sim.engine import Game
from ttr_sim.errors import TtrError
from ttr_sim.results.replay import steps


def parse_moment(text: str) -> tuple[int, int]:
    """Read "TURN" or "TURN.ACTION"; turns count from 1, 0 is the choice of tickets before them. Raises TtrError."""
    match = re.fullmatch(r"(\d{1,6})(?:\.(\d{1,6}))?", text)
    if not match or match[2] == "0":
        raise TtrError(f"--at must be a turn such as 57, or an action in it such as 57.2, not {text!r}")
    return int(match[1]), int(match[2] or 1)


def position_at(game: Game, log: Sequence[int], turn: int, action: int, note: str) -> dict[str, Any]:
    """Play a logged game up to before an action of a turn; returns the data of the position (see `save_position`).

    game: a new one made with auto=False, left somewhere after. Raises TtrError when the game has no such action.
    """
    begun, last = game.copy(), -1
    taken: list[str] = []
    count = most = 0
    for step in steps(game, log):
        now = 0 if step.phase == "KEEP_SETUP" else step.turn + 1
        if now != last:
            count, last = 0, now
        count += 1
        if (now, count) == (turn, action):
            return position_data(begun, taken, note)
        if now == turn:
            most = count
        taken.append(step.text)
        if game.phase in ("TURN", "KEEP_SETUP"):
            begun, taken = game.copy(), []
    if most:
        raise TtrError(f"--at {turn}.{action}: turn {turn} has {most} action{'s' * (most != 1)}")
    raise TtrError(f"--at {turn}: the game has the turns 0 to {last}")
