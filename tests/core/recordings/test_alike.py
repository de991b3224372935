"""One person who is listed as two is pointed out, and people who differ are not."""

import numpy as np

from zebra_core.recordings import remarks
from zebra_core.recordings.recogniser import unit
from zebra_core.recordings.scoring import alike
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

    assert pairs == (("Ben Fischer", "Eva Novak"),)
    (sentence,) = remarks.of_alike(pairs)
    assert sentence == (
        "Ben Fischer and Eva Novak sound alike in the originals. Check the list of who speaks: if they are "
        "one person, a wrong list makes the safeguard look better than it is."
    )


def test_people_who_differ_are_not_named():
    assert found(list(range(7))) == ()
    assert list(remarks.of_alike(())) == []


def test_where_nobody_can_tell_that_is_said():
    assert found([0, 0, 1], who=WHO[:3]) is None
    (sentence,) = remarks.of_alike(None)
    assert sentence == (
        "It was not checked whether two of the speakers sound alike in the originals, as one person listed "
        "under two names would: that takes at least four speakers with several recordings each."
    )
