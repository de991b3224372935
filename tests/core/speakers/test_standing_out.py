"""Who stands out: the exposed are named, private people are not; each step is worked by hand or counted."""

from itertools import permutations

import numpy as np
import pytest

from tests.core.speakers.shifted import shifted
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.speakers.disclosure import (
    SpeakerDisclosures,
    in_standard_errors,
    own_scores,
    speaker_disclosures,
    step_down,
)
from zebra_core.speakers.exposure import Units


def units(*of_each: list[float]) -> Units:
    count = [len(values) for values in of_each]
    return Units(np.concatenate(of_each), np.ones(sum(count), int), np.repeat(np.arange(len(count)), count))


def found_in(
    seed: int, people: int, segments: object, shift: list[float], enrolments: int = 1
) -> SpeakerDisclosures:
    of_each = np.broadcast_to(segments, people).tolist()
    trials, names = shifted(np.random.default_rng(seed), people, of_each, shift, enrolments)
    return speaker_disclosures(SpeakerTrials.of_trials(trials, names), replicates=199)


def names(found: SpeakerDisclosures) -> set[str]:
    return {row.speaker for row in found.standing_out}


def test_a_mean_is_held_against_everybody_else_in_standard_errors() -> None:
    """Means 3, 0 and 0 of 2, 1 and 3 values: mean of all 1, variance within (2 + 2 + 0)/3."""
    value = np.array([[4.0, 2.0, 0.0, 1.0, -1.0, 0.0]])
    within = np.sqrt((1 + 1 + 0 + 1 + 1 + 0) / 3)
    expected = [2.0 * np.sqrt(2 * 6 / 4), -1.0 * np.sqrt(1 * 6 / 5), -1.0 * np.sqrt(3 * 6 / 3)]
    [found] = in_standard_errors(value, np.array([2, 1, 3]))
    assert found == pytest.approx(np.array(expected) / within, rel=1e-14)
    [above] = in_standard_errors(value, np.array([2, 1, 3]), centre=1.5)
    assert above[0] == pytest.approx(1.5 * np.sqrt(3.0) / within, rel=1e-14)


def test_values_that_are_all_alike_let_nobody_stand_out() -> None:
    constant = units(*[[0.1, 0.1, 0.1]] * 6)
    assert step_down(constant, 6, 99, np.random.default_rng(0)).tolist() == [1.0] * 6


def test_the_p_value_is_that_of_all_exchanges() -> None:
    """Seven segments of five speakers: 5040 orders, counted one by one."""
    of_all = units([5.0, 4.2], [0.0, 0.7], [0.3], [-0.4], [0.1])
    count = np.array([2, 2, 1, 1, 1])
    observed = in_standard_errors(of_all.value[np.newaxis], count).max()
    orders = np.array(list(permutations(of_all.value)))
    share = np.mean(in_standard_errors(orders, count).max(axis=1) >= observed - 1e-12)
    p = step_down(of_all, 5, 9999, np.random.default_rng(1))
    assert p[0] == pytest.approx(share, abs=0.01)
    assert p.tolist()[1:] == [1.0] * 4 if p[0] > 0.05 else True


def test_one_who_stands_out_does_not_hide_the_next() -> None:
    rng = np.random.default_rng(3)
    values = [list(rng.normal(0.0, 1.0, 5)) for _ in range(12)]
    values[4] = [value + 30.0 for value in values[4]]
    values[7] = [value + 6.0 for value in values[7]]
    p = step_down(units(*values), 12, 499, rng)
    assert np.flatnonzero(p <= 0.05).tolist() == [4, 7]
    assert p[4] <= p[7]


def test_what_an_enrolment_or_a_segment_does_to_everybody_is_nobodys_own() -> None:
    """Noiseless scores: 7 of one enrolment, 2 of one segment, and 3 where a speaker meets their own voice."""
    score = np.add.outer([7.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0, 0.0, 0.0]) + 3.0 * np.repeat(
        np.eye(3), 2, axis=1
    )
    trials, who = shifted(np.random.default_rng(0), 3, [2, 2, 2], [0.0] * 3)
    made = SpeakerTrials.of_trials(Trials(score.ravel(), trials.is_target, trials.enrol, trials.test), who)
    found = own_scores(made, made.score)
    assert np.ptp(found.value) == pytest.approx(0.0, abs=1e-7)
    assert found.speaker.tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("people", "segments", "enrolments", "shift"), [(40, 5, 1, 8.0), (40, 5, 1, 4.0), (20, 3, 3, 8.0)]
)
def test_who_is_recognised_in_every_recording_is_named_and_nobody_private(
    people: int, segments: int, enrolments: int, shift: float
) -> None:
    """Private people were named in half of such sets, and the exposed one was not in a fifth of them."""
    for seed in range(8):
        found = found_in(seed, people, segments, [shift] + [0.0] * (people - 1), enrolments)
        assert names(found) == {"s00"}
        assert "s00" in found.verdict
        assert found.chance.is_more_than_chance


def test_three_exposed_of_forty_are_all_named() -> None:
    for seed in range(4):
        assert names(found_in(seed, 40, 10, [4.0] * 3 + [0.0] * 37)) == {"s00", "s01", "s02"}


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0])
def test_private_people_who_differ_a_little_are_not_named(spread: float) -> None:
    """Nobody below the mean, that is: of 30 sets in each at most two, where 7.5 % of 400 are allowed."""
    wrong = 0
    for seed in range(30):
        rng = np.random.default_rng([5, seed])
        shift = rng.normal(0.0, spread, 20)
        found = found_in(seed, 20, rng.integers(1, 21, 20), shift.tolist())
        wrong += any(shift[int(name[1:])] <= shift.mean() for name in names(found))
    assert wrong <= 2


def test_the_same_seed_names_the_same_whatever_the_order_of_lines() -> None:
    trials, who = shifted(np.random.default_rng(4), 12, [4] * 12, [3.0] + [0.0] * 11)
    order = np.random.default_rng(5).permutation(len(trials.score))
    assert trials.enrol is not None
    assert trials.test is not None
    turned = Trials(
        trials.score[order],
        trials.is_target[order],
        *(Ids(of.codes[order], of.names) for of in (trials.enrol, trials.test)),
    )
    one, other = (
        speaker_disclosures(SpeakerTrials.of_trials(each, who), replicates=99) for each in (trials, turned)
    )
    assert names(one) == names(other)
