"""Maximum-likelihood distributions of block scores under an Elo hypothesis (for the sequential test)."""

import math
from collections.abc import Sequence

from ttr_sim.stats.elo import NELO_SCALE, elo_to_score

_ROUNDS = 10
_CHANGE = 1e-9
_PRECISION = 1e-15


def logistic_mle(values: Sequence[float], p: Sequence[float], elo: float) -> list[float]:
    """The likeliest distribution on `values` with mean 1 / (1 + 10^(-elo / 400)), given shares p > 0.

    Source: M. Van den Bergh, "Comments on approximations of the GSPRT", "support_MLE_multinomial", Prop. 1.1.
    """
    mean = elo_to_score(elo)
    return _tilt(p, [x - mean for x in values])


def normalised_mle(
    values: Sequence[float], p: Sequence[float], elo: float, games_per_block: int
) -> list[float]:
    """The likeliest distribution with (mean - 1/2) / sigma = elo / (800 / ln 10) * sqrt(games_per_block).

    At most ten rounds from the uniform distribution; far hypotheses, for which that start has no solution,
    go on from the moments of the distribution on {0, 1} that fulfils them. `values` must span 0 and 1.
    Source: M. Van den Bergh, "Normalized Elo in practice", section 4.1.
    """
    t = elo / NELO_SCALE * math.sqrt(games_per_block)
    current = [1.0 / len(values)] * len(values)
    mu, sigma = _moments(values, current)
    for _ in range(_ROUNDS):
        phi = [x - 0.5 - t * sigma * (1.0 + ((x - mu) / sigma) ** 2) / 2.0 for x in values]
        if not min(phi) < 0.0 < max(phi):
            mu, sigma = 0.5 + 0.5 * t / math.hypot(1.0, t), 0.5 / math.hypot(1.0, t)
            continue
        previous, current = current, _tilt(p, phi)
        mu, sigma = _moments(values, current)
        if max(abs(a - b) for a, b in zip(current, previous, strict=True)) < _CHANGE:
            break
    return current


def _moments(values: Sequence[float], p: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation of the distribution p on values."""
    mu = sum(q * x for q, x in zip(p, values, strict=True))
    return mu, math.sqrt(sum(q * (x - mu) ** 2 for q, x in zip(p, values, strict=True)))


def _tilt(p: Sequence[float], a: Sequence[float]) -> list[float]:
    """p_i / (1 + theta a_i) with theta the root of sum p_i a_i / (1 + theta a_i) = 0."""
    theta = _root(p, a)
    return [q / (1.0 + theta * x) for q, x in zip(p, a, strict=True)]


def _root(p: Sequence[float], a: Sequence[float]) -> float:
    """Newton's method inside ]-1 / max a, -1 / min a[, where the sum falls from +inf to -inf."""
    low, high = -1.0 / max(a), -1.0 / min(a)
    theta = 0.0
    for _ in range(200):
        terms = [x / (1.0 + theta * x) for x in a]
        f = sum(q * t for q, t in zip(p, terms, strict=True))
        slope = sum(q * t * t for q, t in zip(p, terms, strict=True))
        low, high = (theta, high) if f > 0.0 else (low, theta)
        step = f / slope
        if abs(step) <= _PRECISION * abs(theta) or f == 0.0:
            break
        theta = theta + step if low < theta + step < high else (low + high) / 2.0
    return theta
