"""What must hold of what a seat sees, and of the worlds it may take for the true one."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from ttr_sim.engine import Game, faces
from ttr_sim.engine.layout import STATE, new_record
from ttr_sim.engine.view import bits

from .games import check_absent_seats, check_conserved, fields


def check_redeal(game: Game, seat: int, rng: Random) -> None:
    """Re-deal what a seat does not know, twice; both worlds are possible and look the same to it."""
    players = game.players
    view = new_record(STATE)
    faces.observe_game(game.tables, game.state, view, seat)
    check_nothing_hidden(game, view, seat)
    worlds = []
    for _ in range(2):
        world = new_record(STATE)
        start = np.uint64(rng.getrandbits(64))
        faces.redeal_view(game.tables, view, world, np.zeros(64, np.int64), start)
        other = Game(game.board, game.rules, players, world)
        check_conserved(other)
        check_absent_seats(other)
        again = new_record(STATE)
        faces.observe_game(game.tables, world, again, seat)
        assert fields(again) == fields(view)
        assert again.tobytes() == view.tobytes()
        if seat == game.seat:
            assert other.legal() == game.legal()
        check_possible(game, world)
        worlds.append(world.tobytes())
    assert int(world["viewer"][0]) == -1


def check_nothing_hidden(game: Game, view: Any, seat: int) -> None:
    """The view shows the own cards and tickets and of the others only numbers and what everybody saw."""
    state, seen = game.state[0], view[0]
    for p in range(game.players):
        own = p == seat
        assert seen["hands"][p].tolist() == (state["hands"][p].tolist() if own else [0] * 9)
        assert int(seen["tickets"][p]) == (int(state["tickets"][p]) if own else 0)
        for name in ("refused", "boxed"):
            assert int(seen[name][p]) == (int(state[name][p]) if own else 0)
        assert seen["offer"][p].tolist() == (state["offer"][p].tolist() if own else [-1] * 6)
    assert not seen["deck"].any()
    assert set(seen["ticket_deck"].tolist()) == {-1}
    assert (int(seen["seed"]), int(seen["ticket_head"])) == (0, 0)
    assert int(seen["box"]) == int(state["boxed"][seat])
    public = set(STATE.names or ()) - {
        *(
            "hands",
            "tickets",
            "refused",
            "boxed",
            "offer",
            "deck",
            "ticket_deck",
            "seed",
            "ticket_head",
            "box",
            "viewer",
        )
    }
    for name in public:
        assert seen[name].tolist() == state[name].tolist(), name


def check_possible(game: Game, world: Any) -> None:
    """Rules of the ticket piles: of a split pool each seat holds at most its long tickets, the deck none."""
    rules, state = game.rules, world[0]
    if rules.ticket_pool == "single":
        return
    long = {t for t, ticket in enumerate(game.board.tickets) if ticket.long}
    for p in range(game.players):
        offer = {int(t) for t in state["offer"][p] if t >= 0}
        assert len(long & ({*bits(state["tickets"][p])} | offer)) <= rules.tickets_setup.deal_long
    ring = {int(t) for t in state["ticket_deck"]}
    assert not long & ring
