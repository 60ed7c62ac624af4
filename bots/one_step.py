"""one_step: judges the position after each of its actions and takes the best; no plan, no memory.

Idea: every legal action is tried on the view and the position it leads to is valued: points of the tracks owned; each ticket
by how near its cities are to being joined, from minus to plus its points; and the points of the best tracks that the hand
could pay for, or nearly. Drawing blind counts as the average of all colours, tickets as a constant while there is time.

Source: agent "OneStepThinker" of de Mesentier Silva, Lee, Togelius, Nealen, "AI-based Playtesting of Contemporary Board
Games", FDG 2017; written from the idea.
"""

import numpy as np

from ttr_sim.bot import Param, policy
from ttr_sim.bot.planning import PLAN, free_tracks, needs, payment_choice, reach, track_costs
from ttr_sim.bot.rollout import turns_left
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import COLORS, DRAW, GRAY, KEEP, KEEP_SETUP, KINDS, LOCO, STATE, TURN
from ttr_sim.engine.moves import give_track

_BLIND, _TICKETS, _PASS, _CLAIM, _STATION, _KEEP = A.BLIND, A.TICKETS, A.PASS, A.CLAIM, A.STATION, A.KEEP


@kernel
def _tickets_value(T, V, P, seat, tickets):
    """Points of tickets, each from -1 to 1 times its points by the spaces it still misses."""
    track_costs(T, V, P, seat, 0, 1)
    value = 0.0
    while tickets != ZERO:
        t = ctz(tickets)
        tickets &= tickets - ONE
        spaces = reach(T, P, T.ticket_a[t], T.ticket_b[t])
        share = 1.0 if spaces == 0 else max(0.0, 0.8 - 0.04 * spaces)
        if spaces > int(V.trains[seat]):
            share = 0.0
        value += T.ticket_points[t] * (2.0 * share - 1.0)
    return value


@kernel
def _missing(T, V, seat, t):
    """Cards of its colour (for a gray track: of the seat's best one) a seat lacks for a track, locomotives not counted."""
    have = 0
    for c in range(COLORS):
        if T.color[t] == c or T.color[t] == GRAY:
            have = max(have, int(V.hands[seat, c]))
    return max(0, T.length[t] - have)


@kernel
def _hand_value(T, V, seat):
    """Points of the track that the hand makes most of: its points by the draws it still misses."""
    best = 0.0
    f0, f1 = free_tracks(T, V, seat)
    for w in range(2):
        word = f0 if w == 0 else f1
        while word != ZERO:
            t = ctz(word) + 64 * w
            word &= word - ONE
            missing = max(0, _missing(T, V, seat, t) - int(V.hands[seat, LOCO]))
            best = max(best, T.points[T.length[t]] / (1.0 + missing))
    return best


@kernel
def _after_claim(T, views, P, track):
    """Value of the position with a track claimed; views[0] is left as it was."""
    views[1] = views[0]
    V = views[1]
    seat = int(V.viewer)
    length = T.length[track]
    give_track(T, V, seat, track)
    V.trains[seat] -= length
    return T.points[length] + _tickets_value(T, V, P, seat, V.tickets[seat])


@kernel
def _after_card(T, V, seat, c):
    """Value of the hand with one more card of colour c."""
    V.hands[seat, c] += 1
    value = _hand_value(T, V, seat)
    V.hands[seat, c] -= 1
    return value


@kernel
def _turn(T, W, P, views, params):
    """The action of a turn, or the next card of a draw, with the best position after it."""
    V = views[0]
    seat = int(V.viewer)
    tickets = _tickets_value(T, V, P, seat, V.tickets[seat])
    hand = _hand_value(T, V, seat)
    blind = 0.0
    for c in range(KINDS):
        blind += _after_card(T, V, seat, c) / KINDS
    best, best_value = int(W.acts[0]), -1e9
    for i in range(W.n):
        action = int(W.acts[i])
        if action < _BLIND:
            value = tickets + params[0] * _after_card(T, V, seat, action) + params[1]
        elif action == _BLIND:
            value = tickets + params[0] * blind + params[1]
        elif action == _TICKETS:
            value = tickets + params[0] * hand + (params[2] if turns_left(T, V) > 20 else -10.0)
        elif action < _CLAIM or action >= _STATION:
            value = tickets + params[0] * hand - 5.0
        else:
            value = _after_claim(T, views, P, action - _CLAIM)
        if value > best_value:
            best, best_value = action, value
    return best


@kernel
def _keep(T, V, W, P, seat):
    """The tickets with the best value as they stand."""
    best, best_value = int(W.acts[0]), -1e9
    for i in range(W.n):
        mask = int(W.acts[i]) - _KEEP
        tickets = V.tickets[seat]
        for j in range(int(V.offer_n[seat])):
            if (mask >> j) & 1:
                tickets |= bit(V.offer[seat, j])
        value = _tickets_value(T, V, P, seat, tickets)
        if value > best_value:
            best, best_value = _KEEP + mask, value
    return best


@kernel
def _decide(T, V, W, plans, views, params):
    P, seat = plans[0], int(V.viewer)
    if V.phase in (KEEP, KEEP_SETUP):
        return _keep(T, V, W, P, seat)
    if V.phase in (TURN, DRAW):
        views[0] = V
        return _turn(T, W, P, views, params)
    needs(T, V, P, seat)  # with no plan every card is to spare
    return payment_choice(T, V, W, P, seat)


@policy(
    params={
        "hand": Param(0.5, 0.0, 2.0, "share of the points of a track that count while it is not claimed"),
        "card": Param(1.0, 0.0, 20.0, "points a card is worth beside what it completes"),
        "tickets": Param(0.0, -20.0, 20.0, "points that more tickets are worth while there is time"),
    }
)
def one_step(T, V, W, params, memory):
    """The best position one step ahead."""
    return _decide(T, V, W, np.zeros(1, PLAN), np.zeros(2, STATE), params)
