"""What a requirement takes where nothing is disclosed: by hand, and by drawing such sets."""

import math

import numpy as np
import pytest

from zebra_core.installation.simulations.measured import away_by_guessing
from zebra_core.project.requirements.reach import CONFIDENCES, LAWS, Reach, reach_in_words, reaches
from zebra_core.project.requirements.requirement import Requirement, RequirementDetail, Sense
from zebra_core.speakers.candidates import PoolScores
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.linking_points import linkage_draws
from zebra_core.uncertainty.mean_bounds import upper_mean
from zebra_core.uncertainty.one_sided import one_sided

SETS = 400


def at_most(figure: str, bound: float, **detail: float) -> Requirement:
    return Requirement("r", figure, bound, detail=RequirementDetail(**detail))  # type: ignore[arg-type]


def at_least(figure: str, bound: float) -> Requirement:
    return Requirement("r", figure, bound, Sense.AT_LEAST)


def test_at_most_nine_in_a_hundred_for_anybody_takes_about_six_hundred_recordings_of_twenty_people() -> None:
    of_twenty, of_forty = reaches(at_most("most_linked", 0.09, people=20))
    assert of_twenty.people == 20
    assert of_forty.people == 40
    assert of_twenty.recordings == pytest.approx(600, rel=0.05)
    assert reach_in_words(at_most("most_linked", 0.09, people=20)) == (
        "Where nothing is disclosed, this is met in half of the cases if there are so many recordings of "
        "each person: about 610 where there are 20 people; about 580 where there are 40 people."
    )


@pytest.mark.parametrize(("people", "bound"), [(5, 0.6), (8, 0.4), (20, 0.3)])
def test_with_so_many_recordings_half_of_such_sets_are_within_and_with_fewer_less(
    people: int, bound: float
) -> None:
    """Whoever guesses links each recording with the probability 1/N: sums are binomial."""
    needed = reaches(at_most("most_linked", bound, people=people))[0].recordings
    assert needed is not None
    rng = np.random.default_rng(3)

    def share(recordings: int) -> float:
        most = rng.binomial(recordings, 1 / people, (SETS, people)).max(axis=1)
        return float(np.mean(upper_mean(most, recordings, 0.95) <= bound))

    error = 3.0 * 0.5 / math.sqrt(SETS)
    assert share(needed) > 0.5 - error
    assert share(needed - 1) < 0.5 + error


def test_so_few_people_as_twenty_leave_more_possible_whatever_the_number_of_recordings() -> None:
    """1 − 0.05^(1/20) is 0.139, and 1 − 0.05^(1/32) is 0.089."""
    of_twenty, more = reaches(at_most("pi_link", 0.09, people=20))
    assert of_twenty == Reach(20, None)
    assert (more.people, more.recordings) == (32, 5)
    assert reach_in_words(at_most("pi_link", 0.09, people=20)).endswith(
        ": no number is enough where there are 20 people; about 5 where there are 32 people."
    )


def test_a_mean_is_met_with_so_many_recordings_in_about_half_of_such_sets() -> None:
    found = reaches(at_most("pi_link", 0.09, people=20))[1]
    assert found.recordings is not None
    met = []
    for number in range(60):
        rng = np.random.default_rng([4, number])
        own = np.repeat(np.arange(found.people), found.recordings)
        scores = PoolScores(rng.normal(size=(found.people, len(own))), own)
        (draws,) = linkage_draws(scores, [20], BootstrapSettings(200, seed=number))
        assert draws is not None
        met.append(one_sided(draws, 0.95).high <= 0.09)
    assert 0.3 < np.mean(met) < 0.8


def test_an_eer_takes_recordings_with_the_square_of_how_near_it_is_to_guessing() -> None:
    """(0.47/0.05)² is 88 recordings in all, (0.47/0.1)² 22."""
    assert reaches(at_least("eer", 0.45)) == (Reach(20, 5), Reach(40, 3))
    assert reaches(at_least("eer", 0.4)) == (Reach(20, 2), Reach(40, 1))


def test_the_laws_are_what_sets_of_guessing_come_to() -> None:
    found = away_by_guessing(20, 2, 16)
    for figure, law in LAWS.items():
        assert found[figure] == pytest.approx(law.away, rel=0.3), figure
        assert len(found[figure]) == len(CONFIDENCES)


def test_what_guessing_reaches_no_safeguard_can_keep() -> None:
    said = reach_in_words(at_most("pi_link", 0.05, people=20))
    assert said == "Guessing reaches 5 %: no safeguard can keep this bound."
    assert reach_in_words(at_least("eer", 0.5)).startswith("Guessing reaches 50")
    assert reaches(at_most("pi_link", 0.05, people=20)) == ()


def test_of_other_figures_and_towards_disclosure_nothing_is_said() -> None:
    assert reach_in_words(at_most("most_exposed", 0.2)) == ""
    assert reach_in_words(at_most("eer", 0.4)) == ""
    assert reach_in_words(at_most("pi_link", 0.3, people=20, recordings=3)) == ""
    assert reach_in_words(Requirement("r", "tag", "B", confidence=None)) == ""
    assert reach_in_words(Requirement("r", "d_ece_bits", 0.3, confidence=0.8)) == ""
    assert reach_in_words(Requirement("r", "d_ece_bits", 0.3, no_worse_than="*")) == ""
