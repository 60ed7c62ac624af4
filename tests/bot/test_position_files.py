"""Positions as data: any moment of any game comes back the same, and every mistake in a file is named."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from ttr_sim.board import load_board
from ttr_sim.bot.positions import load_position, read_position
from ttr_sim.bot.save_position import position_data, position_text
from ttr_sim.engine import Game
from ttr_sim.errors import TtrError
from ttr_sim.rules import Rules, load_rules

PRESETS = ("europe", "nordic", "usa", "europe-zh", "nordic-zh", "europe-fa", "europe-en")


def moments(rules: Rules, rng: random.Random, chance: float) -> Any:
    """Some moments of a game played at random: how its turn began, what was taken since, how it stands."""
    board, players = load_board(rules.board), rng.randint(*rules.players)
    game = Game.new(board, rules, players, rng.getrandbits(64), auto=False)
    begun, taken = game.copy(), []
    while not game.is_over:
        if rng.random() < chance:
            yield begun, taken, game
        action = rng.choice(game.legal())
        taken.append(game.describe(action))
        game.step(action)
        if game.phase in ("TURN", "KEEP_SETUP"):
            begun, taken = game.copy(), []


def same_views(one: Game, other: Game) -> bool:
    """Every seat sees the same. Which closed tracks are noted as closed depends on the order of the claims."""
    for seat in range(one.players):
        views = [game.view(seat).array.copy() for game in (one, other)]
        for view in views:
            view["blocked"][0] &= view["open"][0]
        if views[0].tobytes() != views[1].tobytes():
            return False
    return True


@pytest.mark.parametrize("preset", PRESETS)
def test_round_trip(preset: str) -> None:
    rng = random.Random(preset)
    phases = set()
    for begun, taken, game in moments(load_rules(preset), rng, 0.05):
        phases.add(game.phase)
        text = position_text(position_data(begun, taken, "a note"))
        saved = read_position(json.loads(text), "p.json")
        assert saved.note == "a note"
        assert same_views(saved.game, game)
        one, other, after = game.copy(), saved.game, random.Random(5)
        while not one.is_over:
            assert one.legal() == other.legal()
            action = after.choice(one.legal())
            one.step(action)
            other.step(action)
        assert one.result() == other.result()
    assert {"TURN", "DRAW"} <= phases


def test_first_tickets() -> None:
    game = Game.new(load_board("europe"), load_rules("europe"), 3, 7, auto=False)
    game.step(game.legal()[2])
    again = read_position(position_data(game), "p").game
    assert (again.phase, again.seat) == ("KEEP_SETUP", 1)
    assert same_views(again, game)


def test_changed_rules() -> None:
    rules = load_rules("nordic").with_options({"turn_limit": 9, "route_points.4": 8})
    game = Game.new(load_board("nordic"), rules, 2, 7, auto=False)
    data = json.loads(position_text(position_data(game)))
    assert data["rules"]["base"] == "nordic"
    assert data["rules"]["turn_limit"] == 9
    assert read_position(data, "p").game.rules.sha256 == rules.sha256


def test_by_hand() -> None:
    saved = read_position({"position": 1, "board": "usa", "seats": [{"hand": "RRL"}, {}, {}]}, "p")
    assert saved.game.players == 3
    assert saved.game.view(0).hand[8] == 1
    assert saved.game.rules.name == "usa"


MISTAKES = [
    ({"position": 2}, "position: is 2, the version read here is 1"),
    ({"position": "1"}, "position: must be a whole number"),
    ({"bord": "europe"}, "unknown key 'bord' (did you mean 'board'?)"),
    ({"board": ""}, "board: is missing"),
    ({"board": "atlantis"}, "board: unknown board 'atlantis'"),
    ({"rules": 3}, "rules: must be a preset's name or an object"),
    ({"rules": "europa"}, "rules: unknown rules preset 'europa' (did you mean 'europe'?)"),
    (
        {"rules": {"base": "europe", "turn_limit": -1}},
        "rules: option turn_limit must be a whole number from 0",
    ),
    ({"sha256": {"board": "00"}}, "sha256.board: the board 'europe' is not what this was saved with"),
    ({"market": "RRX"}, "market: 'X' is no card"),
    ({"market": 5}, "market: must be a text"),
    ({"market": "LLLRR"}, "three face-up locomotives would have been replaced"),
    ({"deck": "R" * 13}, "deck: more R cards than there are"),
    ({"seats": []}, "seats: rules 'europe' are for 2 to 5 players, not 0"),
    ({"seats": {}}, "seats: must be a list of objects"),
    ({"seats": [{"hand": "RR1"}, {}]}, "seats[0].hand: hand of seat 0: '1' is no card"),
    ({"seats": [{}, {"trackz": []}]}, "seats[1]: unknown key 'trackz' (did you mean 'tracks'?)"),
    ({"seats": [{}, {"tracks": ["paris"]}]}, "seats[1].tracks: unknown track 'paris'"),
    ({"seats": [{}, {"tracks": "paris"}]}, "seats[1].tracks: must be a list of texts"),
    ({"seats": [{}, {"stations": ["rom"]}]}, "seats[1].stations: unknown city 'rom' (did you mean 'roma'?)"),
    ({"seats": [{"tickets": ["x"]}, {}]}, "seats[0].tickets: unknown ticket 'x'"),
    ({"seats": [{"trains": 46}, {}]}, "seats[0].trains: trains of seat 0 is 46: must be 0 to 45"),
    ({"note": "a\nb"}, "note: must be one line without control characters"),
    ({"market": "RRRR"}, "market: the market is not full"),
    ({"seats": [{"hand": "R" * 13}, {}]}, "seats[0].hand: hand of seat 0: more R cards"),
    ({"seats": [{}, {"tracks": ["paris-zurich"] * 2}]}, "seats[1].tracks: paris-zurich: owned"),
    ({"seats": [{}, {"stations": ["paris", "roma", "wien", "berlin"]}]}, "seats[1].stations: seat 1 has 3"),
    (
        {"seats": [{"tickets": ["paris-wien"]}, {"tickets": ["paris-wien"]}]},
        "seats: a ticket is placed twice",
    ),
    ({"seats": [{"known": "R"}, {}]}, "seats[0].known: shown cards of seat 0: more than it has in its hand"),
    ({"seats": [{"offer": ["paris-wien", "paris-wien"]}, {}]}, "seats: a ticket is offered twice"),
    ({"seats": [{"offer": ["paris-wien"]}, {}]}, "seats: tickets are offered before the first turn"),
    (
        {"seats": [{"boxed": ["paris-wien"]}, {}]},
        "seats[0].boxed: a ticket put in the box is in the ticket deck",
    ),
    ({"to_move": 2}, "to_move: must be a whole number from 0 to 1, not 2"),
    ({"end": {"turns_left": 3}}, "end.turns_left: must be a whole number from 1 to 2, not 3"),
    ({"end": {}}, "end.turns_left: must be a whole number from 1 to 2, is missing"),
    ({"end": {"turns_left": 1, "reason": "rain"}}, "end.reason: must be one of final_round"),
    ({"taken": ["fly"]}, "taken[0]: 'fly' is not legal here; legal: take"),
    ({"taken": "draw blind"}, "taken: must be a list of texts"),
    ({"ticket_deck": ["paris-wien", "paris-wien"]}, "the ticket deck holds a ticket twice"),
]


@pytest.mark.parametrize(("change", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_mistakes(change: dict[str, Any], message: str) -> None:
    data = {"position": 1, "board": "europe", "seats": [{}, {}], **change}
    with pytest.raises(TtrError) as raised:
        read_position(data, "p.json")
    assert str(raised.value).startswith("p.json: ")
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON: line 1"),
        ("[1]", "the content must be an object"),
        ("[" * 100_000, "not valid JSON"),
        ('{"position": 1, "seats": [{"hand": "R", "hand": "RR"}]}', "hand: stands twice in one object"),
    ],
)
def test_no_position_at_all(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text(text)
    with pytest.raises(TtrError, match=r"p\.json: ") as raised:
        load_position(file)
    assert message in str(raised.value)
    with pytest.raises(TtrError, match="file is missing"):
        load_position(tmp_path / "q.json")
