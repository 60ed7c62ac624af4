"""The answer of a sequential test with everything it rests on."""

from dataclasses import dataclass, replace
from typing import Literal

from ttr_sim.stats.blocks import BlockScores
from ttr_sim.stats.elo import EloSummary, summarise
from ttr_sim.stats.sprt import Sprt, SprtState, llr, sprt

Answer = Literal["accepted", "regression", "undecided"]

_ANSWERS: dict[str, Answer] = {"H1": "accepted", "H0": "regression", "continue": "undecided"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """answer: accepted (H1), regression (H0) or undecided. llrs: the log-likelihood ratio under both models of Elo.

    state: where the test stands under its own model; elo: the difference in strength; scores: the blocks.
    """

    answer: Answer
    test: Sprt
    state: SprtState
    llrs: dict[str, float]
    elo: EloSummary
    scores: BlockScores


def verdict(scores: BlockScores, test: Sprt) -> Verdict:
    """Return what the test says of these blocks."""
    state = sprt(scores, test)
    llrs = {
        "normalised": llr(scores, replace(test, model="normalised")),
        "logistic": llr(scores, replace(test, model="logistic")),
    }
    elo = summarise(scores, test.games_per_block)
    return Verdict(_ANSWERS[state.decision], test, state, llrs, elo, scores)
