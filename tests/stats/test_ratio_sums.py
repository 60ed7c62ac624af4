"""Ratios summed block by block give what `ratio_over_blocks` gives for all blocks at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ttr_sim.stats import RatioSums
from ttr_sim.stats.estimate import ratio_over_blocks

RNG = np.random.default_rng(3)
WEIGHTS = RNG.integers(0, 4, (60, 5))
TOTALS = RNG.normal(3, 2, (60, 5)) * WEIGHTS


def summed(totals: np.ndarray, weights: np.ndarray, pieces: int) -> RatioSums:
    sums = RatioSums(totals.shape[1:])
    for part in np.array_split(np.arange(len(totals)), pieces):
        sums.add(totals[part], weights[part])
    return sums


@pytest.mark.parametrize("pieces", [1, 7, 60])
def test_the_same_as_at_once(pieces: int) -> None:
    sums = summed(TOTALS, WEIGHTS, pieces)
    for i in range(5):
        seen = WEIGHTS[:, i] > 0
        expected = ratio_over_blocks(TOTALS[seen, i], WEIGHTS[seen, i], (-1.0, 9.0))
        found = sums.at(i, (-1.0, 9.0))
        assert found is not None
        assert (found.mean, found.low, found.high, found.error) == pytest.approx(
            (expected.mean, expected.low, expected.high, expected.error)
        )
        assert found.blocks == expected.blocks == sums.blocks[i]


def test_a_part_of_the_array_and_one_weight_for_all() -> None:
    sums = RatioSums((2, 5))
    sums.add(TOTALS, np.ones((60, 1)), where=1)
    assert sums.at((0, 3)) is None and np.isnan(sums.mean[0, 3]) and np.isnan(sums.error[0, 3])
    expected = ratio_over_blocks(TOTALS[:, 3], np.ones(60))
    found = sums.at((1, 3))
    assert found is not None and found.mean == pytest.approx(expected.mean)
    assert found.error == pytest.approx(expected.error)


def test_a_single_ratio() -> None:
    sums = RatioSums()
    assert sums.at() is None
    sums.add(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    found = sums.at()
    assert found is not None and found.mean == 1.5


@pytest.mark.parametrize("value", [0.0, 1.0, 1 / 3])
def test_blocks_that_agree_have_no_spread_in_spite_of_rounding(value: float) -> None:
    sums = RatioSums()
    for _ in range(1000):
        sums.add(np.full(7, value * 3), np.full(7, 3.0))
    found, expected = (
        sums.at((), (0.0, 1.0)),
        ratio_over_blocks(np.full(7000, value), np.ones(7000), (0.0, 1.0)),
    )
    assert found is not None and found.error == 0
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_one_block_says_nothing_of_the_spread() -> None:
    sums = RatioSums()
    sums.add(np.array([5.0]), np.array([2.0]))
    found = sums.at()
    assert found is not None and (found.low, found.high) == (-math.inf, math.inf)
