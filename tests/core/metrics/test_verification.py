"""Conventional figures."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.calibration import pav
from zebra_core.metrics.error_rates import ErrorRates
from zebra_core.metrics.verification import (
    _mass_by_chance,
    cllr_bits,
    eer,
    hits_at_false_alarm_rates,
    linkability,
    linkability_by_chance,
    local_linkability,
    rocch_eer,
)


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
    assert _mass_by_chance(1, 1, 1) == pytest.approx(0.5)
    # All trials in one bin: both shares are 1, and D is 0.
    assert _mass_by_chance(10, 3, 7) == 0.0
    assert _mass_by_chance(0, 3, 7) == 0.0


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
