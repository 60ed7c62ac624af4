"""Length of the longest continuous path of a seat, exactly.

The heaviest trail of a connected network is its heaviest connected part with two odd cities (or none, when the whole is
even), and its ends are odd cities of the whole network: else it could be made longer. So for each pair of odd cities
the parts that join them are one spanning-tree path combined with any set of independent cycles, walked in Gray code.
"""

import numpy as np

from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, natural, popcount
from ttr_sim.engine.cuts import best_cut
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.network import MAX_EDGES, length_bits, load_network, spread, weight

_GRAY_LIMIT = 8  # with more independent cycles the 2^cycles sets take longer than the search for cuts


@kernel
def longest_trail(T, W, own, floor):
    """Length in trains of the longest trail over the tracks of `own` (two words), or `floor` if none is longer."""
    n = load_network(T, W, own)
    bits = length_bits(W, n)
    best = floor
    left = (bit(n) - ONE) if n < MAX_EDGES else ~ZERO
    while left != ZERO:
        part = spread(W, W.edge_a[ctz(left)], left)
        left &= ~part
        total = weight(bits, part)
        if total > best:
            odd = _odd_cities(W, part)
            best = max(best, total if odd <= 2 else _best_pair(W, part, odd, total, best, bits))
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
            city = natural(W.edge_a[e] if side == 0 else W.edge_b[e])
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
        city = natural(W.queue[head])
        head += 1
        at = W.at_city[city] & rest
        while at != ZERO:
            e = ctz(at)
            at &= at - ONE
            other = natural(W.edge_a[e] + W.edge_b[e] - city)
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
        W.cycles[n] = W.root_path[natural(W.edge_a[e])] ^ W.root_path[natural(W.edge_b[e])] ^ bit(e)
        n += 1
    return n


@kernel
def _best_pair(W, part, odd, total, best, bits):
    """Best trail of a part with more than two odd cities, or `best` when none is longer."""
    n_cycles = _span(W, part)
    if n_cycles > _GRAY_LIMIT:
        return best_cut(W, part, odd, total, best, bits)
    half = 0  # every odd city but the two ends gives up at least its shortest edge, which two may share
    for i in range(odd):
        half += W.odd_cost[W.odd[i]]
    for i in range(odd):
        for j in range(i + 1, odd):
            u, v = natural(W.odd[i]), natural(W.odd[j])
            if total - (half - W.odd_cost[u] - W.odd_cost[v] + 1) // 2 <= best:
                break  # the following v are cheaper: their bound is lower still
            edges = W.root_path[u] ^ W.root_path[v]
            for code in range(1 << n_cycles):
                if code > 0:
                    edges ^= W.cycles[ctz(np.uint64(code))]
                length = weight(bits, edges)
                if length > best and spread(W, u, edges) == edges:
                    best = length
    return best
