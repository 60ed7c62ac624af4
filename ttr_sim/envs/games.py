"""Games between a learner and bots, many at once: the arrays that the compiled steps work on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ttr_sim.board import Board
from ttr_sim.bot.check import check_bot
from ttr_sim.bot.play import Table, open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.engine.layout import STATE, new_record
from ttr_sim.envs import stepping
from ttr_sim.envs.compiled import address
from ttr_sim.envs.hints import HINTS_SIZE
from ttr_sim.envs.observation import N_ACTIONS, SIZE
from ttr_sim.envs.payoff import GAME, reward_kind
from ttr_sim.errors import TtrError
from ttr_sim.rules import Rules, check_fit
from ttr_sim.tournament.ask import ask_setting
from ttr_sim.tournament.plan import Setting


def open_setting(board: str | Path | Board | None, rules: str | Path | Rules | None, players: int) -> Setting:
    """Load what is played; either follows from the other where only one is given.

    Raises:
        TtrError: unknown names, or they and the number of players do not fit.
    """
    setting = ask_setting(board, rules)
    check_fit(setting.board, setting.rules, players)
    if setting.rules.turn_limit == 0:
        raise TtrError(f"rules {setting.rules.name}: turn_limit must be at least 1, so that every game ends")
    return setting


class Games:
    """`count` games of one learner (the agent) against bots.

    Attributes:
        players: seats at the table.
        states, games: STATE and GAME arrays, shape (count,).
        seen: int8 arrays (count, ...) by name: what the agent sees, see `ttr_sim.envs.spaces`.
    """

    def __init__(
        self,
        board: str | Path | Board | None,
        rules: str | Path | Rules | None,
        opponents: str | Sequence[str],
        seat: int | None,
        reward: str,
        hints: bool,
        count: int,
    ) -> None:
        texts = opponents.split(",") if isinstance(opponents, str) else list(opponents)
        self.players = 1 + len(texts)
        setting = ask_setting(board, rules)
        specs = [parse_spec(text.strip()) for text in texts]
        for spec in specs:
            check_bot(spec)
        if not specs:
            raise TtrError("opponents must name at least one bot, for example 'greedy'")
        # The first bot of the table stands for the agent and is never asked.
        self.table: Table = open_table(setting.board, setting.rules, [specs[0], *specs])
        if seat is not None and not 0 <= seat < self.players:
            raise TtrError(
                f"seat must be 0 to {self.players - 1} or None (drawn for each game), not {seat!r}"
            )
        self.seat = stepping.ANY_SEAT if seat is None else seat
        self.kind = reward_kind(reward)
        looped = [bot.looped for bot in self.table.bots]
        self.asked = [k for k, policy in enumerate(looped) if k and not policy]
        self.bots = np.array([address(policy) if k and policy else 0 for k, policy in enumerate(looped)])
        self.views = new_record(STATE)
        self.states = new_record(STATE, count)
        self.games = new_record(GAME, count)
        self.games["over"] = 1
        self.memory = np.zeros((count, self.players, self.table.memory.shape[1]), np.int64)
        self.observations = np.zeros((count, SIZE), np.int8)
        self.masks = np.zeros((count, N_ACTIONS), np.int8)
        self.hints = np.zeros((count, HINTS_SIZE if hints else 0), np.int8)
        self.seen = {"observation": self.observations, "action_mask": self.masks}
        if hints:
            self.seen["hints"] = self.hints

    def restart(self, words: Any) -> None:
        """Let each game begin anew at its next step, with the random stream that starts at its word (uint64 array)."""
        self.games["rng"] = words
        self.games["over"] = 1

    def advance(self, actions: Any) -> None:
        """A step of all games; see `ttr_sim.envs.stepping.advance`."""
        table, buffers = self.table, self.table.buffers
        stepping.advance(
            table.tables,
            table.bot_tables,
            self.states,
            self.views,
            buffers.work,
            buffers.bot_work,
            self.bots,
            table.params,
            self.memory,
            self.games,
            self.seat,
            self.kind,
            actions,
            self.observations,
            self.masks,
            self.hints,
        )
