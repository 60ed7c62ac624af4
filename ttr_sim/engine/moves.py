"""What can happen in a game, as small compiled steps: cards, market, payments, claims, tickets, the end of a turn.

`apply` and the playouts are made of these. They trust their caller: nothing is checked here.
T is the Tables record, S the State record.
"""

import numpy as np

from ttr_sim.engine.bits import ZERO, bit, drop, has, natural, put, shuffle, stream
from ttr_sim.engine.jit import inlined, kernel
from ttr_sim.engine.layout import (
    ALL_PASSED,
    BLOCK_AT_THREE,
    COLORS,
    COMPLETE_ROUND,
    DRAW,
    ENDS_EXHAUSTED,
    EXHAUSTED,
    FILLER,
    FINAL_ROUND,
    KEEP,
    KEEP_SETUP,
    KINDS,
    LOCO,
    LOCO_ENDS_DRAW,
    MATCH_LOCOS_TOO,
    MAX_TICKETS,
    NO_COLOR,
    OTHERS_ONLY,
    OVER,
    REFRESH_AT_THREE,
    SECOND_LOCO_AFTER_BLIND,
    SECOND_LOCO_ALLOWED,
    SETCARDS,
    SETS,
    SETUP_TO_BOTTOM,
    SINGLE_CARD_STATIONS,
    TO_BOTTOM,
    TUNNEL,
    TUNNEL_KIND,
    TURN,
    TURN_LIMIT,
)

_RESHUFFLE_STREAM = 256


# ---------------------------------------------------------------- train cards and the market


@inlined
def discards_n(S):
    """Number of discarded train cards."""
    total = 0
    for c in range(KINDS):
        total += int(S.discards[c])
    return total


@kernel
def reshuffle(S):
    """Make the discards the deck (ruling 3); the r-th time with a random stream of its own."""
    n = 0
    for c in range(KINDS):
        for _ in range(int(S.discards[c])):
            S.deck[n] = c
            n += 1
        S.discards[c] = 0
    S.deck_n = n
    shuffle(S.deck, n, stream(S.seed, np.uint64(_RESHUFFLE_STREAM + int(S.reshuffles))))
    S.reshuffles += 1


@inlined
def draw_card(S):
    """Take the top card of the deck, from reshuffled discards when it is empty; -1 when there is none."""
    if S.deck_n == 0:
        reshuffle(S)
        if S.deck_n == 0:
            S.reshuffles -= 1  # nothing was shuffled
            return -1
    S.deck_n -= 1
    return int(S.deck[natural(S.deck_n)])


@inlined
def fill_market(T, S):
    """Turn up cards until the market is full or no card is left."""
    while S.market_n < T.market_size:
        c = draw_card(S)
        if c < 0:
            break
        S.market[natural(c)] += 1
        S.market_n += 1


@kernel
def colored_outside_hands(S):
    """Coloured cards in market, deck and discards together."""
    count = 0
    for i in range(int(S.deck_n)):
        if int(S.deck[i]) != LOCO:
            count += 1
    for c in range(COLORS):
        count += int(S.market[c]) + int(S.discards[c])
    return count


@kernel
def refresh_market(T, S):
    """Replace a market of three locomotives while that can help (ruling 2)."""
    while int(S.market[LOCO]) >= 3 and colored_outside_hands(S) >= T.market_size - 2:
        for c in range(KINDS):
            S.discards[c] += S.market[c]
            S.market[c] = 0
        S.market_n = 0
        fill_market(T, S)


@inlined
def settle_market(T, S):
    """Fill the market, then check it for locomotives; after everything that changes market or discards."""
    fill_market(T, S)
    if T.market_locomotives == REFRESH_AT_THREE and int(S.market[LOCO]) >= 3:
        refresh_market(T, S)


@inlined
def market_closed(T, S):
    """Three face-up locomotives close the market under `block_market_at_three`."""
    return T.market_locomotives == BLOCK_AT_THREE and int(S.market[LOCO]) >= 3


@inlined
def may_take_blind(S):
    """Is there a card to draw blind?"""
    return S.deck_n > 0 or discards_n(S) > 0


@inlined
def may_take_loco(T, S):
    """May a face-up locomotive be taken as the next card of this draw (the market being open)?"""
    if S.drawn == 0 or T.second_draw_face_up_locomotive == SECOND_LOCO_ALLOWED:
        return True
    return T.second_draw_face_up_locomotive == SECOND_LOCO_AFTER_BLIND and S.first_blind == 1


@inlined
def may_draw(T, S):
    """Can the seat to move take any train card now?"""
    if may_take_blind(S):
        return True
    if S.market_n == 0 or market_closed(T, S):
        return False
    return int(S.market[LOCO]) < S.market_n or may_take_loco(T, S)


@inlined
def add_to_hand(S, seat, c):
    """One card of colour c for a seat."""
    S.hands[seat, c] += 1
    S.hand_n[seat] += 1


@inlined
def _after_card(T, S, ended):
    S.drawn += 1
    if ended or S.drawn >= T.cards_per_draw or not may_draw(T, S):
        end_turn(T, S)
    else:
        S.phase = DRAW


@inlined
def take_face_up(T, S, c):
    """The seat to move takes a face-up card of colour c."""
    seat, c = natural(S.seat), natural(c)
    S.market[c] -= 1
    S.market_n -= 1
    add_to_hand(S, seat, c)
    S.shown[seat, c] += 1
    settle_market(T, S)
    _after_card(T, S, c == LOCO and S.drawn == 0 and T.face_up_locomotive == LOCO_ENDS_DRAW)


@inlined
def draw_blind(T, S):
    """The seat to move takes the top card of the deck."""
    add_to_hand(S, natural(S.seat), draw_card(S))
    if S.drawn == 0:
        S.first_blind = 1
    _after_card(T, S, False)


# ---------------------------------------------------------------- payments


@inlined
def commit(S, c, n):
    """Move n cards of colour c from the hand of the seat to move into the pending payment."""
    seat, c = natural(S.seat), natural(c)
    S.hands[seat, c] -= n
    S.hand_n[seat] -= n
    S.pend_paid[c] += n
    S.shown[seat, c] = max(0, int(S.shown[seat, c]) - n)


@inlined
def _clear_pending(S):
    S.pend_track = -1
    S.pend_city = -1
    S.pend_color = 0
    S.pend_locos = 0
    S.pend_sets = 0
    S.pend_left = 0
    S.pend_min = 0
    S.pend_extra = 0


@inlined
def _discard_pending(S):
    for c in range(KINDS):
        S.discards[c] += S.pend_paid[c] + S.pend_revealed[c]
        S.pend_paid[c] = 0
        S.pend_revealed[c] = 0


@inlined
def station_price(T, S, seat):
    """Cards the next station of a seat costs."""
    if T.station_cost == SINGLE_CARD_STATIONS:
        return 1
    return T.stations_per_player - int(S.stations[seat]) + 1


@inlined
def pay(T, S, color, locos):
    """First part of a payment: the colour named and the locomotives used as wild cards."""
    S.pend_color = color
    S.pend_locos = locos
    if locos > 0:
        commit(S, LOCO, locos)
    if S.pend_city >= 0:
        rest = station_price(T, S, natural(S.seat)) - locos
        if rest > 0:
            commit(S, color, rest)
        place_station(T, S)
    elif T.set_size[natural(S.pend_track)] > 0:
        S.phase = SETS
    else:
        choose_sets(T, S, 0)


@inlined
def choose_sets(T, S, number):
    """Second part: how many substitute sets; the coloured cards follow from it."""
    track = natural(S.pend_track)
    S.pend_sets = number
    rest = T.length[track] - int(S.pend_locos) - number
    if T.mixed[track] == 1 and rest > 0:
        S.phase = FILLER
        S.pend_left = rest
        S.pend_min = 0
        return
    if rest > 0:
        commit(S, int(S.pend_color), rest)
    _after_colored(T, S)


@inlined
def _after_colored(T, S):
    if S.pend_sets > 0:
        S.phase = SETCARDS
        S.pend_left = int(S.pend_sets) * T.set_size[natural(S.pend_track)]
        S.pend_min = 0
    else:
        finish_payment(T, S)


@kernel
def add_card(T, S, c):
    """One free-choice card; they come in colour order, so that each choice of cards has one sequence."""
    commit(S, c, 1)
    S.pend_min = c
    S.pend_left -= 1
    if S.pend_left == 0:
        if S.phase == FILLER:
            _after_colored(T, S)
        else:
            finish_payment(T, S)


@inlined
def finish_payment(T, S):
    """The payment is complete: claim, or reveal the tunnel's cards first."""
    if T.kind[natural(S.pend_track)] == TUNNEL_KIND:
        reveal(T, S)
        if S.pend_extra > 0:
            S.phase = TUNNEL
            return
    complete_claim(T, S)


@inlined
def reveal(T, S):
    """Turn up the tunnel's cards and count the extra ones due."""
    color = int(S.pend_color)
    due = 0
    for _ in range(T.tunnel_reveal):
        c = draw_card(S)
        if c < 0:
            break
        S.pend_revealed[natural(c)] += 1
        if (c == LOCO and T.tunnel_match == MATCH_LOCOS_TOO) or (c == color and color != NO_COLOR):
            due += 1
    S.pend_extra = due


@kernel
def pay_extra(T, S, locos):
    """Pay the extra cards of a tunnel, `locos` of them locomotives."""
    rest = int(S.pend_extra) - locos
    if locos > 0:
        commit(S, LOCO, locos)
    if rest > 0:
        commit(S, int(S.pend_color), rest)
    complete_claim(T, S)


@kernel
def take_back(T, S):
    """Take the payment of a tunnel back; everybody has seen it."""
    seat = natural(S.seat)
    for c in range(KINDS):
        n = int(S.pend_paid[c])
        S.hands[seat, c] += n
        S.hand_n[seat] += n
        S.shown[seat, c] += n
        S.pend_paid[c] = 0
    _discard_pending(S)
    _clear_pending(S)
    settle_market(T, S)
    end_turn(T, S)


@inlined
def give_track(T, S, seat, track):
    """The seat owns the track; the parallel one closes for it, or for everybody."""
    put(S.own[seat], track)
    drop(S.open, track)
    partner = T.partner[track]
    if partner >= 0 and has(S.open, partner):
        if T.players < T.double_routes_min_players:
            drop(S.open, partner)
        else:
            put(S.blocked[seat], partner)


@inlined
def complete_claim(T, S):
    """Trains on the track, points, cards to the discards, end of the turn."""
    seat = natural(S.seat)
    track = natural(S.pend_track)
    length = natural(T.length[track])
    give_track(T, S, seat, track)
    S.trains[seat] -= length
    S.points[seat] += T.points[length]
    _discard_pending(S)
    _clear_pending(S)
    settle_market(T, S)
    end_turn(T, S)


@kernel
def place_station(T, S):
    """The station stands; cards to the discards, end of the turn."""
    seat = natural(S.seat)
    city = natural(S.pend_city)
    S.station_city[seat, T.stations_per_player - int(S.stations[seat])] = city
    S.stations[seat] -= 1
    S.station_mask |= bit(city)
    _discard_pending(S)
    _clear_pending(S)
    settle_market(T, S)
    end_turn(T, S)


# ---------------------------------------------------------------- tickets


@inlined
def pop_ticket(S):
    """Take the top ticket of the deck."""
    ticket = int(S.ticket_deck[natural(S.ticket_head)])
    S.ticket_deck[natural(S.ticket_head)] = -1
    S.ticket_head = (S.ticket_head + 1) % MAX_TICKETS
    S.ticket_deck_n -= 1
    return ticket


@inlined
def push_ticket(S, ticket):
    """Put a ticket under the deck."""
    S.ticket_deck[natural(S.ticket_head + S.ticket_deck_n) % MAX_TICKETS] = ticket
    S.ticket_deck_n += 1


@kernel
def offer_tickets(T, S):
    """The seat to move sees the next tickets of the deck."""
    seat = natural(S.seat)
    n = min(T.draw_tickets, int(S.ticket_deck_n))
    for i in range(n):
        S.offer[seat, i] = pop_ticket(S)
    S.offer_n[seat] = n
    S.phase = KEEP


@kernel
def keep_tickets(T, S, mask):
    """Keep the offered tickets whose bit is set; the others go where the rules send them (ruling 6)."""
    seat = natural(S.seat)
    setup = S.phase == KEEP_SETUP
    bottom = T.setup_returned_tickets == SETUP_TO_BOTTOM if setup else T.returned_tickets == TO_BOTTOM
    kept = 0
    for i in range(int(S.offer_n[seat])):
        ticket = int(S.offer[seat, i])
        S.offer[seat, i] = -1
        if (mask >> i) & 1:
            S.tickets[seat] |= bit(ticket)
            kept += 1
            continue
        S.refused[seat] |= bit(ticket)
        # A long ticket of a split pool goes under its own pile: nobody can ever draw it.
        if bottom and not (setup and T.long_tickets & bit(ticket) != ZERO):
            push_ticket(S, ticket)
        else:
            S.box |= bit(ticket)
            S.boxed[seat] |= bit(ticket)
    S.offer_n[seat] = 0
    S.ticket_n[seat] += kept
    if not setup:
        end_turn(T, S)
        return
    S.setup_kept[seat] = kept
    if seat + 1 < T.players:
        S.seat = seat + 1
    else:
        S.seat = 0
        S.phase = TURN


# ---------------------------------------------------------------- the end of a turn


@inlined
def nothing_to_draw(T, S):
    """Nobody could draw a train card: deck and discards empty, market empty or closed."""
    return not may_take_blind(S) and (S.market_n == 0 or market_closed(T, S))


@kernel
def _new_last_turns(T, S, turns, reason):
    if S.remaining < 0 or turns < S.remaining:
        S.remaining = turns
        S.reason = reason


@kernel
def end_turn(T, S):
    """Finish the turn of the seat to move: is the game over, are the last turns near, who is next."""
    seat = natural(S.seat)
    last = T.players - 1
    S.drawn = 0
    S.first_blind = 0
    S.turns += 1
    S.turns_done[seat] += 1
    if S.passes >= T.players:
        S.reason = ALL_PASSED
        S.phase = OVER
        return
    if S.remaining >= 0:
        S.remaining -= 1
    if S.trigger < 0 and int(S.trains[seat]) <= T.end_trigger_trains:
        S.trigger = seat
        turns = T.players
        if T.final_round == OTHERS_ONLY:
            turns = last
        elif T.final_round == COMPLETE_ROUND:
            turns = last - seat
        _new_last_turns(T, S, turns, FINAL_ROUND)
    if T.end_when_exhausted == ENDS_EXHAUSTED and nothing_to_draw(T, S):
        _new_last_turns(T, S, last - seat, EXHAUSTED)
    if S.remaining == 0:
        S.phase = OVER
    elif T.turn_limit > 0 and seat == last and int(S.turns_done[seat]) >= T.turn_limit:
        S.reason = TURN_LIMIT
        S.phase = OVER
    else:
        S.seat = seat + 1 if seat < last else 0
        S.phase = TURN
