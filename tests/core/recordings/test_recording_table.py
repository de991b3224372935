"""Which recordings are there to be listened to: by their pairs, and by the record of their scores."""

import shutil
from pathlib import Path

from tests.core.recordings.samples import ORIGINAL, PROTECTED
from zebra_core.recordings.recording_table import RecordingRow, takes_of_record, takes_of_rows
from zebra_core.recordings.sound import hash_of

PLACES = ("1688/1688-142285-0005.flac", "1998/1998-15444-0001.flac")


def record():
    def file(top, place):
        return {"file": place, "sha256": hash_of(top / place)}

    rows = [
        {
            "id": place[5:-5],
            "speaker": place[:4],
            "original": file(ORIGINAL, place),
            "protected": {"B2": file(PROTECTED, place)},
        }
        for place in PLACES
    ]
    return {"recordings": rows}


def test_a_pair_has_its_original_first():
    rows = [
        RecordingRow("a", "x/a.wav", Path("o/x/a.wav"), {"B2": Path("p/x/a.wav")}, "anna"),
        RecordingRow("b", "b.wav", Path("o/b.wav")),
    ]

    first, last = takes_of_rows(rows)

    assert (first.name, first.speaker) == ("a", "anna")
    assert [(version.safeguard, version.path.parts[0]) for version in first.versions] == [
        ("", "o"),
        ("B2", "p"),
    ]
    assert [version.safeguard for version in last.versions] == [""]


def test_versions_are_found_by_their_hashes_whatever_their_folders_are_called(tmp_path):
    for top, name in ((PROTECTED, "a"), (ORIGINAL, "b")):
        for place in PLACES:
            (tmp_path / name / place).parent.mkdir(parents=True)
            shutil.copy(top / place, tmp_path / name / place)

    takes = takes_of_record(record(), [tmp_path])

    assert [take.speaker for take in takes] == ["1688", "1998"]
    assert [version.path.parent.parent.name for version in takes[0].versions] == ["b", "a"]
    assert takes[0].versions[1].sha256 == hash_of(PROTECTED / PLACES[0])


def test_what_is_gone_is_left_out_and_places_that_lead_out_are(tmp_path):
    known = record()
    assert takes_of_record(known, [tmp_path]) == ()
    known["recordings"][0]["original"]["file"] = "../original/" + PLACES[0]

    (first, second) = takes_of_record(known, [ORIGINAL, PROTECTED])

    assert [version.safeguard for version in first.versions] == ["B2"]
    assert [version.safeguard for version in second.versions] == ["", "B2"]
