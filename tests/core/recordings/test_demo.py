"""The demo from recordings: ten speakers, three recordings each, at most 8 MB."""

import zebra_resources
from zebra_core.recordings.demo import ORIGINAL, PROTECTED
from zebra_core.recordings.folder import look_into
from zebra_core.recordings.pairing_offers import paired


def test_ten_speakers_have_three_recordings_each_with_a_copy():
    original, copies = (look_into(zebra_resources.path(name)) for name in (ORIGINAL, PROTECTED))
    found = paired(original.recordings, {"B2": copies.recordings})
    speakers = [found.originals[name].place.parts[0] for name in found.complete]

    assert len(found.complete) == len(copies.recordings) == 30
    assert {speakers.count(speaker) for speaker in speakers} == {3}


def test_it_is_small_and_says_whose_it_is():
    files = [path for path in zebra_resources.path("recordings").rglob("*") if path.is_file()]
    note = zebra_resources.read_text("recordings/README.md")

    assert sum(path.stat().st_size for path in files) < 8_000_000
    assert "LibriSpeech (c) 2014 by Vassil Panayotov, licensed under CC BY 4.0" in note
    assert "Apache License 2.0" in zebra_resources.read_text("recogniser/README.md")
