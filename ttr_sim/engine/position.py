"""Build a position by hand: for rule scenarios, test positions of bots, and questions like "what would it do here?"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ttr_sim.engine.deal import clear
from ttr_sim.engine.game import Game
from ttr_sim.engine.jit import entry
from ttr_sim.engine.layout import CARDS, KINDS, LOCO, LOCOMOTIVES, PER_COLOR, STATE, TURN, new_record
from ttr_sim.engine.moves import give_track
from ttr_sim.engine.tables import make_tables
from ttr_sim.errors import TtrError, unknown
from ttr_sim.rules import check_fit

if TYPE_CHECKING:
    from ttr_sim.board import Board
    from ttr_sim.rules import Rules

LETTERS = "PWBYOKRGL"  # purple white blue yellow orange black(K) red green locomotive


@entry
def _clear(tables, states):
    clear(tables[0], states[0])


@entry
def _give(tables, states, seat, track):
    give_track(tables[0], states[0], seat, track)


def card_list(text: str, where: str) -> list[int]:
    """Colours of a text of card letters like "RR BL" (spaces do not matter)."""
    cards = []
    for letter in text.replace(" ", ""):
        if letter not in LETTERS:
            raise TtrError(f"{where}: {letter!r} is no card; cards are the letters {LETTERS}")
        cards.append(LETTERS.index(letter))
    return cards


class Position:
    """A position under construction; every method returns the builder, `build` checks and gives the Game.

    Cards are letters: P W B Y O K R G for the colours (K black), L for a locomotive. Tracks, cities and tickets go by
    their ids on the board. What is not said is as at the start of a game: all trains and stations in hand; cards that
    were not placed lie at the bottom of the deck (see `rest`), tickets that were not placed in their deck.
    """

    def __init__(self, board: Board, rules: Rules, players: int = 2) -> None:
        check_fit(board, rules, players)
        self.board, self.rules, self.players = board, rules, players
        self._hands: dict[int, list[int]] = {}
        self._market: list[int] | None = None
        self._deck: list[int] = []
        self._discards: list[int] = []
        self._rest: str | int = "deck"
        self._owned: dict[int, list[int]] = {}
        self._stations: dict[int, list[int]] = {}
        self._tickets: dict[int, list[int]] = {}
        self._ticket_deck: list[int] | None = None
        self._numbers: dict[tuple[str, int], int] = {}
        self._fields: dict[str, int] = {}

    def hand(self, seat: int, cards: str) -> Position:
        """Train cards of a seat."""
        self._hands[self._seat(seat)] = card_list(cards, f"hand of seat {seat}")
        return self

    def market(self, cards: str) -> Position:
        """Face-up cards; by default a full market of coloured cards."""
        self._market = card_list(cards, "market")
        return self

    def deck(self, cards: str) -> Position:
        """The top of the deck, top card first."""
        self._deck = card_list(cards, "deck")
        return self

    def discards(self, cards: str) -> Position:
        """The discarded cards."""
        self._discards = card_list(cards, "discards")
        return self

    def rest(self, where: str | int) -> Position:
        """Where the cards go that were not placed: "deck" (the bottom), "discards", or a seat's hand."""
        if where not in ("deck", "discards"):
            self._seat(where)
        self._rest = where
        return self

    def owns(self, seat: int, *tracks: str) -> Position:
        """Tracks of a seat; its trains and route points follow unless set."""
        ids = [track.id for track in self.board.tracks]
        self._owned.setdefault(self._seat(seat), []).extend(self._find("track", ids, tracks))
        return self

    def station(self, seat: int, *cities: str) -> Position:
        """Stations of a seat, in the order placed."""
        ids = [city.id for city in self.board.cities]
        self._stations.setdefault(self._seat(seat), []).extend(self._find("city", ids, cities))
        return self

    def tickets(self, seat: int, *tickets: str) -> Position:
        """Tickets of a seat."""
        self._tickets.setdefault(self._seat(seat), []).extend(self._ticket_ids(tickets))
        return self

    def ticket_deck(self, *tickets: str) -> Position:
        """The whole ticket deck, top first; tickets placed nowhere are then out of the game."""
        self._ticket_deck = self._ticket_ids(tickets)
        return self

    def trains(self, seat: int, number: int) -> Position:
        """Trains a seat has left."""
        return self._set("trains", seat, number, self.rules.trains_per_player)

    def points(self, seat: int, number: int) -> Position:
        """Route points of a seat."""
        return self._set("points", seat, number, 1000)

    def turns_done(self, seat: int, number: int) -> Position:
        """Turns a seat has finished."""
        return self._set("turns_done", seat, number, 30000)

    def shown(self, seat: int, cards: str) -> Position:
        """Cards of a seat's hand that everybody has seen it take."""
        for c in card_list(cards, f"shown cards of seat {seat}"):
            self._numbers["shown", self._seat(seat) * KINDS + c] = (
                self._numbers.get(("shown", seat * KINDS + c), 0) + 1
            )
        return self

    def to_move(self, seat: int) -> Position:
        """Whose turn it is (default seat 0)."""
        self._fields["seat"] = self._seat(seat)
        return self

    def last_turns(self, trigger: int, remaining: int) -> Position:
        """The end was triggered by a seat; so many turns are left, the present one included."""
        if not 1 <= remaining <= self.players:
            raise TtrError(f"position: {remaining} turns left: must be 1 to {self.players}")
        if remaining < 1:
            raise TtrError(f"position: {remaining} turns left: at least 1")
        self._fields["trigger"] = self._seat(trigger)
        self._fields["remaining"] = remaining
        self._fields["reason"] = 1
        return self

    def build(self, *, auto: bool = False) -> Game:
        """The Game. Nothing is decided yet; with `auto` later forced decisions are taken without asking.

        Raises:
            TtrError: the position cannot occur: too many of a card, a track owned twice, a market that is not full while
                cards are left, …
        """
        tables = make_tables(self.board, self.rules, self.players)
        state = new_record(STATE)
        _clear(tables, state)
        S = state[0]
        S["phase"] = TURN
        self._place_tracks(tables, state)
        self._place_stations(S)
        self._place_tickets(S)
        self._place_cards(S)
        for (name, seat), number in self._numbers.items():
            if name == "shown":
                S["shown"][divmod(seat, KINDS)] = number
                if number > S["hands"][divmod(seat, KINDS)]:
                    raise TtrError(
                        f"position: shown cards of seat {seat // KINDS}: more than it has in its hand"
                    )
            else:
                S[name][seat] = number
        for name, number in self._fields.items():
            S[name] = number
        S["turns"] = sum(int(S["turns_done"][p]) for p in range(self.players))
        self._check(S)
        return Game(self.board, self.rules, self.players, state, auto=auto)

    def _seat(self, seat: Any) -> int:
        if not isinstance(seat, int) or not 0 <= seat < self.players:
            raise TtrError(f"position: seat {seat!r}: must be 0 to {self.players - 1}")
        return seat

    def _find(self, what: str, ids: list[str], names: Iterable[str]) -> list[int]:
        for name in names:
            if name not in ids:
                raise unknown(what, name, ids, "position: ")
        return [ids.index(name) for name in names]

    def _ticket_ids(self, names: Iterable[str]) -> list[int]:
        return self._find("ticket", [ticket.id for ticket in self.board.tickets], names)

    def _set(self, name: str, seat: int, number: int, most: int) -> Position:
        if not 0 <= number <= most:
            raise TtrError(f"position: {name} of seat {seat} is {number}: must be 0 to {most}")
        self._numbers[name, self._seat(seat)] = number
        return self

    def _place_tracks(self, tables: Any, state: Any) -> None:
        S = state[0]
        for seat, tracks in self._owned.items():
            for t in tracks:
                free, closed = int(S["open"][t >> 6]), int(S["blocked"][seat][t >> 6])
                if not (free & ~closed) >> (t & 63) & 1:
                    raise TtrError(
                        f"position: {self.board.tracks[t].id}: owned, or closed to seat {seat} by its parallel track"
                    )
                _give(tables, state, seat, t)
                length = self.board.tracks[t].length
                S["trains"][seat] -= length
                S["points"][seat] += self.rules.route_points[length]
            if S["trains"][seat] < 0:
                raise TtrError(f"position: seat {seat} owns more spaces than it has trains")

    def _place_stations(self, S: Any) -> None:
        for seat, cities in self._stations.items():
            if len(cities) > self.rules.stations_per_player:
                raise TtrError(
                    f"position: seat {seat} has {self.rules.stations_per_player} stations, not {len(cities)}"
                )
            for i, city in enumerate(cities):
                if int(S["station_mask"]) >> city & 1:
                    raise TtrError(f"position: two stations in {self.board.cities[city].id}")
                S["station_mask"] |= np.uint64(1 << city)
                S["station_city"][seat][i] = city
                S["stations"][seat] -= 1

    def _place_tickets(self, S: Any) -> None:
        long = {
            t
            for t, ticket in enumerate(self.board.tickets)
            if ticket.long and self.rules.ticket_pool == "split"
        }
        placed: set[int] = set()
        for seat, tickets in self._tickets.items():
            setup = self.rules.tickets_setup
            if len(long & set(tickets)) > setup.deal_long:
                raise TtrError(
                    f"position: seat {seat} has more long tickets than the {setup.deal_long} it is dealt"
                )
            S["tickets"][seat] = sum(1 << t for t in set(tickets))
            S["ticket_n"][seat] = len(set(tickets))
            S["setup_kept"][seat] = min(len(set(tickets)), setup.deal_long + setup.deal)
            if placed & set(tickets) or len(set(tickets)) < len(tickets):
                raise TtrError("position: a ticket is placed twice")
            placed |= set(tickets)
        deck = self._ticket_deck
        if deck is None:
            deck = [t for t in range(len(self.board.tickets)) if t not in placed and t not in long]
        if placed & set(deck) or len(set(deck)) < len(deck) or long & set(deck):
            raise TtrError("position: the ticket deck holds a ticket twice, one of a seat, or a long one")
        S["ticket_deck"][: len(deck)] = deck
        S["ticket_deck_n"] = len(deck)
        S["box"] = sum(1 << t for t in range(len(self.board.tickets)) if t not in placed and t not in deck)

    def _place_cards(self, S: Any) -> None:
        left = [PER_COLOR] * (KINDS - 1) + [LOCOMOTIVES]

        def use(cards: list[int], where: str) -> list[int]:
            for c in cards:
                left[c] -= 1
                if left[c] < 0:
                    raise TtrError(f"position: {where}: more {LETTERS[c]} cards than there are")
            return [cards.count(c) for c in range(KINDS)]

        for seat, cards in self._hands.items():
            S["hands"][seat] = use(cards, f"hand of seat {seat}")
        use(self._deck, "deck")
        S["discards"] = use(self._discards, "discards")
        if self._market is None:
            plenty = sorted(range(LOCO), key=lambda c: -left[c])
            self._market = [plenty[i % LOCO] for i in range(self.rules.market_size)]
        S["market"] = use(self._market, "market")
        S["market_n"] = len(self._market)
        rest = [c for c in range(KINDS) for _ in range(left[c])]
        below: list[int] = []
        if self._rest == "deck":
            below = rest
        elif self._rest == "discards":
            S["discards"] += np.array([rest.count(c) for c in range(KINDS)], np.int8)
        else:
            S["hands"][self._rest] += np.array([rest.count(c) for c in range(KINDS)], np.int8)
        # The rest is spread evenly, so that the bottom of the deck holds no long run of one colour.
        below = [below[i] for i in sorted(range(len(below)), key=lambda i: i * 37 % 111)]
        deck = below + self._deck[::-1]
        S["deck_n"] = len(deck)
        S["deck"][: len(deck)] = deck
        for p in range(self.players):
            S["hand_n"][p] = int(S["hands"][p].sum())

    def _check(self, S: Any) -> None:
        cards = int(S["market_n"] + S["deck_n"] + S["discards"].sum() + S["hands"].sum())
        if cards != CARDS:
            raise TtrError(f"position: {cards} train cards placed, there are {CARDS}")
        if S["market_n"] > self.rules.market_size:
            raise TtrError(f"position: market: at most {self.rules.market_size} cards")
        if S["market_n"] < self.rules.market_size and (S["deck_n"] or S["discards"].sum()):
            raise TtrError("position: the market is not full though deck or discards could fill it")
        refresh = self.rules.market_locomotives == "refresh_at_three" and S["market"][LOCO] >= 3
        colored = CARDS - LOCOMOTIVES - int(S["hands"][:, :LOCO].sum())
        if refresh and colored >= self.rules.market_size - 2:
            raise TtrError("position: three face-up locomotives would have been replaced")
