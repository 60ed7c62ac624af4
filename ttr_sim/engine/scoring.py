"""Final scoring: tickets with the best use of stations, bonuses, ranking. Exact."""

import numpy as np

from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, natural
from ttr_sim.engine.jit import inlined, kernel
from ttr_sim.engine.layout import (
    MAX_PLAYERS,
    TIE_FEWEST_STATIONS,
    TIE_FEWEST_TRAINS,
    TIE_HOLDER,
    TIE_LONGEST,
    TIE_MOST_COMPLETED,
    UNBORROWED_BONUS,
)
from ttr_sim.engine.trail import longest_trail

SEAT_FIELDS = (
    "score",
    "rank",
    "routes",
    "tickets_won",
    "tickets_lost",
    "completed",
    "failed",
    "longest",
    "longest_bonus",
    "globetrotter",
    "all_trains",
    "stations_points",
    "stations_placed",
    "borrowed",
    "trains_left",
)

# Scores of one game, by seat; decided_by: 0 points, i the i-th tie-break, -1 shared victory.
SCORES = np.dtype([*[(name, "i4", (MAX_PLAYERS,)) for name in SEAT_FIELDS], ("decided_by", "i4")], align=True)


@inlined
def find(parents, city):
    """Representative of a city's component in an array of parents."""
    city = natural(city)
    while parents[city] != city:
        city = natural(parents[city])
    return city


@inlined
def join(parents, a, b):
    """Make the components of two cities one."""
    a = find(parents, a)
    b = find(parents, b)
    if a != b:
        parents[b] = a


@kernel
def components(T, parents, own):
    """Components of the cities joined by the tracks of `own` (two words), as an array of parents."""
    for city in range(T.n_cities):
        parents[city] = city
    for w in range(2):
        word = own[w]
        while word != ZERO:
            t = ctz(word) + 64 * w
            word &= word - ONE
            join(parents, T.city_a[t], T.city_b[t])


@kernel
def ticket_points(T, parents, tickets):
    """Points of the tickets whose cities are joined, less those of the others; and how many are joined."""
    points, done = 0, 0
    while tickets != ZERO:
        t = ctz(tickets)
        tickets &= tickets - ONE
        if find(parents, T.ticket_a[t]) == find(parents, T.ticket_b[t]):
            points += T.ticket_points[t]
            done += 1
        else:
            points -= T.ticket_points[t]
    return points, done


@kernel
def list_choices(T, S, W, seat):
    """List what each placed station of a seat may reach across others' tracks. Returns how many reach anything."""
    others0 = others1 = ZERO
    for p in range(T.players):
        if p != seat:
            others0 |= S.own[p, 0]
            others1 |= S.own[p, 1]
    useful = 0
    for i in range(T.stations_per_player - int(S.stations[seat])):
        city = int(S.station_city[seat, i])
        home = find(W.component, city)
        n = 0
        seen = bit(home)
        for w in range(2):
            word = T.city_tracks[city, w] & (others0 if w == 0 else others1)
            while word != ZERO:
                t = ctz(word) + 64 * w
                word &= word - ONE
                far = find(W.component, T.city_a[t] + T.city_b[t] - city)
                if seen & bit(far) == ZERO:
                    seen |= bit(far)
                    W.choices[useful, n + 1] = far
                    n += 1
        if n > 0:
            W.choices[useful, 0] = city
            W.choice_n[useful] = n
            useful += 1
    return useful


@kernel
def merge_picks(T, W, useful):
    """Components once the picked choices (0 = borrow nothing) are joined; returns how many stations borrow."""
    for city in range(T.n_cities):
        W.merged[city] = W.component[city]
    borrowed = 0
    for i in range(useful):
        if W.pick[i] > 0:
            join(W.merged, W.choices[i, 0], W.choices[i, W.pick[i]])
            borrowed += 1
    return borrowed


@kernel
def _all_merged(T, W, useful):
    for city in range(T.n_cities):
        W.merged[city] = W.component[city]
    for i in range(useful):
        for j in range(1, W.choice_n[i] + 1):
            join(W.merged, W.choices[i, 0], W.choices[i, j])


@kernel
def best_tickets(T, S, W, seat):
    """Tickets and stations of a seat at its best (ruling 8): points, completed, stations that borrow."""
    components(T, W.component, S.own[seat])
    points, done = ticket_points(T, W.component, S.tickets[seat])
    borrowed = 0
    if T.stations_per_player == int(S.stations[seat]):
        return points, done, borrowed
    useful = list_choices(T, S, W, seat)
    if useful == 0:
        return points, done, borrowed
    _all_merged(T, W, useful)
    if ticket_points(T, W.merged, S.tickets[seat])[1] == done:
        return points, done, borrowed  # no borrowing can complete a ticket
    price = T.station_points if T.station_bonus == UNBORROWED_BONUS else 0
    best = points
    for i in range(useful):
        W.pick[i] = 0
    while True:
        i = 0
        while i < useful and W.pick[i] == W.choice_n[i]:
            W.pick[i] = 0
            i += 1
        if i == useful:
            break
        W.pick[i] += 1
        used = merge_picks(T, W, useful)
        gained, completed = ticket_points(T, W.merged, S.tickets[seat])
        value = gained - used * price
        if (
            value > best
            or (value == best and completed > done)
            or (value == best and completed == done and used < borrowed)
        ):
            best, points, done, borrowed = value, gained, completed, used
    return points, done, borrowed


@kernel
def _tickets_and_stations(T, S, W, R, p):
    points, done, borrowed = best_tickets(T, S, W, p)
    total, count = 0, 0
    tickets = S.tickets[p]
    while tickets != ZERO:
        total += T.ticket_points[ctz(tickets)]
        count += 1
        tickets &= tickets - ONE
    placed = T.stations_per_player - int(S.stations[p])
    scoring = int(S.stations[p])
    if T.station_bonus == UNBORROWED_BONUS:
        scoring += placed - borrowed
    R.tickets_won[p] = (total + points) // 2
    R.tickets_lost[p] = (total - points) // 2
    R.completed[p] = done
    R.failed[p] = count - done
    R.stations_placed[p] = placed
    R.borrowed[p] = borrowed
    R.stations_points[p] = T.station_points * scoring


@kernel
def _bonus(T, values, bonuses, points):
    """Give `points` to every seat with the highest value above 0 (ruling 9)."""
    top = 0
    for p in range(T.players):
        top = max(top, values[p])
    for p in range(T.players):
        bonuses[p] = points if top > 0 and values[p] == top else 0


@kernel
def _sum_up(T, S, W, R, exact):
    longest = 0  # so far; a shorter one need not be known exactly
    for p in range(T.players):
        R.routes[p] = int(S.points[p])
        R.trains_left[p] = int(S.trains[p])
        _tickets_and_stations(T, S, W, R, p)
        if exact:
            R.longest[p] = longest_trail(T, W, S.own[p], 0)
        elif T.longest_path_bonus > 0:
            R.longest[p] = longest_trail(T, W, S.own[p], max(0, longest - 1))
            longest = max(longest, int(R.longest[p]))
        else:
            R.longest[p] = 0
        R.all_trains[p] = T.all_trains_bonus if S.trains[p] == 0 else 0
    _bonus(T, R.longest, R.longest_bonus, T.longest_path_bonus)
    _bonus(T, R.completed, R.globetrotter, T.globetrotter_bonus)
    for p in range(T.players):
        R.score[p] = (
            R.routes[p]
            + R.tickets_won[p]
            - R.tickets_lost[p]
            + R.longest_bonus[p]
            + R.globetrotter[p]
            + R.all_trains[p]
            + R.stations_points[p]
        )


@kernel
def _tie_value(R, rule, p):
    """Value of a seat under a tie-break: the higher is better."""
    if rule == TIE_MOST_COMPLETED:
        return int(R.completed[p])
    if rule == TIE_FEWEST_STATIONS:
        return -int(R.stations_placed[p])
    if rule == TIE_HOLDER:
        return 1 if R.longest_bonus[p] > 0 else 0
    if rule == TIE_LONGEST:
        return int(R.longest[p])
    if rule == TIE_FEWEST_TRAINS:
        return -int(R.trains_left[p])
    return 0


@kernel
def _compare(T, R, p, q):
    """(sign, rule): is p before q (1), behind (-1) or level (0), and by which rule: 0 points, i the i-th tie-break."""
    if R.score[p] != R.score[q]:
        return (1 if R.score[p] > R.score[q] else -1), 0
    for i in range(T.n_tie_breaks):
        a = _tie_value(R, T.tie_breaks[i], p)
        b = _tie_value(R, T.tie_breaks[i], q)
        if a != b:
            return (1 if a > b else -1), i + 1
    return 0, -1


@kernel
def _rank(T, R):
    winner = 0
    for p in range(T.players):
        ahead = 0
        for q in range(T.players):
            if q != p and _compare(T, R, q, p)[0] > 0:
                ahead += 1
        R.rank[p] = 1 + ahead
        if ahead == 0:
            winner = p
    # What separated the winner from those level on points; the last rule needed counts.
    R.decided_by = 0
    for q in range(T.players):
        if q == winner:
            continue
        sign, rule = _compare(T, R, winner, q)
        if sign == 0:
            R.decided_by = -1
            return
        R.decided_by = max(int(R.decided_by), rule)


@kernel
def score(T, S, W, R):
    """Fill the SCORES record R for the position S as if the game ended here."""
    _sum_up(T, S, W, R, True)
    _rank(T, R)


@kernel
def quick_score(T, S, W, R):
    """Like `score`, without ranks, and with path lengths only as far as they decide who gets the bonus."""
    _sum_up(T, S, W, R, False)
