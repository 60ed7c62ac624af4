"""Block scores and the scores of games they are made of."""

import numpy as np
import pytest

from ttr_sim.stats import BlockScores, block_means, game_scores, paired_scores


def test_counts_are_ascending_scores() -> None:
    scores = BlockScores.from_counts([1, 0, 2, 0, 1])
    assert scores.values == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert (scores.blocks, scores.mean, scores.variance) == (4.0, 0.5, 0.125)


def test_scores_that_differ_in_the_last_bits_are_one_value() -> None:
    scores = BlockScores.from_scores([1 / 3, 0.1 + 0.2 + 1 / 30, 1.0])
    assert scores.counts == (0.0, 2.0, 1.0)


def test_addition_and_other_side() -> None:
    scores = BlockScores.from_scores([0.25, 1.0]) + BlockScores.from_counts([0, 1, 2])
    assert scores.values == (0.0, 0.25, 0.5, 1.0)
    assert scores.counts == (0.0, 1.0, 1.0, 3.0)
    assert scores.reversed().mean == pytest.approx(1.0 - scores.mean)
    assert scores.reversed().reversed() == scores


def test_no_blocks() -> None:
    scores = BlockScores.from_scores([])
    assert (scores.blocks, scores.mean, scores.variance) == (0.0, 0.5, 0.0)


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        ((), ()),
        ((0.0, 1.0), (1.0,)),
        ((1.0, 0.0), (1.0, 1.0)),
        ((0.0, 1.0), (-1.0, 1.0)),
        ((0.0,), (np.nan,)),
    ],
)
def test_impossible_counts(values: tuple[float, ...], counts: tuple[float, ...]) -> None:
    with pytest.raises(ValueError):
        BlockScores(values, counts)


def test_game_scores_of_any_size_in_any_order() -> None:
    game = np.array([7, 5, 7, 5, 7, 7, 9])
    rank = np.array([1, 1, 3, 1, 1, 4, 1])
    np.testing.assert_allclose(game_scores(game, rank), [2.5 / 3, 0.5, 1 / 3, 0.5, 2.5 / 3, 0.0, 0.5])


def test_block_means() -> None:
    np.testing.assert_allclose(block_means([3, 1, 3, 1], [1.0, 0.0, 0.5, 0.0]), [0.0, 0.75])


def test_paired_scores_of_equal_bots_have_mean_one_half() -> None:
    scores = paired_scores([0.5, 1.0, 0.0], [1.0, 0.0, 0.5])
    assert scores.mean == pytest.approx(0.5)
    assert scores.values == (0.0, 0.5, 1.0, 1.5)


def test_columns_of_different_length_and_type() -> None:
    with pytest.raises(ValueError, match="length"):
        game_scores([1, 1], [1])
    with pytest.raises(ValueError, match="rank"):
        game_scores([1, 1], [1.5, 2.0])
