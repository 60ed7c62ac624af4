"""The observation holds everything a seat may know and nothing else."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.engine.games import TABLES, new_game
from ttr_sim.engine import Game, faces
from ttr_sim.engine.layout import COLORS, MAX_PLAYERS, MAX_TRACKS, STATE, new_record
from ttr_sim.engine.view import View, bits, track_list
from ttr_sim.envs.observation import LAYOUT, N_ACTIONS, SIZE, observe, part


def walk(preset: str, players: int, seed: int, decisions: int) -> Game:
    """A game some way on, with as many different things in it as random actions make."""
    rng = Random(seed)
    game = new_game(preset, players, seed)
    for _ in range(decisions):
        if game.is_over:
            break
        game.step(rng.choice(game.legal()))
    return game


def read_back(seen: Any, game: Game) -> dict[str, Any]:
    """The fields of the View from which an observation was written."""
    n = game.players
    me = int(part(seen, "seat").argmax())
    order = [(p - me) % n for p in range(n)]

    def by_seat(name: str) -> Any:
        found = np.zeros((MAX_PLAYERS, *LAYOUT[name].shape[1:]), int)
        found[:n] = part(seen, name)[order]
        return found

    def seat_of(name: str) -> int:
        here = part(seen, name)
        return int((here.argmax() + me) % n) if here.any() else -1

    def number(name: str) -> list[int]:
        return (by_seat(name) @ [100, 1]).tolist()  # type: ignore[no-any-return]

    def first(name: str, none: int) -> int:
        return int(part(seen, name).argmax()) if part(seen, name).any() else none

    offer = part(seen, "offer")
    payment = part(seen, "payment").tolist()
    return {
        "viewer": me,
        "own": [np.flatnonzero(row).tolist() for row in by_seat("owned")],
        "open to me": np.flatnonzero(part(seen, "open")).tolist(),
        "station_city": [np.flatnonzero(row).tolist() for row in by_seat("stations")],
        "tickets": np.flatnonzero(part(seen, "tickets")).tolist(),
        "refused": np.flatnonzero(part(seen, "refused")).tolist(),
        "boxed": np.flatnonzero(part(seen, "boxed")).tolist(),
        "offer": [int(row.argmax()) for row in offer if row.any()],
        "hand": part(seen, "hand").tolist(),
        "shown": by_seat("shown").tolist(),
        **{
            field: part(seen, name).tolist()
            for field, name in (
                ("market", "market"),
                ("discards", "discards"),
                ("pend_paid", "paid"),
                ("pend_revealed", "revealed"),
            )
        },
        **{
            field: by_seat(name).tolist()
            for field, name in (
                ("hand_n", "cards"),
                ("ticket_n", "ticket_count"),
                ("setup_kept", "setup_kept"),
                ("offer_n", "offered"),
                ("trains", "trains"),
                ("stations", "stations_left"),
            )
        },
        "points": number("points"),
        "turns_done": number("turns"),
        "turns": sum(number("turns")),
        "phase": first("phase", -1),
        "seat": seat_of("to_move"),
        "trigger": seat_of("trigger"),
        "reason": first("reason", -1),
        "drawn": int(part(seen, "draw")[0]),
        "first_blind": int(part(seen, "draw")[1]),
        "deck_n": int(part(seen, "decks")[0]),
        "ticket_deck_n": int(part(seen, "decks")[1]),
        "reshuffles": int(part(seen, "decks")[2]),
        "market_n": int(part(seen, "market").sum()),
        "passes": int(part(seen, "passes")[0]),
        "remaining": int(part(seen, "last_turns")[0]) - 1,
        "pend_track": first("pending_track", -1),
        "pend_city": first("pending_city", -1),
        "pend_color": first("payment_color", 0),
        "pend_locos": payment[0],
        "pend_sets": payment[1],
        "pend_left": payment[2],
        "pend_min": payment[3],
        "pend_extra": payment[4],
    }


SETS = ("tickets", "refused", "boxed")
FROM_OTHERS = {  # fields that follow from others: what is closed to a seat follows from who owns what
    *("open", "blocked", "station_mask", "hands", "box"),
    *("seed", "ticket_head", "ticket_deck", "deck", "spare"),  # blank in a View
}


def of_view(view: View) -> dict[str, Any]:
    record, me = view.record, view.seat
    found = {
        "own": [track_list(record["own"][p]) for p in range(MAX_PLAYERS)],
        "open to me": view.open,
        "station_city": [sorted(int(c) for c in row if c >= 0) for row in record["station_city"]],
        "offer": view.offer,
        "hand": view.hand,
        **{name: bits(record[name][me]) for name in SETS},
    }
    plain = set(STATE.names or ()) - FROM_OTHERS - set(found)
    return found | {name: record[name].tolist() for name in plain}


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_view_can_be_read_back(preset: str, players: int) -> None:
    rng = Random(f"{preset} {players}")
    game = new_game(preset, players, 5)
    while not game.is_over:
        game.step(rng.choice(game.legal()))
        seat = rng.randrange(players)
        view = game.view(seat)
        assert read_back(observe(view)["observation"], game) == of_view(view)


def test_what_is_closed_to_whom_follows_from_who_owns_what() -> None:
    """So it may be left out: `open` and `blocked` of every seat are rebuilt from the owners."""
    for preset, players in (("europe", 2), ("europe", 5), ("nordic-zh", 2)):
        game = walk(preset, players, 3, 150)
        several = players >= game.rules.double_routes_min_players
        owner = {t: p for p in range(players) for t in track_list(game.state["own"][0, p])}
        closed = {t for t in range(len(game.board.tracks)) if not several and game.board.partner(t) in owner}
        free = set(range(len(game.board.tracks))) - set(owner) - closed
        assert free == set(track_list(game.state["open"][0]))
        for p in range(players):
            mine = {t for t in free if several and owner.get(game.board.partner(t)) == p}
            assert mine == set(track_list(game.state["blocked"][0, p])) & free


@pytest.mark.parametrize(("preset", "players"), [("europe", 3), ("nordic", 3), ("usa", 5), ("europe-zh", 2)])
def test_it_is_the_same_in_every_world_the_seat_may_take_for_the_true_one(preset: str, players: int) -> None:
    for seed in range(3):
        game = walk(preset, players, seed, 20 + 40 * seed)
        for seat in range(players):
            view = game.view(seat)
            world = new_record(STATE)
            start = np.uint64(seed)
            faces.redeal_view(game.tables, view.array, world, np.zeros(64, np.int64), start)
            assert world.tobytes() != game.state.tobytes()
            other = Game(game.board, game.rules, players, world).view(seat)
            assert observe(other)["observation"].tolist() == observe(view)["observation"].tolist()


def test_the_mask_is_the_legal_actions() -> None:
    game = walk("europe", 2, 1, 30)
    for seat in range(2):
        mask = observe(game.view(seat))["action_mask"]
        assert np.flatnonzero(mask).tolist() == (game.legal() if seat == game.seat else [])
        assert (mask.dtype, mask.shape) == (np.int8, (N_ACTIONS,))


def test_the_layout_has_no_gaps() -> None:
    ends = [0]
    for at, shape, meaning in LAYOUT.values():
        assert at.start == ends[-1]
        assert at.stop - at.start == np.prod(shape)
        assert meaning
        ends.append(at.stop)
    assert ends[-1] == SIZE


def test_parts_of_a_batch() -> None:
    batch = np.stack([observe(walk("usa", 3, seed, 40).view(1))["observation"] for seed in range(4)])
    assert batch.dtype == np.int8
    assert part(batch, "owned").shape == (4, MAX_PLAYERS, MAX_TRACKS)
    assert part(batch, "hand")[2].tolist() == walk("usa", 3, 2, 40).view(1).hand
    assert (batch >= 0).all()
    assert part(batch, "hand")[..., :COLORS].any()
    part(batch, "hand")[:] = 0  # a view, not a copy
    assert not part(batch, "hand").any()
