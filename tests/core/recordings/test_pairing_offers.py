"""Originals and copies are paired by their names; what has no partner, or several, is told."""

from pathlib import Path, PurePosixPath

from zebra_core.recordings import doubtful_copies
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.pairing_offers import paired


def recordings(top, *places):
    return [Recording(Path(top, place), PurePosixPath(place)) for place in places]


def test_the_same_place_with_another_ending_is_a_pair():
    found = paired(recordings("o", "s/a.flac", "s/b.flac"), {"B2": recordings("p", "s/a.wav", "s/b.wav")})

    assert found.complete == ("a", "b")
    assert str(found.protected["B2"]["a"].place) == "s/a.wav"
    assert list(doubtful_copies.of_pairing(found)) == []


def test_a_flat_folder_of_copies_is_paired_by_names():
    found = paired(recordings("o", "s/a.flac", "t/b.flac"), {"B2": recordings("p", "a.wav", "b.wav")})

    assert found.complete == ("a", "b")


def test_what_lacks_a_partner_is_told_and_left_out_everywhere():
    both = {"B2": recordings("p", "a.wav", "x.wav"), "B3": recordings("q", "a.wav", "b.wav")}
    found = paired(recordings("o", "a.wav", "b.wav"), both)

    assert found.complete == ("a",)
    assert list(doubtful_copies.of_pairing(found)) == [
        "A recording has no copy under B2 and was left out everywhere: b.",
        "A recording under B2 is the copy of no original by its name, and was left alone: x.wav.",
    ]


def test_names_that_pair_twice_are_left_out():
    found = paired(recordings("o", "a.wav", "b.wav"), {"B2": recordings("p", "x/a.wav", "y/a.wav", "b.wav")})

    assert found.complete == ("b",)
    assert next(doubtful_copies.of_pairing(found)).startswith(
        "A recording has several copies under B2 by its name"
    )


def test_one_copy_is_not_given_to_two_originals():
    found = paired(
        recordings("o", "s/a.wav", "t/a.wav", "t/b.wav"), {"B2": recordings("p", "a.wav", "b.wav")}
    )

    assert found.complete == ("t/b",)
    assert found.ambiguous["B2"] == ("s/a", "t/a")


def test_a_name_with_two_endings_is_told():
    found = paired(recordings("o", "a.wav", "a.flac", "b.wav"), {"B2": recordings("p", "a.wav", "b.wav")})

    assert found.complete == ("b",)
    assert "2 recordings share a name" in next(doubtful_copies.of_pairing(found))
