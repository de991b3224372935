"""LLRs as handed in against what trials bear out: devPAV and the bounds of invariance."""

import json
from math import inf, log10
from pathlib import Path

import numpy as np
import pytest

from tests.core import brute_force
from zebra_core import dev_pav, invariance_bounds, pav_llr
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.metrics.calibration import pav
from zebra_core.metrics.claimed_llrs import InvarianceBounds, dev_pav_log10
from zebra_core.metrics.zebra import LN10

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
