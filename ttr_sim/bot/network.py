"""One network for all tickets, valued by points and turns: the plan of `planner`, of `mcts` and of its playouts.

See `bots/planner.py`; what is decided by it is in `ttr_sim.bot.network_choices`. P is a PLAN record
(`ttr_sim.bot.planning`), M a MIND record; V is a view, of which hands and tickets are changed and put back.
"""

import numpy as np

from ttr_sim.bot.params import Param
from ttr_sim.bot.planning import FAR, connect_by_cost, free_tracks, needs
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, has
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import (
    COLORS,
    GRAY,
    KINDS,
    LOCO,
    MAX_LENGTH,
    MAX_TRACKS,
    TUNNEL_KIND,
)

PARAMS = {
    # The search of paths, in turns.
    "claim": Param(1.69, 0.0, 10.0, "price of a track in the search of paths"),
    "space": Param(0.247, 0.0, 5.0, "price of a space there"),
    "missing": Param(0.037, 0.0, 5.0, "price of a card that the hand lacks for it"),
    "points": Param(0.28, 0.0, 2.0, "what a point of a track takes off its price"),
    "ferry": Param(1.0, 0.0, 10.0, "price of a locomotive that the hand lacks"),
    "tunnel": Param(1.0, 0.0, 10.0, "price of a tunnel beyond its spaces"),
    # The worth of a plan, in points.
    "turn": Param(2.8, 0.5, 20.0, "points a turn is worth"),
    "late": Param(
        2.0,
        0.0,
        20.0,
        "how fast the chance of the tickets falls when the plan takes more turns than are left",
    ),
    "draw": Param(0.43, 0.1, 2.0, "turns a drawn card takes"),
    "fill": Param(0.315, 0.0, 2.0, "turns a card takes that a track outside the plan misses"),
    "locomotive": Param(0.28, 0.0, 5.0, "draws a locomotive for a ferry takes"),
    "ferry_turns": Param(0.85, 0.0, 5.0, "turns such a locomotive takes beyond its draws"),
    "tunnel_turns": Param(0.81, 0.0, 5.0, "turns a tunnel takes beyond its claim"),
    "risk": Param(0.2, 0.0, 2.0, "share of its points that a ticket counts less that takes all turns left"),
    "lost": Param(1.49, 0.0, 5.0, "share of the points of a lost ticket that counts"),
    "ticket": Param(4.1, -20.0, 20.0, "points that it counts less beside"),
    "pace": Param(1.33, 0.3, 3.0, "turns expected, in those of a rival that wastes no card"),
    # Claims at the end.
    "rush": Param(
        -1.3, -50.0, 50.0, "trains left below which, its plan done, it claims the longest track at hand"
    ),
    "rush_space": Param(2.74, 0.0, 20.0, "by how many more with each space of that track"),
    # More tickets.
    "more": Param(-40.0, -200.0, 200.0, "lead below which, its plan done, it draws tickets"),
    "more_turn": Param(1.0, -5.0, 10.0, "by how much more with each turn left, up to 15"),
    "more_bonus": Param(
        3.2, -5.0, 10.0, "by how many times the bonus for most tickets more while none has less than a rival"
    ),
    "most": Param(0.45, 0.0, 2.0, "share of that bonus that the choice of tickets counts on or against"),
    "rival_ticket": Param(9.5, 0.0, 30.0, "points that a rival's ticket counts in that lead"),
    "train": Param(1.9, 0.0, 5.0, "points that a train left counts in that lead"),
    # Draws.
    "needed": Param(0.365, -1.0, 2.0, "turns that a card the plan needs counts more"),
    "whole": Param(0.837, 0.0, 3.0, "turns that a locomotive counts less that takes the whole draw"),
    "blind": Param(0.101, -1.0, 1.0, "turns that a blind card counts more"),
}
(
    _CLAIM_PRICE,
    _SPACE,
    _MISSING,
    _POINTS,
    _FERRY,
    _TUNNEL,
    _TURN,
    _LATE,
    _DRAW,
    _FILL,
    _LOCO_DRAWS,
    _FERRY_TURNS,
    _TUNNEL_TURNS,
    _RISK,
    _LOST,
    _TICKET,
    _PACE,
) = range(17)  # the last ones are of the choices

# Draws it takes to get a card of one of k colours: one of five face up, else blind.
_DRAWS = tuple(1.0 / (1.0 - (1.0 - k / 9.0) ** 5 * (1.0 - (k + 1.2) / 9.2)) if k else 0.0 for k in range(9))

# What the planner has in mind beside the PLAN record.
MIND = np.dtype(
    [
        ("price", "i8", (MAX_TRACKS,)),
        # Free tracks outside the plan by colour (8: gray) and length.
        ("classes", "i8", (COLORS + 1, MAX_LENGTH + 1)),
        ("left", "i8", (COLORS + 1, MAX_LENGTH + 1)),
        ("spare", "i8", (KINDS,)),  # cards that the plan does not need
        ("unseen", "i8", (16,)),
        ("value", "f8", (KINDS,)),
        ("clock", "f8"),  # turns it may still expect
        ("color", "i8"),  # the track that the fill begins with: colour, length (0: none), cards missing
        ("length", "i8"),
        ("missing", "i8"),
        # The first track of the fill that the hand pays without locomotives; length 0: none.
        ("ready_color", "i8"),
        ("ready_length", "i8"),
    ],
    align=True,
)


# ---------------------------------------------------------------- the worth of a plan


@kernel
def _draws(T, P, loco_draws):
    """Cards to draw for P.need, useless ones included, and the locomotives to spare after that that are wild."""
    spare = max(0, -P.need[LOCO]) if T.any_plain == 0 else 0
    total = loco_draws * max(0, P.need[LOCO])
    top = 0
    for c in range(COLORS):
        top = max(top, P.need[c])
    for level in range(top, 0, -1):  # the more colours miss as much, the sooner one of them comes
        k = 0
        for c in range(COLORS):
            k += 1 if P.need[c] >= level else 0
        free = min(spare, k)
        spare -= free
        total += (k - free) * _DRAWS[k - free]
    return total, spare


@kernel
def _fill(T, M, trains, turns, params):
    """Points that the trains left make in the turns left, best track a train first, and the turns that takes."""
    for c in range(COLORS + 1):
        for n in range(MAX_LENGTH + 1):
            M.left[c, n] = M.classes[c, n]
    total, spent = 0.0, 0.0
    M.length = M.ready_length = 0
    while trains > T.end_trigger_trains:
        best, best_c, best_n, best_turns, best_short, best_missing, rich = -1e9, -1, 0, 0.0, 0, 0, 0
        for c in range(1, COLORS):
            rich = c if M.spare[c] > M.spare[rich] else rich
        for c in range(COLORS + 1):
            have = M.spare[c] if c < COLORS else M.spare[rich]
            for n in range(1, min(trains, MAX_LENGTH) + 1):
                if M.left[c, n] == 0:
                    continue
                short = max(0, n - have)
                free = min(short, M.spare[LOCO])
                took = 1.0 + params[_FILL] * (short - free) + 0.5 * free
                value = (T.points[n] - params[_TURN] * took) / n
                if value > best and spent + took <= turns:
                    best, best_c, best_n, best_turns = value, c, n, took
                    best_short, best_missing = short, short - free
        if best_c < 0:
            return total, turns
        if M.length == 0:
            M.color, M.length, M.missing = best_c, best_n, best_missing
        if M.ready_length == 0 and best_short == 0:
            M.ready_color, M.ready_length = best_c, best_n
        M.left[best_c, best_n] -= 1
        color = best_c if best_c < COLORS else rich
        M.spare[LOCO] -= min(max(0, best_n - M.spare[color]), M.spare[LOCO])
        M.spare[color] = max(0, M.spare[color] - best_n)
        total += T.points[best_n]
        spent += best_turns
        trains -= best_n
    return total, spent


@kernel
def _tickets_worth(T, goals, tickets, share, params):
    """What tickets count when those of `goals` are planned and the plan takes a share of the turns left."""
    chance = min(1.0, max(0.0, 1.0 - params[_LATE] * (share - 1.0)))
    share = min(1.0, share)
    value = 0.0
    while tickets != ZERO:
        t = ctz(tickets)
        tickets &= tickets - ONE
        points = T.ticket_points[t]
        lost = -params[_LOST] * points
        if goals & bit(t) != ZERO:
            won = points - share * (params[_RISK] * points + params[_TICKET])
            value += chance * won + (1.0 - chance) * lost
        else:
            value += lost
    return value


@kernel
def worth(T, V, P, M, seat, tickets, params):
    """Points that the plan in P and its fill promise, less what their turns are worth to the others."""
    needs(T, V, P, seat)
    draws, locos = _draws(T, P, params[_LOCO_DRAWS])
    points = 0
    trains = int(V.trains[seat])
    turns = draws * params[_DRAW] + params[_FERRY_TURNS] * max(0, P.need[LOCO])
    for w in range(2):
        word = P.want[seat, w]
        while word != ZERO:
            t = ctz(word) + 64 * w
            word &= word - ONE
            points += T.points[T.length[t]]
            trains -= T.length[t]
            turns += 1.0 + (params[_TUNNEL_TURNS] if T.kind[t] == TUNNEL_KIND else 0.0)
            if T.set_size[t] > 0:  # sets of cards may stand for locomotives, but cost turns as well
                turns += params[_FERRY_TURNS] * T.symbols[t]
    if trains < 0:
        return -1e9
    value = _tickets_worth(T, P.goals[seat], tickets, turns / M.clock, params)
    left = M.clock - turns
    if left < 0.0:
        return value + points * M.clock / turns - params[_TURN] * M.clock
    for c in range(COLORS):
        M.spare[c] = max(0, -P.need[c])
    M.spare[LOCO] = locos
    more, spent = _fill(T, M, trains, left, params)
    return value + points + more - params[_TURN] * (turns + spent)


# ---------------------------------------------------------------- the plan


@kernel
def _price_tracks(T, V, P, M, seat, params):
    """Set M.price and P.cost: what a track takes, mostly its turn, less a part of the points it brings."""
    f0, f1 = free_tracks(T, V, seat)
    locos, most = int(V.hands[seat, LOCO]), 0
    for c in range(COLORS):
        most = max(most, int(V.hands[seat, c]))
    for t in range(T.n_tracks):
        word = f0 if t < 64 else f1
        if word & bit(t & 63) != ZERO:
            length = T.length[t]
            have = most if T.color[t] == GRAY else int(V.hands[seat, T.color[t]])
            price = params[_CLAIM_PRICE] + params[_SPACE] * length - params[_POINTS] * T.points[length]
            price += params[_MISSING] * max(0, length - T.symbols[t] - have)
            price += params[_FERRY] * max(0, T.symbols[t] - locos)
            price += params[_TUNNEL] if T.kind[t] == TUNNEL_KIND else 0.0
            M.price[t] = min(FAR - 1, max(1, int(4.0 * price + 0.5)))
        else:
            M.price[t] = 0 if has(V.own[seat], t) else FAR
        P.cost[t] = M.price[t]


@kernel
def classify(T, V, P, M, seat):
    """Count the free tracks outside the plan by colour and length; ferries are left out."""
    for c in range(COLORS + 1):
        for n in range(MAX_LENGTH + 1):
            M.classes[c, n] = 0
    f0, f1 = free_tracks(T, V, seat)
    for w in range(2):
        word = (f0 if w == 0 else f1) & ~P.want[seat, w]
        while word != ZERO:
            t = ctz(word) + 64 * w
            word &= word - ONE
            p = T.partner[t]
            twin = (
                p > t and has(V.open, p) and T.color[p] == T.color[t]
            )  # the same again: only one can be had
            if T.symbols[t] == 0 and not twin and (p < 0 or not has(P.want[seat], p)):
                M.classes[T.color[t] if T.color[t] != GRAY else COLORS, T.length[t]] += 1


@kernel
def _without(T, V, P, M, seat, tickets, params, b0, b1):
    """Plan without the tracks of two words; returns what that is worth."""
    for t in range(T.n_tracks):
        P.cost[t] = M.price[t]
    for w in range(2):
        word = b0 if w == 0 else b1
        while word != ZERO:
            P.cost[ctz(word) + 64 * w] = FAR
            word &= word - ONE
    connect_by_cost(T, V, P, seat, tickets)
    return worth(T, V, P, M, seat, tickets, params)


@kernel
def sketch(T, V, P, M, seat, tickets, params):
    """Plan tickets by cheapest paths. Returns the worth of that."""
    _price_tracks(T, V, P, M, seat, params)
    connect_by_cost(T, V, P, seat, tickets)
    classify(T, V, P, M, seat)
    return worth(T, V, P, M, seat, tickets, params)


@kernel
def plan(T, V, P, M, seat, tickets, params):
    """Plan tickets: cheapest paths, then again without each track of the plan, kept if worth more. Returns the worth."""
    best = sketch(T, V, P, M, seat, tickets, params)
    w0, w1, goals = P.want[seat, 0], P.want[seat, 1], P.goals[seat]
    b0 = b1 = ZERO
    for w in range(2):
        word = w0 if w == 0 else w1
        while word != ZERO:
            i = ctz(word)
            word &= word - ONE
            c0, c1 = b0 | (bit(i) if w == 0 else ZERO), b1 | (bit(i) if w == 1 else ZERO)
            value = _without(T, V, P, M, seat, tickets, params, c0, c1)
            if value > best + 0.01:
                best, b0, b1 = value, c0, c1
                w0, w1, goals = P.want[seat, 0], P.want[seat, 1], P.goals[seat]
    P.want[seat, 0], P.want[seat, 1], P.goals[seat] = w0, w1, goals
    classify(T, V, P, M, seat)
    return worth(T, V, P, M, seat, tickets, params)


@kernel
def expected_turns(T, V, seat, params):
    """Turns a seat may still expect: until a rival runs out of trains, by its trains and cards."""
    if V.remaining >= 0:
        return 1.0 + (int(V.remaining) - 1) // T.players
    least = 1e9
    for p in range(T.players):
        if p != seat:
            trains = float(int(V.trains[p]) - T.end_trigger_trains)
            least = min(least, trains / 3.2 + max(0.0, trains - int(V.hand_n[p])) / 1.7)
    return max(0.01, params[_PACE] * least + 1.0)
