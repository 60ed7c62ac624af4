"""Plays a scenario written as data: builds the position, carries out the lines of `play`, checks what they say.

A scenario file holds `[scenario.S01]` tables (title, presets), `[boards.<name>]` tables (tracks, tickets: see `boards`)
and `[[case]]` tables:

    scenario   its number
    presets    names of presets; "all", "europe-board" (the four on that board); "all but nordic usa"
    players    numbers of players to play it with (default [2]), as far as a preset allows them
    board      a board of this file (default: the preset's own)
    options    rule options that differ from the preset's
    let        words for `$word` in `play`, by board
    given      the position: hands, market, deck, discards, rest, owns, stations, tickets, ticket_deck, trains, points, shown
               and turn, as for `ttr_sim.engine.Position`; or `deal`, the seed of a game to be dealt
    play       lines, carried out in order; a list of lines is tried on a copy of the game

Lines (cards are letters, seats are Ann, Bo, Cy, Di, Ed; several actions are separated by ";"):

    do ACTION [with CARDS]      legal, and taken; a claim or station is paid with exactly these cards
    can ACTIONS                 each is legal
    cannot ACTIONS              each is refused and changes nothing; "draw", "claim", "station" stand for all of the kind
    only ACTIONS                exactly these are legal
    pays claim X: CARDS, ...    each can be paid        (cannot pay claim X: CARDS, ...   none can)
    wait SEAT                   the others draw blind until it is this seat's turn (or the game is over)
    last turns SEATS            these have one more turn each in this order (they draw blind), then the game is over
    repeat N [LINES]            as two items: the text "repeat N" and the list of lines
    see WHAT ...                see the functions `_see_*`

Actions: take C, blind, tickets, pass, claim TRACK, station CITY, keep N N ... (places of the offer from 1), extra CARDS,
back. Forced decisions are not taken by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ttr_sim.board import Board, load_board
from ttr_sim.engine import Game, Position, actions
from ttr_sim.engine.layout import KINDS, LOCO
from ttr_sim.engine.position import LETTERS, card_list
from ttr_sim.engine.view import bits
from ttr_sim.errors import IllegalAction
from ttr_sim.rules import Rules, load_rules

from .boards import made_up

SEATS = ("Ann", "Bo", "Cy", "Di", "Ed")
GROUPS = {
    "all": ("europe", "nordic", "usa", "europe-zh", "nordic-zh", "europe-fa", "europe-en"),
    "europe-board": ("europe", "europe-zh", "europe-fa", "europe-en"),
    "nordic-board": ("nordic", "nordic-zh"),
}
PAYING = ("PAY", "SETS", "FILLER", "SETCARDS")

Case = dict[str, Any]


def presets_of(text: str) -> list[str]:
    """The presets that a text like "all but nordic usa" names."""
    wanted, _, unwanted = text.partition(" but ")
    names = [name for word in wanted.split() for name in GROUPS.get(word, (word,))]
    less = [name for word in unwanted.split() for name in GROUPS.get(word, (word,))]
    return [name for name in names if name not in less]


def counts(cards: str) -> list[int]:
    """Cards by colour."""
    numbers = card_list("" if cards in ("-", "nothing") else cards, "scenario")
    return [numbers.count(c) for c in range(KINDS)]


def letters(cards: Any) -> str:
    """Letters of cards counted by colour."""
    return "".join(letter * int(n) for letter, n in zip(LETTERS, cards, strict=True)) or "-"


def seat_of(name: str) -> int:
    return SEATS.index(name)


def run(case: Case, boards: dict[str, Any], preset: str, players: int) -> None:
    """Play a case under one preset with so many players; AssertionError when an expectation fails."""
    rules = load_rules(preset).with_options(case.get("options", {}))
    board = made_up(**boards[case["board"]]) if "board" in case else load_board(rules.board)
    words = {f"${word}": by_board[board.name] for word, by_board in case.get("let", {}).items()}
    Play(start(case["given"], board, rules, players), words).lines(case["play"])


def start(given: dict[str, Any], board: Board, rules: Rules, players: int) -> Game:
    """The game that `given` describes."""
    if "deal" in given:
        return Game.new(board, rules, players, given["deal"], auto=False)
    position = Position(board, rules, players)
    for name in ("market", "deck", "discards"):
        if name in given:
            getattr(position, name)(given[name])
    for name, by_seat in given.items():
        if name in ("hands", "trains", "points", "shown"):
            for seat, value in by_seat.items():
                getattr(position, "hand" if name == "hands" else name)(seat_of(seat), value)
        elif name in ("owns", "stations", "tickets"):
            for seat, ids in by_seat.items():
                getattr(position, "station" if name == "stations" else name)(seat_of(seat), *ids)
    if "ticket_deck" in given:
        position.ticket_deck(*given["ticket_deck"])
    if "rest" in given:
        position.rest(seat_of(given["rest"]) if given["rest"] in SEATS else given["rest"])
    position.to_move(seat_of(given.get("turn", "Ann")))
    return position.build()


class Play:
    """A game and what was seen of it so far; carries out lines."""

    def __init__(self, game: Game, words: dict[str, str]) -> None:
        self.game = game
        self.words = words
        self.offers = [[int(t) for t in row if t >= 0] for row in game.state["offer"][0]]
        self.ticket_deck = ticket_deck(game)

    def copy(self) -> Play:
        """The same with a copy of the game."""
        other = Play(self.game.copy(), self.words)
        other.offers, other.ticket_deck = self.offers, self.ticket_deck
        return other

    def lines(self, lines: list[Any]) -> None:
        """Carry out lines; a list within them on a copy, or several times after "repeat"."""
        times = 0
        for line in lines:
            if isinstance(line, str) and line.startswith("repeat "):
                times = int(line.removeprefix("repeat "))
            elif isinstance(line, str):
                self.line(line)
            elif times:
                for _ in range(times):
                    self.lines(line)
                times = 0
            else:
                self.copy().lines(line)

    def line(self, line: str) -> None:
        """Carry out one line."""
        text = line
        for word, value in self.words.items():
            text = text.replace(word, value)
        try:
            for start, method in self.verbs():
                if text.startswith(start):
                    method(text.removeprefix(start))
                    return
            raise ValueError("unknown verb")
        except AssertionError as error:
            raise AssertionError(f"{line!r}: {error}\n{self.situation()}") from error
        except (ValueError, KeyError, IndexError, AttributeError, TypeError) as error:
            raise ValueError(f"{line!r}: {error!r}\n{self.situation()}") from error

    def verbs(self) -> Iterator[tuple[str, Callable[[str], None]]]:
        """The words lines begin with, longer ones first, and what they mean."""
        yield "do ", self.do
        yield "can ", self.can
        yield "cannot pay ", self.cannot_pay
        yield "cannot ", self.cannot
        yield "only ", self.only
        yield "pays ", self.pays
        yield "wait ", self.wait
        yield "last turns ", self.last_turns
        yield "see ", self.see

    def situation(self) -> str:
        """The whole position, for messages."""
        game = self.game
        legal = "; ".join(map(game.describe, game.legal()))
        return f"{game!r}\n{game.view(game.seat).text()}\nlegal: {legal}"

    # What is done

    def do(self, text: str) -> None:
        action, _, cards = text.partition(" with ")
        code = self.code(action)
        assert code in self.game.legal(), "not legal"
        codes = self.payment(code, cards) if cards else [code]
        assert codes, "cannot be paid so"
        for code in codes:
            assert self.game.step(code) == [(self.game_seat(code), code)]

    def game_seat(self, code: int) -> int:
        """The seat that took the last action."""
        return int(self.game.work["trace_seat"][0, 0])

    def can(self, text: str) -> None:
        for action in text.split("; "):
            assert self.code(action) in self.game.legal(), f"{action} is not legal"

    def cannot(self, text: str) -> None:
        kinds = {
            "draw": range(actions.TICKETS),
            "claim": range(actions.CLAIM, actions.STATION),
            "station": range(actions.STATION, actions.PAY),
        }
        before = self.game.to_bytes()
        for action in text.split("; "):
            for code in kinds.get(action, [self.code(action)] if action not in kinds else []):
                assert code not in self.game.legal(), f"{action} ({code}) is legal"
                try:
                    self.game.step(code)
                except IllegalAction as error:
                    assert "illegal" in str(error) or "not an action" in str(error)
                else:
                    raise AssertionError(f"{action} ({code}) was not refused")
        assert self.game.to_bytes() == before, "a refused action changed the game"

    def only(self, text: str) -> None:
        expected = sorted(self.code(action) for action in text.split("; "))
        assert self.game.legal() == expected, f"{expected} expected"

    def pays(self, text: str) -> None:
        action, _, payments = text.partition(": ")
        for cards in payments.split(", "):
            assert self.payment(self.code(action), cards), f"{cards} is not a legal payment"

    def cannot_pay(self, text: str) -> None:
        action, _, payments = text.partition(": ")
        for cards in payments.split(", "):
            assert not self.payment(self.code(action), cards), f"{cards} is a legal payment"

    def wait(self, text: str) -> None:
        while not self.game.is_over and (self.game.seat, self.game.phase) != (seat_of(text), "TURN"):
            self.game.step(actions.BLIND)

    def last_turns(self, text: str) -> None:
        for name in text.split():
            assert not self.game.is_over, f"over before {name} has played"
            seat = seat_of(name)
            assert self.game.seat == seat, f"{SEATS[self.game.seat]} plays, not {name}"
            while not self.game.is_over and self.game.seat == seat:
                self.game.step(actions.BLIND)
        assert self.game.is_over, "not over"

    # Actions and payments

    def code(self, text: str) -> int:
        """The code of an action written as text."""
        kind, *words = text.split()
        board = self.game.board
        if kind == "take":
            return actions.take(LETTERS.index(words[0]))
        if kind == "claim":
            return actions.claim([track.id for track in board.tracks].index(words[0]))
        if kind == "station":
            return actions.station([city.id for city in board.cities].index(words[0]))
        if kind == "keep":
            return actions.keep(sum(1 << int(place) - 1 for place in words))
        if kind == "extra":
            due, color = int(self.game.state["pend_extra"][0]), int(self.game.state["pend_color"][0])
            cards = card_list(words[0], text)
            named = [c for c in cards if c != LOCO]
            if len(cards) != due or any(c != color for c in named):
                return -1  # not even an action: it pays another number or another colour
            return actions.extra(len(cards) - len(named))
        codes = {"blind": actions.BLIND, "tickets": actions.TICKETS, "pass": actions.PASS}
        return {**codes, "back": actions.TAKE_BACK}[kind]

    def payment(self, action: int, cards: str) -> list[int]:
        """Decisions that pay exactly these cards for a claim or station; none when that is not legal."""
        if action not in self.game.legal():
            return []
        seat = self.game.seat
        before = self.game.state["hands"][0, seat].copy()
        wanted = counts(cards)
        todo = [[action]]
        while todo:
            codes = todo.pop()
            game = self.game.copy()
            for code in codes:
                game.step(code)
            spent = before - game.state["hands"][0, seat]
            if any(n > most for n, most in zip(spent, wanted, strict=True)):
                continue
            if game.phase in PAYING:
                todo += [[*codes, code] for code in game.legal()]
            elif list(spent) == wanted:
                return codes
        return []

    # What is seen

    def see(self, text: str) -> None:
        what, *words = text.split()
        getattr(self, f"_see_{what}")(*words)

    def field(self, name: str) -> Any:
        return self.game.state[name][0]

    def same_cards(self, found: Any, *words: str) -> None:
        """`words`: cards, "or", cards ..."""
        options = [sorted(word) for word in words if word != "or"]
        assert sorted(letters(found)) in options, f"{letters(found)} found"

    def _see_hand(self, seat: str, *cards: str) -> None:
        self.same_cards(self.field("hands")[seat_of(seat)], *cards)

    def _see_hand_size(self, seat: str, number: str) -> None:
        assert int(self.field("hand_n")[seat_of(seat)]) == int(number)

    def _see_shown(self, seat: str, *cards: str) -> None:
        """Cards that everybody knows to be in a hand."""
        self.same_cards(self.field("shown")[seat_of(seat)], *cards)

    def _see_market(self, cards: str) -> None:
        self.same_cards(self.field("market"), cards)

    def _see_locomotives_below(self, number: str) -> None:
        """In the market, which is full."""
        assert int(self.field("market")[LOCO]) < int(number)
        assert int(self.field("market").sum()) == self.game.rules.market_size

    def _see_discards(self, cards: str) -> None:
        """Cards, or their number."""
        found = self.field("discards")
        if cards.isdigit():
            assert int(found.sum()) == int(cards), f"{int(found.sum())} cards found"
        else:
            self.same_cards(found, cards)

    def _see_deck(self, number: str) -> None:
        assert int(self.field("deck_n")) == int(number), f"{int(self.field('deck_n'))} cards found"

    def _see_revealed(self, cards: str) -> None:
        self.same_cards(self.field("pend_revealed"), cards)

    def _see_due(self, number: str) -> None:
        assert int(self.field("pend_extra")) == int(number), f"{int(self.field('pend_extra'))} cards are due"

    def _see_turn(self, seat: str) -> None:
        """Whose turn begins."""
        assert (self.game.seat, self.game.phase) == (seat_of(seat), "TURN")

    def _see_phase(self, phase: str, seat: str) -> None:
        assert (self.game.seat, self.game.phase) == (seat_of(seat), phase)

    def _see_over(self, reason: str) -> None:
        assert self.game.is_over, "not over"
        assert self.game.result().reason == reason
        assert self.game.legal() == []

    def _see_running(self) -> None:
        assert not self.game.is_over
        assert self.game.legal()

    def _see_remaining(self, number: str) -> None:
        """Turns left; "-" while the end is not near."""
        assert int(self.field("remaining")) == (-1 if number == "-" else int(number))

    def _see_turns_done(self, seat: str, number: str) -> None:
        assert int(self.field("turns_done")[seat_of(seat)]) == int(number)

    def _see_owner(self, track: str, owner: str) -> None:
        index = self.code(f"claim {track}") - actions.CLAIM
        view = self.game.view(0)
        owners = [SEATS[p] for p in range(self.game.players) if index in view.owned(p)]
        assert owners == ([] if owner == "nobody" else [owner])

    def _see_used(self, seat: str, trains: str) -> None:
        """Trains on the board."""
        left = int(self.field("trains")[seat_of(seat)])
        assert self.game.rules.trains_per_player - left == int(trains)

    def _see_trains(self, seat: str, number: str) -> None:
        assert int(self.field("trains")[seat_of(seat)]) == int(number)

    def _see_points(self, seat: str, number: str) -> None:
        assert int(self.field("points")[seat_of(seat)]) == int(number)

    def _see_tickets(self, seat: str, *ids: str) -> None:
        assert {self.game.board.tickets[t].id for t in bits(self.field("tickets")[seat_of(seat)])} == set(ids)

    def _see_ticket_deck(self, *ids: str) -> None:
        assert [self.game.board.tickets[t].id for t in ticket_deck(self.game)] == list(ids)

    def _see_boxed(self, *ids: str) -> None:
        """These tickets are out of the game, in whatever company; "Ann.2" is the second that Ann was dealt."""
        assert {self.ticket(name) for name in ids} <= set(bits(self.field("box")))

    def _see_in_box(self, number: str) -> None:
        assert len(bits(self.field("box"))) == int(number), f"{len(bits(self.field('box')))} found"

    def _see_under_deck(self, *ids: str) -> None:
        """The ticket deck is that of the start with these below, in this order."""
        below = [self.ticket(name) for name in ids if name != "nothing"]
        assert ticket_deck(self.game) == self.ticket_deck + below

    def _see_offer(self, seat: str, long: str, plus: str, regular: str) -> None:
        """ "1 long + 3", the long ones seen first."""
        offer = self.offers[seat_of(seat)]
        assert long.isdigit() and plus == "long+", "write: 1 long+ 3"
        kinds = [self.game.board.tickets[t].long for t in offer]
        assert kinds == [True] * int(long) + [False] * int(regular)

    def _see_offer_size(self, seat: str, number: str) -> None:
        assert len(self.offers[seat_of(seat)]) == int(number)

    def _see_long_in_deck(self, number: str) -> None:
        dealt = sum(self.game.board.tickets[t].long for offer in self.offers for t in offer)
        found = sum(self.game.board.tickets[t].long for t in ticket_deck(self.game))
        assert found == (int(number) - dealt if int(number) else 0)

    def _see_result(self, seat: str, *parts: str) -> None:
        """ "longest=15 longest_bonus=10": parts of a SeatResult; "tickets+stations=14" is their sum."""
        found = self.game.result().seats[seat_of(seat)]
        for part in parts:
            name, _, number = part.partition("=")
            if name == "tickets+stations":
                value = found.tickets_won - found.tickets_lost + found.stations_points
            else:
                value = getattr(found, name)
            assert value == int(number), f"{name} is {value}"

    def _see_tie(self, *seats: str) -> None:
        """These are level on points."""
        found = self.game.result().seats
        assert len({found[seat_of(seat)].score for seat in seats}) == 1, [seat.score for seat in found]

    def _see_winner(self, seat: str, by: str, rule: str) -> None:
        result = self.game.result()
        assert (result.winners, result.decided_by, by) == ([seat_of(seat)], rule, "by"), result.decided_by

    def ticket(self, name: str) -> int:
        seat, dot, place = name.partition(".")
        if dot:
            return self.offers[seat_of(seat)][int(place) - 1]
        return [ticket.id for ticket in self.game.board.tickets].index(name)


def ticket_deck(game: Game) -> list[int]:
    """The ticket deck, top first."""
    state = game.state[0]
    ring, head = state["ticket_deck"], int(state["ticket_head"])
    return [int(ring[(head + i) % len(ring)]) for i in range(int(state["ticket_deck_n"]))]
