"""Every game broken into its pairs of bots, summed over the games of a block."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ttr_sim.stats.arrays import Floats, Ints, as_ints, by_size, same_length, small_ints
from ttr_sim.stats.blocks import BlockScores


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Results of pairs of bots by block: one row for every two bots that met in a block.

    bots: number of bots, known by index. stratum: shape (blocks,), which line-up a block belongs to.
    block, first, second, wins, ties, losses: shape (rows,), sorted by block, first, second; first < second;
    wins, ties and losses of the first against the second, in games.
    """

    bots: int
    stratum: Ints
    block: Ints
    first: Ints
    second: Ints
    wins: Ints
    ties: Ints
    losses: Ints

    @property
    def games(self) -> Ints:
        """Meetings of the pair in the block, shape (rows,)."""
        return self.wins + self.ties + self.losses

    @property
    def points(self) -> Floats:
        """Points of the first bot against the second, wins + ties / 2, shape (rows,)."""
        return self.wins + 0.5 * self.ties

    def point_matrix(self) -> Floats:
        """Points of bot i against bot j over all blocks, shape (bots, bots)."""
        matrix = np.zeros((self.bots, self.bots))
        np.add.at(matrix, (self.first, self.second), self.points)
        np.add.at(matrix, (self.second, self.first), self.losses + 0.5 * self.ties)
        return matrix


def pair_table(
    block: ArrayLike,
    game: ArrayLike,
    bot: ArrayLike,
    rank: ArrayLike,
    bots: int,
    stratum: ArrayLike | None = None,
) -> PairTable:
    """Pairs from seat rows, in any order.

    block, game, bot, rank: integers, one per seat row. Block and game numbers must be unique over all runs
    given together; 0 <= bot < bots; the smaller rank is the better one, equal ranks tie. The table does not
    depend on the order of the rows. A bot's meetings with itself are left out.
    stratum: what a schedule fixes beside the line-up (board, preset, run), integers, one per row; blocks are
    later resampled among those of equal stratum and line-up (the bots of a game, whatever their seats).
    """
    blocks, games = as_ints(block, "block"), as_ints(game, "game")
    who, ranks = small_ints(bot, "bot"), small_ints(rank, "rank")
    outer = np.zeros(len(blocks), np.int8) if stratum is None else small_ints(stratum, "stratum")
    same_length(block=blocks, game=games, bot=who, rank=ranks, stratum=outer)
    if len(who) and not 0 <= who.min() <= who.max() < bots:
        raise ValueError(f"bot: numbers must be 0 to {bots - 1}, got {who.min()} to {who.max()}")
    numbers, dense = np.unique(blocks, return_inverse=True)
    keys = np.concatenate([np.empty(0, np.int64), *_keys(dense, games, who, ranks, bots)])
    return PairTable(bots, _strata(len(numbers), dense, games, who, outer, bots), *_counted(keys, bots))


def pair_scores(table: PairTable, first: int, second: int) -> BlockScores:
    """Block scores of bot `first` against bot `second` in the blocks in which they met."""
    low, high = min(first, second), max(first, second)
    rows = (table.first == low) & (table.second == high)
    scores = BlockScores.from_scores(table.points[rows] / table.games[rows])
    return scores if first < second else scores.reversed()


def _keys(block: Ints, game: Ints, bot: NDArray[Any], rank: NDArray[Any], bots: int) -> Iterator[Ints]:
    """One number for block, first, second and outcome (0 loss, 1 tie, 2 win) of every pair of every game."""
    for rows in by_size(game):
        for a, b in combinations(rows.T, 2):
            swap = bot[a] > bot[b]
            first, second = np.where(swap, b, a), np.where(swap, a, b)
            outcome = 1 + (rank[first] < rank[second]) - 1 * (rank[first] > rank[second])
            key = ((block[first] * bots + bot[first]) * bots + bot[second]) * 3 + outcome
            yield key[bot[a] != bot[b]]


def _counted(keys: Ints, bots: int) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints]:
    """Block, first, second, wins, ties, losses from the keys of single meetings."""
    keys, counts = np.unique(keys, return_counts=True)
    pairs, row = np.unique(keys // 3, return_inverse=True)
    outcomes = np.zeros((len(pairs), 3), np.int64)
    outcomes[row, keys % 3] = counts
    losses, ties, wins = outcomes.T
    return pairs // (bots * bots), pairs // bots % bots, pairs % bots, wins, ties, losses


def _strata(blocks: int, block: Ints, game: Ints, bot: NDArray[Any], outer: NDArray[Any], bots: int) -> Ints:
    """Dense number of stratum and line-up of every block; that of the highest code if its games differ."""
    codes = np.zeros(blocks, np.int64)
    _, dense = np.unique(outer, return_inverse=True)
    for rows in by_size(game):
        if (dense.max() + 1) * (bots + 1) ** rows.shape[1] >= 2**62:
            raise ValueError(f"bots: {bots} bots in games of {rows.shape[1]} are more than can be told apart")
        code = dense[rows[:, 0]]
        for column in np.sort(bot[rows], axis=1).T:
            code = code * (bots + 1) + column + 1
        np.maximum.at(codes, block[rows[:, 0]], code)
    _, strata = np.unique(codes, return_inverse=True)
    return strata
