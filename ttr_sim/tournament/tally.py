"""The score so far, counted while games come in."""

import numpy as np

from ttr_sim.tournament.games import Games
from ttr_sim.tournament.plan import Plan


class Tally:
    """Games, points and forfeits of every bot. A game's points: (opponents below + half of those tied) / opponents."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._games = np.zeros(len(plan.bots))
        self._points = np.zeros(len(plan.bots))
        self.forfeits = 0

    def add(self, first: int, games: Games) -> None:
        """Count finished games of consecutive numbers."""
        rows = self._plan.schedule.rows(np.arange(first, first + len(games)))
        self.forfeits += int((games.game["forfeit_seat"] >= 0).sum())
        starts = np.cumsum(games.players) - games.players
        for match in np.unique(rows.match).tolist():
            bots = np.array(self._plan.schedule.matches[match].bots)
            here = (rows.match == match) & (games.game["reason"] >= 0)
            seats = np.arange(len(bots))
            ranks = games.ranks.data[starts[here][:, None] + seats]
            below = (ranks[:, :, None] < ranks[:, None, :]).sum(2)
            tied = (ranks[:, :, None] == ranks[:, None, :]).sum(2) - 1
            players = bots[(seats + rows.rotation[here][:, None]) % len(bots)]
            np.add.at(self._games, players, 1)
            np.add.at(self._points, players, (below + tied / 2) / (len(bots) - 1))

    def text(self, most: int = 3) -> str:
        """Return the leaders with their share of the points."""
        share = self._points / np.maximum(self._games, 1)
        best = np.argsort(-share, kind="stable")[:most]
        rest = ", ..." if len(share) > most else ""
        return ", ".join(f"{self._plan.labels[bot]} {share[bot]:.1%}" for bot in best) + rest
