"""Calibrations that an attacker learns on one run and applies to another."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import minimize

import zebra_core
from tests.core import brute_force
from zebra_core.evidence.trials import ScoreCounts, Trials
from zebra_core.metrics.learnt_calibration import IsotonicCalibration, LinearCalibration, attack, judge

GRID = np.linspace(-10.0, 10.0, 201)
scores = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)


def counts_of(target: object, nontarget: object) -> ScoreCounts:
    return ScoreCounts.of_trials(Trials.from_scores(target, nontarget))


def loss(at: np.ndarray, target: np.ndarray, nontarget: np.ndarray, prior: float) -> float:
    logit = math.log(prior / (1.0 - prior)) + at[1]
    of_target = np.logaddexp(0.0, -at[0] * target - logit).mean()
    return float(prior * of_target + (1.0 - prior) * np.logaddexp(0.0, at[0] * nontarget + logit).mean())


@settings(deadline=None, max_examples=40)
@given(target=scores, nontarget=scores, prior=st.sampled_from([0.5, 0.1, 0.9]))
def test_no_other_slope_and_offset_do_better_on_the_training_run(
    target: list[float], nontarget: list[float], prior: float
) -> None:
    found = LinearCalibration.fit(counts_of(target, nontarget), prior)
    if found.bounded:
        low, high = min(target + nontarget), max(target + nontarget)
        target, nontarget = [*target, low, high], [*nontarget, low, high]
    arrays = np.array(target), np.array(nontarget)
    best = minimize(loss, np.zeros(2), (*arrays, prior), method="Nelder-Mead", options={"fatol": 1e-13})
    assert loss(np.array([found.slope, found.offset]), *arrays, prior) <= best.fun + 1e-9


def test_true_llrs_need_no_calibration() -> None:
    rng = np.random.default_rng(6)
    counts = counts_of(rng.normal(2.0, 2.0, 100_000), rng.normal(-2.0, 2.0, 100_000))
    found = LinearCalibration.fit(counts)
    assert (found.slope, found.offset) == pytest.approx((1.0, 0.0), abs=0.02)


@pytest.mark.parametrize("unit", [1e-200, 1e-3, 1.0, 1e6, 1e200])
def test_the_unit_and_the_origin_of_the_scores_do_not_matter(unit: float) -> None:
    rng = np.random.default_rng(7)
    target, nontarget = rng.normal(1.0, 1.0, 50), rng.normal(0.0, 1.0, 200)
    plain, moved = (LinearCalibration.fit(counts_of(*pair)) for pair in (
        (target, nontarget), ((target + 3.0) * unit, (nontarget + 3.0) * unit))
    )  # fmt: skip
    assert moved.llr((target + 3.0) * unit) == pytest.approx(plain.llr(target), abs=1e-6)


@pytest.mark.parametrize(
    ("target", "nontarget", "sign"),
    [
        pytest.param([2.0, 3.0], [0.0, 1.0], 1, id="a gap"),
        pytest.param([1.0, 2.0], [0.0, 1.0], 1, id="a tie at the threshold"),
        pytest.param([0.0, 1.0], [2.0, 3.0], -1, id="the wrong way round"),
    ],
)
def test_separable_classes_get_a_finite_slope_and_it_is_said(
    target: list[float], nontarget: list[float], sign: int
) -> None:
    found = LinearCalibration.fit(counts_of(target, nontarget))
    assert found.bounded
    assert 0.0 < sign * found.slope < 10.0


@pytest.mark.parametrize("scores", [([1.0], [1.0]), ([0.0], [5e-324])])
def test_scores_that_do_not_differ_teach_nothing(scores: tuple[list[float], list[float]]) -> None:
    assert LinearCalibration.fit(counts_of(*scores)) == LinearCalibration(0.0, 0.0, bounded=False)


def test_a_score_from_another_world_gets_an_infinite_llr_and_json_null() -> None:
    train = counts_of([1e-200, 2e-200], [0.0, 1.5e-200])
    report = attack(train, counts_of([-1e300], [1e300]), GRID)
    assert report.linear.c_ece_bits == -math.inf
    assert report.as_json()["linear"] == {"c_ece_bits": None, "cllr_bits": None}


@given(target=scores, nontarget=scores, at=st.floats(-8.0, 8.0))
def test_isotonic_is_level_on_blocks_and_straight_between_them(
    target: list[float], nontarget: list[float], at: float
) -> None:
    llr = brute_force.pav_llrs(target, nontarget, laplace=True)
    expected = llr[min(llr)] if at < min(llr) else llr[max(llr)]
    for (low, before), (high, after) in pairwise(sorted(llr.items())):
        if low <= at < high:
            expected = before + (after - before) * (at - low) / (high - low)
    found = IsotonicCalibration.fit(counts_of(target, nontarget)).llr(np.array([at]))[0]
    assert found == pytest.approx(expected, abs=1e-12)


@given(target=scores, nontarget=scores)
def test_on_its_own_run_isotonic_gives_the_laplace_llrs(target: list[float], nontarget: list[float]) -> None:
    llr = brute_force.pav_llrs(target, nontarget, laplace=True)
    found = IsotonicCalibration.fit(counts_of(target, nontarget))
    assert found.llr(np.array(list(llr))) == pytest.approx(list(llr.values()), abs=1e-14)


@settings(deadline=None, max_examples=30)
@given(target=scores, nontarget=scores)
def test_c_ece_is_the_area_between_default_and_actual(target: list[float], nontarget: list[float]) -> None:
    counts = counts_of(target, nontarget)
    found = judge(counts.score, counts, GRID)
    assert found.c_ece_bits == pytest.approx(brute_force.d_ece(target, nontarget), abs=1e-8)
    assert found.cllr_bits == pytest.approx(brute_force.ece(target, nontarget, 0.5), abs=1e-12)
    assert found.actual_bits[100] == pytest.approx(found.cllr_bits, abs=1e-12)


def test_a_run_that_moved_the_scores_makes_calibration_worse_than_none() -> None:
    rng = np.random.default_rng(8)
    target, nontarget = rng.normal(1.0, 0.5, 200), rng.normal(0.0, 0.5, 4000)
    report = attack(counts_of(target, nontarget), counts_of(nontarget + 3.0, target + 3.0), GRID)
    assert report.linear.c_ece_bits < 0.0
    assert report.isotonic.c_ece_bits < 0.0
    assert list(report.as_json()) == ["linear", "isotonic"]


def test_no_learnt_calibration_discloses_more_than_the_oracle() -> None:
    rng = np.random.default_rng(9)
    runs = [(rng.normal(1.0, 1.0, 200), rng.normal(0.0, 1.0, 3000)) for _ in range(2)]
    report = attack(counts_of(*runs[0]), counts_of(*runs[1]), GRID)
    oracle = zebra_core.assess(Trials.from_scores(*runs[1]))
    for judged in (report.linear, report.isotonic):
        assert 0.0 < judged.c_ece_bits <= oracle.d_ece_bits
        assert judged.cllr_bits >= oracle.min_cllr_bits
        assert (judged.actual_bits >= oracle.profile.min_bits - 1e-12).all()
