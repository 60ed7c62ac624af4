"""Games for the tests of the engine: every preset and number of players, ways to play, and what must always hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from ttr_sim.board import Board, load_board
from ttr_sim.engine import Game, actions
from ttr_sim.engine.layout import CARDS, KINDS, LOCO, LOCOMOTIVES, PER_COLOR
from ttr_sim.engine.view import bits, track_list
from ttr_sim.rules import Rules, load_rules

PRESETS = ("europe", "nordic", "usa", "europe-zh", "nordic-zh", "europe-fa", "europe-en")


@cache
def rules_of(preset: str) -> Rules:
    return load_rules(preset)


@cache
def board_of(preset: str) -> Board:
    return load_board(rules_of(preset).board)


TABLES = [
    (preset, players)
    for preset in PRESETS
    for players in range(rules_of(preset).players[0], rules_of(preset).players[1] + 1)
]


def new_game(preset: str, players: int, seed: int) -> Game:
    return Game.new(board_of(preset), rules_of(preset), players, seed)


# Ways to play: they lead games into different corners of the rules.


def kinds(legal: list[int], *wanted: str) -> list[int]:
    """The legal actions of these kinds, or all when there is none."""
    return [action for action in legal if actions.decode(action)[0] in wanted] or legal


def _uniform(rng: Random, game: Game, legal: list[int]) -> int:
    return rng.choice(legal)


def _claimer(rng: Random, game: Game, legal: list[int]) -> int:
    return rng.choice(kinds(legal, "claim") if rng.random() < 0.8 else legal)


def _hoarder(rng: Random, game: Game, legal: list[int]) -> int:
    return rng.choice(kinds(legal, "blind", "take") if rng.random() < 0.97 else legal)


def _collector(rng: Random, game: Game, legal: list[int]) -> int:
    """Draws tickets while there are any, keeps one or many."""
    if game.phase == "KEEP":
        return rng.choice([legal[0], legal[-1], rng.choice(legal)])
    return rng.choice(kinds(legal, "tickets") if rng.random() < 0.7 else legal)


def _digger(rng: Random, game: Game, legal: list[int]) -> int:
    """Tries tunnels and takes the payment back."""
    if actions.TAKE_BACK in legal and rng.random() < 0.8:
        return actions.TAKE_BACK
    tracks = game.board.tracks
    tunnels = [
        a
        for a in kinds(legal, "claim")
        if actions.decode(a)[0] == "claim" and tracks[a - actions.CLAIM].kind == "tunnel"
    ]
    return rng.choice(tunnels if tunnels and rng.random() < 0.8 else legal)


def _builder(rng: Random, game: Game, legal: list[int]) -> int:
    """Claims what touches its own network, spends locomotives as it can."""
    tracks = game.board.tracks
    owned = track_list(game.state["own"][0, game.seat])
    cities = {city for t in owned for city in (tracks[t].a, tracks[t].b)}
    near = [
        a
        for a in legal
        if actions.CLAIM <= a < actions.STATION
        and cities & {tracks[a - actions.CLAIM].a, tracks[a - actions.CLAIM].b}
    ]
    return rng.choice(near or kinds(legal, "claim", "station"))


Policy = Callable[[Random, Game, list[int]], int]
POLICIES: dict[str, Policy] = {
    "uniform": _uniform,
    "claimer": _claimer,
    "hoarder": _hoarder,
    "collector": _collector,
    "digger": _digger,
    "builder": _builder,
}


# What must always hold


def check_conserved(game: Game) -> None:
    """Every card, ticket, train and station is in one place; the counts say the same as what they count."""
    state = game.state[0]
    players, rules, board = game.players, game.rules, game.board
    hands = state["hands"][:players].astype(int)
    cards = hands.sum(axis=0)
    for name in ("market", "discards", "pend_paid", "pend_revealed"):
        row = state[name].astype(int)
        assert (row >= 0).all(), name
        cards = cards + row
    deck = state["deck"][: int(state["deck_n"])].tolist()
    for c in range(KINDS):
        there = int(cards[c]) + deck.count(c)
        assert there == (LOCOMOTIVES if c == LOCO else PER_COLOR), f"{there} of colour {c}"
    assert int(cards.sum()) + len(deck) == CARDS
    assert (hands >= 0).all()
    assert hands.sum(axis=1).tolist() == state["hand_n"][:players].tolist()
    shown = state["shown"][:players].astype(int)
    assert (shown >= 0).all()
    assert (shown <= hands).all(), "cards shown that are not in the hand"
    assert int(state["market"].sum()) == int(state["market_n"]) <= rules.market_size

    places = [bits(state["tickets"][p]) for p in range(players)]
    assert [len(held) for held in places] == state["ticket_n"][:players].tolist()
    for p in range(players):
        offer = [int(t) for t in state["offer"][p] if t >= 0]
        assert len(offer) == int(state["offer_n"][p])
        places.append(offer)
    ring, head, n = state["ticket_deck"].tolist(), int(state["ticket_head"]), int(state["ticket_deck_n"])
    around = ring[head:] + ring[:head]
    assert set(around[n:]) <= {-1}
    places += [around[:n], bits(state["box"])]
    tickets = [t for place in places for t in place]
    assert sorted(tickets) == list(range(len(board.tickets))), "a ticket is lost or twice"

    owned = [track_list(state["own"][p]) for p in range(players)]
    assert len({t for tracks in owned for t in tracks}) == sum(map(len, owned))
    free = set(track_list(state["open"]))
    for p, tracks in enumerate(owned):
        assert not free & set(tracks)
        assert not {board.partner(t) for t in tracks} & set(tracks), "both tracks of a pair"
        closed = set(track_list(state["blocked"][p]))
        assert {board.partner(t) for t in tracks} - {-1} & free <= closed
        assert (
            int(state["trains"][p]) + sum(board.tracks[t].length for t in tracks) == rules.trains_per_player
        )
        assert int(state["trains"][p]) >= 0
        assert int(state["points"][p]) == sum(rules.route_points[board.tracks[t].length] for t in tracks)
    stations = [[int(c) for c in state["station_city"][p] if c >= 0] for p in range(players)]
    assert [rules.stations_per_player - len(s) for s in stations] == state["stations"][:players].tolist()
    cities = [c for row in stations for c in row]
    assert sorted(cities) == bits(state["station_mask"])
    assert int(state["turns"]) == int(state["turns_done"].sum())


def check_absent_seats(game: Game) -> None:
    """Seats that do not play hold nothing."""
    state = game.state[0]
    for name in (
        "hands",
        "shown",
        "own",
        "tickets",
        "ticket_n",
        "trains",
        "stations",
        "points",
        "offer_n",
        "turns_done",
    ):
        assert not state[name][game.players :].any(), name


def decision_bound(game: Game) -> int:
    """More decisions than any game can have: turns by the limit, and the longest possible turn."""
    rules = game.rules
    payment = 2 + 9 + 9 * max(1, rules.ferry_substitute, rules.long_route_substitute) + 1
    a_turn = max(rules.cards_per_draw, 2, 1 + payment)
    return game.players * (1 + rules.turn_limit * a_turn)


def fields(array: Any) -> dict[str, Any]:
    """The fields of a one-element record array as plain values, to see which differ."""
    return {name: array[name][0].tolist() for name in array.dtype.names}
