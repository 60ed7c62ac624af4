"""One game as one flat record, and the compiled functions over it."""

from ttr_sim.engine.game import Game, Result, SeatResult
from ttr_sim.engine.position import Position
from ttr_sim.engine.view import View

__all__ = ["Game", "Position", "Result", "SeatResult", "View"]
