"""Positions built by hand: what they are when nothing is said, and what cannot be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ttr_sim.engine import Game, Position
from ttr_sim.errors import TtrError

from .games import TABLES, board_of, check_absent_seats, check_conserved, rules_of

Change = Callable[[Position], Position]


def position(preset: str = "europe", players: int = 2) -> Position:
    return Position(board_of(preset), rules_of(preset), players)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_an_empty_position_is_possible(preset: str, players: int) -> None:
    game = position(preset, players).build()
    check_conserved(game)
    check_absent_seats(game)
    assert (game.seat, game.phase) == (0, "TURN")
    assert int(game.state["market_n"][0]) == game.rules.market_size
    assert not game.state["hands"].any()
    assert game.state["trains"][0, 0] == game.rules.trains_per_player


def test_everything_that_can_be_said() -> None:
    game = (
        position(players=3)
        .hand(1, "RR BL")
        .shown(1, "RL")
        .market("PWBYO")
        .deck("LKG")
        .discards("GG")
        .owns(1, "paris-zurich", "munchen-zurich")
        .station(2, "wien", "roma")
        .tickets(1, "athina-edinburgh", "berlin-roma")
        .turns_done(0, 4)
        .turns_done(1, 3)
        .to_move(1)
        .last_turns(0, 2)
        .build()
    )
    check_conserved(game)
    view = game.view(1)
    assert view.hand == [0, 0, 1, 0, 0, 0, 2, 0, 1]
    assert view.known_cards(1) == [0, 0, 0, 0, 0, 0, 1, 0, 1]
    assert view.market == [1, 1, 1, 1, 1, 0, 0, 0, 0]
    assert view.discards == [0, 0, 0, 0, 0, 0, 0, 2, 0]
    assert view.trains == [45, 40, 45]
    assert view.points == [0, 6, 0]
    assert [game.board.cities[c].id for c in view.station_cities(2)] == ["wien", "roma"]
    assert view.stations == [3, 3, 1]
    assert view.ticket_counts == [0, 2, 0]
    assert view.turns_left == 2
    assert int(game.state["turns"][0]) == 7
    deck = game.state["deck"][0, : view.deck_size].tolist()
    assert deck[-3:] == [7, 5, 8]
    assert view.deck_size == 110 - 4 - 5 - 2


def test_the_other_cards_go_where_they_are_sent() -> None:
    game = position().deck("RG").rest("discards").build()
    assert game.view(0).deck_size == 2
    assert sum(game.view(0).discards) == 103
    game = position().market("").deck("").rest(1).build()
    assert game.view(0).hand_sizes == [0, 110]
    check_conserved(game)


def test_trains_and_points_may_be_set() -> None:
    game = position().owns(0, "paris-zurich").trains(0, 7).points(0, 99).build()
    assert (game.view(0).trains[0], game.view(0).points[0]) == (7, 99)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p.hand(2, "R"), "seat 2: must be 0 to 1"),
        (lambda p: p.hand(0, "RX"), "'X' is no card"),
        (lambda p: p.hand(0, "R" * 13), "more R cards than there are"),
        (lambda p: p.hand(0, "L" * 8).deck("L" * 7), "deck: more L cards than there are"),
        (lambda p: p.market("PWBYOK"), "market: at most 5 cards"),
        (lambda p: p.market("PWBY"), "the market is not full"),
        (lambda p: p.market("LLLBY"), "three face-up locomotives would have been replaced"),
        (lambda p: p.owns(0, "paris-zurch"), "unknown track 'paris-zurch' .did you mean 'paris-zurich'"),
        (lambda p: p.owns(0, "paris-zurich").owns(1, "paris-zurich"), "paris-zurich: owned, or closed"),
        (lambda p: p.owns(0, "frankfurt-paris-1").owns(1, "frankfurt-paris-2"), "frankfurt-paris-2: owned"),
        (lambda p: p.owns(0, *[t.id for t in p.board.tracks if not t.parallel][:40]), "more spaces than"),
        (lambda p: p.station(0, "wien").station(1, "wien"), "two stations in wien"),
        (lambda p: p.station(0, "wien", "roma", "berlin", "paris"), "has 3 stations, not 4"),
        (lambda p: p.station(0, "vienna"), "unknown city 'vienna'"),
        (lambda p: p.tickets(0, "berlin-roma").tickets(1, "berlin-roma"), "a ticket is placed twice"),
        (lambda p: p.tickets(0, "berlin-roma", "berlin-roma"), "a ticket is placed twice"),
        (lambda p: p.tickets(0, "athina-edinburgh", "brest-petrograd"), "more long tickets than the 1"),
        (lambda p: p.tickets(0, "berlin-rom"), "unknown ticket 'berlin-rom'"),
        (lambda p: p.tickets(0, "berlin-roma").ticket_deck("berlin-roma"), "the ticket deck holds"),
        (lambda p: p.ticket_deck("athina-edinburgh"), "the ticket deck holds .* a long one"),
        (lambda p: p.trains(0, 46), "trains of seat 0 is 46: must be 0 to 45"),
        (lambda p: p.points(0, -1), "points of seat 0 is -1"),
        (lambda p: p.shown(0, "R"), "shown cards of seat 0: more than it has"),
        (lambda p: p.rest("box"), "'box'"),
        (lambda p: p.last_turns(0, 0), "0 turns left: must be 1 to 2"),
        (lambda p: p.last_turns(0, 3), "3 turns left: must be 1 to 2"),
    ],
)
def test_what_cannot_be(change: Change, message: str) -> None:
    with pytest.raises(TtrError, match=message) as caught:
        change(position()).build()
    assert "\n" not in str(caught.value)


def test_players_must_fit_the_rules() -> None:
    with pytest.raises(TtrError, match="2 to 3 players"):
        position("nordic", 4)


def test_auto_takes_forced_decisions_later() -> None:
    def built(auto: bool) -> Game:
        ready = position("usa").hand(0, "R").market("").deck("").rest(1).ticket_deck()
        return ready.build(auto=auto)

    claim = built(False).legal()[0]
    assert built(False).step(claim) == [(0, claim)]
    assert [seat for seat, _ in built(True).step(claim)][:2] == [0, 0]
