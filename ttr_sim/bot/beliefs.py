"""What a seat may believe of the hidden tickets: the others keep what fits together, and build where their tickets are.

`redeal` (`ttr_sim.engine.observe`) deals every hidden ticket with the same chance. But a seat has chosen the tickets it
holds: they are worth more than what joining them takes, share tracks, and where it has built already little is missing.
Dealt alike, the others seem far weaker than they are: to `planner` in its own games it seems that it wins 0.81 of them on
Europe, 0.85 on Nordic, 0.78 on USA, and 0.69 at a table of four; as believed here 0.50, 0.53, 0.53 and 0.28 (2,000 positions
each, 1,200 at the table of four). Of the tickets held, 0.54 are believed so on Europe, 0.04 when dealt alike.

For each other seat some sets of tickets are drawn, those likelier of which it has built a part, and one of them is taken: by
the worth of the network that would join it, with a chance that grows with it (sampling, importance resampling: Rubin, "The
Calculation of Posterior Distributions by Data Augmentation: Comment", JASA 82, 1987). P is a PLAN record
(`ttr_sim.bot.planning`), H a HUNCH record.
"""

import numpy as np

from ttr_sim.bot.network import PARAMS
from ttr_sim.bot.planning import FAR, connect_by_cost, free_tracks, reach, track_costs
from ttr_sim.engine.bits import GOLD, ONE, ZERO, bit, ctz, has, mix, popcount, scale
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import MAX_PLAYERS, MAX_TICKETS, MAX_TRACKS

# Logarithms of how much likelier a ticket is drawn that a seat has joined, or built the whole way but for one space of.
_JOINED, _BUILT = 7.2, 5.4
_PER_POINT = 0.5  # of how much likelier a set is taken that is worth a point more
_TURN = 4.0  # points that a turn takes from that worth
_LOST = 0.5  # share of its points that a ticket takes from it which cannot be joined
_CLAIM, _SPACE, _POINTS = (float(PARAMS[name].default) for name in ("claim", "space", "points"))
_SYMBOL = 0.5  # turns that a locomotive of a ferry takes
_STEPS = 4.0  # of a price in a turn

# What the other seats, by their tracks, may hold.
HUNCH = np.dtype(
    [
        ("weight", "f8", (MAX_PLAYERS, MAX_TICKETS)),  # how much likelier than another a ticket is drawn
        ("price", "i8", (MAX_PLAYERS, MAX_TRACKS)),  # of a track, in quarters of a turn; FAR: not to be had
        ("belief", "f8"),  # 0: nothing is believed, 1: as measured
    ],
    align=True,
)


@kernel
def hunch(T, V, P, H, belief):
    """Write to H what the tracks of all seats but the viewer of the View V say.

    belief: 0 for all alike, 1 for what was measured. Overwrites the costs of P.
    """
    H.belief = belief
    for p in range(T.players):
        if p == V.viewer:
            continue
        track_costs(T, V, P, p, 0, 1)
        for t in range(T.n_tickets):
            H.weight[p, t] = 1.0
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
            H.weight[p, t] = np.exp(belief * (_JOINED if left == 0 else _BUILT * built / (built + left)))
        f0, f1 = free_tracks(T, V, p)
        for t in range(T.n_tracks):
            if (f0 if t < 64 else f1) & bit(t & 63) != ZERO:
                length = T.length[t]
                price = _CLAIM + _SPACE * length - _POINTS * T.points[length] + _SYMBOL * T.symbols[t]
                H.price[p, t] = min(FAR - 1, max(1, int(_STEPS * price + 0.5)))
            else:
                H.price[p, t] = 0 if has(V.own[p], t) else FAR


@kernel
def _unit(rng):
    """A number above 0 and below 1."""
    return (float(mix(rng) >> np.uint64(11)) + 0.5) / 9007199254740992.0  # 2 ** 53


@kernel
def _draw_weighted(weights, pool, rng):
    """A ticket of a set that is not empty, with chances as the weights."""
    total = 0.0
    word = pool
    while word != ZERO:
        total += weights[ctz(word)]
        word &= word - ONE
    at = total * _unit(rng)
    ticket = ctz(pool)
    word = pool
    while word != ZERO and at >= 0.0:
        ticket = ctz(word)
        word &= word - ONE
        at -= weights[ticket]
    return ticket


@kernel
def _draw_set(weights, pool, n, rng):
    """n tickets of a set, one after the other; returns them and the advanced random stream."""
    found = ZERO
    for _ in range(n):
        rng = rng + GOLD
        found |= bit(_draw_weighted(weights, pool & ~found, rng))
    return found, rng


@kernel
def _network_worth(T, S, P, H, p, tickets):
    """Points of the tickets that a seat could join, less the turns that takes."""
    for t in range(T.n_tracks):
        P.cost[t] = H.price[p, t]
    connect_by_cost(T, S, P, p, tickets)
    turns = 0
    for w in range(2):
        word = P.want[p, w]
        while word != ZERO:
            turns += H.price[p, ctz(word) + 64 * w]
            word &= word - ONE
    worth = -_TURN / _STEPS * turns
    while tickets != ZERO:
        t = ctz(tickets)
        tickets &= tickets - ONE
        worth += T.ticket_points[t] if P.goals[p] & bit(t) != ZERO else -_LOST * T.ticket_points[t]
    return worth


@kernel
def _likely_set(T, S, P, H, p, held, known, spare, box, sets, rng):
    """Tickets that a seat likely holds instead of `held`; returns them and the advanced random stream.

    known: tickets that the viewer knows of; spare: those it may have instead, wherever they are; box: of these, those out of
    the game. sets: how many sets are compared.
    """
    n = popcount(held)
    longs = popcount(held & T.long_tickets)
    # Whether it has kept its long tickets is not known; another number of them is made up from the box.
    kept = int(S.setup_kept[p])
    known_longs = popcount(S.tickets[p] & known & T.long_tickets)
    least = max(0, kept - T.deal - known_longs, longs - popcount(box & ~T.long_tickets))
    most = min(min(kept, T.deal_long) - known_longs, longs + popcount(box & T.long_tickets), n)
    if T.long_tickets == ZERO or least >= most:
        least = most = longs
    pool = held | spare
    best, top = held, -1e18
    for _ in range(sets):
        rng = rng + GOLD
        k = least + scale(mix(rng), 1 + most - least)
        some, rng = _draw_set(H.weight[p], pool & T.long_tickets, k, rng)
        others, rng = _draw_set(H.weight[p], pool & ~T.long_tickets, n - k, rng)
        rng = rng + GOLD
        # The largest of values with such noise is each with a chance as its exponential (Gumbel).
        value = H.belief * _PER_POINT * _network_worth(T, S, P, H, p, some | others) - np.log(
            -np.log(_unit(rng))
        )
        if value > top:
            best, top = some | others, value
    return best, rng


@kernel
def _replace(S, ticket, other):
    """Put a ticket in the place of another one in the deck of tickets."""
    for i in range(int(S.ticket_deck_n)):
        at = (int(S.ticket_head) + i) % MAX_TICKETS
        if int(S.ticket_deck[at]) == ticket:
            S.ticket_deck[at] = other


@kernel
def _exchange(T, S, p, out, into, deck, box):
    """Give a seat the tickets `into` for those of `out`, as many; returns what is in the deck and the box then."""
    while out != ZERO:
        # Long ones for long ones: none is ever in the deck.
        pile = (
            T.long_tickets
            if out & T.long_tickets != ZERO and into & T.long_tickets != ZERO
            else ~T.long_tickets
        )
        given = ctz(out & pile if out & pile != ZERO else out)
        taken = ctz(into & pile if into & pile != ZERO else into)
        out &= ~bit(given)
        into &= ~bit(taken)
        if T.long_tickets & bit(given) != ZERO and deck & bit(taken) != ZERO:
            spare = ctz(box & ~T.long_tickets)  # the long one cannot go to the deck, so this one does
            _replace(S, taken, spare)
            both = bit(taken) | bit(spare)
            S.box ^= both
            deck ^= both
            box ^= both
        both = bit(given) | bit(taken)
        S.tickets[p] ^= both
        if deck & bit(taken) != ZERO:
            _replace(S, taken, given)
            deck ^= both
        else:
            S.box ^= both
            box ^= both
    return deck, box


@kernel
def believe(T, V, S, P, H, sets, rng):
    """Exchange the tickets that `redeal` dealt to the other seats for likelier ones of those nobody holds.

    V: the View. S: the State that `redeal` made of it, which stays one that the viewer cannot tell from the truth. H: from
    `hunch`. sets: how many sets of tickets are compared for each seat. Overwrites what P wants. Returns the advanced random
    stream.
    """
    known = V.refused[V.viewer]
    deck = ZERO
    for i in range(int(S.ticket_deck_n)):
        deck |= bit(S.ticket_deck[(int(S.ticket_head) + i) % MAX_TICKETS])
    deck &= ~known
    box = S.box & ~V.box & ~known
    for p in range(T.players):
        held = S.tickets[p] & ~known
        if p == V.viewer or held == ZERO:
            continue
        likely, rng = _likely_set(T, S, P, H, p, held, known, deck | box, box, sets, rng)
        deck, box = _exchange(T, S, p, held & ~likely, likely & ~held, deck, box)
    return rng
