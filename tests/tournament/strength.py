"""A table at which a bot's parameters x and n decide how strong it is: for tests of tuning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_sim.board import Board
from ttr_sim.bot.driver import PLAYED
from ttr_sim.bot.play import BatchResult
from ttr_sim.bot.specs import BotSpec
from ttr_sim.rules import Rules

BEST_X, BEST_N = 0.3, 7


def strength(label: str) -> float:
    """Best where x = 0.3 and n = 7; a bot without parameters is a little weaker."""
    values = {name: float(value) for name, value in re.findall(r":([xn])=([^:]+)", label)}
    if not values:
        return -0.4
    return -4 * (values.get("x", BEST_X) - BEST_X) ** 2 - 0.02 * (values.get("n", BEST_N) - BEST_N) ** 2


@dataclass
class StrengthTable:
    """Scores are strength and luck; luck comes from the deal, and a little from the bots' own chance."""

    strengths: list[float]

    def play(self, seeds: Any, bot_seeds: Any, rotation: Any) -> BatchResult:
        n, players = len(seeds), len(self.strengths)
        played = np.zeros(n, PLAYED)
        for game in range(n):
            deal = np.random.default_rng(int(seeds[game])).normal(size=players)
            chance = np.random.default_rng(int(bot_seeds[game])).normal(size=players)
            mine = np.roll(self.strengths, -int(rotation[game]))
            scores = 1000 * (mine + 0.3 * deal + 0.3 * chance)
            played[game]["scores"]["score"][:players] = scores
            ranks = 1 + (scores[:, None] < scores[None, :]).sum(axis=1)
            played[game]["scores"]["rank"][:players] = ranks
            played[game]["reason"], played[game]["forfeit_seat"] = 1, -1
        return BatchResult(players, played, {}, np.zeros(0, np.int16), np.zeros(n + 1, np.int64))


def open_by_strength(board: Board, rules: Rules, bots: Sequence[BotSpec]) -> StrengthTable:
    return StrengthTable([strength(bot.label) for bot in bots])
