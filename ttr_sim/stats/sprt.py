"""Sequential probability ratio test on block scores: stop as soon as the answer is known."""

import math
from dataclasses import dataclass
from typing import Literal

from ttr_sim.stats.blocks import BlockScores
from ttr_sim.stats.elo import elo_to_score
from ttr_sim.stats.likelihood import logistic_mle, normalised_mle

Model = Literal["normalised", "logistic"]
Decision = Literal["H0", "H1", "continue"]

MAX_BOUND = 1000.0  # hypotheses farther out than this many Elo are refused
_ZERO_COUNT = 0.001
_TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of H0: Elo = elo0 against H1: Elo = elo1.

    alpha: chance of accepting H1 when H0 is true; beta: of accepting H0 when H1 is true.
    model: what elo0 and elo1 mean, normalised or logistic Elo. games_per_block: 2 for pairs of games.
    """

    elo0: float = -10.0
    elo1: float = 0.0
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalised"
    games_per_block: int = 2

    def __post_init__(self) -> None:
        if not -MAX_BOUND <= self.elo0 < self.elo1 <= MAX_BOUND:
            raise ValueError(f"elo0 < elo1, both within +-{MAX_BOUND:g}, got {self.elo0}, {self.elo1}")
        if not (self.alpha > 0.0 and self.beta > 0.0 and self.alpha + self.beta < 1.0):
            raise ValueError(f"alpha, beta > 0 with a sum below 1, got {self.alpha}, {self.beta}")
        if self.model not in ("normalised", "logistic"):
            raise ValueError(f"model must be normalised or logistic, got {self.model!r}")
        if self.games_per_block < 1:
            raise ValueError(f"games_per_block must be at least 1, got {self.games_per_block}")

    @property
    def lower(self) -> float:
        """LLR at or below which H0 is accepted: ln(beta / (1 - alpha))."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """LLR at or above which H1 is accepted: ln((1 - beta) / alpha)."""
        return math.log((1.0 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where a sequential test stands.

    llr: log-likelihood ratio; lower, upper: its bounds; decision: accepted hypothesis or "continue".
    blocks, games: played so far; blocks_left, games_left: expected until a bound is reached, 0 when decided.
    """

    llr: float
    lower: float
    upper: float
    decision: Decision
    blocks: float
    games: float
    blocks_left: float
    games_left: float


def sprt(scores: BlockScores, test: Sprt) -> SprtState:
    """State of the test after these blocks; H0 and H1 are accepted at the bounds themselves."""
    value = llr(scores, test)
    decision: Decision = "H0" if value <= test.lower else "H1" if value >= test.upper else "continue"
    left = expected_blocks_left(scores, test) if decision == "continue" else 0.0
    played, k = scores.blocks, test.games_per_block
    return SprtState(value, test.lower, test.upper, decision, played, played * k, left, left * k)


def llr(scores: BlockScores, test: Sprt) -> float:
    """Generalised log-likelihood ratio N sum p_i ln(p1_i / p0_i), p_j likeliest under hypothesis j.

    Zero counts are replaced by 0.001; scores 0 and 1 join a support that does not reach them. Always finite.
    Source: M. Van den Bergh, "Comments on approximations of the GSPRT" and "Normalized Elo in practice".
    """
    counts, ratios = _block_ratios(scores, test)
    return sum(n * ratio for n, ratio in zip(counts, ratios, strict=True))


def expected_blocks_left(scores: BlockScores, test: Sprt) -> float:
    """Blocks until a bound is expected to be reached, if blocks go on as they did; never infinite.

    The LLR is taken as a Brownian motion with the mean and variance of a block's ln(p1 / p0), estimated with
    one block spread over all scores added to the counts (so that a handful of blocks promises nothing).
    Exit time from ]lower, upper[: A. Wald, "Sequential Analysis"; S. Ross, "Stochastic Processes", 8.4.
    """
    counts, ratios = _block_ratios(scores, test)
    position = sum(n * ratio for n, ratio in zip(counts, ratios, strict=True))
    smooth = [n + 1.0 / len(counts) for n in counts]
    total = sum(smooth)
    drift = sum(n * r for n, r in zip(smooth, ratios, strict=True)) / total
    spread = max(sum(n * (r - drift) ** 2 for n, r in zip(smooth, ratios, strict=True)) / total, _TINY)
    return _exit_time(position - test.lower, test.upper - position, drift, spread)


def _exit_time(below: float, above: float, drift: float, variance: float) -> float:
    """Mean time in which a Brownian motion leaves an interval that reaches `below` down and `above` up."""
    if below <= 0.0 or above <= 0.0:
        return 0.0
    k = 2.0 * drift / variance
    if abs(k) * (below + above) < 1e-6:
        return below * above / variance
    if k < 0.0:  # mirror, so that the exponentials below cannot overflow
        return _exit_time(above, below, -drift, variance)
    up = math.expm1(-k * below) / math.expm1(-k * (below + above))
    return (up * above - (1.0 - up) * below) / drift


def _block_ratios(scores: BlockScores, test: Sprt) -> tuple[list[float], list[float]]:
    """Counts without zeros and ln(p1 / p0) of every block score."""
    scores = _reach(scores, test)
    counts = [n if n > 0.0 else _ZERO_COUNT for n in scores.counts]
    total = sum(counts)
    p = [n / total for n in counts]
    h0, h1 = (_mle(scores.values, p, elo, test) for elo in (test.elo0, test.elo1))
    return counts, [math.log(b / a) for a, b in zip(h0, h1, strict=True)]


def _mle(values: tuple[float, ...], p: list[float], elo: float, test: Sprt) -> list[float]:
    if test.model == "logistic":
        return logistic_mle(values, p, elo)
    return normalised_mle(values, p, elo, test.games_per_block)


def _reach(scores: BlockScores, test: Sprt) -> BlockScores:
    """The scores, with 0 and 1 among the possible values where a hypothesis lies outside of them."""
    if test.model == "logistic":
        inside = scores.values[0] < elo_to_score(test.elo0) and elo_to_score(test.elo1) < scores.values[-1]
    else:
        inside = scores.values[0] <= 0.0 and scores.values[-1] >= 1.0
    return scores if inside else scores + BlockScores((0.0, 1.0), (0.0, 0.0))
