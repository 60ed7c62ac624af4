"""Normal and chi-square distribution against scipy and tables."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttr_sim.stats import chi_square_sf, normal_cdf


@pytest.mark.parametrize(("z", "p"), [(0.0, 0.5), (1.959963984540054, 0.975), (-3.0, 0.0013498980316301)])
def test_normal_cdf_table(z: float, p: float) -> None:
    assert normal_cdf(z) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize(
    ("x", "df", "p"),
    [(3.841458820694124, 1, 0.05), (5.991464547107979, 2, 0.05), (9.487729036781154, 4, 0.05)],
)
def test_chi_square_table(x: float, df: int, p: float) -> None:
    assert chi_square_sf(x, df) == pytest.approx(p, rel=1e-12)


@settings(deadline=None)  # importing scipy takes its time
@given(st.floats(0.0, 500.0), st.integers(1, 40))
def test_chi_square_against_scipy(x: float, df: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert chi_square_sf(x, df) == pytest.approx(float(stats.chi2.sf(x, df)), rel=1e-9, abs=1e-300)


def test_chi_square_ends() -> None:
    assert chi_square_sf(-1.0, 3) == chi_square_sf(0.0, 3) == 1.0
    assert chi_square_sf(math.inf, 3) == 0.0
    with pytest.raises(ValueError, match="df"):
        chi_square_sf(1.0, 0)
