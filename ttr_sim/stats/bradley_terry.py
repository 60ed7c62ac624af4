"""Bradley-Terry strengths by maximum likelihood, many data sets at once."""

import math

import numpy as np
from numpy.typing import NDArray

from ttr_sim.stats.arrays import Floats, Ints

ELO_PER_THETA = 400.0 / math.log(10.0)
HALF_TIE = 0.5  # games of the virtual tie between every bot and the field
_STEPS = 200
_TOLERANCE = 1e-6  # the last Newton step is this small, the error after it about its square


def fit(points: Floats, prior: float = HALF_TIE, start: Floats | None = None) -> Floats:
    """Strengths theta, P(i beats j) = 1 / (1 + exp(theta_j - theta_i)), shape (..., bots).

    points: points[..., i, j] of bot i against bot j, ties half, shape (..., bots, bots), not negative.
    prior: size in games of a virtual tie between every bot and the field, a player of strength 0. It keeps
    bots that won or lost everything finite and puts groups that never met around the same zero.
    start: first guess, shape (bots,) or (..., bots).

    Newton's method on the concave log-likelihood, all data sets at once. A step of length d (largest change
    of a difference) is shortened to ln(1 + d), which guarantees ascent from any start. Source: T. Sun and
    Q. Tran-Dinh, "Generalized self-concordant functions", Math. Programming 178 (2019), the case nu = 2.
    """
    if not prior > 0.0:
        raise ValueError(f"prior must be positive, got {prior}")
    games = points + np.swapaxes(points, -1, -2)
    won = points.sum(axis=-1) + 0.5 * prior
    theta: Floats = np.zeros(won.shape) if start is None else np.broadcast_to(start, won.shape).copy()
    for _ in range(_STEPS if theta.size else 0):
        step = _newton_step(theta, won, games, prior)
        length = np.maximum(step.max(axis=-1), 0.0) - np.minimum(step.min(axis=-1), 0.0)
        damping = np.where(length > 1e-9, np.log1p(length) / np.maximum(length, 1e-9), 1.0)
        theta = theta + damping[..., None] * step
        if np.max(step.max(axis=-1) - step.min(axis=-1)) < _TOLERANCE:
            break
    return theta


def _newton_step(theta: Floats, won: Floats, games: Floats, prior: float) -> Floats:
    """Solution of (minus Hessian) step = gradient."""
    expected = sigmoid(theta[..., :, None] - theta[..., None, :])
    field = sigmoid(theta)
    gradient = won - (games * expected).sum(axis=-1) - prior * field
    weight = games * expected * (1.0 - expected)
    diagonal = weight.sum(axis=-1) + prior * field * (1.0 - field)
    hessian = diagonal[..., None] * np.eye(theta.shape[-1]) - weight
    step: Floats = np.linalg.solve(hessian, gradient[..., None])[..., 0]
    return step


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)) without overflow."""
    y: Floats = 0.5 * (1.0 + np.tanh(0.5 * x))
    return y


def connected(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether two bots reach each other along directed edges, both ways; shapes (bots, bots)."""
    reach = edges | np.eye(len(edges), dtype=bool)
    for _ in range(len(edges).bit_length()):
        reach = (reach.astype(float) @ reach.astype(float)) > 0.0
    both: NDArray[np.bool_] = reach & reach.T
    return both


def components(same: NDArray[np.bool_]) -> Ints:
    """Group numbers 0, 1, ..., by lowest bot, of an equivalence relation of shape (bots, bots)."""
    if not len(same):
        return np.empty(0, np.int64)
    groups: Ints = np.unique(same.argmax(axis=1), return_inverse=True)[1]
    return groups
