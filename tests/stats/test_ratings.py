"""Ratings with bootstrap intervals: coverage, seeds, anchors, and fields that never met."""

import time
from itertools import combinations

import numpy as np
import pytest

from ttr_sim.stats import MAX_ELO, PairTable, pair_table, rate, summarise
from ttr_sim.stats.pairs import pair_scores

ELO = 400 / np.log(10)


def _rows(bots: int, players: int, blocks: int, spread: float, seed: int) -> np.ndarray:
    """Seat rows of a round robin, `blocks` of every line-up in all rotations, without ties."""
    rng = np.random.default_rng(seed)
    line_up = np.repeat(np.array(list(combinations(range(bots), players))), blocks, axis=0)
    bot = np.stack([np.roll(line_up, turn, axis=1) for turn in range(players)], axis=1)
    strength = np.linspace(-spread, spread, bots)[bot] + rng.gumbel(size=bot.shape)
    rank = 1 + (strength[..., None, :] > strength[..., :, None]).sum(axis=-1)
    game = np.repeat(np.arange(len(line_up) * players), players)
    return np.stack([game // players, game, bot.ravel(), rank.ravel()])


def _pairs(rows: np.ndarray, bots: int) -> PairTable:
    return pair_table(rows[0], rows[1], rows[2], rows[3], bots)


def _table(bots: int, players: int, blocks: int, spread: float, seed: int) -> PairTable:
    return _pairs(_rows(bots, players, blocks, spread, seed), bots)


@pytest.mark.parametrize(("bots", "players", "blocks"), [(2, 2, 40), (5, 2, 3), (8, 2, 10), (6, 4, 3)])
def test_intervals_cover_the_truth(bots: int, players: int, blocks: int) -> None:
    truth = ELO * np.linspace(-0.5, 0.5, bots)
    hits = []
    for seed in range(30):
        ratings = rate(_table(bots, players, blocks, 0.5, seed), replicates=200, seed=seed)
        hits.append((ratings.low <= truth) & (truth <= ratings.high))
    assert 0.87 <= np.mean(hits) <= 1.0


def test_two_bots_agree_with_the_pentanomial() -> None:
    table = _table(2, 2, 400, 0.3, seed=1)
    ratings, summary = rate(table, anchor=0), summarise(pair_scores(table, 1, 0))
    assert ratings.elo[1] == pytest.approx(summary.elo, abs=0.5)
    assert ratings.error[1] == pytest.approx(summary.error, rel=0.1)
    assert ratings.los[1, 0] > 0.99


def test_same_seed_same_ratings_in_any_order_of_rows() -> None:
    rows = _rows(4, 3, 5, 0.5, seed=2)
    mixed = rows[:, np.random.default_rng(1).permutation(rows.shape[1])]
    first, second = (rate(_pairs(r, 4), replicates=100, seed=7) for r in (rows, mixed))
    other = rate(_pairs(rows, 4), replicates=100, seed=8)
    for name in ("elo", "low", "high", "los"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    assert not np.array_equal(first.low, other.low)


def test_zero_is_the_mean_or_the_anchor() -> None:
    table = _table(4, 2, 5, 0.5, seed=3)
    free, anchored = rate(table, replicates=50), rate(table, anchor=2, replicates=50)
    assert free.elo.sum() == pytest.approx(0.0, abs=1e-9)
    assert anchored.elo[2] == anchored.low[2] == anchored.high[2] == 0.0
    np.testing.assert_allclose(anchored.elo - anchored.elo.mean(), free.elo)
    np.testing.assert_array_equal(free.los, anchored.los)


def test_superiority_matrix() -> None:
    ratings = rate(_table(4, 2, 20, 0.5, seed=4), replicates=200)
    np.testing.assert_allclose(ratings.los + ratings.los.T, 1.0)
    assert np.all(ratings.los > 0.0)
    assert ratings.los[3, 0] > 0.95


@pytest.mark.parametrize("blocks", [1, 4, 1000])
def test_a_bot_that_won_everything_has_a_wide_interval(blocks: int) -> None:
    game = np.repeat(np.arange(2 * blocks), 2)
    table = pair_table(game // 2, game, np.tile([0, 1], 2 * blocks), np.tile([1, 2], 2 * blocks), 2)
    ratings = rate(table, anchor=1, replicates=400)
    lost = ELO * np.log((2 * blocks + 0.25) / 2.25)  # about what two losses more would have made of it
    assert ratings.low[0] < lost + 50 < ratings.elo[0] + 100
    assert ratings.low[0] < ratings.elo[0] <= ratings.high[0] < MAX_ELO
    assert ratings.los[0, 1] < 1.0


def test_equal_bots_that_always_split_have_a_narrow_interval() -> None:
    game = np.repeat(np.arange(4000), 2)
    table = pair_table(game // 2, game, np.tile([0, 1], 4000), np.tile([1, 2, 2, 1], 2000), 2)
    ratings = rate(table)
    assert ratings.elo.tolist() == [0.0, 0.0]
    assert 0.0 < ratings.error.max() < 1.0
    assert ratings.los[0, 1] == pytest.approx(0.5, abs=0.06)


def test_groups_that_never_met() -> None:
    block, game, bot, rank = _rows(2, 2, 30, 0.5, seed=5)
    games = len(game) // 2
    table = pair_table(
        np.concatenate([block, block + 1000]),
        np.concatenate([game, game + games]),
        np.concatenate([bot, bot + 2]),
        np.concatenate([rank, rank]),
        5,
    )
    ratings = rate(table, replicates=100)
    assert ratings.group.tolist() == [0, 0, 1, 1, 2]
    assert not ratings.connected
    assert ratings.elo[0] == pytest.approx(ratings.elo[2])
    assert ratings.los[0, 1] < 0.2 < ratings.los[0, 3] == 0.5
    assert (ratings.low[4], ratings.high[4]) == (-MAX_ELO, MAX_ELO)


@pytest.mark.parametrize("bots", [0, 1, 3])
def test_no_games(bots: int) -> None:
    ratings = rate(pair_table([], [], [], [], bots), replicates=10)
    assert ratings.elo.tolist() == [0.0] * bots
    assert ratings.los.shape == (bots, bots)
    assert ratings.low.tolist() == [-MAX_ELO] * bots


def test_everything_is_finite_on_unfinished_runs() -> None:
    rows = _rows(5, 3, 2, 2.0, seed=6)
    for end in range(3, 40, 3):
        ratings = rate(_pairs(rows[:, :end], 5), replicates=20)
        assert np.isfinite(np.concatenate([ratings.elo, ratings.low, ratings.high])).all()


def test_bad_options() -> None:
    table = _table(2, 2, 2, 0.5, seed=1)
    with pytest.raises(ValueError, match="anchor"):
        rate(table, anchor=2)
    with pytest.raises(ValueError, match="replicates"):
        rate(table, replicates=0)


def test_many_games_are_rated_quickly() -> None:
    """200,000 games of 8 bots; a million is promised within 20 s."""
    rows = _rows(8, 2, 3571, 0.5, seed=1)
    start = time.perf_counter()
    ratings = rate(_pairs(rows, 8))
    assert time.perf_counter() - start < 4.0
    assert ratings.error.max() < 5.0


def test_blocks_with_many_different_results() -> None:
    """Large line-ups are resampled by drawing blocks, small ones by multinomial counts: same spread."""
    rows = _rows(4, 4, 2500, 0.5, seed=1)
    few = rows[:, : rows.shape[1] // 25]
    large, small = rate(_pairs(rows, 4), replicates=300), rate(_pairs(few, 4), replicates=300)
    np.testing.assert_allclose(small.error / large.error, 5.0, rtol=0.3)
