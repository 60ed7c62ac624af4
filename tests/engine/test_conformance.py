"""Random walks through games of every preset and number of players: what must hold at every step."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ttr_sim.engine import Game, Position, actions
from ttr_sim.engine.view import track_list
from ttr_sim.errors import IllegalAction

from .games import (
    POLICIES,
    TABLES,
    board_of,
    check_absent_seats,
    check_conserved,
    decision_bound,
    new_game,
    rules_of,
)
from .redeal import check_redeal

every_table = pytest.mark.parametrize(("preset", "players"), TABLES)
# A failing walk is not made shorter: that would take many whole games.
walk_settings = settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
seeds = st.integers(0, 2**64 - 1)
policies = st.sampled_from(sorted(POLICIES))


def moves(game: Game, policy: str, seed: int) -> Any:
    """Play a game to its end by a policy; yields its random generator before every decision."""
    rng = Random(seed)
    choose = POLICIES[policy]
    while not game.is_over:
        yield rng
        game.step(choose(rng, game, game.legal()))


@every_table
@walk_settings
@given(seed=seeds, policy=policies)
def test_everything_is_conserved(preset: str, players: int, seed: int, policy: str) -> None:
    game = new_game(preset, players, seed)
    bound, count = decision_bound(game), 0
    for rng in moves(game, policy, seed):
        count += 1
        if rng.random() < 0.3:
            check_conserved(game)
    assert count <= bound
    check_conserved(game)
    check_absent_seats(game)
    turns = game.state["turns_done"][0, :players]
    assert turns.max() <= game.rules.turn_limit
    assert game.result().reason in ("final_round", "exhausted", "all_passed", "turn_limit")
    assert game.legal() == []


@every_table
@walk_settings
@given(seed=seeds, policy=policies)
def test_legal_actions_are_what_can_be_done(preset: str, players: int, seed: int, policy: str) -> None:
    game = new_game(preset, players, seed)
    for rng in moves(game, policy, seed):
        legal = game.legal()
        assert len(legal) >= 2, "a forced decision was asked"
        if rng.random() < 0.8:
            continue
        assert legal == sorted(set(legal))
        assert legal[0] >= 0 and legal[-1] < actions.N_ACTIONS
        before = game.to_bytes()
        for action in rng.sample(legal, min(3, len(legal))):
            other = game.copy()
            steps = other.step(action)
            assert steps[0] == (game.seat, action)
            assert other.to_bytes() != before
            check_conserved(other)
        for action in rng.sample(range(-2, actions.N_ACTIONS + 2), 3):
            if action not in legal:
                with pytest.raises(IllegalAction, match=str(action)):
                    game.step(action)
        assert game.to_bytes() == before
        assert game.legal() == legal


@every_table
@walk_settings
@given(seed=seeds, policy=policies)
def test_copies_and_saved_games_go_on_the_same_way(preset: str, players: int, seed: int, policy: str) -> None:
    game, rng, log = new_game(preset, players, seed), Random(seed), []
    while not game.is_over:
        saved = game.to_bytes()
        other = game.copy() if rng.random() < 0.5 else Game.from_bytes(game.board, game.rules, players, saved)
        assert other == game
        assert other.legal() == game.legal()
        action = POLICIES[policy](rng, game, game.legal())
        log.append(action)
        steps = other.step(action)
        assert game.to_bytes() == saved, "a copy reached back"
        assert game.step(action) == steps
        assert game == other
        assert game.state_hash() == other.state_hash()
    again = new_game(preset, players, seed)
    for action in log:
        again.step(action)
    assert again == game
    assert again.result() == game.result()


@every_table
@walk_settings
@given(seed=seeds, policy=policies)
def test_hidden_things_cannot_be_seen(preset: str, players: int, seed: int, policy: str) -> None:
    """A re-dealt world is possible, looks the same to the seat, and asks the same of it."""
    game = new_game(preset, players, seed)
    for rng in moves(game, policy, seed):
        if rng.random() < 0.2:
            check_redeal(game, rng.randrange(players), rng)


@walk_settings
@given(seed=seeds, policy=policies, table=st.sampled_from(TABLES))
def test_hidden_things_cannot_be_seen_near_the_end_of_the_deck(
    seed: int, policy: str, table: tuple[str, int]
) -> None:
    game = late_position(*table, seed)
    for rng in moves(game, policy, seed):
        check_conserved(game)
        check_redeal(game, rng.randrange(game.players), rng)


def late_position(preset: str, players: int, seed: int) -> Game:
    """A position with hardly a card left to draw, most tickets held, few trains."""
    rng = Random(seed)
    board, rules = board_of(preset), rules_of(preset)
    position = Position(board, rules, players)
    deck = [c for c in "PWBYOKRG" for _ in range(12)] + ["L"] * 14
    rng.shuffle(deck)
    market = [deck.pop(next(i for i, c in enumerate(deck) if c != "L")) for _ in range(rules.market_size)]
    position.market("".join(market)).deck("".join(deck.pop() for _ in range(rng.randrange(4))))
    position.discards("".join(deck.pop() for _ in range(rng.randrange(4))))
    share = len(deck) // players
    for seat in range(players):
        position.hand(seat, "".join(deck[seat * share : (seat + 1) * share]))
    position.rest(rng.randrange(players))
    tickets = [t.id for t in board.tickets if not (t.long and rules.ticket_pool == "split")]
    rng.shuffle(tickets)
    for seat in range(players):
        position.tickets(seat, *[tickets.pop() for _ in range(rng.randint(1, 6))])
    position.ticket_deck(*tickets[: rng.randrange(5)])
    return position.build(auto=True)


@every_table
def test_the_bound_holds_for_endless_games(preset: str, players: int) -> None:
    """Tunnels tried and taken back whenever that is possible: the turn limit ends it."""
    rules = rules_of(preset).with_options({"turn_limit": 20})
    game = Game.new(board_of(preset), rules, players, 11)
    count = sum(1 for _ in moves(game, "digger", 3))
    assert count <= decision_bound(game)
    assert int(game.state["turns_done"][0].max()) <= 20


def test_tracks_of_both_words_are_played() -> None:
    """Track sets are two words of 64: the real boards use the second one."""
    game = new_game("europe", 4, 5)
    for _ in moves(game, "claimer", 5):
        pass
    owned = [t for p in range(4) for t in track_list(game.state["own"][0, p])]
    assert min(owned) < 64 <= max(owned)
