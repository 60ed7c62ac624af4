"""The PettingZoo environment: its own tests, rewards, illegal actions, pictures."""

from __future__ import annotations

import warnings
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from tests.engine.games import TABLES, board_of, rules_of
from ttr_sim.engine import Game
from ttr_sim.engine.bits import GOLD, mix
from ttr_sim.envs.observation import N_ACTIONS, observe
from ttr_sim.envs.payoff import FORFEIT_POINTS
from ttr_sim.envs.pettingzoo import TicketToRide, env
from ttr_sim.errors import TtrError


def made(preset: str, players: int, **options: Any) -> TicketToRide:
    return TicketToRide(rules_of(preset).board, preset, players, **options)


def play(game: TicketToRide, seed: int) -> tuple[list[float], list[int], list[dict[str, Any]]]:
    """A random game: the sum of the rewards of each seat, the actions, the last infos."""
    rng = Random(seed)
    game.reset(seed=seed)
    earned, actions, infos = dict.fromkeys(game.agents, 0.0), [], {}
    for agent in game.agent_iter():
        seen, reward, over, cut, info = game.last()
        assert not cut
        earned[agent] += reward
        action = None if over else rng.choice(np.flatnonzero(seen["action_mask"]).tolist())
        if over:
            infos[agent] = info
        else:
            actions.append(action)
        game.step(action)
    order = game.possible_agents
    return [earned[a] for a in order], actions, [infos[a] for a in order]


def dealt(seed: int) -> int:
    """The deal of the first game after `reset(seed=seed)`."""
    with np.errstate(over="ignore"):
        return int(mix(np.random.default_rng(seed).integers(1 << 64, dtype=np.uint64) + GOLD))


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_api(preset: str, players: int) -> None:
    with warnings.catch_warnings():
        # PettingZoo advises against dict observations, which its own games with masks use, too.
        warnings.simplefilter("ignore")
        api_test(env(rules_of(preset).board, preset, players, reward="shaped"), num_cycles=30)


def test_api_of_a_whole_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(players=3), num_cycles=1000)


def test_seeds() -> None:
    seed_test(lambda: env(reward="shaped"), num_cycles=60)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(env)
    assert "seat 1: 0 points, 45 trains" in capsys.readouterr().out  # mode human


def test_a_picture_shows_who_owns_what() -> None:
    game = made("europe", 2, render_mode="rgb_array")
    game.reset(seed=1)
    before = game.render()
    rng = Random(1)
    while int(game._states["points"][0, 1]) == 0:
        seen, *_ = game.last()
        game.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    after = game.render()
    assert before.shape == after.shape
    red = [(picture == (214, 39, 40)).all(axis=2).sum() for picture in (before, after)]
    assert red[1] > red[0]


@pytest.mark.parametrize(("preset", "players"), [("europe", 2), ("nordic", 3), ("usa", 5)])
def test_it_is_the_game(preset: str, players: int) -> None:
    """The same deal and actions in the engine's own face give the same views and scores."""
    game = made(preset, players)
    _, actions, infos = play(game, 7)
    other = Game.new(board_of(preset), rules_of(preset), players, dealt(7))
    again = made(preset, players)
    again.reset(seed=7)
    for action in actions:
        seen = again.observe(again.agent_selection)
        assert again.agent_selection == f"seat_{other.seat}"
        expected = observe(other.view(other.seat))
        assert all((seen[name] == expected[name]).all() for name in expected)
        idle = (other.seat + 1) % players
        seen, expected = again.observe(f"seat_{idle}"), observe(other.view(idle))
        assert all((seen[name] == expected[name]).all() for name in expected)
        other.step(action)
        again.step(action)
    assert other.is_over
    assert [(info["score"], info["rank"]) for info in infos] == [
        (seat.score, seat.rank) for seat in other.result().seats
    ]


@pytest.mark.parametrize("players", [2, 4])
def test_rewards(players: int) -> None:
    for seed in range(4):
        earned = {
            kind: play(made("usa", players, reward=kind), seed) for kind in ("win", "rank", "score", "shaped")
        }
        scores = [info["score"] for info in earned["win"][2]]
        ranks = [info["rank"] for info in earned["win"][2]]
        for rewards, _, _ in earned.values():
            assert sum(rewards) == pytest.approx(0)
        lead = [s - (sum(scores) - s) / (players - 1) for s in scores]
        assert earned["score"][0] == pytest.approx(lead)
        assert earned["shaped"][0] == pytest.approx(lead)
        won = ranks.count(1)
        gain, loss = (players / won - 1) / (players - 1), -1 / (players - 1)
        assert earned["win"][0] == pytest.approx([gain if rank == 1 else loss for rank in ranks])
        places = {r: [r + i for i in range(ranks.count(r))] for r in set(ranks)}
        steps = [1 - 2 * (np.mean(places[r]) - 1) / (players - 1) for r in ranks]
        assert earned["rank"][0] == pytest.approx(steps)


def test_shaped_rewards_come_with_the_route_points() -> None:
    game = made("usa", 2, reward="shaped")
    game.reset(seed=1)
    rng = Random(1)
    lead = 0.0
    while not any(game.terminations.values()):
        seen, *_ = game.last()
        game.step(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        if any(game.terminations.values()):
            break
        points = game._states["points"][0].tolist()
        now = points[0] - points[1]
        assert game.rewards == {"seat_0": now - lead, "seat_1": lead - now}
        lead = now
    assert lead != 0


@pytest.mark.parametrize(("reward", "loss"), [("win", 1), ("rank", 1), ("score", FORFEIT_POINTS)])
@pytest.mark.parametrize("action", [-1, N_ACTIONS, 10**12, 0])
def test_an_illegal_action_loses(reward: str, loss: float, action: int) -> None:
    game = made("europe", 2, reward=reward)
    game.reset(seed=3)
    game.step(np.flatnonzero(game.last()[0]["action_mask"])[0])
    assert game.agent_selection == "seat_1"
    game.step(action)  # 0 takes a card, while tickets are chosen
    assert all(game.terminations.values())
    assert game.rewards == {"seat_0": loss, "seat_1": -loss}
    assert game.infos["seat_1"]["rank"] == 2
    assert not game.observe("seat_1")["action_mask"].any()


def test_illegal_actions_among_four() -> None:
    for reward, shares in (("win", [1 / 9, -1 / 3]), ("rank", [1 / 3, -1])):
        game = made("usa", 4, reward=reward)
        game.reset(seed=3)
        game.step(-1)
        assert list(game.rewards.values()) == pytest.approx([shares[1], *[shares[0]] * 3])


def test_observations_are_copies() -> None:
    game = made("europe", 2)
    game.reset(seed=1)
    seen, *_ = game.last()
    seen["observation"][:] = 9
    seen["action_mask"][:] = 1
    assert game.last()[0]["observation"].max() < 120
    assert not game.last()[0]["action_mask"].all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": "evrope"}, "unknown board"),
        ({"rules": "nordic", "players": 4}, "for 2 to 3 players, not 4"),
        ({"reward": "money"}, "unknown reward 'money'"),
        ({"render_mode": "4d"}, "render_mode '4d'"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TtrError, match=message):
        env(**options)
