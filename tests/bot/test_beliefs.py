"""Worlds with likelier tickets in other hands: still possible, and likelier."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.engine.games import TABLES, board_of, check_absent_seats, check_conserved, new_game, rules_of
from ttr_sim.bot.beliefs import believe, ticket_weights
from ttr_sim.bot.planning import PLAN
from ttr_sim.engine import Game, Position, faces
from ttr_sim.engine.jit import entry
from ttr_sim.engine.layout import MAX_PLAYERS, MAX_TICKETS, STATE, new_record


@entry
def _weights(tables, views, plans, weights, belief):  # type: ignore[no-untyped-def]
    ticket_weights(tables[0], views[0], plans[0], weights, belief)


@entry
def _believe(tables, views, states, weights, rng):  # type: ignore[no-untyped-def]
    return believe(tables[0], views[0], states[0], weights, rng)


def weights_of(game: Game, view: Any, belief: float = 1.0) -> Any:
    weights = np.zeros((MAX_PLAYERS, MAX_TICKETS))
    _weights(game.tables, view, np.zeros(1, PLAN), weights, belief)
    return weights


def worlds(game: Game, seat: int, seed: int, belief: float = 1.0) -> tuple[Any, Any, Any]:
    """The view of a seat, a world dealt for it, and the same world believed."""
    view, dealt = new_record(STATE), new_record(STATE)
    faces.observe_game(game.tables, game.state, view, seat)
    rng = faces.redeal_view(game.tables, view, dealt, np.zeros(64, np.int64), np.uint64(seed))
    believed = dealt.copy()
    _believe(game.tables, view, believed, weights_of(game, view, belief), np.uint64(rng))
    return view, dealt, believed


@pytest.mark.parametrize(("preset", "players"), TABLES, ids=lambda value: str(value))
def test_a_believed_world_is_possible(preset: str, players: int) -> None:
    rng = Random(f"{preset} {players}")
    game = new_game(preset, players, 5)
    changed = 0
    while not game.is_over:
        if rng.random() < 0.2:
            seat = rng.randrange(players)
            view, dealt, believed = worlds(game, seat, rng.getrandbits(64))
            other = Game(game.board, game.rules, players, believed)
            check_conserved(other)
            check_absent_seats(other)
            again = new_record(STATE)
            faces.observe_game(game.tables, believed, again, seat)
            assert again.tobytes() == view.tobytes()
            for name in ("hands", "offer", "deck", "ticket_deck_n"):
                assert believed[name].tobytes() == dealt[name].tobytes()
            changed += believed.tobytes() != dealt.tobytes()
        game.step(rng.choice(game.legal()))
    assert changed


def joined() -> Game:
    """Seat 1 has joined Boston and Miami, and built half the way from Atlanta to Montreal; it holds four tickets."""
    position = Position(board_of("usa"), rules_of("usa"), 2)
    position.owns(1, "boston-new_york-1", "new_york-washington-1", "raleigh-washington-1")
    position.owns(1, "charleston-raleigh", "charleston-miami")
    position.tickets(0, "atlanta-new_york")
    position.tickets(1, "dallas-new_york", "helena-los_angeles", "denver-pittsburgh", "chicago-santa_fe")
    return position.build()


def test_what_tracks_join_is_likely_held() -> None:
    game = joined()
    number = {ticket.id: t for t, ticket in enumerate(game.board.tickets)}
    held = {belief: np.zeros(len(number)) for belief in (0.0, 1.0)}
    for belief, times in held.items():
        for seed in range(400):
            believed = worlds(game, 0, seed, belief)[2]
            times += [int(believed["tickets"][0, 1]) >> t & 1 for t in range(len(number))]
    four = 4 / 29  # of those that seat 0 does not hold
    assert held[0.0][number["boston-miami"]] / 400 == pytest.approx(four, abs=0.07)
    assert held[1.0][number["boston-miami"]] / 400 > 0.8
    assert held[1.0][number["atlanta-montreal"]] > 2 * held[1.0][number["los_angeles-seattle"]]
    assert held[1.0][number["atlanta-new_york"]] == 0  # seat 0 has it


def test_weights_of_one_who_has_built_nothing() -> None:
    game = new_game("nordic", 3, 1)
    assert (weights_of(game, game.view(0).array)[:3, : len(game.board.tickets)] == 1.0).all()
