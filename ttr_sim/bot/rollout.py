"""A planning player as fast kernels, for playouts and as the prior of a search: whole turns by a plan for its tickets.

The plan is the cheapest network for the tickets, where a track costs the turns and trains it takes less the points it
brings. On its turn the player claims the longest wanted track it can pay for; with its plan done it takes more tickets
while trains are left, then long tracks; else it draws what the plan misses. P is a PLAN record (`ttr_sim.bot.planning`).
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
    payment_choice,
    reach,
    track_costs,
)
from ttr_sim.engine import actions as A
from ttr_sim.engine.apply import apply
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, drop, has, popcount, top_bit
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import COLORS, DRAW, GRAY, KEEP, KEEP_SETUP, LOCO, NO_COLOR, OVER, TURN
from ttr_sim.engine.legal import claimable, legal
from ttr_sim.engine.moves import pay

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
def missing_cards(T, S, seat, t):
    """Cards of its colour a seat lacks for a track, locomotives not counted."""
    have = 0
    if T.color[t] == GRAY:
        for c in range(COLORS):
            have = max(have, int(S.hands[seat, c]))
    else:
        have = int(S.hands[seat, T.color[t]])
    return max(0, T.length[t] - have)


@kernel
def value_costs(T, S, P, seat):
    """Set P.cost: turns and trains a track takes, less the points it brings."""
    f0, f1 = free_tracks(T, S, seat)
    for t in range(T.n_tracks):
        word = f0 if t < 64 else f1
        if word & bit(t & 63) != ZERO:
            length = T.length[t]
            P.cost[t] = max(1, 6 + 3 * length + 2 * missing_cards(T, S, seat, t) - T.points[length])
        else:
            P.cost[t] = 0 if has(S.own[seat], t) else FAR


@kernel
def plan_network(T, S, P, seat, tickets):
    """Plan the connection of tickets by `value_costs`; returns the spaces it takes."""
    value_costs(T, S, P, seat)
    return connect_by_cost(T, S, P, seat, tickets)


@kernel
def replan(T, S, P, seat):
    """Plan anew for the tickets not yet joined."""
    plan_network(T, S, P, seat, open_tickets(T, S, P, seat))


@kernel
def keep_offer(T, S, P, seat):
    """Keep the offered tickets whose missing spaces cost less than their points, at least the best."""
    track_costs(T, S, P, seat, 0, 1)
    mask, best, best_value = 0, 0, -1000
    for i in range(int(S.offer_n[seat])):
        t = int(S.offer[seat, i])
        cost = reach(T, P, T.ticket_a[t], T.ticket_b[t])
        value = T.ticket_points[t] - cost
        if cost > int(S.trains[seat]) - 4:
            value = -T.ticket_points[t] - 30
        if value > 0:
            mask |= 1 << i
            add_path(T, P, seat, T.ticket_b[t])
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
def fewest_trains(T, S):
    """Trains left of the seat with the fewest."""
    fewest = 99
    for p in range(T.players):
        fewest = min(fewest, int(S.trains[p]))
    return fewest


@kernel
def longest_of(w0, w1):
    """The longest track of a set of two words that is not empty (tracks are numbered by length)."""
    return top_bit(w1) + 64 if w1 != ZERO else top_bit(w0)


@kernel
def policy_turn(T, S, W, P, seat):
    """The turn a planning player takes: claim what it wants, more tickets when done, else draw. Returns an action."""
    f0, f1 = free_tracks(T, S, seat)
    if P.planned[seat] == 0 or (P.want[seat, 0] & ~f0) | (P.want[seat, 1] & ~f1) != ZERO:
        replan(T, S, P, seat)
    w0, w1 = claimable(T, S, seat)
    g0, g1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    if g0 | g1 != ZERO:
        return _CLAIM + longest_of(g0, g1)
    if P.want[seat, 0] | P.want[seat, 1] == ZERO:
        fewest = fewest_trains(T, S)
        if S.ticket_deck_n > 0 and fewest > 17 and S.remaining < 0:
            return _TICKETS
        if w0 | w1 != ZERO and (T.length[longest_of(w0, w1)] >= 4 or fewest < 8):
            return _CLAIM + longest_of(w0, w1)
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
        needs(T, S, P, seat)
        apply(T, S, draw_choice(T, S, P, seat))
    elif S.phase in (KEEP, KEEP_SETUP):
        apply(T, S, _KEEP + keep_offer(T, S, P, seat))
    else:
        decide_payment(T, S, W, P, seat)


@kernel
def choose_tickets(T, V, W, P, seat):
    """The legal choice of tickets with the most points for what its plan takes."""
    best, best_value = int(W.acts[0]), -1e9
    for i in range(W.n):
        mask = int(W.acts[i]) - _KEEP
        tickets = V.tickets[seat]
        for j in range(int(V.offer_n[seat])):
            if (mask >> j) & 1:
                tickets |= bit(V.offer[seat, j])
        spaces = plan_network(T, V, P, seat, tickets)
        value = -0.9 * spaces
        rest = tickets
        while rest != ZERO:
            t = ctz(rest)
            rest &= rest - ONE
            value += T.ticket_points[t] if P.goals[seat] & bit(t) != ZERO else -T.ticket_points[t]
        if spaces > int(V.trains[seat]) - 11:
            value -= 20.0
        if value > best_value:
            best, best_value = _KEEP + mask, value
    return best
