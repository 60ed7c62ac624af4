"""Elo of one bot against another, from block scores."""

import math
from dataclasses import dataclass

from ttr_sim.stats.blocks import BlockScores
from ttr_sim.stats.distributions import Z95, normal_cdf

MAX_ELO = 2400.0  # every Elo is clipped to +-MAX_ELO (score 1 - 1e-6): one-sided results stay finite
NELO_SCALE = 800.0 / math.log(10.0)
_TAIL = 0.025


@dataclass(frozen=True, slots=True)
class EloSummary:
    """What block scores say about one bot against another.

    blocks, games: sample size. score, score_low, score_high: mean block score s and its 95 % interval.
    elo, low, high: logistic Elo and its 95 % interval; error: half the width of that interval.
    nelo, nelo_low, nelo_high: normalised Elo and its 95 % interval. los: probability of being the better bot.
    one_sided: no spread between blocks, so the interval is the wide one described at `summarise`.
    All Elo values are clipped to +-MAX_ELO; nothing is ever NaN or infinite.
    """

    blocks: float
    games: float
    score: float
    score_low: float
    score_high: float
    elo: float
    low: float
    high: float
    nelo: float
    nelo_low: float
    nelo_high: float
    los: float
    one_sided: bool

    @property
    def error(self) -> float:
        """Half the width of the Elo interval."""
        return (self.high - self.low) / 2.0


def elo_to_score(elo: float) -> float:
    """Expected score 1 / (1 + 10^(-elo / 400)); tends to 0 and 1 without overflow."""
    return 1.0 / (1.0 + math.pow(10.0, -max(-1e5, min(1e5, elo)) / 400.0))


def score_to_elo(score: float) -> float:
    """-400 log10(1 / score - 1), clipped to +-MAX_ELO; scores outside ]0, 1[ give the limits."""
    if score <= 0.0:
        return -MAX_ELO
    if score >= 1.0:
        return MAX_ELO
    return _clip(400.0 * math.log10(score / (1.0 - score)))


def normalised_elo(score: float, variance: float, games_per_block: int = 2) -> float:
    """(score - 1/2) / sqrt(games_per_block * variance) * 800 / ln 10, clipped to +-MAX_ELO; 0 for score 1/2.

    variance: of a block's score. Source: M. Van den Bergh, "Normalized Elo in practice".
    """
    if score == 0.5:
        return 0.0
    sigma = math.sqrt(games_per_block * variance)
    # Multiplied out so that a vanishing sigma gives the limit instead of dividing by zero.
    excess = (score - 0.5) * NELO_SCALE
    return math.copysign(MAX_ELO, excess) if abs(excess) >= MAX_ELO * sigma else excess / sigma


def summarise(scores: BlockScores, games_per_block: int = 2) -> EloSummary:
    """Elo, normalised Elo, 95 % intervals and likelihood of superiority over blocks.

    s +- 1.96 sqrt(v / N), ends turned into Elo; LOS = Phi((s - 1/2) / sqrt(v / N)).
    When all N blocks have the same score x (or there are none), v says nothing. Then the share of blocks that
    score x is only known to be at least q = 0.025^(1 / N) (Clopper-Pearson), the others may be anything:
    the interval of s is q x + (1 - q) [0, 1], LOS is that of a sign test, 1 - 2^-(N + 1) for x > 1/2.
    """
    total, mean, variance = scores.blocks, scores.mean, scores.variance
    low, high = score_interval(scores)
    return EloSummary(
        blocks=total,
        games=total * games_per_block,
        score=mean,
        score_low=low,
        score_high=high,
        elo=score_to_elo(mean),
        low=score_to_elo(low),
        high=score_to_elo(high),
        nelo=normalised_elo(mean, variance, games_per_block),
        nelo_low=normalised_elo(low, variance, games_per_block) if variance else -MAX_ELO,
        nelo_high=normalised_elo(high, variance, games_per_block) if variance else MAX_ELO,
        los=likelihood_of_superiority(scores),
        one_sided=variance == 0.0,
    )


def score_interval(scores: BlockScores) -> tuple[float, float]:
    """95 % interval of the mean block score (see `summarise`), not clipped to [0, 1]."""
    mean, variance = scores.mean, scores.variance
    if variance > 0.0:
        half = Z95 * math.sqrt(variance / scores.blocks)
        return mean - half, mean + half
    return unanimous_interval(mean, scores.blocks, min(0.0, scores.values[0]), max(1.0, scores.values[-1]))


def unanimous_interval(value: float, blocks: float, least: float, most: float) -> tuple[float, float]:
    """95 % interval of a mean in [least, most] after `blocks` blocks that all gave `value`."""
    share = math.pow(_TAIL, 1.0 / blocks) if blocks > 0 else 0.0
    return share * value + (1.0 - share) * least, share * value + (1.0 - share) * most


def likelihood_of_superiority(scores: BlockScores) -> float:
    """Probability that the true mean block score is above 1/2 (see `summarise`)."""
    mean, variance = scores.mean, scores.variance
    if variance > 0.0:
        return normal_cdf((mean - 0.5) / math.sqrt(variance / scores.blocks))
    if mean == 0.5:
        return 0.5
    chance = math.pow(0.5, scores.blocks + 1.0)
    return 1.0 - chance if mean > 0.5 else chance


def _clip(elo: float) -> float:
    return max(-MAX_ELO, min(MAX_ELO, elo))
