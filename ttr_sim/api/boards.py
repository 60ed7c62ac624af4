"""Boards and rules by name; a Board shows its map in a notebook."""

from ttr_sim import paths
from ttr_sim.api.pictures import board_svg
from ttr_sim.board import Board, load_board
from ttr_sim.rules import Rules, load_rules

__all__ = ["Board", "Rules", "board_names", "bot_names", "load_board", "load_rules", "rules_names"]

# Here and not in the class, whose floor knows nothing of maps.
Board._repr_svg_ = board_svg  # type: ignore[attr-defined]


def board_names() -> list[str]:
    """Return the names of the boards: those of ./configs/boards and the shipped ones."""
    return list(paths.available(paths.BOARD))


def rules_names() -> list[str]:
    """Return the names of the rules presets: those of ./configs/rules and the shipped ones."""
    return list(paths.available(paths.RULES))


def bot_names() -> list[str]:
    """Return the names of the bots: those of ./bots and the built-in ones."""
    return list(paths.available(paths.BOT))
