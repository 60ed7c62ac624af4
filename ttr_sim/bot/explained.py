"""Games in which the bots are asked what they thought; the games are the same as without."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ttr_sim.board import Board
from ttr_sim.bot.compiled import Policy
from ttr_sim.bot.explain import Thought, reader_of, thoughts
from ttr_sim.bot.forfeit import Forfeit
from ttr_sim.bot.play import BatchResult, Table, open_table
from ttr_sim.bot.specs import BotSpec
from ttr_sim.rules import Rules

log = logging.getLogger(__name__)


@dataclass
class ExplainedResult(BatchResult):
    """Games with what was thought in each: `thoughts[i]` belongs to game i."""

    thoughts: list[list[Thought]] = field(default_factory=list)


class ExplainingTable(Table):
    """A table that asks each bot after each decision what it thought. Compiled bots are asked one by one here."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.board, table.rules, table.bots)
        self.all_compiled = False  # Python asks, so that it can ask for reasons too
        self._thoughts: defaultdict[int, list[Thought]] = defaultdict(list)
        self._silent: set[int] = set()  # bots that failed to explain

    def play(
        self,
        seeds: Any,
        bot_seeds: Any,
        rotation: Any,
        *,
        timed: bool = True,
        forfeit: Forfeit | None = None,
    ) -> ExplainedResult:
        """Play games (see `Table.play`)."""
        self._thoughts.clear()
        result = super().play(seeds, bot_seeds, rotation, timed=timed, forfeit=forfeit)
        lengths = (result.offsets[1:] - result.offsets[:-1]).tolist()
        # A decision that was a forfeit is not among the logged ones.
        kept = [[t for t in self._thoughts[game] if t.decision < n] for game, n in enumerate(lengths)]
        return ExplainedResult(**vars(result), thoughts=kept)

    def player(self, seat: int, bot_seed: Any, rotation: int = 0) -> Any:
        """Who plays a seat of one game (see `Table.player`)."""
        if seat == 0:
            self._decisions = 0
        made: Any = super().player(seat, bot_seed, rotation)
        index = (seat + rotation) % self.players
        choose = made.choose

        def choose_and_explain(view: Any, legal: list[int]) -> Any:
            action = choose(view, legal)
            self._ask(index, made)
            return action

        made.choose = choose_and_explain
        return made

    def _ask(self, index: int, made: Any) -> None:
        decision, self._decisions = self._decisions, self._decisions + 1
        if index in self._silent:
            return
        try:
            self._thoughts[int(self.progress[0])].extend(thoughts(self._weighed(index, made), decision))
        except Exception as error:  # what it says of itself must not cost it the game
            self._silent.add(index)
            label = self.bots[index].spec.label
            log.warning("%s cannot explain itself: %s: %s", label, type(error).__name__, error)

    def _weighed(self, index: int, made: Any) -> Any:
        bot = self.bots[index].made
        if not isinstance(bot, Policy):
            return made.bot.explain()
        reader = reader_of(bot)
        return reader(self.memory[index].copy()) if reader else None


def open_explaining_table(board: Board, rules: Rules, bots: Sequence[BotSpec]) -> ExplainingTable:
    """Seat bots at a table that asks them what they thought (see `open_table`)."""
    return ExplainingTable(open_table(board, rules, bots))
