"""OpenSpiel: the game `python_ttr(board=europe,rules=europe,players=2)`, registered when this module is imported.

Chance is explicit and stands at the root: four chance nodes of 256 outcomes each name one of 2^32 deals, and everything
random after that follows from the deal, as with a deck that is shuffled before the game. So every state is its history, and
storing, cloning and replaying are exact; a chance node before each card would add nodes without number and say the same. The
price: a state carries the order of its deck, so a search that clones it looks into the future. One that must not takes
`resample_from_infostate` first, as information-set searches do: it deals anew all that the seat does not know.

Information-state strings hold all that a seat has ever seen. Information-state tensors hold what it sees now and the last
256 actions, which is less.

Parameters: `board`, `rules` (names or paths; either follows from the other where only one is given), `players`, and
`reward`: "win", "rank" or "score" (see `ttr_sim.envs.payoff.reward_kind`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel

from ttr_sim.board import Board
from ttr_sim.engine import actions as codes
from ttr_sim.engine import faces
from ttr_sim.engine.layout import MAX_LENGTH, MAX_PLAYERS, STATE, WORK, new_record
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.view import View
from ttr_sim.envs import stepping
from ttr_sim.envs.games import open_setting
from ttr_sim.envs.observation import N_ACTIONS
from ttr_sim.envs.payoff import GAME, reward_kind
from ttr_sim.envs.spiel_observer import HISTORY, TtrObserver, own_text, public_text
from ttr_sim.envs.worlds import possible_world
from ttr_sim.errors import IllegalAction, TtrError
from ttr_sim.rules import Rules
from ttr_sim.tournament.plan import Setting

_DIGITS, _BASE = 4, 256  # chance nodes and their outcomes
_MOST_POINTS = 1000.0
_OUTCOMES = [(digit, 1.0 / _BASE) for digit in range(_BASE)]
_DEFAULTS = {"board": "", "rules": "", "players": 2, "reward": "win"}

_TYPE = pyspiel.GameType(
    short_name="python_ttr",
    long_name="Ticket to Ride",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class Played:
    """What the states of a game share: board, rules, and the arrays the compiled functions need."""

    def __init__(self, setting: Setting, players: int, reward: str) -> None:
        self.board, self.rules, self.players = setting.board, setting.rules, players
        self.kind = reward_kind(reward)
        if reward == "shaped":
            raise TtrError("reward 'shaped': OpenSpiel's games pay at the end; use 'score'")
        self.tables = make_tables(self.board, self.rules, players)
        self.work, self.game = new_record(WORK), new_record(GAME)

    def view(self, state: Any, seat: int) -> Any:
        """The View of a seat, as a STATE array of shape (1,)."""
        view = new_record(STATE)
        faces.observe_game(self.tables, state, view, seat)
        return view

    def worth(self, state: Any) -> list[float]:
        """What a game that is over is worth to its seats."""
        stepping.worth(self.tables, state, self.work, self.game, self.kind)
        found: list[float] = self.game["worth"][0, : self.players].tolist()
        return found

    def longest(self) -> int:
        """More decisions than any game has: those of a turn are kind, payment, sets, single cards, tunnel."""
        cards = MAX_LENGTH * int(max(self.tables["set_size"][0].max(), self.tables["mixed"][0].max()))
        return self.players * (1 + self.rules.turn_limit * (4 + cards + self.rules.cards_per_draw))


_GIVEN: dict[str, Any] = {}


@lru_cache(maxsize=64)
def played(board: str, rules: str, players: int, reward: str) -> Played:
    """What these parameters name. Raises TtrError."""
    if rules in _GIVEN:
        return Played(Setting(_GIVEN[board], _GIVEN[rules]), players, reward)
    return Played(open_setting(board or None, rules or None, players), players, reward)


def game_of(board: Board, rules: Rules, players: int, reward: str = "win") -> TtrGame:
    """The game on a board and by rules that need no name."""
    names = f"board-{board.sha256[:16]}", f"rules-{rules.sha256[:16]}"
    _GIVEN.update(zip(names, (board, rules), strict=True))
    return TtrGame({"board": names[0], "rules": names[1], "players": players, "reward": reward})


class TtrGame(pyspiel.Game):  # type: ignore[misc]
    """Ticket to Ride on one board, by one set of rules."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        asked = {**_DEFAULTS, **(params or {})}
        self.names = (str(asked["board"]), str(asked["rules"]), int(asked["players"]), str(asked["reward"]))
        shared = played(*self.names)
        most = _MOST_POINTS if self.names[3] == "score" else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=N_ACTIONS,
            max_chance_outcomes=_BASE,
            num_players=shared.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=shared.longest(),
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> TtrState:
        """A game not yet dealt."""
        return TtrState(self, self.names)

    def max_chance_nodes_in_history(self) -> int:
        """The deal takes so many."""
        return _DIGITS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> TtrObserver:
        """What writes observations, or information states, as tensors and strings."""
        return TtrObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class TtrState(pyspiel.State):  # type: ignore[misc]
    """A game under way. Its attributes are immutable values, which OpenSpiel copies and stores."""

    def __init__(self, game: TtrGame, names: tuple[str, str, int, str]) -> None:
        super().__init__(game)
        self._names = names
        self._deal: bytes = b""  # outcomes of the chance nodes
        self._record: bytes = b""
        self._mover: int = pyspiel.PlayerId.CHANCE
        self._legal: bytes = b""
        self._public = ""  # what everybody has seen
        self._private: tuple[str, ...] = ()  # what each seat alone has seen
        self.log: bytes = b""  # (seat, public action) of the last things done, int16
        self._worth: tuple[float, ...] = (0.0,) * names[2]

    @property
    def played(self) -> Played:
        """Board, rules, tables."""
        return played(*self._names)

    @property
    def dealt(self) -> bool:
        """Is the deal known?"""
        return bool(self._record)

    def record(self) -> Any:
        """The STATE array of shape (1,), a copy: the whole truth."""
        array = new_record(STATE)
        array.view(np.uint8)[:] = np.frombuffer(self._record, np.uint8)
        return array

    def view(self, seat: int) -> View:
        """The game as a seat may know it, as ttr-sim's bots get it."""
        shared = self.played
        legal = self._legal_actions(seat) if seat == self._mover else []
        return View(shared.board, shared.rules, shared.players, shared.view(self.record(), seat), legal)

    def current_player(self) -> int:
        """The seat asked, or OpenSpiel's numbers for chance and the end."""
        return self._mover

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self._mover == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """What the game was worth to the seats; 0 before its end."""
        return list(self._worth)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The next digit of the deal."""
        return _OUTCOMES

    def _legal_actions(self, player: int) -> list[int]:
        found: list[int] = np.frombuffer(self._legal, np.int16).tolist()
        return found

    def _apply_action(self, action: int) -> None:
        shared = self.played
        if not self.dealt:
            self._deal += bytes([action])
            if len(self._deal) == _DIGITS:
                state = new_record(STATE)
                seed = np.uint64(int.from_bytes(self._deal, "big"))
                n = faces.deal_game(shared.tables, state, shared.work, seed)
                self._private = ("",) * shared.players
                self._see(state, n)
            return
        if action not in self._legal_actions(self._mover):
            raise IllegalAction(f"action {action} is not legal for seat {self._mover}")
        state = self.record()
        self._see(state, faces.step_game(shared.tables, state, shared.work, action))

    def _see(self, state: Any, n: int) -> None:
        """Take on a new state with n legal actions, and note what was done and what it showed to whom."""
        shared = self.played
        work, seats = shared.work[0], range(shared.players)
        done = slice(0, int(work["trace_n"]))
        taken = zip(work["trace_seat"][done].tolist(), work["trace_act"][done].tolist(), strict=True)
        pairs = [(seat, codes.public(action)) for seat, action in taken]
        self.log = (self.log + np.array(pairs, np.int16).tobytes())[-4 * HISTORY :]
        self._public += "".join(f" {seat}:{action}" for seat, action in pairs) + public_text(state[0]) + "\n"
        before = [own_text(self.record()[0], seat) if self.dealt else "" for seat in seats]
        now = [own_text(state[0], seat) for seat in seats]
        self._private = tuple(
            seen if now[seat] == before[seat] else f"{seen}{len(self._public)}{now[seat]}\n"
            for seat, seen in enumerate(self._private)
        )
        self._take(state, work["acts"][:n].tobytes())
        if n == 0:
            self._mover = pyspiel.PlayerId.TERMINAL
            self._worth = tuple(shared.worth(state))

    def _take(self, state: Any, legal: bytes) -> None:
        self._record = state.tobytes()
        self._mover = int(state["seat"][0])
        self._legal = legal

    def resample_from_infostate(self, player: int, sampler: Any) -> TtrState:
        """A state that the player could not tell from this one: what it does not know is dealt anew.

        It has no history. What the others have seen is replaced by what they hold in it.
        """
        shared = self.played
        word = np.uint64(int(sampler() * (1 << 32)) << 32 | int(sampler() * (1 << 32)))
        world: TtrState = self.get_game().new_initial_state()
        truth = self.record()
        world.deal_anew(shared.view(truth, player), word, truth)
        world._public, world.log, world._worth = self._public, self.log, self._worth
        world._private = tuple(
            seen if seat == player else f"?{own_text(world.record()[0], seat)}"
            for seat, seen in enumerate(self._private)
        )
        if self.is_terminal():
            world._mover, world._legal = self._mover, b""
        return world

    def deal_anew(self, view: Any, word: Any, truth: Any) -> None:
        """Become a random state behind a View; the strings tell only what its seat sees now.

        view, truth: STATE arrays (1,); see `ttr_sim.envs.worlds`. Where the viewer is to move, `truth` is not looked at.
        """
        shared = self.played
        world, scratch, counts = new_record(STATE), new_record(STATE), np.zeros(16, np.int64)
        n = possible_world(shared.tables, view, truth, world, shared.work, scratch, counts, word)
        self._take(world, shared.work["acts"][0, :n].tobytes())
        self._public = f"{public_text(world[0])}\n"
        self._private = tuple(own_text(world[0], seat) for seat in range(shared.players))

    def information_text(self, seat: int) -> str:
        """All that a seat has seen since the deal."""
        if not self.dealt:
            return f"seat {seat}"
        return f"seat {seat}\n{self._private[seat]}\n{self._public}"

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"deal {action}"
        shared = self.played
        return codes.describe(shared.board, action, self.record()[0], shared.rules)

    def __str__(self) -> str:
        return f"deal {self._deal.hex()}\n{self._public}" + "".join(self._private)


pyspiel.register_game(_TYPE, TtrGame)
