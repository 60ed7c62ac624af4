"""What a check of a bot is given and what it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from time import perf_counter

import numpy as np

from ttr_sim import paths
from ttr_sim.board import Board, load_board
from ttr_sim.bot.ask import Illegal
from ttr_sim.bot.play import BatchResult, Table, open_table
from ttr_sim.bot.specs import BotSpec, parse_spec
from ttr_sim.rules import Rules, load_rules

MOST_PROBLEMS = 5  # more of one check are only counted


@dataclass
class Findings:
    """What a check found. detail: what was done, for the report; problems: one line each, empty when the bot passed."""

    detail: str = ""
    problems: list[str] = field(default_factory=list)

    def add(self, where: str, problem: object) -> None:
        """Note a problem and where it shows."""
        named = isinstance(problem, BaseException) and not isinstance(problem, Illegal)
        text = f"{type(problem).__name__}: {problem}" if named else str(problem).split("; legal: ")[0]
        self.problems.append(f"{where}: {' '.join(text.split())[:300]}")

    @property
    def shown(self) -> list[str]:
        """The first problems, and how many more there are."""
        more = len(self.problems) - MOST_PROBLEMS
        return self.problems[:MOST_PROBLEMS] + ([f"... and {more} more"] if more > 0 else [])


@dataclass
class Subject:
    """The bot under test. seconds: what one check may take, roughly; alive: to be called now and then."""

    spec: BotSpec
    seconds: float
    alive: Callable[[], None]
    thorough: bool = False
    max_ms: float = 1000.0

    @cached_property
    def decision_s(self) -> float:
        """Seconds it takes for a decision, measured in the first turns of a game."""
        board, rules = setting("europe")
        table = self.table(board, rules.with_options({"turn_limit": 2}), 2)
        play(table, [1])  # loads what is loaded late
        played = play(table, [2]).played[0]
        return max(1e-6, float(played["think_ns"].sum()) / max(1, int(played["decisions"])) / 1e9)

    def table(self, board: Board, rules: Rules, players: int) -> Table:
        """A table with the bot in all seats."""
        return open_table(board, rules, [self.spec] * players)

    def shortened(self, rules: Rules, games: int) -> tuple[Rules, int]:
        """The rules with a limit of turns where `games` whole games take too long, and that limit (0: whole games)."""
        turns = int(self.seconds / games / self.decision_s / 5)  # about 2.5 decisions a turn, two copies
        if turns >= 30:
            return rules, 0
        return rules.with_options({"turn_limit": max(1, turns)}), max(1, turns)

    def until(self) -> Callable[[], bool]:
        """A function that tells whether there is time left for this check; it also says that we are alive."""
        end = perf_counter() + self.seconds

        def left() -> bool:
            self.alive()
            return perf_counter() < end

        return left


def greedy() -> BotSpec:
    """The built-in opponent."""
    return parse_spec(str(paths.shipped_root() / paths.BOT.folder / "greedy.py"))


def setting(preset: str) -> tuple[Board, Rules]:
    """Board and rules of a preset."""
    rules = load_rules(preset)
    return load_board(rules.board), rules


def tables() -> list[tuple[str, int]]:
    """Every preset that is found, with every number of players it is for."""
    return [
        (preset, players)
        for preset in paths.available(paths.RULES)
        for players in range(load_rules(preset).players[0], load_rules(preset).players[1] + 1)
    ]


def play(table: Table, seeds: list[int]) -> BatchResult:
    """Play games of these seeds, the bots seeded by the same numbers."""
    numbers = np.array(seeds, np.uint64)
    return table.play(numbers, numbers + np.uint64(1000), np.zeros(len(seeds), np.int64))


def logs(result: BatchResult) -> list[list[int]]:
    """The actions of each game."""
    ends = result.offsets.tolist()
    return [result.actions[a:b].tolist() for a, b in pairwise(ends)]
