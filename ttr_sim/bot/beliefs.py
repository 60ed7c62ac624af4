"""What a seat may believe of the hidden tickets: the others build where their tickets are.

`redeal` (`ttr_sim.engine.observe`) deals every hidden ticket with the same chance. But of the tickets that a seat's own
tracks join it holds most, and of those that its tracks have begun far more than of the others: in games of `planner` it
held three to four of five tickets that its tracks joined, where one in twenty is held at random.
"""

import numpy as np

from ttr_sim.bot.planning import FAR, reach, track_costs
from ttr_sim.engine.bits import GOLD, ONE, ZERO, bit, ctz, mix
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import MAX_TICKETS

# Logarithms of how much likelier a seat holds a ticket that it has joined, or built the whole way but for one space of.
_JOINED, _BUILT = 6.0, 4.5


@kernel
def ticket_weights(T, V, P, weights, belief):
    """Write to weights[p, t] how much likelier than another ticket seat p holds t, for every p but the viewer.

    V: a View. P: a PLAN record, its costs overwritten. belief: 0 for all alike, 1 for what was measured.
    """
    for p in range(T.players):
        for t in range(T.n_tickets):
            weights[p, t] = 1.0
        if p == V.viewer or V.own[p, 0] | V.own[p, 1] == ZERO:
            continue
        track_costs(T, V, P, p, 0, 1)
        for t in range(T.n_tickets):
            if reach(T, P, T.ticket_a[t], T.ticket_b[t]) >= FAR:
                continue
            built, left = 0, 0
            city = T.ticket_b[t]
            while P.came[city] >= 0:
                track = P.came[city]
                if P.cost[track] > 0:
                    left += T.length[track]
                else:
                    built += T.length[track]
                city = T.city_a[track] + T.city_b[track] - city
            weights[p, t] = np.exp(belief * (_JOINED if left == 0 else _BUILT * built / (built + left)))


@kernel
def _draw_weighted(weights, pool, rng):
    """A ticket of a set that is not empty, with chances as the weights."""
    total = 0.0
    word = pool
    while word != ZERO:
        total += weights[ctz(word)]
        word &= word - ONE
    at = total * (float(mix(rng) >> np.uint64(11)) / 9007199254740992.0)  # 2 ** 53
    ticket = ctz(pool)
    word = pool
    while word != ZERO and at >= 0.0:
        ticket = ctz(word)
        word &= word - ONE
        at -= weights[ticket]
    return ticket


@kernel
def believe(T, V, S, weights, rng):
    """Exchange the tickets that `redeal` dealt to the other seats for likelier ones of those nobody holds.

    V: the View. S: the State that `redeal` made of it, which stays one that the viewer cannot tell from the truth. weights:
    from `ticket_weights`. Returns the advanced random stream.
    """
    known = V.refused[V.viewer]
    deck = ZERO
    for i in range(int(S.ticket_deck_n)):
        deck |= bit(S.ticket_deck[(int(S.ticket_head) + i) % MAX_TICKETS])
    deck &= ~known
    box = S.box & ~V.box & ~known
    for p in range(T.players):
        if p == V.viewer or V.own[p, 0] | V.own[p, 1] == ZERO:
            continue
        rest = S.tickets[p] & ~known
        while rest != ZERO:
            dealt = ctz(rest)
            rest &= rest - ONE
            pile = T.long_tickets if T.long_tickets & bit(dealt) != ZERO else ~T.long_tickets
            rng = rng + GOLD
            ticket = _draw_weighted(weights[p], ((deck | box) & pile) | bit(dealt), rng)
            if ticket == dealt:
                continue
            both = bit(dealt) | bit(ticket)
            S.tickets[p] ^= both
            if deck & bit(ticket) == ZERO:
                box ^= both
                S.box ^= both
                continue
            deck ^= both
            for i in range(int(S.ticket_deck_n)):
                at = (int(S.ticket_head) + i) % MAX_TICKETS
                if int(S.ticket_deck[at]) == ticket:
                    S.ticket_deck[at] = dealt
    return rng
