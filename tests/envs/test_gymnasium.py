"""The Gymnasium environments: Gymnasium's own checks, bots as opponents, many games at once."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from ttr_sim.bot.play import open_table
from ttr_sim.bot.specs import bots_in, parse_spec
from ttr_sim.engine import Game
from ttr_sim.engine import actions as codes
from ttr_sim.engine.bits import GOLD, mix
from ttr_sim.envs.gymnasium import TicketToRideEnv, TicketToRideVectorEnv
from ttr_sim.envs.hints import hint_part, hints_of
from ttr_sim.envs.observation import N_ACTIONS, SIZE, part
from ttr_sim.errors import TtrError
from ttr_sim.tournament.ask import ask_setting

CLASS_BOT = '''
"""A bot that is a class and hears everything."""
from ttr_sim.bot import Bot, policy

@policy()
def broken(T, V, W, params, memory):
    if W.n > 0:
        raise ValueError("out of order")
    return int(W.acts[0])

class Loud(Bot):
    heard = []
    def start(self, view):
        assert view.seat != view.to_move or view.offer
        self.seen = []
        type(self).heard.append(self.seen)
    def choose(self, view):
        return self.rng.choice(view.legal)
    def saw(self, seat, action):
        self.seen.append((seat, action))
    def end(self, view):
        self.seen.append("end")

class Cheat(Bot):
    def choose(self, view):
        return -1
'''


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bots") / "loud.py"
    file.write_text(CLASS_BOT)
    return file


def seeds_of(word: Any) -> tuple[int, int]:
    """Deal and bots' seed of the first game of a random stream."""
    with np.errstate(over="ignore"):
        return int(mix(word + GOLD)), int(mix(word + GOLD + GOLD))


def random_game(env: Any, seed: int | None) -> tuple[list[int], dict[str, Any], float]:
    """Play a game at random: actions, last info, sum of rewards."""
    rng = np.random.default_rng(0)
    (seen, _), actions, earned, over, info = env.reset(seed=seed), [], 0.0, False, {}
    while not over:
        assert not info
        actions.append(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        seen, reward, over, cut, info = env.step(actions[-1])
        assert not cut
        earned += reward
    assert not seen["action_mask"].any()
    return actions, info, earned


@pytest.mark.parametrize(
    "options",
    [
        {"opponents": "random"},
        {"opponents": "greedy,random,random", "rules": "usa", "seat": 2, "reward": "shaped"},
        {"opponents": ["{bots}:Loud", "greedy"], "rules": "nordic-zh", "reward": "score"},
    ],
)
def test_gymnasiums_own_check(options: dict[str, Any], bots: Path) -> None:
    given = options["opponents"]
    options = options | {
        "opponents": [o.format(bots=bots) for o in given] if isinstance(given, list) else given
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*human.*")  # it draws nothing on a screen of its own
        env = gym.make("TicketToRide-v0", **options, render_mode="rgb_array")
        check_env(env.unwrapped)
    assert env.observation_space["observation"].shape == (SIZE,)
    assert env.action_space.n == N_ACTIONS


@pytest.mark.parametrize("opponent", ["random", "mcts:iterations=4", "{bots}:Loud"])
def test_the_opponents_play_as_in_a_tournament(opponent: str, bots: Path) -> None:
    """The same deal, random streams and answers of the learner: the same game, in either seat."""
    specs = [parse_spec(text.format(bots=bots)) for text in ("random", opponent)]
    setting = ask_setting("europe", "europe")
    for seat in range(2):
        env = TicketToRideEnv(specs[1].label, "europe", "europe", seat=seat)
        word = np.random.Generator(np.random.PCG64(seat)).integers(1 << 64, size=1, dtype=np.uint64)
        env.reset(seed=seat)
        deal, streams = seeds_of(word[0])
        table = open_table(setting.board, setting.rules, specs)
        turned = np.array([-seat % 2])
        result = table.play(np.uint64([deal]), np.uint64([streams]), turned)
        game = Game.new(setting.board, setting.rules, 2, deal)
        over, info = False, {}
        for action in result.actions.tolist():
            if game.seat == seat:
                _, _, over, _, info = env.step(action)
            game.step(action)
        assert over
        assert info["score"] == int(result.seats("score")[0, seat])
        assert info["rank"] == int(result.seats("rank")[0, seat])


def test_bots_that_are_classes_hear_what_happens(bots: Path) -> None:
    spec = parse_spec(f"{bots}:Loud")
    heard = bots_in(spec.file)["Loud"].heard  # type: ignore[attr-defined]
    env = TicketToRideEnv([f"{bots}:Loud", f"{bots}:Loud"], "usa", seat=1)
    del heard[:]
    actions, _, _ = random_game(env, 5)
    assert len(heard) == 2
    assert heard[0] == heard[1]
    assert heard[0][-1] == "end"
    mine = [action for seat, action in heard[0][:-1] if seat == 1]
    kept = [a for a in actions if a >= codes.KEEP]
    assert set(mine) >= {a for a in actions if a < codes.KEEP}
    assert all(codes.public(a) in mine for a in kept)  # how many, not which


def test_an_opponent_that_acts_illegally_loses(bots: Path) -> None:
    env = TicketToRideEnv(f"{bots}:Cheat", seat=0)
    _, info, earned = random_game(env, 1)
    assert (earned, info["rank"], info["forfeit"]) == (1.0, 1, 1)


def test_an_error_of_an_opponent_is_shown(bots: Path) -> None:
    env = TicketToRideVectorEnv(2, f"{bots}:broken", seat=0)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="out of order"):
        env.step(env.sample_actions())


def test_an_illegal_action_loses() -> None:
    for action in (-1, 0, N_ACTIONS, 1 << 40):
        env = TicketToRideEnv("random,random", seat=1)
        env.reset(seed=1)
        seen, reward, over, cut, info = env.step(action)
        assert (reward, over, cut, info["rank"], info["forfeit"]) == (-0.5, True, False, 3, 1)
        assert not seen["action_mask"].any()


def test_the_seed_decides_everything() -> None:
    def games(seed: int) -> list[Any]:
        env = TicketToRideEnv("random", reward="score")
        return [random_game(env, seed if i == 0 else None) for i in range(3)]

    first = games(1)
    assert first == games(1)
    assert first != games(2)
    assert first[0] != first[1]


def test_the_learner_sits_everywhere() -> None:
    env = TicketToRideEnv("random,random")
    env.reset(seed=0)
    assert {int(part(env.reset()[0]["observation"], "seat").argmax()) for _ in range(30)} == {0, 1, 2}


def test_greedy_beats_random() -> None:
    env = TicketToRideEnv("greedy", "usa")
    assert [random_game(env, seed)[2] for seed in range(8)] == [-1.0] * 8


def test_masks_as_booleans() -> None:
    env = TicketToRideEnv()
    seen, _ = env.reset(seed=1)
    assert (env.action_masks() == (seen["action_mask"] == 1)).all()
    assert env.action_masks().dtype == bool


def test_many_games_in_one_call() -> None:
    env = gym.make_vec("TicketToRide-v0", 24, "vector_entry_point", opponents="random,random", reward="score")
    assert isinstance(env, TicketToRideVectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    seen, _ = env.reset(seed=3)
    ended, over = 0, np.zeros(24, bool)
    for _ in range(250):
        assert env.observation_space.contains(seen)
        assert (seen["action_mask"].any(axis=1) == ~over).all()
        actions = env.sample_actions()
        assert (seen["action_mask"][np.arange(24), actions] == 1)[~over].all()
        begun = over
        seen, rewards, over, cut, infos = env.step(actions)
        assert not cut.any()
        assert not (begun & over).any()
        assert (rewards[~over] == 0).all()
        assert bool(infos) == bool(over.any())
        if infos:
            assert (infos["_score"] == over).all()
            assert ((rewards > 0) <= (infos["rank"] < 3))[over].all()
            assert (infos["forfeit"] == -1).all()
        assert part(seen["observation"], "turns")[begun].sum() <= begun.sum() * 3  # began anew
        ended += int(over.sum())
    assert ended > 24


def test_one_of_many_is_the_single_game() -> None:
    single, many = TicketToRideEnv("random"), TicketToRideVectorEnv(3, "random")
    (one, _), (all_, _) = single.reset(seed=9), many.reset(seed=9)
    over = False
    while not over:
        assert (all_["observation"][0] == one["observation"]).all()
        actions = many.sample_actions()
        one, reward, over, _, info = single.step(actions[0])
        all_, rewards, overs, _, infos = many.step(actions)
        assert (rewards[0], overs[0]) == (reward, over)
    assert (infos["score"][0], infos["rank"][0]) == (info["score"], info["rank"])


def test_samples_are_uniform() -> None:
    env = TicketToRideVectorEnv(4000, "random", "usa")
    seen, _ = env.reset(seed=1)
    assert (seen["action_mask"].sum(axis=1) == 4).all()  # of three tickets two or three
    counts = np.unique(env.sample_actions(), return_counts=True)[1]
    assert counts.shape == (4,)
    assert (abs(counts - 1000) < 5 * 1000**0.5).all()


def test_an_illegal_action_loses_one_game_of_many() -> None:
    env = TicketToRideVectorEnv(4, "greedy")
    env.reset(seed=1)
    actions = env.sample_actions()
    actions[2] = -5
    _, rewards, over, _, infos = env.step(actions)
    assert rewards.tolist() == [0, 0, -1, 0]
    assert over.tolist() == [False, False, True, False]
    assert infos["_forfeit"].tolist() == over.tolist()


def test_arrays_are_copied_unless_asked_otherwise() -> None:
    for copy in (True, False):
        env = TicketToRideVectorEnv(2, "random", copy=copy)
        first, _ = env.reset(seed=1)
        before = first["observation"].copy()
        env.step(env.sample_actions())
        assert (first["observation"] == before).all() == copy


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (TicketToRideEnv, {"opponents": "nobody"}, "nobody"),
        (TicketToRideEnv, {"opponents": []}, "at least one bot"),
        (TicketToRideEnv, {"opponents": "random,random,random", "rules": "nordic"}, "2 to 3 players"),
        (TicketToRideEnv, {"seat": 2}, "seat must be 0 to 1"),
        (TicketToRideVectorEnv, {"num_envs": 0}, "num_envs"),
        (TicketToRideVectorEnv, {"opponents": "{bots}:Loud"}, "only compiled bots"),
        (TicketToRideVectorEnv, {"render_mode": "ansi"}, "draws nothing"),
    ],
)
def test_mistakes(make: Any, options: dict[str, Any], message: str, bots: Path) -> None:
    options = {k: v.format(bots=bots) if isinstance(v, str) else v for k, v in options.items()}
    with pytest.raises(TtrError, match=message):
        make(**options)


def test_steps_need_a_game() -> None:
    single = TicketToRideEnv("random")
    for env in (single, TicketToRideVectorEnv(2, "random")):
        with pytest.raises(TtrError, match=r"call reset\(\)"):
            env.step(0)
    random_game(single, 1)
    with pytest.raises(TtrError, match=r"call reset\(\)"):
        single.step(0)


def test_hints() -> None:
    """They are in what a bot gets by hand, and say what the plan of the tickets is."""
    env = TicketToRideEnv("random", "usa", seat=0, hints=True)
    seen, _ = env.reset(seed=4)
    assert env.observation_space.contains(seen)
    view = env._view(0)
    assert (hints_of(view) == seen["hints"]).all()
    assert not hint_part(seen["hints"], "wanted").any()  # no ticket yet
    spaces = hint_part(seen["hints"], "offer_spaces")[: len(view.offer)]
    assert (spaces > 0).all()
    seen, *_ = env.step(codes.keep(3))
    wanted = np.flatnonzero(hint_part(seen["hints"], "wanted"))
    lengths = sum(view.board.tracks[t].length for t in wanted)
    assert lengths == hint_part(seen["hints"], "spaces")[0] <= spaces[0] + spaces[1]
    assert hint_part(seen["hints"], "missing").sum() == lengths - sum(env._view(0).hand)
    ends = {view.board.tracks[t].a for t in wanted} | {view.board.tracks[t].b for t in wanted}
    assert {view.board.tickets[t].a for t in view.offer[:2]} <= ends


def test_actions_of_the_wrong_shape() -> None:
    env = TicketToRideVectorEnv(3, "random")
    env.reset(seed=1)
    with pytest.raises(TtrError, match=r"shape \(3,\), not \(2,\)"):
        env.step([1, 2])
