"""random: a legal action uniformly at random. The yardstick every other bot must beat."""

from ttr_sim.bot import policy
from ttr_sim.engine.bits import GOLD, mix, scale


@policy()
def random(T, V, W, params, memory):
    """Choose uniformly among the legal actions."""
    W.rng = W.rng + GOLD
    return int(W.acts[scale(mix(W.rng), W.n)])
