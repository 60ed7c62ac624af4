"""Ask a bot for one decision in a game that it did not play from the start, and step such games on."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_sim.bot.api import Bot
from ttr_sim.bot.compiled import Policy
from ttr_sim.bot.explain import Thought, reader_of, thoughts
from ttr_sim.bot.play import Table, open_table
from ttr_sim.bot.players import Interpreted
from ttr_sim.bot.specs import BotSpec
from ttr_sim.engine import Game, actions


class Illegal(Exception):
    """A bot's answer was no legal action."""


class Sitting:
    """Bots at a game that Python steps, a context; what they do reaches the game only through `step`.

    A compiled bot begins with `memory[0]` = 0, an interpreted one is made and its `start` called, wherever the game stands.
    """

    def __init__(self, table: Table, game: Game, bot_seed: int) -> None:
        self.table, self.game = table, game
        self.players: list[Any] = [table.player(seat, np.uint64(bot_seed)) for seat in range(game.players)]
        self._show()
        for seat, player in enumerate(self.players):
            if isinstance(bot := getattr(player, "bot", None), Bot):
                bot.start(game.view(seat))

    def decide(self) -> int:
        """The legal action that the seat to move chooses. Raises Illegal, and whatever the bot raises."""
        self._show()
        seat, legal = self.game.seat, self.game.legal()
        answer = self.players[seat].choose(self.game.view(seat).array.copy(), legal)
        if isinstance(answer, bool) or not isinstance(answer, (int, np.integer)):
            raise Illegal(f"the answer {str(answer)[:80]!r} is no whole number")
        if int(answer) not in legal:
            raise Illegal(self.game.why_illegal(int(answer)))
        return int(answer)

    def step(self, action: int) -> None:
        """Take an action; interpreted bots hear of it."""
        for seat, taken in self.game.step(action):
            for player in self.players:
                if isinstance(bot := getattr(player, "bot", None), Bot):
                    bot.saw(seat, actions.public(taken))

    def twin(self, game: Game) -> Sitting:
        """The same bots, as they are now, at another game. Raises what copying a bot raises."""
        other = copy.copy(self)
        other.game = game
        other.table = copy.copy(self.table)
        other.table.memory = self.table.memory.copy()
        other.players = []
        for player in self.players:
            twin = copy.copy(player)
            twin.table = other.table
            if isinstance(getattr(twin, "bot", None), Bot):
                twin.bot = copy.deepcopy(player.bot)
            other.players.append(twin)
        return other

    def __enter__(self) -> Sitting:
        return self

    def __exit__(self, *_: object) -> None:
        """Let the bots go: an external one has a process."""
        for player in self.players:
            if isinstance(player, Interpreted):
                player.release()

    def _show(self) -> None:
        """Put the game where the driver of a run has it."""
        self.table.buffers.state[:] = self.game.state
        self.table.buffers.work[:] = self.game.work


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot chose with one seed, and what it thought (see `ttr_sim.bot.explain`)."""

    seed: int
    action: int
    thoughts: Sequence[Thought]


def ask(spec: BotSpec, game: Game, seed: int) -> Answer:
    """Ask a bot, seated in all seats, for the decision of the seat to move; where nothing is to decide it is not asked."""
    if len(game.legal()) == 1:
        return Answer(seed, game.legal()[0], [])
    table = open_table(game.board, game.rules, [spec] * game.players)
    with Sitting(table, game.copy(), seed) as sitting:
        action = sitting.decide()
        return Answer(seed, action, _thoughts(table, sitting.players[game.seat], game.seat))


def _thoughts(table: Table, player: Any, seat: int) -> list[Thought]:
    made = table.bots[seat].made
    if not isinstance(made, Policy):
        return thoughts(player.bot.explain(), 0)
    reader = reader_of(made)
    return thoughts(reader(table.memory[seat].copy()), 0) if reader else []
