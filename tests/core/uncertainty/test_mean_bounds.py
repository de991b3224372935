"""Bounds of a mean of few values in [0, 1]: by hand, against Clopper and Pearson, Hoeffding, simulated."""

import numpy as np
import pytest
from scipy import stats

from zebra_core.uncertainty.mean_bounds import lower_mean, upper_mean


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_of_one_value_the_bound_is_markovs_by_hand(value: float) -> None:
    """P(X ≤ v) ≤ (1 − μ)/(1 − v), which is 0.05 at μ = 1 − 0.05·(1 − v)."""
    assert upper_mean([value], 1, 0.95)[0] == pytest.approx(1.0 - 0.05 * (1.0 - value), abs=1e-9)


@pytest.mark.parametrize("n", [1, 5, 20, 59])
def test_where_nothing_was_seen_it_is_that_of_clopper_and_pearson(n: int) -> None:
    """59 recordings of which none is linked show at most 0.05, for 0.95**59 < 0.05 < 0.95**58."""
    [found] = upper_mean([0.0], n, 0.95)
    assert found == pytest.approx(stats.beta.ppf(0.95, 1, n), abs=1e-9)
    assert n != 59 or found < 0.05 < upper_mean([0.0], 58, 0.95)[0]
    assert lower_mean([float(n)], n, 0.95)[0] == pytest.approx(1.0 - found, abs=1e-9)


@pytest.mark.parametrize("n", [3, 10, 40])
def test_it_is_never_wider_than_hoeffdings_and_never_inside_clopper_and_pearsons(n: int) -> None:
    sums = np.arange(n + 1.0)
    found = upper_mean(sums, n, 0.95)
    hoeffding = np.minimum(1.0, sums / n + np.sqrt(np.log(20.0) / (2.0 * n)))
    exact = np.append(stats.beta.ppf(0.95, sums[:-1] + 1, n - sums[:-1]), 1.0)
    assert (found <= hoeffding + 1e-9).all()
    assert (found >= exact - 1e-9).all()
    assert (np.diff(found) >= 0.0).all()


def test_a_surer_bound_and_fewer_values_lie_farther() -> None:
    bounds = [
        upper_mean([0.2 * n], n, level)[0] for n, level in ((20, 0.9), (20, 0.95), (20, 0.999), (5, 0.999))
    ]
    assert bounds == sorted(bounds)
    assert upper_mean([0.0], 0, 0.95).tolist() == [1.0]


@pytest.mark.parametrize("n", [1, 3, 10, 20])
@pytest.mark.parametrize("shape", [(0.1, 0.9), (0.5, 0.5), (2.0, 18.0), (5.0, 5.0)])
def test_the_mean_lies_beyond_in_at_most_one_of_twenty_samples(n: int, shape: tuple[float, float]) -> None:
    """Values of beta distributions, nearly 0 or 1 to nearly alike; 5 % of 2 000 samples, and 2.3 errors."""
    draws = np.random.default_rng(n).beta(*shape, (2000, n)).sum(axis=1)
    mean = shape[0] / sum(shape)
    assert np.mean(upper_mean(draws, n, 0.95) < mean) <= 0.061
    assert np.mean(lower_mean(draws, n, 0.95) > mean) <= 0.061
