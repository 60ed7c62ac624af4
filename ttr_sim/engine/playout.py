"""Random playouts by the full rules: kind of turn, then track, then payment, without listing what is not chosen."""

import numpy as np

from ttr_sim.engine import actions as A
from ttr_sim.engine.apply import apply
from ttr_sim.engine.bits import GOLD, ZERO, bit, mix, natural, nth_bit, popcount, scale
from ttr_sim.engine.jit import inlined, kernel
from ttr_sim.engine.layout import COLORS, GRAY, KEEP, LOCO, NO_COLOR, OVER, TURN
from ttr_sim.engine.legal import can_build, claimable, legal
from ttr_sim.engine.moves import (
    draw_blind,
    end_turn,
    keep_tickets,
    market_closed,
    may_draw,
    may_take_blind,
    may_take_loco,
    offer_tickets,
    pay,
    station_price,
    take_face_up,
)

_CLAIM = A.CLAIM
_HALF, _SIXTEEN = np.uint64(32), np.uint64(16)
_DRAW_WEIGHT = 9  # against 1 for each claimable track, for tickets and for stations


@inlined
def next_word(W):
    """The next random word of the stream in W."""
    W.rng = W.rng + GOLD
    return mix(W.rng)


@inlined
def roll(W, n):
    """A random number 0..n-1 from the stream in W."""
    return scale(next_word(W), n)


@inlined
def take_any_card(T, S, word):
    """One card of a draw: a face-up slot or the deck, as the upper half of a random word says."""
    slots = 0
    if S.market_n > 0 and not market_closed(T, S):
        slots = int(S.market_n)
        if not may_take_loco(T, S):
            slots -= int(S.market[LOCO])  # locomotives come last: the slots left are the colours
    slot = scale(word, slots + 1 if may_take_blind(S) else slots)
    if slot == slots:
        draw_blind(T, S)
        return
    # Without a branch, which would be mispredicted. Not up to COLORS: LLVM would then read the whole market at once,
    # and such a read has to wait until the last card turned up is written.
    c, end = 0, 0
    for k in range(T.colors):
        end += int(S.market[k])
        c += 1 if slot >= end else 0
    take_face_up(T, S, c)


@inlined
def draw_any(T, S, W, word):
    """A whole draw of random cards; `word` serves for the first two."""
    turns = S.turns
    while S.phase != OVER and S.turns == turns:
        take_any_card(T, S, word)
        word = word << _SIXTEEN
        if word == ZERO:
            word = next_word(W)


@inlined
def color_for(T, S, W, seat, price, color):
    """A random colour (or the given one) that pays `price` with the fewest locomotives; NO_COLOR when only they do."""
    locos = int(S.hands[seat, LOCO])
    if color != GRAY:
        return color if int(S.hands[seat, color]) > 0 else NO_COLOR
    fit = ZERO
    for c in range(COLORS):
        n = int(S.hands[seat, c])
        fit |= bit(c) if n > 0 and n + locos >= price else ZERO
    if fit == ZERO:
        return NO_COLOR
    return nth_bit(fit, roll(W, popcount(fit)))


@inlined
def claim_any_way(T, S, W, track):
    """Claim a claimable track with a random payment; where payments are involved, decision by decision."""
    track = natural(track)
    seat = natural(S.seat)
    S.passes = 0
    S.pend_track = track
    length, symbols = T.length[track], T.symbols[track]
    if T.set_size[track] == 0 and T.mixed[track] == 0 and T.wild[track] == 1:
        c = color_for(T, S, W, seat, length, T.color[track])
        k = length if c == NO_COLOR else max(symbols, length - int(S.hands[seat, c]))
        if k == length:
            c = NO_COLOR
        pay(T, S, c, k)
    else:
        apply(T, S, _CLAIM + track)
    play_out_turn(T, S, W, seat)


@kernel
def play_out_turn(T, S, W, seat):
    """Decide the rest of a seat's turn uniformly at random."""
    turns = S.turns
    while S.phase not in (TURN, OVER) and S.seat == seat and S.turns == turns:
        n = legal(T, S, W)
        apply(T, S, int(W.acts[roll(W, n)]))


@inlined
def station_any(T, S, W):
    """Place a station in a random free city."""
    seat = natural(S.seat)
    free = T.all_cities & ~S.station_mask
    S.passes = 0
    S.pend_city = nth_bit(free, roll(W, popcount(free)))
    price = station_price(T, S, seat)
    c = color_for(T, S, W, seat, price, GRAY)
    k = price if c == NO_COLOR else max(0, price - int(S.hands[seat, c]))
    pay(T, S, NO_COLOR if k == price else c, k)


@inlined
def keep_any(T, S, W):
    """Keep a random ticket, or more of them if more must be kept."""
    offered = int(S.offer_n[S.seat])
    least = min(offered, T.draw_keep_min)
    if least == 1:
        keep_tickets(T, S, 1 << roll(W, offered))
    else:
        n = legal(T, S, W)
        apply(T, S, int(W.acts[roll(W, n)]))


@inlined
def random_turn(T, S, W):
    """One whole turn: a random kind of action, weighted by how many of it there are, then a random one of the kind."""
    seat = natural(S.seat)
    w0, w1 = claimable(T, S, seat)
    n0 = popcount(w0)
    claims = n0 + popcount(w1)
    tickets = 1 if S.ticket_deck_n > 0 else 0
    stations = 1 if can_build(T, S, seat) and T.all_cities & ~S.station_mask != ZERO else 0
    draws = _DRAW_WEIGHT if may_draw(T, S) else 0
    total = claims + tickets + stations + draws
    if total == 0:
        S.passes += 1
        end_turn(T, S)
        return
    word = next_word(W)
    choice = scale(word, total)
    if choice < claims:
        track = nth_bit(w0, choice) if choice < n0 else nth_bit(w1, choice - n0) + 64
        claim_any_way(T, S, W, track)
    elif choice < claims + draws:
        S.passes = 0
        draw_any(T, S, W, word << _HALF)
    elif choice < claims + draws + tickets:
        S.passes = 0
        offer_tickets(T, S)
        keep_any(T, S, W)
    else:
        station_any(T, S, W)


@kernel
def playout(T, S, W):
    """Play S to its end at random; the stream is W.rng. Overwrites W.acts."""
    while S.phase != OVER:
        if S.phase == TURN:
            random_turn(T, S, W)
        elif S.phase == KEEP:
            keep_any(T, S, W)
        else:
            n = legal(T, S, W)
            apply(T, S, int(W.acts[roll(W, n)]))
