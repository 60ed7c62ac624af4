"""Gymnasium: a learner against bots, as one environment (`TicketToRide-v0`) or many stepped in one call.

Both are registered when this module is imported, so `gymnasium.make("ttr_sim.envs.gymnasium:TicketToRide-v0", ...)` makes
one and `gymnasium.make_vec` many.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ttr_sim.board import Board
from ttr_sim.bot.api import Bot
from ttr_sim.bot.players import Interpreted
from ttr_sim.engine import actions as codes
from ttr_sim.engine import faces
from ttr_sim.engine.layout import STATE, new_record
from ttr_sim.engine.view import View
from ttr_sim.envs import render, stepping
from ttr_sim.envs.games import Games
from ttr_sim.envs.spaces import Seen, action_space, observation_space
from ttr_sim.errors import TtrError
from ttr_sim.rules import Rules

_METADATA = {"render_modes": list(render.MODES), "render_fps": 1}


class TicketToRideEnv(gym.Env[Seen, np.int64]):
    """One learner at a table of bots. A step lasts until the learner is asked again or the game is over.

    An action that is not legal loses the game, as it does in a tournament. `info` of the last step holds the learner's
    final `score` and `rank` (1 is best), and in `forfeit` the seat that acted illegally, -1 without one.

    Args:
        opponents: specs of bots, as a list or a text "greedy,random"; the players are one more. They sit after the
            learner in this order. Bots written as classes are played, too; an exception in a bot ends the program.
        board, rules: names, paths or loaded; either follows from the other where only one is given.
        seat: where the learner sits (0 is first); None: drawn for each game.
        reward: "win", "rank", "score" or "shaped", see `ttr_sim.envs.payoff.reward_kind`.
        hints: also show what a simple plan makes of the view, see `ttr_sim.envs.hints`.
        render_mode: "ansi" (text of what the learner sees), "human" (prints it) or "rgb_array" (the board as a picture;
            needs Pillow).

    Raises:
        TtrError: unknown names, or they do not fit.
    """

    metadata = _METADATA

    def __init__(
        self,
        opponents: str | Sequence[str] = "greedy",
        board: str | Path | Board | None = None,
        rules: str | Path | Rules | None = None,
        *,
        seat: int | None = None,
        reward: str = "win",
        hints: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render.check_mode(render_mode)
        self.observation_space = observation_space(hints)
        self.action_space = action_space()
        self._games = Games(board, rules, opponents, seat, reward, hints, 1)
        self._action = np.zeros(1, np.int64)
        self._asked: dict[int, Any] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal a new game; the seed decides this and all later ones. `options` are not used."""
        super().reset(seed=seed)
        games = self._games
        games.restart(self.np_random.integers(1 << 64, size=1, dtype=np.uint64))
        self._asked = {}
        self._advance(0)
        for k in games.asked:
            seat = (self._seat + k) % games.players
            seed_of_bots = games.games["bots"][0]
            self._asked[seat] = games.table.player(seat, seed_of_bots, -self._seat % games.players)
        for seat, bot in self._objects():
            if type(bot).start is not Bot.start:
                bot.start(self._view(seat))
        self._tell()
        self._ask_others()
        self._show()
        return self._seen(), {}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take an action of the learner and let the others play until it is asked again."""
        if self._games.games["over"][0]:
            raise TtrError("no game is under way: call reset()")
        self._advance(int(action))
        self._ask_others()
        self._show()
        game = self._games.games[0]
        over = bool(game["over"])
        return self._seen(), float(game["rewards"][self._seat]), over, False, self._info() if over else {}

    def action_masks(self) -> Any:
        """Legal actions as booleans (N_ACTIONS,), where sb3-contrib looks for them."""
        return self._games.masks[0].astype(bool)

    def render(self) -> Any:
        """The board as text or picture, by `render_mode`."""
        table = self._games.table
        return render.render(
            self.render_mode, table.board, table.rules, self._games.players, self._games.states, self._seat
        )

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    @property
    def _seat(self) -> int:
        return int(self._games.games["agent"][0])

    def _seen(self) -> Seen:
        return {name: array[0].copy() for name, array in self._games.seen.items()}

    def _info(self) -> dict[str, Any]:
        game, seat = self._games.games[0], self._seat
        scores = game["scores"]
        return {
            "score": int(scores["score"][seat]),
            "rank": int(scores["rank"][seat]),
            "forfeit": int(game["forfeit"]),
        }

    def _advance(self, action: int) -> None:
        self._action[0] = action
        self._games.advance(self._action)
        self._tell()

    def _tell(self) -> None:
        """Tell the bots that are classes what was done in the last call."""
        listening = [bot for _, bot in self._objects() if type(bot).saw is not Bot.saw]
        if listening:
            work = self._games.table.buffers.work[0]
            done = slice(0, int(work["trace_n"]))
            taken = zip(work["trace_seat"][done].tolist(), work["trace_act"][done].tolist(), strict=True)
            for seat, action in taken:
                for bot in listening:
                    bot.saw(seat, codes.public(action))

    def _ask_others(self) -> None:
        """Ask those that the compiled loop cannot call whenever the game waits for one."""
        games, work = self._games, self._games.table.buffers.work
        while self._asked and not games.games["over"][0]:
            seat = int(games.states["seat"][0])
            if seat == self._seat:
                return
            legal = work["acts"][0, : int(work["n"][0])].tolist()
            self._advance(int(self._asked[seat].choose(self._view_array(seat), legal)))
        for seat, bot in self._objects():
            if type(bot).end is not Bot.end:
                bot.end(self._view(seat))

    def _objects(self) -> list[tuple[int, Bot]]:
        """The bots that are objects, with their seats."""
        return [(seat, asked.bot) for seat, asked in self._asked.items() if isinstance(asked, Interpreted)]

    def _view_array(self, seat: int) -> Any:
        view = new_record(STATE)
        faces.observe_game(self._games.table.tables, self._games.states, view, seat)
        return view

    def _view(self, seat: int) -> View:
        table = self._games.table
        return View(table.board, table.rules, self._games.players, self._view_array(seat), [])


class TicketToRideVectorEnv(VectorEnv[Seen, Any, Any]):
    """Many games stepped in one compiled call; what each shows and earns is as in `TicketToRideEnv`.

    A game that is over begins anew at the next step (`AutoresetMode.NEXT_STEP`), whose action is not used and whose reward
    is 0. `infos` of a step in which games ended hold `score`, `rank` and `forfeit` as arrays (num_envs,), valid where the
    arrays with a leading underscore are true.

    Args:
        num_envs: number of games.
        opponents: as in `TicketToRideEnv`, but compiled ones only.
        copy: give new arrays at each step. Without, the arrays of the last step are overwritten, which is quicker.

    Raises:
        TtrError: unknown names, or they do not fit; an opponent is not compiled.
    """

    def __init__(
        self,
        num_envs: int = 1,
        opponents: str | Sequence[str] = "greedy",
        board: str | Path | Board | None = None,
        rules: str | Path | Rules | None = None,
        *,
        seat: int | None = None,
        reward: str = "win",
        hints: bool = False,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise TtrError(f"num_envs must be at least 1, not {num_envs}")
        if render_mode is not None:
            raise TtrError("the vectorised environment draws nothing; make one environment to look at a game")
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.num_envs = num_envs
        self.single_observation_space = observation_space(hints)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._games = Games(board, rules, opponents, seat, reward, hints, num_envs)
        self._copy = copy
        self._rows = np.arange(num_envs)
        self._sampler = np.uint64(0)
        for bot in self._games.table.bots:
            if not bot.looped:
                raise TtrError(
                    f"bot {bot.spec.label}: only compiled bots of one thread can play in a vectorised environment"
                )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal all games anew; the seed decides these and all later ones. `options` are not used."""
        super().reset(seed=seed)
        words = self.np_random.integers(1 << 64, size=self.num_envs + 1, dtype=np.uint64)
        self._sampler = words[-1]
        self._games.restart(words[:-1])
        self._games.advance(np.zeros(self.num_envs, np.int64))
        return self._seen(), {}

    def step(self, actions: Any) -> tuple[Seen, Any, Any, Any, dict[str, Any]]:
        """Take an action in every game."""
        if self._np_random is None:
            raise TtrError("no game is under way: call reset()")
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.num_envs,):
            raise TtrError(f"actions must have shape ({self.num_envs},), not {actions.shape}")
        self._games.advance(actions)
        games = self._games.games
        rewards = games["rewards"][self._rows, games["agent"]]
        over = games["over"] == 1
        return self._seen(), rewards, over, np.zeros(self.num_envs, bool), self._infos(over)

    def sample_actions(self) -> Any:
        """A random legal action for every game, int64 (num_envs,); 0 where it is over. Much quicker than the space's."""
        actions = np.empty(self.num_envs, np.int64)
        self._sampler = np.uint64(stepping.sample(self._games.masks, self._sampler, actions))
        return actions

    def _seen(self) -> Seen:
        seen = self._games.seen
        return {name: array.copy() for name, array in seen.items()} if self._copy else dict(seen)

    def _infos(self, over: Any) -> dict[str, Any]:
        if not over.any():
            return {}
        games = self._games.games
        scores, agents = games["scores"], games["agent"]
        values = {
            "score": scores["score"][self._rows, agents],
            "rank": scores["rank"][self._rows, agents],
            "forfeit": games["forfeit"].copy(),
        }
        return values | {f"_{name}": over.copy() for name in values}


gym.register(
    "TicketToRide-v0",
    entry_point="ttr_sim.envs.gymnasium:TicketToRideEnv",
    vector_entry_point="ttr_sim.envs.gymnasium:TicketToRideVectorEnv",
)
