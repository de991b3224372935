"""Figures of two arrays: the same as an assessment's, and as other programs have them."""

import json
from pathlib import Path

import numpy as np
import pytest

import zebra_core
from zebra_core import assess
from zebra_core.errors import InputError
from zebra_core.evidence.trials import Trials

DATA = Path(__file__).resolve().parents[2] / "data"


@pytest.fixture(scope="module")
def arrays():
    draw = np.random.default_rng(3)
    truth = np.arange(400) < 60
    return truth, np.round(draw.normal(size=400) + 1.5 * truth, 2)  # with ties


def test_they_are_the_figures_of_an_assessment(arrays):
    whole = assess(Trials(arrays[1], arrays[0]))

    for name in ("d_ece_bits", "worst_case_log10_lr", "eer", "rocch_eer", "cllr_bits", "min_cllr_bits"):
        assert getattr(zebra_core, name)(*arrays) == pytest.approx(getattr(whole, name), rel=1e-13), name
    assert zebra_core.linkability_d_sys(*arrays) == whole.linkability
    actual, least, prior = zebra_core.ece_curve(*arrays, whole.profile.prior_log_odds / np.log(10.0))
    assert least == pytest.approx(whole.profile.min_bits, rel=1e-12)
    assert actual == pytest.approx(whole.profile.actual_bits, rel=1e-12)
    assert prior == pytest.approx(whole.profile.default_bits, rel=1e-12)


def test_pav_is_the_isotonic_regression_of_other_programs(arrays):
    """Independent: SciPy's, on the distinct scores."""
    from scipy.optimize import isotonic_regression

    truth, score = arrays
    distinct, place, often = np.unique(score, return_inverse=True, return_counts=True)
    share = np.bincount(place, truth) / often
    fitted = isotonic_regression(share, weights=often).x[place]
    with np.errstate(divide="ignore"):
        expected = np.log(fitted / (1.0 - fitted)) - np.log(truth.mean() / (1.0 - truth.mean()))

    found = zebra_core.pav_llr(truth, score)
    assert len(distinct) < len(score)
    assert np.array_equal(np.isinf(found), np.isinf(expected))
    assert found[np.isfinite(found)] == pytest.approx(expected[np.isfinite(found)], abs=1e-9)


def test_the_det_curve_counts_errors_at_each_threshold(arrays):
    truth, score = arrays
    false_alarms, misses, thresholds = zebra_core.det_curve(truth, score)

    for at in (0, 7, len(thresholds) - 1):
        accepted = score >= thresholds[at]
        assert false_alarms[at] == (accepted & ~truth).sum() / (~truth).sum()
        assert misses[at] == (~accepted & truth).sum() / truth.sum()


@pytest.fixture(scope="module")
def others():
    """What lir and scikit-learn make of the same arrays; how is told inside."""
    return json.loads((DATA / "other_packages.json").read_text())


def test_lir_has_the_same_costs_and_the_same_pav(others):
    arrays, lir = (others["labels"], others["scores"]), others["lir"]
    assert zebra_core.cllr_bits(*arrays) == pytest.approx(lir["cllr"], rel=1e-14)
    assert zebra_core.min_cllr_bits(*arrays) == pytest.approx(lir["cllr_min"], rel=1e-14)
    found = zebra_core.pav_llr(*arrays) / np.log(10.0)
    expected = np.array(lir["isotonic_log10_lr"], dtype=np.float64)
    finite = np.isfinite(expected)
    assert found[finite] == pytest.approx(expected[finite], abs=1e-14)
    assert np.array_equal(found[~finite], expected[~finite])


def test_scikit_learn_has_the_same_rates_at_its_thresholds_and_the_same_log_loss(others):
    arrays, known = (others["labels"], others["scores"]), others["scikit-learn"]
    false_alarms, misses, thresholds = zebra_core.det_curve(*arrays)
    assert thresholds.tolist() == known["thresholds"]
    assert false_alarms.tolist() == known["false_alarms"]
    assert misses == pytest.approx(known["misses"], abs=1e-15)
    assert zebra_core.cllr_bits(*arrays) == pytest.approx(known["log_loss_bits"], rel=1e-14)


@pytest.mark.parametrize(
    ("truth", "score", "said"),
    [
        ([1, 0, 2], [1.0, 2.0, 3.0], "The labels hold 2"),
        ([1, 0], [1.0], "1 scores but 2 labels"),
        ([1, 0], [1.0, np.nan], "not a finite number"),
        ([1, 1], [1.0, 2.0], "nontarget"),
    ],
)
def test_what_is_wrong_is_said(truth, score, said):
    with pytest.raises(InputError, match=said):
        zebra_core.d_ece_bits(truth, score)


@pytest.mark.parametrize(("prior", "c_miss", "c_fa"), [(0.01, 1.0, 1.0), (0.05, 1.0, 1.0), (0.3, 10.0, 2.0)])
def test_detection_costs_are_those_of_every_threshold_tried(prior, c_miss, c_fa):
    rng = np.random.default_rng(5)
    labels = np.arange(300) < 60
    scores = np.round(rng.normal(size=300) + 2.0 * labels, 1)  # with ties
    costs = {"prior": prior, "c_miss": c_miss, "c_fa": c_fa}

    def cost(threshold):
        miss, false_alarm = (scores[labels] < threshold).mean(), (scores[~labels] >= threshold).mean()
        whole = c_miss * prior * miss + c_fa * (1 - prior) * false_alarm
        return whole / min(c_miss * prior, c_fa * (1 - prior))

    least = min(map(cost, [*scores, np.inf]))
    assert zebra_core.min_dcf(labels, scores, **costs) == pytest.approx(least, abs=1e-12)
    bayes = np.log(c_fa * (1 - prior) / (c_miss * prior))
    assert zebra_core.actual_dcf(labels, scores, **costs) == pytest.approx(cost(bayes), abs=1e-12)
    assert zebra_core.actual_dcf(labels, scores, **costs) >= least


def test_a_prior_of_nothing_has_no_cost():
    with pytest.raises(zebra_core.InputError, match="A detection cost needs a prior"):
        zebra_core.min_dcf([1, 0], [1.0, 0.0], prior=0.0)
