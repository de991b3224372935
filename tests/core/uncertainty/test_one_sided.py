"""Bounds on one side, and how many more speakers decide."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit

from tests.core.speaker_model import trials_of
from tests.core.speakers.shifted import shifted
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Condition, Entry
from zebra_core.project.verdicts.measuring import people_bounds
from zebra_core.speakers.disclosure import speaker_disclosures
from zebra_core.speakers.study import MostExposed
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.intervals import d_ece_at, most_errors, percentile
from zebra_core.uncertainty.mean_bounds import lower_mean, upper_mean
from zebra_core.uncertainty.one_sided import (
    DEVIATES,
    ExposureBounds,
    LinkageBounds,
    PeopleBounds,
    Spread,
    more_speakers,
    one_sided,
)
from zebra_core.uncertainty.resampling import FigureDraws


@pytest.fixture(scope="module")
def figures() -> dict[str, FigureDraws]:
    trials = trials_of(np.random.default_rng(4), 20, 0.5)
    return dict(bootstrap(trials, assess(trials), BootstrapSettings(199)).figures)


def of_a_mean(n: int = 25, n_draws: int = 20_000) -> FigureDraws:
    """The mean of 25 values 0 … 24, drawn again: its standard error is known by hand."""
    values = np.arange(float(n))
    draws = np.random.default_rng(1).choice(values, size=(n_draws, n)).mean(axis=1)
    left_out = (values.sum() - values) / (n - 1)
    return FigureDraws(float(values.mean()), draws, left_out, n)


def test_of_a_mean_it_is_the_bound_of_students_t() -> None:
    values = np.arange(25.0)
    half = float(stdtrit(24, 0.95)) * values.std(ddof=1) / 5.0
    found = one_sided(of_a_mean(), 0.95)
    assert (found.low, found.high) == pytest.approx((12.0 - half, 12.0 + half), rel=0.03)


def test_it_is_never_inside_the_interval_of_twice_the_tail(figures: dict[str, FigureDraws]) -> None:
    for draws in figures.values():
        found, interval = one_sided(draws, 0.95), draws.interval(0.9)
        assert found.low <= interval.low
        assert found.high >= interval.high


def test_it_lies_the_farther_off_the_surer_it_is(figures: dict[str, FigureDraws]) -> None:
    for name in ("d_ece_bits", "eer", "min_cllr_bits", "linkability"):
        ends = [one_sided(figures[name], confidence) for confidence in (0.6, 0.8, 0.95, 0.99, 0.999)]
        assert [end.low for end in ends] == sorted((end.low for end in ends), reverse=True)
        assert [end.high for end in ends] == sorted(end.high for end in ends)


def test_no_bound_leaves_the_range_of_its_figure(figures: dict[str, FigureDraws]) -> None:
    for draws in figures.values():
        found = one_sided(draws, 0.9999)
        assert draws.lowest <= found.low <= found.high <= draws.highest


def test_perfect_separation_leaves_as_many_errors_open_as_the_confidence_says() -> None:
    full = d_ece_at(0.0)
    draws = FigureDraws(full, np.full(100, full), np.full(10, full), 10, highest=full, at_error=[d_ece_at])
    found = one_sided(draws, 0.95)
    assert found.high == full
    assert found.low == pytest.approx(d_ece_at(most_errors(10, 0.95)))
    assert most_errors(10, 0.95) == pytest.approx(1.0 - 0.05**0.1)


def test_four_times_as_many_speakers_halve_what_a_bound_is_off() -> None:
    spread = Spread.of_difference(0.0, 1.0, 100)
    shares = [spread.decided_share(400, bound, 0.95, 0.95) for bound in (0.1, 5.0)]
    assert shares[0] < 0.5
    assert shares[1] == 1.0


def test_as_many_more_decide_as_brute_force_says() -> None:
    """Speakers are added from populations that these twenty leave open; the bound is that of all."""
    n, bound, rng = 20, 0.25, np.random.default_rng(3)
    value = rng.normal(size=n)
    value = (value - value.mean()) / value.std(ddof=1)  # mean 0, standard error 1/√20
    error = 1.0 / np.sqrt(n)
    more = more_speakers(
        Spread.of_difference(0.0, float(error), n), bound, met_at=0.95, missed_at=0.95, is_upper=True
    )
    assert more is not None
    decided = []
    for size in (n + more, n + more // 2):
        populations = rng.normal(0.0, error, (1000, 1))
        added = populations + rng.normal(size=(1000, size - n))
        everybody = np.concatenate([np.broadcast_to(value, (1000, n)), added], axis=1)
        mean, off = everybody.mean(axis=1), everybody.std(axis=1, ddof=1) / np.sqrt(size)
        t = float(stdtrit(size - 1, 0.95))
        decided.append(float(np.mean((mean + t * off <= bound) | (mean - t * off > bound))))
    assert decided[0] >= 0.77
    assert decided[1] < 0.78


def test_one_more_speaker_decides_nothing_that_the_outer_bound_leaves_open() -> None:
    """Draws are skewed: the bound is kept by Student’s rule already, and not by the percentiles."""
    deviations = np.random.default_rng(0).exponential(size=2000)
    spread = Spread(0.0, deviations - deviations.mean(), 12, 11.0, lambda x: x, lambda x: x)
    bound = spread.bounds(0.95)[1] + 0.01
    assert float(percentile(spread.deviations, 0.9, 12)[1]) > bound
    assert spread.decided_share(13, bound, 0.95, 0.95) < 0.5


def test_what_lies_on_its_bound_no_number_of_speakers_decides() -> None:
    spread = Spread.of_difference(0.4, 0.1, 20)
    assert more_speakers(spread, 0.4, met_at=0.95, missed_at=0.95, is_upper=True) is None


def test_both_senses_are_mirror_images() -> None:
    up = more_speakers(Spread.of_difference(0.0, 0.2, 20), 0.3, met_at=0.95, missed_at=0.99, is_upper=True)
    down = more_speakers(
        Spread.of_difference(0.0, 0.2, 20), -0.3, met_at=0.95, missed_at=0.99, is_upper=False
    )
    assert up == down is not None


def test_a_bound_that_is_just_not_kept_is_seldom_called_kept() -> None:
    """The mean of ten normal values, 600 times: at most 5 % and two standard errors lie below the truth.

    The figures themselves are simulated by `packaging/benchmarks/levels.py`.
    """
    rng, n, missed = np.random.default_rng(9), 10, 0
    for _ in range(600):
        values = rng.normal(size=n)
        draws = rng.choice(values, size=(200, n)).mean(axis=1)
        left_out = (values.sum() - values) / (n - 1)
        missed += one_sided(FigureDraws(float(values.mean()), draws, left_out, n), 0.95).high < 0.0
    assert missed / 600 <= 0.05 + 2.0 * (0.05 * 0.95 / 600) ** 0.5


def straight(*middle: float, error: float = 0.0) -> ExposureBounds:
    """Exposures that rise by 0.1 bit for each standard error, of 4 recordings."""
    bits = np.array(middle)[:, np.newaxis] + 0.1 * DEVIATES
    return ExposureBounds(np.full(len(middle), 4), bits, np.full(len(middle), error))


def test_bounds_of_exposure_move_the_mean_score_by_normal_deviates() -> None:
    found = straight(0.2, 0.5)
    assert found.value == pytest.approx([0.2, 0.5])
    assert found.upper(0.95) == pytest.approx(np.array([0.2, 0.5]) + 0.1 * ndtri(0.95), rel=1e-9)
    assert found.lower(0.95) == pytest.approx(np.array([0.2, 0.5]) - 0.1 * ndtri(0.95), rel=1e-9)


def test_what_others_would_make_of_the_calibration_makes_bounds_wider_by_its_square() -> None:
    """0.3 and 0.4 standard errors of 0.1 bit, the latter wider than normal: 0.5 together."""
    found, deviate = straight(0.3, error=0.1 * (4.0 / 3.0) / (2.3 / 1.96)), ndtri(0.95)
    half = 0.1 * deviate * 5.0 / 3.0
    assert found.upper(0.95) == pytest.approx([0.3 + half], rel=1e-9)
    assert found.lower(0.95) == pytest.approx([0.3 - half], rel=1e-9)


def test_of_fewer_than_three_recordings_nothing_is_known_from_below() -> None:
    found = replace(straight(0.6, 0.6), recordings=np.array([3, 2]))
    assert found.are_enough.tolist() == [True, False]
    assert found.lower(0.95).tolist() == [pytest.approx(0.6 - 0.1 * ndtri(0.95)), 0.0]
    assert found.upper(0.95)[0] == found.upper(0.95)[1]


def test_standard_errors_fall_with_the_root_of_the_number_of_recordings() -> None:
    """Half a standard error below the bound: 4·(1.645/0.5)² recordings; above it by one, at 99 %."""
    needed = straight(0.25, 0.4, 0.3).recordings_needed(0.3, 0.95, 0.99)
    enough = 4 * (ndtri(0.95) / 0.5) ** 2, 4 * ndtri(0.99) ** 2
    assert ((needed[:2] >= enough) & (needed[:2] <= np.multiply(1.05, enough) + 1)).all()
    assert needed[2] == np.inf


def test_more_recordings_do_not_tell_what_others_would_make_of_the_calibration() -> None:
    assert straight(0.25, error=0.05).recordings_needed(0.3, 0.95, 0.99).tolist() == [np.inf]
    (wider,), (needed,) = (
        straight(0.25, error=one).recordings_needed(0.3, 0.95, 0.99) for one in (0.02, 0.0)
    )
    assert wider > 1.5 * needed


def test_bounds_of_linking_are_those_of_means_of_few_fractions() -> None:
    found = LinkageBounds(np.array([5, 5, 9]), np.array([5.0, 0.0, 2.25]), 20)
    assert found.value.tolist() == [1.0, 0.0, 0.25]
    assert found.upper(0.95)[1] == pytest.approx(1.0 - 0.05 ** (1 / 5), rel=1e-9)  # Clopper and Pearson
    assert found.lower(0.95)[0] == pytest.approx(0.05 ** (1 / 5), rel=1e-9)
    assert found.upper(0.95)[2] == upper_mean([2.25], 9, 0.95)[0]
    assert found.lower(0.95)[2] == lower_mean([2.25], 9, 0.95)[0]


def test_nobody_who_is_never_linked_is_known_to_be_linked_rarely_before_so_many_recordings() -> None:
    """At most one in ten at 95 %: 0.9^n ≤ 0.05 from 29 recordings on."""
    (needed,) = LinkageBounds(np.array([5]), np.array([0.0]), 20).recordings_needed(0.1, 0.95, 0.95)
    assert 29 <= needed <= 35
    (never,) = LinkageBounds(np.array([5]), np.array([0.5]), 20).recordings_needed(0.1, 0.95, 0.95)
    assert never == np.inf


def test_exposures_are_those_of_the_speakers_in_their_order() -> None:
    trials, names = shifted(np.random.default_rng(3), 12, [4] * 12, [6.0] + [0.0] * 11)
    found = speaker_disclosures(SpeakerTrials.of_trials(trials, names), replicates=99)
    people = PeopleBounds.of(found)
    assert people.exposure is not None
    assert people.exposure.value.tolist() == [row.estimate_bits for row in found.speakers]
    lower, upper = people.exposure.lower(0.975), people.exposure.upper(0.975)
    for row, low, high in zip(found.speakers, lower, upper, strict=True):
        assert low <= row.low_bits + 0.005  # for what lies between two deviates
        assert high >= row.high_bits - 0.005
    highest = MostExposed.of([found])
    assert highest is not None
    assert (lower.max(), upper.max()) == pytest.approx((highest.low_bits, highest.high_bits), abs=0.005)
    assert (people.linkage, people.n_apart) == ((), len(found.standing_out))
    assert found.standing_out[0] == found.most_exposed


def test_whose_recordings_were_not_compared_with_everybody_is_not_forgotten() -> None:
    trials, names = shifted(np.random.default_rng(4), 12, [4] * 12, [6.0] + [0.0] * 11)
    assert trials.enrol is not None
    assert trials.test is not None
    mine = np.array([names[name] == "s00" for name in trials.test.names])[trials.test.codes]
    with_one = np.array([names[name] == "s01" for name in trials.enrol.names])[trials.enrol.codes]
    kept = ~(mine & with_one)
    part = Trials(
        trials.score[kept],
        trials.is_target[kept],
        Ids(trials.enrol.codes[kept], trials.enrol.names),
        Ids(trials.test.codes[kept], trials.test.names),
    )
    people = people_bounds(Entry("B", part, assess(part), Condition.OP))
    (linkage,) = people.linkage
    assert (len(linkage.recordings), linkage.n_unknown) == (11, 1)
