"""PettingZoo: every seat an agent, in turns (AEC)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from ttr_sim.board import Board
from ttr_sim.engine.layout import STATE, WORK, new_record
from ttr_sim.engine.tables import make_tables
from ttr_sim.envs import render, stepping
from ttr_sim.envs.games import open_setting
from ttr_sim.envs.observation import N_ACTIONS, SIZE
from ttr_sim.envs.payoff import GAME, SHAPED, reward_kind
from ttr_sim.envs.spaces import Seen, action_space, observation_space
from ttr_sim.rules import Rules

_METADATA = {
    "name": "ticket_to_ride_v0",
    "render_modes": list(render.MODES),
    "render_fps": 1,
    "is_parallelizable": False,
}


class TicketToRide(AECEnv[str, Seen, int]):  # type: ignore[misc]
    """A game of Ticket to Ride; agents are "seat_0", "seat_1", ...

    Decisions with one legal action are taken without asking, so an agent may be asked several times in a row. What it sees
    is a dict: `observation` (see `ttr_sim.envs.observation`) and `action_mask`, 1 where legal. An action that is not legal
    loses the game, as it does in a tournament. At the end `infos` hold each seat's `score` and `rank` (1 is best).

    Args:
        board, rules: names, paths or loaded; either follows from the other where only one is given.
        players: number of seats.
        reward: "win", "rank", "score" or "shaped", see `ttr_sim.envs.payoff.reward_kind`.
        render_mode: "ansi" (text of what the seat to move sees), "human" (prints it) or "rgb_array" (the board as a
            picture; needs Pillow).

    Raises:
        TtrError: unknown names, or they do not fit.
    """

    metadata = _METADATA

    def __init__(
        self,
        board: str | Path | Board | None = None,
        rules: str | Path | Rules | None = None,
        players: int = 2,
        *,
        reward: str = "win",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.setting = open_setting(board, rules, players)
        self.players = players
        self.render_mode = render.check_mode(render_mode)
        self.possible_agents = [f"seat_{p}" for p in range(players)]
        self.agents: list[str] = []
        self._kind = reward_kind(reward)
        self._tables = make_tables(self.setting.board, self.setting.rules, players)
        self._states, self._views, self._work = new_record(STATE), new_record(STATE), new_record(WORK)
        self._game = new_record(GAME)
        self._rewards = self._game["rewards"][0]
        self._row, self._mask = np.zeros(SIZE, np.int8), np.zeros(N_ACTIONS, np.int8)
        self._rng: np.random.Generator | None = None
        self._observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self._action_spaces = {agent: action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gym.spaces.Space[Seen]:
        """The space of what an agent sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        """The actions, numbered as in `ttr_sim.engine.actions`."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; the seed decides this and all later ones. `options` are not used."""
        if seed is not None or self._rng is None:
            self._rng = np.random.default_rng(seed)
        self._game["rng"] = self._rng.integers(1 << 64, dtype=np.uint64)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._play(stepping.NEW_GAME)
        self._show()

    def step(self, action: int | None) -> None:
        """Take an action of the agent that is asked (None for an agent whose game is over)."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._play(int(action))  # type: ignore[arg-type]
        over = self._game["over"][0]
        if self._kind == SHAPED or over:
            self.rewards = dict(zip(self.agents, self._rewards.tolist(), strict=False))
            self._accumulate_rewards()
        if over:
            self._finish()
        self._show()

    def observe(self, agent: str) -> Seen:
        """What an agent sees now; the mask is all 0 unless it is asked."""
        if agent == self._looker:
            return {"observation": self._row.copy(), "action_mask": self._mask.copy()}
        row = np.empty(SIZE, np.int8)
        stepping.look(self._tables, self._states, self._views, self.possible_agents.index(agent), row)
        return {"observation": row, "action_mask": np.zeros(N_ACTIONS, np.int8)}

    def render(self) -> Any:
        """The board as text or picture, by `render_mode`."""
        setting = self.setting
        seat = int(self._states["seat"][0])
        return render.render(self.render_mode, setting.board, setting.rules, self.players, self._states, seat)

    def close(self) -> None:
        """Nothing to release."""

    def _play(self, action: int) -> None:
        seat = stepping.play(
            self._tables,
            self._states,
            self._views,
            self._work,
            self._game,
            self._kind,
            action,
            self._row,
            self._mask,
        )
        self.agent_selection = self._looker = self.possible_agents[seat]

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        scores = self._game["scores"][0]
        for p, agent in enumerate(self.agents):
            self.terminations[agent] = True
            self.infos[agent] = {"score": int(scores["score"][p]), "rank": int(scores["rank"][p])}


def env(*args: Any, **options: Any) -> OrderEnforcingWrapper[str, Seen, int]:
    """A `TicketToRide` whose calls are checked for their order, as PettingZoo's own environments are."""
    return OrderEnforcingWrapper(TicketToRide(*args, **options))
