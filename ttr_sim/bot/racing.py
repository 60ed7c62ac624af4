"""Which of several actions, tried on common worlds, is better than the first: how much, how surely, and what may be dropped.

Action 0 is the one to beat; of each other `gain` and `square` are the sums of its worth less that of action 0, and of the
squares, over `count` worlds; `prior` (0 to 1) is how much it was liked before. An expected advantage is a posterior mean
under a normal prior. Racing after Maron and Moore, "Hoeffding Races", NIPS 6, 1994.
"""

import numpy as np

from ttr_sim.engine.jit import kernel

_LEAST_VARIANCE = 0.01  # of a world's gain: a few worlds that happen to agree must not look certain
_SURE = 2.0  # standard deviations that count as very likely


def advantage_of(gain, variance, n, trust, prior):
    """Expected advantage over action 0: the mean gain over n worlds, shrunk the more the less certain it is.

    The prior has the deviation `trust`, and its mean is the lower the less the action was liked.
    """
    before = (prior - 1.0) * 2.0 * trust
    weight = trust * trust / (trust * trust + (variance + _LEAST_VARIANCE) / max(n, 1.0))
    return weight * gain / max(n, 1.0) + (1.0 - weight) * before


_advantage = kernel(advantage_of)


@kernel
def _doubt(variance, n, trust):
    """How far above or below its expected advantage an action may well be."""
    noise = (variance + _LEAST_VARIANCE) / max(n, 1.0)
    return _SURE * trust * np.sqrt(noise / (trust * trust + noise))


@kernel
def judge(n, count, prior, gain, square, trust, score):
    """Write the expected advantage of actions 1 to n - 1 to `score`; returns the variance of a world's gain, one for all."""
    squares, samples = 0.0, 1.0
    for i in range(1, n):
        squares += square[i]
        samples += float(count[i])
    for i in range(1, n):
        score[i] = _advantage(gain[i], squares / samples, float(count[i]), trust, prior[i])
    return squares / samples


@kernel
def race(n, count, prior, gain, square, trust, alive, score):
    """Judge, then drop (`alive` 0) what is very likely not the best; returns how many are in question, 1: it is decided."""
    variance = judge(n, count, prior, gain, square, trust, score)
    sure = 0.0  # what the best is very likely worth; action 0 has no advantage
    for i in range(1, n):
        if alive[i] == 1:
            sure = max(sure, score[i] - _doubt(variance, float(count[i]), trust))
    active = 1
    for i in range(1, n):
        if alive[i] == 1 and score[i] + _doubt(variance, float(count[i]), trust) < sure:
            alive[i] = 0
        active += alive[i]
    return 1 if active == 2 and sure > 0.0 else active
