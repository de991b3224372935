"""Bounds of every single person, worked by hand, and how often a verdict on everybody is wrong."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtri

from tests.core.speakers.shifted import shifted
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Condition, Entry
from zebra_core.project.verdicts.measuring import people_bounds
from zebra_core.speakers.disclosure import speaker_disclosures
from zebra_core.speakers.most_exposed import MostExposed
from zebra_core.uncertainty.everybody_bounds import DEVIATES, ExposureBounds, LinkageBounds, PeopleBounds
from zebra_core.uncertainty.mean_bounds import lower_mean, upper_mean


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
