"""Normalised scores: a case worked by hand, laws, and when they are tried."""

import numpy as np
import pytest

from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.speakers.candidates import with_people
from zebra_core.speakers.normalisation import Normalisation, normalised_trials, why_not_normalised

PEOPLE, EACH = 12, 2


def crossed(scores: np.ndarray, people: int, each: int) -> Trials:
    """Every person's enrolment against every recording, of which there are so many of each."""
    enrol, test = np.divmod(np.arange(scores.size), people * each)
    return Trials.from_arrays(
        score=scores.ravel(),
        is_target=enrol == test // each,
        enrol=[f"p{one:02d}" for one in enrol],
        test=[f"p{one // each:02d}-{one:03d}" for one in test],
    )


def test_scores_are_held_against_their_row_their_column_or_both() -> None:
    # Two enrolments, two tests: (0, 2) has mean 1 and spread 1; (2, 8) mean 5 and spread 3.
    trials = Trials.from_arrays(
        score=[0.0, 2.0, 2.0, 8.0],
        is_target=[True, False, False, True],
        enrol=["a", "a", "b", "b"],
        test=["a-1", "b-1", "a-1", "b-1"],
    )
    z = normalised_trials(trials, Normalisation.Z)
    assert z.score.tolist() == [-1.0, 1.0, -1.0, 1.0]
    # Columns: (0, 2) and (2, 8).
    t = normalised_trials(trials, Normalisation.T)
    assert t.score.tolist() == [-1.0, -1.0, 1.0, 1.0]
    s = normalised_trials(trials, Normalisation.S)
    assert s.score.tolist() == [-1.0, 0.0, 0.0, 1.0]
    assert z.enrol is trials.enrol
    assert (z.is_target == trials.is_target).all()


def test_an_enrolment_whose_scores_are_all_equal_says_nothing() -> None:
    trials = Trials.from_arrays(
        score=[0.1 + 0.2, 0.3, 2.0, 8.0],
        is_target=[True, False, False, True],
        enrol=["a", "a", "b", "b"],
        test=["a-1", "b-1", "a-1", "b-1"],
    )
    assert normalised_trials(trials, Normalisation.Z).score.tolist() == [0.0, 0.0, -1.0, 1.0]


@pytest.mark.parametrize("by", Normalisation)
def test_what_is_added_to_an_enrolment_or_stretches_all_scores_is_of_no_matter(by: Normalisation) -> None:
    scores = np.random.default_rng(1).normal(size=(PEOPLE, PEOPLE * EACH))
    found = normalised_trials(crossed(scores, PEOPLE, EACH), by).score
    stretched = normalised_trials(crossed(3.0 * scores - 7.0, PEOPLE, EACH), by).score
    assert stretched == pytest.approx(found, abs=1e-8)
    if by is Normalisation.Z:
        moved = scores + np.arange(PEOPLE)[:, np.newaxis]
        assert normalised_trials(crossed(moved, PEOPLE, EACH), by).score == pytest.approx(found, abs=1e-8)


def test_what_an_enrolment_adds_to_all_of_its_scores_hides_what_they_tell() -> None:
    rng = np.random.default_rng(2)
    own = np.repeat(np.eye(20), 5, axis=1)
    scores = rng.normal(size=(20, 100)) + 1.5 * own
    plain = assess(crossed(scores, 20, 5)).d_ece_bits
    hidden = crossed(scores + 2.0 * rng.normal(size=(20, 1)), 20, 5)
    assert assess(hidden).d_ece_bits < plain / 2.0
    assert assess(normalised_trials(hidden, Normalisation.Z)).d_ece_bits == pytest.approx(plain, abs=0.03)


def test_each_enrolment_has_to_meet_twenty_recordings_of_ten_others_in_a_list_without_many_gaps() -> None:
    scores = np.random.default_rng(3).normal(size=(PEOPLE, PEOPLE * EACH))
    trials = crossed(scores, PEOPLE, EACH)
    assert why_not_normalised(with_people(trials)) is None  # 22 recordings of 11 others
    few = why_not_normalised(with_people(crossed(scores[:10, :20], 10, 2)))
    assert few is not None
    assert (few.code, few.facts["tests"], few.facts["people"]) == ("not-normalised-few", 18, 9)
    wide = np.random.default_rng(3).normal(size=(40, 40 * EACH))
    listed = crossed(wide, 40, EACH)
    kept = listed.is_target | (np.random.default_rng(4).random(len(listed)) < 0.6)
    assert listed.enrol is not None
    assert listed.test is not None
    gaps = Trials.from_arrays(
        score=listed.score[kept],
        is_target=listed.is_target[kept],
        enrol=[listed.enrol[int(k)] for k in np.flatnonzero(kept)],
        test=[listed.test[int(k)] for k in np.flatnonzero(kept)],
    )
    why = why_not_normalised(with_people(gaps))
    assert why is not None
    assert why.code == "not-normalised-gaps"
