"""Bounds on one side, and how many more speakers decide."""

import numpy as np
import pytest
from scipy.special import stdtrit

from tests.core.speaker_model import trials_of
from zebra_core.metrics.assessment import assess
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.intervals import percentile
from zebra_core.uncertainty.one_sided import Spread, more_speakers, one_sided
from zebra_core.uncertainty.perfect_separation import d_ece_at, most_errors


@pytest.fixture(scope="module")
def figures() -> dict[str, FigureDraws]:
    trials = trials_of(np.random.default_rng(4), 20, 0.5)
    return dict(bootstrap(trials, assess(trials), BootstrapSettings(199)).figures)


def of_a_mean(n: int = 25, n_draws: int = 20_000) -> FigureDraws:
    """The mean of 25 values 0 … 24, drawn again: its standard error is known by hand."""
    values = np.arange(float(n))
    draws = np.random.default_rng(1).choice(values, size=(n_draws, n)).mean(axis=1)
    left_out = (values.sum() - values) / (n - 1)
    return FigureDraws(float(values.mean()), draws, left_out, n)


def test_of_a_mean_it_is_the_bound_of_students_t() -> None:
    values = np.arange(25.0)
    half = float(stdtrit(24, 0.95)) * values.std(ddof=1) / 5.0
    found = one_sided(of_a_mean(), 0.95)
    assert (found.low, found.high) == pytest.approx((12.0 - half, 12.0 + half), rel=0.03)


def test_it_is_never_inside_the_interval_of_twice_the_tail(figures: dict[str, FigureDraws]) -> None:
    for draws in figures.values():
        found, interval = one_sided(draws, 0.95), draws.interval(0.9)
        assert found.low <= interval.low
        assert found.high >= interval.high


def test_it_lies_the_farther_off_the_surer_it_is(figures: dict[str, FigureDraws]) -> None:
    for name in ("d_ece_bits", "eer", "min_cllr_bits", "linkability"):
        ends = [one_sided(figures[name], confidence) for confidence in (0.6, 0.8, 0.95, 0.99, 0.999)]
        assert [end.low for end in ends] == sorted((end.low for end in ends), reverse=True)
        assert [end.high for end in ends] == sorted(end.high for end in ends)


def test_no_bound_leaves_the_range_of_its_figure(figures: dict[str, FigureDraws]) -> None:
    for draws in figures.values():
        found = one_sided(draws, 0.9999)
        assert draws.lowest <= found.low <= found.high <= draws.highest


def test_perfect_separation_leaves_as_many_errors_open_as_the_confidence_says() -> None:
    full = d_ece_at(0.0)
    draws = FigureDraws(full, np.full(100, full), np.full(10, full), 10, highest=full, at_error=[d_ece_at])
    found = one_sided(draws, 0.95)
    assert found.high == full
    assert found.low == pytest.approx(d_ece_at(most_errors(10, 0.95)))
    assert most_errors(10, 0.95) == pytest.approx(1.0 - 0.05**0.1)


def test_four_times_as_many_speakers_halve_what_a_bound_is_off() -> None:
    spread = Spread.of_difference(0.0, 1.0, 100)
    shares = [spread.decided_share(400, bound, 0.95, 0.95) for bound in (0.1, 5.0)]
    assert shares[0] < 0.5
    assert shares[1] == 1.0


def test_as_many_more_decide_as_brute_force_says() -> None:
    """Speakers are added from populations that these twenty leave open; the bound is that of all."""
    n, bound, rng = 20, 0.25, np.random.default_rng(3)
    value = rng.normal(size=n)
    value = (value - value.mean()) / value.std(ddof=1)  # mean 0, standard error 1/√20
    error = 1.0 / np.sqrt(n)
    more = more_speakers(
        Spread.of_difference(0.0, float(error), n), bound, met_at=0.95, missed_at=0.95, is_upper=True
    )
    assert more is not None
    decided = []
    for size in (n + more, n + more // 2):
        populations = rng.normal(0.0, error, (1000, 1))
        added = populations + rng.normal(size=(1000, size - n))
        everybody = np.concatenate([np.broadcast_to(value, (1000, n)), added], axis=1)
        mean, off = everybody.mean(axis=1), everybody.std(axis=1, ddof=1) / np.sqrt(size)
        t = float(stdtrit(size - 1, 0.95))
        decided.append(float(np.mean((mean + t * off <= bound) | (mean - t * off > bound))))
    assert decided[0] >= 0.77
    assert decided[1] < 0.78


def test_one_more_speaker_decides_nothing_that_the_outer_bound_leaves_open() -> None:
    """Draws are skewed: the bound is kept by Student’s rule already, and not by the percentiles."""
    deviations = np.random.default_rng(0).exponential(size=2000)
    spread = Spread(0.0, deviations - deviations.mean(), 12, 11.0, lambda x: x, lambda x: x)
    bound = spread.bounds(0.95)[1] + 0.01
    assert float(percentile(spread.deviations, 0.9, 12)[1]) > bound
    assert spread.decided_share(13, bound, 0.95, 0.95) < 0.5


def test_what_lies_on_its_bound_no_number_of_speakers_decides() -> None:
    spread = Spread.of_difference(0.4, 0.1, 20)
    assert more_speakers(spread, 0.4, met_at=0.95, missed_at=0.95, is_upper=True) is None


def test_both_senses_are_mirror_images() -> None:
    up = more_speakers(Spread.of_difference(0.0, 0.2, 20), 0.3, met_at=0.95, missed_at=0.99, is_upper=True)
    down = more_speakers(
        Spread.of_difference(0.0, 0.2, 20), -0.3, met_at=0.95, missed_at=0.99, is_upper=False
    )
    assert up == down is not None


def test_a_bound_that_is_just_not_kept_is_seldom_called_kept() -> None:
    """The mean of ten normal values, 600 times: at most 5 % and two standard errors lie below the truth.

    The figures themselves are simulated by `tests/benchmarks/levels.py`.
    """
    rng, n, missed = np.random.default_rng(9), 10, 0
    for _ in range(600):
        values = rng.normal(size=n)
        draws = rng.choice(values, size=(200, n)).mean(axis=1)
        left_out = (values.sum() - values) / (n - 1)
        missed += one_sided(FigureDraws(float(values.mean()), draws, left_out, n), 0.95).high < 0.0
    assert missed / 600 <= 0.05 + 2.0 * (0.05 * 0.95 / 600) ** 0.5
