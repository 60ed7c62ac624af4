"""Decisions by one network for all tickets: those of `planner`, and what `mcts` begins with.

P is a PLAN record (`ttr_sim.bot.planning`), M a MIND record (`ttr_sim.bot.network`); V is a view, of which hands and tickets
are changed and put back.
"""

import numpy as np

from ttr_sim.bot.network import PARAMS, classify, expected_turns, plan, sketch, worth
from ttr_sim.bot.planning import needs, open_tickets, payment_choice
from ttr_sim.bot.rollout import longest_of
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, popcount
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import (
    COLORS,
    DRAW,
    GRAY,
    KEEP,
    KEEP_SETUP,
    KINDS,
    LOCO,
    LOCO_ENDS_DRAW,
    TUNNEL_KIND,
    TURN,
)
from ttr_sim.engine.legal import claimable
from ttr_sim.engine.moves import give_track, market_closed, may_take_blind, may_take_loco
from ttr_sim.engine.observe import unseen_cards
from ttr_sim.engine.scoring import quick_score

_BLIND, _TICKETS, _PASS, _CLAIM = A.BLIND, A.TICKETS, A.PASS, A.CLAIM
_STATION, _PAY, _KEEP = A.STATION, A.PAY, A.KEEP
_TURN_POINTS, _RUSH, _RUSH_SPACE, _NEEDED, _WHOLE, _BLIND_BONUS = (
    list(PARAMS).index(name) for name in ("turn", "rush", "rush_space", "needed", "whole", "blind")
)
_MORE, _MORE_TURN, _MORE_BONUS, _MOST, _RIVAL_TICKET, _TRAIN = (
    list(PARAMS).index(name) for name in ("more", "more_turn", "more_bonus", "most", "rival_ticket", "train")
)
_MOST_TURNS = 15.0  # more of them make tickets no better

MEMORY = 4  # integers in which `decide` keeps its plan through a turn: the turn, the tracks, the tickets


@kernel
def most_tickets(T, V, seat):
    """The tickets of the rival that holds most, at least what everybody keeps at first."""
    most = T.setup_keep_min
    for p in range(T.players):
        if p != seat:
            most = max(most, int(V.ticket_n[p]))
    return most


@kernel
def choose_tickets(T, V, W, P, M, seat, params, quickly):
    """The legal choice of tickets with the plan that is worth most; what is joined already counts in full.

    quickly: by plans that are not improved.
    """
    M.clock = expected_turns(T, V, seat, params)
    best, best_value = int(W.acts[0]), -1e18
    held = V.tickets[seat]
    rival = most_tickets(T, V, seat)
    for i in range(W.n):
        mask = int(W.acts[i]) - _KEEP
        kept = ZERO
        for j in range(int(V.offer_n[seat])):
            kept |= bit(V.offer[seat, j]) if (mask >> j) & 1 else ZERO
        V.tickets[seat] = held | kept
        missing = open_tickets(T, V, P, seat)
        if quickly:
            value = sketch(T, V, P, M, seat, missing, params)
        else:
            value = plan(T, V, P, M, seat, missing, params)
        ahead = popcount(P.goals[seat] | V.tickets[seat] & ~missing) - rival
        value += params[_MOST] * T.globetrotter_bonus * max(-1, min(1, ahead))
        joined = kept & ~missing
        while joined != ZERO:
            value += T.ticket_points[ctz(joined)]
            joined &= joined - ONE
        if value > best_value:
            best, best_value = _KEEP + mask, value
    V.tickets[seat] = held
    return best


@kernel
def _draw(T, V, W, P, M, seat, tickets, params):
    """The card to take: the one that makes the plan worth most; blind by what may come."""
    opened = V.market_n > 0 and not market_closed(T, V)
    now = worth(T, V, P, M, seat, tickets, params)
    unseen_cards(T, V, M.unseen)
    total, blind = 0, 0.0
    for c in range(KINDS):
        V.hands[seat, c] += 1
        M.value[c] = (worth(T, V, P, M, seat, tickets, params) - now) / params[_TURN_POINTS]
        V.hands[seat, c] -= 1
        total += M.unseen[c]
        blind += M.unseen[c] * M.value[c]
    needs(T, V, P, seat)
    best, best_value = -1, -1e9
    for c in range(KINDS):
        if not opened or int(V.market[c]) == 0 or (c == LOCO and not may_take_loco(T, V)):
            continue
        value = M.value[c]
        if c < COLORS:
            value += params[_NEEDED] if P.need[c] > 0 else 0.0
        elif V.drawn == 0 and T.face_up_locomotive == LOCO_ENDS_DRAW:
            value -= params[_WHOLE]
        if value > best_value:
            best, best_value = c, value
    if may_take_blind(V) and best_value < blind / max(1, total) + params[_BLIND_BONUS]:
        return _BLIND
    return best if best >= 0 else int(W.acts[W.n - 1])


@kernel
def _touches(T, V, seat, city):
    """Has a seat a track at a city?"""
    return (T.city_tracks[city, 0] & V.own[seat, 0]) | (T.city_tracks[city, 1] & V.own[seat, 1]) != ZERO


@kernel
def _standing(T, V, seat, t):
    """How good a track is among those of its length: no tunnel, it touches own tracks, or rivals', whom it may block."""
    rank = -2 if T.kind[t] == TUNNEL_KIND else 0
    for city in (T.city_a[t], T.city_b[t]):
        for p in range(T.players):
            if _touches(T, V, p, city):
                rank += 2 if p == seat else 1
    return rank


@kernel
def _fill_track(T, V, seat, color, length, w0, w1):
    """The best claimable track of a colour and length that is no ferry; -1: none."""
    best, most = -1, -1000
    for w in range(2):
        word = w0 if w == 0 else w1
        while word != ZERO:
            t = ctz(word) + 64 * w
            word &= word - ONE
            asked = T.color[t] if T.color[t] != GRAY else COLORS
            if T.length[t] != length or asked != color or T.symbols[t] > 0:
                continue
            rank = _standing(T, V, seat, t)
            if rank > most:
                best, most = t, rank
    return best


@kernel
def _longest_at_hand(T, w0, w1):
    """The longest of some tracks, rather no tunnel."""
    longest = longest_of(w0, w1)
    best = longest
    for w in range(2):
        word = w0 if w == 0 else w1
        while word != ZERO and T.kind[best] == TUNNEL_KIND:
            t = ctz(word) + 64 * w
            word &= word - ONE
            best = t if T.length[t] == T.length[longest] else best
    return best


@kernel
def track_to_claim(T, V, P, M, seat, w0, w1, params):
    """The longest claimable track of the plan, else the one that the fill begins with if no card misses; -1: none.

    With its plan done it takes whatever track of the fill is at hand first, and with few trains left rather the longest
    at hand than to draw for something better.
    """
    g0, g1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    if g0 | g1 != ZERO:
        return longest_of(g0, g1)
    track = -1
    if M.length > 0 and M.missing == 0:
        track = _fill_track(T, V, seat, M.color, M.length, w0, w1)
    if track >= 0 or P.want[seat, 0] | P.want[seat, 1] != ZERO or w0 | w1 == ZERO:
        return track
    if M.ready_length > 0:
        track = _fill_track(T, V, seat, M.ready_color, M.ready_length, w0, w1)
    if track >= 0:
        return track
    longest = _longest_at_hand(T, w0, w1)
    few = int(V.trains[seat]) < params[_RUSH] + params[_RUSH_SPACE] * T.length[longest]
    return longest if few else -1


@kernel
def wants_tickets(T, V, P, M, seat, tickets, params):
    """Whether a seat whose plan is done draws tickets: the sooner, the further it expects to be behind.

    One more completed ticket may also win or deny the bonus for most of them. tickets: those not joined yet.
    """
    if V.remaining >= 0 or V.ticket_deck_n == 0 or P.want[seat, 0] | P.want[seat, 1] != ZERO:
        return False
    lead = V.points[seat] + params[_TRAIN] * V.trains[seat]
    word = V.tickets[seat]
    while word != ZERO:
        t = ctz(word)
        word &= word - ONE
        lead += -T.ticket_points[t] if tickets & bit(t) != ZERO else T.ticket_points[t]
    best = 0.0
    for p in range(T.players):
        if p != seat:
            best = max(
                best, V.points[p] + params[_TRAIN] * V.trains[p] + params[_RIVAL_TICKET] * V.ticket_n[p]
            )
    bar = params[_MORE] + params[_MORE_TURN] * min(_MOST_TURNS, M.clock)
    if popcount(V.tickets[seat] & ~tickets) <= most_tickets(T, V, seat):
        bar += params[_MORE_BONUS] * T.globetrotter_bonus
    return lead - best < bar


@kernel
def _margin_after(T, W, views, scores, action):
    """Points ahead of the best other, as far as the seat knows, after a claim, a station or neither."""
    views[1] = views[0]
    V, R = views[1], scores[0]
    seat = int(V.viewer)
    if _CLAIM <= action < _STATION:
        track = action - _CLAIM
        give_track(T, V, seat, track)
        V.points[seat] += T.points[T.length[track]]
        V.trains[seat] -= T.length[track]
    elif action >= _STATION:
        V.station_city[seat, T.stations_per_player - int(V.stations[seat])] = action - _STATION
        V.stations[seat] -= 1
    quick_score(T, V, W, R)
    best = -10000
    for p in range(T.players):
        if p != seat:
            best = max(best, int(R.score[p]))
    return int(R.score[seat]) - best


@kernel
def _last_turn(T, V, W, views, scores):
    """The claim or station that brings most at once, else a card; never tickets, which could only be lost."""
    views[0] = V
    best = int(W.acts[0]) if int(W.acts[0]) != _TICKETS else int(W.acts[W.n - 1])
    best_value = _margin_after(T, W, views, scores, _PASS)
    for i in range(W.n):
        action = int(W.acts[i])
        if _CLAIM <= action < _PAY:
            value = _margin_after(T, W, views, scores, action)
            if value > best_value:
                best, best_value = action, value
    return best


@kernel
def _turn(T, V, W, P, M, seat, tickets, params):
    if wants_tickets(T, V, P, M, seat, tickets, params):
        return _TICKETS
    w0, w1 = claimable(T, V, seat)
    track = track_to_claim(T, V, P, M, seat, w0, w1, params)
    return _CLAIM + track if track >= 0 else _draw(T, V, W, P, M, seat, tickets, params)


@kernel
def decide(T, V, W, P, M, views, scores, params, memory):
    """The decision of the seat that views V; leaves the plan in P, except on its last turn, which needs none.

    memory: MEMORY integers kept from decision to decision, the first of them 0 at the start of a game.
    """
    seat = int(V.viewer)
    if V.phase == TURN and V.remaining >= 0 and V.remaining <= T.players:
        return _last_turn(T, V, W, views, scores)
    if V.phase in (KEEP, KEEP_SETUP):
        return choose_tickets(T, V, W, P, M, seat, params, False)
    M.clock = expected_turns(T, V, seat, params)
    tickets = open_tickets(T, V, P, seat)
    if memory[0] != V.turns + 1:  # the first decision of this turn
        plan(T, V, P, M, seat, tickets, params)
        memory[0], memory[1], memory[2] = V.turns + 1, np.int64(P.want[seat, 0]), np.int64(P.want[seat, 1])
        memory[3] = np.int64(P.goals[seat])
    else:
        P.want[seat, 0], P.want[seat, 1] = np.uint64(memory[1]), np.uint64(memory[2])
        P.goals[seat] = np.uint64(memory[3])
        classify(T, V, P, M, seat)
    if V.phase == TURN:
        return _turn(T, V, W, P, M, seat, tickets, params)
    if V.phase == DRAW:
        return _draw(T, V, W, P, M, seat, tickets, params)
    needs(T, V, P, seat)
    return payment_choice(T, V, W, P, seat)
