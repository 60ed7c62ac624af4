"""Sums for the tickets: dealt, kept, completed, what they bring, alone and in pairs."""

from typing import Any

import numpy as np

from ttr_sim.reports.board_sums import of_seat
from ttr_sim.reports.pieces import Piece, Scene
from ttr_sim.stats import RatioSums


class TicketSums:
    """What one scene tells about its tickets; the arrays of `classes` are for regular and long ones.

    offered: offers in a game. kept: of the offers. done, cut, net, lift, setup: of the kept ones; net in points,
    lift how much more than expected their holders won, setup those kept of the deal.
    """

    NAMES = ("offered", "kept", "done", "cut", "net", "lift", "setup")

    def __init__(self, scene: Scene) -> None:
        n = len(scene.board.tickets)
        self.single = {name: RatioSums(n) for name in self.NAMES}
        self.classes = {name: RatioSums(2) for name in self.NAMES}
        self.first, self.second = np.triu_indices(n, 1)
        self.pair_net, self.pair_done, self.pair_lift = (RatioSums(len(self.first)) for _ in range(3))
        self._points = np.array([ticket.points for ticket in scene.board.tickets])
        long = np.array([ticket.long for ticket in scene.board.tickets])
        self._class = np.stack([~long, long], axis=1).astype(np.float64)

    def add(self, piece: Piece, above: Any) -> None:
        """Add games played to their end; above: what their seats won more than expected."""
        n = len(self._points)
        holder, done = piece["holder"][:, :n], piece["done"][:, :n]
        held = holder >= 0
        net = np.where(held, np.where(done > 0, self._points, -self._points), 0)
        lift, known = of_seat(above, holder)
        kept, games = piece.sums(held), piece.sums(np.ones((len(piece), 1)))
        offered = piece.sums(piece["offered"][:, :n])
        sums = {
            "offered": (offered, games),
            "kept": (kept, offered),
            "done": (piece.sums(done), kept),
            "cut": (piece.sums(piece["cut_off"][:, :n]), kept),
            "net": (piece.sums(net), kept),
            "lift": (piece.sums(lift), piece.sums(known)),
            "setup": (piece.sums(held & (piece["kept_round"][:, :n] == 0)), kept),
        }
        for name, (totals, weights) in sums.items():
            self.single[name].add(totals, weights)
            together = weights if weights.shape[1] == 1 else weights @ self._class
            self.classes[name].add(totals @ self._class, together)
        self._add_pairs(piece, holder, done, net, above)

    def _add_pairs(self, piece: Piece, holder: Any, done: Any, net: Any, above: Any) -> None:
        """Pairs that one seat kept together."""
        both = (holder[:, self.first] == holder[:, self.second]) & (holder[:, self.first] >= 0)
        weight = piece.sums(both)
        self.pair_net.add(piece.sums(np.where(both, net[:, self.first] + net[:, self.second], 0)), weight)
        self.pair_done.add(piece.sums(both & (done[:, self.first] > 0) & (done[:, self.second] > 0)), weight)
        lift, known = of_seat(above, np.where(both, holder[:, self.first], -1))
        self.pair_lift.add(piece.sums(lift), piece.sums(known))
