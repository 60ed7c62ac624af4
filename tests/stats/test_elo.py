"""Elo of block scores: known numbers, and nothing that is not a number."""

import dataclasses
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttr_sim.stats import MAX_ELO, BlockScores, elo_to_score, normalised_elo, score_to_elo, summarise

KNOWN = [
    ((379, 10170, 21828, 10640, 343), 2, 1.5946, 1.2087, 0.9951),
    ((13, 37, 50, 25, 3), 2, -43.6578, 29.4272, 0.0016),
    ((10, 20, 30), 1, 120.412, 75.26, 0.9997),
]


@pytest.mark.parametrize(("counts", "games", "elo", "error", "los"), KNOWN)
def test_known_values(counts: tuple[int, ...], games: int, elo: float, error: float, los: float) -> None:
    summary = summarise(BlockScores.from_counts(counts), games)
    assert summary.elo == pytest.approx(elo, abs=6e-5 if games == 2 else 6e-4)
    assert summary.error == pytest.approx(error, abs=6e-5 if games == 2 else 6e-3)
    assert summary.los == pytest.approx(los, abs=6e-5)
    assert not summary.one_sided


def test_normalised_elo_of_wins_draws_losses() -> None:
    scores = BlockScores.from_counts([10, 20, 30])
    sigma = math.sqrt(scores.variance)
    assert summarise(scores, 1).nelo == pytest.approx((2 / 3 - 0.5) / sigma * 800 / math.log(10))
    assert normalised_elo(0.6, 0.0) == MAX_ELO
    assert normalised_elo(0.4, 0.0) == -MAX_ELO
    assert normalised_elo(0.5, 0.0) == 0.0


@given(st.floats(-2399.0, 2399.0))
def test_score_and_elo_are_inverse(elo: float) -> None:
    assert score_to_elo(elo_to_score(elo)) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize("elo", [math.inf, -math.inf, 1e300])
def test_far_elo(elo: float) -> None:
    assert elo_to_score(elo) == pytest.approx(1.0 if elo > 0 else 0.0, abs=1e-100)
    assert score_to_elo(elo_to_score(elo)) == math.copysign(MAX_ELO, elo)


@settings(deadline=None)
@given(st.lists(st.integers(0, 1000), min_size=2, max_size=9), st.integers(1, 5))
def test_always_finite_ordered_and_symmetric(counts: list[int], games: int) -> None:
    scores = BlockScores.from_counts(counts)
    here, there = summarise(scores, games), summarise(scores.reversed(), games)
    assert all(math.isfinite(x) for x in dataclasses.astuple(here))
    assert here.low <= here.elo <= here.high
    assert here.nelo_low <= here.nelo <= here.nelo_high
    assert 0.0 <= here.los <= 1.0
    assert here.elo == pytest.approx(-there.elo, abs=1e-6)
    assert here.low == pytest.approx(-there.high, abs=1e-6)
    assert here.los == pytest.approx(1.0 - there.los, abs=1e-9)


def test_no_blocks_know_nothing() -> None:
    summary = summarise(BlockScores.from_counts([0, 0, 0, 0, 0]))
    assert (summary.elo, summary.low, summary.high, summary.los) == (0.0, -MAX_ELO, MAX_ELO, 0.5)


def test_one_sided_interval_is_clopper_pearson() -> None:
    summary = summarise(BlockScores.from_counts([0, 0, 0, 0, 100]))
    assert summary.one_sided
    assert summary.elo == summary.high == MAX_ELO
    assert summary.score_low == pytest.approx(0.025 ** (1 / 100))
    assert 500.0 < summary.low < 600.0
    assert summarise(BlockScores.from_counts([0, 0, 0, 0, 1])).los == pytest.approx(0.75)


def test_equal_bots_that_always_split_the_block() -> None:
    summary = summarise(BlockScores.from_counts([0, 0, 5000, 0, 0]))
    assert (summary.elo, summary.los) == (0.0, 0.5)
    assert 0.0 < summary.error < 1.0
