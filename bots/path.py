"""path: works on one ticket at a time, by the shortest path.

Idea: the dearest ticket not yet joined is the goal; its path with the fewest spaces over own and free tracks says which
cards to draw and which tracks to claim. No plan for all tickets together, no tickets but those of the deal; when all are
joined or lost, it claims the longest track it can pay for.

Source: agent "Path" of de Mesentier Silva, Lee, Togelius, Nealen, "AI-based Playtesting of Contemporary Board Games", FDG
2017; written from the idea.
"""

import numpy as np

from ttr_sim.bot import policy
from ttr_sim.bot.planning import PLAN, connect, draw_choice, needs, open_tickets, payment_choice
from ttr_sim.bot.rollout import longest_of
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, popcount
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import DRAW, KEEP, KEEP_SETUP, TURN
from ttr_sim.engine.legal import claimable

_CLAIM, _KEEP = A.CLAIM, A.KEEP


@kernel
def _fewest_tickets(T, V, W, P, seat):
    """As few tickets as allowed, the ones with the shortest paths."""
    best, best_cost = int(W.acts[0]), 1 << 30
    for i in range(W.n):
        mask = int(W.acts[i]) - _KEEP
        cost = 1000 * popcount(np.uint64(mask))
        for j in range(int(V.offer_n[seat])):
            if (mask >> j) & 1:
                cost += connect(T, V, P, seat, bit(V.offer[seat, j]), 0, 1)
        if cost < best_cost:
            best, best_cost = _KEEP + mask, cost
    return best


@kernel
def _plan(T, V, P, seat):
    """Want the path of the dearest ticket that can still be joined; returns its spaces, 0 when there is none."""
    rest = open_tickets(T, V, P, seat)
    while rest != ZERO:
        goal, others = ctz(rest), rest
        while others != ZERO:
            t = ctz(others)
            others &= others - ONE
            if T.ticket_points[t] > T.ticket_points[goal]:
                goal = t
        rest &= ~bit(goal)
        spaces = connect(T, V, P, seat, bit(goal), 0, 1)
        if spaces > 0:
            return spaces
    return 0


@kernel
def _turn(T, V, W, P, seat, spaces):
    w0, w1 = claimable(T, V, seat)
    if spaces > 0:
        w0, w1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    if w0 | w1 != ZERO:
        return _CLAIM + longest_of(w0, w1)
    action = draw_choice(T, V, P, seat)
    return action if action >= 0 else int(W.acts[W.n - 1])


@kernel
def _decide(T, V, W, plans):
    P, seat = plans[0], int(V.viewer)
    if V.phase in (KEEP, KEEP_SETUP):
        return _fewest_tickets(T, V, W, P, seat)
    spaces = _plan(T, V, P, seat)
    needs(T, V, P, seat)
    if V.phase == TURN:
        return _turn(T, V, W, P, seat, spaces)
    return draw_choice(T, V, P, seat) if V.phase == DRAW else payment_choice(T, V, W, P, seat)


@policy()
def path(T, V, W, params, memory):
    """One ticket at a time, by its shortest path."""
    return _decide(T, V, W, np.zeros(1, PLAN))
