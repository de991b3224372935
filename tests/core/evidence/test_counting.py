"""Counting piece by piece: exact, or rounded with bounds that hold; neither order nor pieces matter."""

from dataclasses import replace

import numpy as np
import pytest

from zebra_core.evidence.audit import Audit, Finding, Severity
from zebra_core.evidence.counting import ScoreCounter, rounded_down
from zebra_core.evidence.trials import CountedTrials, ScoreCounts
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.error_rates import FIGURES, _figures, bounds, rounding_facts

RNG = np.random.default_rng(7)
IS_TARGET = RNG.random(6000) < 0.2
SCORE = RNG.normal(size=6000) + 1.5 * IS_TARGET


def counted(score, is_target, piece=500, **how):
    counter = ScoreCounter(**how)
    for start in range(0, len(score), piece):
        counter.add(score[start : start + piece], is_target[start : start + piece])
    return counter.counted()


def same(left: ScoreCounts, right: ScoreCounts) -> bool:
    return all(
        np.array_equal(getattr(left, name), getattr(right, name))
        for name in ("score", "n_target", "n_nontarget")
    )


@pytest.mark.parametrize("piece", [1, 37, 500, 6000])
def test_pieces_count_what_all_trials_count(piece: int) -> None:
    score = np.round(SCORE, 1)
    found = counted(score, IS_TARGET, piece)
    assert found.width == 0.0
    assert same(found.counts, ScoreCounts.of(score, IS_TARGET))


@pytest.mark.parametrize("piece", [1, 37, 500, 6000])
def test_rounding_depends_neither_on_order_nor_on_pieces(piece: int) -> None:
    order = np.random.default_rng(piece).permutation(len(SCORE))
    first = counted(SCORE, IS_TARGET, 100, most_distinct=1000, most_bins=250)
    again = counted(SCORE[order], IS_TARGET[order], piece, most_distinct=1000, most_bins=250)
    assert first.width == again.width > 0.0
    assert len(first.counts.score) <= 250
    assert same(first.counts, again.counts)
    assert first.counts.total_target == np.count_nonzero(IS_TARGET)


@pytest.mark.parametrize("bins", [20, 250, 900])
def test_unrounded_figures_lie_within_the_bounds(bins: int) -> None:
    exact = dict(zip(FIGURES, _figures(ScoreCounts.of(SCORE, IS_TARGET)), strict=True))
    found = bounds(counted(SCORE, IS_TARGET, most_distinct=1000, most_bins=bins))
    for name, (low, high) in found.items():
        assert low - 1e-12 <= exact[name] <= high + 1e-12
        assert low < high


def test_bounds_of_exact_counts_are_the_figures() -> None:
    found = counted(SCORE, IS_TARGET)
    assert bounds(found)["d_ece_bits"][0] == bounds(found)["d_ece_bits"][1]


def test_rounding_down_is_exact_at_both_ends_of_floats() -> None:
    given = np.array([-1e308, -5e-324, 0.0, 0.3, 1.0, 3e15, 1e308])
    assert rounded_down(given, 1).tolist() == [-1e308, -0.5, 0.0, 0.0, 1.0, 3e15, 1e308]
    assert rounded_down(given, -1000)[1] == -(2.0**1000)


def test_what_rounding_can_have_done_is_told_once_before_what_is_only_noted() -> None:
    made = counted(SCORE, IS_TARGET, most_distinct=1000, most_bins=250)
    noted = Finding("streamed", Severity.NOTE, {"count": 6000})
    audit = Audit(findings=(noted,))
    trials = CountedTrials(made.counts, made.width, (), (noted.as_remark(),), audit)
    found = assess(trials)
    assert found.audit is not None
    assert [one.code for one in found.audit.findings] == ["rounded", "streamed"]
    assert [one.code for one in found.remarks_on_files] == ["rounded", "streamed"]
    assert found.audit.findings[0].facts == rounding_facts(made)
    again = assess(replace(trials, audit=found.audit, remarks=found.remarks_on_files))
    assert (again.audit, again.remarks_on_files) == (found.audit, found.remarks_on_files)
    assert assess(CountedTrials(ScoreCounts.of(SCORE, IS_TARGET))).remarks_on_files == ()
