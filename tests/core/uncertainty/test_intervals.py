"""Intervals from draws and from a jackknife."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad
from scipy.special import xlogy

from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import (
    AT_ERROR,
    OPTIMISM,
    UNITS,
    BoundedScale,
    Interval,
    IntervalScale,
    below_its_unit,
    corrected,
    d_ece_at,
    decimals_for,
    difference_in_words,
    difference_with_interval,
    eer_at,
    figure_name,
    freedom,
    in_words,
    jackknife_bias,
    min_cllr_at,
    most_errors,
    of_largest,
    on_scale,
    percentile,
    with_interval,
    without_optimism,
)
from zebra_core.uncertainty.one_sided import one_sided
from zebra_core.uncertainty.trust import Trust, trust_of
from zebra_core.uncertainty.weighted import FIGURES


def mean_draws(values: np.ndarray, replicates: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([rng.choice(values, len(values)).mean() for _ in range(replicates)])


def test_an_expanded_interval_of_a_mean_is_student_s() -> None:
    values = np.random.default_rng(1).normal(size=12) + np.arange(12)
    low, high = percentile(mean_draws(values, 40000), 0.95, 12)
    expected = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert (low, high) == pytest.approx(expected, abs=0.05)


def test_with_many_clusters_percentiles_are_the_plain_ones() -> None:
    draws = np.arange(1001.0)
    assert percentile(draws, 0.95, 10**9) == pytest.approx((25.0, 975.0), abs=1e-3)


@pytest.mark.parametrize("rate", [1.0, 2.0 / 3.0, 0.5])
def test_the_jackknife_finds_a_bias_of_its_rate(rate: float) -> None:
    n, bias_of_one = 40, 3.0
    estimate = 5.0 + bias_of_one * n**-rate
    left_out = np.full(n, 5.0 + bias_of_one * (n - 1) ** -rate)
    assert jackknife_bias(estimate, left_out, rate) == pytest.approx(bias_of_one * n**-rate, rel=1e-9)


def test_with_rate_one_it_turns_the_variance_into_the_unbiased_one() -> None:
    values = np.random.default_rng(0).normal(size=9)
    left_out = np.array([np.delete(values, k).var() for k in range(9)])
    assert values.var() - jackknife_bias(values.var(), left_out, 1.0) == pytest.approx(values.var(ddof=1))


def test_a_corrected_interval_has_the_width_of_the_draws_and_the_place_of_the_jackknife() -> None:
    draws, left_out = np.linspace(9.0, 11.0, 201), np.array([6.0, 8.0])
    low, high = corrected(5.0, draws, left_out, 0.9, 10**9)
    middle = 5.0 - float(jackknife_bias(5.0, left_out))
    assert (low, high) == pytest.approx((middle - 0.9, middle + 0.9))


def test_no_corrected_interval_leaves_its_range_nor_has_it_no_width_at_its_end() -> None:
    draws, left_out = np.linspace(9.0, 11.0, 201), np.array([6.0, 8.0])
    assert corrected(5.0, draws, left_out, 0.9, 10**9, 4.9, 6.0) == pytest.approx((4.9, 5.8))
    assert corrected(5.0, draws, left_out, 0.9, 10**9, -9.0, -5.0) == pytest.approx((-5.9, -5.0))


def test_what_was_not_measurable_is_left_out() -> None:
    assert percentile(np.array([1.0, np.nan, 2.0, 3.0]), 1e-9, 10) == pytest.approx((2.0, 2.0))


def test_an_interval_holds_its_ends() -> None:
    assert 1.0 in Interval(1.0, 2.0)
    assert 2.1 not in Interval(1.0, 2.0)


def test_the_freedom_of_a_normal_spread_is_one_less_than_the_clusters() -> None:
    """Values with the kurtosis 3 exactly: ±√3 once each among six, and zeros."""
    added = np.array([np.sqrt(3.0), -np.sqrt(3.0), 0.0, 0.0, 0.0, 0.0])
    assert freedom(added) == pytest.approx(5.0)


def test_a_spread_that_one_cluster_makes_has_the_least_freedom() -> None:
    assert freedom(np.array([0.0] * 19 + [1.0])) == 3.0


def test_a_figure_without_spread_and_one_whose_clusters_are_all_alike_have_all_of_it() -> None:
    assert freedom(np.zeros(20)) == 19.0
    assert freedom(np.array([1.0, -1.0] * 10)) == 19.0
    assert freedom(np.array([np.nan, 1.0, -1.0] * 10)) == 19.0


def test_the_largest_of_several_lies_between_the_largest_ends() -> None:
    assert of_largest([Interval(0.1, 0.9), Interval(0.3, 0.5)]) == Interval(0.3, 0.9)


def test_of_the_largest_nothing_is_known_while_one_of_them_is_not_or_there_is_none() -> None:
    assert of_largest([Interval(0.1, 0.9), None]) is None
    assert of_largest([]) is None


ENDS = (0.0, 1.0)
NORMAL = np.random.default_rng(9).normal(0.1, 0.001, 200)  # a jackknife without anything remarkable


@pytest.mark.parametrize("scale", IntervalScale)
def test_a_scale_ascends_and_leads_back(scale: IntervalScale) -> None:
    values = np.linspace(0.01, 0.99, 99)
    straight = BoundedScale.of(scale, 1.0, values)
    there = straight.there(values)
    assert (np.diff(there) > 0.0).all()
    assert straight.back(there) == pytest.approx(values)


def test_by_hand() -> None:
    values = np.array([0.2, 0.5])
    assert BoundedScale.of(IntervalScale.LEFT, 0.7, values).there(0.2) == pytest.approx(-np.log(0.5))
    assert BoundedScale.of(IntervalScale.LOG, 1.0, values).there(0.2) == pytest.approx(np.log(0.2))
    assert BoundedScale.of(IntervalScale.LOGIT, 1.0, values).there(0.2) == pytest.approx(np.log(0.25))


def test_what_lies_at_an_end_is_put_half_as_near_as_the_nearest_that_does_not() -> None:
    assert BoundedScale.of(IntervalScale.LOG, 1.0, np.array([0.0, 0.02, 0.5])).there(0.0) == pytest.approx(
        np.log(0.01)
    )
    assert BoundedScale.of(IntervalScale.LEFT, 0.7, np.array([0.7, 0.6])).there(0.7) == pytest.approx(
        -np.log(0.05)
    )


def test_the_optimism_is_a_fixed_multiple_of_what_draws_show_of_it() -> None:
    draws = np.exp([-1.1, -1.3])
    found = without_optimism(np.exp(-1.0), draws, IntervalScale.LOG, ENDS, optimistic=True)
    assert np.log(found) == pytest.approx(-1.0 + OPTIMISM * 0.2)
    assert without_optimism(0.3, draws, IntervalScale.LOG, ENDS, optimistic=False) == 0.3
    assert (
        without_optimism(0.9, np.array([0.5, 0.5]), IntervalScale.LOG, ENDS, optimistic=True) == 1.0
    )  # the end of its range


def test_an_interval_is_moved_to_the_figure_and_is_lopsided_near_an_end() -> None:
    """Draws with a standard deviation of 0.5 on the logarithm: as far down as up there, and only there."""
    draws = np.exp(np.random.default_rng(0).normal(-3.0, 0.5, 40_000))
    found = on_scale(0.1, draws, NORMAL, 0.95, 10**9, IntervalScale.LOG, ENDS)
    assert (np.log(found.low / 0.1), np.log(found.high / 0.1)) == pytest.approx((-0.98, 0.98), abs=0.02)


def test_an_interval_stays_within_its_ends_and_holds_its_figure() -> None:
    draws = np.random.default_rng(0).uniform(0.9, 1.0, 999)
    found = on_scale(1.0, draws, NORMAL, 0.95, 20, IntervalScale.LOG, ENDS)
    assert 0.0 < found.low < found.high == 1.0


def test_where_few_speakers_make_most_of_the_spread_the_interval_is_wider() -> None:
    draws = np.exp(np.random.default_rng(0).normal(-3.0, 0.5, 999))
    one_of_twenty = np.array([0.1] * 19 + [0.12])
    even = np.linspace(0.099, 0.101, 20)
    wide, narrow = (
        on_scale(0.1, draws, left, 0.95, 20, IntervalScale.LOG, ENDS) for left in (one_of_twenty, even)
    )
    assert wide.high > 1.2 * narrow.high
    assert wide.low < narrow.low


def test_draws_that_are_all_the_same_leave_no_width() -> None:
    found = on_scale(0.7, np.full(99, 0.7), NORMAL, 0.95, 20, IntervalScale.LEFT, (0.0, 0.7))
    assert (found.low, found.high) == (0.7, 0.7)


FEW = BootstrapSettings(replicates=25)
ONE_END = {name: at[0] for name, at in AT_ERROR.items() if len(at) == 1}


def entropy(share: float) -> float:
    return float(-(xlogy(share, share) + xlogy(1.0 - share, 1.0 - share)) / np.log(2.0))


def parted(n: int = 20, *, with_ids: bool = True) -> Trials:
    """Everybody against everybody, two segments each, all targets above all others."""
    enrol, test = np.divmod(np.arange(n * n * 2), n * 2)
    is_target = enrol == test // 2
    score = np.random.default_rng(1).uniform(0.0, 1.0, len(enrol)) + 2.0 * is_target
    ids = (
        Ids(enrol.astype(np.int32), tuple(f"s{k}" for k in range(n))),
        Ids(test.astype(np.int32), tuple(f"s{k // 2}-{k % 2}" for k in range(2 * n))),
    )
    return Trials(score, is_target, *(ids if with_ids else (None, None)))


def trust(trials: Trials) -> Trust:
    return trust_of(trials, assess(trials), FEW, deals=0)


def test_of_twenty_speakers_without_an_error_three_in_twenty_may_make_some() -> None:
    """0.05^(1/20) = 0.861: the rule of three says 0.15, the exact bound 0.139."""
    assert most_errors(20, 0.95) == pytest.approx(0.1391, abs=1e-4)
    assert most_errors(1000, 0.95) == pytest.approx(0.003, rel=0.01)
    assert most_errors(1, 0.95) == 0.95


def test_a_quarter_of_the_targets_missed_costs_what_is_left_to_be_known_at_even_odds() -> None:
    """Of 1 + 1/4 that score low a fifth are targets: half of 5/4·H(1/5) = 0.451 bit."""
    assert min_cllr_at(0.25) == pytest.approx(0.625 * entropy(0.2))
    assert min_cllr_at(0.0) == 0.0
    assert (d_ece_at(0.0), d_ece_at(1.0)) == (FULL_DISCLOSURE_BITS, pytest.approx(0.0))
    assert eer_at(0.25) == pytest.approx(0.2)  # 0.25·(1 − 0.2) of the targets, 0.2 of the nontargets


def test_their_disclosure_is_what_such_scores_tell_on_average_over_all_priors() -> None:
    def told(prior: float, missed: float = 0.139) -> float:
        low = 1.0 - prior * (1.0 - missed)
        return entropy(prior) - low * entropy(prior * missed / low)

    assert d_ece_at(0.139) == pytest.approx(quad(told, 0.0, 1.0)[0], abs=1e-9)


def test_people_who_are_not_recognised_among_others_who_are_disclose_so_much() -> None:
    """One target of eight scores as nontargets do, all others far above them."""
    rng = np.random.default_rng(3)
    is_target = np.arange(80_000) < 40_000
    found = assess(Trials(rng.normal(0.0, 1.0, 80_000) + 20.0 * (np.arange(80_000) < 35_000), is_target))
    for name, at in ONE_END.items():
        assert getattr(found, name) == pytest.approx(at(0.125), abs=0.005)


def test_intervals_reach_from_no_error_to_the_most_there_may_be() -> None:
    found = trust(parted())
    error = most_errors(20, 0.95)
    intervals = found.uncertainty.intervals
    for name, at in ONE_END.items():
        assert sorted((intervals[name].low, intervals[name].high)) == sorted((at(0.0), at(error)))
        assert getattr(found.figures, name) in intervals[name]
    assert intervals["d_ece_bits"].low == pytest.approx(0.4914, abs=5e-4)
    assert str(found.remarks[0]) == (
        "These trials are perfectly separated: however their speakers are drawn, no error is seen. The "
        "intervals show what is still possible: even if all 20 speakers are recognised, up to "
        "14 % of people may not be (at 95 % confidence)."
    )


def test_hits_of_everybody_leave_open_that_some_are_missed_and_none_that_some_are_hit() -> None:
    """Of 20 speakers as well recognised, or as little, up to 0.139 may be the other way."""
    always = trust(parted()).uncertainty.intervals["hits_at_0_01"]
    assert (always.low, always.high) == (pytest.approx(1.0 - 0.1391, abs=1e-4), 1.0)
    trials = parted()
    never = trust(Trials(-trials.score, trials.is_target, trials.enrol, trials.test))
    assert never.figures.hits_at[0.01] == 0.0
    found = never.uncertainty.intervals["hits_at_0_01"]
    assert (found.low, found.high) == (0.0, pytest.approx(0.1391, abs=1e-4))
    assert one_sided(never.uncertainty.figures["hits_at_0_01"], 0.95).high == pytest.approx(0.1391, abs=1e-4)


def test_single_trials_have_no_such_bound_and_say_so() -> None:
    found = trust(parted(with_ids=False))
    assert found.uncertainty.intervals["eer"].high == 0.0
    assert "perfectly separated" in str(found.remarks[1])


def with_errors(count: int) -> Trials:
    """As `parted`, with one target each of so many speakers below most of the others."""
    trials = parted()
    score = trials.score.copy()
    score[np.flatnonzero(trials.is_target)[0 : 2 * count : 2]] = 0.5
    return Trials(score, trials.is_target, trials.enrol, trials.test)


@pytest.fixture(scope="module")
def ladder() -> list[Trust]:
    """Trusts of twenty speakers with 0, 1, 2, 5 errors."""
    return [trust(with_errors(count)) for count in (0, 1, 2, 5)]


@pytest.mark.parametrize("confidence", [None, 0.95, 0.99])
def test_fewer_errors_never_have_the_worse_bound(ladder: list[Trust], confidence: float | None) -> None:
    for name in ladder[0].uncertainty.figures.keys() & AT_ERROR.keys():
        draws = [each.uncertainty.figures[name] for each in ladder]
        found = [one_sided(one, confidence) if confidence else one.interval(0.95) for one in draws]
        falls = name == "d_ece_bits" or name.startswith("hits_at")
        for better, worse in pairwise(found):
            assert better.low >= worse.low if falls else better.low <= worse.low
            assert better.high >= worse.high if falls else better.high <= worse.high


def test_few_errors_are_said_to_leave_as_much_open_as_none(ladder: list[Trust]) -> None:
    assert [each.uncertainty.is_perfect for each in ladder] == [True, False, False, False]
    codes = [[one.code for one in each.remarks] for each in ladder]
    assert ["uncertainty-few-errors" in one for one in codes] == [False, True, True, False]
    assert "even if all 20 speakers are recognised, up to 14 % of people" in str(ladder[1].remarks[0])
    weak = trust(Trials(np.sin(np.arange(800.0)), parted().is_target, parted().enrol, parted().test))
    assert "uncertainty-few-errors" not in [one.code for one in weak.remarks]


def test_where_hardly_anybody_errs_the_other_end_is_no_error() -> None:
    """One of twenty errs: in one draw of three that one is not there, and nothing errs."""
    found = trust(with_errors(1)).uncertainty
    assert found.intervals["d_ece_bits"].high == FULL_DISCLOSURE_BITS
    assert found.intervals["rocch_eer"].low == 0.0


@pytest.mark.parametrize(
    ("half", "decimals"),
    [(0.0451, 2), (0.012, 3), (0.0196, 2), (0.9, 1), (1.2, 1), (3.4, 0), (12.0, 0), (340.0, 0)],
)
def test_half_widths_keep_one_digit_or_two_that_begin_with_one(half: float, decimals: int) -> None:
    assert decimals_for(half) == decimals


@pytest.mark.parametrize(
    ("figure", "value", "interval", "words"),
    [
        ("eer", 0.2756, Interval(0.235, 0.316), "28 ± 4 %"),
        ("eer", 0.0192, Interval(0.0062, 0.0322), "1.9 ± 1.3 %"),
        ("d_ece_bits", 0.2049, Interval(0.1367, 0.2264), "0.20 (0.14 … 0.23) bit"),
        ("worst_case_log10_lr", 2.394, Interval(1.7, 3.1), "2.4 ± 0.7"),
        ("g_vd_db", -1.234, Interval(-1.55, -0.93), "−1.2 (−1.6 … −0.9) dB"),
        ("g_vd_db", -1.234, Interval(-1.54, -0.93), "−1.2 ± 0.3 dB"),
        ("d_ece_bits", 0.07, Interval(0.0, 0.16), "0.07 (0.00 … 0.16) bit"),
        ("eer", 0.27, Interval(0.2455, 0.3145), "27 (25 … 31) %"),
        ("d_ece_bits", 0.2049, Interval(0.2049, 0.2049), "0.205 bit"),
        ("d_ece_bits", 2e-5, None, "2e-05 bit"),
        ("eer", 0.2756, None, "27.56 %"),
        ("d_ece_bits", 0.41, Interval(0.02, 0.7), "0.41 bit (too few speakers for an interval)"),
        ("min_cllr_bits", 0.5, Interval(0.0, 0.85), "0.50 (0.00 … 0.85) bit"),
    ],
)
def test_figures_with_their_intervals(
    figure: str, value: float, interval: Interval | None, words: str
) -> None:
    assert with_interval(figure, value, interval) == words


def test_llrs_have_the_digits_of_the_badge() -> None:
    assert in_words("worst_case_log10_lr", 2.394) == "2.39"


def test_minus_signs_are_true_ones_and_zero_has_none() -> None:
    assert in_words("g_vd_db", -0.5) == "−0.500 dB"
    assert in_words("de_id", -0.00001) == "0.00 %"
    assert difference_in_words("eer", -0.05) == "−5.00 percentage points"


def test_every_figure_has_a_name() -> None:
    assert set(FIGURES) <= set(UNITS)
    assert figure_name("d_ece_bits") == "Population disclosure D_ECE"
    assert all(figure_name(figure) for figure in UNITS)


def test_the_interval_of_a_difference_ends_where_the_scale_does() -> None:
    assert difference_with_interval("eer", 0.14, Interval(-1.14, 1.43)) == (
        "14 (−100 … 100) percentage points"
    )
    assert difference_with_interval("min_cllr_bits", 0.0, Interval(-5.0, 5.0)) == "0.00 ± 1.00 bit"
    assert difference_with_interval("d_ece_bits", 0.1, Interval(-4.0, 3.0)) == "0.10 (−0.72 … 0.72) bit"
    assert difference_with_interval("g_vd_db", -3.0, Interval(-8.0, 1.0)) == "−3 (−8 … 1) dB"


def test_in_a_column_every_cell_has_both_ends() -> None:
    interval = Interval(0.17, 0.25)
    assert with_interval("d_ece_bits", 0.21, interval) == "0.21 ± 0.04 bit"
    assert with_interval("d_ece_bits", 0.21, interval, is_in_column=True) == "0.21 (0.17 … 0.25) bit"
    assert below_its_unit("d_ece_bits", 0.21, interval) == "0.21 (0.17 … 0.25)"
