"""The two distribution functions the statistics need: normal and chi-square."""

import math

Z95 = 1.959963984540054  # two-sided 95 % point of the normal distribution


def normal_cdf(z: float) -> float:
    """Phi(z), the standard normal distribution function, accurate in both tails."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def chi_square_sf(x: float, df: int) -> float:
    """P(chi-square with `df` degrees of freedom > x) = Q(df / 2, x / 2).

    Finite sum from Q(1/2, y) = erfc(sqrt y) or Q(1, y) = exp(-y) upwards by
    Q(a + 1, y) = Q(a, y) + y^a exp(-y) / Gamma(a + 1). Source: Abramowitz and Stegun, 26.4.4 and 26.4.5.
    """
    if df < 1 or math.isnan(x):
        raise ValueError(f"chi-square needs df >= 1 and a number, got df = {df}, x = {x}")
    y = x / 2.0
    if y <= 0.0:
        return 1.0
    if math.isinf(y):
        return 0.0
    a = 0.5 if df % 2 else 1.0
    tail = math.erfc(math.sqrt(y)) if df % 2 else math.exp(-y)
    while a < df / 2.0:
        tail += math.exp(a * math.log(y) - y - math.lgamma(a + 1.0))
        a += 1.0
    return min(tail, 1.0)
