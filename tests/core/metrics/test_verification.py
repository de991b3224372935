"""Conventional figures."""

import json
from math import inf, log10
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from tests.core import brute_force
from zebra_core import dev_pav, invariance_bounds, pav_llr
from zebra_core.evidence.trials import ScoreCounts, Trials
from zebra_core.metrics.ece import pav
from zebra_core.metrics.error_rates import (
    BayesErrorProfile,
    ErrorRates,
    InvarianceBounds,
    _masses_by_chance,
    bayes_error_profile,
    cllr_bits,
    dev_pav_log10,
    eer,
    hits_at_false_alarm_rates,
    linkability,
    linkability_by_chance,
    local_linkability,
    minimum_dcf,
    oracle_decision_errors,
    rocch_eer,
)
from zebra_core.metrics.prior import prior_log_odds
from zebra_core.metrics.zebra import LN10


def dealt_by_chance(target: np.ndarray, nontarget: np.ndarray, deals: int) -> np.ndarray:
    """The linkability of the same scores with the labels dealt out anew, so many times."""
    rng, score = np.random.default_rng(0), np.concatenate([target, nontarget])
    found = []
    for _ in range(deals):
        is_target = rng.permutation(np.arange(len(score)) < len(target))
        found.append(linkability(ScoreCounts.of(score, is_target)) or 0.0)
    return np.array(found)


def test_where_nothing_is_linkable_the_recipe_gives_more_than_0_as_shuffled_labels_show() -> None:
    rng = np.random.default_rng(1)
    target, nontarget = rng.normal(size=60), rng.normal(size=900)
    dealt = dealt_by_chance(target, nontarget, 100)
    expected = linkability_by_chance(ScoreCounts.of_trials(Trials.from_scores(target, nontarget)))
    assert expected == pytest.approx(dealt.mean(), abs=4.0 * dealt.std() / 10.0)
    assert expected is not None and expected > 0.04  # noqa: PT018


def test_by_chance_a_case_worked_by_hand() -> None:
    # One of two trials is the target, and this one in half of the cases: then D and the mass are 1.
    assert _masses_by_chance(np.array([1]), 1, 1) == pytest.approx([0.5])
    # All trials in one bin: both shares are 1, and D is 0.
    assert _masses_by_chance(np.array([10, 0]), 3, 7).tolist() == [0.0, 0.0]


def test_by_chance_it_is_measurable_where_linkability_is() -> None:
    assert linkability_by_chance(ScoreCounts.of(np.zeros(50), np.arange(50) < 25)) is None
    assert linkability_by_chance(ScoreCounts.of(np.arange(50.0), np.arange(50) < 5)) is None


def linkability_of(target: object, nontarget: object) -> float | None:
    return linkability(ScoreCounts.of_trials(Trials.from_scores(target, nontarget)))


def by_the_recipe(target: np.ndarray, nontarget: np.ndarray) -> float:
    """The same from densities, bin by bin."""
    bins = min(len(target) // 10, 100)
    edges = np.linspace(min(target.min(), nontarget.min()), max(target.max(), nontarget.max()), bins + 1)
    centres = (edges[1:] + edges[:-1]) / 2
    mated, _ = np.histogram(target, edges, density=True)
    non_mated, _ = np.histogram(nontarget, edges, density=True)
    local = []
    for p, q in zip(mated, non_mated, strict=True):
        ratio = p / q if q else np.inf if p else 0.0
        local.append(1.0 if ratio == np.inf else max(0.0, 2.0 * ratio / (1.0 + ratio) - 1.0))
    return float(np.trapezoid(np.array(local) * mated, centres))


def test_linkability_agrees_with_the_recipe_of_the_evaluations() -> None:
    rng = np.random.default_rng(5)
    target, nontarget = rng.normal(1.0, 1.0, 500), rng.normal(0.0, 1.0, 5000)
    assert linkability_of(target, nontarget) == pytest.approx(by_the_recipe(target, nontarget), abs=1e-12)


def test_linkability_of_a_case_worked_by_hand() -> None:
    """Three bins [0, 1) [1, 2) [2, 3]; targets 10, 10, 10, nontargets 30, 10, 0 of 40.

    D = 0, (1/3 − 1/4)/(1/3 + 1/4) = 1/7, 1; D·mass = 0, 1/21, 1/3; trapezoid 1/42 + (1/21 + 1/3)/2.
    """
    target = [0.5] * 10 + [1.5] * 10 + [3.0] * 10
    nontarget = [0.0] * 30 + [1.5] * 10
    assert linkability_of(target, nontarget) == pytest.approx(1 / 42 + (1 / 21 + 1 / 3) / 2, abs=1e-14)


@pytest.mark.parametrize(
    ("target", "nontarget"),
    [
        pytest.param([1.0] * 9, [0.0] * 50, id="under 10 targets"),
        pytest.param(list(range(19)), [0.0] * 50, id="one bin only"),
        pytest.param([1.0] * 50, [0.0] * 50, id="all mass in the edge bins"),
        pytest.param([1.0] * 50, [1.0] * 50, id="one distinct score"),
    ],
)
def test_linkability_is_not_measurable_rather_than_zero(target: list[float], nontarget: list[float]) -> None:
    assert linkability_of(target, nontarget) is None


@pytest.mark.parametrize("d_prime", [0.5, 1.0, 2.0, 3.0])
def test_eer_of_equal_variance_gaussians_in_closed_form(d_prime: float) -> None:
    """Quantiles stand for the classes, so that chance has no part: EER = Φ(−d′/2)."""
    quantile = norm.ppf((np.arange(200_000) + 0.5) / 200_000)
    counts = ScoreCounts.of_trials(Trials.from_scores(quantile + d_prime, quantile))
    assert eer(counts) == pytest.approx(norm.cdf(-d_prime / 2.0), abs=1e-5)
    assert rocch_eer(pav(counts)) == pytest.approx(norm.cdf(-d_prime / 2.0), abs=1e-5)


@pytest.mark.parametrize("mean", [0.5, 2.0, 6.0])
def test_cllr_of_true_gaussian_llrs_in_closed_form(mean: float) -> None:
    """True LLRs are N(±μ, 2μ); both classes cost the same, E log₂(1 + exp(−LLR)) over the targets."""
    spread = np.sqrt(2.0 * mean)

    def cost(z: float) -> float:
        return float(norm.pdf(z) * np.logaddexp(0.0, -(mean + spread * z)) / np.log(2.0))

    expected, _ = quad(cost, -12.0, 12.0, epsabs=1e-12)
    quantile = norm.ppf((np.arange(400_000) + 0.5) / 400_000)
    counts = ScoreCounts.of_trials(Trials.from_scores(mean + spread * quantile, -mean - spread * quantile))
    actual = cllr_bits(counts.score, counts.target_share, counts.nontarget_share)
    assert actual == pytest.approx(expected, rel=1e-4)
    blocks = pav(counts)
    assert cllr_bits(blocks.llr, blocks.target_share, blocks.nontarget_share) == pytest.approx(
        expected, rel=2e-3
    )


def test_hits_are_told_at_three_rates_and_not_below_one_in_all_nontargets() -> None:
    counts = ScoreCounts.of_trials(Trials.from_scores([500.5, 998.5], np.arange(1000.0)))
    assert hits_at_false_alarm_rates(ErrorRates.of(counts)) == {1e-2: 0.5, 1e-3: 0.5, 1e-4: None}


def test_local_linkability_weighted_with_the_target_trials_is_the_global_one() -> None:
    rng = np.random.default_rng(4)
    for mean in (0.0, 1.0, 3.0):
        target, nontarget = rng.normal(mean, 1.0, 300), rng.normal(0.0, 1.0, 900)
        counts = ScoreCounts.of_trials(Trials.from_scores(target, nontarget))
        found = local_linkability(counts)
        assert found is not None
        score, local = found
        edges = np.linspace(counts.score[0], counts.score[-1], 31)  # ten targets a bin
        density = np.histogram(target, edges, density=True)[0]
        assert np.trapezoid(density * local, score) == pytest.approx(linkability(counts), rel=1e-9)
        assert score == pytest.approx((edges[1:] + edges[:-1]) / 2.0)
        assert local.min() == 0.0


def test_local_linkability_of_a_case_worked_by_hand() -> None:
    """In three bins 0.1, 0.8 and 0.1 of the targets, and 0.6, 0.4 and none of the nontargets."""
    few = ScoreCounts.of_trials(Trials.from_scores([0.0] * 10 + [2.0] * 10, [0.5] * 4 + [1.5] * 6))
    assert local_linkability(few) is None  # all targets are in the outermost of two bins: D_sys is none
    targets = [0.0] * 3 + [1.5] * 24 + [3.0] * 3
    counts = ScoreCounts.of_trials(Trials.from_scores(targets, [0.5] * 6 + [1.5] * 4))
    found = local_linkability(counts)
    assert found is not None
    assert found[0].tolist() == [0.5, 1.5, 2.5]
    assert found[1].tolist() == pytest.approx([0.0, 0.4 / 1.2, 1.0])


def test_linkability_of_huge_scores_does_not_overflow() -> None:
    target = np.linspace(-0.85e308, 0.85e308, 40) * 2.0
    assert linkability_of(target, target) == 0.0


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


LIR = json.loads((Path(__file__).parents[2] / "data" / "lir.json").read_text(encoding="utf-8"))
"""What the package lir made of such LLRs; `made_by` says by which of its functions."""


@pytest.fixture(scope="module")
def arrays():
    draw = np.random.default_rng(54)
    truth = np.arange(300) < 60
    return truth, np.round(draw.normal(size=300) * 3.0 + 4.0 * truth - 2.0, 1)  # with ties


def by_class(truth, llr):
    """The targets, then the nontargets."""
    return llr[truth].tolist(), llr[~truth].tolist()


def test_a_case_worked_by_hand():
    """PAV: −∞ at −2, 0 at 0 and at ln 10, ∞ at 3. Between 0 and 1 it lies 0 … 1 below: one half."""
    labels, llr = [0, 0, 1, 0, 1, 1], np.array([-2.0, 0.0, 0.0, LN10, LN10, 3.0])
    assert pav_llr(labels, llr) == pytest.approx([-inf, 0, 0, 0, 0, inf], abs=1e-15)
    assert dev_pav(labels, llr) == pytest.approx(0.5)


def test_a_line_that_crosses_the_diagonal_counts_on_both_sides():
    """log10 LR −1, 1, both worth 0 as one block: two triangles of 1/2 over a range of 2."""
    assert dev_pav([0, 1, 0, 1], np.array([-1.0, -1.0, 1.0, 1.0]) * LN10) == pytest.approx(0.5)


def test_what_pav_gives_deviates_by_nothing_and_a_shift_by_itself(arrays):
    truth, llr = arrays
    found = pav_llr(truth, llr)
    kept = np.isfinite(found)
    oracle = np.where(kept, found, np.sign(found) * 50.0)

    assert dev_pav(truth, oracle) == pytest.approx(0.0, abs=1e-12)
    for shift in (-2.0, 0.7):
        assert dev_pav(truth, oracle + shift * LN10) == pytest.approx(abs(shift))


def test_dev_pav_is_the_mean_distance_of_pav(arrays):
    assert dev_pav(*arrays) == pytest.approx(brute_force.dev_pav(*by_class(*arrays)), rel=1e-4)


def test_where_no_finite_llr_is_left_nothing_is_measured():
    assert np.isnan(dev_pav([0, 1], [-1.0, 1.0]))


def test_an_infinite_llr_that_is_worth_a_finite_one_is_infinitely_wrong():
    both = np.array([1, 1])
    counts = ScoreCounts(np.array([0.0, inf]), both, both)
    assert dev_pav_log10(counts, pav(counts)) == inf


def test_bounds_worked_by_hand():
    """Nine targets at 5, ninety-nine nontargets at −5, one of each at the other end."""
    labels = [1] * 9 + [0] + [1] + [0] * 99
    llr = [5.0 * LN10] * 10 + [-5.0 * LN10] * 100
    above = log10((9.5 / 11) / (1.5 / 101))
    below = log10((99.5 / 101) / (1.5 / 11))
    assert invariance_bounds(labels, llr) == pytest.approx((-below, above))


def test_bounds_are_those_of_every_threshold_tried(arrays):
    truth, llr = arrays
    for scaled in (llr, 2.0 * llr, llr + 3.0, llr / 5.0, -llr):
        known = brute_force.invariance_bounds(*by_class(truth, scaled))
        assert invariance_bounds(truth, scaled) == pytest.approx(known, abs=1.1e-3)


def test_classes_exchanged_and_signs_changed_exchange_the_bounds(arrays):
    truth, llr = arrays
    low, high = invariance_bounds(truth, llr)
    assert invariance_bounds(~truth, -llr) == pytest.approx((-high, -low))


def test_llrs_below_what_the_trials_bear_are_their_own_bounds():
    """Of a thousand who all say a factor of two at most, no more is borne out than they say."""
    labels, llr = [1] * 1000 + [0] * 1000, [0.3 * LN10] * 1000 + [-0.3 * LN10] * 1000
    assert invariance_bounds(labels, llr) == pytest.approx((-0.3, 0.3))


def test_scores_all_equal_are_bounded_by_nothing_but_0():
    counts = ScoreCounts(np.array([0.0]), np.array([3]), np.array([5]))
    assert InvarianceBounds.of(counts) == InvarianceBounds(0.0, 0.0)


@pytest.mark.parametrize("case", LIR["cases"], ids=lambda case: f"{len(case['llr'])} trials")
def test_the_package_lir_finds_the_same(case):
    found = dev_pav(case["y_true"], case["llr"])
    assert found == pytest.approx(case["dev_pav"], rel=1e-12, nan_ok=True)
    assert invariance_bounds(case["y_true"], case["llr"]) == pytest.approx(case["bounds"], abs=2e-4)
