"""Maximum likelihood: against choix, against closed forms, and far out."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttr_sim.stats.bradley_terry import components, connected, fit


def _random_points(bots: int, games: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    strength = np.linspace(-1.0, 1.0, bots)
    wins = rng.binomial(games, 1 / (1 + np.exp(strength[None, :] - strength[:, None])))
    points = np.triu(wins, 1)
    return (points + np.tril(games - points.T, -1)).astype(float)


@pytest.mark.parametrize(("bots", "games"), [(3, 20), (8, 50), (20, 10)])
def test_against_choix(bots: int, games: int) -> None:
    choix = pytest.importorskip("choix")
    points = _random_points(bots, games, seed=bots)
    data = [(i, j) for i in range(bots) for j in range(bots) for _ in range(int(points[i, j]))]
    theta = fit(points, prior=1e-9)
    np.testing.assert_allclose(theta - theta.mean(), choix.ilsr_pairwise(bots, data), atol=1e-5)


def test_two_bots_have_a_closed_form() -> None:
    theta = fit(np.array([[0.0, 75.0], [25.0, 0.0]]), prior=1e-9)
    assert theta[0] - theta[1] == pytest.approx(math.log(3.0))


@settings(deadline=None)
@given(st.lists(st.floats(0.0, 1e6), min_size=9, max_size=9))
def test_gradient_is_zero(numbers: list[float]) -> None:
    points = np.array(numbers).reshape(3, 3)
    np.fill_diagonal(points, 0.0)
    theta = fit(points)
    expected = 1 / (1 + np.exp(theta[None, :] - theta[:, None])) * (points + points.T)
    virtual = 0.25 - 0.5 / (1 + np.exp(-theta))
    gradient = points.sum(axis=1) - (expected.sum(axis=1) - np.diag(expected)) + virtual
    np.testing.assert_allclose(gradient, 0.0, atol=1e-6 * (1.0 + points.sum()))


def test_many_data_sets_at_once() -> None:
    points = np.stack([_random_points(5, 20, seed) for seed in range(4)])
    np.testing.assert_allclose(fit(points), [fit(p) for p in points], atol=1e-9)
    np.testing.assert_allclose(fit(points, start=np.arange(5.0)), fit(points), atol=1e-9)


def test_unbeaten_bots_stay_finite_and_in_order() -> None:
    points = np.triu(np.full((6, 6), 1e6), 1)
    theta = fit(points)
    assert np.all(np.isfinite(theta))
    assert np.all(np.diff(theta) < 0.0)


def test_nothing_played() -> None:
    np.testing.assert_array_equal(fit(np.zeros((3, 3))), 0.0)
    assert fit(np.zeros((0, 0))).shape == (0,)
    with pytest.raises(ValueError, match="prior"):
        fit(np.zeros((2, 2)), prior=0.0)


def test_connected_and_components() -> None:
    chain = np.eye(6, k=1, dtype=bool)
    assert connected(chain).sum() == 6
    chain[5, 0] = True
    assert connected(chain).all()
    met = np.zeros((5, 5), dtype=bool)
    met[0, 3] = met[3, 0] = met[1, 4] = met[4, 1] = True
    assert components(connected(met)).tolist() == [0, 1, 2, 0, 1]
    assert len(components(np.zeros((0, 0), dtype=bool))) == 0
