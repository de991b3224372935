"""Errors at every threshold: EER, hits at few false alarms, misleading evidence."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.core import brute_force
from zebra_core.evidence.trials import ScoreCounts, Trials
from zebra_core.metrics.ece import pav
from zebra_core.metrics.error_rates import ErrorRates, MisleadingEvidence, hits_of_each, rates_of_each

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
def test_hits_agree_with_trying_every_threshold(
    target: list[float], nontarget: list[float], limit: float
) -> None:
    found = ErrorRates.of(counts_of(target, nontarget)).hits_at(limit)
    assert found == pytest.approx(brute_force.hits_at(target, nontarget, limit), abs=1e-15)


def test_hits_are_measurable_from_one_false_alarm_on() -> None:
    nontarget = [float(n) for n in range(100)]
    rates = ErrorRates.of(counts_of([98.5, 99.5, 50.5, 99.0], nontarget))
    assert rates.hits_at(0.01) == 0.75  # 99 (tied with a nontarget) and 98.5 come before a second nontarget
    assert rates.hits_at(math.nextafter(0.01, 0.0)) is None


def test_a_threshold_takes_a_group_of_ties_whole_or_not_at_all() -> None:
    rates = ErrorRates.of(counts_of([1.0, 2.0], [1.0, 1.0, 0.0, 0.0]))
    assert rates.hits_at(0.25) == 0.5
    assert rates.hits_at(0.5) == 1.0


@given(target=scores, nontarget=scores)
def test_hits_never_fall_when_more_false_alarms_are_allowed(
    target: list[float], nontarget: list[float]
) -> None:
    rates = ErrorRates.of(counts_of(target, nontarget))
    found = [rates.hits_at(limit) for limit in (1.0 / len(nontarget), 0.5, 0.75, 1.0)]
    there = [hits for hits in found if hits is not None]
    assert there == sorted(there)
    assert there[-1] == 1.0


def test_perfect_separation_is_hit_always_and_scores_that_say_nothing_as_often_as_there_are_false_alarms():
    apart = ErrorRates.of(counts_of([2.0, 3.0], [float(-n) for n in range(10_000)]))
    assert [apart.hits_at(limit) for limit in (1e-2, 1e-3, 1e-4)] == [1.0, 1.0, 1.0]
    score = np.random.default_rng(1).normal(size=400_000)
    alike = ErrorRates.of(counts_of(score[:200_000].tolist(), score[200_000:].tolist()))
    for limit in (1e-2, 1e-3, 1e-4):
        assert alike.hits_at(limit) == pytest.approx(limit, abs=5.0 * math.sqrt(2.0 * limit / 200_000))
    reversed_ = ErrorRates.of(counts_of([-1.0], [float(n) for n in range(100)]))
    assert reversed_.hits_at(1e-2) == 0.0


def test_hits_are_those_of_the_roc_curve_of_scikit_learn() -> None:
    """Points of `sklearn.metrics.roc_curve` of scikit-learn 1.9.1 for the scores made here, none dropped."""
    rng = np.random.default_rng(52)
    target, nontarget = np.round(rng.normal(1.5, 1.0, 300), 1), np.round(rng.normal(0.0, 1.0, 2000), 1)
    rates = ErrorRates.of(counts_of(target.tolist(), nontarget.tolist()))
    assert [rates.hits_at(1e-2), rates.hits_at(1e-3)] == pytest.approx([0.19, 0.07], abs=1e-15)
    assert rates.hits_at(1e-4) is None  # there 0.05, of no false alarm in 2 000


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12), st.data())
def test_hits_of_several_weightings_are_those_of_each(groups: list[tuple[int, int]], data) -> None:
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(groups), max_size=len(groups)))
    counts = np.array([groups, [(t * w, n * w) for (t, n), w in zip(groups, times, strict=True)]])
    counts = counts[(counts.sum(axis=1) > 0).all(axis=1)]
    if not len(counts):
        return
    n_target, n_nontarget = counts[..., 0], counts[..., 1]
    drawn = rates_of_each(n_target, n_nontarget)
    for limit in (0.1, 0.25, 0.5):
        found = hits_of_each(*drawn, n_nontarget.sum(axis=1), limit)
        alone = [
            ErrorRates.of(ScoreCounts(np.arange(len(t)), t, n)).hits_at(limit)
            for t, n in zip(n_target, n_nontarget, strict=True)
        ]
        assert found.tolist() == pytest.approx(
            [math.nan if one is None else one for one in alone], nan_ok=True
        )


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
