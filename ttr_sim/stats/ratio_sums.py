"""Many ratios at once, summed block by block: what their intervals need, in memory that does not grow."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ttr_sim.stats.arrays import Floats, Ints
from ttr_sim.stats.estimate import UNBOUNDED, Estimate, estimate_of

# Sums of squares lose about this share of their digits' worth: below it blocks count as agreeing.
_NOISE = 1e-12


class RatioSums:
    """An array of ratios sum total / sum weight, of the given shape; the blocks come in pieces, each block whole.

    `at` gives what `ratio_over_blocks` gives for all blocks together; blocks of weight 0 do not count as blocks.
    """

    def __init__(self, shape: int | tuple[int, ...] = ()) -> None:
        self._total, self._weight = np.zeros(shape), np.zeros(shape)
        self._tt, self._tw, self._ww = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self._blocks: Ints = np.zeros(shape, np.int64)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of ratios."""
        return self._blocks.shape

    @property
    def weight(self) -> Floats:
        """Sums of the weights: the numbers of observations."""
        return self._weight

    @property
    def mean(self) -> Floats:
        """The ratios; NaN where nothing was observed."""
        return _divided(self._total, self._weight)

    @property
    def blocks(self) -> Ints:
        """Numbers of the blocks in which something was observed."""
        return self._blocks

    @property
    def error(self) -> Floats:
        """Standard errors of the ratios over blocks; NaN where nothing was observed, 0 where all blocks agree."""
        mean = self.mean
        spread = self._tt - 2 * mean * self._tw + mean**2 * self._ww
        spread = np.where(spread < _NOISE * (self._tt + mean**2 * self._ww), 0.0, spread)
        return _divided(np.sqrt(spread), self._weight)

    def add(self, totals: NDArray[Any], weights: NDArray[Any], where: Any = ...) -> None:
        """Add blocks; totals and weights: shape (blocks, *shape), or what can be broadcast to it.

        where: an index of `shape`; then only that part of the array is added to.
        """
        shape = (max(len(totals), len(weights)), *self._blocks[where].shape)
        t = np.broadcast_to(totals, shape).astype(np.float64, copy=False)
        w = np.broadcast_to(weights, shape).astype(np.float64, copy=False)
        self._total[where] += t.sum(axis=0)
        self._weight[where] += w.sum(axis=0)
        self._tt[where] += np.einsum("b...,b...->...", t, t)
        self._tw[where] += np.einsum("b...,b...->...", t, w)
        self._ww[where] += np.einsum("b...,b...->...", w, w)
        self._blocks[where] += np.count_nonzero(w, axis=0)

    def at(self, index: Any = (), bounds: tuple[float, float] = UNBOUNDED) -> Estimate | None:
        """One ratio with its 95 % interval; None where nothing was observed."""
        if not self._weight[index] > 0:
            return None
        return estimate_of(
            float(self.mean[index]), float(self.error[index]), int(self._blocks[index]), bounds
        )


def _divided(totals: Floats, weights: Floats) -> Floats:
    ratios: Floats = np.divide(totals, weights, out=np.full(totals.shape, np.nan), where=weights > 0)
    return ratios
