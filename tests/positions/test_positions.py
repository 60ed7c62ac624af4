"""Positions with a clearly right move, as data, and the built-in bots that must find it.

A file of data/ is named after its board. A [[position]] has the keys of a position file (ttr_sim/bot/positions.py;
board and version follow from the file) and

    title, why  what it is about, and why the move is right, in a sentence
    best        texts of the right actions, with * as a wildcard: one of them must be chosen
    never       texts of wrong actions: none of them may be chosen
    bots        the bots that are expected to find it
    unsolved    those of them that do not yet
    exact       false: no comparison with the points each action can bring. Without it, where the end is near, the right
                actions must be exactly those after which the seat can have the most points when its turn is over
"""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from ttr_sim.bot.ask import ask
from ttr_sim.bot.positions import read_position
from ttr_sim.bot.specs import parse_spec
from ttr_sim.engine import Game

DATA = Path(__file__).with_name("data")
OURS = ("title", "why", "best", "never", "bots", "unsolved", "exact")
SEEDS = {"mcts": (1, 2, 3, 4, 5)}  # four of five must find it; the others do the same with every seed


def positions() -> list[tuple[str, dict[str, Any]]]:
    found = []
    for file in sorted(DATA.glob("*.toml")):
        for position in tomllib.loads(file.read_text(encoding="utf-8"))["position"]:
            found.append(
                (f"{file.stem}: {position['title']}", {"board": file.stem, "position": 1, **position})
            )
    return found


POSITIONS = positions()
TASKS = [(name, position, bot) for name, position in POSITIONS for bot in position["bots"]]


def game_of(position: dict[str, Any]) -> Game:
    content = {key: value for key, value in position.items() if key not in OURS}
    return read_position(content, position["title"]).game


def is_right(position: dict[str, Any], text: str) -> bool:
    best, never = position.get("best", ["*"]), position.get("never", [])
    return any(fnmatchcase(text, b) for b in best) and not any(fnmatchcase(text, n) for n in never)


def test_there_are_enough_of_them() -> None:
    assert len(POSITIONS) >= 40
    assert {position["board"] for _, position in POSITIONS} == {"europe", "nordic", "usa"}
    assert {len(position["seats"]) for _, position in POSITIONS} == {2, 3, 4}
    assert len({name for name, _ in POSITIONS}) == len(POSITIONS)


@pytest.mark.parametrize(("name", "position"), POSITIONS, ids=[name for name, _ in POSITIONS])
def test_the_data(name: str, position: dict[str, Any]) -> None:
    """Some action is right, some is not; and where the game is nearly over, the points agree."""
    game = game_of(position)
    right = {action for action in game.legal() if is_right(position, game.describe(action))}
    assert right and right != set(game.legal())
    assert position["why"].endswith(".")
    assert set(position.get("unsolved", [])) <= set(position["bots"])
    if "end" in position and position.get("exact", True):
        points = {action: most_points(game, action) for action in game.legal()}
        best = {action for action, most in points.items() if most == max(points.values())}
        texts = {game.describe(action): most for action, most in points.items() if action in best ^ right}
        assert best == right, texts


def most_points(game: Game, action: int) -> int:
    """The most points the seat can have at the end of its turn, if it begins with this action."""
    seat, turns = game.seat, int(game.state["turns"][0])
    after = game.copy()
    after.step(action)
    if after.is_over or int(after.state["turns"][0]) > turns:
        return after.result().seats[seat].score
    return max(most_points(after, following) for following in after.legal())


@pytest.mark.parametrize(("name", "position", "bot"), TASKS, ids=[f"{name} {bot}" for name, _, bot in TASKS])
def test_the_bots(name: str, position: dict[str, Any], bot: str, request: pytest.FixtureRequest) -> None:
    if bot in position.get("unsolved", []):
        request.applymarker(pytest.mark.xfail(reason=f"{bot} does not find it yet", strict=True))
    game = game_of(position)
    chosen = [game.describe(ask(parse_spec(bot), game, seed).action) for seed in SEEDS.get(bot, (1,))]
    right = sum(is_right(position, action) for action in chosen)
    assert right >= 0.8 * len(chosen), f"{position['why']} {bot}: {chosen}"
