"""greedy: connects its tickets by the fewest spaces, collects what that needs, claims as soon as it can.

Idea: the plain ticket player that most people are in their first games. It keeps the tickets that cost few trains for
their points, joins each by the cheapest path over its own and free tracks, claims the longest track of that plan it can
pay for, draws the colours the plan still misses, and when the plan is done takes more tickets while trains are left, then
the longest tracks it can get.
"""

import numpy as np

from ttr_sim.bot import policy
from ttr_sim.bot.planning import PLAN, connect, draw_choice, needs, open_tickets, payment_choice
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ZERO, bit, top_bit
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import DRAW, KEEP, KEEP_SETUP, TURN
from ttr_sim.engine.legal import claimable

_TICKETS, _CLAIM, _KEEP, _TAKE_BACK = A.TICKETS, A.CLAIM, A.KEEP, A.TAKE_BACK


@kernel
def _choose_tickets(T, V, W, P, seat):
    """The legal choice of tickets with the most points for the spaces it needs."""
    best, best_value = int(W.acts[0]), -1e9
    for i in range(W.n):
        mask = int(W.acts[i]) - _KEEP
        tickets = V.tickets[seat]
        points = 0
        for j in range(int(V.offer_n[seat])):
            if (mask >> j) & 1:
                tickets |= bit(V.offer[seat, j])
                points += T.ticket_points[V.offer[seat, j]]
        spaces = connect(T, V, P, seat, tickets, 0, 1)
        value = 1.0 * points - 0.9 * spaces
        if spaces > int(V.trains[seat]) * 3 // 4:
            value -= 20.0
        if value > best_value:
            best, best_value = _KEEP + mask, value
    return best


@kernel
def _longest(w0, w1):
    return top_bit(w1) + 64 if w1 != ZERO else top_bit(w0)


@kernel
def _turn(T, V, W, P, seat):
    connect(T, V, P, seat, open_tickets(T, V, P, seat), 0, 1)
    w0, w1 = claimable(T, V, seat)
    g0, g1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    if g0 | g1 != ZERO:
        return _CLAIM + _longest(g0, g1)
    done = P.want[seat, 0] | P.want[seat, 1] == ZERO
    fewest = 99
    for p in range(T.players):
        fewest = min(fewest, int(V.trains[p]))
    if done and V.ticket_deck_n > 0 and fewest > 14 and V.remaining < 0:
        return _TICKETS
    if done and w0 | w1 != ZERO and (T.length[_longest(w0, w1)] >= 4 or fewest < 8):
        return _CLAIM + _longest(w0, w1)
    needs(T, V, P, seat)
    action = draw_choice(T, V, P, seat)
    for i in range(W.n):
        if int(W.acts[i]) == action:
            return action
    return int(W.acts[W.n - 1])


@kernel
def _decide(T, V, W, plans):
    P = plans[0]
    seat = int(V.viewer)
    if V.phase in (KEEP, KEEP_SETUP):
        return _choose_tickets(T, V, W, P, seat)
    if V.phase == TURN:
        return _turn(T, V, W, P, seat)
    connect(T, V, P, seat, open_tickets(T, V, P, seat), 0, 1)
    needs(T, V, P, seat)
    if V.phase == DRAW:
        return draw_choice(T, V, P, seat)
    return payment_choice(T, V, W, P, seat)


@policy()
def greedy(T, V, W, params, memory):
    """Cheapest connections of its tickets, then long tracks."""
    return _decide(T, V, W, np.zeros(1, PLAN))
