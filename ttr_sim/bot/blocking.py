"""Claims that cross what the other seats likely plan, by the tickets they may hold (`ttr_sim.bot.beliefs`).

W is a WORK record, P a PLAN record (`ttr_sim.bot.planning`), M a MIND record (`ttr_sim.bot.network`), H a HUNCH record, N a
NODE record (`ttr_sim.bot.tree`).
"""

import numpy as np

from ttr_sim.bot.beliefs import believe
from ttr_sim.bot.network import expected_turns, plan
from ttr_sim.bot.planning import open_tickets
from ttr_sim.bot.tree import offer
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import MAX_TRACKS
from ttr_sim.engine.legal import claimable
from ttr_sim.engine.observe import redeal

_CLAIM = A.CLAIM
_WORLDS = 12  # in which the others' plans are looked at
_BLOCKS = 2  # most claims offered
_CROSSING = 0.4  # least share of those worlds in which another seat plans the track
_PRIOR = 0.3


@kernel
def count_plans(T, V, W, P, M, H, worlds, sets, tries, params, times):
    """Add to times[track] in how many of `tries` worlds another seat than the viewer of V plans to claim it.

    worlds: STATE array of shape (1,), overwritten. sets: as for `believe`. params: values of `ttr_sim.bot.network.PARAMS`.
    Uses the random stream of W.
    """
    counts = np.zeros(16, np.int64)
    for _ in range(tries):
        W.rng = redeal(T, V, worlds, counts, W.rng)
        S = worlds[0]
        W.rng = believe(T, V, S, P, H, sets, W.rng)
        w0 = w1 = ZERO
        for p in range(T.players):
            if p != V.viewer:
                M.clock = expected_turns(T, S, p, params)
                plan(T, S, P, M, p, open_tickets(T, S, P, p), params)
                w0, w1 = w0 | P.want[p, 0], w1 | P.want[p, 1]
        for w in range(2):
            word = w0 if w == 0 else w1
            while word != ZERO:
                times[ctz(word) + 64 * w] += 1
                word &= word - ONE


@kernel
def offer_blocks(T, V, W, P, M, H, worlds, sets, params, w0, w1, N):
    """Offer to N the claims outside a set of tracks of two words that most likely cross the plans of others.

    The other arguments are those of `count_plans`.
    """
    c0, c1 = claimable(T, V, int(V.viewer))
    c0, c1 = c0 & ~w0, c1 & ~w1
    if c0 | c1 == ZERO:
        return
    times = np.zeros(MAX_TRACKS, np.int64)
    count_plans(T, V, W, P, M, H, worlds, sets, _WORLDS, params, times)
    for t in range(T.n_tracks):
        if (c0 if t < 64 else c1) & bit(t & 63) == ZERO:
            times[t] = 0
    for _ in range(_BLOCKS):
        t = int(np.argmax(times))
        if times[t] >= _CROSSING * _WORLDS:
            offer(N, ZERO, _CLAIM + t, _PRIOR)
        times[t] = 0
