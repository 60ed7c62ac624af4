"""Sums for the field and its seats: scores, where points come from, how games end, think time, seats."""

from typing import Any

import numpy as np

from ttr_sim.reports.pieces import ENDS, Piece, Scene
from ttr_sim.stats import RatioSums

PARTS = {
    "route_points": "routes",
    "ticket_points_won": "tickets won",
    "longest_path_points": "longest path",
    "globetrotter_points": "most tickets",
    "all_trains_points": "all trains",
    "station_points": "stations",
    "ticket_points_lost": "tickets lost",
}
# Scores are counted one by one from the first to the last of these; those beyond count as the nearest.
LOWEST, HIGHEST = -500, 1000


class FieldSums:
    """What one scene tells about its bots and seats; arrays are by bot first."""

    def __init__(self, scene: Scene, bots: int) -> None:
        self.score, self.think_ms, self.forfeits = (RatioSums(bots) for _ in range(3))
        self.parts = RatioSums((bots, len(PARTS)))
        self.scores = np.zeros((bots, HIGHEST - LOWEST + 1), np.int64)
        self.slowest_ms = np.zeros(bots)
        self.ends = RatioSums(len(ENDS))
        self.seat_share, self.seat_score = RatioSums(scene.players), RatioSums(scene.players)
        self.bot_seat_share = RatioSums((bots, scene.players))

    def add(self, piece: Piece) -> None:
        """Add games, however they ended."""
        games = piece.sums(np.ones((len(piece), 1)))
        self.ends.add(piece.sums(piece["end"][:, None] == np.arange(len(ENDS))), games)
        known = ~np.isnan(piece["first"])
        first = np.where(known, piece["first"], 0.0)
        self.seat_share.add(piece.sums(first), piece.sums(known))
        lost = piece["forfeit_seat"][:, None] == np.arange(piece.scene.players)
        for bot, own in piece.by_bot():
            self.bot_seat_share.add(piece.sums(first * own), piece.sums(known & own), bot)
            self.forfeits.add(piece.sums((lost & own).sum(axis=1)), piece.sums(own.sum(axis=1)), bot)
            self._add_times(piece, bot, own)

    def _add_times(self, piece: Piece, bot: int, own: Any) -> None:
        think = np.where(own, np.nan_to_num(piece["think_ns"]), 0.0).sum(axis=1) / 1e6
        decisions = np.where(own, np.nan_to_num(piece["decisions"]), 0.0).sum(axis=1)
        self.think_ms.add(piece.sums(think), piece.sums(decisions), bot)
        self.slowest_ms[bot] = max(self.slowest_ms[bot], np.where(own, piece["slowest_ns"], 0.0).max() / 1e6)

    def add_played(self, piece: Piece) -> None:
        """Add games that were played to their end."""
        self.seat_score.add(piece.sums(piece["score"]), piece.sums(np.ones((len(piece), 1))))
        parts = np.stack([piece[name] for name in PARTS], axis=2)
        parts[:, :, -1] *= -1
        counted = (np.clip(piece["score"], LOWEST, HIGHEST) - LOWEST).astype(np.int64)
        for bot, own in piece.by_bot():
            games = piece.sums(own.sum(axis=1))
            self.score.add(piece.sums((piece["score"] * own).sum(axis=1)), games, bot)
            self.parts.add(piece.sums((parts * own[:, :, None]).sum(axis=1)), games[:, None], bot)
            self.scores[bot] += np.bincount(counted[own], minlength=HIGHEST - LOWEST + 1)
