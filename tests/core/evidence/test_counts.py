"""Counting trials by distinct score and by bin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zebra_core.evidence.counts import RankedScores, ScoreCounts
from zebra_core.evidence.trials import Trials

scores = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)


def counts_of(target: object, nontarget: object) -> ScoreCounts:
    return ScoreCounts.of_trials(Trials.from_scores(target, nontarget))


@given(target=scores, nontarget=scores, bins=st.integers(1, 9))
def test_bins_count_as_a_histogram_does(target: list[float], nontarget: list[float], bins: int) -> None:
    edges = np.linspace(-4.0, 3.0, bins + 1)
    found = counts_of(target, nontarget).within(edges)
    assert found.n_target.tolist() == np.histogram(target, edges)[0].tolist()
    assert found.n_nontarget.tolist() == np.histogram(nontarget, edges)[0].tolist()


def test_even_edges_hold_every_score_and_do_not_overflow() -> None:
    counts = counts_of([-1.7e308, 0.0], [1.7e308])
    edges = counts.even_edges(4)
    assert edges == pytest.approx([-1.7e308, -0.85e308, 0.0, 0.85e308, 1.7e308], rel=1e-15)
    assert counts.within(edges).n_target.tolist() == [1, 0, 1, 0]
    assert counts_of([0.1, 0.7], [0.3]).even_edges(3) == pytest.approx(np.linspace(0.1, 0.7, 4), rel=1e-15)


@given(trials=st.lists(st.tuples(st.integers(-3, 3).map(float), st.booleans()), min_size=1, max_size=20))
def test_ranked_scores_are_counted_as_if_they_were_sorted_again(trials: list[tuple[float, bool]]) -> None:
    score, is_target = np.array([one for one, _ in trials]), np.array([one for _, one in trials])
    ranked, expected = RankedScores.of(score), ScoreCounts.of(score, is_target)
    found = ranked.counts(is_target)
    assert (ranked.score[ranked.place] == score).all()
    for name in ("score", "n_target", "n_nontarget"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()
