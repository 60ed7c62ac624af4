"""A table whose games are random numbers from their seeds: fast, and able to misbehave on purpose."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ttr_sim.board import Board, load_board
from ttr_sim.bot.driver import PLAYED
from ttr_sim.bot.play import BatchResult
from ttr_sim.bot.specs import BotSpec
from ttr_sim.rules import Rules, load_rules
from ttr_sim.tournament.plan import Plan, Setting, make_plan

BOT_FILE = Path(__file__).parents[2] / "bots" / "random.py"


@dataclass
class FakeTable:
    """Bot labels say what a bot does: killer (kills the process at some seeds), raiser, sleeper, else nothing."""

    players: int
    labels: list[str]

    def play(self, seeds: Any, bot_seeds: Any, rotation: Any, *, forfeit: Any = None) -> BatchResult:
        n = len(seeds)
        played = np.zeros(n, PLAYED)
        forfeits = {}
        actions, offsets = [], [0]
        for game in range(n):
            rng = np.random.default_rng([int(seeds[game]), int(bot_seeds[game]), int(rotation[game])])
            if "killer" in self.labels and seeds[game] % 7 == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            if "sleeper" in self.labels:
                time.sleep(0.05)
            played[game]["forfeit_seat"] = -1
            if "raiser" in self.labels and seeds[game] % 5 == 0:
                played[game]["forfeit_seat"] = rng.integers(self.players)
                forfeits[game] = "ValueError: as planned"
                print("a bot prints", game)
            self._fill(played[game], rng)
            count = int(rng.integers(5, 20))
            actions.append(rng.integers(0, 388, count).astype(np.int16))
            offsets.append(offsets[-1] + count)
        flat = np.concatenate(actions) if actions else np.zeros(0, np.int16)
        return BatchResult(self.players, played, forfeits, flat, np.array(offsets, np.int64))

    def _fill(self, record: Any, rng: np.random.Generator) -> None:
        scores = rng.integers(20, 140, self.players)
        record["scores"]["score"][: self.players] = scores
        record["scores"]["rank"][: self.players] = 1 + (scores[:, None] < scores[None, :]).sum(axis=1)
        record["reason"] = 1
        record["turns"] = rng.integers(80, 120)
        record["decisions"] = rng.integers(150, 250)
        record["seat_decisions"][: self.players] = rng.integers(70, 120, self.players)
        record["think_ns"][: self.players] = 1000


def open_fake(board: Board, rules: Rules, bots: Sequence[BotSpec]) -> FakeTable:
    return FakeTable(len(bots), [bot.label for bot in bots])


def europe() -> Setting:
    return Setting(load_board("europe"), load_rules("europe"))


def plan(labels: str = "a,b", *, games: int = 40, **options: Any) -> Plan:
    bots = [BotSpec(label, BOT_FILE, "random", ()) for label in labels.split(",")]
    return make_plan(bots, [europe()], games=games, **options)
