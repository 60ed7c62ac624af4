"""Playouts nearly as `planner` plays, each seat by a network that it keeps until it breaks.

They take about five times as long as those of `rollout`, and say more: what a strong player makes of a position. Left out of
planner's play: it plans anew only when a track of its plan is gone, draws what the plan misses without weighing each colour,
and takes the longest track on its last turn. P is a PLAN record (`ttr_sim.bot.planning`), M a MIND record
(`ttr_sim.bot.network`).
"""

import numpy as np

from ttr_sim.bot.network import classify, expected_turns, plan, worth
from ttr_sim.bot.network_choices import choose_tickets, track_to_claim, wants_tickets
from ttr_sim.bot.planning import draw_choice, free_tracks, needs, open_tickets, sparest
from ttr_sim.bot.rollout import apply_abstract, decide_payment, longest_of
from ttr_sim.engine import actions as A
from ttr_sim.engine.apply import apply
from ttr_sim.engine.bits import ZERO
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import COLORS, DRAW, KEEP, KEEP_SETUP, OVER, TURN
from ttr_sim.engine.legal import claimable, legal

_CLAIM, _TICKETS = A.CLAIM, A.TICKETS
_STEPS = 2000  # no playout is longer; rules without an end are met with random play then

# The plan of a seat: the tracks it wants, the tickets these join, and the tickets it was made for.
KEPT = np.dtype([("want", "u8", (2,)), ("goals", "u8"), ("tickets", "u8")], align=True)


@kernel
def _keep(S, P, K, seat):
    K.want[0], K.want[1], K.goals = P.want[seat, 0], P.want[seat, 1], P.goals[seat]
    K.tickets = S.tickets[seat]


@kernel
def plan_world(T, S, P, M, kept, me, own, params):
    """Plan for every seat by what it holds in a world; `me` keeps the plan that stands in the PLAN record `own`.

    kept: KEPT array of shape (MAX_PLAYERS,), overwritten.
    """
    for p in range(T.players):
        if p == me:
            _keep(S, own, kept[p], p)
        else:
            M.clock = expected_turns(T, S, p, params)
            plan(T, S, P, M, p, open_tickets(T, S, P, p), params)
            _keep(S, P, kept[p], p)


@kernel
def _draw(T, S, P, M, seat):
    """The card that the plan misses, or else the one for the track that the fill begins with; -1: none."""
    if needs(T, S, P, seat) == 0 and M.length > 0:
        color = M.color if M.color < COLORS else sparest(P)
        P.need[color] = max(1, M.missing)
    return draw_choice(T, S, P, seat)


@kernel
def _turn(T, S, P, M, K, seat, params):
    """The action of a turn, -1 when nothing is left to do; brings the plan K up to date."""
    f0, f1 = free_tracks(T, S, seat)
    w0, w1 = K.want[0] & ~S.own[seat, 0], K.want[1] & ~S.own[seat, 1]
    tickets = open_tickets(T, S, P, seat)
    M.clock = expected_turns(T, S, seat, params)
    if K.tickets != S.tickets[seat] or (w0 & ~f0) | (w1 & ~f1) != ZERO:
        plan(T, S, P, M, seat, tickets, params)
    else:
        P.want[seat, 0], P.want[seat, 1], P.goals[seat] = w0, w1, K.goals & tickets
        classify(T, S, P, M, seat)
        worth(T, S, P, M, seat, tickets, params)
    _keep(S, P, K, seat)
    if wants_tickets(T, S, P, M, seat, tickets, params):
        return _TICKETS
    w0, w1 = claimable(T, S, seat)
    track = track_to_claim(T, S, P, M, seat, w0, w1, params)
    if track < 0 and S.remaining >= 0 and S.remaining <= T.players and w0 | w1 != ZERO:
        track = longest_of(w0, w1)
    return _CLAIM + track if track >= 0 else _draw(T, S, P, M, seat)


@kernel
def network_playout(T, S, W, P, M, kept, params):
    """Play until the end of the game, or for so many steps that there may be none. kept: from `plan_world`, changed."""
    steps = 0
    while S.phase != OVER and steps < _STEPS:
        steps += 1
        seat = int(S.seat)
        if S.phase == TURN:
            apply_abstract(T, S, W, P, _turn(T, S, P, M, kept[seat], seat, params))
        elif S.phase == DRAW:
            apply_abstract(T, S, W, P, _draw(T, S, P, M, seat))
        elif S.phase in (KEEP, KEEP_SETUP):
            legal(T, S, W)
            apply(T, S, choose_tickets(T, S, W, P, M, seat, params, True))
        else:
            decide_payment(T, S, W, P, seat)
