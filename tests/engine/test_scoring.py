"""Exact scoring against slow ways to the same numbers: longest path, stations, bonuses, ranking."""

from __future__ import annotations

import itertools
import time
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.scenarios.boards import made_up
from ttr_sim.board import Board
from ttr_sim.engine import Game, Position, Result
from ttr_sim.engine.cuts import best_cut
from ttr_sim.engine.jit import entry
from ttr_sim.engine.layout import TABLES, WORK, new_record
from ttr_sim.engine.network import length_bits, load_network
from ttr_sim.engine.scoring import SCORES, _rank
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.trail import _odd_cities, longest_trail
from ttr_sim.engine.view import bits, track_list
from ttr_sim.rules import Rules

from .games import POLICIES, PRESETS, board_of, new_game, rules_of
from .games import TABLES as GAME_TABLES
from .networks import (
    Edges,
    components,
    grown_network,
    longest_by_programming,
    longest_of_all_sets,
    random_network,
)

# ---------------------------------------------------------------- the longest path


@entry
def _trail(tables, works, own):  # type: ignore[no-untyped-def]
    return longest_trail(tables[0], works[0], own, 0)


@entry
def _cut(tables, works, own, part, total):  # type: ignore[no-untyped-def]
    """What the search for cuts says of a connected part, whatever its number of cycles."""
    work = works[0]
    n = load_network(tables[0], work, own)
    odd = _odd_cities(work, part)
    return total if odd <= 2 else best_cut(work, part, odd, total, 0, length_bits(work, n))


WORKS = new_record(WORK)


def network_tables(edges: Edges) -> tuple[Any, Any]:
    """Tables with these edges as tracks, and the set of all of them."""
    tables = new_record(TABLES)
    tables["n_cities"] = 1 + max((max(a, b) for a, b, _ in edges), default=0)
    for i, (a, b, length) in enumerate(edges):
        tables["city_a"][0, i], tables["city_b"][0, i], tables["length"][0, i] = a, b, length
    return tables, np.array([(1 << len(edges)) - 1, 0], np.uint64)


def trail(edges: Edges) -> int:
    tables, own = network_tables(edges)
    return int(_trail(tables, WORKS, own))


def trail_by_cuts(edges: Edges) -> int:
    tables, own = network_tables(edges)
    best = 0
    for part in components(edges):
        total = sum(edges[e][2] for e in part)
        best = max(best, int(_cut(tables, WORKS, own, np.uint64(sum(1 << e for e in part)), total)))
    return best


LENGTHS = ((1,), (1, 2), (2, 3), (1, 2, 3, 4, 6, 8))


def test_nothing_owned() -> None:
    assert trail([]) == 0


def test_small_networks() -> None:
    rng = Random(1)
    for _ in range(1500):
        edges = random_network(rng, rng.randint(2, 9), rng.randint(1, 11), rng.choice(LENGTHS))
        expected = longest_of_all_sets(edges)
        assert trail(edges) == expected, edges
        assert trail_by_cuts(edges) == expected, edges


def test_small_dense_networks() -> None:
    """Six or seven cities with nearly all edges: up to eleven independent cycles."""
    rng = Random(2)
    for _ in range(60):
        edges = random_network(rng, rng.randint(6, 7), rng.randint(13, 16), rng.choice(LENGTHS))
        expected = longest_of_all_sets(edges)
        assert trail(edges) == expected, edges
        assert trail_by_cuts(edges) == expected, edges


def test_large_networks_of_few_cycles() -> None:
    """The two methods of the engine against each other."""
    rng = Random(3)
    for _ in range(1500):
        cities = rng.randint(8, 35)
        edges = grown_network(rng, cities, cities - 1 + rng.randint(0, 8), rng.choice(LENGTHS))
        assert trail(edges) == trail_by_cuts(edges), edges


def test_methods_agree_with_integer_programming() -> None:
    rng = Random(4)
    for _ in range(25):
        edges = grown_network(rng, rng.randint(8, 16), rng.randint(12, 30), rng.choice(LENGTHS))
        assert trail(edges) == longest_by_programming(edges), edges


def test_dense_networks_of_sixty_trains() -> None:
    """The most trains there can be on tracks of length 1 and 2: dozens of independent cycles."""
    rng = Random(5)
    slowest = 0.0
    for i in range(60):
        lengths = rng.choice(((1,), (1, 2)))
        edges = grown_network(rng, rng.randint(12, 36), 60, lengths)
        while sum(length for _, _, length in edges) > 60:
            edges.pop(rng.randrange(len(edges)))
        start = time.process_time()
        found = trail(edges)
        slowest = max(slowest, time.process_time() - start)
        assert found == trail_by_cuts(edges)
        if i < 12:
            assert found == longest_by_programming(edges), edges
    assert slowest < 1.0


@pytest.mark.parametrize("shape", ["grid", "hubs", "blocks"])
def test_awkward_networks(shape: str) -> None:
    """Few short ways to pair off the odd cities."""
    if shape == "grid":
        edges = [(6 * y + x, 6 * y + x + 1, 1) for x in range(5) for y in range(5)]
        edges += [(6 * y + x, 6 * y + x + 6, 1) for x in range(6) for y in range(4)]
    elif shape == "hubs":
        edges = [(hub, 3 + city, 1) for city in range(20) for hub in range(3)]
    else:
        edges = [(4 * k + a, 4 * k + b, 1) for k in range(8) for a, b in itertools.combinations(range(4), 2)]
        edges += [(4 * k, 4 * k + 5, 1) for k in range(7)]
    assert trail(edges) == longest_by_programming(edges)


# ---------------------------------------------------------------- tickets and stations


def connected(edges: list[tuple[int, int]], a: int, b: int) -> bool:
    reached = {a}
    while True:
        more = {city for edge in edges if reached & {*edge} for city in edge} - reached
        if not more:
            return b in reached
        reached |= more


def best_borrowing(game: Game, seat: int) -> tuple[int, int, int]:
    """Ticket points, completed tickets and borrowing stations of the best of all ways to borrow (ruling 8)."""
    state, board, rules = game.state[0], game.board, game.rules
    own = [(board.tracks[t].a, board.tracks[t].b) for t in track_list(state["own"][seat])]
    others = [t for p in range(game.players) if p != seat for t in track_list(state["own"][p])]
    tickets = [board.tickets[t] for t in bits(state["tickets"][seat])]
    cities = [int(c) for c in state["station_city"][seat] if c >= 0]
    choices = []
    for city in cities:
        touching = [t for t in others if city in (board.tracks[t].a, board.tracks[t].b)]
        choices.append([None, *touching])
    found = []
    for picks in itertools.product(*choices):
        borrowed = [t for t in picks if t is not None]
        edges = own + [(board.tracks[t].a, board.tracks[t].b) for t in borrowed]
        done = [connected(edges, ticket.a, ticket.b) for ticket in tickets]
        points = sum(t.points if yes else -t.points for t, yes in zip(tickets, done, strict=True))
        free = rules.stations_per_player - len(borrowed if rules.station_bonus == "unborrowed" else cities)
        found.append((points + rules.station_points * free, sum(done), -len(borrowed), points))
    _, completed, minus_borrowed, points = max(found)
    return points, completed, -minus_borrowed


def random_position(rng: Random, board: Board, rules: Rules, players: int, density: float) -> Game:
    """Tracks, stations and tickets anywhere."""
    position = Position(board, rules, players)
    spare = [rules.trains_per_player] * players
    closed = players < rules.double_routes_min_players
    owner: dict[int, int] = {}
    for t, track in enumerate(board.tracks):
        seat = rng.randrange(players)
        partner = owner.get(board.partner(t))
        if rng.random() < density and spare[seat] >= track.length and partner != seat:
            if partner is not None and closed:
                continue
            owner[t] = seat
            spare[seat] -= track.length
            position.owns(seat, track.id)
    cities = [city.id for city in board.cities]
    rng.shuffle(cities)
    tickets = [t.id for t in board.tickets if not t.long]
    rng.shuffle(tickets)
    for seat in range(players):
        position.station(seat, *[cities.pop() for _ in range(rng.randint(0, rules.stations_per_player))])
        position.tickets(seat, *[tickets.pop() for _ in range(rng.randint(1, 5))])
    return position.build()


def small_board(rng: Random) -> Board:
    """Eight cities, some 16 tracks of one space, tickets of few points."""
    pairs = [(a, b) for a in "ABCDEFGH" for b in "ABCDEFGH" if a < b]
    tickets = [f"t{i} {a}-{b} {rng.randint(1, 8)}" for i, (a, b) in enumerate(rng.sample(pairs, 24))]
    rows = [("A", "B"), ("C", "D"), ("E", "F"), ("G", "H"), *rng.sample(pairs, 12)]  # every city is on it
    return made_up([f"{a}-{b} 1" for a, b in dict.fromkeys(rows)], tickets)


def check_stations(game: Game) -> None:
    result = game.result()
    for seat, found in enumerate(result.seats):
        points, completed, borrowed = best_borrowing(game, seat)
        assert (found.tickets_won - found.tickets_lost, found.completed) == (points, completed)
        assert found.borrowed == borrowed
        placed = sum(1 for c in game.state["station_city"][0, seat] if c >= 0)
        lent = borrowed if game.rules.station_bonus == "unborrowed" else placed
        assert found.stations_points == game.rules.station_points * (game.rules.stations_per_player - lent)
        assert found.failed == len(bits(game.state["tickets"][0, seat])) - completed


@pytest.mark.parametrize("preset", ["europe", "europe-zh"])
def test_stations_on_small_boards(preset: str) -> None:
    rng = Random(6)
    for _ in range(12):
        board = small_board(rng)
        rules = rules_of(preset).with_options({"stations_per_player": rng.randint(1, 4)})
        for _ in range(80):
            players = rng.randint(2, 4) if rules.stations_per_player < 3 else 2
            check_stations(random_position(rng, board, rules, players, 0.9))


@pytest.mark.parametrize("preset", ["europe", "europe-zh", "europe-en"])
def test_stations_on_the_real_board(preset: str) -> None:
    rng = Random(7)
    for _ in range(40):
        check_stations(random_position(rng, board_of(preset), rules_of(preset), rng.randint(2, 5), 0.8))


# ---------------------------------------------------------------- bonuses and ranking


def check_result(game: Game, result: Result) -> None:
    """Every part of a finished game's score, the slow way."""
    rules, board, state = game.rules, game.board, game.state[0]
    longest, completed = [], []
    for p, seat in enumerate(result.seats):
        tracks = track_list(state["own"][p])
        assert seat.routes == sum(rules.route_points[board.tracks[t].length] for t in tracks)
        edges = [(board.tracks[t].a, board.tracks[t].b, board.tracks[t].length) for t in tracks]
        exact = longest_of_all_sets if len(edges) < 12 else longest_by_programming
        assert seat.longest == exact(edges)
        assert seat.trains_left == int(state["trains"][p])
        assert seat.all_trains == (rules.all_trains_bonus if seat.trains_left == 0 else 0)
        longest.append(seat.longest)
        completed.append(seat.completed)
    for p, seat in enumerate(result.seats):
        assert seat.longest_bonus == (rules.longest_path_bonus if longest[p] == max(longest) > 0 else 0)
        most = completed[p] == max(completed) > 0
        assert seat.globetrotter == (rules.globetrotter_bonus if most else 0)
        parts = seat.routes + seat.tickets_won - seat.tickets_lost + seat.longest_bonus
        assert seat.score == parts + seat.globetrotter + seat.all_trains + seat.stations_points
    check_stations(game)


@pytest.mark.parametrize(("preset", "players"), GAME_TABLES)
def test_scores_of_finished_games(preset: str, players: int) -> None:
    game, rng = new_game(preset, players, 100 + players), Random(players)
    while not game.is_over:
        policy = "builder" if rng.random() < 0.8 else "uniform"
        game.step(POLICIES[policy](rng, game, game.legal()))
    check_result(game, game.result())


@entry
def _rank_only(tables, scores):  # type: ignore[no-untyped-def]
    _rank(tables[0], scores[0])


def tie_value(rule: str, row: Any, p: int) -> int:
    return {
        "most_completed_tickets": int(row["completed"][p]),
        "fewest_stations_used": -int(row["stations_placed"][p]),
        "longest_path_holder": int(row["longest_bonus"][p] > 0),
        "longest_path_length": int(row["longest"][p]),
        "fewest_trains_left": -int(row["trains_left"][p]),
    }[rule]


def slow_ranking(rules: Rules, players: int, row: Any) -> tuple[list[int], int]:
    """Places, and the rule that decided: 0 points, i the i-th tie-break, -1 a shared victory."""
    keys = [
        (int(row["score"][p]), *(tie_value(rule, row, p) for rule in rules.tie_breaks))
        for p in range(players)
    ]
    ranks = [1 + sum(other > key for other in keys) for key in keys]
    best = max(keys)
    if keys.count(best) > 1:
        return ranks, -1
    level = [key for key in keys if key != best and key[0] == best[0]]
    return ranks, max((next(i for i, v in enumerate(key) if v != best[i]) for key in level), default=0)


def test_ranking() -> None:
    rng = Random(8)
    names = ("score", "completed", "stations_placed", "longest", "longest_bonus", "trains_left")
    all_rules = [rules_of(preset) for preset in PRESETS]
    every = list(dict.fromkeys(rule for rules in all_rules for rule in rules.tie_breaks))
    all_rules.append(rules_of("europe").with_options({"tie_breaks": []}))
    for k in range(5):
        all_rules.append(rules_of("usa").with_options({"tie_breaks": rng.sample(every, k + 1)}))
    seen = set()
    for rules in all_rules:
        for players in range(rules.players[0], rules.players[1] + 1):
            tables = make_tables(board_of("nordic" if rules.board == "nordic" else "europe"), rules, players)
            for _ in range(40):
                scores = new_record(SCORES)
                for name in names:
                    scores[name][0, :players] = [rng.choice((0, 1, 1)) for _ in range(players)]
                _rank_only(tables, scores)
                expected = slow_ranking(rules, players, scores[0])
                assert (scores["rank"][0, :players].tolist(), int(scores["decided_by"][0])) == expected
                seen.add(expected[1])
    assert seen == {-1, 0, 1, 2, 3, 4, 5}
