"""hungry: takes tickets first, then tries to join them all.

Idea: tickets are where the points are. It keeps every ticket it is offered, spends its first turns on more of them until it
holds enough, then joins them by the fewest spaces, sharing tracks. What it cannot join counts against it: the style lives
from boards where tickets overlap and games are long.

Source: agent "Hungry" of de Mesentier Silva, Lee, Togelius, Nealen, "AI-based Playtesting of Contemporary Board Games", FDG
2017; written from the idea.
"""

import numpy as np

from ttr_sim.bot import Param, policy
from ttr_sim.bot.planning import PLAN, connect, draw_choice, needs, open_tickets, payment_choice
from ttr_sim.bot.rollout import longest_of
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ZERO
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import DRAW, KEEP, KEEP_SETUP, TURN
from ttr_sim.engine.legal import claimable

_TICKETS, _CLAIM = A.TICKETS, A.CLAIM


@kernel
def _turn(T, V, W, P, seat, appetite):
    if int(V.ticket_n[seat]) < appetite and V.ticket_deck_n > 0 and V.remaining < 0:
        return _TICKETS
    w0, w1 = claimable(T, V, seat)
    if P.want[seat, 0] | P.want[seat, 1] != ZERO:
        w0, w1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    if w0 | w1 != ZERO:
        return _CLAIM + longest_of(w0, w1)
    action = draw_choice(T, V, P, seat)
    return action if action >= 0 else int(W.acts[W.n - 1])


@kernel
def _decide(T, V, W, plans, appetite):
    P, seat = plans[0], int(V.viewer)
    if V.phase in (KEEP, KEEP_SETUP):
        return int(W.acts[W.n - 1])  # the last legal choice keeps everything
    connect(T, V, P, seat, open_tickets(T, V, P, seat), 0, 1)
    needs(T, V, P, seat)
    if V.phase == TURN:
        return _turn(T, V, W, P, seat, appetite)
    return draw_choice(T, V, P, seat) if V.phase == DRAW else payment_choice(T, V, W, P, seat)


@policy(params={"appetite": Param(5, 0, 30, "tickets it wants to hold before it claims tracks")})
def hungry(T, V, W, params, memory):
    """Many tickets first, then their connections."""
    return _decide(T, V, W, np.zeros(1, PLAN), int(params[0]))
