"""Ratings of all bots with intervals and the chance that one is better than another."""

from dataclasses import dataclass

import numpy as np

from ttr_sim.stats.arrays import Floats, Ints
from ttr_sim.stats.bootstrap import resampled_points
from ttr_sim.stats.bradley_terry import ELO_PER_THETA, HALF_TIE, components, connected, fit, sigmoid
from ttr_sim.stats.elo import MAX_ELO
from ttr_sim.stats.pairs import PairTable

REPLICATES = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Elo of every bot; arrays of shape (bots,) in the order of the bot numbers.

    elo: maximum likelihood, zero = the anchor or the mean. low, high: 95 % interval (of the anchor: 0, 0).
    los: shape (bots, bots), probability that the row's bot is stronger than the column's, never 0 or 1.
    group: bots of different groups never met, not even through others. Their difference is unknown: each
    group lies around the same zero by the prior alone, los is 1/2, and only comparisons within a group mean
    anything.
    A bot that met nobody is a group of its own with the interval +-MAX_ELO.
    """

    elo: Floats
    low: Floats
    high: Floats
    los: Floats
    group: Ints
    anchor: int | None

    @property
    def error(self) -> Floats:
        """Half the width of the intervals."""
        return (self.high - self.low) / 2.0

    @property
    def connected(self) -> bool:
        """Whether all ratings can be compared."""
        return len(self.group) == 0 or int(self.group.max()) == 0


def rate(
    table: PairTable,
    anchor: int | None = None,
    replicates: int = REPLICATES,
    seed: int = 1,
    prior: float = HALF_TIE,
) -> Ratings:
    """Bradley-Terry ratings of all games; 95 % intervals from `replicates` seeded bootstraps over blocks.

    Intervals are the 2.5 and 97.5 % quantiles of the replicates (taken relative to the anchor or the mean, as
    the ratings are), see `bootstrap.resampled_points`.
    los = (replicates in which it is stronger, equal ones half, + 1/2) / (replicates + 1).
    """
    if anchor is not None and not 0 <= anchor < table.bots:
        raise ValueError(f"anchor: must be 0 to {table.bots - 1}, got {anchor}")
    if replicates < 1:
        raise ValueError(f"replicates: must be at least 1, got {replicates}")
    points = table.point_matrix()
    theta = fit(points, prior)
    resampled = resampled_points(table, _chance(points, theta), replicates, seed)
    samples = np.concatenate([fit(chunk, prior, theta) for chunk in resampled])
    group = components(connected(points + points.T > 0))
    elo, low, high = _intervals(theta, samples, anchor)
    lonely = (np.bincount(group)[group] == 1) & (np.arange(table.bots) != (-1 if anchor is None else anchor))
    low, high = np.where(lonely, -MAX_ELO, low), np.where(lonely, MAX_ELO, high)
    return Ratings(elo, low, high, superiority(samples, group), group, anchor)


def _chance(points: Floats, theta: Floats) -> Floats:
    """What the ratings say of i against j; 1/2 where the games alone would put them infinitely far apart.

    That is so unless each took points off the other, directly or through others. Source: L. Ford, "Solution
    of a Ranking Problem from Binary Comparisons" (1957).
    """
    return np.where(connected(points > 0), sigmoid(theta[:, None] - theta[None, :]), 0.5)


def superiority(samples: Floats, group: Ints) -> Floats:
    """Likelihood-of-superiority matrix from strengths of shape (replicates, bots); 1/2 between groups."""
    wins = np.array([0.5 * (1.0 + np.sign(bot[:, None] - samples)).sum(axis=0) for bot in samples.T])
    known = group[:, None] == group[None, :]
    return np.where(known, (wins.reshape(known.shape) + 0.5) / (len(samples) + 1), 0.5)


def _intervals(theta: Floats, samples: Floats, anchor: int | None) -> tuple[Floats, Floats, Floats]:
    """Elo relative to zero, and the quantiles of the samples, widened to contain it."""
    elo, spread = _from_zero(theta, anchor), _from_zero(samples, anchor)
    if not len(elo):
        return elo, elo, elo
    low, high = np.quantile(spread, [0.025, 0.975], axis=0)
    return elo, np.minimum(low, elo), np.maximum(high, elo)


def _from_zero(theta: Floats, anchor: int | None) -> Floats:
    if not theta.size:
        return theta
    zero = theta.mean(axis=-1) if anchor is None else theta[..., anchor]
    elo: Floats = ELO_PER_THETA * (theta - zero[..., None])
    return elo
