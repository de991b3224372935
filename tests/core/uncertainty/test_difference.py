"""Paired comparisons, Holm's correction, and ranks."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from scipy import stats

from tests.core.similarity_cases import ordered_by_name
from tests.core.speaker_model import trials_of
from zebra_core.errors import InputError
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.metrics.registry import DRAWN, PairedFamily
from zebra_core.uncertainty import difference
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.difference import (
    Difference,
    bootstrap_paired,
    error_of_difference,
    family_of,
    independent_differences,
    ranking,
)
from zebra_core.uncertainty.intervals import Interval, IntervalScale
from zebra_core.uncertainty.resampling import FigureDraws

FEW = BootstrapSettings(replicates=99)


def assessed(*all_trials: Trials) -> list:
    return [(trials, assess(trials)) for trials in all_trials]


def sample(between: float = 0.5, seed: int = 0) -> Trials:
    return trials_of(np.random.default_rng(seed), 20, between)


def shuffled(trials: Trials) -> Trials:
    order = np.random.default_rng(5).permutation(len(trials))
    sides = [type(side)(side.codes[order], side.names) for side in (trials.enrol, trials.test)]
    return Trials(trials.score[order], trials.is_target[order], *sides)


def test_each_of_a_pair_has_the_intervals_that_it_has_alone_in_the_same_order_of_people() -> None:
    """In that of scores only the first has them: the others are drawn in the order of the first."""
    trials = ordered_by_name(sample())
    noisier = Trials(trials.score + np.random.default_rng(1).normal(size=len(trials)), trials.is_target,
                     trials.enrol, trials.test)  # fmt: skip
    pair = bootstrap_paired(assessed(trials, noisier), FEW)
    for together, (one, known) in zip(pair, assessed(trials, noisier), strict=True):
        assert together.intervals == bootstrap(one, known, FEW).intervals


def test_the_same_scores_in_another_order_do_not_differ_at_all() -> None:
    trials = sample()
    one, other = bootstrap_paired(assessed(trials, shuffled(trials)), FEW)
    pair = [one.figures["d_ece_bits"], other.figures["d_ece_bits"]]
    assert error_of_difference(*pair) == 0.0
    (found,) = ranking("d_ece_bits", pair).differences
    assert (found.value, found.p_value, found.is_settled) == (0.0, 1.0, False)
    assert (found.interval.low, found.interval.high) == (0.0, 0.0)


def test_pairing_sees_what_two_separate_intervals_hide() -> None:
    """The scores with some noise are worse by less than either interval's width, yet certainly worse."""
    trials = sample(2.0)
    noise = np.random.default_rng(1).normal(size=len(trials))
    noisier = Trials(trials.score + 2.0 * noise, trials.is_target, trials.enrol, trials.test)
    one, other = bootstrap_paired(assessed(trials, noisier), FEW)
    first, second = one.intervals["min_cllr_bits"], other.intervals["min_cllr_bits"]
    assert first.high > second.low
    found = ranking("min_cllr_bits", [each.figures["min_cllr_bits"] for each in (one, other)])
    assert found.settled == (True,)
    assert found.ranks == ((1, 1), (2, 2))


def test_p_values_of_no_difference_are_about_uniform() -> None:
    """Two noisy copies of one recogniser: of 40 pairs about a tenth, at most a quarter, gets p ≤ 0.1."""
    p_values = []
    for seed in range(40):
        trials, rng = sample(seed=seed), np.random.default_rng(1000 + seed)
        copies = [
            Trials(trials.score + rng.normal(size=len(trials)), trials.is_target, trials.enrol, trials.test)
            for _ in range(2)
        ]
        one, other = bootstrap_paired(assessed(*copies), FEW)
        (found,) = ranking("eer", [one.figures["eer"], other.figures["eer"]]).differences
        p_values.append(found.p_value)
    assert np.mean(np.array(p_values) <= 0.1) < 0.25
    assert 0.3 < np.mean(p_values) < 0.7


def draws(estimate: float, spread: float, seed: int, speakers: int = 100) -> FigureDraws:
    noise = np.random.default_rng(seed).normal(size=999)
    return FigureDraws(estimate, estimate + spread * noise, np.full(10, estimate), speakers)


def of_known_spread(estimate: float, speakers: int) -> FigureDraws:
    """Draws −1 and 1 about the figure, whose differences to a constant have the standard deviation 1."""
    around = np.array([-1.0, 1.0] * 5000)
    return FigureDraws(estimate, estimate + around, np.full(10, estimate), speakers)


CONSTANT = FigureDraws(0.0, np.zeros(10000), np.zeros(10), 20)


def test_ranks_are_settled_where_differences_are() -> None:
    found = ranking("eer", [draws(0.30, 0.02, 1), draws(0.10, 0.02, 2), draws(0.31, 0.02, 3)])
    assert found.order == (1, 0, 2)
    assert found.settled == (True, False)
    assert found.ranks == ((2, 3), (1, 1), (2, 3))
    assert len(found.differences) == 3


def test_the_p_value_is_student_s_with_a_degree_of_freedom_for_each_speaker_but_one() -> None:
    (found,) = ranking("eer", [of_known_spread(2.0, 20), CONSTANT]).differences
    assert found.value == 2.0
    assert found.p_value == pytest.approx(2 * stats.t.sf(2.0, 19), rel=1e-3)


def test_the_interval_is_corrected_for_all_pairs_by_the_three_figures_that_are_tested() -> None:
    (pair,) = ranking("eer", [of_known_spread(2.0, 20), CONSTANT]).differences
    assert pair.family.size == 3
    half = stats.t.ppf(1 - 0.05 / 3 / 2, 19)
    assert (pair.interval.low, pair.interval.high) == pytest.approx((2.0 - half, 2.0 + half), rel=1e-3)
    three = ranking("eer", [of_known_spread(2.0, 20), CONSTANT, CONSTANT]).differences
    assert [each.family.size for each in three] == [9, 9, 9]
    assert ranking("de_id", [CONSTANT] * 3).differences[0].family.size == 6


def test_a_new_figure_leaves_published_p_values_as_they_are_unless_its_row_joins_their_family(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    published = family_of("eer", 3)
    for joined, size in ((None, 9), (object(), 9), (PairedFamily.DISCLOSURE, 12)):
        monkeypatch.setattr(difference, "DRAWN", {**DRAWN, "auc": replace(DRAWN["eer"], tested_with=joined)})
        assert (family_of("eer", 3) == published) == (size == 9)
        assert family_of("eer", 3).size == size


@pytest.mark.parametrize("speakers", [8, 20, 100])
def test_a_difference_is_settled_exactly_where_its_interval_leaves_zero_out(speakers: int) -> None:
    for value in np.linspace(0.0, 5.0, 101):
        pair = ranking("d_ece_bits", [of_known_spread(value, speakers), CONSTANT]).differences[0]
        assert pair.is_settled == (0.0 not in pair.interval)
        assert pair.is_settled == (pair.p_value < pair.family.settled_up_to)
        assert pair.is_settled == (pair.p_adjusted < 0.05)
        assert pair.value in pair.interval


def test_with_fewer_than_eight_speakers_it_says_that_there_are_too_few() -> None:
    (found,) = ranking("eer", [of_known_spread(50.0, 7), CONSTANT]).differences
    assert not found.is_settled
    assert not found.is_tested
    assert found.sentence(["B1", "B2"]).endswith(
        "Whether that is settled cannot be determined: "
        "a test needs at least 8 speakers and, where people listened, as many listeners and canvases; "
        "the fewest here are 7."
    )


def test_a_maximum_is_not_tested() -> None:
    (found,) = ranking("worst_case_log10_lr", [of_known_spread(50.0, 20), CONSTANT]).differences
    assert not found.is_settled
    assert found.sentence("ab").endswith("This figure is not tested.")


def test_what_is_compared_has_lost_the_optimism_of_small_sets() -> None:
    """The plain figures are equal, but one owes a tenth of a bit of it to its few trials."""
    plain = FigureDraws(0.3, np.full(99, 0.3), np.full(10, 0.3), 20, True, 0.0, 0.72, IntervalScale.LEFT)
    flattered = FigureDraws(0.3, np.full(99, 0.36), np.full(10, 0.3), 20, True, 0.0, 0.72, IntervalScale.LEFT)
    (found,) = ranking("d_ece_bits", [plain, flattered]).differences
    assert found.value == pytest.approx(plain.corrected - flattered.corrected)
    assert 0.10 < found.value < 0.15


def near_full_disclosure(share: float, seed: int) -> FigureDraws:
    """Draws whose distance to the end spreads by a fifth of itself."""
    left = (1.0 - share) * 0.72 * np.exp(0.2 * np.random.default_rng(seed).normal(size=4000))
    return FigureDraws(
        0.72 * share, 0.72 - left, np.full(10, 0.72 * share), 20, False, 0.0, 0.72, IntervalScale.LEFT
    )


def test_near_an_end_the_error_is_that_of_the_scale_times_the_secant() -> None:
    """Distances to the end of 0.072 and 0.144: on the logarithm √2 · 0.2, the secant 0.072/ln 2."""
    error = error_of_difference(near_full_disclosure(0.9, 1), near_full_disclosure(0.8, 2))
    assert error == pytest.approx(np.sqrt(2.0) * 0.2 * 0.072 / np.log(2.0), rel=0.02)
    alike = error_of_difference(near_full_disclosure(0.9, 1), near_full_disclosure(0.9, 2))
    assert alike == pytest.approx(np.sqrt(2.0) * 0.2 * 0.072, rel=0.02)


def of(figure: str, value: float, low: float, high: float, p_value: float) -> Difference:
    return Difference(figure, 0, 1, value, Interval(low, high), p_value, Family(3), 29)


def test_a_difference_in_words() -> None:
    settled = of("eer", 0.1538, 0.0965, 0.2244, 0.0001)
    assert settled.sentence(["B1", "B2"]) == (
        "B1 and B2 differ by 15.38 percentage points "
        "(9.65 percentage points to 22.44 percentage points, p < 0.001): settled."
    )
    open_ = of("d_ece_bits", -0.009, -0.05, 0.032, 0.2)
    assert "differ by −0.009 bit (−0.050 bit to 0.032 bit, p = 0.600): not settled" in open_.sentence("ab")


def test_other_trials_cannot_be_paired() -> None:
    trials = sample()
    fewer = Trials(trials.score[:-1], trials.is_target[:-1], *(
        type(side)(side.codes[:-1], side.names) for side in (trials.enrol, trials.test)))  # fmt: skip
    relabelled = Trials(trials.score, ~trials.is_target, trials.enrol, trials.test)
    nameless = Trials(trials.score, trials.is_target)
    for other, sentence in (
        (fewer, "not the same trials"), (relabelled, "not the same trials"), (nameless, "have no ids"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=sentence):
            bootstrap_paired(assessed(trials, other), FEW)


def drawn(value: float, spread: float, n: int, seed: int = 0) -> FigureDraws:
    """A figure of n people whose draws spread by so much to either side alike."""
    half = np.abs(np.random.default_rng(seed).normal(size=2000)) * spread
    return FigureDraws(value, np.concatenate([value - half, value + half]), np.full(n, value), n)


def spread_of(figure: FigureDraws) -> float:
    """The standard error by which Student's interval would be as wide."""
    interval = figure.interval(0.95)
    return (interval.high - interval.low) / 2.0 / scipy.stats.t.ppf(0.975, figure.n_clusters - 1)


def test_two_symmetric_figures_are_tested_as_welch_does() -> None:
    one, other = drawn(0.5, 0.1, 12), drawn(0.2, 0.05, 9, seed=1)
    (found,) = independent_differences([{"eer": one}, {"eer": other}], ["eer"])
    welch = scipy.stats.ttest_ind_from_stats(
        0.5, spread_of(one) * 12**0.5, 12, 0.2, spread_of(other) * 3, 9, equal_var=False
    )
    assert found.value == pytest.approx(0.3)
    assert found.p_value == pytest.approx(welch.pvalue, rel=1e-6)


def test_what_each_figure_adds_is_the_side_that_faces_the_other() -> None:
    """Two draws as far as 0.4 on the far side of the lower figure do not matter; on the near side they do."""
    high = drawn(0.9, 0.02, 10)
    near = FigureDraws(
        0.5, np.concatenate([0.5 + np.linspace(0, 0.4, 99), np.full(99, 0.49)]), np.zeros(10), 10
    )
    far = FigureDraws(
        0.5, np.concatenate([0.5 - np.linspace(0, 0.4, 99), np.full(99, 0.51)]), np.zeros(10), 10
    )
    (open_one,) = independent_differences([{"eer": near}, {"eer": high}], ["eer"])
    (told,) = independent_differences([{"eer": far}, {"eer": high}], ["eer"])
    assert open_one.p_value > 0.01
    assert told.p_value < 0.001


def test_pairs_and_figures_are_one_family() -> None:
    """Three groups by two figures are six tests: Holm multiplies the smallest p-value by six."""
    groups = [
        {"eer": drawn(value, 0.05, 10, seed), "linkage": drawn(value, 0.05, 10, seed + 9)}
        for seed, value in enumerate((0.3, 0.5, 0.35))
    ]
    found = independent_differences(groups, ["eer", "linkage"])
    assert [(each.figure, each.first, each.second) for each in found] == [
        (figure, *pair) for figure in ("eer", "linkage") for pair in ((0, 1), (0, 2), (1, 2))
    ]
    smallest = min(found, key=lambda each: each.p_value)
    assert smallest.p_family == pytest.approx(6 * smallest.p_value)
    assert [each.is_settled for each in found] == [each.p_family <= 0.05 for each in found]


def test_a_figure_that_one_group_lacks_is_not_compared() -> None:
    groups = [{"eer": drawn(0.3, 0.05, 10), "linkage": drawn(0.3, 0.05, 10)}, {"eer": drawn(0.3, 0.05, 10)}]
    assert [each.figure for each in independent_differences(groups, ["eer", "linkage"])] == ["eer"]


def test_figures_without_any_spread_tell_nothing() -> None:
    figure = FigureDraws(0.5, np.full(50, 0.5), np.full(10, 0.5), 10)
    other = FigureDraws(0.4, np.full(50, 0.4), np.full(10, 0.4), 10)
    (found,) = independent_differences([{"eer": figure}, {"eer": other}], ["eer"])
    assert (found.p_value, found.is_settled) == (1.0, False)
