"""Positions built by hand for the tests of the reference model, in the letters of the scenarios."""

from __future__ import annotations

import copy
from functools import cache

from . import codes
from .board import COLORS, GRAY, Board, Options, Ticket, Track, make_board, read_board, read_presets
from .model import ReferenceGame

LETTERS = "PWBYOKRGL"
PRESETS = read_presets()
EUROPE = ["europe", "europe-zh", "europe-fa", "europe-en"]
NORDIC = ["nordic", "nordic-zh"]
ANN, BO, CY = range(3)


@cache
def board_of(preset: str) -> Board:
    """The real board of a preset."""
    return read_board(PRESETS[preset]["board"])


def counts(letters: str) -> list[int]:
    """Cards by colour."""
    return [letters.count(letter) for letter in LETTERS]


def letters(cards: list[int]) -> str:
    """The letters of cards counted by colour, in colour order."""
    return "".join(letter * n for letter, n in zip(LETTERS, cards, strict=True))


def in_order(text: str) -> str:
    """The same letters in colour order."""
    return letters(counts(text.replace(" ", "")))


def take(letter: str) -> int:
    """The code for taking a face-up card."""
    return LETTERS.index(letter)


def made_up(*lines: str, tickets: tuple[str, ...] = (), marked: tuple[str, ...] = ()) -> Board:
    """A board from lines "A-B 3 [colour] [kind] [symbols]" and tickets "A-C 6 [long]".

    Two lines with the same cities are parallel tracks, with ids "A-B" and "A-B-2".
    """
    cities: list[str] = []
    tracks: list[Track] = []
    parallels: dict[str, str] = {}

    def number(city: str) -> int:
        if city not in cities:
            cities.append(city)
        return cities.index(city)

    for line in lines:
        pair, length, *rest = line.split()
        color, kind, symbols = [*rest, *["gray", "normal", "0"][len(rest) :]]
        a, b = pair.split("-")
        name = pair if pair not in parallels else pair + "-2"
        parallels[name] = pair
        tracks.append(
            Track(
                name,
                number(a),
                number(b),
                int(length),
                GRAY if color == "gray" else COLORS.index(color),
                kind,
                int(symbols),
                marked=name in marked,
            )
        )
    destinations = []
    for line in tickets:
        pair, points, *rest = line.split()
        a, b = pair.split("-")
        destinations.append(Ticket(pair, number(a), number(b), int(points), rest == ["long"]))
    return make_board(tracks, cities, destinations, parallels)


def position(
    preset: str,
    board: Board | None = None,
    players: int = 2,
    hands: tuple[str, ...] = (),
    market: str = "PWBYO",
    deck: str | None = None,
    discards: str = "",
    tickets_left: tuple[int, ...] = (),
    **options: object,
) -> ReferenceGame:
    """A position at the start of Ann's turn; `deck` has the top card first and has no other cards.

    Without `deck` the deck has three cards of each colour. Options override the preset.
    """
    chosen: Options = {**PRESETS[preset], **options}
    game = ReferenceGame(board or board_of(preset), chosen, players)
    for hand, cards in zip(game.hands, hands, strict=False):
        hand[:] = counts(cards)
    game.market = counts(market)
    pile = "PWBYOKRG" * 3 if deck is None else deck.replace(" ", "")
    game.deck = [LETTERS.index(letter) for letter in reversed(pile)]
    game.discards = counts(discards)
    game.ticket_deck = list(tickets_left)
    return game


def track(game: ReferenceGame, name: str) -> int:
    """The number of a track."""
    return next(t for t, track in enumerate(game.board.tracks) if track.id == name)


def claim(game: ReferenceGame, name: str) -> int:
    """The code for claiming a track."""
    return codes.CLAIM + track(game, name)


def station(game: ReferenceGame, city: str) -> int:
    """The code for a station in a city."""
    return codes.STATION + game.board.cities.index(city)


def own(game: ReferenceGame, seat: int, *names: str) -> None:
    """Give a seat tracks, without trains, points or cards."""
    for name in names:
        game.owner[track(game, name)] = seat


def do(game: ReferenceGame, *actions: int) -> None:
    """Carry out these actions, checked, and after each what is forced within the same turn."""
    for action in actions:
        game.step(action)
        while game.phase not in ("TURN", "OVER") and len(game.legal()) == 1:
            game.apply(game.legal()[0])


def payments(game: ReferenceGame, action: int) -> set[str]:
    """Every set of cards with which a claim or a station can be paid, as letters in colour order."""
    if action not in game.legal():
        return set()
    seat = game.seat
    before = list(game.hands[seat])
    found = set()
    stack = [(copy.deepcopy(game, {id(game.board): game.board}), action)]
    while stack:
        now, next_action = stack.pop()
        now.step(next_action)
        if now.phase in ("PAY", "SETS", "FILLER", "SETCARDS"):
            stack += [(copy.deepcopy(now, {id(now.board): now.board}), code) for code in now.legal()]
        else:
            after = now.hands[seat]
            if not now.pending:
                assert now.owner != game.owner or now.station_cities != game.station_cities
            found.add(letters([b - a for b, a in zip(before, after, strict=True)]))
    return found


def pay_with(game: ReferenceGame, action: int, cards: str) -> None:
    """Claim or place a station, paying exactly these cards of one colour and locomotives."""
    locos = cards.count("L")
    rest = cards.replace("L", "")
    color = LETTERS.index(rest[0]) if rest else codes.NO_COLOR
    game.step(action)
    game.step(codes.pay(color, locos))
    if game.phase == "SETS":
        game.step(codes.SETS)
