"""Apply an action to a State. `apply` trusts its caller; forced decisions are taken by `settle`."""

from ttr_sim.engine import actions as A
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import MAX_TRACE, OVER, PAY
from ttr_sim.engine.legal import legal
from ttr_sim.engine.moves import (
    add_card,
    choose_sets,
    draw_blind,
    end_turn,
    keep_tickets,
    offer_tickets,
    pay,
    pay_extra,
    take_back,
    take_face_up,
)

_TAKE, _BLIND, _TICKETS, _PASS, _CLAIM, _STATION = A.TAKE, A.BLIND, A.TICKETS, A.PASS, A.CLAIM, A.STATION
_PAY, _PAY_STEP, _SETS, _CARD, _EXTRA, _TAKE_BACK, _KEEP = (
    A.PAY,
    A.PAY_STEP,
    A.SETS,
    A.CARD,
    A.EXTRA,
    A.TAKE_BACK,
    A.KEEP,
)


@kernel
def apply(T, S, action):
    """Let the seat to move take a legal action. Illegal ones are not noticed: see `Game.step` for the checked face."""
    if action == _PASS:
        S.passes += 1
        end_turn(T, S)
        return
    S.passes = 0
    if action < _BLIND:
        take_face_up(T, S, action - _TAKE)
    elif action == _BLIND:
        draw_blind(T, S)
    elif action == _TICKETS:
        offer_tickets(T, S)
    elif action < _STATION:
        S.pend_track = action - _CLAIM
        S.phase = PAY
    elif action < _PAY:
        S.pend_city = action - _STATION
        S.phase = PAY
    elif action < _SETS:
        pay(T, S, (action - _PAY) // _PAY_STEP, (action - _PAY) % _PAY_STEP)
    elif action < _CARD:
        choose_sets(T, S, action - _SETS)
    elif action < _EXTRA:
        add_card(T, S, action - _CARD)
    elif action < _TAKE_BACK:
        pay_extra(T, S, action - _EXTRA)
    elif action == _TAKE_BACK:
        take_back(T, S)
    else:
        keep_tickets(T, S, action - _KEEP)


@kernel
def traced(T, S, W, action):
    """Apply an action and note it, with its seat, in the trace."""
    if W.trace_n < MAX_TRACE:
        W.trace_seat[W.trace_n] = S.seat
        W.trace_act[W.trace_n] = action
        W.trace_n += 1
    apply(T, S, action)


@kernel
def count_drawn(W, drawn):
    """Add the train cards drawn in the trace to the seats' numbers."""
    for i in range(W.trace_n):
        if int(W.trace_act[i]) < _TICKETS:
            drawn[W.trace_seat[i]] += 1


@kernel
def settle(T, S, W):
    """Take forced decisions until a seat has a choice or the game is over. Returns the number of legal actions, now in W."""
    n = legal(T, S, W)
    while n == 1 and S.phase != OVER:
        traced(T, S, W, int(W.acts[0]))
        n = legal(T, S, W)
    return n
