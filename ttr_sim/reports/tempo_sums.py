"""Sums for the tempo: rounds to the end, and trains, cards and the use of turns over the rounds."""

from typing import Any

import numpy as np

from ttr_sim.reports.pieces import Piece, Scene
from ttr_sim.results.events import DRAW, LOST, NO_TURN, ROUNDS, TICKETS
from ttr_sim.stats import RatioSums

KINDS = tuple(range(DRAW, LOST + 1))


class TempoSums:
    """What one scene tells about the course of its games; arrays by round begin with the first."""

    def __init__(self, scene: Scene, bots: int) -> None:
        self.rounds = RatioSums()
        self.rounds_seen = np.zeros(4 * ROUNDS, np.int64)  # games by their number of rounds, the last: more
        self.trains_left = RatioSums(bots)
        self.trains, self.cards = RatioSums((bots, ROUNDS)), RatioSums((bots, ROUNDS))
        self.deck = RatioSums(ROUNDS)
        self.use = RatioSums((len(KINDS), ROUNDS))
        self.ticket_draws = RatioSums((bots, ROUNDS))

    def add(self, piece: Piece) -> None:
        """Add games played to their end."""
        players = piece.scene.players
        games = piece.sums(np.ones(len(piece)))
        rounds = -(-piece["turns"] // players)
        self.rounds.add(piece.sums(rounds), games)
        self.rounds_seen += np.bincount(
            np.minimum(rounds, len(self.rounds_seen) - 1), minlength=len(self.rounds_seen)
        )
        kind = piece["kind"][:, :players]
        there = kind != NO_TURN
        seats = piece.sums(there.sum(axis=1))
        self.deck.add(piece.sums((piece["deck"][:, :players] * there).sum(axis=1)), seats)
        for i, number in enumerate(KINDS):
            self.use.add(piece.sums((kind == number).sum(axis=1)), seats, i)
        left = piece["trains_left"]
        for bot, own in piece.by_bot():
            self._add_bot(piece, bot, own, kind)
            self.trains_left.add(piece.sums((left * own).sum(axis=1)), piece.sums(own.sum(axis=1)), bot)

    def _add_bot(self, piece: Piece, bot: int, own: Any, kind: Any) -> None:
        mine = (kind != NO_TURN) & own[:, :, None]
        turns = piece.sums(mine.sum(axis=1))
        for sums, name in ((self.trains, "trains"), (self.cards, "cards")):
            values = piece[name][:, : piece.scene.players]
            sums.add(piece.sums((values * mine).sum(axis=1)), turns, bot)
        drawn = ((kind == TICKETS) & own[:, :, None]).sum(axis=1)
        self.ticket_draws.add(piece.sums(drawn), turns, bot)
