"""Trials are checked once, at birth."""

import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

import zebra_core
from zebra_core.evidence.trials import RankedScores, ScoreCounts, Trials


@pytest.mark.parametrize(
    ("target", "nontarget", "sentence"),
    [
        ([], [1.0], "^There is no target trial"),
        ([1.0], [], "^There is no nontarget trial"),
        ([1.0, np.nan], [0.0], "The score at position 1 is nan, not a finite number"),
        ([1.0], [np.inf], "The score at position 1 is inf, not a finite number"),
        ([[1.0]], [0.0], "The target given have 2 dimensions"),
        (["a"], [0.0], "The target given are not numbers"),
    ],
)
def test_arrays_that_are_no_trials_are_refused(target: object, nontarget: object, sentence: str) -> None:
    with pytest.raises(zebra_core.InputError, match=sentence):
        zebra_core.Trials.from_scores(target, nontarget)


def test_labels_of_another_number_are_refused() -> None:
    with pytest.raises(zebra_core.InputError, match="There are 2 scores but 1 labels"):
        zebra_core.Trials(np.array([0.0, 1.0]), np.array([True]))


def test_trials_are_frozen_copies() -> None:
    target = np.array([1.0, 2.0])
    trials = zebra_core.Trials.from_scores(target, [0.0])
    target[0] = 99.0
    assert trials.score.tolist() == [1.0, 2.0, 0.0]
    assert (trials.n_target, trials.n_nontarget, len(trials)) == (2, 1, 3)
    with pytest.raises(ValueError, match="read-only"):
        trials.score[0] = 5.0


def test_an_error_keeps_its_facts_on_the_way_from_another_process() -> None:
    with pytest.raises(zebra_core.InputError) as caught:
        zebra_core.Trials.from_scores([np.nan], [0.0])
    back = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert str(back) == str(caught.value)
    assert back.facts == {"position": 0, "found": "nan"}


def test_arrays_with_ids_lead_to_intervals_over_speakers() -> None:
    draw = np.random.default_rng(1)
    enrol, test = np.repeat([f"{n}-a" for n in range(12)], 12), np.tile([f"{n}-b" for n in range(12)], 12)
    is_target = np.repeat(np.arange(12), 12) == np.tile(np.arange(12), 12)
    score = draw.normal(size=144) + 2.0 * is_target
    trials = zebra_core.Trials.from_arrays(
        score=score.tolist(), is_target=is_target.tolist(), enrol=enrol, test=test.tolist()
    )
    settings = zebra_core.BootstrapSettings(replicates=50)
    found = zebra_core.bootstrap(
        trials, zebra_core.assess(trials), settings, speakers=zebra_core.SpeakerRule.BEFORE_HYPHEN
    )

    assert [trials.enrol[0], trials.test[13]] == ["0-a", "1-b"]
    assert found.n_clusters == 12
    interval = found.interval("d_ece_bits")
    assert interval is not None
    assert interval.low < interval.high


def test_numbers_are_ids_as_they_are_written() -> None:
    trials = zebra_core.Trials.from_arrays(
        score=[1.0, 0.0], is_target=[1, 0], enrol=[10, 9], test=np.array([10, 10])
    )

    assert [*trials.enrol.names] == ["10", "9"]
    assert trials.enrol[1] == "9"


def test_ids_of_another_number_are_refused() -> None:
    with pytest.raises(zebra_core.InputError, match="number of ids differs"):
        zebra_core.Trials.from_arrays(score=[1.0, 0.0], is_target=[1, 0], enrol=["a"])


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
