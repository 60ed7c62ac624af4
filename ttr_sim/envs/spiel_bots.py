"""OpenSpiel's bots in ttr-sim's tournaments, and ttr-sim's bots in OpenSpiel's games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from ttr_sim.bot.api import Bot
from ttr_sim.bot.check import check_bot
from ttr_sim.bot.play import open_table
from ttr_sim.bot.specs import parse_spec
from ttr_sim.engine import faces
from ttr_sim.engine.view import View
from ttr_sim.envs import stepping
from ttr_sim.envs.open_spiel import TtrGame, TtrState, game_of, played


class SpielBot(Bot):
    """Base of a ttr-sim bot that asks an OpenSpiel bot, which `make` returns.

    The OpenSpiel bot gets a state in which everything that the seat may not know is dealt at random.
    """

    _asked: Any = None

    def make(self, game: TtrGame, seat: int) -> Any:
        """Return the `pyspiel.Bot` that plays this seat of one game; take chance from `self.rng` or `self.numpy_rng()`."""
        raise NotImplementedError

    def numpy_rng(self) -> np.random.RandomState:
        """A generator as OpenSpiel's Python bots take it, seeded from the bot's own."""
        return np.random.RandomState(self.rng.getrandbits(32))

    def choose(self, view: View) -> int:
        """What the OpenSpiel bot answers."""
        if self._asked is None:
            self._game = game_of(view.board, view.rules, view.players)
            self._asked = self.make(self._game, view.seat)
            if hasattr(self._asked, "set_resampler"):  # its own would not repeat
                self._asked.set_resampler(
                    lambda state, seat: state.resample_from_infostate(seat, self.rng.random)
                )
        state = self._game.new_initial_state()
        state.deal_anew(view.array, np.uint64(self.rng.getrandbits(64)), view.array)
        return int(self._asked.step(state))


class TtrBot(pyspiel.Bot):  # type: ignore[misc]
    """A bot of ttr-sim in OpenSpiel's games. Of the hooks of interpreted bots only `choose` is called.

    Args:
        game: the game it plays.
        player: its seat.
        spec: name, file and parameters, as on the command line.
        seed: of its random stream.

    Raises:
        TtrError: there is no such bot.
    """

    def __init__(self, game: TtrGame, player: int, spec: str, seed: int = 0) -> None:
        super().__init__()
        self._player = player
        shared = played(*game.names)
        bot = parse_spec(spec)
        check_bot(bot)
        self._table = open_table(shared.board, shared.rules, [bot] * shared.players)
        self._seeds = np.random.default_rng(seed)
        self.restart()

    def restart(self) -> None:
        """Begin a new game."""
        self._bot = self._table.player(self._player, self._seeds.integers(1 << 64, dtype=np.uint64))

    def restart_at(self, state: TtrState) -> None:
        """Begin a game that is already under way."""
        self.restart()

    def step(self, state: TtrState) -> int:
        """What the bot answers in a state."""
        view = state.view(self._player)
        faces.legal_actions(self._table.tables, view.array, self._table.buffers.work)
        return int(self._bot.choose(view.array, view.legal))


class Playouts:
    """An evaluator for OpenSpiel's searches: the end of a compiled random game, hundreds of times as fast as theirs."""

    def __init__(self, random_state: np.random.RandomState | None = None) -> None:
        self._random = random_state or np.random.RandomState()

    def evaluate(self, state: TtrState) -> Any:
        """What the end of a random continuation is worth to the seats, float64 (players,)."""
        shared = state.played
        rng = self._random.randint(1 << 64, dtype=np.uint64)
        stepping.roll_out(shared.tables, state.record(), shared.work, shared.game, shared.kind, rng)
        return shared.game["worth"][0, : shared.players].copy()

    def prior(self, state: TtrState) -> list[tuple[int, float]]:
        """All legal actions alike."""
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]
