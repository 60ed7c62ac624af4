"""Deal a new game from its seed: the same cards and tickets for every seating."""

import numpy as np

from ttr_sim.engine.bits import ZERO, bit, shuffle, stream
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import (
    CARDS,
    KEEP_SETUP,
    KINDS,
    LOCO,
    LOCOMOTIVES,
    MAX_OFFER,
    MAX_PLAYERS,
    MAX_STATIONS,
    MAX_TICKETS,
    PER_COLOR,
)
from ttr_sim.engine.moves import add_to_hand, draw_card, pop_ticket, push_ticket, settle_market

_CARD_STREAM, _LONG_STREAM, _TICKET_STREAM = np.uint64(1), np.uint64(2), np.uint64(3)


@kernel
def clear(T, S):
    """A State with nothing dealt: all trains, stations and tracks free, every card and ticket nowhere."""
    S.seed = ZERO
    for w in range(2):
        S.open[w] = T.all_tracks[w]
    for p in range(MAX_PLAYERS):
        for w in range(2):
            S.own[p, w] = ZERO
            S.blocked[p, w] = ZERO
        S.tickets[p] = ZERO
        S.refused[p] = ZERO
        S.boxed[p] = ZERO
        S.points[p] = 0
        S.turns_done[p] = 0
        for c in range(KINDS):
            S.hands[p, c] = 0
            S.shown[p, c] = 0
        S.hand_n[p] = 0
        S.ticket_n[p] = 0
        S.setup_kept[p] = 0
        S.trains[p] = T.trains_per_player if p < T.players else 0
        S.stations[p] = T.stations_per_player if p < T.players else 0
        for i in range(MAX_STATIONS):
            S.station_city[p, i] = -1
        S.offer_n[p] = 0
        for i in range(MAX_OFFER):
            S.offer[p, i] = -1
    S.box = ZERO
    S.station_mask = ZERO
    S.seat = 0
    S.phase = KEEP_SETUP
    S.viewer = -1
    S.drawn = 0
    S.first_blind = 0
    S.passes = 0
    S.trigger = -1
    S.remaining = -1
    S.reason = 0
    S.turns = 0
    S.deck_n = 0
    S.market_n = 0
    S.reshuffles = 0
    S.ticket_deck_n = 0
    S.ticket_head = 0
    S.pend_track = -1
    S.pend_city = -1
    S.pend_color = 0
    S.pend_locos = 0
    S.pend_sets = 0
    S.pend_left = 0
    S.pend_min = 0
    S.pend_extra = 0
    for c in range(KINDS):
        S.market[c] = 0
        S.discards[c] = 0
        S.pend_paid[c] = 0
        S.pend_revealed[c] = 0
    for i in range(MAX_TICKETS):
        S.ticket_deck[i] = -1
    for i in range(CARDS):
        S.deck[i] = 0


@kernel
def _fill_ticket_pile(T, S, long, state):
    S.ticket_head = 0
    S.ticket_deck_n = 0
    for t in range(T.n_tickets):
        if (T.long_tickets & bit(t) != ZERO) == long:
            push_ticket(S, t)
    shuffle(S.ticket_deck, int(S.ticket_deck_n), state)


@kernel
def _deal_tickets(T, S, count):
    for p in range(T.players):
        for _ in range(count):
            S.offer[p, S.offer_n[p]] = pop_ticket(S)
            S.offer_n[p] += 1


@kernel
def deal(T, S, seed):
    """Make S a new game: hands, market, tickets on offer; seat 0 is asked which it keeps."""
    clear(T, S)
    S.seed = seed
    n = 0
    for c in range(KINDS):
        for _ in range(LOCOMOTIVES if c == LOCO else PER_COLOR):
            S.deck[n] = c
            n += 1
    S.deck_n = n
    shuffle(S.deck, n, stream(seed, _CARD_STREAM))
    for p in range(T.players):
        for _ in range(T.initial_hand):
            add_to_hand(S, p, draw_card(S))
    settle_market(T, S)
    if T.deal_long > 0:
        _fill_ticket_pile(T, S, True, stream(seed, _LONG_STREAM))
        _deal_tickets(T, S, T.deal_long)
        while S.ticket_deck_n > 0:
            S.box |= bit(pop_ticket(S))
    else:
        S.box |= T.long_tickets
    _fill_ticket_pile(T, S, False, stream(seed, _TICKET_STREAM))
    _deal_tickets(T, S, T.deal)
