"""One decision of a compiled bot by several threads: each decides by itself, one function makes one answer of all.

Root parallelisation after Chaslot, Winands, van den Herik, "Parallel Monte-Carlo Tree Search", Computers and Games 2008. A
policy offers it by a whole-number parameter `threads` and, in the same file, a function under `@merges(policy)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ttr_sim.bot import driver
from ttr_sim.bot.compiled import Policy
from ttr_sim.bot.params import Value
from ttr_sim.engine.bits import stream
from ttr_sim.engine.layout import MAX_PLAYERS

if TYPE_CHECKING:
    from ttr_sim.bot.play import Table

PARAMETER = "threads"
Merger = TypeVar("Merger", bound=Callable[[Any, Mapping[str, Value]], "int | None"])

_mergers: dict[Policy, Callable[[Any, Mapping[str, Value]], int | None]] = {}


def merges(policy: Policy) -> Callable[[Merger], Merger]:
    """Make a function the one that makes one answer of what the threads of a policy found.

    The function gets (memory, params): the `memory` arrays as the threads left them, int64 of shape (threads, memory), and
    the parameters by name. It returns the action and leaves in `memory[0]` what an explanation reads; None: nothing was
    searched, so that the answers are all the same.
    """

    def register(merger: Merger) -> Merger:
        _mergers[policy] = merger
        return merger

    return register


def threads_of(made: object, values: Mapping[str, Value]) -> int:
    """Return how many threads a bot with these parameters thinks in."""
    return int(values[PARAMETER]) if isinstance(made, Policy) and made in _mergers else 1


class Threaded:
    """A seat played by a policy in several threads; bot `index` of the table.

    Thread k has the row `index + k * MAX_PLAYERS` of the table's memory. The first thread draws the random numbers that the
    policy draws alone.
    """

    def __init__(self, table: Table, index: int, state: Any) -> None:
        self.table, self.index, self.state = table, index, state
        bot = table.bots[index]
        assert isinstance(bot.made, Policy)
        self.merge, self.values = _mergers[bot.made], dict(bot.spec.values)
        self.rows = index + MAX_PLAYERS * np.arange(bot.threads)
        table.memory[self.rows, 0] = 0

    def choose(self, view: Any, legal: list[int]) -> int:
        """Return what the threads answer on the legal actions in `buffers.work`."""
        table, index, n = self.table, self.index, len(self.rows)
        b, ask = table.buffers, driver.ask_kernel()
        bot_tables, views, work = (np.repeat(array[:1], n) for array in (table.bot_tables, view, b.work))
        own = np.repeat(b.bot_work[index : index + 1], n)
        own["rng"] = [self.state, *(stream(np.uint64(self.state), np.uint64(k)) for k in range(1, n))]
        memory = table.memory[self.rows]

        def think(k: int) -> int:
            one = slice(k, k + 1)
            params = table.params[index].copy()
            policy = table.functions[index]
            return int(
                ask(table.tables, bot_tables[one], views[one], work[one], own[one], policy, params, memory[k])
            )

        with ThreadPoolExecutor(n) as pool:
            answers = list(pool.map(think, range(n)))
        self.state = own["rng"][0]
        merged = self.merge(memory, self.values)
        table.memory[self.rows] = memory
        return answers[0] if merged is None else merged
