"""The OpenSpiel game: its random simulations, information states, resampling, bots of both sides."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.observation import make_observation

from tests.engine.games import TABLES
from ttr_sim.bot.play import open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.engine import Game
from ttr_sim.envs.observation import N_ACTIONS, SIZE, observe
from ttr_sim.envs.open_spiel import TtrState, game_of
from ttr_sim.envs.spiel_bots import Playouts, TtrBot
from ttr_sim.envs.spiel_observer import HISTORY
from ttr_sim.errors import IllegalAction, TtrError
from ttr_sim.tournament.ask import ask_setting


def load(preset: str = "europe", players: int = 2, reward: str = "win") -> Any:
    board = ask_setting(None, preset).board.name
    return pyspiel.load_game(f"python_ttr(board={board},rules={preset},players={players},reward={reward})")


def step(state: Any, rng: np.random.RandomState) -> None:
    """A random action or deal."""
    legal = (
        [outcome for outcome, _ in state.chance_outcomes()]
        if state.is_chance_node()
        else state.legal_actions()
    )
    state.apply_action(int(rng.choice(legal)))


def walk(game: Any, decisions: int, seed: int = 0) -> Any:
    rng, state = np.random.RandomState(seed), game.new_initial_state()
    for _ in range(4 + decisions):
        if not state.is_terminal():
            step(state, rng)
    return state


def play(game: Any, bots: list[Any], seed: int) -> Any:
    rng, state = np.random.RandomState(seed), game.new_initial_state()
    for bot in bots:
        bot.restart()
    while not state.is_terminal():
        if state.is_chance_node():
            step(state, rng)
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    return state


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_openspiels_random_simulations(preset: str, players: int) -> None:
    pyspiel.random_sim_test(load(preset, players), num_sims=1, serialize=players == 2, verbose=False)


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_openspiels_random_simulations_of_rewards(reward: str) -> None:
    pyspiel.random_sim_test(load("usa", 3, reward), num_sims=2, serialize=False, verbose=False)


def test_it_is_registered() -> None:
    game = pyspiel.load_game("python_ttr")
    assert (game.num_players(), game.num_distinct_actions(), game.utility_sum()) == (2, N_ACTIONS, 0)
    assert str(load()) == "python_ttr(board=europe,players=2,reward=win,rules=europe)"
    assert "python_ttr" in [kind.short_name for kind in pyspiel.registered_games()]


def test_it_is_the_game() -> None:
    """The same deal and actions in the engine's own face give the same views and scores."""
    game, rng = load("nordic", 3, "score"), np.random.RandomState(4)
    state = game.new_initial_state()
    for digit in (1, 2, 3, 4):
        assert state.is_chance_node()
        state.apply_action(digit)
    setting = ask_setting(None, "nordic")
    other = Game.new(setting.board, setting.rules, 3, 0x01020304)
    while not other.is_over:
        assert (state.current_player(), state.legal_actions()) == (other.seat, other.legal())
        seat = int(rng.randint(3))
        assert state.view(seat).array.tobytes() == other.view(seat).array.tobytes()
        assert (np.array(state.observation_tensor(seat)) == observe(other.view(seat))["observation"]).all()
        action = int(rng.choice(other.legal()))
        assert state.action_to_string(action) == other.describe(action)
        state.apply_action(action)
        other.step(action)
    scores = [seat.score for seat in other.result().seats]
    assert state.returns() == pytest.approx([s - (sum(scores) - s) / 2 for s in scores])


@pytest.mark.parametrize(("preset", "players"), [("europe", 2), ("nordic", 3), ("usa", 5)])
def test_resampling(preset: str, players: int) -> None:
    """What OpenSpiel's test of it (which Python does not reach) asks, for every seat all along a game."""
    game, rng = load(preset, players), np.random.RandomState(1)
    state = walk(game, 0)
    decisions, changed = 0, 0
    while not state.is_terminal():
        for player in range(players) if decisions % 8 == 0 else ():
            other = state.resample_from_infostate(player, rng.uniform)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.current_player() == state.current_player()
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            assert not other.history()  # the true deal is not in it
            changed += other.record().tobytes() != state.record().tobytes()
            if player == decisions % players:
                assert sum(walk_on(other, rng).returns()) == pytest.approx(0)
        step(state, rng)
        decisions += 1
    assert changed > 20


def walk_on(state: Any, rng: np.random.RandomState) -> Any:
    state = state.clone()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0] if rng.uniform() < 0.1 else state.legal_actions()[-1])
    return state


def test_nothing_hidden_is_in_an_information_state() -> None:
    """Whatever the others hold, a seat's string and tensor are the same; and the worlds differ."""
    state, rng = walk(load("europe", 3), 60), np.random.RandomState(0)
    for player in range(3):
        worlds = [state.resample_from_infostate(player, rng.uniform) for _ in range(4)]
        assert len({world.information_state_string(player) for world in worlds}) == 1
        others = [tuple(w.information_state_string(q) for q in range(3) if q != player) for w in worlds]
        assert len(set(others)) == 4


def test_a_string_remembers_everything_the_seat_saw() -> None:
    """Perfect recall: what a seat saw stays in it, and its own moves tell states apart."""
    state, rng = walk(load(), 0), np.random.RandomState(2)
    seen: dict[int, str] = {}
    while not state.is_terminal():
        for player in range(2):
            public = state.information_state_string(player).split("\n\n")[1]
            assert public.startswith(seen.get(player, ""))
            seen[player] = public
        step(state, rng)
    one, two = walk(load(), 0), walk(load(), 0)
    for keep, other in ((one, one.legal_actions()[0]), (two, two.legal_actions()[1])):
        keep.apply_action(other)
    assert one.information_state_string(0) != two.information_state_string(0)
    # Both keep two tickets: the other seat cannot tell which.
    assert one.information_state_string(1) == two.information_state_string(1)


def test_tensors() -> None:
    game, state = load("usa", 3), walk(load("usa", 3), 300)
    assert game.observation_tensor_size() == SIZE
    assert game.information_state_tensor_size() == SIZE + 2 * HISTORY
    tensor = np.array(state.information_state_tensor(1))
    assert (tensor[:SIZE] == np.array(state.observation_tensor(1))).all()
    rows = tensor[SIZE:].reshape(HISTORY, 2)
    assert rows[-1, 0] in (1, 2, 3)
    assert rows[:, 1].max() <= N_ACTIONS
    early = np.array(walk(load("usa", 3), 3).information_state_tensor(0))[SIZE:].reshape(HISTORY, 2)
    assert (early.any(axis=1).sum(), bool(early[-3:].all())) == (3, True)
    parts = make_observation(game)
    parts.set_from(state, 1)
    assert parts.dict["hand"].tolist() == state.view(1).hand


def test_states_are_stored_and_copied() -> None:
    state = walk(load(), 50)
    for other in (pickle.loads(pickle.dumps(state)), state.clone()):
        assert (str(other), other.history()) == (str(state), state.history())
    _, other = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(load(), state))
    assert str(other) == str(state)
    before = str(state)
    step(other, np.random.RandomState(0))
    assert str(state) == before


def test_an_illegal_action_is_refused() -> None:
    state = walk(load(), 0)
    with pytest.raises(IllegalAction, match="not legal for seat 0"):
        state._apply_action(0)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("python_ttr(rules=evrope)", "evrope"),
        ("python_ttr(rules=nordic,players=5)", "2 to 3 players"),
        ("python_ttr(reward=shaped)", "pay at the end"),
    ],
)
def test_mistakes(name: str, message: str) -> None:
    with pytest.raises(TtrError, match=message):
        pyspiel.load_game(name)


def test_boards_and_rules_without_names() -> None:
    setting = ask_setting("usa", options={"trains_per_player": 10})
    game = game_of(setting.board, setting.rules, 3)
    assert int(walk(game, 0).record()["trains"][0, 0]) == 10
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_ismcts_against_greedy() -> None:
    game, rng = load(), np.random.RandomState(0)
    search = ISMCTSBot(game, Playouts(rng), uct_c=1.0, max_simulations=5, random_state=rng)
    state = play(game, [search, TtrBot(game, 1, "greedy")], 0)
    assert sorted(state.returns()) == [-1, 1]


def test_bots_play_as_in_a_tournament(tmp_path: Path) -> None:
    """`greedy` takes no chances: the same deal gives the same game."""
    game, setting = load(reward="score"), ask_setting("europe")
    state = play(game, [TtrBot(game, player, "greedy") for player in range(2)], 7)
    deal = int.from_bytes(state._deal, "big")
    specs = [parse_spec("greedy")] * 2
    result = open_table(setting.board, setting.rules, specs).play(
        np.uint64([deal]), np.uint64([0]), np.array([0])
    )
    assert [action for action in state.history()[4:]] == result.actions.tolist()
    file = tmp_path / "last.py"
    file.write_text(
        "from ttr_sim.bot import Bot\nclass Last(Bot):\n    def choose(self, view): return view.legal[-1]\n"
    )
    bots = [TtrBot(game, 0, str(file)), TtrBot(game, 1, "random", seed=3)]
    assert sum(evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(1))) == 0


def test_playouts_are_worth_what_random_games_are() -> None:
    state, evaluator = walk(load("usa", 2, "score"), 100), Playouts(np.random.RandomState(1))
    worths = np.array([evaluator.evaluate(state) for _ in range(50)])
    assert worths.sum(axis=1) == pytest.approx(np.zeros(50))
    assert len(set(worths[:, 0])) > 20
    assert sum(p for _, p in evaluator.prior(state)) == pytest.approx(1)


def test_the_state_is_ours() -> None:
    assert isinstance(walk(load(), 1), TtrState)
