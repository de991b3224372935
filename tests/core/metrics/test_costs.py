"""Bayes error over the prior."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from tests.core import brute_force
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.calibration import pav
from zebra_core.metrics.costs import (
    BayesErrorProfile,
    bayes_error_profile,
    minimum_dcf,
    oracle_decision_errors,
)
from zebra_core.metrics.error_rates import ErrorRates
from zebra_core.metrics.prior import prior_log_odds
from zebra_core.metrics.verification import rocch_eer

scores = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)
priors = st.floats(-8.0, 8.0)


def counts_of(target: object, nontarget: object) -> ScoreCounts:
    return ScoreCounts.of_trials(Trials.from_scores(target, nontarget))


def profile_of(log_odds: object, counts: ScoreCounts) -> BayesErrorProfile:
    return bayes_error_profile(log_odds, counts.score, ErrorRates.of(counts), pav(counts))


@given(target=scores, nontarget=scores, log_odds=priors)
def test_minimum_agrees_with_trying_every_threshold(
    target: list[float], nontarget: list[float], log_odds: float
) -> None:
    found = minimum_dcf(log_odds, pav(counts_of(target, nontarget)))[0]
    assert found == pytest.approx(brute_force.min_dcf(target, nontarget, log_odds), abs=1e-14)


@given(target=scores, nontarget=scores, log_odds=st.one_of(priors, st.integers(-6, 6).map(float)))
def test_actual_accepts_from_the_bayes_threshold_on(
    target: list[float], nontarget: list[float], log_odds: float
) -> None:
    counts = counts_of(target, nontarget)
    expected = brute_force.bayes_error(target, nontarget, log_odds, -log_odds)
    assert profile_of(log_odds, counts).actual[0] == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("log_odds", [-1e9, -700.0, -50.0, 50.0, 700.0, 1e9])
def test_extreme_priors_stay_finite_and_normalised_minimum_stays_below_one(log_odds: float) -> None:
    counts = counts_of([-2.0, 1.0, 900.0], [-900.0, 0.0, 800.0])
    profile = profile_of(log_odds, counts)
    for values in (profile.minimum, profile.actual, profile.normalised_minimum, profile.normalised_actual):
        assert np.isfinite(values).all()
    assert profile.normalised_minimum[0] <= 1.0


def test_normalised_minimum_at_a_rare_prior_is_the_share_that_is_still_missed() -> None:
    """Half of the targets lie above all nontargets; at 1 in e^100 only they are worth accepting."""
    counts = counts_of([0.0, 2.0], [0.0, 1.0])
    assert profile_of(-100.0, counts).normalised_minimum == pytest.approx(0.5, rel=1e-12)


def test_the_greatest_minimum_is_the_rocch_eer() -> None:
    rng = np.random.default_rng(1)
    counts = counts_of(rng.normal(1.0, 1.0, 60), rng.normal(0.0, 1.0, 90))
    plain = pav(counts)
    greatest = minimum_dcf(np.linspace(-5.0, 5.0, 20_001), plain).max()
    assert greatest <= rocch_eer(plain) + 1e-15
    assert greatest == pytest.approx(rocch_eer(plain), abs=1e-4)


def test_actual_equals_minimum_for_true_llrs_in_closed_form() -> None:
    """LLRs N(±2, 2²): Bayes' threshold −θ misses Φ((−θ − 2)/2), and no threshold does better."""
    rng = np.random.default_rng(2)
    counts = counts_of(rng.normal(2.0, 2.0, 200_000), rng.normal(-2.0, 2.0, 200_000))
    log_odds = np.array([-2.0, 0.0, 1.0])
    prior = 1.0 / (1.0 + np.exp(-log_odds))
    expected = prior * norm.cdf((-log_odds - 2.0) / 2.0) + (1 - prior) * norm.sf((-log_odds + 2.0) / 2.0)
    profile = profile_of(log_odds, counts)
    assert profile.actual == pytest.approx(expected, abs=2e-3)
    assert profile.minimum == pytest.approx(expected, abs=2e-3)
    assert (profile.minimum <= profile.actual + 1e-15).all()
    assert (profile.minimum <= profile.default).all()


@pytest.mark.parametrize(
    ("one_in", "errors"),
    [
        pytest.param(2, (0.0, 2 / 4), id="LR 1 is enough: both blocks with targets are accepted"),
        pytest.param(3, (1 / 3, 1 / 4), id="LR 2: only the upper one, of LR 8/3"),
        pytest.param(4, (1.0, 0.0), id="LR 3: none"),
    ],
)
def test_decisions_of_an_oracle_worked_by_hand(one_in: int, errors: tuple[float, float]) -> None:
    plain = pav(counts_of([1.0, 3.0, 3.0], [0.0, 0.0, 1.0, 3.0]))  # LRs 0, 4/3 and 8/3
    found = oracle_decision_errors(prior_log_odds(one_in), plain)
    assert (found.of_target, found.of_nontarget) == pytest.approx(errors)


def test_an_lr_on_the_threshold_is_accepted_whatever_rounding_says() -> None:
    for n in range(1, 200):
        plain = pav(counts_of([1.0], [*[0.0] * (n - 1), 1.0]))  # the LR of score 1 is n
        on, above = (oracle_decision_errors(prior_log_odds(one_in), plain) for one_in in (n + 1, n + 2))
        assert (on.of_target, on.of_nontarget) == (0.0, pytest.approx(1 / n))
        assert (above.of_target, above.of_nontarget) == (1.0, 0.0)


@given(target=scores, nontarget=scores, one_in=st.integers(2, 40))
def test_decisions_of_an_oracle_agree_with_posteriors_in_exact_fractions(
    target: list[float], nontarget: list[float], one_in: int
) -> None:
    found = oracle_decision_errors(prior_log_odds(one_in), pav(counts_of(target, nontarget)))
    expected = brute_force.wrong_decisions(target, nontarget, one_in)
    assert (found.of_target, found.of_nontarget) == pytest.approx(expected, abs=1e-14)


@given(target=scores, nontarget=scores, one_in=st.integers(2, 10_000_000))
def test_weighted_by_the_prior_wrong_decisions_are_the_least_bayes_error(
    target: list[float], nontarget: list[float], one_in: int
) -> None:
    plain = pav(counts_of(target, nontarget))
    found = oracle_decision_errors(prior_log_odds(one_in), plain)
    error = found.of_target / one_in + found.of_nontarget * (1.0 - 1.0 / one_in)
    assert error == pytest.approx(minimum_dcf(prior_log_odds(one_in), plain)[0], abs=1e-9)
