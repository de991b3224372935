"""Who is drawn, and how often a trial then counts."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.similarity_cases import ids, ordered_by_name
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.evidence.trials import Trials
from zebra_core.uncertainty.intervals import Interval, IntervalScale, jackknife_bias, percentile
from zebra_core.uncertainty.resampling import Clusters, FigureDraws, ResamplingUnit


def trials_between(pairs: list[tuple[str, str]], targets: list[int]) -> Trials:
    """Trials of these ids, in the order of names; those at `targets` are target trials."""
    is_target = np.isin(np.arange(len(pairs)), targets)
    sides = ids([enrol for enrol, _ in pairs]), ids([test for _, test in pairs])
    return ordered_by_name(Trials(np.arange(len(pairs), dtype=np.float64), is_target, *sides))


THREE = trials_between([(e, f"{s}-1") for e in "abc" for s in "abc"], [0, 4, 8])


def counted(clusters: Clusters, by_speaker: dict[int, int]) -> list[int]:
    weight = clusters.all_once
    for cluster, often in by_speaker.items():
        weight[cluster] = often
    return (weight[clusters.enrol] * weight[clusters.test]).tolist()


def test_a_target_counts_as_often_as_its_speaker_and_a_nontarget_as_often_as_both_together() -> None:
    """a is drawn twice, b once, c three times; rows are enrolled, columns heard."""
    assert counted(Clusters.of_trials(THREE), {0: 2, 1: 1, 2: 3}) == [2, 2, 6, 2, 1, 3, 6, 3, 3]


def test_every_pair_of_people_counts_alike_however_many_trials_it_has() -> None:
    """b has two recordings: each counts half of what the one of the others does, as targets or not."""
    pairs = [(e, t) for e in "abc" for t in ("a-1", "b-1", "b-2", "c-1")]
    clusters = Clusters.of_trials(trials_between(pairs, [0, 5, 6, 11])).of_people
    assert clusters.times is not None
    assert clusters.times.tolist() == 3 * [200, 100, 100, 200]
    assert Clusters.of_trials(THREE).of_people.times is None


def test_a_draw_keeps_how_many_have_target_trials_and_how_many_only_stand_against_others() -> None:
    rows = [(e, t) for e in "abc" for t in ("a1", "b1", "c1", "x1", "y1")]
    clusters = Clusters.of_trials(trials_between(rows, [0, 6, 12]))
    rng = np.random.default_rng(0)
    assert (clusters.n, clusters.unit) == (5, ResamplingUnit.SPEAKER)
    for _ in range(50):
        weight = clusters.draw(rng)
        assert weight[-1] == 1
        assert weight[:-1][clusters.stratum == 0].sum() == 3
        assert weight[:-1][clusters.stratum == 1].sum() == 2


def test_draws_are_multinomial() -> None:
    """Mean 1, variance 1 − 1/n, covariance −1/n."""
    clusters = Clusters.of_trials(THREE)
    rng = np.random.default_rng(0)
    drawn = np.array([clusters.draw(rng)[:-1] for _ in range(20000)])
    assert drawn.mean(0) == pytest.approx([1.0] * 3, abs=0.02)
    assert np.cov(drawn.T) == pytest.approx(np.eye(3) - 1.0 / 3.0, abs=0.02)


def test_segments_without_a_known_speaker_are_speakers_by_themselves_and_are_told() -> None:
    rows = [(e, t) for e in "abc" for t in ("a1", "b1", "c1", "x-1", "x-2")]
    trials = trials_between(rows, [0, 6, 12])
    unknown = Clusters.of_trials(trials)
    assert unknown.n == 5
    assert str(unknown.remarks[0]).startswith("The speakers of 2 test segments are not known")
    known = Clusters.of_trials(trials, {"x-1": "x", "x-2": "x"})
    assert known.n == 4
    assert [remark.code for remark in known.remarks] == ["uncertainty-few-speakers"]


def test_a_rule_on_ids_names_the_speakers() -> None:
    rows = [(f"{e}-0", f"{t}-1") for e in "abcd" for t in "abcd"]
    clusters = Clusters.of_trials(trials_between(rows, [0]), SpeakerRule.BEFORE_HYPHEN)
    assert clusters.n == 4
    assert counted(clusters, {3: 0})[-1] == 0


def test_without_ids_each_trial_is_drawn_by_itself_with_a_warning() -> None:
    clusters = Clusters.of_trials(Trials.from_scores([1.0, 2.0], [0.0, 1.5, -1.0]))
    weight = clusters.draw(np.random.default_rng(1))
    assert (clusters.n, clusters.unit) == (5, ResamplingUnit.TRIAL)
    assert (weight[:2].sum(), weight[2:5].sum()) == (2, 3)
    assert "have no ids" in str(clusters.remarks[0])


def test_two_speakers_are_too_few() -> None:
    trials = trials_between([(e, f"{s}-1") for e in "ab" for s in "ab"], [0, 3])
    with pytest.raises(InputError, match="There are only 2 speakers, but intervals need at least 3"):
        Clusters.of_trials(trials)


def test_the_jackknife_leaves_out_every_speaker_once_and_many_in_groups() -> None:
    one_by_one = [weight[:-1].tolist() for weight in Clusters.of_trials(THREE).left_out()]
    assert sorted(one_by_one) == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    many = Clusters.of_trials(Trials.from_scores(np.zeros(300), np.zeros(300)))
    groups = [weight[:-1] == 0 for weight in many.left_out()]
    assert len(groups) == many.n_left_out == 200
    assert [group.sum() for group in groups] == [3] * 200
    assert np.sum(groups, axis=0).tolist() == [1] * 600


DRAWS = np.linspace(0.0, 2.0, 201)


def figure(estimate: float = 1.0, left_out: float = 1.0, *, optimistic: bool = False) -> FigureDraws:
    return FigureDraws(estimate, DRAWS, np.full(10, left_out), 10**9, optimistic, lowest=0.0)


def test_only_what_is_optimistic_is_moved() -> None:
    plain, moved = figure(1.0, 1.05), figure(1.0, 1.05, optimistic=True)
    bias = float(jackknife_bias(1.0, np.full(10, 1.05)))
    assert (plain.corrected, moved.corrected) == (1.0, pytest.approx(1.0 - bias))
    assert plain.interval(0.9) == Interval(*map(float, percentile(DRAWS, 0.9, 10**9)))
    assert moved.interval(0.9).high == pytest.approx(plain.interval(0.9).high - bias)


def test_no_interval_leaves_the_range() -> None:
    assert figure(0.0, 0.1, optimistic=True).interval(0.99).low == 0.0
    assert figure(0.0, 0.1, optimistic=True).corrected == 0.0


def test_beyond_its_range_the_draws_lie_around_its_end_for_something_is_left_to_be_known() -> None:
    """Draws 0 … 2, the figure freed of its bias below 0: from 0 to as far as 90 % lie from their middle."""
    found = figure(0.1, 0.5, optimistic=True)
    assert found.corrected == 0.0
    assert (found.interval(0.9).low, found.interval(0.9).high) == (0.0, pytest.approx(0.9))


def scaled(estimate: float, around: np.ndarray) -> FigureDraws:
    return FigureDraws(estimate, around, np.full(10, estimate), 20, True, 0.0, 1.0, IntervalScale.LOG)


def test_on_its_scale_a_figure_loses_a_fixed_multiple_of_what_its_draws_lie_beyond_it() -> None:
    """Draws a tenth below the figure on the logarithm: the figure without optimism is 1.7 tenths above."""
    found = scaled(0.3, 0.3 * np.exp(-0.1 + 0.05 * np.array([-1.0, 1.0] * 50)))
    assert found.corrected == pytest.approx(0.3 * np.exp(0.17))
    assert found.corrected in found.interval(0.95)
    assert replace(found, scale=None).interval(0.95) != found.interval(0.95)


def test_what_stands_beside_an_interval_lies_inside_it() -> None:
    found = scaled(0.3, 0.3 * np.exp(-0.1 + 0.01 * np.array([-1.0, 1.0] * 50)))
    assert found.estimate not in found.interval(0.95)
    assert found.beside(found.interval(0.95)) == found.corrected
    assert found.beside(Interval(0.29, 0.31)) == 0.3


def test_what_is_not_optimistic_is_held_by_its_interval_too() -> None:
    assert 3.0 in figure(3.0, 3.0).interval(0.9)
    assert percentile(DRAWS, 0.9, 10**9)[1] < 3.0


def of_so_many(n: int, estimate: float = 0.1) -> FigureDraws:
    """Draws that lie so far above the figure that without its optimism it is 0."""
    return FigureDraws(estimate, DRAWS, np.full(10, 0.5), n, optimistic=True, lowest=0.0)


def test_few_speakers_do_not_bear_out_that_nothing_is_disclosed() -> None:
    few, many = of_so_many(5), of_so_many(20)
    assert few.corrected == many.corrected == 0.0
    assert few.beside(Interval(0.0, 0.9)) == 0.1  # as it was computed
    assert many.beside(Interval(0.0, 0.9)) == 0.0
    assert few.beside(Interval(0.0, 0.05)) == 0.0  # which does not hold it as it was computed
    away = of_so_many(5, estimate=10.0)  # freed of its optimism it stands amid the interval
    assert away.beside(Interval(0.0, 2.0 * away.corrected)) == away.corrected
