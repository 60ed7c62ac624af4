"""The Python face of a game: errors that say why, seeds, hashes, saved games, views that cannot be written."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from ttr_sim.engine import Game, actions
from ttr_sim.engine.position import LETTERS
from ttr_sim.errors import IllegalAction, TtrError

from .games import POLICIES, TABLES, board_of, new_game, rules_of


def played(preset: str, players: int, seed: int, decisions: int) -> Game:
    game, rng = new_game(preset, players, seed), Random(seed)
    for _ in range(decisions):
        game.step(POLICIES["uniform"](rng, game, game.legal()))
    return game


# Seeds and hashes


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_seed_is_a_game(preset: str, players: int) -> None:
    assert new_game(preset, players, 5) == new_game(preset, players, 5)
    assert new_game(preset, players, 5) != new_game(preset, players, 6)
    first, second = played(preset, players, 7, 40), played(preset, players, 7, 40)
    assert first.state_hash() == second.state_hash()
    assert first.legal() == second.legal()


def test_what_a_seed_deals() -> None:
    """Recorded: logs of games are replayed from seeds, so a deal may never change."""
    state = new_game("europe", 2, 1).state[0]
    board, size = board_of("europe"), int(state["deck_n"])
    hands = ["".join(c * int(n) for c, n in zip(LETTERS, row, strict=True)) for row in state["hands"][:2]]
    assert hands == ["YRGL", "BYGL"]
    assert [LETTERS[c] for c in state["deck"][size - 12 : size]] == [*"LKRROGRWPPLY"]
    assert "".join(c * int(n) for c, n in zip(LETTERS, state["market"], strict=True)) == "PWBOL"
    offers = [[board.tickets[t].id for t in row if t >= 0] for row in state["offer"][:2]]
    assert offers == [
        ["erzurum-kobenhavn", "frankfurt-kobenhavn", "dieppe-madrid", "berlin-london"],
        ["athina-edinburgh", "budapest-sofia", "erzurum-rostov", "sarajevo-sevastopol"],
    ]


def test_the_hash_is_stable() -> None:
    """Recorded: to be recorded anew only when the record of a state changes on purpose."""
    assert played("europe", 3, 2, 50).state_hash() == HASH


HASH = "315b0b405e285c63816e3b4b688a350f"


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_have_64_bits(seed: int) -> None:
    with pytest.raises(TtrError, match="must be 0 to 2\\^64 - 1"):
        new_game("europe", 2, seed)


def test_seeds_of_all_sizes() -> None:
    games = [new_game("usa", 2, seed) for seed in (0, 1, 2**32, 2**63, 2**64 - 1)]
    assert len({game.state_hash() for game in games}) == 5


@pytest.mark.parametrize(("preset", "players"), [("europe", 1), ("europe", 6), ("nordic", 4), ("usa", 0)])
def test_players_must_fit(preset: str, players: int) -> None:
    with pytest.raises(TtrError, match=f"players, not {players}"):
        new_game(preset, players, 1)


# Steps


@pytest.mark.parametrize("action", [None, "9", 9.0, True, [9]])
def test_an_action_is_a_whole_number(action: Any) -> None:
    game = new_game("europe", 2, 1)
    with pytest.raises(IllegalAction, match="a whole number is needed"):
        game.step(action)


def test_numpy_numbers_are_actions() -> None:
    game, same = new_game("europe", 2, 1), new_game("europe", 2, 1)
    action = game.legal()[0]
    assert game.step(np.int64(action)) == same.step(action)  # type: ignore[arg-type]
    assert game == same


@pytest.mark.parametrize("action", [-1, 388, 10**12, -(10**12), 12 + 127, 140 + 63])
def test_numbers_of_nothing_are_refused(action: int) -> None:
    game = new_game("europe", 2, 1)
    with pytest.raises(IllegalAction, match=f"{action} is not an action of this board"):
        game.step(action)


def test_a_refusal_says_why_and_changes_nothing() -> None:
    game = new_game("europe", 2, 1)
    before = game.to_bytes()
    with pytest.raises(IllegalAction) as caught:
        game.step(actions.BLIND)
    message = str(caught.value)
    assert message.startswith("action 9 (draw blind) is illegal for seat 0 in phase KEEP_SETUP; legal: keep ")
    assert message.endswith("in all)") or ";" in message
    assert "\n" not in message
    assert game.to_bytes() == before
    assert isinstance(caught.value, ValueError)


def test_a_finished_game_takes_no_action() -> None:
    game, rng = new_game("usa", 2, 4), Random(4)
    while not game.is_over:
        game.step(POLICIES["claimer"](rng, game, game.legal()))
    assert game.legal() == []
    with pytest.raises(IllegalAction, match="the game is over"):
        game.step(actions.BLIND)
    assert game.view(0).legal == []


def test_forced_decisions_are_told() -> None:
    game, rng = new_game("europe", 2, 3), Random(3)
    forced = 0
    while not game.is_over:
        steps = game.step(POLICIES["claimer"](rng, game, game.legal()))
        forced += len(steps) - 1
        assert all(0 <= seat < 2 for seat, _ in steps)
    assert forced > 5


def test_without_auto_everything_is_asked() -> None:
    """A log of all decisions leads to the same game with and without forced ones taken."""
    auto, rng = new_game("europe", 2, 3), Random(3)
    asked = Game.new(board_of("europe"), rules_of("europe"), 2, 3, auto=False)
    while not auto.is_over:
        for seat, action in auto.step(POLICIES["claimer"](rng, auto, auto.legal())):
            assert (asked.seat, action in asked.legal()) == (seat, True)
            assert asked.step(action) == [(seat, action)]
    assert asked == auto
    assert asked.result() == auto.result()


def test_without_auto_nothing_of_the_deal_is_decided() -> None:
    rules = rules_of("usa").with_options({"tickets_setup.keep_min": 3})
    asked = Game.new(board_of("usa"), rules, 2, 1, auto=False)
    assert (asked.phase, asked.seat, len(asked.legal())) == ("KEEP_SETUP", 0, 1)
    assert Game.new(board_of("usa"), rules, 2, 1).phase == "TURN"


# Copies and saved games


def test_a_copy_is_independent() -> None:
    game = played("europe", 2, 1, 10)
    other = game.copy()
    assert other == game
    assert other is not game
    other.step(other.legal()[0])
    assert other != game
    assert game == played("europe", 2, 1, 10)


def test_games_are_not_equal_to_other_things() -> None:
    game = new_game("europe", 2, 1)
    assert game != 1
    assert game != new_game("europe-zh", 2, 1)
    assert game != new_game("europe", 3, 1)
    with pytest.raises(TypeError):
        hash(game)
    assert repr(game) == "<Game europe/europe 2 players, KEEP_SETUP of seat 0>"


def load(data: bytes, preset: str = "europe", players: int = 2) -> Game:
    return Game.from_bytes(board_of(preset), rules_of(preset), players, data)


def test_a_saved_game_is_that_game() -> None:
    game = played("europe", 2, 1, 30)
    assert load(game.to_bytes()) == game
    assert load(game.to_bytes()).legal() == game.legal()


@pytest.mark.parametrize("data", [b"", b"ttr", bytes(1000), b"\xff" * 5000])
def test_garbage_of_another_length_is_refused(data: bytes) -> None:
    with pytest.raises(TtrError, match=r"a saved game has \d+ bytes, this has \d+"):
        load(data)


def test_damage_is_refused() -> None:
    data = played("europe", 2, 1, 30).to_bytes()
    for garbage in (bytes(len(data)), b"\xff" * len(data), Random(1).randbytes(len(data))):
        with pytest.raises(TtrError, match="damaged"):
            load(garbage)
    for place in range(0, len(data), 41):
        broken = bytearray(data)
        broken[place] ^= 1
        with pytest.raises(TtrError, match="damaged"):
            load(bytes(broken))


@pytest.mark.parametrize(("preset", "players"), [("usa", 2), ("europe-zh", 2), ("europe", 3)])
def test_games_of_others_are_refused(preset: str, players: int) -> None:
    data = played("europe", 2, 1, 30).to_bytes()
    with pytest.raises(TtrError, match="of another board, rules, number of players"):
        load(data, preset, players)


# Views


def test_a_view_is_what_the_seat_knows() -> None:
    game = played("europe", 3, 8, 60)
    state = game.state[0]
    for seat in range(3):
        view = game.view(seat)
        assert (view.seat, view.to_move, view.phase) == (seat, game.seat, game.phase)
        assert view.legal == (game.legal() if seat == game.seat else [])
        assert view.hand == state["hands"][seat].tolist()
        assert view.hand_sizes == state["hand_n"][:3].tolist()
        assert view.market == state["market"].tolist()
        assert view.discards == state["discards"].tolist()
        assert view.deck_size == int(state["deck_n"])
        assert view.ticket_deck_size == int(state["ticket_deck_n"])
        assert len(view.tickets) == view.ticket_counts[seat]
        assert view.trains == state["trains"][:3].tolist()
        assert view.points == state["points"][:3].tolist()
        assert view.turns_left is None
        owned = [t for p in range(3) for t in view.owned(p)]
        assert not set(view.open) & set(owned)
        assert f"seat {seat}, {game.phase}, seat {game.seat} decides" in view.text()
        for name in view.text().splitlines():
            assert name.strip()


def test_a_view_cannot_be_written() -> None:
    game = played("europe", 2, 8, 20)
    before = game.to_bytes()
    view = game.view(game.seat)
    with pytest.raises(ValueError, match="read-only"):
        view.array["hands"][0, 0, 0] = 9
    with pytest.raises(ValueError, match="read-only"):
        view.array[0] = game.state[0]
    with pytest.raises((ValueError, TypeError)):
        view.record["trains"][0] = 1
    view.legal.clear()
    view.hand.clear()
    assert game.legal()
    assert game.to_bytes() == before


def test_a_view_does_not_follow_the_game() -> None:
    game = played("europe", 2, 8, 20)
    view = game.view(0)
    before = view.array.tobytes()
    game.step(game.legal()[0])
    assert view.array.tobytes() == before


def test_a_running_game_has_a_score() -> None:
    result = played("europe", 2, 8, 20).result()
    assert result.reason == "running"
    assert len(result.seats) == 2
    assert result.winners
