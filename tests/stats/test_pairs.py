"""Games broken into pairs, and the head-to-head table made of them."""

import numpy as np
import pytest

from ttr_sim.stats import PairTable, head_to_head, pair_scores, pair_table

# block, game, bot, rank: block 4 is a pair of two-player games, block 2 a game of three with a tie.
ROWS = np.array(
    [
        (4, 10, 0, 1), (4, 10, 2, 2),
        (4, 11, 2, 1), (4, 11, 0, 1),
        (2, 5, 1, 1), (2, 5, 2, 3), (2, 5, 0, 1),
    ]
)  # fmt: skip


def _table(rows: np.ndarray = ROWS) -> PairTable:
    block, game, bot, rank = rows.T
    return pair_table(block, game, bot, rank, bots=3)


def test_pairs_by_block() -> None:
    table = _table()
    columns = np.stack([table.block, table.first, table.second, table.wins, table.ties, table.losses], axis=1)
    expected = [(0, 0, 1, 0, 1, 0), (0, 0, 2, 1, 0, 0), (0, 1, 2, 1, 0, 0), (1, 0, 2, 1, 1, 0)]
    np.testing.assert_array_equal(columns, expected)
    assert table.stratum.tolist() == [1, 0]


def test_order_of_rows_does_not_matter() -> None:
    plain, mixed = _table(), _table(ROWS[[6, 2, 0, 5, 1, 4, 3]])
    for name in ("stratum", "block", "first", "second", "wins", "ties", "losses"):
        np.testing.assert_array_equal(getattr(plain, name), getattr(mixed, name))


def test_point_matrix() -> None:
    assert _table().point_matrix().tolist() == [[0, 0.5, 2.5], [0.5, 0, 1], [0.5, 0, 0]]


def test_strata_are_line_ups_within_what_is_given() -> None:
    block = np.repeat(np.arange(4), 2)
    bot = np.array([0, 1, 1, 0, 0, 1, 0, 2])
    table = pair_table(block, block, bot, np.tile([1, 2], 4), 3, stratum=np.repeat([0, 0, 9, 9], 2))
    assert len(set(table.stratum.tolist())) == 3
    assert table.stratum[0] == table.stratum[1]


def test_pair_scores_from_both_sides() -> None:
    table = _table()
    assert pair_scores(table, 0, 2).mean == pytest.approx(0.875)
    assert pair_scores(table, 2, 0) == pair_scores(table, 0, 2).reversed()


def test_a_bot_against_itself_is_left_out() -> None:
    table = pair_table([0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 2, 3], 2)
    assert table.games.tolist() == [2]
    assert table.losses.tolist() == [2]


def test_no_rows() -> None:
    table = pair_table([], [], [], [], 3)
    assert len(table.block) == len(table.stratum) == 0
    assert head_to_head(table) == ()


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="bot: numbers must be 0 to 1, got 0 to 2"):
        pair_table(ROWS[:, 0], ROWS[:, 1], ROWS[:, 2], ROWS[:, 3], bots=2)
    with pytest.raises(ValueError, match="length"):
        pair_table([0], [0, 0], [0, 1], [1, 2], bots=2)


def test_head_to_head() -> None:
    rows = head_to_head(_table())
    assert [(r.bot, r.opponent, r.games, r.wins, r.ties, r.losses) for r in rows] == [
        (0, 1, 1, 0, 1, 0), (0, 2, 3, 2, 1, 0), (1, 0, 1, 0, 1, 0),
        (1, 2, 1, 1, 0, 0), (2, 0, 3, 0, 1, 2), (2, 1, 1, 0, 0, 1),
    ]  # fmt: skip
    assert rows[1].score.mean == pytest.approx(2.5 / 3)
    assert rows[1].score.low <= rows[1].score.mean <= rows[1].score.high <= 1.0
    assert rows[1].reversed() == rows[4]


def test_head_to_head_interval_is_that_of_the_block_scores() -> None:
    rng = np.random.default_rng(3)
    block, game, bot = np.repeat(np.arange(200), 4), np.repeat(np.arange(400), 2), np.tile([0, 1], 400)
    table = pair_table(block, game, bot, rng.integers(1, 3, 800), 2)
    scores, row = pair_scores(table, 0, 1), head_to_head(table)[0]
    assert row.score.error == pytest.approx(np.sqrt(scores.variance / scores.blocks))
