"""What an external bot is told, as plain data for JSON: names for colours, numbers for cities, tracks and tickets."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ttr_sim.engine.actions import COLOR_NAMES, decode
from ttr_sim.engine.layout import NO_COLOR

if TYPE_CHECKING:
    from ttr_sim.board import Board
    from ttr_sim.engine.view import View

# What the number of an action is, by its kind.
_ABOUT = {
    "take": "color",
    "claim": "track",
    "station": "city",
    "pay": "color",
    "sets": "number",
    "card": "color",
    "extra": "locomotives",
    "keep": "mask",
}


@lru_cache(maxsize=8)
def board_plain(board: Board) -> dict[str, Any]:
    """Return a board: lists in the order of their numbers."""
    return {
        "name": board.name,
        "cities": [city.name for city in board.cities],
        "tracks": [
            {
                "cities": [track.a, track.b],
                "length": track.length,
                "color": track.color,
                "kind": track.kind,
                "locomotives": track.locomotives,
            }
            for track in board.tracks
        ],
        "tickets": [
            {"cities": [ticket.a, ticket.b], "points": ticket.points, "long": ticket.long}
            for ticket in board.tickets
        ],
    }


def view_plain(view: View) -> dict[str, Any]:
    """Return a view."""
    return {
        "phase": view.phase,
        "hand": _cards(view.hand),
        "market": _cards(view.market),
        "discards": _cards(view.discards),
        "deck": view.deck_size,
        "ticket_deck": view.ticket_deck_size,
        "tickets": view.tickets,
        "offer": view.offer,
        "open": view.open,
        "turns_left": view.turns_left,
        "seats": [_seat(view, seat) for seat in range(view.players)],
    }


def action_plain(view: View, action: int) -> dict[str, Any]:
    """Return a legal action: its number, kind, what it is about and a text."""
    plain = seen_plain(action)
    if plain["kind"] == "keep":
        mask = plain.pop("mask")
        plain["tickets"] = [ticket for place, ticket in enumerate(view.offer) if mask >> place & 1]
    return {**plain, "text": view.describe(action)}


def seen_plain(action: int) -> dict[str, Any]:
    """Return an action as everybody saw it."""
    kind, first, second = decode(action)
    plain: dict[str, Any] = {"action": action, "kind": kind}
    if kind in _ABOUT:
        plain[_ABOUT[kind]] = COLOR_NAMES[first] if _ABOUT[kind] == "color" else first
    if kind == "pay":
        plain |= {"color": None if first == NO_COLOR else plain["color"], "locomotives": second}
    return plain


def _seat(view: View, seat: int) -> dict[str, Any]:
    return {
        "points": view.points[seat],
        "trains": view.trains[seat],
        "stations": view.stations[seat],
        "cards": view.hand_sizes[seat],
        "known_cards": _cards(view.known_cards(seat)),
        "tickets": view.ticket_counts[seat],
        "tracks": view.owned(seat),
        "station_cities": view.station_cities(seat),
    }


def _cards(counts: list[int]) -> dict[str, int]:
    return dict(zip(COLOR_NAMES, counts, strict=True))
