"""What a bot thought: the numbers behind a decision, for those who look at its games.

Any bot may offer them. An interpreted bot has a method `explain()`, asked right after `choose`; for a compiled bot stands,
in the same file, a function under `@explains(policy)` that reads the `memory` array as the policy left it. Both return
(action, {name: number}) for each alternative that was weighed, for example

    [(12, {"visits": 340, "expected score": 97.5}), (35, {"visits": 60, "expected score": 88.0})]

with the names in the order in which they shall be shown. To explain must change nothing: neither the bot nor its random
numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ttr_sim.bot.compiled import Policy

Weighed = Iterable[tuple[int, Mapping[str, float]]]
Reader = TypeVar("Reader", bound=Callable[[Any], Weighed])

_readers: dict[Policy, Callable[[Any], Weighed]] = {}


@dataclass(frozen=True, slots=True)
class Thought:
    """One number of one alternative. decision: index among the asked decisions of its game."""

    decision: int
    action: int
    measure: str
    value: float


def explains(policy: Policy) -> Callable[[Reader], Reader]:
    """Make a function the one that tells what a policy thought, from its `memory` (int64 array, a copy)."""

    def register(reader: Reader) -> Reader:
        _readers[policy] = reader
        return reader

    return register


def reader_of(policy: Policy) -> Callable[[Any], Weighed] | None:
    """Return the function under `@explains(policy)`, if there is one."""
    return _readers.get(policy)


def thoughts(weighed: Weighed | None, decision: int) -> list[Thought]:
    """Return what a bot told of a decision. Raises TypeError or ValueError when it is not of the form asked for."""
    found = []
    for action, numbers in weighed or ():
        for measure, value in numbers.items():
            if not isinstance(measure, str):
                raise TypeError(f"the name of a number must be a text, not {measure!r}")
            if math.isfinite(value):
                found.append(Thought(decision, int(action), measure, float(value)))
    return found
