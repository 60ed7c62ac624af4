"""Means and seat effect with intervals over blocks."""

import math

import numpy as np
import pytest

from ttr_sim.stats import mean_over_blocks, seat_effect, share_of_blocks


def test_mean_over_equal_blocks() -> None:
    estimate = mean_over_blocks([1.0, 3.0, 5.0, 7.0], [0, 0, 1, 1])
    assert (estimate.mean, estimate.blocks) == (4.0, 2)
    assert estimate.error == pytest.approx(2.0 / math.sqrt(2))
    assert estimate.high - estimate.mean == pytest.approx(1.959964 * estimate.error)


def test_games_of_a_block_count_once() -> None:
    values = np.random.default_rng(1).normal(size=100)
    alone = mean_over_blocks(values, np.arange(100))
    copied = mean_over_blocks(np.repeat(values, 10), np.repeat(np.arange(100), 10))
    assert copied.error == pytest.approx(alone.error)
    assert copied.mean == pytest.approx(alone.mean)


def test_blocks_without_spread() -> None:
    assert mean_over_blocks([0.3], [1]).low == -math.inf
    assert mean_over_blocks([0.1, 0.1, 0.1], [1, 2, 3]).high == pytest.approx(0.1)
    share = mean_over_blocks([1.0] * 10, range(10), bounds=(0.0, 1.0))
    assert (share.mean, share.high) == (1.0, 1.0)
    assert share.low == pytest.approx(0.025**0.1)


def test_intervals_stay_inside_the_bounds() -> None:
    share = mean_over_blocks([1.0, 1.0, 1.0, 0.0], range(4), bounds=(0.0, 1.0))
    assert share.high == 1.0


def test_mean_of_nothing() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        mean_over_blocks([], [])


def _rows(blocks: int, players: int, advantage: float, seed: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=(blocks * players, players))
    strength[:, 0] += advantage
    rank = 1 + (strength[:, None, :] > strength[:, :, None]).sum(axis=2)
    game = np.repeat(np.arange(blocks * players), players)
    seat = np.tile(np.arange(players), blocks * players)
    return game // players, game, seat, rank.ravel()


@pytest.mark.parametrize("players", [2, 3, 5])
def test_seat_effect(players: int) -> None:
    even, uneven = seat_effect(*_rows(300, players, 0.0, 1)), seat_effect(*_rows(300, players, 0.5, 1))
    assert even.p > 0.01
    assert uneven.p < 1e-6
    assert uneven.shares[0].low > 1.0 / players
    assert sum(share.mean for share in uneven.shares) == pytest.approx(1.0)
    assert (even.games, len(even.shares)) == (300 * players, players)


def test_seat_effect_is_fair_under_dependence() -> None:
    """Games of a block that copy each other do not make chance differences significant."""
    p = []
    for seed in range(40):
        block, game, seat, rank = _rows(60, 3, 0.0, seed)
        p.append(seat_effect(block, game, seat, rank.reshape(60, 3, 3)[:, [0, 0, 0]].ravel()).p)
    assert sum(x < 0.05 for x in p) <= 6


def test_shared_victories_are_shared() -> None:
    effect = seat_effect([0, 0, 0], [0, 0, 0], [2, 0, 1], [1, 1, 3])
    assert [share.mean for share in effect.shares] == [0.5, 0.0, 0.5]


def test_seat_effect_refuses_mixed_sizes_and_wrong_seats() -> None:
    with pytest.raises(ValueError, match="same number"):
        seat_effect([0] * 5, [0, 0, 1, 1, 1], [0, 1, 0, 1, 2], [1, 2, 1, 2, 3])
    with pytest.raises(ValueError, match="seat"):
        seat_effect([0, 0], [0, 0], [1, 1], [1, 2])
    with pytest.raises(ValueError, match="same number"):
        seat_effect([], [], [], [])


@pytest.mark.parametrize(
    ("share", "blocks", "low", "high"),
    [(0.3, 10, 0.1078, 0.6032), (0.0, 10, 0.0, 0.2775), (1.0, 10, 0.7225, 1.0), (0.5, 1000, 0.4691, 0.5309)],
)
def test_share_of_blocks(share: float, blocks: int, low: float, high: float) -> None:
    estimate = share_of_blocks(share, blocks)
    assert (estimate.mean, estimate.blocks) == (share, blocks)
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=1e-4)
