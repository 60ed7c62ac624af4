"""What bots say they thought: asked for after each decision, without any effect on the game."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttr_sim.board import load_board
from ttr_sim.bot.explain import Thought, thoughts
from ttr_sim.bot.explained import ExplainedResult, open_explaining_table
from ttr_sim.bot.play import open_table
from ttr_sim.bot.specs import BotSpec, parse_spec
from ttr_sim.rules import load_rules

CLASS = """
from ttr_sim.bot import Bot

class Tells(Bot):
    def choose(self, view):
        self.last = view.legal[0]
        return self.rng.choice(view.legal) if self.rng.random() > 0.02 else -1

    def explain(self):
        return [(self.last, {"visits": 3, "expected score": 1.5, "nothing": float("nan")})]

class Fails(Tells):
    def explain(self):
        raise RuntimeError("no words")
"""
COMPILED = """
from ttr_sim.bot import policy
from ttr_sim.bot.explain import explains

@policy(memory=8)
def counts(T, V, W, params, memory):
    memory[1] = memory[1] + 1 if memory[0] else 1
    memory[0] = 1
    memory[2] = int(W.acts[W.n - 1])
    return int(W.acts[W.n - 1])

@explains(counts)
def what_it_counted(memory):
    return [(int(memory[2]), {"asked": int(memory[1])})]
"""


@pytest.fixture(scope="module")
def specs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, BotSpec]:
    folder = tmp_path_factory.mktemp("bots")
    (folder / "tells.py").write_text(CLASS)
    (folder / "counts.py").write_text(COMPILED)
    return {
        "tells": parse_spec(f"{folder / 'tells.py'}:Tells"),
        "fails": parse_spec(f"{folder / 'tells.py'}:Fails"),
        "counts": parse_spec(str(folder / "counts.py")),
        "greedy": parse_spec("greedy"),
    }


def play(specs: dict[str, BotSpec], names: list[str], explain: bool) -> Any:
    board, rules = load_board("usa"), load_rules("usa")
    table = (open_explaining_table if explain else open_table)(board, rules, [specs[name] for name in names])
    numbers = np.arange(1, 9)
    return table.play(numbers, numbers, numbers % 2, timed=False)


@pytest.mark.parametrize("names", [["tells", "counts"], ["counts", "greedy"], ["fails", "greedy"]])
def test_games_are_the_same(specs: dict[str, BotSpec], names: list[str]) -> None:
    plain, told = (play(specs, names, explain) for explain in (False, True))
    assert np.array_equal(plain.actions, told.actions)
    assert np.array_equal(plain.offsets, told.offsets)
    assert plain.forfeits == told.forfeits
    for name in ("scores", "seat_decisions", "turns", "forfeit_seat"):
        assert np.array_equal(plain.played[name], told.played[name])


def test_each_decision_has_its_thoughts(specs: dict[str, BotSpec]) -> None:
    result: ExplainedResult = play(specs, ["tells", "counts"], True)
    assert result.forfeits  # an illegal answer is not among the decisions
    for game, of in enumerate(result.thoughts):
        length = int(result.offsets[game + 1] - result.offsets[game])
        assert {thought.decision for thought in of} == set(range(length))
        asked = [thought.value for thought in of if thought.measure == "asked"]
        assert asked == list(range(1, len(asked) + 1))  # the compiled bot's own count
        log = result.actions[result.offsets[game] : result.offsets[game + 1]]
        for thought in of:
            if thought.measure == "asked":
                assert thought.action == log[thought.decision]
        assert {thought.measure for thought in of} == {"visits", "expected score", "asked"}


def test_a_bot_that_cannot_explain_is_named_once(
    specs: dict[str, BotSpec], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        result = play(specs, ["fails", "greedy"], True)
    assert [record.getMessage() for record in caplog.records] == [
        f"{specs['fails'].label} cannot explain itself: RuntimeError: no words"
    ]
    assert not any(result.thoughts)


def test_form_of_thoughts() -> None:
    assert thoughts([(3, {"a": 1, "b": float("inf")})], 2) == [Thought(2, 3, "a", 1.0)]
    assert thoughts(None, 0) == []
    with pytest.raises(TypeError, match="must be a text"):
        thoughts([(3, {1: 2.0})], 0)  # type: ignore[dict-item]


def test_a_run_keeps_them_with_any_number_of_workers(specs: dict[str, BotSpec], tmp_path: Path) -> None:
    from ttr_sim.cli.main import main
    from ttr_sim.results.explain import stored_thoughts
    from ttr_sim.results.reader import open_run

    bots = f"{specs['tells'].label},greedy"
    for workers in ("1", "2"):
        command = ["run", "--bots", bots, "--games", "12", "--explain", "--quiet", "--workers", workers]
        assert main([*command, "--out", str(tmp_path / workers)]) == 0
    one, two = (tmp_path / workers / "explain" / "part-00000.parquet" for workers in "12")
    assert one.read_bytes() == two.read_bytes()
    told = stored_thoughts(open_run(tmp_path / "1"), 5)
    assert told and {thought.measure for thought in told} == {"visits", "expected score"}
    assert main(["verify", str(tmp_path / "1")]) == 0
