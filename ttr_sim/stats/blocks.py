"""Scores of blocks: how often a bot got which mean score in a block."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ttr_sim.stats.arrays import Floats, as_ints, by_size, same_length

_DIGITS = 9  # means of thirds and fifths differ in the last bits; scores nearer than this are one value


@dataclass(frozen=True, slots=True)
class BlockScores:
    """Counts of block scores.

    values: the possible scores, strictly ascending; counts: how many blocks got each, zero allowed.
    Two bots, two players: values 0, 1/4, 1/2, 3/4, 1 (the pentanomial counts).
    """

    values: tuple[float, ...]
    counts: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values or len(self.values) != len(self.counts):
            raise ValueError("block scores need as many counts as values, and at least one")
        if not np.all(np.isfinite(self.values)) or np.any(np.diff(self.values) <= 0):
            raise ValueError(f"block scores must be finite and ascending, got {self.values}")
        if not np.all(np.isfinite(self.counts)) or min(self.counts) < 0:
            raise ValueError(f"counts must be finite and not negative, got {self.counts}")

    @classmethod
    def from_counts(cls, counts: Sequence[float]) -> "BlockScores":
        """Counts of equally spaced scores from 0 to 1, ascending: LL, LD, WL + DD, WD, WW or L, D, W."""
        if len(counts) < 2:
            raise ValueError("at least two counts are needed: the lowest score is 0, the highest 1")
        steps = len(counts) - 1
        return cls(tuple(i / steps for i in range(len(counts))), tuple(float(n) for n in counts))

    @classmethod
    def from_scores(cls, scores: ArrayLike, support: Sequence[float] = (0.0, 1.0)) -> "BlockScores":
        """Count the scores of single blocks; `support` are values that are possible even if none came up."""
        rounded = np.round(np.asarray(scores, dtype=np.float64), _DIGITS)
        possible = np.round(np.asarray(support, dtype=np.float64), _DIGITS)
        values, inverse = np.unique(np.concatenate([rounded, possible]), return_inverse=True)
        counts = np.bincount(inverse[: len(rounded)], minlength=len(values))
        return cls(tuple(values.tolist()), tuple(counts.astype(float).tolist()))

    @property
    def blocks(self) -> float:
        """Number of blocks N."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """Mean block score s = sum p x; 1/2 without blocks."""
        total = self.blocks
        return sum(x * n for x, n in zip(self.values, self.counts, strict=True)) / total if total else 0.5

    @property
    def variance(self) -> float:
        """Variance of a block's score v = sum p (x - s)^2; 0 without blocks and when all blocks agree."""
        if sum(n > 0 for n in self.counts) < 2:
            return 0.0
        mean = self.mean
        return sum(n * (x - mean) ** 2 for x, n in zip(self.values, self.counts, strict=True)) / self.blocks

    def reversed(self) -> "BlockScores":
        """The same blocks seen from the other side: every score x becomes 1 - x."""
        return BlockScores(tuple(1.0 - x for x in self.values[::-1]), self.counts[::-1])

    def __add__(self, other: "BlockScores") -> "BlockScores":
        merged = dict(zip(self.values, self.counts, strict=True))
        for value, count in zip(other.values, other.counts, strict=True):
            merged[value] = merged.get(value, 0.0) + count
        values = tuple(sorted(merged))
        return BlockScores(values, tuple(merged[value] for value in values))


def game_scores(game: ArrayLike, rank: ArrayLike) -> Floats:
    """Score of every seat row in its game: (opponents ranked below + half of those tied) / opponents.

    game, rank: integers, one per seat row; the smaller rank is the better one. A game of one seat scores 1/2.
    """
    games, ranks = as_ints(game, "game"), as_ints(rank, "rank")
    same_length(game=games, rank=ranks)
    scores = np.full(len(games), 0.5)
    for rows in by_size(games):
        own, others = ranks[rows][:, :, None], ranks[rows][:, None, :]
        beaten = (own < others).sum(axis=2) + 0.5 * ((own == others).sum(axis=2) - 1)
        if rows.shape[1] > 1:
            scores[rows] = beaten / (rows.shape[1] - 1)
    return scores


def block_means(block: ArrayLike, values: ArrayLike) -> Floats:
    """Mean of `values` in every block, in ascending order of the block numbers."""
    blocks, data = as_ints(block, "block"), np.asarray(values, dtype=np.float64)
    same_length(block=blocks, values=data)
    _, inverse = np.unique(blocks, return_inverse=True)
    means: Floats = np.bincount(inverse, weights=data) / np.bincount(inverse)
    return means


def paired_scores(candidate: ArrayLike, baseline: ArrayLike) -> BlockScores:
    """Block scores 1/2 + (candidate - baseline) of two bots that took the same chair in the same blocks.

    candidate, baseline: block scores in [0, 1], one per block. The mean is 1/2 for equal bots, and its Elo is
    the difference of the two, to first order, where they score about half against these opponents
    (less elsewhere). Values lie in [-1/2, 3/2]; elo and sprt take them as they are.
    """
    first, second = np.asarray(candidate, dtype=np.float64), np.asarray(baseline, dtype=np.float64)
    same_length(candidate=first, baseline=second)
    return BlockScores.from_scores(0.5 + first - second, support=(0.0, 0.5, 1.0))
