"""The tracks of a seat as a small graph in the Work record: edges 0.. as bits of one word, sets of them by city."""

import numpy as np

from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, natural, popcount
from ttr_sim.engine.jit import inlined, kernel

MAX_EDGES = 64


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
            a, b = natural(T.city_a[t]), natural(T.city_b[t])
            W.edge_a[n], W.edge_b[n], W.edge_length[n] = a, b, T.length[t]
            W.at_city[a] |= bit(n)
            W.at_city[b] |= bit(n)
            n += 1
    return n


@kernel
def spread(W, start, edges):
    """The edges of the set `edges` that are connected with city `start`."""
    reached = ZERO
    fresh = W.at_city[natural(start)] & edges
    while fresh != ZERO:
        e = ctz(fresh)
        reached |= bit(e)
        fresh |= (W.at_city[natural(W.edge_a[e])] | W.at_city[natural(W.edge_b[e])]) & edges
        fresh &= ~reached
    return reached


@kernel
def length_bits(W, n):
    """Bit 0, 1, 2 and 3 of the lengths of n edges, each as one word: four popcounts then weigh a set of edges."""
    b0 = b1 = b2 = b3 = ZERO
    for e in range(n):
        length = np.uint64(W.edge_length[e])
        b0 |= (length & ONE) << np.uint64(e)
        b1 |= ((length >> ONE) & ONE) << np.uint64(e)
        b2 |= ((length >> np.uint64(2)) & ONE) << np.uint64(e)
        b3 |= ((length >> np.uint64(3)) & ONE) << np.uint64(e)
    return b0, b1, b2, b3


@inlined
def weight(bits, edges):
    """Total length of a set of edges, given `length_bits`."""
    b0, b1, b2, b3 = bits
    return (
        popcount(edges & b0) + 2 * popcount(edges & b1) + 4 * popcount(edges & b2) + 8 * popcount(edges & b3)
    )
