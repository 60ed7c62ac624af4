"""Several threads at one decision of a compiled bot: one answer, the same for the same seed and number of threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ttr_sim.board import load_board
from ttr_sim.bot.explained import open_explaining_table
from ttr_sim.bot.play import BatchResult, open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.envs.gymnasium import TicketToRideEnv, TicketToRideVectorEnv
from ttr_sim.errors import TtrError
from ttr_sim.rules import load_rules

# Each thread draws one of the legal actions; the answer is the lowest. `memory[1]` counts the decisions of its own thread.
LOWEST = """
from ttr_sim.bot import Param, policy
from ttr_sim.bot.explain import explains
from ttr_sim.bot.threads import merges
from ttr_sim.engine.bits import GOLD, mix

@policy(params={"threads": Param(1, 1, 8, "threads")}, memory=4)
def lowest(T, V, W, params, memory):
    memory[1] = memory[1] + 1 if memory[0] else 1
    memory[0] = 1
    W.rng = W.rng + GOLD
    memory[2] = int(W.acts[int(mix(W.rng) % W.n)])
    return memory[2]

@merges(lowest)
def merge(memory, params):
    assert len(memory) == params["threads"] and len(set(memory[:, 1].tolist())) == 1
    memory[0, 3] = len(set(memory[:, 2].tolist()))
    return int(memory[:, 2].min())

@explains(lowest)
def explain(memory):
    return [(int(memory[2]), {"asked": int(memory[1]), "drawn": int(memory[3])})]
"""


@pytest.fixture(scope="module")
def lowest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bots") / "lowest.py"
    file.write_text(LOWEST)
    return file


def played(*bots: str, games: int = 4, preset: str = "europe") -> BatchResult:
    rules = load_rules(preset)
    table = open_table(load_board(rules.board), rules, [parse_spec(bot) for bot in bots])
    seeds = np.arange(games, dtype=np.uint64)
    return table.play(seeds, seeds + np.uint64(7), np.arange(games) % len(bots))


def test_the_answers_of_all_threads_become_one_and_games_repeat(lowest: Path) -> None:
    one, two, again = (played(f"{lowest}:threads={n}", "greedy") for n in (1, 3, 3))
    assert two.forfeits == {} and one.forfeits == {}
    assert two.actions.tolist() == again.actions.tolist() != one.actions.tolist()


def test_each_thread_has_memory_and_random_numbers_of_its_own(lowest: Path) -> None:
    rules = load_rules("europe")
    table = open_explaining_table(
        load_board("europe"), rules, [parse_spec(f"{lowest}:threads=3"), parse_spec("greedy")]
    )
    seeds = np.arange(2, dtype=np.uint64)
    for told in table.play(seeds, seeds, np.zeros(2, np.int64)).thoughts:
        asked = [thought.value for thought in told if thought.measure == "asked"]
        assert asked == list(range(1, len(asked) + 1)) and len(asked) > 20
        assert max(thought.value for thought in told if thought.measure == "drawn") == 3


@pytest.mark.parametrize("preset", ["europe", "nordic"])
def test_mcts_adds_up_what_its_threads_found(preset: str) -> None:
    alone, together, again = (
        played(f"mcts:iterations=60:threads={n}", "greedy", preset=preset) for n in (1, 2, 2)
    )
    assert together.forfeits == {}
    assert together.actions.tolist() == again.actions.tolist() != alone.actions.tolist()


def test_mcts_tells_of_the_playouts_of_all_threads() -> None:
    def first(threads: int) -> dict[int, dict[str, float]]:
        rules = load_rules("europe")
        bots = [parse_spec(f"mcts:iterations=60:threads={threads}"), parse_spec("greedy")]
        table = open_explaining_table(load_board("europe"), rules, bots)
        seeds = np.zeros(1, np.uint64)
        told: dict[int, dict[str, float]] = {}
        for thought in table.play(seeds, seeds, np.zeros(1, np.int64)).thoughts[0]:
            if thought.decision == 0:
                told.setdefault(thought.action, {})[thought.measure] = thought.value
        return told

    alone, together = first(1), first(2)
    assert alone.keys() == together.keys() and len(alone) > 2
    planned = next(iter(alone))  # never dropped: tried in every world
    assert together[planned]["visits"] > alone[planned]["visits"]
    assert together[planned]["advantage"] == 0.0
    assert together[planned]["worth"] == pytest.approx(alone[planned]["worth"], abs=0.15)
    for action, numbers in together.items():
        assert numbers["visits"] >= alone[action]["visits"]


def test_an_environment_asks_it_and_many_at_once_refuse_it(lowest: Path) -> None:
    def rewards(threads: int) -> list[float]:
        env = TicketToRideEnv(opponents=f"{lowest}:threads={threads}")
        env.reset(seed=3)
        found: list[float] = []
        over = False
        while not over:
            _, reward, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
            found.append(reward)
        return found

    assert rewards(2) == rewards(2)
    with pytest.raises(TtrError, match="only compiled bots of one thread"):
        TicketToRideVectorEnv(2, opponents=f"{lowest}:threads=2")
