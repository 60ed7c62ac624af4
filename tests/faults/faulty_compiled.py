"""A compiled bot that does one wrong thing in some of its games, for real."""

from ttr_sim.bot import Param, policy
from ttr_sim.engine.bits import GOLD, mix, scale
from ttr_sim.engine.clock import now_ns

LATE_NS = 400_000_000


@policy(
    params={"how": Param("", choices=("", "loop", "late", "raise", "illegal")), "rate": Param(0.01, 0.0, 1.0)}
)
def faulty(T, V, W, params, memory):
    W.rng = W.rng + GOLD
    if scale(mix(W.rng), 10_000) < 10_000 * params[1]:
        begun = now_ns()
        while params[0] == 1.0 or (params[0] == 2.0 and now_ns() < begun + LATE_NS):
            W.rng = W.rng + GOLD
        if params[0] == 3.0:
            raise ValueError("no idea")
        if params[0] == 4.0:
            return 387
    return int(W.acts[W.n - 1])
