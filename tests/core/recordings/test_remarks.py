"""What is told of recordings once their samples are known, however many there are."""

import time
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.recordings.embedding import EmbeddedRecording
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.pairing import paired
from zebra_core.recordings.remarks import usable
from zebra_core.recordings.speech_activity import Loudness

MANY = 20_000


def found(count, *safeguards, sha256, speech_s):
    """Recordings in every version; what is known of a version follows from its name and a number."""
    versions = {
        version: [Recording(Path(version, f"{n}.wav"), PurePosixPath(f"{n}.wav")) for n in range(count)]
        for version in ("original", *safeguards)
    }
    heard = {
        one.path: EmbeddedRecording(
            sha256(version, n), 2.0, 16_000, Loudness(speech_s(version), 0.0, -20.0), np.empty(0, np.float32)
        )
        for version, of in versions.items()
        for n, one in enumerate(of)
    }
    pairing = paired(versions.pop("original"), versions)
    return usable(pairing, pairing.complete, heard, {})


@pytest.mark.parametrize(
    ("sha256", "speech_s", "kept", "sentence"),
    [
        (lambda version, _n: version, 2.0, 1, "19\u202f999 original recordings are identical, byte by byte"),
        (lambda version, n: f"{version} {n}", 0.5, MANY, "20\u202f000 recordings contain less than a second"),
    ],
)
def test_very_many_that_are_equal_or_short_are_told_at_once(sha256, speech_s, kept, sentence):
    began = time.process_time()
    ids, sentences = found(MANY, "B2", sha256=sha256, speech_s=lambda _version: speech_s)

    assert time.process_time() - began < 3.0  # each against all others took minutes
    assert len(ids) == kept
    assert sentences[0].startswith(sentence)


def test_short_copies_are_told_of_every_safeguard():
    _, sentences = found(
        2,
        "A",
        "B",
        sha256=lambda version, n: f"{version} {n}",
        speech_s=lambda v: 1.1 if v == "original" else 0.9,
    )

    assert sentences == (
        "2 copies under A contain less than a second of speech: 0, 1.",
        "2 copies under B contain less than a second of speech: 0, 1.",
    )


def test_copies_that_are_those_of_other_originals_are_told():
    """As after a batch that wrote one recording under two names, or returned one that nobody protected."""
    hashes = {("V", 2): "V 1", ("V", 3): "original 0", ("W", 0): "V 1"}
    ids, sentences = found(
        4,
        "V",
        "W",
        sha256=lambda version, n: hashes.get((version, n), f"{version} {n}"),
        speech_s=lambda _version: 2.0,
    )

    assert len(ids) == 4
    assert [one.split(". One copy")[0] for one in sentences] == [
        (
            "One copy under V is identical, byte by byte, to the original of another recording; "
            "it is the wrong file, and not protected: 3."
        ),
        "2 copies under V are identical, byte by byte, to copies of other originals: 1, 2",
        "One copy under W is identical, byte by byte, to the copy of another original: 0",
    ]


def test_however_many_cannot_be_heard_the_rest_are_named(tmp_path):
    """Also those that nothing is compared with, and those that nobody has listed."""
    names = [f"{n}.mp3" for n in range(12)]
    pairing = paired(
        [Recording(Path("original", name), PurePosixPath(name)) for name in names],
        {"V": [Recording(Path("V", name), PurePosixPath(name)) for name in names]},
    )
    faults = {Path("V", name): InputError("sound-silent", file=name) for name in [*names, "unlisted.mp3"]}
    ids, sentences = usable(pairing, (), {}, faults)

    assert ids == ()
    assert len(sentences) == 9
    assert sentences[-1].endswith("V/8.mp3, V/9.mp3, V/10.mp3, V/11.mp3 and 1 more.")
