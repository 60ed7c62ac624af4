"""Playing every game twice: how the halves are compared, and how the first difference is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from tests.tournament import fake
from ttr_sim.board import Board
from ttr_sim.bot.driver import PLAYED
from ttr_sim.bot.play import BatchResult
from ttr_sim.bot.specs import BotSpec
from ttr_sim.engine import Game
from ttr_sim.rules import Rules
from ttr_sim.tournament.duel import make_duel
from ttr_sim.tournament.games import from_result, lost
from ttr_sim.tournament.rows import table_rows
from ttr_sim.tournament.twins import TwinTable, TwinTest, play_twins


@dataclass
class Script:
    """A table whose games are the ones given: actions, and the seat that forfeits (-1: none)."""

    games: list[tuple[list[int], int]]
    progress: Any = None

    def play(self, seeds: Any, bot_seeds: Any, rotation: Any) -> BatchResult:
        played = np.zeros(len(seeds), PLAYED)
        played["forfeit_seat"] = [seat for _, seat in self.games]
        played["reason"] = 1
        faults = {i: "fell over" for i, (_, seat) in enumerate(self.games) if seat >= 0}
        flat = np.array([a for actions, _ in self.games for a in actions], np.int16)
        offsets = np.cumsum([0, *(len(actions) for actions, _ in self.games)])
        return BatchResult(2, played, faults, flat, offsets)


def told(first: tuple[list[int], int], second: tuple[list[int], int]) -> list[int]:
    table = TwinTable(Script([first]), Script([second]))
    return table.play(np.zeros(1), np.zeros(1), np.zeros(1)).actions.tolist()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (([3, 4], -1), ([3, 4], -1), []),
        (([3, 4], 0), ([3, 4], 0), [-2]),
        (([3, 4, 5], -1), ([3, 7, 5], -1), [3, 4, 7]),
        (([3, 4, 5], -1), ([3], 1), [3, 4, -1]),
        (([3, 4], 1), ([3, 4], -1), [3, 4, -1, -3]),
        (([3, 4], 1), ([3, 4], 0), [3, 4, -1, -1]),
    ],
)
def test_comparison(first: tuple[list[int], int], second: tuple[list[int], int], expected: list[int]) -> None:
    assert told(first, second) == expected


def spec(label: str) -> BotSpec:
    return BotSpec(label, fake.BOT_FILE, "random", ())


def test_the_first_difference_is_told() -> None:
    duel = make_duel(spec("new"), spec("old"), [], [fake.europe()], games=20, players=2, seed=5)
    test = TwinTest(duel)
    setting = fake.europe()
    game = Game.new(setting.board, setting.rules, 2, test.plan.schedule.game(2).seed)
    begun = [game.legal()[0]]
    game.step(begun[0])
    here, there = game.legal()[:2]
    same, other = ([1], -1), ([*begun, there], -1)
    table = TwinTable(Script([same, same, ([*begun, here], -1)]), Script([same, same, other]))
    result = table.play(np.zeros(3), np.zeros(3), np.zeros(3))
    killer = lost(2, -1, "the worker process was killed")
    test.add(table_rows(test.plan, 0, from_result(result), 0))
    test.add(table_rows(test.plan, 3, killer, 0))
    assert test.enough(4)
    assert (test.same, test.forfeited, test.lost) == (2, 0, {})
    difference = test.difference
    assert difference is not None
    assert (difference.game, difference.decision, difference.seat) == (2, 1, game.seat)
    assert (difference.candidate, difference.baseline) == (game.describe(here), game.describe(there))
    assert difference.position == game.view(game.seat).text()


def test_games_that_kill_the_worker_are_not_the_same() -> None:
    duel = make_duel(spec("new"), spec("old"), [], [fake.europe()], games=20, players=2, seed=5)
    test = TwinTest(duel)
    test.add(table_rows(test.plan, 0, lost(2, 1, "the worker process was killed"), 0))
    assert (test.same, test.lost, test.difference) == (0, {"the worker process was killed": 1}, None)


def open_named(board: Board, rules: Rules, bots: list[BotSpec]) -> Any:
    """A table whose games depend on the labels of its bots."""
    table = fake.open_fake(board, rules, bots)
    return Named(table, bots)


@dataclass
class Named:
    table: Any
    bots: list[BotSpec]
    progress: Any = None

    def play(self, seeds: Any, bot_seeds: Any, rotation: Any) -> BatchResult:
        result: BatchResult = self.table.play(seeds, bot_seeds, rotation)
        change = result.actions.copy()
        for game in np.flatnonzero(
            (np.asarray(seeds) % 3 == 0) & any(bot.label == "old" for bot in self.bots)
        ):
            change[result.offsets[game]] += 1
        return replace(result, actions=change)


@pytest.mark.parametrize("opponents", [[], ["x", "y"]])
def test_any_number_of_workers(opponents: list[str]) -> None:
    found = []
    for workers in (1, 3):
        others = [spec(label) for label in opponents]
        test = TwinTest(
            make_duel(spec("new"), spec("old"), others, [fake.europe()], games=80, players=2, seed=5)
        )
        assert play_twins(test, workers, quiet=True, opener=open_named)
        found.append(test.found)
    assert found[0] == found[1] and found[0] is not None
    assert test.plan.schedule.game(found[0][0]).seed % 3 == 0
    assert all(test.plan.schedule.game(n).seed % 3 for n in range(found[0][0]))
