"""Length of the longest continuous path of a seat, exactly.

The heaviest trail of a connected network is its heaviest connected part with two odd cities (or none, when the whole is
even), and its ends are odd cities of the whole network: else it could be made longer. So for each pair of odd cities
the parts that join them are one spanning-tree path combined with any set of independent cycles, walked in Gray code.
"""

import numpy as np

from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, popcount
from ttr_sim.engine.jit import inlined, kernel

_GRAY_LIMIT = 12  # above so many independent cycles a bounded search is quicker than 2^cycles sets


@kernel
def load_network(T, W, own):
    """Number the tracks of `own` (two words) 0.. in W.edge_*, with W.at_city their sets by city. Returns their number."""
    for city in range(T.n_cities):
        W.at_city[city] = ZERO
    n = 0
    for w in range(2):
        word = own[w]
        while word != ZERO:
            t = ctz(word) + 64 * w
            word &= word - ONE
            a, b = T.city_a[t], T.city_b[t]
            W.edge_a[n], W.edge_b[n], W.edge_length[n] = a, b, T.length[t]
            W.at_city[a] |= bit(n)
            W.at_city[b] |= bit(n)
            n += 1
    return n


@kernel
def _spread(W, start, edges):
    """The edges of the set `edges` that are connected with city `start`."""
    reached = ZERO
    fresh = W.at_city[start] & edges
    while fresh != ZERO:
        e = ctz(fresh)
        reached |= bit(e)
        fresh |= (W.at_city[W.edge_a[e]] | W.at_city[W.edge_b[e]]) & edges
        fresh &= ~reached
    return reached


@inlined
def _weight(b0, b1, b2, b3, edges):
    return (
        popcount(edges & b0) + 2 * popcount(edges & b1) + 4 * popcount(edges & b2) + 8 * popcount(edges & b3)
    )


@kernel
def longest_trail(T, W, own):
    """Length in trains of the longest trail over the tracks of `own` (two words)."""
    n = load_network(T, W, own)
    best = 0
    left = (bit(n) - ONE) if n < 64 else ~ZERO
    b0 = b1 = b2 = b3 = ZERO
    for e in range(n):
        length = np.uint64(W.edge_length[e])
        b0 |= (length & ONE) << np.uint64(e)
        b1 |= ((length >> ONE) & ONE) << np.uint64(e)
        b2 |= ((length >> np.uint64(2)) & ONE) << np.uint64(e)
        b3 |= ((length >> np.uint64(3)) & ONE) << np.uint64(e)
    while left != ZERO:
        part = _spread(W, W.edge_a[ctz(left)], left)
        left &= ~part
        total = _weight(b0, b1, b2, b3, part)
        if total > best:
            odd = _odd_cities(W, part)
            best = max(best, total if odd <= 2 else _best_pair(W, part, odd, total, best, b0, b1, b2, b3))
    return best


@kernel
def _odd_cities(W, part):
    """List the odd cities of a connected part in W.odd, dearest shortest edge first. Returns their number."""
    n = 0
    seen = ZERO
    rest = part
    while rest != ZERO:
        e = ctz(rest)
        rest &= rest - ONE
        for side in range(2):
            city = W.edge_a[e] if side == 0 else W.edge_b[e]
            if seen & bit(city) != ZERO:
                continue
            seen |= bit(city)
            at = W.at_city[city] & part
            if popcount(at) & 1 == 0:
                continue
            cost = 99
            while at != ZERO:
                cost = min(cost, W.edge_length[ctz(at)])
                at &= at - ONE
            i = n
            while i > 0 and W.odd_cost[W.odd[i - 1]] < cost:
                W.odd[i] = W.odd[i - 1]
                i -= 1
            W.odd[i] = city
            W.odd_cost[city] = cost
            n += 1
    return n


@kernel
def _span(W, part):
    """Spanning tree of a connected part: W.root_path by city, W.cycles of the other edges. Returns their number."""
    root = W.edge_a[ctz(part)]
    seen = bit(root)
    W.root_path[root] = ZERO
    W.queue[0] = root
    head, tail = 0, 1
    rest = part
    while head < tail:
        city = W.queue[head]
        head += 1
        at = W.at_city[city] & rest
        while at != ZERO:
            e = ctz(at)
            at &= at - ONE
            other = W.edge_a[e] + W.edge_b[e] - city
            if seen & bit(other) == ZERO:
                seen |= bit(other)
                W.root_path[other] = W.root_path[city] | bit(e)
                W.queue[tail] = other
                tail += 1
                rest &= ~bit(e)
    n = 0
    while rest != ZERO:
        e = ctz(rest)
        rest &= rest - ONE
        W.cycles[n] = W.root_path[W.edge_a[e]] ^ W.root_path[W.edge_b[e]] ^ bit(e)
        n += 1
    return n


@kernel
def _best_pair(W, part, odd, total, best, b0, b1, b2, b3):
    """Best trail of a part with more than two odd cities, or `best` when none is longer."""
    n_cycles = _span(W, part)
    if n_cycles > _GRAY_LIMIT:
        return _search_ends(W, part, odd, total, best)
    half = 0  # every odd city but the two ends gives up at least its shortest edge, which two may share
    for i in range(odd):
        half += W.odd_cost[W.odd[i]]
    for i in range(odd):
        for j in range(i + 1, odd):
            u, v = W.odd[i], W.odd[j]
            if total - (half - W.odd_cost[u] - W.odd_cost[v] + 1) // 2 <= best:
                break  # the following v are cheaper: their bound is lower still
            edges = W.root_path[u] ^ W.root_path[v]
            for code in range(1 << n_cycles):
                if code > 0:
                    edges ^= W.cycles[ctz(np.uint64(code))]
                weight = _weight(b0, b1, b2, b3, edges)
                if weight > best and _spread(W, u, edges) == edges:
                    best = weight
    return best


@kernel
def _search_ends(W, part, odd, total, best):
    for i in range(odd):
        if best < _slack_bound(W, part, total, W.odd[i]):
            best = _walk(W, part, W.odd[i], best)
    return best


@kernel
def _slack_bound(W, part, total, city):
    """At most this much of `part` (weight `total`) can be walked from `city`: other odd cities lose an edge each."""
    loss, top = 0, 0
    seen = ZERO
    rest = part
    while rest != ZERO:
        e = ctz(rest)
        rest &= rest - ONE
        for side in range(2):
            c = W.edge_a[e] if side == 0 else W.edge_b[e]
            if seen & bit(c) != ZERO:
                continue
            seen |= bit(c)
            at = W.at_city[c] & part
            # From the city we stand in, an even number of edges left means one cannot be used up unless we end here.
            if (popcount(at) & 1 == 1) != (c == city):
                cost = 99
                while at != ZERO:
                    cost = min(cost, W.edge_length[ctz(at)])
                    at &= at - ONE
                loss += cost
                top = max(top, cost)
    return total - (loss - top + 1) // 2


@kernel
def _walk(W, part, start, best):
    """Bounded depth-first walk over the edges `part` from city `start`; returns the longest found, at least `best`.

    Iterative: a recursive kernel cannot be loaded from Numba's cache as part of another.
    """
    depth = 0
    W.walk_city[0], W.walk_done[0], W.walk_left[0] = start, 0, part
    W.walk_next[0] = W.at_city[start] & part
    while depth >= 0:
        ahead = W.walk_next[depth]
        if ahead == ZERO:
            depth -= 1
            continue
        e = ctz(ahead)
        W.walk_next[depth] = ahead & (ahead - ONE)
        city = W.edge_a[e] + W.edge_b[e] - W.walk_city[depth]
        done = W.walk_done[depth] + W.edge_length[e]
        best = max(best, done)
        reach = _spread(W, city, W.walk_left[depth] & ~bit(e))
        left = 0
        rest = reach
        while rest != ZERO:
            left += W.edge_length[ctz(rest)]
            rest &= rest - ONE
        if done + left <= best or done + _slack_bound(W, reach, left, city) <= best:
            continue
        depth += 1
        W.walk_city[depth], W.walk_done[depth], W.walk_left[depth] = city, done, reach
        W.walk_next[depth] = W.at_city[city] & reach
    return best
