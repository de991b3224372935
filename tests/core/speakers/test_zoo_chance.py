"""Whether animals are more than chance."""

from itertools import permutations

import pytest
from scipy.stats import hypergeom

from tests.core.speakers.test_disclosure import dense
from tests.core.speakers.test_zoo import animals
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.speakers.zoo import Animal, Character, ZooScale
from zebra_core.speakers.zoo_chance import _share_of_at_least, group_sizes, speaker_differences
from zebra_core.wording.texts import knows


def test_group_sizes_are_judged_over_all_permutations() -> None:
    """Every one of the 6! pairings of own with others' means, counted one by one."""
    found = animals([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 0, 1])
    counted = dict.fromkeys(Animal, 0)
    ways = list(permutations(found.nontarget_mean.tolist()))
    for nontarget in ways:
        other = animals(found.target_mean.tolist(), list(nontarget))
        for animal in Animal:
            counted[animal] += other.animals.count(animal) >= found.animals.count(animal)
    for size in group_sizes(found):
        assert size.p_value == pytest.approx(counted[size.animal] / len(ways), rel=1e-12), size.animal
    assert found.animals.count(Animal.DOVE) == 2


@pytest.mark.parametrize(
    ("count", "n", "marked", "drawn", "share"),
    [
        pytest.param(1, 4, 2, 1, 0.5, id="one of four, two are marked"),
        pytest.param(2, 4, 2, 2, 1 / 6, id="both of the two marked: one of six pairs"),
        pytest.param(0, 4, 2, 2, 1.0, id="at least none is certain"),
        pytest.param(1, 4, 3, 2, 1.0, id="two drawn of three marked and one: never without a marked one"),
        pytest.param(3, 4, 2, 2, 0.0, id="more than are marked"),
        pytest.param(1, 4, 0, 2, 0.0, id="nothing is marked"),
        pytest.param(1, 4, 2, 0, 0.0, id="nothing is drawn"),
    ],
)
def test_shares_of_draws_counted_by_hand(count: int, n: int, marked: int, drawn: int, share: float) -> None:
    assert _share_of_at_least(count, n, marked, drawn) == share


@pytest.mark.parametrize(
    ("n", "marked", "drawn"), [(29, 8, 8), (40, 10, 30), (300, 75, 60), (5000, 1250, 1250)]
)
def test_shares_of_draws_are_those_of_scipy(n: int, marked: int, drawn: int) -> None:
    middle = marked * drawn // n
    for count in (0, 1, middle, middle + 1, middle + 5, min(marked, drawn)):
        expected = hypergeom.sf(count - 1, n, marked, drawn)
        assert _share_of_at_least(count, n, marked, drawn) == pytest.approx(expected, rel=1e-9), count


def test_a_group_larger_than_chance_is_said_in_words() -> None:
    found = animals(list(range(20)), list(range(20)))
    dove, chameleon, *_ = group_sizes(found)
    assert str(chameleon) == (
        "Chameleons (alike to themselves and to others): 5 of 20 speakers, "
        "where chance gives 1.2: more than chance (p < 0.001)."
    )
    assert str(dove).endswith("0 of 20 speakers, where chance gives 1.2: no more than chance (p = 1.000).")


def test_goats_are_real_where_speakers_differ_and_may_be_chance_where_not() -> None:
    differing = SpeakerTrials.of_trials(dense(0, gap=4.0, per_speaker=10))
    alike = SpeakerTrials.of_trials(dense(0, gap=0.0, per_speaker=10))
    goats, *_ = speaker_differences(differing, scale=ZooScale.SCORE)
    assert (goats.character, goats.p_value) == (Character.GOAT, 1 / 200)
    assert str(goats).startswith("Goats are real: speakers differ in how well they are recognised")
    for difference in speaker_differences(alike, scale=ZooScale.SCORE):
        assert difference.p_value > 0.05
        assert "may be chance" in str(difference)


def test_the_test_of_differences_repeats_with_its_seed() -> None:
    trials = SpeakerTrials.of_trials(dense())
    assert speaker_differences(trials, seed=1) == speaker_differences(trials, seed=1)


def test_every_animal_and_character_has_its_sentences() -> None:
    assert all(knows(f"zoo.{animal.value}-{verdict}") for animal in Animal for verdict in ("more", "chance"))
    characters = set(Character) - {Character.SHEEP}
    assert all(
        knows(f"zoo.{each.value}-{verdict}") for each in characters for verdict in ("differ", "chance")
    )


def test_where_all_are_equal_no_group_is_larger_than_chance() -> None:
    assert [size.p_value for size in group_sizes(animals([1.0] * 8, [2.0] * 8))] == [1.0] * 4
    assert group_sizes(animals([], [])) == ()
