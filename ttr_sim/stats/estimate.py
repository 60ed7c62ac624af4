"""Means with 95 % intervals over blocks."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ttr_sim.stats.arrays import as_ints, same_length
from ttr_sim.stats.distributions import Z95
from ttr_sim.stats.elo import unanimous_interval

UNBOUNDED = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval [low, high], its standard error and the number of blocks it rests on."""

    mean: float
    low: float
    high: float
    error: float
    blocks: int


def mean_over_blocks(
    values: ArrayLike, block: ArrayLike, bounds: tuple[float, float] = UNBOUNDED
) -> Estimate:
    """Mean of `values` (one per row) with a 95 % interval over the blocks (`block`: integers, one per row).

    bounds: the least and the greatest possible value, e.g. (0, 1) for a share; the interval stays inside.
    See `ratio_over_blocks` for the interval. ValueError without values.
    """
    data, blocks = np.asarray(values, dtype=np.float64), as_ints(block, "block")
    same_length(values=data, block=blocks)
    _, inverse = np.unique(blocks, return_inverse=True)
    return ratio_over_blocks(np.bincount(inverse, weights=data), np.bincount(inverse), bounds)


def ratio_over_blocks(
    totals: NDArray[Any], weights: NDArray[Any], bounds: tuple[float, float] = UNBOUNDED
) -> Estimate:
    """sum totals / sum weights with a 95 % interval, one total and one weight (number of rows) per block.

    r +- 1.96 SE with SE = sqrt(sum (total_b - r weight_b)^2) / sum weights, the linearised ratio estimator
    (W. Cochran, "Sampling Techniques", 6.3); for blocks of equal size SE = sqrt(v / N) as for block scores.
    Blocks that all agree show no spread: with bounds the interval is then the wide one of `elo.summarise`;
    without bounds it is infinite for a single block and of width 0 for several.
    """
    if not len(totals) or weights.sum() <= 0:
        raise ValueError("a mean needs at least one value")
    blocks, size = len(totals), float(weights.sum())
    mean = float(totals.sum()) / size
    error = float(np.sqrt(np.sum((totals - mean * weights) ** 2))) / size
    return estimate_of(mean, error, blocks, bounds)


def estimate_of(mean: float, error: float, blocks: int, bounds: tuple[float, float] = UNBOUNDED) -> Estimate:
    """The estimate with the interval of `ratio_over_blocks` from a mean and its standard error over blocks."""
    if error > 1e-12 * max(abs(mean), 1e-12) and blocks > 1:
        low, high = mean - Z95 * error, mean + Z95 * error
    elif bounds != UNBOUNDED:
        low, high = unanimous_interval(mean, blocks, *bounds)
    else:
        low, high = (mean, mean) if blocks > 1 else UNBOUNDED
    return Estimate(mean, max(low, bounds[0]), min(high, bounds[1]), error, blocks)


def share_of_blocks(share: float, blocks: int) -> Estimate:
    """A share of the games of so many blocks, with its 95 % score interval (E. B. Wilson, 1927).

    Each block counts as one trial, as if its games always agreed, so that the interval is rather too wide than too narrow.
    """
    room = Z95**2 / blocks
    middle = (share + room / 2) / (1 + room)
    half = math.sqrt(room * (share * (1 - share) + room / 4)) / (1 + room)
    error = math.sqrt(share * (1 - share) / blocks)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half), error, blocks)
