"""Longest trail of a dense network: by what has to be taken from it.

The longest trail is what stays when as little as possible is taken away so that only two cities are left odd (Euler)
and all is still connected. What goes are paths that pair off the other odd cities (Edmonds and Johnson, "Matching,
Euler tours and the Chinese postman", 1973), so half the sum of their shortest edges bounds the loss. For each length
from the bound downwards each pair of ends is searched for such edges, until one is found.
"""

from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, popcount
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.network import MAX_EDGES, spread, weight

_FAR = 1000  # longer than everything


@kernel
def best_cut(W, part, odd, total, best, bits):
    """Longest trail of a connected part with more than two odd cities, or `best` when none is longer."""
    all_odd = ZERO
    for i in range(odd):
        all_odd |= bit(W.odd[i])
    top = best
    for i in range(odd):
        for j in range(i):
            u, v = W.odd[i], W.odd[j]
            need = all_odd ^ bit(u) ^ bit(v)
            bound = total - _least_loss(W, part, need)
            if bound > best:
                edges, free, need = _cut_forced(W, u, part, part, need)
                bound = min(bound, weight(bits, edges) - _least_loss(W, free, need))
            W.pair_top[i, j] = bound
            top = max(top, bound)
    for goal in range(top, best, -1):
        for i in range(odd):
            for j in range(i):
                if W.pair_top[i, j] >= goal:
                    u, v = W.odd[i], W.odd[j]
                    if _has_trail(W, u, part, all_odd ^ bit(u) ^ bit(v), goal, bits):
                        return goal
    return best


@kernel
def _has_trail(W, start, part, need, goal, bits):
    """Can edges be taken from `part` so that the cities of `need` become even and `goal` stays connected with `start`?

    Depth first; a node takes one of the edges that can go from one city, and for the following choices that edge stays.
    """
    depth = 0
    found = _push(W, 0, start, part, part, need, goal, bits)
    if found != 0:
        return found > 0
    while depth >= 0:
        if W.cut_next[depth] == ZERO:
            depth -= 1
            continue
        e = _next_cut(W, depth)
        W.cut_next[depth] &= ~bit(e)
        W.cut_free[depth] &= ~bit(e)
        edges = W.cut_edges[depth] & ~bit(e)
        need = W.cut_need[depth] ^ (bit(W.edge_a[e]) | bit(W.edge_b[e]))
        found = _push(W, depth + 1, start, edges, W.cut_free[depth], need, goal, bits)
        if found > 0:
            return True
        if found == 0:
            depth += 1
    return False


@kernel
def _push(W, depth, start, edges, free, need, goal, bits):
    """Enter a node of the search: 1 it is a trail of at least `goal`, 0 to be searched on, -1 hopeless."""
    edges, free, need = _cut_forced(W, start, edges, free, need)
    if weight(bits, edges) - _least_loss(W, free, need) < goal:
        return -1
    if need == ZERO:
        return 1
    fewest = MAX_EDGES
    rest = need
    while rest != ZERO:
        city = ctz(rest)
        rest &= rest - ONE
        n = popcount(W.at_city[city] & free)
        if n < fewest:
            fewest = n
            W.cut_city[depth] = city
    W.cut_edges[depth], W.cut_free[depth], W.cut_need[depth] = edges, free, need
    W.cut_next[depth] = W.at_city[W.cut_city[depth]] & free
    return 0


@kernel
def _next_cut(W, depth):
    """The likeliest edge to take at a node: short, and to a city that must lose one too."""
    city, need = W.cut_city[depth], W.cut_need[depth]
    least, pick = _FAR, 0
    rest = W.cut_next[depth]
    while rest != ZERO:
        e = ctz(rest)
        rest &= rest - ONE
        other = W.edge_a[e] + W.edge_b[e] - city
        cost = 2 * W.edge_length[e] + (1 if need & bit(other) == ZERO else 0)
        if cost < least:
            least, pick = cost, e
    return pick


@kernel
def _cut_forced(W, start, edges, free, need):
    """Take edges while a city of `need` has only one that can go, and all that is cut off from `start`.

    Returns the edges that stay, those of them that may still go, and the cities that must still lose an odd number.
    """
    edges = spread(W, start, edges)
    again = True
    while again:
        again = False
        rest = need
        while rest != ZERO:
            city = ctz(rest)
            rest &= rest - ONE
            if W.at_city[city] & edges == ZERO:
                need &= ~bit(city)  # cut off
                continue
            only = W.at_city[city] & free & edges
            if only != ZERO and only & (only - ONE) == ZERO:
                e = ctz(only)
                edges &= ~only
                need ^= bit(W.edge_a[e]) | bit(W.edge_b[e])
                again = True
        if again:
            edges = spread(W, start, edges)
    return edges, free & edges, need


@kernel
def _least_loss(W, free, need):
    """At least this much of `free` must go for each city of `need` to lose an odd number of edges.

    The half of a path that belongs to one of its ends counts as half its first edge, or half its first two when the
    first leads to a city that is no end.
    """
    loss = 0
    rest = need
    while rest != ZERO:
        city = ctz(rest)
        rest &= rest - ONE
        least = _FAR
        at = W.at_city[city] & free
        while at != ZERO:
            e = ctz(at)
            at &= at - ONE
            length = W.edge_length[e]
            other = W.edge_a[e] + W.edge_b[e] - city
            if length < least and need & bit(other) == ZERO:
                length += _shortest(W, W.at_city[other] & free & ~bit(e))
            least = min(least, length)
        loss += least
    return (loss + 1) // 2


@kernel
def _shortest(W, edges):
    """Length of the shortest of some edges."""
    least = _FAR
    while edges != ZERO:
        least = min(least, W.edge_length[ctz(edges)])
        edges &= edges - ONE
    return least
