"""long_route: cares for long tracks only.

Idea: a long track brings more points a card than a short one. It looks for the longest free track, and among equals for the
one that misses the fewest cards, draws for that, and claims every track long enough the moment it can; tickets are kept as
few and as cheap as the rules allow. With few trains left shorter tracks will do.

Source: agent "LongRouteJunkie" of de Mesentier Silva, Lee, Togelius, Nealen, "AI-based Playtesting of Contemporary Board
Games", FDG 2017; written from the idea.
"""

import numpy as np

from ttr_sim.bot import Param, policy
from ttr_sim.bot.planning import PLAN, draw_choice, free_tracks, needs, payment_choice
from ttr_sim.bot.rollout import longest_of
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, ctz, popcount, put
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import COLORS, DRAW, GRAY, KEEP, KEEP_SETUP, TURN
from ttr_sim.engine.legal import claimable

_CLAIM, _KEEP = A.CLAIM, A.KEEP


@kernel
def _cheapest_tickets(T, V, W, seat):
    """As few tickets as allowed, with the fewest points to lose."""
    best, best_cost = int(W.acts[0]), 1 << 30
    for i in range(W.n):
        mask = int(W.acts[i]) - _KEEP
        cost = 1000 * popcount(np.uint64(mask))
        for j in range(int(V.offer_n[seat])):
            if (mask >> j) & 1:
                cost += T.ticket_points[V.offer[seat, j]]
        if cost < best_cost:
            best, best_cost = _KEEP + mask, cost
    return best


@kernel
def _missing(T, V, seat, t):
    """Cards of its colour (for a gray track: of the seat's best one) a seat lacks for a track, locomotives not counted."""
    have = 0
    for c in range(COLORS):
        if T.color[t] == c or T.color[t] == GRAY:
            have = max(have, int(V.hands[seat, c]))
    return max(0, T.length[t] - have)


@kernel
def _aim(T, V, P, seat, least):
    """Want the longest free track of at most the sought length, the one that misses the fewest cards; returns its length."""
    P.want[seat, 0] = P.want[seat, 1] = ZERO
    best, best_value, length = -1, -1, 0
    f0, f1 = free_tracks(T, V, seat)
    for w in range(2):
        word = f0 if w == 0 else f1
        while word != ZERO:
            t = ctz(word) + 64 * w
            word &= word - ONE
            value = 20 * min(T.length[t], least) - _missing(T, V, seat, t)
            if value > best_value:
                best, best_value, length = t, value, T.length[t]
    if best >= 0:
        put(P.want[seat], best)
    return length


@kernel
def _turn(T, V, W, P, seat, least):
    w0, w1 = claimable(T, V, seat)
    if w0 | w1 != ZERO and T.length[longest_of(w0, w1)] >= least:
        return _CLAIM + longest_of(w0, w1)
    action = draw_choice(T, V, P, seat)
    return action if action >= 0 else int(W.acts[W.n - 1])


@kernel
def _decide(T, V, W, plans, least):
    P, seat = plans[0], int(V.viewer)
    if V.phase in (KEEP, KEEP_SETUP):
        return _cheapest_tickets(T, V, W, seat)
    least = min(least, _aim(T, V, P, seat, least))
    needs(T, V, P, seat)
    if V.phase == TURN:
        return _turn(T, V, W, P, seat, least)
    return draw_choice(T, V, P, seat) if V.phase == DRAW else payment_choice(T, V, W, P, seat)


@policy(params={"least": Param(5, 1, 9, "length it looks for; shorter ones only when no such track is left")})
def long_route(T, V, W, params, memory):
    """Long tracks, whatever the tickets say."""
    return _decide(T, V, W, np.zeros(1, PLAN), int(params[0]))
