"""Planning kernels for compiled bots: cheapest connections, the tracks a seat wants, the cards it needs.

They read a State or a View of the seat alike, and work on any board and rules. P is a PLAN record: scratch memory and
what each seat wants: make `np.zeros(1, PLAN)` in a kernel, hand the array to another kernel and take its first record
there (a record does not keep its array alive).
"""

import numpy as np

from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, has, put, top_bit
from ttr_sim.engine.jit import inlined, kernel
from ttr_sim.engine.layout import (
    COLORS,
    GRAY,
    KINDS,
    LOCO,
    LOCO_ENDS_DRAW,
    MAX_CITIES,
    MAX_LENGTH,
    MAX_PLAYERS,
    MAX_TICKETS,
    MAX_TRACKS,
)
from ttr_sim.engine.legal import sets_range
from ttr_sim.engine.moves import market_closed, may_take_blind, may_take_loco, station_price
from ttr_sim.engine.scoring import components, find

_BLIND, _PAY, _PAY_STEP, _SETS, _CARD, _EXTRA = A.BLIND, A.PAY, A.PAY_STEP, A.SETS, A.CARD, A.EXTRA
_TAKE_BACK, _CLAIM = A.TAKE_BACK, A.CLAIM

FAR = 250  # a path of this cost or more counts as none

PLAN = np.dtype(
    [
        ("want", "u8", (MAX_PLAYERS, 2)),  # open tracks a seat plans to claim
        ("goals", "u8", (MAX_PLAYERS,)),  # tickets its plan completes
        (
            "planned",
            "i8",
            (MAX_PLAYERS,),
        ),  # 0: want is out of date, 1: it joins tickets, 2: it is one more track
        ("cost", "i8", (MAX_TRACKS,)),  # of a track in a search; FAR: not to be used
        ("dist", "i8", (MAX_CITIES,)),
        ("came", "i8", (MAX_CITIES,)),  # track over which a city was reached
        ("bucket", "u8", (FAR + 1,)),  # cities by tentative cost
        ("parents", "i8", (MAX_CITIES,)),
        ("need", "i8", (KINDS,)),  # cards still needed by colour
        ("order", "i8", (MAX_TICKETS,)),
    ],
    align=True,
)


@inlined
def free_tracks(T, S, seat):
    """Tracks the seat may still claim by the board and its trains, whatever it holds; two words."""
    n = min(int(S.trains[seat]), MAX_LENGTH)
    return (
        S.open[0] & ~S.blocked[seat, 0] & T.length_le[n, 0],
        S.open[1] & ~S.blocked[seat, 1] & T.length_le[n, 1],
    )


@kernel
def track_costs(T, S, P, seat, per_claim, per_space):
    """Set P.cost for a seat: 0 for its own tracks, per_claim + per_space * length for those it may claim, FAR for others."""
    f0, f1 = free_tracks(T, S, seat)
    for t in range(T.n_tracks):
        word = f0 if t < 64 else f1
        if word & bit(t & 63) != ZERO:
            P.cost[t] = per_claim + per_space * T.length[t]
        else:
            P.cost[t] = 0 if has(S.own[seat], t) else FAR


@kernel
def reach(T, P, start, goal):
    """Cheapest costs from city `start` by P.cost to P.dist, stopping at `goal` (-1: everywhere). Returns the goal's cost."""
    for city in range(T.n_cities):
        P.dist[city] = FAR
    P.dist[start] = 0
    P.came[start] = -1
    P.bucket[0] = bit(start)
    top = 0  # no city waits above this cost
    d = 0
    while d <= top:
        while P.bucket[d] != ZERO:
            city = ctz(P.bucket[d])
            P.bucket[d] &= P.bucket[d] - ONE
            if P.dist[city] < d:
                continue
            if city == goal:
                while d <= top:
                    P.bucket[d] = ZERO
                    d += 1
                return P.dist[goal]
            for w in range(2):
                word = T.city_tracks[city, w]
                while word != ZERO:
                    t = ctz(word) + 64 * w
                    word &= word - ONE
                    cost = d + P.cost[t]
                    other = T.city_a[t] + T.city_b[t] - city
                    if cost < P.dist[other]:
                        P.dist[other] = cost
                        P.came[other] = t
                        P.bucket[cost] |= bit(other)
                        top = max(top, cost)
        d += 1
    return P.dist[goal] if goal >= 0 else 0


@kernel
def add_path(T, P, seat, goal):
    """Add the path that `reach` found to `goal` to P.want; its tracks cost nothing from now on. Returns its new spaces."""
    spaces = 0
    city = goal
    while P.came[city] >= 0:
        t = P.came[city]
        if P.cost[t] > 0:
            put(P.want[seat], t)
            P.cost[t] = 0
            spaces += T.length[t]
        city = T.city_a[t] + T.city_b[t] - city
    return spaces


@kernel
def connect(T, S, P, seat, tickets, per_claim, per_space):
    """Plan cheap connections of `tickets` to P.want[seat] and P.goals[seat], longest tickets first, sharing tracks.

    Tickets that cannot be connected, or for which the trains do not suffice, are left out. Returns the spaces wanted.
    """
    track_costs(T, S, P, seat, per_claim, per_space)
    return connect_by_cost(T, S, P, seat, tickets)


@kernel
def connect_by_cost(T, S, P, seat, tickets):
    """Like `connect`, by the costs already in P.cost."""
    P.want[seat, 0] = P.want[seat, 1] = ZERO
    P.goals[seat] = ZERO
    n = 0
    rest = tickets
    while rest != ZERO:
        t = ctz(rest)
        rest &= rest - ONE
        i = n
        while i > 0 and T.ticket_points[P.order[i - 1]] < T.ticket_points[t]:
            P.order[i] = P.order[i - 1]
            i -= 1
        P.order[i] = t
        n += 1
    spaces = 0
    trains = int(S.trains[seat])
    for i in range(n):
        t = P.order[i]
        if reach(T, P, T.ticket_a[t], T.ticket_b[t]) >= FAR:
            continue
        if spaces + path_spaces(T, P, T.ticket_b[t]) > trains:
            continue
        spaces += add_path(T, P, seat, T.ticket_b[t])
        P.goals[seat] |= bit(t)
    P.planned[seat] = 1
    return spaces


@kernel
def path_spaces(T, P, goal):
    """New spaces of the path that `reach` found to `goal`."""
    spaces = 0
    city = goal
    while P.came[city] >= 0:
        t = P.came[city]
        if P.cost[t] > 0:
            spaces += T.length[t]
        city = T.city_a[t] + T.city_b[t] - city
    return spaces


@kernel
def open_tickets(T, S, P, seat):
    """The seat's tickets that its own tracks do not yet join."""
    components(T, P.parents, S.own[seat])
    rest = S.tickets[seat]
    left = ZERO
    while rest != ZERO:
        t = ctz(rest)
        rest &= rest - ONE
        if find(P.parents, T.ticket_a[t]) != find(P.parents, T.ticket_b[t]):
            left |= bit(t)
    return left


@kernel
def needs(T, S, P, seat):
    """Set P.need: cards by colour the wanted tracks ask for beyond the hand; below 0, so many are to spare.

    P.need[LOCO] counts the locomotives that ferries ask for; a gray track asks for the colour of which most is to spare.
    Returns all cards missing.
    """
    for c in range(KINDS):
        P.need[c] = -int(S.hands[seat, c])
    for w in range(2):
        word = P.want[seat, w]
        gray = ZERO
        while word != ZERO:
            i = ctz(word)
            t = i + 64 * w
            word &= word - ONE
            symbols = T.symbols[t] if T.set_size[t] == 0 else 0
            P.need[LOCO] += symbols
            if T.color[t] == GRAY or T.mixed[t] == 1:
                gray |= bit(i)
            else:
                P.need[T.color[t]] += T.length[t] - symbols
        while gray != ZERO:
            i = top_bit(gray)  # the longest first
            t = i + 64 * w
            gray &= ~bit(i)
            symbols = T.symbols[t] if T.set_size[t] == 0 else 0
            P.need[sparest(P)] += T.length[t] - symbols
    total = 0
    for c in range(KINDS):
        total += max(0, P.need[c])
    return total


@kernel
def sparest(P):
    """The colour of which most is to spare by P.need."""
    best = 0
    for c in range(1, COLORS):
        if P.need[c] < P.need[best]:
            best = c
    return best


@kernel
def draw_choice(T, S, P, seat):
    """The card to take next by P.need (see `needs`): a face-up colour that is missing, else the deck.

    Returns an action, or -1 when nothing can be drawn. A face-up locomotive that costs the whole draw is taken only for
    a ferry, or when it is all that is missing.
    """
    open_market = S.market_n > 0 and not market_closed(T, S)
    blind = may_take_blind(S)
    best, best_value = -1, 0
    missing = 0
    for c in range(KINDS):
        missing += max(0, P.need[c])
    if open_market:
        for c in range(COLORS):
            if int(S.market[c]) > 0 and P.need[c] > 0:
                value = 20 - min(P.need[c], 9)
                if int(S.market[c]) > 1:
                    value += 7
                if value > best_value:
                    best, best_value = c, value
        if int(S.market[LOCO]) > 0 and may_take_loco(T, S):
            whole = S.drawn == 0 and T.face_up_locomotive == LOCO_ENDS_DRAW
            if not whole or P.need[LOCO] > 0 or (missing == 1 and best < 0):
                best = LOCO
    if best >= 0:
        return best
    if blind:
        return _BLIND
    for c in range(KINDS):
        if open_market and int(S.market[c]) > 0 and (c != LOCO or may_take_loco(T, S)):
            return c
    return -1


@kernel
def payment_choice(T, S, W, P, seat):
    """Choose in the phases of a payment (PAY, SETS, FILLER, SETCARDS, TUNNEL) by P.need: cards to spare first.

    The legal actions are in W. Returns one of them.
    """
    best = int(W.acts[0])
    best_cost = 1 << 30
    for i in range(W.n):
        action = int(W.acts[i])
        cost = 0
        if action >= _TAKE_BACK:
            cost = 1 << 20  # pay the tunnel rather than lose the turn
        elif action >= _EXTRA:
            k = action - _EXTRA
            cost = 12 * k + (int(S.pend_extra) - k) * _worth(P, min(int(S.pend_color), 7))
        elif action >= _CARD:
            cost = _worth(P, action - _CARD)
        elif action >= _SETS:
            cost = 3 * (action - _SETS)
        elif action >= _PAY:
            cost = _payment_cost(T, S, P, seat, (action - _PAY) // _PAY_STEP, (action - _PAY) % _PAY_STEP)
        if cost < best_cost:
            best, best_cost = action, cost
    return best


@inlined
def _worth(P, c):
    """What a card of a colour is worth to keep: missing colours more than those to spare."""
    if c == LOCO:
        return 12
    return 6 if P.need[c] >= 0 else 2


@kernel
def _payment_cost(T, S, P, seat, color, locos):
    if S.pend_city >= 0:
        rest, few = station_price(T, S, seat) - locos, 0
        size = 0
    else:
        track = int(S.pend_track)
        few, _ = sets_range(T, S, seat, track, color, locos)
        rest = T.length[track] - locos - few
        size = T.set_size[track]
    each = _worth(P, color) if color < COLORS else 3
    if color < COLORS and rest > -P.need[color]:
        each = 4  # more than is to spare
    return 12 * locos + rest * each + 3 * few * size
