"""Which actions are legal: affordable tracks as bit sets, payments only for the track that was chosen.

All functions read a State or a View alike: of the seat to move everything they need is in both.
"""

import numpy as np

from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, ctz, natural, popcount
from ttr_sim.engine.jit import inlined, kernel
from ttr_sim.engine.layout import (
    COLORS,
    DECLINE_FREELY,
    DRAW,
    FILLER,
    GRAY,
    KEEP,
    KEEP_SETUP,
    KINDS,
    LOCO,
    MAX_ASKED,
    MAX_LENGTH,
    NO_COLOR,
    OVER,
    PAY,
    SETS,
    TUNNEL,
    TURN,
)
from ttr_sim.engine.moves import market_closed, may_take_blind, may_take_loco, station_price

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


@inlined
def claimable(T, S, seat):
    """The tracks a seat could claim now, as two words: open to it, trains enough, a legal payment in hand."""
    seat = natural(seat)
    hand = S.hands[seat]
    locos = int(hand[LOCO])
    w0 = w1 = ZERO
    best = 0
    for c in range(COLORS):
        n = natural(min(int(hand[c]) + locos, MAX_LENGTH))
        w0 |= T.wild_le[c, n, 0]
        w1 |= T.wild_le[c, n, 1]
        best = max(best, n)
    w0 |= T.gray_wild_le[best, 0]
    w1 |= T.gray_wild_le[best, 1]
    if T.any_plain == 1:
        best = 0
        for c in range(COLORS):
            n = natural(min(int(hand[c]), MAX_LENGTH))
            w0 |= T.plain_le[c, n, 0]
            w1 |= T.plain_le[c, n, 1]
            best = max(best, n)
        w0 |= T.gray_plain_le[best, 0]
        w1 |= T.gray_plain_le[best, 1]
    n = natural(min(locos, MAX_LENGTH))
    w0 &= T.symbols_le[n, 0]
    w1 &= T.symbols_le[n, 1]
    n = natural(min(int(S.trains[seat]), MAX_LENGTH))
    free0 = S.open[0] & ~S.blocked[seat, 0] & T.length_le[n, 0]
    free1 = S.open[1] & ~S.blocked[seat, 1] & T.length_le[n, 1]
    w0 &= free0
    w1 &= free1
    if T.n_groups > 0:
        free0 &= T.exact[0]
        free1 &= T.exact[1]
        if free0 | free1 != ZERO:
            e0, e1 = _claimable_exact(T, S, seat)
            w0 |= e0 & free0
            w1 |= e1 & free1
    return w0, w1


@kernel
def _claimable_exact(T, S, seat):
    """The tracks with sets or mixed colours for which the cards of a seat suffice."""
    hand = S.hands[seat]
    locos = int(hand[LOCO])
    total = min(int(S.hand_n[seat]), MAX_ASKED)
    best = 0
    for c in range(COLORS):
        best = max(best, int(hand[c]))
    w0 = w1 = ZERO
    for g in range(T.n_groups):
        need = int(T.group_need[g, total])
        if T.group_wild[g] == 1:
            need -= locos
        if need > T.group_most[g]:
            continue
        for i in range(T.group_first[g], T.group_first[g + 1]):
            color = T.class_color[i]
            have = int(hand[color]) if 0 <= color < COLORS else best
            if color == NO_COLOR:
                have = total - locos
            if have >= need:
                w0 |= T.class_tracks[i, 0]
                w1 |= T.class_tracks[i, 1]
    return w0, w1


@kernel
def can_pay(T, S, seat, track):
    """Has a seat a legal payment for a track? Uses as few substitute sets as it can, which asks least of the hand."""
    hand = S.hands[seat]
    locos = int(hand[LOCO])
    total = int(S.hand_n[seat])
    length = T.length[track]
    if T.mixed[track] == 1:
        colored = total - locos
    elif T.color[track] == GRAY:
        colored = 0
        for c in range(COLORS):
            colored = max(colored, int(hand[c]))
    else:
        colored = int(hand[T.color[track]])
    p = min(colored, length - T.symbols[track])
    k = min(locos, length - p) if T.wild[track] == 1 else 0
    m = length - p - k
    return m <= T.sets_max[track] and total - p - k >= m * T.set_size[track]


@kernel
def sets_range(T, S, seat, track, color, locos):
    """Fewest and most substitute sets of a payment with this colour and locomotives; most < fewest: none is legal."""
    hand = S.hands[seat]
    have = int(hand[LOCO])
    total = int(S.hand_n[seat])
    if S.phase == SETS:  # the locomotives are on the table already
        have += locos
        total += locos
    length = T.length[track]
    if locos > have or (locos > 0 and T.wild[track] == 0) or total < length:
        return 0, -1
    if T.mixed[track] == 1:
        if color != NO_COLOR:
            return 0, -1
        most_p, least_p = total - have, 0
    elif color == NO_COLOR:
        most_p, least_p = 0, 0
    elif T.color[track] == GRAY or T.color[track] == color:
        most_p, least_p = int(hand[color]), 1
    else:
        return 0, -1
    fewest = max(0, T.symbols[track] - locos, length - locos - most_p)
    most = min(T.sets_max[track], length - locos - least_p)
    if T.set_size[track] > 1:
        most = min(most, (total - length) // (T.set_size[track] - 1))
    return fewest, most


@inlined
def _add(W, n, action):
    W.acts[natural(n)] = action
    return n + 1


@kernel
def _add_bits(W, n, word, first):
    while word != ZERO:
        W.acts[natural(n)] = first + ctz(word)
        n += 1
        word &= word - ONE
    return n


@inlined
def can_build(T, S, seat):
    """Can a seat pay for its next station (and has one)?"""
    seat = natural(seat)
    if int(S.stations[seat]) == 0:
        return False
    price = station_price(T, S, seat)
    best = 0
    for c in range(COLORS):
        best = max(best, int(S.hands[seat, c]))
    return best + int(S.hands[seat, LOCO]) >= price


@inlined
def _legal_take(T, S, W):
    n = 0
    if S.market_n > 0 and not market_closed(T, S):
        for c in range(COLORS):  # written always, counted where legal: the branch would be mispredicted
            W.acts[natural(n)] = _TAKE + c
            n += 1 if int(S.market[c]) > 0 else 0
        if int(S.market[LOCO]) > 0 and may_take_loco(T, S):
            n = _add(W, n, _TAKE + LOCO)
    if may_take_blind(S):
        n = _add(W, n, _BLIND)
    return n


@kernel
def _legal_turn(T, S, W):
    seat = natural(S.seat)
    n = _legal_take(T, S, W)
    if S.ticket_deck_n > 0:
        n = _add(W, n, _TICKETS)
    w0, w1 = claimable(T, S, seat)
    n = _add_bits(W, n, w0, _CLAIM)
    n = _add_bits(W, n, w1, _CLAIM + 64)
    if can_build(T, S, seat):
        n = _add_bits(W, n, T.all_cities & ~S.station_mask, _STATION)
    if n == 0:
        n = _add(W, n, _PASS)
    return n


@kernel
def _add_pay(S, W, n, seat, price, symbols, locos, only):
    """Add the payments of `price` cards in one colour (any, if `only` is GRAY) with `symbols` to `locos` locomotives."""
    for c in range(COLORS) if only == GRAY else range(only, only + 1):
        have = int(S.hands[seat, c])
        if have > 0:
            for k in range(max(symbols, price - have), min(locos, price - 1) + 1):
                n = _add(W, n, _PAY + _PAY_STEP * c + k)
    if locos >= price:
        n = _add(W, n, _PAY + _PAY_STEP * NO_COLOR + price)
    return n


@kernel
def _legal_pay(T, S, W):
    seat = natural(S.seat)
    locos = int(S.hands[seat, LOCO])
    if S.pend_city >= 0:
        return _add_pay(S, W, 0, seat, station_price(T, S, seat), 0, locos, GRAY)
    track = int(S.pend_track)
    length = T.length[track]
    if T.set_size[track] == 0 and T.mixed[track] == 0:
        locos = locos if T.wild[track] == 1 else 0
        return _add_pay(S, W, 0, seat, length, T.symbols[track], locos, T.color[track])
    n = 0
    for c in range(KINDS):
        if c < COLORS and int(S.hands[seat, c]) == 0:
            continue
        for k in range(min(locos, length) + 1):
            fewest, most = sets_range(T, S, seat, track, c, k)
            if fewest <= most:
                n = _add(W, n, _PAY + _PAY_STEP * c + k)
    return n


@kernel
def _legal_sets(T, S, W):
    n = 0
    fewest, most = sets_range(T, S, natural(S.seat), int(S.pend_track), int(S.pend_color), int(S.pend_locos))
    for m in range(fewest, most + 1):
        n = _add(W, n, _SETS + m)
    return n


@kernel
def _legal_card(S, W):
    seat = natural(S.seat)
    kinds = COLORS if S.phase == FILLER else KINDS
    rest = 0
    for c in range(S.pend_min, kinds):
        rest += int(S.hands[seat, c])
    n = 0
    for c in range(S.pend_min, kinds):
        if rest < S.pend_left:
            break  # too few cards from here on
        if int(S.hands[seat, c]) > 0:
            n = _add(W, n, _CARD + c)
        rest -= int(S.hands[seat, c])
    return n


@kernel
def _legal_tunnel(T, S, W):
    seat = natural(S.seat)
    n = 0
    due = int(S.pend_extra)
    color = int(S.pend_color)
    have = 0 if color == NO_COLOR else int(S.hands[seat, color])
    for k in range(max(0, due - have), min(int(S.hands[seat, LOCO]), due) + 1):
        n = _add(W, n, _EXTRA + k)
    if n == 0 or T.tunnel_decline == DECLINE_FREELY:
        n = _add(W, n, _TAKE_BACK)
    return n


@kernel
def _legal_keep(T, S, W):
    offered = int(S.offer_n[S.seat])
    least = min(offered, T.setup_keep_min if S.phase == KEEP_SETUP else T.draw_keep_min)
    n = 0
    for mask in range(1, 1 << offered):
        if popcount(np.uint64(mask)) >= least:
            n = _add(W, n, _KEEP + mask)
    return n


@kernel
def legal(T, S, W):
    """Write the legal actions of the seat to move to `W.acts`, ascending, and their number to `W.n`; returns it."""
    phase = S.phase
    if phase == TURN:
        n = _legal_turn(T, S, W)
    elif phase == DRAW:
        n = _legal_take(T, S, W)
    elif phase == PAY:
        n = _legal_pay(T, S, W)
    elif phase == SETS:
        n = _legal_sets(T, S, W)
    elif phase == TUNNEL:
        n = _legal_tunnel(T, S, W)
    elif phase in (KEEP, KEEP_SETUP):
        n = _legal_keep(T, S, W)
    elif phase == OVER:
        n = 0
    else:
        n = _legal_card(S, W)
    W.n = n
    return n
