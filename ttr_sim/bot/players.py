"""Who plays a seat of one game in which Python asks the bots."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ttr_sim.bot import driver
from ttr_sim.bot.api import Bot
from ttr_sim.bot.external import External, ExternalBot
from ttr_sim.bot.specs import LoadedBot
from ttr_sim.engine.view import View

if TYPE_CHECKING:
    from ttr_sim.bot.play import Table


class Interpreted:
    """A seat played by an object with the methods of `Bot`."""

    def __init__(self, table: Table, bot: LoadedBot, seed: int) -> None:
        self.table = table
        made: Any = bot.made
        external = isinstance(made, External)
        self.bot: Bot = made.seat(table.limit) if external else made(**dict(bot.spec.values))
        self.bot.rng = random.Random(seed)

    def choose(self, view: Any, legal: list[int]) -> Any:
        """Return what the bot answers, whatever that is."""
        table = self.table
        view.setflags(write=False)
        return self.bot.choose(View(table.board, table.rules, table.players, view, legal.copy()))

    def release(self) -> None:
        """Take note that its game is over, however it ended."""
        if isinstance(self.bot, ExternalBot):
            self.bot.release()


class Compiled:
    """A seat played by a policy in a game where Python asks; bot `index` of the table."""

    def __init__(self, table: Table, index: int, state: Any) -> None:
        self.table, self.index, self.state = table, index, state

    def choose(self, view: Any, legal: list[int]) -> int:
        """Return what the policy answers on the legal actions in `buffers.work`."""
        table, index = self.table, self.index
        b = table.buffers
        work = b.bot_work[index : index + 1]
        work["rng"][0] = self.state
        action = driver.ask_kernel()(
            table.tables,
            table.bot_tables,
            view,
            b.work,
            work,
            table.functions[index],
            table.params[index].copy(),
            table.memory[index],
        )
        self.state = work["rng"][0]
        return int(action)
