"""A planning player as fast kernels, for playouts and as the prior of a search: whole turns by a plan for its tickets.

The plan is the cheapest network for the tickets, where a track costs mostly its turn, less a part of the points it
brings. On its turn the player claims the longest wanted track it can pay for; with its plan done it takes more tickets
while turns are left, then long tracks; else it draws what the plan misses. It is the first form of `bots/planner.py`,
with the plan kept until it breaks. P is a PLAN record (`ttr_sim.bot.planning`).
"""

import numpy as np

from ttr_sim.bot.planning import (
    FAR,
    add_path,
    connect_by_cost,
    draw_choice,
    free_tracks,
    needs,
    open_tickets,
    path_spaces,
    payment_choice,
    reach,
)
from ttr_sim.engine import actions as A
from ttr_sim.engine.apply import apply
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, drop, has, popcount, put, top_bit
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import COLORS, DRAW, GRAY, KEEP, KEEP_SETUP, LOCO, NO_COLOR, OVER, TURN
from ttr_sim.engine.legal import claimable, legal
from ttr_sim.engine.moves import pay

# The planner's parameters, found by playing.
_CLAIM_PRICE, _SPACE_PRICE, _POINTS, _LOCO_PRICE = 1.86, 0.2, 0.16, 0.2
_TICKET_SPACE, _SHARE = 0.72, 0.67
_MORE_TRAINS, _MORE_TURNS = 8, 31.0
_LEAST, _HURRY = 5, 4.9

_TICKETS, _CLAIM, _STATION, _PAY, _KEEP = A.TICKETS, A.CLAIM, A.STATION, A.PAY, A.KEEP


@kernel
def decide_payment(T, S, W, P, seat):
    """Decide the rest of a payment, tunnel included, by what the plan can spare."""
    while S.phase not in (TURN, DRAW, KEEP, KEEP_SETUP, OVER) and S.seat == seat:
        n = legal(T, S, W)
        apply(T, S, int(W.acts[0]) if n == 1 else payment_choice(T, S, W, P, seat))


@kernel
def claim_track(T, S, W, P, seat, track):
    """Claim a track with a payment that spares locomotives and wanted colours."""
    needs(T, S, P, seat)
    drop(P.want[seat], track)
    if T.set_size[track] == 0 and T.mixed[track] == 0 and T.wild[track] == 1:
        length = T.length[track]
        color = T.color[track]
        if color == GRAY:
            best = -100
            for c in range(COLORS):
                n = int(S.hands[seat, c])
                value = min(n, length) * 4 - max(0, P.need[c])
                if n > 0 and n + int(S.hands[seat, LOCO]) >= length and value > best:
                    best, color = value, c
            if color == GRAY:
                color = NO_COLOR
        k = length
        if color != NO_COLOR:
            k = max(T.symbols[track], length - int(S.hands[seat, color]))
        S.passes = 0
        S.pend_track = track
        pay(T, S, NO_COLOR if k == length else color, k)
    else:
        apply(T, S, _CLAIM + track)
    decide_payment(T, S, W, P, seat)


@kernel
def value_costs(T, S, P, seat):
    """Set P.cost: what a track takes, mostly its turn, less a part of the points it brings; see `bots/planner.py`."""
    f0, f1 = free_tracks(T, S, seat)
    locos = int(S.hands[seat, LOCO])
    for t in range(T.n_tracks):
        word = f0 if t < 64 else f1
        if word & bit(t & 63) != ZERO:
            length = T.length[t]
            price = _CLAIM_PRICE + _SPACE_PRICE * length - _POINTS * T.points[length]
            price += _LOCO_PRICE * max(0, T.symbols[t] - locos)
            P.cost[t] = min(FAR - 1, max(1, int(4.0 * price + 0.5)))
        else:
            P.cost[t] = 0 if has(S.own[seat], t) else FAR


@kernel
def replan(T, S, P, seat):
    """Plan anew for the tickets not yet joined."""
    value_costs(T, S, P, seat)
    connect_by_cost(T, S, P, seat, open_tickets(T, S, P, seat))


@kernel
def keep_offer(T, S, P, seat):
    """Keep the offered tickets that bring more than their missing spaces cost, at least the best."""
    value_costs(T, S, P, seat)
    mask, best, best_value, taken = 0, 0, -1e9, 0
    for i in range(int(S.offer_n[seat])):
        t = int(S.offer[seat, i])
        spaces = 99
        if reach(T, P, T.ticket_a[t], T.ticket_b[t]) < FAR:
            spaces = path_spaces(T, P, T.ticket_b[t])
        value = T.ticket_points[t] - _TICKET_SPACE * spaces
        if taken + spaces > _SHARE * int(S.trains[seat]):
            value = -20.0 - T.ticket_points[t]
        if value > 0.0:
            mask |= 1 << i
            taken += add_path(T, P, seat, T.ticket_b[t])
        if value > best_value:
            best, best_value = i, value
    mask |= 1 << best
    least = min(int(S.offer_n[seat]), T.setup_keep_min if S.phase == KEEP_SETUP else T.draw_keep_min)
    i = 0
    while popcount(np.uint64(mask)) < least:
        mask |= 1 << i
        i += 1
    P.planned[seat] = 0
    return mask


@kernel
def longest_of(w0, w1):
    """The longest track of a set of two words that is not empty (tracks are numbered by length)."""
    return top_bit(w1) + 64 if w1 != ZERO else top_bit(w0)


@kernel
def turns_left(T, S):
    """Turns of a seat until somebody runs out of trains, by trains and cards in hand."""
    if S.remaining >= 0:
        return 1.0 + (int(S.remaining) - 1) // T.players
    least = 1e9
    for p in range(T.players):
        trains = float(int(S.trains[p]) - T.end_trigger_trains)
        least = min(least, trains / 3.2 + max(0.0, trains - int(S.hand_n[p])) / 1.7)
    return least + 1.0


@kernel
def want_one(T, S, P, seat):
    """Want the one free track that gives most points for the turns it takes."""
    f0, f1 = free_tracks(T, S, seat)
    locos = int(S.hands[seat, LOCO])
    most = 0
    for c in range(COLORS):
        most = max(most, int(S.hands[seat, c]))
    best, best_value = -1, 0.0
    for w in range(2):
        word = f0 if w == 0 else f1
        while word != ZERO:
            t = ctz(word) + 64 * w
            word &= word - ONE
            have = most if T.color[t] == GRAY else int(S.hands[seat, T.color[t]])
            missing = max(0, T.length[t] - T.symbols[t] - have)
            value = T.points[T.length[t]] / (1.0 + 0.6 * missing + max(0, T.symbols[t] - locos))
            if value >= best_value:
                best, best_value = t, value
    P.want[seat, 0] = P.want[seat, 1] = ZERO
    if best >= 0:
        put(P.want[seat], best)
    P.planned[seat] = 2


@kernel
def policy_turn(T, S, W, P, seat):
    """The turn a planning player takes: claim what it wants, more tickets when done, else draw. Returns an action."""
    f0, f1 = free_tracks(T, S, seat)
    if P.planned[seat] == 0 or (P.want[seat, 0] & ~f0) | (P.want[seat, 1] & ~f1) != ZERO:
        replan(T, S, P, seat)
    w0, w1 = claimable(T, S, seat)
    g0, g1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    if P.planned[seat] == 1 and g0 | g1 != ZERO:
        return _CLAIM + longest_of(g0, g1)
    if P.planned[seat] == 2 or P.want[seat, 0] | P.want[seat, 1] == ZERO:
        turns = turns_left(T, S)
        if S.ticket_deck_n > 0 and int(S.trains[seat]) >= _MORE_TRAINS and turns >= _MORE_TURNS:
            return _TICKETS
        if w0 | w1 != ZERO:
            t = longest_of(w0, w1)
            if T.length[t] >= _LEAST or turns < _HURRY:
                return _CLAIM + t
        want_one(T, S, P, seat)
    needs(T, S, P, seat)
    return draw_choice(T, S, P, seat)


@kernel
def apply_abstract(T, S, W, P, action):
    """Apply an abstract action of the seat to move: claims and stations with their payment, tickets with the choice."""
    seat = int(S.seat)
    if action >= _CLAIM and action < _STATION:
        claim_track(T, S, W, P, seat, action - _CLAIM)
    elif action >= _STATION and action < _PAY:
        needs(T, S, P, seat)
        apply(T, S, action)
        decide_payment(T, S, W, P, seat)
    elif action < 0:  # nothing to draw
        n = legal(T, S, W)
        apply(T, S, int(W.acts[n - 1]))
        decide_payment(T, S, W, P, seat)
    else:
        apply(T, S, action)


@kernel
def policy_step(T, S, W, P):
    """One decision of the planning policy."""
    seat = int(S.seat)
    if S.phase == TURN:
        apply_abstract(T, S, W, P, policy_turn(T, S, W, P, seat))
    elif S.phase == DRAW:
        if P.planned[seat] == 0:
            replan(T, S, P, seat)
        needs(T, S, P, seat)
        apply(T, S, draw_choice(T, S, P, seat))
    elif S.phase in (KEEP, KEEP_SETUP):
        apply(T, S, _KEEP + keep_offer(T, S, P, seat))
    else:
        decide_payment(T, S, W, P, seat)
