"""What a seat may know (`observe`), and a random world in which it would know the same (`redeal`)."""

import numpy as np

from ttr_sim.engine.bits import GOLD, ONE, ZERO, bit, ctz, mix, popcount, scale
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import (
    CARDS,
    KINDS,
    LOCO,
    LOCOMOTIVES,
    MAX_OFFER,
    MAX_TICKETS,
    PER_COLOR,
    SETUP_TO_BOTTOM,
    TO_BOTTOM,
)
from ttr_sim.engine.moves import push_ticket


@kernel
def observe(T, S, views, seat):
    """Write to views[0] what `seat` may know of S: the State with the hidden part blank.

    Public: market, discards, tracks, stations, trains, points, turn counts, the number of cards and tickets of everybody,
    the cards taken face up and not yet spent, the pending payment, the size of the decks.
    """
    views[0] = S
    V = views[0]
    V.viewer = seat
    V.seed = ZERO
    V.box = S.boxed[seat]
    V.ticket_head = 0
    for p in range(T.players):
        if p == seat:
            continue
        V.tickets[p] = ZERO
        V.refused[p] = ZERO
        V.boxed[p] = ZERO
        for c in range(KINDS):
            V.hands[p, c] = 0
        for i in range(MAX_OFFER):
            V.offer[p, i] = -1
    for i in range(MAX_TICKETS):
        V.ticket_deck[i] = -1
    for i in range(CARDS):
        V.deck[i] = 0


@kernel
def unseen_cards(T, V, counts):
    """Write to counts[0..8] the train cards that the viewer cannot place: in the deck or unknown in other hands."""
    for c in range(KINDS):
        n = LOCOMOTIVES if c == LOCO else PER_COLOR
        n -= int(V.market[c]) + int(V.discards[c]) + int(V.pend_paid[c]) + int(V.pend_revealed[c])
        for p in range(T.players):
            n -= int(V.hands[p, c]) if p == V.viewer else int(V.shown[p, c])
        counts[c] = n


@kernel
def _nth_set(word, n):
    for _ in range(n):
        word &= word - ONE
    return bit(ctz(word))


@kernel
def _take_random(pool, rng):
    return _nth_set(pool, scale(mix(rng), popcount(pool)))


@kernel
def _redeal_cards(T, S, counts, rng):
    n = 0
    for c in range(KINDS):
        for _ in range(counts[c]):
            S.deck[n] = c
            n += 1
    for i in range(n - 1, 0, -1):
        rng = rng + GOLD
        j = scale(mix(rng), i + 1)
        S.deck[i], S.deck[j] = S.deck[j], S.deck[i]
    for p in range(T.players):
        if p == S.viewer:
            continue
        unknown = int(S.hand_n[p])
        for c in range(KINDS):
            S.hands[p, c] = S.shown[p, c]
            unknown -= int(S.shown[p, c])
        for _ in range(unknown):
            n -= 1
            S.hands[p, S.deck[n]] += 1
    return rng


@kernel
def _share_long(T, S, n_long, surplus, longs, rng):
    """Write to longs[p] how many tickets of the long pile each other seat holds, as far as the viewer can tell.

    `surplus`: regular tickets left over if nobody held a long one; below 0, so many at least are held. Nothing can be
    left over where every refused ticket goes back under the deck.
    """
    exact = T.setup_returned_tickets == SETUP_TO_BOTTOM and T.returned_tickets == TO_BOTTOM
    dealt = T.deal_long + T.deal
    held = 0
    for p in range(T.players):
        longs[p] = 0
        kept = int(S.setup_kept[p])
        if p == S.viewer or kept == 0:
            continue
        longs[p] = max(0, kept - T.deal)
        while longs[p] < min(kept, T.deal_long):
            rng = rng + GOLD
            if scale(mix(rng), dealt) >= kept:
                break  # each ticket dealt was kept with the same chance
            longs[p] += 1
        held += longs[p]
    for _ in range(64):
        step = 0
        if held < -surplus and held < n_long:
            step = 1
        elif held > n_long or (exact and held > max(0, -surplus)):
            step = -1
        if step == 0:
            break
        rng = rng + GOLD
        first = scale(mix(rng), T.players)
        for i in range(T.players):
            p = (first + i) % T.players
            kept = int(S.setup_kept[p])
            if p == S.viewer or kept == 0:
                continue
            if max(0, kept - T.deal) <= longs[p] + step <= min(kept, T.deal_long):
                longs[p] += step
                held += step
                break
    return rng


@kernel
def _redeal_tickets(T, S, longs, rng):
    me = int(S.viewer)
    mine = S.tickets[me] | S.box
    for i in range(int(S.offer_n[me])):
        mine |= bit(S.offer[me, i])
    long = T.long_tickets & ~mine
    pool = T.all_tickets & ~T.long_tickets & ~mine
    below = pool & S.refused[me]  # put under the deck, where they still are unless others have drawn them
    pool &= ~below
    if T.deal_long > 0:
        surplus = popcount(pool) + popcount(below) - int(S.ticket_deck_n)
        for p in range(T.players):
            if p != me:
                surplus -= int(S.ticket_n[p])
                surplus -= T.deal if S.setup_kept[p] == 0 and S.offer_n[p] > 0 else int(S.offer_n[p])
        rng = _share_long(T, S, popcount(long), surplus, longs, rng)
    for p in range(T.players):
        if p == me:
            continue
        n_long = longs[p] if T.deal_long > 0 else 0
        for i in range(int(S.ticket_n[p])):
            if pool == ZERO:
                pool, below = below, ZERO
            rng = rng + GOLD
            ticket = _take_random(long if i < n_long else pool, rng)
            pool &= ~ticket
            long &= ~ticket
            S.tickets[p] |= ticket
        for i in range(int(S.offer_n[p])):
            if pool == ZERO:
                pool, below = below, ZERO
            rng = rng + GOLD
            ticket = _take_random(long if S.setup_kept[p] == 0 and i < T.deal_long else pool, rng)
            pool &= ~ticket
            long &= ~ticket
            S.offer[p, i] = np.int64(ctz(ticket))
    n = int(S.ticket_deck_n)
    S.ticket_deck_n = 0
    S.ticket_head = 0
    for _ in range(n - min(n, popcount(below))):
        rng = rng + GOLD
        ticket = _take_random(pool, rng)
        pool &= ~ticket
        push_ticket(S, np.int64(ctz(ticket)))
    while S.ticket_deck_n < n:
        rng = rng + GOLD
        ticket = _take_random(below, rng)
        below &= ~ticket
        push_ticket(S, np.int64(ctz(ticket)))
    S.box |= pool | long | below
    return rng


@kernel
def redeal(T, V, states, counts, rng):
    """Write to states[0] a random State that its viewer could not tell from the one behind V.

    Args:
        V: a View (from `observe`).
        states: STATE array of shape (1,), overwritten.
        counts: integer scratch array of at least 16 items.
        rng: SplitMix64 state (uint64); the advanced state is returned.
    """
    unseen_cards(T, V, counts)
    states[0] = V
    S = states[0]
    rng = rng + GOLD
    S.seed = mix(rng)
    rng = _redeal_cards(T, S, counts, rng)
    rng = _redeal_tickets(T, S, counts, rng)
    S.viewer = -1
    return rng
