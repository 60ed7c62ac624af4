"""Hints: what a simple plan makes of a View, for learners too small to find paths on a map.

They follow from the View alone, through the plan of `ttr_sim.bot.planning`: the cheapest connections of the seat's tickets.
A policy need not follow them. One int8 array of fixed size for every board; `HINTS` names its parts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ttr_sim.bot.planning import PLAN, connect, needs, open_tickets
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import KINDS, MAX_OFFER, MAX_TRACKS
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.view import View
from ttr_sim.envs.compiled import VIEW_TO_ROW, env_entry
from ttr_sim.envs.parts import lay_out, size_of, take

HINTS = lay_out(
    (
        ("wanted", (MAX_TRACKS,), "1: a track that the plan would claim"),
        ("missing", (KINDS,), "cards by colour the plan asks for beyond the hand; below 0: to spare"),
        ("spaces", (2,), "spaces of the wanted tracks; tickets that the plan does not reach"),
        ("offer_spaces", (MAX_OFFER,), "spaces more to connect each offered ticket; 127: it cannot be"),
    )
)
HINTS_SIZE = size_of(HINTS)
_SIZE = HINTS_SIZE
_WANTED, _MISSING, _SPACES, _OFFER = (HINTS[name].at.start for name in HINTS)


@kernel
def _plan(T, V, plans, row):
    P = plans[0]
    me = int(V.viewer)
    tickets = open_tickets(T, V, P, me)
    spaces = connect(T, V, P, me, tickets, 0, 1)
    row[_SPACES] = min(spaces, 127)
    for w in range(2):
        word = P.want[me, w]
        while word != ZERO:
            row[_WANTED + 64 * w + ctz(word)] = 1
            word &= word - ONE
    left = tickets & ~P.goals[me]
    while left != ZERO:
        row[_SPACES + 1] += 1
        left &= left - ONE
    needs(T, V, P, me)
    for c in range(KINDS):
        row[_MISSING + c] = max(-128, min(P.need[c], 127))
    for i in range(int(V.offer_n[me])):
        one = bit(V.offer[me, i])
        more = connect(T, V, P, me, tickets | one, 0, 1) - spaces
        row[_OFFER + i] = 127 if P.goals[me] & one == ZERO else max(-128, min(more, 127))


@kernel
def hint(T, V, row):
    """Write the hints of a View to row (int8, HINTS_SIZE)."""
    for i in range(_SIZE):
        row[i] = 0
    _plan(T, V, np.zeros(1, PLAN), row)


def _to_row(tables, views, row):
    hint(tables[0], views[0], row)


_hint_view = env_entry(_to_row, VIEW_TO_ROW)


def hint_part(hints: Any, name: str) -> Any:
    """A part of hints, or of a batch of them (..., HINTS_SIZE), in its own shape; a view, not a copy.

    Raises:
        KeyError: `HINTS` has no such part.
    """
    return take(HINTS, hints, name)


def hints_of(view: View) -> Any:
    """The hints of a View, int8 (HINTS_SIZE,)."""
    row = np.zeros(HINTS_SIZE, np.int8)
    _hint_view(make_tables(view.board, view.rules, view.players), view.array, row)
    return row
