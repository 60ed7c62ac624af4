"""What a bot sees: the View of one seat as a read-only Python object."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from ttr_sim.engine import actions
from ttr_sim.engine.layout import MAX_OFFER, PHASES

if TYPE_CHECKING:
    from ttr_sim.board import Board
    from ttr_sim.rules import Rules


def bits(word: Any) -> list[int]:
    """The members of a bit set, ascending."""
    value, found = int(word), []
    while value:
        low = value & -value
        found.append(low.bit_length() - 1)
        value ^= low
    return found


def track_list(words: Any) -> list[int]:
    """The members of a set of tracks (two words), ascending."""
    return bits(int(words[0]) | int(words[1]) << 64)


class View:
    """The game as one seat may know it. Nothing hidden is in it, and nothing done to it reaches the game.

    Colours are 0..7 (`ttr_sim.engine.actions.COLOR_NAMES`) and 8 for locomotives; card counts are lists of nine. Tracks,
    cities and tickets are numbers: their places in `board.tracks`, `board.cities`, `board.tickets`.

    Attributes:
        board, rules: what is played.
        seat: the seat that looks on (0 is first).
        legal: legal actions of the seat to move, ascending.
        record: the STATE record with the hidden part blank, shape (), read-only; compiled helpers take `array`.
    """

    def __init__(self, board: Board, rules: Rules, players: int, array: Any, legal: list[int]) -> None:
        self.board = board
        self.rules = rules
        self.players = players
        self.array = array
        self.legal = legal

    @property
    def record(self) -> Any:
        """The STATE record behind the view, as numpy gives it."""
        return self.array[0]

    @cached_property
    def seat(self) -> int:
        """The seat that looks on."""
        return int(self.array["viewer"][0])

    @property
    def to_move(self) -> int:
        """The seat that decides now."""
        return int(self.array["seat"][0])

    @property
    def phase(self) -> str:
        """What is asked, one of `ttr_sim.engine.layout.PHASES`."""
        return PHASES[int(self.array["phase"][0])]

    @cached_property
    def hand(self) -> list[int]:
        """My train cards by colour."""
        return list(map(int, self.record["hands"][self.seat]))

    @cached_property
    def hand_sizes(self) -> list[int]:
        """Number of train cards of every seat."""
        return list(map(int, self.record["hand_n"][: self.players]))

    def known_cards(self, seat: int) -> list[int]:
        """Cards by colour that everybody knows to be in a hand (taken face up and not yet spent)."""
        return list(map(int, self.record["shown"][seat]))

    @cached_property
    def market(self) -> list[int]:
        """Face-up cards by colour."""
        return list(map(int, self.record["market"]))

    @cached_property
    def discards(self) -> list[int]:
        """Discarded train cards by colour."""
        return list(map(int, self.record["discards"]))

    @property
    def deck_size(self) -> int:
        """Train cards in the deck."""
        return int(self.record["deck_n"])

    @property
    def ticket_deck_size(self) -> int:
        """Tickets in the deck."""
        return int(self.record["ticket_deck_n"])

    @cached_property
    def tickets(self) -> list[int]:
        """My tickets."""
        return bits(self.record["tickets"][self.seat])

    @cached_property
    def ticket_counts(self) -> list[int]:
        """Number of tickets of every seat."""
        return list(map(int, self.record["ticket_n"][: self.players]))

    @cached_property
    def offer(self) -> list[int]:
        """The tickets I am asked to choose from, in the order seen; bit i of a keep action means offer[i]."""
        row = self.record["offer"][self.seat]
        return [int(row[i]) for i in range(min(MAX_OFFER, int(self.record["offer_n"][self.seat])))]

    @cached_property
    def trains(self) -> list[int]:
        """Trains left of every seat."""
        return list(map(int, self.record["trains"][: self.players]))

    @cached_property
    def stations(self) -> list[int]:
        """Stations not yet placed of every seat."""
        return list(map(int, self.record["stations"][: self.players]))

    @cached_property
    def points(self) -> list[int]:
        """Route points of every seat so far."""
        return list(map(int, self.record["points"][: self.players]))

    def owned(self, seat: int) -> list[int]:
        """The tracks of a seat."""
        return track_list(self.record["own"][seat])

    @cached_property
    def open(self) -> list[int]:
        """The tracks I may still claim (given cards and trains)."""
        free, closed = self.record["open"], self.record["blocked"][self.seat]
        return track_list([int(free[w]) & ~int(closed[w]) for w in (0, 1)])

    def station_cities(self, seat: int) -> list[int]:
        """Where the stations of a seat stand."""
        return [int(city) for city in self.record["station_city"][seat] if city >= 0]

    @property
    def turns_left(self) -> int | None:
        """Turns of all seats left once the end is near, the current one included; None before."""
        left = int(self.record["remaining"])
        return None if left < 0 else left

    def describe(self, action: int) -> str:
        """Readable text of a legal action."""
        return actions.describe(self.board, action, self.record, self.rules)

    def text(self) -> str:
        """The view in a few readable lines."""
        lines = [f"seat {self.seat}, {self.phase}, seat {self.to_move} decides"]
        if self.turns_left is not None:
            lines[0] += f", {self.turns_left} turn{'s' * (self.turns_left != 1)} left"
        lines.append(f"hand: {actions.cards_text(self.hand)}")
        lines.append(
            f"market: {actions.cards_text(self.market)} · deck {self.deck_size} · discards {sum(self.discards)}"
        )
        names = ", ".join(actions.ticket_name(self.board, t) for t in self.tickets)
        lines.append(f"tickets: {names or 'none'} · deck {self.ticket_deck_size}")
        if self.offer:
            lines.append("offered: " + ", ".join(actions.ticket_name(self.board, t) for t in self.offer))
        for p in range(self.players):
            owned = ", ".join(actions.track_name(self.board, t) for t in self.owned(p)) or "no track"
            cities = "".join(f", station {self.board.cities[c].name}" for c in self.station_cities(p))
            lines.append(
                f"seat {p}: {self.points[p]} points, {self.trains[p]} trains, {self.hand_sizes[p]} cards, "
                f"{self.ticket_counts[p]} tickets; {owned}{cities}"
            )
        return "\n".join(lines)


__all__ = ["View", "bits", "track_list"]
