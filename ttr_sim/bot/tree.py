"""The search tree of `mcts`: its nodes, the sensible actions of a seat, and the walk down to a position not seen before.

One tree serves all dealt worlds: at a node stand the actions that were sensible in any of them, and each walk chooses among
those that its own world allows. N is a NODE record, P a PLAN record (`ttr_sim.bot.planning`), S the world played in.
"""

import numpy as np

from ttr_sim.bot.planning import draw_choice, needs, open_tickets
from ttr_sim.bot.rollout import (
    apply_abstract,
    decide_payment,
    keep_offer,
    longest_of,
    policy_turn,
    turns_left,
)
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, has
from ttr_sim.engine.jit import inlined, kernel
from ttr_sim.engine.layout import COLORS, DRAW, KEEP, KEEP_SETUP, LOCO, OVER, TURN
from ttr_sim.engine.legal import can_build, claimable, legal
from ttr_sim.engine.moves import market_closed, may_take_blind
from ttr_sim.engine.scoring import find

_BLIND, _TICKETS, _CLAIM, _STATION, _KEEP = A.BLIND, A.TICKETS, A.CLAIM, A.STATION, A.KEEP

WIDTH = 16  # most children of a node
NEAR_END = 3.0  # turns left
LOOKAHEAD = 24  # most steps of a walk

NODE = np.dtype(
    [
        ("n", "i8"),
        ("visits", "i8"),
        ("action", "i2", (WIDTH,)),
        ("child", "i4", (WIDTH,)),
        ("count", "i4", (WIDTH,)),
        ("available", "i4", (WIDTH,)),
        ("total", "f8", (WIDTH,)),
        ("prior", "f8", (WIDTH,)),
    ],
    align=True,
)

# A walk: the nodes, the places of the children it took there, the seats that chose them.
PATH = np.dtype(
    [
        ("n", "i8"),
        ("node", "i8", (LOOKAHEAD,)),
        ("child", "i8", (LOOKAHEAD,)),
        ("seat", "i8", (LOOKAHEAD,)),
    ],
    align=True,
)


@kernel
def _add_child(N, action, prior):
    """Add an action to a node unless it is there; returns its place, -1 when the node is full."""
    for i in range(N.n):
        if int(N.action[i]) == action:
            return i
    if N.n == WIDTH:
        return -1
    i = N.n
    N.action[i] = action
    N.prior[i] = prior
    N.child[i] = -1
    N.count[i] = 0
    N.available[i] = 0
    N.total[i] = 0.0
    N.n += 1
    return i


@kernel
def offer(N, open_children, action, prior):
    """Add an action (-1: none) to a node, and its place there to the set of children open in this world; returns the set."""
    i = _add_child(N, action, prior) if action >= 0 else -1
    return open_children | (ONE << np.uint64(i)) if i >= 0 else open_children


@kernel
def _station_cities(T, S, P, seat, N, open_children):
    """Offer the stations that join a ticket which the plan has given up, by one track of another seat."""
    if not can_build(T, S, seat):
        return open_children
    lost = open_tickets(T, S, P, seat) & ~P.goals[seat]
    while lost != ZERO:
        t = ctz(lost)
        lost &= lost - ONE
        if 2 * T.ticket_points[t] <= T.station_points:
            continue
        start, goal = find(P.parents, T.ticket_a[t]), find(P.parents, T.ticket_b[t])
        for track in range(T.n_tracks):
            a, b = T.city_a[track], T.city_b[track]
            from_a, from_b = find(P.parents, a), find(P.parents, b)
            if (from_a != start or from_b != goal) and (from_a != goal or from_b != start):
                continue
            if has(S.open, track) or has(S.own[seat], track):
                continue
            for city in (a, b):
                if S.station_mask & bit(city) == ZERO:
                    open_children = offer(N, open_children, _STATION + city, 0.4)
    return open_children


@inlined
def _without(w0, w1, t):
    """A set of tracks of two words without track t."""
    return (w0 & ~bit(t), w1) if t < 64 else (w0, w1 & ~bit(t - 64))


@kernel
def _turn(T, S, W, P, seat, N):
    """Offer the sensible turns of a seat at node N, the policy's own first. Returns the children open in this world."""
    first = policy_turn(T, S, W, P, seat)
    needs(T, S, P, seat)
    if first < 0:  # nothing to draw
        first = int(W.acts[legal(T, S, W) - 1])
    opened = offer(N, ZERO, first, 1.0)
    w0, w1 = claimable(T, S, seat)
    g0, g1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    while g0 | g1 != ZERO:  # wanted tracks, the longest first
        t = longest_of(g0, g1)
        g0, g1 = _without(g0, g1, t)
        opened = offer(N, opened, _CLAIM + t, 0.6)
    if first >= _TICKETS:
        opened = offer(N, opened, draw_choice(T, S, P, seat), 0.7)
    taken = 0
    w0 &= ~P.want[seat, 0]
    w1 &= ~P.want[seat, 1]
    others = 3 if turns_left(T, S) > NEAR_END else WIDTH // 2
    while taken < others and w0 | w1 != ZERO:  # other tracks, the longest first
        t = longest_of(w0, w1)
        w0, w1 = _without(w0, w1, t)
        opened = offer(N, opened, _CLAIM + t, 0.3)
        taken += 1
    opened = _station_cities(T, S, P, seat, N, opened)
    if S.ticket_deck_n > 0:
        opened = offer(N, opened, _TICKETS, 0.3)
    for c in range(COLORS + 1):
        if int(S.market[c]) > 0 and (P.need[c] > 0 or c == LOCO) and not market_closed(T, S):
            opened = offer(N, opened, c, 0.4)
    if may_take_blind(S):
        opened = offer(N, opened, _BLIND, 0.4)
    return opened


@kernel
def children(T, S, W, P, N):
    """Offer the sensible actions of the seat to move at node N. Returns the set of children open in this world."""
    seat = int(S.seat)
    if S.phase == TURN:
        return _turn(T, S, W, P, seat, N)
    opened = ZERO
    if S.phase in (KEEP, KEEP_SETUP):
        opened = offer(N, opened, _KEEP + keep_offer(T, S, P, seat), 1.0)
        n = legal(T, S, W)
        for i in range(n):
            opened = offer(N, opened, int(W.acts[i]), 0.3)
        return opened
    needs(T, S, P, seat)
    opened = offer(N, opened, draw_choice(T, S, P, seat), 1.0)
    n = legal(T, S, W)
    for i in range(n):
        a = int(W.acts[i])
        if a == _BLIND or P.need[a] > 0:
            opened = offer(N, opened, a, 0.4)
    return opened


@kernel
def _select(N, opened, explore, widen, prior_weight):
    """The child to walk to: upper confidence bound among the best few by prior; more of them as visits grow."""
    allowed = 1 + int(widen * np.sqrt(float(N.visits)))
    best, best_value = -1, -1e18
    seen = 0
    for i in range(N.n):
        if opened & (ONE << np.uint64(i)) == ZERO:
            continue
        N.available[i] += 1
        if seen >= allowed:
            continue
        seen += 1
        n = float(N.count[i])
        if n == 0.0:
            value = 1e6 + N.prior[i]
        else:
            value = (
                N.total[i] / n
                + explore * np.sqrt(np.log(float(N.available[i])) / n)
                + prior_weight * N.prior[i] / (n + 1.0)
            )
        if value > best_value:
            best, best_value = i, value
    return best


@kernel
def grow(nodes, used, N, i):
    """Give child i of node N a node of its own, unless it has one or all are used. Returns how many are used."""
    if N.child[i] >= 0 or used == len(nodes):
        return used
    nodes[used].n = 0
    nodes[used].visits = 0
    N.child[i] = used
    return used + 1


@kernel
def descend(T, S, W, P, nodes, used, at, explore, widen, prior_weight, limit, path):
    """Walk from node `at` until a new node, `limit` steps or the end of the game; leaves the walk in the PATH record `path`.

    Returns how many nodes are used.
    """
    path.n = 0
    while S.phase != OVER and path.n < limit and at >= 0:
        if S.phase not in (TURN, DRAW, KEEP, KEEP_SETUP):
            decide_payment(T, S, W, P, int(S.seat))
            continue
        N = nodes[at]
        opened = children(T, S, W, P, N)
        i = _select(N, opened, explore, widen, prior_weight)
        if i < 0:
            break  # the node is full of what this world does not allow
        path.node[path.n], path.child[path.n], path.seat[path.n] = at, i, S.seat
        path.n += 1
        apply_abstract(T, S, W, P, int(N.action[i]))
        at = int(N.child[i])
        used = grow(nodes, used, N, i)
    return used


@kernel
def back_up(nodes, path, worth):
    """Credit the choices of a walk with what each seat made of it. worth: float64 (MAX_PLAYERS,)."""
    for d in range(path.n):
        N = nodes[path.node[d]]
        N.visits += 1
        N.count[path.child[d]] += 1
        N.total[path.child[d]] += worth[path.seat[d]]
