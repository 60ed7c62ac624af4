"""A bot that fails loses exactly its game, with the reason; the others are as if nothing had happened."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ttr_sim.board import load_board
from ttr_sim.bot.play import BatchResult, open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.errors import TtrError
from ttr_sim.rules import load_rules

GAMES = 6
CLASS = """
from ttr_sim.bot import Bot

class Shaky(Bot):
    def choose(self, view):
        if self.rng.random() < 0.02:
            {failure}
        return view.legal[-1]
"""
COMPILED = """
from ttr_sim.bot import policy

@policy()
def shaky(T, V, W, params, memory):
    if V.turns > 20:
        {failure}
    return int(W.acts[W.n - 1])
"""
FAILURES = {
    "raise ValueError('no idea')": "ValueError: no idea",
    "return 387": "illegal action 387",
    "return 10**30": "illegal action",
    "return 1.5": "the answer '1.5' is no whole number",
    "return None": "the answer 'None' is no whole number",
    "return 'draw'": "the answer 'draw' is no whole number",
    "view.record['trains'][0] = 0": "read-only",
    "raise SystemExit": "SystemExit",
}


def play(folder: Path, source: str, opponent: str = "random") -> BatchResult:
    file = folder / "shaky.py"
    file.write_text(source, encoding="utf-8")
    table = open_table(load_board("usa"), load_rules("usa"), [parse_spec(str(file)), parse_spec(opponent)])
    seeds = np.arange(GAMES, dtype=np.uint64)
    return table.play(seeds, seeds + np.uint64(5), np.zeros(GAMES, np.int64))


@pytest.mark.parametrize("failure", list(FAILURES))
def test_an_interpreted_bot(tmp_path: Path, failure: str) -> None:
    result = play(tmp_path, CLASS.format(failure=failure))
    assert result.forfeits
    for game in range(GAMES):
        forfeited = result.played["forfeit_seat"][game] == 0
        assert forfeited == (game in result.forfeits)
        if forfeited:
            assert FAILURES[failure] in result.forfeits[game]


@pytest.mark.parametrize(
    ("failure", "reason"),
    [("raise ValueError('no idea')", "ValueError: no idea"), ("return 387", "illegal action 387")],
)
def test_a_compiled_bot(tmp_path: Path, failure: str, reason: str) -> None:
    result = play(tmp_path, COMPILED.format(failure=failure))
    assert len(result.forfeits) == GAMES
    assert all(reason in text for text in result.forfeits.values())
    assert (result.played["forfeit_seat"] == 0).all()


def test_writing_into_its_arguments_harms_nobody_else(tmp_path: Path) -> None:
    scribble = "T.length[:] = 1; V.trains[:] = 0; W.acts[:] = 11; W.n = 1; memory[:] = 7; return 9"
    result = play(tmp_path, COMPILED.format(failure=scribble), "greedy")
    clean = play(tmp_path, COMPILED.format(failure="return 9"), "greedy")
    for name in ("score", "rank", "seat_decisions"):
        assert (result.seats(name) == clean.seats(name)).all()
    assert (result.actions == clean.actions).all()


def test_games_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    table = open_table(
        load_board("europe"), load_rules("europe"), [parse_spec("greedy"), parse_spec("random")]
    )
    seeds = np.arange(GAMES, dtype=np.uint64)
    rotation = np.arange(GAMES) % 2
    whole = table.play(seeds, seeds, rotation)
    for game in range(GAMES):
        one = table.play(seeds[game : game + 1], seeds[game : game + 1], rotation[game : game + 1])
        logged = whole.actions[whole.offsets[game] : whole.offsets[game + 1]]
        assert (one.actions == logged).all()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1", "has no bot"),
        ("import nothing_like_this", "line 1: ModuleNotFoundError"),
        ("def f(:", "line 1: SyntaxError"),
        (CLASS.format(failure="pass") + "class Other(Shaky): pass", "has several bots"),
    ],
)
def test_files_that_are_no_bot(tmp_path: Path, source: str, message: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(source, encoding="utf-8")
    with pytest.raises(TtrError, match=message):
        parse_spec(str(file))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gredy", "did you mean 'greedy'"),
        ("mcts:iteration=5", "did you mean 'iterations'"),
        ("mcts:iterations=many", "'many' is not a whole number"),
        ("mcts:iterations=0", "0 is not a whole number from 1"),
        ("mcts:playout=clever", "is not one of auto, plan, planner, random"),
        ("mcts:iterations=5:iterations=6", "given twice"),
        ("", "missing"),
    ],
)
def test_specs_that_are_wrong(spec: str, message: str) -> None:
    with pytest.raises(TtrError, match=message):
        parse_spec(spec)


def test_two_files_with_the_same_class(tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(CLASS.format(failure="pass") + f"\nWHO = {folder!r}\n")
    old, new = (parse_spec(str(tmp_path / folder / "bot.py")) for folder in ("old", "new"))
    assert old.name == new.name
    assert old.digest != new.digest
