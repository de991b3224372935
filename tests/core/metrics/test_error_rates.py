"""Errors at every threshold: EER, recall at few false alarms, misleading evidence."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core import brute_force
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.calibration import pav
from zebra_core.metrics.error_rates import ErrorRates, MisleadingEvidence

scores = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)


def counts_of(target: list[float], nontarget: list[float]) -> ScoreCounts:
    return ScoreCounts.of_trials(Trials.from_scores(target, nontarget))


def test_rates_of_a_case_worked_by_hand() -> None:
    """Scores 0 (n), 1 (t, n tied), 2 (t): the tie moves both rates at once."""
    rates = ErrorRates.of(counts_of([1.0, 2.0], [0.0, 1.0]))
    assert rates.miss.tolist() == [0.0, 0.0, 0.5, 1.0]
    assert rates.false_alarm.tolist() == [1.0, 0.5, 0.0, 0.0]
    assert rates.equal() == 0.25


@given(target=scores, nontarget=scores)
def test_rates_agree_with_counting(target: list[float], nontarget: list[float]) -> None:
    counts = counts_of(target, nontarget)
    rates = ErrorRates.of(counts)
    for place, threshold in enumerate([*counts.score, math.inf]):
        found = rates.miss[place], rates.false_alarm[place]
        assert found == pytest.approx(brute_force.rates_at(target, nontarget, threshold), abs=1e-15)


@given(target=scores, nontarget=scores, limit=st.sampled_from([0.01, 0.1, 0.25, 0.5, 1.0]))
def test_recall_agrees_with_trying_every_threshold(
    target: list[float], nontarget: list[float], limit: float
) -> None:
    found = ErrorRates.of(counts_of(target, nontarget)).recall_at(limit)
    assert found == pytest.approx(brute_force.recall(target, nontarget, limit), abs=1e-15)


def test_recall_is_measurable_from_one_false_alarm_on() -> None:
    nontarget = [float(n) for n in range(100)]
    rates = ErrorRates.of(counts_of([98.5, 99.5, 50.5, 99.0], nontarget))
    assert rates.recall_at(0.01) == 0.75  # 99 (tied with a nontarget) and 98.5 come before a second nontarget
    assert rates.recall_at(math.nextafter(0.01, 0.0)) is None


def test_recall_takes_a_group_of_ties_whole_or_not_at_all() -> None:
    rates = ErrorRates.of(counts_of([1.0, 2.0], [1.0, 1.0, 0.0, 0.0]))
    assert rates.recall_at(0.25) == 0.5
    assert rates.recall_at(0.5) == 1.0


@given(target=scores, nontarget=scores)
def test_the_hull_lies_nowhere_above_the_curve(target: list[float], nontarget: list[float]) -> None:
    counts = counts_of(target, nontarget)
    curve, hull = ErrorRates.of(counts), ErrorRates.of(pav(counts))
    at = np.interp(curve.false_alarm, hull.false_alarm[::-1], hull.miss[::-1])
    lowest = hull.miss[np.searchsorted(-hull.false_alarm, -curve.false_alarm)]  # on a vertical piece
    assert (np.minimum(at, lowest) <= curve.miss + 1e-12).all()
    assert hull.equal() <= curve.equal() + 1e-12


def test_misleading_evidence_counts_neither_zero_nor_what_is_right() -> None:
    counts = counts_of([-1.0, 0.0, 2.0, 3.0], [-3.0, 0.0, 0.5, 1.0, 1.0])
    found = MisleadingEvidence.of(counts.score, counts.target_share, counts.nontarget_share)
    assert found == MisleadingEvidence(of_target=0.25, of_nontarget=pytest.approx(0.6))
