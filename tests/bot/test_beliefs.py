"""Worlds with likelier tickets in other hands: still possible, and likelier."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.engine.games import TABLES, board_of, check_absent_seats, check_conserved, new_game, rules_of
from ttr_sim.bot.ask import ask
from ttr_sim.bot.beliefs import HUNCH, believe, hunch
from ttr_sim.bot.planning import PLAN
from ttr_sim.bot.specs import parse_spec
from ttr_sim.engine import Game, Position, faces
from ttr_sim.engine.jit import entry
from ttr_sim.engine.layout import STATE, new_record


@entry
def _hunch(tables, views, plans, hunches, belief):  # type: ignore[no-untyped-def]
    hunch(tables[0], views[0], plans[0], hunches[0], belief)


@entry
def _believe(tables, views, states, plans, hunches, sets, rng):  # type: ignore[no-untyped-def]
    return believe(tables[0], views[0], states[0], plans[0], hunches[0], sets, rng)


def hunch_of(game: Game, view: Any, belief: float = 1.0) -> Any:
    found = np.zeros(1, HUNCH)
    _hunch(game.tables, view, np.zeros(1, PLAN), found, belief)
    return found


def worlds(game: Game, seat: int, seed: int, belief: float = 1.0, sets: int = 8) -> tuple[Any, Any, Any]:
    """The view of a seat, a world dealt for it, and the same world believed."""
    view, dealt = new_record(STATE), new_record(STATE)
    faces.observe_game(game.tables, game.state, view, seat)
    rng = faces.redeal_view(game.tables, view, dealt, np.zeros(64, np.int64), np.uint64(seed))
    believed = dealt.copy()
    _believe(
        game.tables, view, believed, np.zeros(1, PLAN), hunch_of(game, view, belief), sets, np.uint64(rng)
    )
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


def test_what_fits_together_is_likely_held() -> None:
    """Of one who has built nothing two tickets are known, not which: more likely such as share tracks and are worth it."""
    position = Position(board_of("usa"), rules_of("usa"), 2)
    position.tickets(0, "atlanta-new_york")
    position.tickets(1, "dallas-new_york", "helena-los_angeles")
    game = position.build()
    tickets = game.board.tickets
    points = {belief: 0.0 for belief in (0.0, 1.0)}
    shared = dict(points)
    for belief in points:
        for seed in range(300):
            word = int(worlds(game, 0, seed, belief)[2]["tickets"][0, 1])
            first, second = (ticket for t, ticket in enumerate(tickets) if word >> t & 1)
            points[belief] += (first.points + second.points) / 300
            shared[belief] += len({first.a, first.b} & {second.a, second.b}) / 300
    assert points[1.0] > points[0.0] + 2
    assert shared[1.0] > 1.5 * shared[0.0]


@pytest.mark.parametrize("preset", ["europe", "nordic", "usa"])
def test_what_planner_holds_is_believed_far_sooner(preset: str) -> None:
    planner = parse_spec("planner")
    rng = Random(preset)
    hits = {"dealt": 0, "believed": 0}
    for seed in range(3):
        game = new_game(preset, 2, seed)
        while not game.is_over:
            if game.phase == "TURN" and rng.random() < 0.1:
                seat = game.seat
                for _ in range(5):
                    _, dealt, believed = worlds(game, seat, rng.getrandbits(64))
                    held = int(game.state["tickets"][0, 1 - seat])
                    hits["dealt"] += (int(dealt["tickets"][0, 1 - seat]) & held).bit_count()
                    hits["believed"] += (int(believed["tickets"][0, 1 - seat]) & held).bit_count()
            game.step(ask(planner, game, seed).action)
    assert hits["believed"] > 3 * hits["dealt"] > 0, hits


def test_a_long_ticket_may_be_held_or_not() -> None:
    """Whoever kept two of four tickets has its long one or has not: belief may change what was dealt."""
    game = new_game("europe", 2, 3)
    while game.phase == "KEEP_SETUP":
        game.step(game.legal()[0])
    longs = int(game.tables["long_tickets"][0])
    found = set()
    for seed in range(200):
        _, dealt, believed = worlds(game, 0, seed)
        found.add(tuple((int(world["tickets"][0, 1]) & longs).bit_count() for world in (dealt, believed)))
    assert found == {(0, 0), (0, 1), (1, 0), (1, 1)}
