"""One person who is listed as two is pointed out, and people who differ are not."""

import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.recordings import doubtful_copies
from zebra_core.recordings.recogniser import unit
from zebra_core.recordings.scoring import alike
from zebra_core.recordings.speakers import RecordingSpeakers, as_one_person
from zebra_core.recordings.trial_list import every_pair

WHO = "Ben Fischer", "Eva Novak", "Ida", "Jan", "Kim", "Lea", "Max"


def found(voices, each=4, who=WHO):
    """Of speakers with these voices, by their numbers."""
    rng = np.random.default_rng(5)
    mean = rng.normal(size=(max(voices) + 1, 64))
    trials = every_pair({f"{n} {name}": name for name in who for n in range(each)}, across=False)
    place = {name: voices[number] for number, name in enumerate(who)}
    voice = np.stack([mean[place[name]] for name in trials.speaker])
    return alike(trials, unit(voice + 0.6 * rng.normal(size=voice.shape)))


def test_one_person_listed_as_two_is_named_and_what_that_does():
    pairs = found([0, 0, 1, 2, 3, 4, 5])

    [pair] = pairs
    assert pair.names == ("Ben Fischer", "Eva Novak")
    (sentence,) = doubtful_copies.of_alike(pairs)
    likeness, low, high = (f"{one:.2f}" for one in (pair.likeness, *pair.usual))
    assert low <= likeness
    assert sentence == (
        f"Ben Fischer and Eva Novak (likeness {likeness}; recordings of one speaker: {low} to {high} for "
        "half of the speakers) sound alike in the originals. Check the list of who speaks: if they are one "
        "person, a wrong list makes the safeguard look better than it is."
    )


def test_people_who_differ_are_not_named():
    assert found(list(range(7))) == ()
    assert list(doubtful_copies.of_alike(())) == []


def test_two_names_of_one_person_count_as_the_first_and_a_third_with_them():
    spoken = RecordingSpeakers({"1": "P-7", "2": "P-91", "3": "P-8", "4": "P-92"}, (), "")

    one = as_one_person(spoken, (("P-7", "P-91"), ("P-7", "P-92")))
    assert one.speaker == {"1": "P-7", "2": "P-7", "3": "P-8", "4": "P-7"}
    with pytest.raises(InputError, match="Nobody is called “P-9” who could count as one person"):
        as_one_person(spoken, (("P-7", "P-9"),))


def test_where_nobody_can_tell_that_is_said():
    assert found([0, 0, 1], who=WHO[:3]) is None
    (sentence,) = doubtful_copies.of_alike(None)
    assert sentence == (
        "It was not checked whether two of the speakers sound alike in the originals, as one person listed "
        "under two names would: that takes at least four speakers with several recordings each."
    )
