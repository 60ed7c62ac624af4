"""How often each bot can be expected to win: its win rate in the same line-up, in all blocks but the one at hand."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ttr_sim.reports.pieces import Piece, Scene

_Key = tuple[Scene, tuple[int, ...]]


class Expectation:
    """Win rates by scene, line-up (the bots that met) and bot.

    Without the block at hand: else, in few games, a track that a bot always claims would explain its win by itself.
    """

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._wins: dict[_Key, Any] = {}
        self._games: dict[_Key, Any] = {}
        for piece in pieces:
            lineup, keys = _lineups(piece)
            for number, key in enumerate(keys):
                here = lineup == number
                wins, games = self._of(key)
                bots, first = piece["bot"][here], piece["first"][here]
                known = ~np.isnan(first)
                np.add.at(wins, np.searchsorted(key[1], bots[known]), first[known])
                np.add.at(games, np.searchsorted(key[1], bots[known]), 1.0)

    def above(self, piece: Piece) -> Any:
        """Return how much more than expected every seat won, shape (games, players); NaN where that is unknown."""
        above = np.full(piece["first"].shape, np.nan)
        lineup, keys = _lineups(piece)
        first = piece["first"]
        known = ~np.isnan(first)
        block = np.repeat(np.arange(len(piece.starts)), np.diff(piece.starts, append=len(piece)))
        for number, key in enumerate(keys):
            wins, games = self._of(key)
            for place, bot in enumerate(key[1]):
                own = (piece["bot"] == bot) & known & (lineup == number)[:, None]
                block_wins = piece.sums(np.where(own, first, 0.0).sum(axis=1))[block]
                block_games = piece.sums(own.sum(axis=1))[block]
                others = games[place] - block_games
                rate = np.divide(
                    wins[place] - block_wins, others, out=np.full(len(piece), np.nan), where=others > 0
                )
                above = np.where(own, first - rate[:, None], above)
        return above

    def _of(self, key: _Key) -> tuple[Any, Any]:
        n = len(key[1])
        return self._wins.setdefault(key, np.zeros(n)), self._games.setdefault(key, np.zeros(n))


def _lineups(piece: Piece) -> tuple[Any, list[_Key]]:
    """Return the number of each game's line-up, and what the numbers stand for."""
    kinds, inverse = np.unique(np.sort(piece["bot"], axis=1), axis=0, return_inverse=True)
    return inverse.ravel(), [(piece.scene, tuple(map(int, kind))) for kind in kinds]
