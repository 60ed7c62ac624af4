"""Events replayed from logs: the same as what happens when the game is played step by step in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ttr_sim.board import load_board
from ttr_sim.bot.play import open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.engine import Game, actions
from ttr_sim.engine.layout import LOCO, PHASES
from ttr_sim.results.events import CLAIM, DRAW, LOST, NO_TURN, PASS, STATION, TICKETS, Recorder
from ttr_sim.rules import load_rules

TABLES = [("europe", 2), ("europe-zh", 3), ("nordic", 3), ("usa", 4)]
GAMES = 6
KINDS = {"take": DRAW, "blind": DRAW, "tickets": TICKETS, "pass": PASS, "claim": CLAIM, "station": STATION}


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def table(request: pytest.FixtureRequest) -> tuple[Any, Any, Any, Any]:
    preset, players = request.param
    rules = load_rules(preset)
    board = load_board(rules.board)
    bots = [parse_spec(name) for name in ("greedy", "random", "greedy", "random")[:players]]
    seeds = np.arange(100, 100 + GAMES, dtype=np.uint64)
    played = open_table(board, rules, bots).play(seeds, seeds, np.zeros(GAMES, np.int64))
    events = Recorder(board, rules, players).record(seeds, played.actions, played.offsets)
    games = [
        (Game.new(board, rules, players, int(seed), auto=False), played.actions[first:last].tolist())
        for seed, first, last in zip(seeds, played.offsets, played.offsets[1:], strict=False)
    ]
    return board, rules, events, [slow(*game) for game in games]


def slow(game: Game, log: list[int]) -> dict[str, Any]:
    """Play a logged game step by step and note what EVENTS holds."""
    seen: dict[str, Any] = {
        "claims": {},
        "stations": {},
        "held": {},
        "offered": {},
        "trigger": -1,
        "points": None,
    }
    seen["turns"] = np.zeros((5, 7), int)
    for name in ("face_up", "face_up_locos", "blind", "tunnels", "tunnel_extra"):
        seen[name] = np.zeros(5, int)
    seen["rounds"], seen["three"] = {}, 0
    start: tuple[int, int] = (0, 0)
    logged = iter(log)
    while not game.is_over:
        legal = game.legal()
        action = legal[0] if len(legal) == 1 else next(logged)
        before, seat = game.state.copy()[0], game.seat
        kind, number, _ = actions.decode(action)
        phase = PHASES[int(before["phase"])]
        done = int(before["turns_done"][seat])
        if phase == "TURN":
            seen["turns"][seat, KINDS[kind]] += 1
            seen["three"] += int(before["market"][LOCO]) >= 3
            numbers = (before["trains"][seat], before["hand_n"][seat], before["deck_n"])
            seen["rounds"][seat, done] = [KINDS[kind], *map(int, numbers)]
            start = int(before["hand_n"][seat]), int(before["hands"][seat, LOCO])
        if phase == "TUNNEL":
            seen["tunnel_extra"][seat] += int(before["pend_extra"])
        game.step(action)
        after = game.state[0]
        if kind in ("take", "blind"):
            seen["face_up" if kind == "take" else "blind"][seat] += 1
            seen["face_up_locos"][seat] += kind == "take" and number == LOCO
        if kind == "take_back":
            seen["turns"][seat, CLAIM] -= 1
            seen["turns"][seat, LOST] += 1
            seen["tunnels"][seat] += 1
            seen["rounds"][seat, done][0] = LOST
        if kind == "keep":
            for i, ticket in enumerate(before["offer"][seat][: int(before["offer_n"][seat])].tolist()):
                seen["offered"][ticket] = seen["offered"].get(ticket, 0) + 1
                if number >> i & 1:
                    seen["held"][ticket] = (seat, 0 if phase == "KEEP_SETUP" else done + 1)
        for track in new_bits(before["own"][seat], after["own"][seat]):
            paid = start[0] - int(after["hand_n"][seat]), start[1] - int(after["hands"][seat, LOCO])
            seen["claims"][track] = (seat, done + 1, *paid)
            seen["tunnels"][seat] += game.board.tracks[track].kind == "tunnel"
        if int(after["stations"][seat]) < int(before["stations"][seat]):
            city = [int(c) for c in after["station_city"][seat] if c >= 0][-1]
            seen["stations"][city] = (seat, done + 1)
        if int(before["trigger"]) < 0 <= int(after["trigger"]):
            seen["trigger"], seen["points"] = int(after["trigger"]), after["points"].tolist()
    assert next(logged, None) is None
    seen["result"], seen["reshuffles"] = game.result(), int(game.state["reshuffles"][0])
    seen["own"] = [set(new_bits(np.zeros(2, np.uint64), own)) for own in game.state["own"][0]]
    seen["open"] = set(new_bits(np.zeros(2, np.uint64), game.state["open"][0]))
    return seen


def new_bits(before: Any, after: Any) -> list[int]:
    return [
        t
        for t in range(128)
        if int(after[t >> 6]) >> (t & 63) & 1 and not int(before[t >> 6]) >> (t & 63) & 1
    ]


def test_claims_and_stations(table: Any) -> None:
    _, _, events, games = table
    for E, seen in zip(events, games, strict=True):
        assert E["whole"]
        claims = {
            t: (E["owner"][t], E["claim_round"][t], E["paid"][t], E["paid_locos"][t])
            for t in np.flatnonzero(E["owner"] >= 0)
        }
        assert claims == seen["claims"]
        stations = {
            c: (E["station_seat"][c], E["station_round"][c]) for c in np.flatnonzero(E["station_seat"] >= 0)
        }
        assert stations == seen["stations"]


def test_turns_and_rounds(table: Any) -> None:
    _, _, events, games = table
    for E, seen in zip(events, games, strict=True):
        assert (E["spent"] == seen["turns"]).all()
        for name in ("face_up", "face_up_locos", "blind", "tunnels", "tunnel_extra"):
            assert (E[name] == seen[name]).all(), name
        assert (E["three_locos"], E["reshuffles"]) == (seen["three"], seen["reshuffles"])
        rounds = {
            (int(p), int(r)): [int(E[name][p, r]) for name in ("kind", "trains", "cards", "deck")]
            for p, r in np.argwhere(E["kind"] != NO_TURN)
        }
        assert rounds == {key: row for key, row in seen["rounds"].items() if key[1] < E["kind"].shape[1]}
        assert E["trigger_seat"] == seen["trigger"]
        if seen["trigger"] >= 0:
            assert E["trigger_points"].tolist() == seen["points"]


def test_tickets_end_as_they_are_scored(table: Any) -> None:
    board, _, events, games = table
    for E, seen in zip(events, games, strict=True):
        held = {int(t): (E["holder"][t], E["kept_round"][t]) for t in np.flatnonzero(E["holder"] >= 0)}
        assert held == seen["held"]
        assert {int(t): int(E["offered"][t]) for t in np.flatnonzero(E["offered"])} == seen["offered"]
        for seat, result in enumerate(seen["result"].seats):
            own = [t for t, (holder, _) in held.items() if holder == seat]
            done = [t for t in own if E["done"][t]]
            assert len(done) == result.completed
            assert sum(board.tickets[t].points for t in done) == result.tickets_won


def test_cut_off_tickets_cannot_be_completed(table: Any) -> None:
    board, rules, events, games = table
    for E, seen in zip(events, games, strict=True):
        players = len(seen["result"].seats)
        claimed = set().union(*seen["own"][:players])
        assert E["closed"] == len(board.tracks) - len(claimed) - len(seen["open"])
        for t in np.flatnonzero(E["holder"] >= 0):
            seat = int(E["holder"][t])
            free = seen["own"][seat] | {
                track
                for track in seen["open"]
                if not (
                    players >= rules.double_routes_min_players and board.partner(track) in seen["own"][seat]
                )
            }
            apart = board.tickets[t].b not in reached(board, free, board.tickets[t].a)
            assert bool(E["cut_off"][t]) == (apart and not E["done"][t])


def reached(board: Any, tracks: set[int], start: int) -> set[int]:
    found, grown = {start}, True
    while grown:
        new = {c for t in tracks for c in (board.tracks[t].a, board.tracks[t].b)
               if {board.tracks[t].a, board.tracks[t].b} & found} - found  # fmt: skip
        grown = bool(new)
        found |= new
    return found


def test_a_log_that_does_not_fit_is_told(table: Any) -> None:
    board, rules, _, _ = table
    record = Recorder(board, rules, 2).record
    assert not record([1], [], [0, 0])["whole"][0]
    assert not record([1], [-1], [0, 1])["whole"][0]
