"""Odd positions of every preset: what a bot's author seldom thinks of, but long or unlucky games bring about."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ttr_sim import paths
from ttr_sim.bot.conformance.check import setting
from ttr_sim.engine import Game, Position
from ttr_sim.errors import TtrError

Maker = Callable[[Position], Position]


def odd_positions() -> Iterator[tuple[str, Game]]:
    """Yield a name and a game with something to decide, for every preset in which the position can occur."""
    for preset in paths.available(paths.RULES):
        board, rules = setting(preset)
        players = rules.players[0]
        for name, make in _MAKERS.items():
            try:
                game = make(Position(board, rules, players)).build(auto=True)
            except TtrError:
                continue  # not under these rules
            while len(game.legal()) == 1:
                game.step(game.legal()[0])
            if not game.is_over:
                yield name, game


def _own(position: Position, seat: int, spaces: int) -> Position:
    """Give a seat the shortest tracks that are still free, up to so many spaces."""
    taken = {t for owned in position._owned.values() for t in owned}
    for t, track in enumerate(position.board.tracks):
        partner = position.board.partner(t)
        if t not in taken and partner not in taken and track.length <= spaces:
            position.owns(seat, track.id)
            taken.add(t)
            spaces -= track.length
    return position


def _tickets(position: Position, seat: int, number: int) -> Position:
    regular = [ticket.id for ticket in position.board.tickets if not ticket.long]
    return position.tickets(seat, *regular[:number])


def _all_but(position: Position, number: int) -> Position:
    """Leave so many tickets in the ticket deck."""
    regular = [ticket.id for ticket in position.board.tickets if not ticket.long]
    return position.ticket_deck(*regular[len(regular) - number :])


def _trains(position: Position, left: int) -> Position:
    return _tickets(position.hand(0, "RRBBYL").trains(0, left), 0, 3)


_HAND = "PPPWWWBBBYYYOOOKKKRRRGGGLLLL"

_MAKERS: dict[str, Maker] = {
    "no deck, few discards": lambda p: p.hand(0, "RRRLL").market("PPWWB").discards("YY").rest(1),
    "nothing to draw": lambda p: _tickets(p.hand(0, _HAND).market("").rest(1), 0, 3),
    "nothing to draw, no cards": lambda p: _tickets(p.market("").rest(1), 0, 2),
    "one card to draw": lambda p: _tickets(p.hand(0, "PP").market("").rest(1).market("R"), 0, 2),
    "nothing to draw, no tickets": lambda p: _all_but(p.hand(0, "RRR").market("").rest(1), 0),
    "market of locomotives": lambda p: p.hand(0, "RR").market("LLLRB"),
    "closed market, no deck": lambda p: p.hand(0, _HAND).market("LLLLL").rest(1),
    "one train left": lambda p: _trains(p, 1),
    "two trains left": lambda p: _trains(p, 2),
    "no train left, last turn": lambda p: _trains(p, 0).last_turns(1, 1),
    "last turn": lambda p: _trains(p, 9).last_turns(1, 1),
    "last round": lambda p: _tickets(p.hand(0, _HAND).last_turns(1, 2), 0, 5),
    "all but one kind of card": lambda p: p.hand(0, "PPPPPPPPPPPPWWWWWWWWWWWWBBBBBBBBBBBBYYYYYYYYYYYY"),
    "fourteen locomotives": lambda p: _tickets(p.hand(0, "L" * 14), 0, 3),
    "no card at all": lambda p: _tickets(p, 0, 3),
    "twenty tickets": lambda p: _tickets(p.hand(0, _HAND), 0, 20),
    "one ticket in the deck": lambda p: _all_but(_tickets(p.hand(0, _HAND), 0, 2), 1),
    "no ticket in the deck": lambda p: _all_but(_tickets(p.hand(0, _HAND), 0, 2), 0),
    "no ticket at all": lambda p: _all_but(p.hand(0, _HAND), 0),
    "most tracks taken": lambda p: _own(_own(_tickets(p.hand(0, _HAND), 0, 6), 1, 40), 0, 38),
    "all stations placed": lambda p: p.hand(0, _HAND).station(
        0, *[city.id for city in p.board.cities[: p.rules.stations_per_player]]
    ),
    "station price out of reach": lambda p: p.hand(0, "RBP").station(
        0, *[city.id for city in p.board.cities[: p.rules.stations_per_player - 1]]
    ),
}
