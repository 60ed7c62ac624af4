"""planner: connects few tickets by few long tracks, and races.

Idea: turns are what is scarce. It keeps the tickets whose connections pay for the trains they take, plans them as one
network in which a track costs mostly its turn, claims the longest planned track it can pay for, draws the colours the
plan still misses, and fills up with the longest tracks it can get. Parameters were found by playing.
"""

import numpy as np

from ttr_sim.bot import Param, policy
from ttr_sim.bot.planning import FAR, PLAN, connect_by_cost, free_tracks, needs, open_tickets, payment_choice
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, has, top_bit
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import COLORS, DRAW, GRAY, KEEP, KEEP_SETUP, KINDS, LOCO, LOCO_ENDS_DRAW, TURN
from ttr_sim.engine.legal import claimable
from ttr_sim.engine.moves import market_closed, may_take_blind, may_take_loco

_BLIND, _TICKETS, _CLAIM, _KEEP = A.BLIND, A.TICKETS, A.CLAIM, A.KEEP
(
    _CLAIM_PRICE,
    _SPACE_PRICE,
    _POINTS,
    _TICKET_SPACE,
    _TRAINS_SHARE,
    _MORE_TRAINS,
    _MORE_TURNS,
    _PAIR,
    _LEAST,
    _HURRY,
) = range(10)


@kernel
def _cards_for(T, V, seat, t):
    """Cards a seat has of the colour of a track (of its best colour for a gray one)."""
    have = 0
    if T.color[t] != GRAY:
        return int(V.hands[seat, T.color[t]])
    for c in range(COLORS):
        have = max(have, int(V.hands[seat, c]))
    return have


@kernel
def _plan(T, V, P, seat, tickets, params):
    """Plan the network for tickets; returns the spaces it takes."""
    f0, f1 = free_tracks(T, V, seat)
    for t in range(T.n_tracks):
        word = f0 if t < 64 else f1
        if word & bit(t & 63) != ZERO:
            length = T.length[t]
            price = params[_CLAIM_PRICE] + params[_SPACE_PRICE] * length - params[_POINTS] * T.points[length]
            price += 0.2 * max(0, T.symbols[t] - int(V.hands[seat, LOCO]))
            P.cost[t] = min(FAR - 1, max(1, int(4.0 * price + 0.5)))
        else:
            P.cost[t] = 0 if has(V.own[seat], t) else FAR
    return connect_by_cost(T, V, P, seat, tickets)


@kernel
def _choose_tickets(T, V, W, P, seat, params):
    """The legal choice of tickets with the most points for the spaces it takes."""
    best, best_value = int(W.acts[0]), -1e9
    for i in range(W.n):
        mask = int(W.acts[i]) - _KEEP
        tickets = V.tickets[seat]
        for j in range(int(V.offer_n[seat])):
            if (mask >> j) & 1:
                tickets |= bit(V.offer[seat, j])
        spaces = _plan(T, V, P, seat, tickets, params)
        value = -params[_TICKET_SPACE] * spaces
        while tickets != ZERO:
            t = ctz(tickets)
            tickets &= tickets - ONE
            value += T.ticket_points[t] if P.goals[seat] & bit(t) != ZERO else -T.ticket_points[t]
        if spaces > params[_TRAINS_SHARE] * int(V.trains[seat]):
            value -= 20.0
        if value > best_value:
            best, best_value = _KEEP + mask, value
    return best


@kernel
def _longest(w0, w1):
    return top_bit(w1) + 64 if w1 != ZERO else top_bit(w0)


@kernel
def _draw(T, V, P, params):
    """The card to take: a face-up one the plan misses, of the colour with the fewest missing, or blind."""
    opened = V.market_n > 0 and not market_closed(T, V)
    best, best_value, missing = -1, 0.0, 0
    for c in range(KINDS):
        missing += max(0, P.need[c])
    for c in range(COLORS):
        if opened and int(V.market[c]) > 0 and P.need[c] > 0:
            value = 20.0 - min(P.need[c], 9) + (params[_PAIR] if int(V.market[c]) > 1 else 0.0)
            if value > best_value:
                best, best_value = c, value
    if opened and int(V.market[LOCO]) > 0 and may_take_loco(T, V):
        whole = V.drawn == 0 and T.face_up_locomotive == LOCO_ENDS_DRAW
        if not whole or P.need[LOCO] > 0 or missing == 1:
            return LOCO
    if best >= 0 or may_take_blind(V):
        return best if best >= 0 else _BLIND
    for c in range(KINDS):
        if opened and int(V.market[c]) > 0 and (c != LOCO or may_take_loco(T, V)):
            return c
    return -1


@kernel
def _fill_needs(T, V, P, seat):
    """Want the one track that gives most points for the turns it takes."""
    f0, f1 = free_tracks(T, V, seat)
    best, best_value = -1, 0.0
    for w in range(2):
        word = f0 if w == 0 else f1
        while word != ZERO:
            t = ctz(word) + 64 * w
            word &= word - ONE
            missing = max(0, T.length[t] - T.symbols[t] - _cards_for(T, V, seat, t))
            locos = max(0, T.symbols[t] - int(V.hands[seat, LOCO]))
            value = T.points[T.length[t]] / (1.0 + 0.6 * missing + locos)
            if value >= best_value:
                best, best_value = t, value
    if best >= 0:
        P.want[seat, best // 64] = bit(best & 63)
    needs(T, V, P, seat)


@kernel
def _turns_left(T, V, seat):
    """Turns until somebody runs out of trains, by trains and cards in hand."""
    if V.remaining >= 0:
        return 1.0 + (int(V.remaining) - 1) // T.players
    least = 1e9
    for p in range(T.players):
        trains = float(int(V.trains[p]) - T.end_trigger_trains)
        least = min(least, trains / 3.2 + max(0.0, trains - int(V.hand_n[p])) / 1.7)
    return least + 1.0


@kernel
def _turn(T, V, W, P, seat, spaces, params):
    needs(T, V, P, seat)
    w0, w1 = claimable(T, V, seat)
    g0, g1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    turns = _turns_left(T, V, seat)
    if g0 | g1 != ZERO:
        return _CLAIM + _longest(g0, g1)
    if spaces == 0:
        trains = int(V.trains[seat])
        if V.ticket_deck_n > 0 and trains >= params[_MORE_TRAINS] and turns >= params[_MORE_TURNS]:
            return _TICKETS
        longest = _longest(w0, w1) if w0 | w1 != ZERO else -1
        if longest >= 0 and (T.length[longest] >= params[_LEAST] or turns < params[_HURRY]):
            return _CLAIM + longest
        _fill_needs(T, V, P, seat)
    action = _draw(T, V, P, params)
    return action if action >= 0 else int(W.acts[W.n - 1])


@kernel
def _decide(T, V, W, plans, params):
    P, seat = plans[0], int(V.viewer)
    if V.phase in (KEEP, KEEP_SETUP):
        return _choose_tickets(T, V, W, P, seat, params)
    spaces = _plan(T, V, P, seat, open_tickets(T, V, P, seat), params)
    if V.phase == TURN:
        return _turn(T, V, W, P, seat, spaces, params)
    if spaces == 0:
        _fill_needs(T, V, P, seat)
    else:
        needs(T, V, P, seat)
    return _draw(T, V, P, params) if V.phase == DRAW else payment_choice(T, V, W, P, seat)


@policy(
    params={
        "claim_price": Param(1.86, 0.0, 20.0, "what a track costs in the plan"),
        "space_price": Param(0.2, 0.0, 20.0, "what a space costs in the plan"),
        "points_price": Param(0.16, 0.0, 5.0, "how much a point of a track takes off its cost"),
        "ticket_space": Param(0.72, 0.0, 5.0, "points a ticket must bring for a space"),
        "share": Param(0.67, 0.1, 1.0, "share of the trains that tickets may take"),
        "more_trains": Param(8.0, 0.0, 50.0, "trains that must be left to draw tickets"),
        "more_turns": Param(31.0, 0.0, 50.0, "turns that must be left to draw tickets"),
        "pair": Param(7.0, 0.0, 20.0, "what a second card of a colour in the market adds to it"),
        "least": Param(5.0, 1.0, 9.0, "shortest track claimed for its points alone"),
        "hurry": Param(4.9, 0.0, 20.0, "turns left below which any is claimed"),
    }
)
def planner(T, V, W, params, memory):
    """Few tickets, few and long tracks, and a race."""
    return _decide(T, V, W, np.zeros(1, PLAN), params)
