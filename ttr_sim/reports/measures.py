"""What can be compared between boards and rules: one number per game each, and the options it answers for."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_sim.reports.document import Kind
from ttr_sim.reports.pieces import ENDS, Piece
from ttr_sim.results.events import CLAIM, DRAW, LOST, PASS, STATION, TICKETS
from ttr_sim.stats import RatioSums

Values = Callable[[Piece], Any]


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean: the sum of `total` over the sum of `weight`, both of shape (games,).

    options: names of the options of the rules whose effect it shows.
    """

    name: str
    title: str
    kind: Kind
    total: Values
    weight: Values
    options: tuple[str, ...] = ()


def _games(piece: Piece) -> Any:
    return np.ones(len(piece))


def _seats(piece: Piece) -> Any:
    return np.full(len(piece), piece.scene.players)


def _of_seats(name: str) -> Values:
    return lambda piece: piece[name][:, : piece.scene.players].sum(axis=1)


def _share(end: str) -> Values:
    return lambda piece: piece["end"] == ENDS.index(end)


def _spent(kind: int) -> Values:
    return lambda piece: piece["spent"][:, :, kind].sum(axis=1)


def _turns(piece: Piece) -> Any:
    return piece["turns"]


def _claims(piece: Piece) -> Any:
    return (piece["owner"] >= 0).sum(axis=1)


def _best(piece: Piece) -> Any:
    return piece["score"].max(axis=1)


def _margin(piece: Piece) -> Any:
    ordered = np.sort(piece["score"], axis=1)
    return ordered[:, -1] - ordered[:, -2]


def _ticket_points(piece: Piece) -> Any:
    return (piece["ticket_points_won"] - piece["ticket_points_lost"]).sum(axis=1)


def _offers(piece: Piece) -> Any:
    return piece["offered"].sum(axis=1)


def _kept(piece: Piece) -> Any:
    return (piece["holder"] >= 0).sum(axis=1)


def _triggered(piece: Piece) -> Any:
    return piece["trigger_seat"] >= 0


def _trigger_wins(piece: Piece) -> Any:
    seat = np.maximum(piece["trigger_seat"], 0)[:, None].astype(np.int64)
    return np.where(_triggered(piece), np.take_along_axis(piece["first"], seat, axis=1)[:, 0], 0.0)


def _final_points(piece: Piece) -> Any:
    gained = piece["route_points"] - piece["trigger_points"][:, : piece.scene.players]
    return np.where(_triggered(piece), gained.sum(axis=1), 0.0)


def _trigger_seats(piece: Piece) -> Any:
    return _triggered(piece) * piece.scene.players


def _taken(piece: Piece) -> Any:
    return (piece["face_up"] + piece["blind"]).sum(axis=1)


def _spaces(piece: Piece) -> Any:
    lengths = np.array([track.length for track in piece.scene.board.tracks])
    return ((piece["owner"][:, : len(lengths)] >= 0) * lengths).sum(axis=1)


_SETUP = ("tickets_setup.deal", "tickets_setup.deal_long", "tickets_setup.keep_min", "ticket_pool")
_DRAWN = ("draw_tickets.draw", "draw_tickets.keep_min", "returned_tickets", "setup_returned_tickets")
_CARDS = ("initial_hand", "cards_per_draw", "market_size")
_LOCOS = (
    "locomotive_use",
    "ferry_filler",
    "ferry_substitute",
    "ferry_substitute_scope",
    "long_route_substitute",
)
_MARKET = ("face_up_locomotive", "second_draw_face_up_locomotive", "market_locomotives", "market_size")
_TUNNEL = ("tunnel_reveal", "tunnel_match", "tunnel_decline")
_STATION = ("stations_per_player", "station_cost", "station_bonus", "station_points")
_LENGTH = ("trains_per_player", "end_trigger_trains", "cards_per_draw")

MEASURES = (
    Measure("score", "score", "number", _of_seats("score"), _seats, ("route_points",)),
    Measure("best_score", "winning score", "number", _best, _games),
    Measure("margin", "margin of the winner", "number", _margin, _games),
    Measure("shared", "shared victories", "share", lambda p: p["decided_by"] == -1, _games, ("tie_breaks",)),
    Measure("tie_break", "decided by a tie-break", "share", lambda p: p["decided_by"] > 0, _games, ("tie_breaks",)),
    Measure("first_seat", "wins of the first seat", "share", lambda p: p["first"][:, 0], _games),
    Measure("rounds", "rounds", "number", _turns, _seats, (*_LENGTH, "turn_limit")),
    Measure("decisions", "decisions of a seat", "number", _of_seats("decisions"), _seats),
    Measure("end_exhausted", "ended with no cards left", "share", _share("exhausted"), _games, ("end_when_exhausted",)),
    Measure("end_passed", "ended by passing", "share", _share("all_passed"), _games),
    Measure("end_limit", "ended by the turn limit", "share", _share("turn_limit"), _games, ("turn_limit",)),
    Measure("final_points", "route points of a seat after the trigger", "number", _final_points, _trigger_seats,
            ("final_round", "end_trigger_trains")),
    Measure("trigger_wins", "wins of who triggers the end", "share", _trigger_wins, _triggered, ("final_round",)),
    Measure("trains_left", "trains left", "number", _of_seats("trains_left"), _seats,
            ("end_trigger_trains", "trains_per_player", "all_trains_bonus")),
    Measure("routes", "tracks claimed by a seat", "number", _of_seats("routes"), _seats,
            ("trains_per_player", "route_points")),
    Measure("route_points", "points for routes", "number", _of_seats("route_points"), _seats, ("route_points",)),
    Measure("occupied", "share of the tracks claimed", "share", _claims,
            lambda p: np.full(len(p), len(p.scene.board.tracks)), ("double_routes_min_players",)),
    Measure("closed", "tracks closed by their parallel", "number", lambda p: p["closed"], _games,
            ("double_routes_min_players",)),
    Measure("cut_off", "kept tickets cut off for good", "share", lambda p: p["cut_off"].sum(axis=1), _kept,
            ("double_routes_min_players", "stations_per_player")),
    Measure("offered", "tickets offered in a game", "number", _offers, _games, (*_SETUP, *_DRAWN)),
    Measure("kept", "tickets kept by a seat", "number", _of_seats("tickets_kept"), _seats, (*_SETUP, *_DRAWN)),
    Measure("completed", "kept tickets completed", "share", lambda p: p["done"].sum(axis=1), _kept,
            (*_SETUP, *_DRAWN, "stations_per_player")),
    Measure("ticket_points", "points for tickets, won less lost", "signed", _ticket_points, _seats, (*_SETUP, *_DRAWN)),
    Measure("longest_points", "points for the longest path", "number", _of_seats("longest_path_points"), _seats,
            ("longest_path_bonus",)),
    Measure("globetrotter_points", "points for the most tickets", "number", _of_seats("globetrotter_points"), _seats,
            ("globetrotter_bonus",)),
    Measure("all_trains_points", "points for placing all trains", "number", _of_seats("all_trains_points"), _seats,
            ("all_trains_bonus",)),
    Measure("stations", "stations placed by a seat", "number", _of_seats("stations_placed"), _seats, _STATION),
    Measure("station_points", "points for stations", "number", _of_seats("station_points"), _seats, _STATION),
    Measure("use_draw", "turns spent on cards", "share", _spent(DRAW), _turns, _CARDS),
    Measure("use_claim", "turns spent on claims", "share", _spent(CLAIM), _turns, _CARDS),
    Measure("use_tickets", "turns spent on tickets", "share", _spent(TICKETS), _turns, _DRAWN),
    Measure("use_station", "turns spent on stations", "share", _spent(STATION), _turns, _STATION),
    Measure("use_pass", "turns passed", "share", _spent(PASS), _turns),
    Measure("face_up", "train cards taken from the market", "share", _of_seats("face_up"), _taken, _MARKET),
    Measure("face_up_locos", "locomotives among cards from the market", "share", _of_seats("face_up_locos"),
            _of_seats("face_up"), _MARKET),
    Measure("three_locos", "turns begun before three face-up locomotives", "share", lambda p: p["three_locos"], _turns,
            ("market_locomotives",)),
    Measure("reshuffles", "reshuffles of the deck", "number", lambda p: p["reshuffles"], _games, _CARDS),
    Measure("paid_locos", "locomotives paid for a track", "number", lambda p: p["paid_locos"].sum(axis=1), _claims, _LOCOS),
    Measure("paid", "cards paid for a space", "number", lambda p: p["paid"].sum(axis=1),
            _spaces, _LOCOS),
    Measure("tunnel_extra", "extra cards asked for a tunnel", "number", _of_seats("tunnel_extra"), _of_seats("tunnels"),
            _TUNNEL),
    Measure("tunnel_lost", "tunnels given up", "share", _spent(LOST), _of_seats("tunnels"), _TUNNEL),
)  # fmt: skip


class MeasureSums:
    """Every measure of one scene."""

    def __init__(self) -> None:
        self.ratios = RatioSums(len(MEASURES))

    def add(self, piece: Piece) -> None:
        """Add games played to their end."""
        totals = np.stack([np.asarray(m.total(piece), np.float64) for m in MEASURES], axis=1)
        weights = np.stack([np.asarray(m.weight(piece), np.float64) for m in MEASURES], axis=1)
        self.ratios.add(piece.sums(totals), piece.sums(weights))
