"""Sequential test: published values, bounds, and hostile samples."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttr_sim.stats import BlockScores, Sprt, llr, sprt
from ttr_sim.stats.likelihood import logistic_mle, normalised_mle
from ttr_sim.stats.sprt import Model

MODELS: tuple[Model, ...] = ("normalised", "logistic")
KNOWN = [
    ((379, 10170, 21828, 10640, 343), 2, 2.0, (2.94550, 3.12568)),
    ((13, 37, 50, 25, 3), 2, 4.0, (-0.54912, -0.80223)),
    ((10, 20, 30), 1, 5.0, (0.34642, 0.42317)),
]


@pytest.mark.parametrize(("counts", "games", "elo1", "expected"), KNOWN)
def test_known_values(
    counts: tuple[int, ...], games: int, elo1: float, expected: tuple[float, float]
) -> None:
    scores = BlockScores.from_counts(counts)
    for model, value in zip(MODELS, expected, strict=True):
        test = Sprt(0.0, elo1, model=model, games_per_block=games)
        assert llr(scores, test) == pytest.approx(value, abs=6e-6)


def test_bounds_and_decisions() -> None:
    test = Sprt(0.0, 2.0, model="logistic")
    assert test.upper == -test.lower == pytest.approx(math.log(19.0))
    scores = BlockScores.from_counts([379, 10170, 21828, 10640, 343])
    assert sprt(scores, test).decision == "H1"
    assert sprt(scores, test).games_left == 0.0
    assert sprt(scores.reversed(), test).decision == "H0"
    state = sprt(BlockScores.from_counts([190, 5085, 10914, 5320, 171]), Sprt(0.0, 2.0))
    assert state.decision == "continue"
    assert state.games == 43360.0
    assert 20_000.0 < state.games_left < 60_000.0


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 100_000), min_size=2, max_size=9),
    st.sampled_from(MODELS),
    st.floats(-1000.0, 999.0),
    st.floats(1e-3, 500.0),
    st.integers(1, 5),
)
def test_always_finite(counts: list[int], model: Model, elo0: float, gap: float, games: int) -> None:
    test = Sprt(elo0, min(elo0 + gap, 1000.0), model=model, games_per_block=games)
    state = sprt(BlockScores.from_counts(counts), test)
    numbers = [x for x in dataclasses.astuple(state) if not isinstance(x, str)]
    assert all(math.isfinite(x) for x in numbers)
    assert state.blocks_left >= 0.0


@settings(deadline=None)
@given(
    st.lists(st.floats(0.01, 1000.0), min_size=5, max_size=5),
    st.floats(-300.0, 300.0),
    st.integers(1, 4),
)
def test_hypotheses_are_fulfilled(counts: list[float], elo: float, games: int) -> None:
    x = np.arange(5) / 4
    p = np.array(counts) / sum(counts)
    q = np.array(logistic_mle(x.tolist(), p.tolist(), elo))
    assert q.min() > 0.0
    assert q.sum() == pytest.approx(1.0)
    assert q @ x == pytest.approx(1 / (1 + 10 ** (-elo / 400)), abs=1e-8)
    q = np.array(normalised_mle(x.tolist(), p.tolist(), elo, games))
    t = elo / (800 / math.log(10)) * math.sqrt(games)
    assert q.sum() == pytest.approx(1.0)
    assert q @ x - 0.5 == pytest.approx(t * math.sqrt(q @ (x - q @ x) ** 2), abs=0.02)


@pytest.mark.parametrize("model", MODELS)
def test_one_sided_results_decide(model: Model) -> None:
    test = Sprt(-10.0, 0.0, model=model)
    assert sprt(BlockScores.from_scores([1.0]), test).decision == "continue"
    assert sprt(BlockScores.from_scores([1.0] * 1000), test).decision == "H1"
    assert sprt(BlockScores.from_scores([0.0] * 1000), test).decision == "H0"
    assert sprt(BlockScores.from_scores([]), test).decision == "continue"


@pytest.mark.parametrize("model", MODELS)
def test_support_that_does_not_reach_the_hypotheses(model: Model) -> None:
    state = sprt(BlockScores((0.6, 0.7), (5.0, 5.0)), Sprt(-10.0, 0.0, model=model))
    assert state.llr > 0.0


def test_error_rates() -> None:
    """Simulated matches of two equal bots: [-10, 0] is accepted, [0, 10] refused, in 95 of 100 each."""
    rng = np.random.default_rng(1)
    p = [0.05, 0.25, 0.4, 0.25, 0.05]
    right = 0
    for trial in range(60):
        test = Sprt(-40.0, 0.0) if trial % 2 else Sprt(0.0, 40.0)
        counts = np.zeros(5)
        while (decision := sprt(BlockScores.from_counts(counts.tolist()), test).decision) == "continue":
            counts += rng.multinomial(20, p)
        right += decision == ("H1" if trial % 2 else "H0")
    assert right >= 52


def test_expected_length_is_about_right() -> None:
    rng = np.random.default_rng(2)
    test = Sprt(0.0, 50.0, model="logistic")
    p = np.array([0.05, 0.2, 0.4, 0.25, 0.1])
    start = 200 * p
    expected = sprt(BlockScores.from_counts(start.tolist()), test).blocks_left
    lengths = []
    for _ in range(60):
        counts = start.copy()
        while sprt(BlockScores.from_counts(counts.tolist()), test).decision == "continue":
            counts += rng.multinomial(5, p)
        lengths.append(counts.sum() - 200)
    assert 0.5 < expected / np.mean(lengths) < 2.0


@pytest.mark.parametrize(
    "options",
    [
        {"elo0": 0.0, "elo1": 0.0},
        {"elo0": math.nan},
        {"elo1": 1e9},
        {"alpha": 0.0},
        {"alpha": 0.6, "beta": 0.5},
        {"model": "other"},
        {"games_per_block": 0},
    ],
)
def test_impossible_tests(options: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        Sprt(**options)  # type: ignore[arg-type]
