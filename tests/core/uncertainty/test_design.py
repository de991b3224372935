"""The area under the curve of a rule that hears no voice, its draws, and what chance calls right."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from tests.benchmarks.levels_of_design import called, project
from zebra_core.evidence.trials import FloatArray, Ids, Trials
from zebra_core.speakers.design import Clue, TrivialRule
from zebra_core.uncertainty.design import RuleArea, rule_areas
from zebra_core.uncertainty.resampling import Clusters


def all_pairs(n_speakers: int, each: int) -> Trials:
    names = tuple(f"s{k}-{n}" for k in range(n_speakers) for n in range(each))
    first, second = np.triu_indices(len(names), 1)
    ids = [Ids(side.astype(np.int32), names, is_ordered=True) for side in (first, second)]
    return Trials(np.arange(len(first)) * 1.0, first // each == second // each, *ids)


def area(made: Trials, value: FloatArray, clue: Clue = Clue.LENGTH) -> RuleArea:
    (found,) = rule_areas([TrivialRule(clue, value)], made.is_target, Clusters.of_trials(made))
    return found


def test_the_area_of_a_shared_clue_by_hand() -> None:
    """Three of four targets share it, one of four nontargets: 0.5 + (0.75 − 0.25)/2."""
    names = tuple("abcdwxyz")
    codes = np.arange(8, dtype=np.int32)
    is_target = codes < 4
    made = Trials(codes * 1.0, is_target, Ids(codes, names), Ids(codes, tuple(n * 2 for n in names)))
    value = np.array([1.0, 1, 1, 0, 1, 0, 0, 0])
    found = area(made, value, Clue.SESSION)
    assert (found.area, found.target, found.nontarget) == (0.75, 0.75, 0.25)


def test_the_area_of_a_distance_is_that_of_mann_and_whitney() -> None:
    rng = np.random.default_rng(0)
    made = all_pairs(5, 3)
    value = np.round(rng.normal(size=len(made)) + made.is_target, 1)
    u = mannwhitneyu(value[made.is_target], value[~made.is_target]).statistic
    assert area(made, value).area == pytest.approx(u / (made.n_target * made.n_nontarget), abs=1e-12)
    assert np.isnan(area(made, value).target)


def test_many_different_values_are_told_apart_well_enough() -> None:
    rng = np.random.default_rng(1)
    made = all_pairs(20, 5)
    value = rng.normal(size=len(made)) + made.is_target
    u = mannwhitneyu(value[made.is_target], value[~made.is_target]).statistic
    assert area(made, value).area == pytest.approx(u / (made.n_target * made.n_nontarget), abs=2e-3)


def test_a_rule_that_says_nothing_of_many_trials_is_left_out_and_a_few_do_not_matter() -> None:
    made = all_pairs(5, 4)
    value = np.where(made.is_target, 1.0, 0.0)
    value[np.flatnonzero(made.is_target)[:2]] = np.nan  # of 30
    assert area(made, value, Clue.TEXT).area == 1.0
    value[np.flatnonzero(made.is_target)[:4]] = np.nan
    assert not rule_areas([TrivialRule(Clue.TEXT, value)], made.is_target, Clusters.of_trials(made))


def test_the_interval_is_that_of_speakers_and_not_of_trials() -> None:
    """One of twenty speakers brings all that targets share: whether they are drawn decides it."""
    made = all_pairs(20, 6)
    assert made.enrol is not None
    of_one = made.is_target & (made.enrol.codes < 6)
    found = area(made, of_one * 1.0, Clue.TEXT)
    span = found.interval(0.95)
    assert found.area == pytest.approx(0.525)
    assert span is not None
    assert span.low < 0.505
    everybody = area(made, made.is_target * 1.0, Clue.TEXT).interval(0.95)
    assert everybody is not None
    assert (everybody.low > 0.8, everybody.high) == (True, 1.0)


@pytest.mark.parametrize("is_mixed", [False, True])
def test_without_any_effect_hardly_any_project_is_called_decided(is_mixed: bool) -> None:
    """At most one in twenty; of 400 projects none to five were (`benchmarks.levels_of_design`)."""
    found = [called(project(12, is_mixed=is_mixed, seed=seed), 0.6) for seed in range(40)]
    assert sum(found) <= 3
