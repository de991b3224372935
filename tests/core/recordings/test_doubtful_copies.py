"""What is measured of copies, and speaks against them."""

import time
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.recordings.doubtful_copies import Version, doubts, usable
from zebra_core.recordings.embedding import EmbeddedRecording, Loudness
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.pairing_offers import paired

ONE_PERSON = (0.77, 0.92)


def originals(count=40, seed=1):
    rng = np.random.default_rng(seed)
    return {
        f"call_{n:02}": Version(
            f"original {n}", 2.0 + 6.0 * rng.random(), 0.0, 100.0 + 100.0 * rng.random(), -20.0
        )
        for n in range(count)
    }


def spoken(of):
    return {name: replace(one, speech_s=0.8 * one.seconds) for name, one in of.items()}


BEFORE = spoken(originals())


def protected(times=1.0, longer_s=0.0, semitones=3.0, seed=2, *, before=BEFORE):
    """Copies that are less like their originals, with the pitch and length of a safeguard."""
    rng = np.random.default_rng(seed)
    return {
        name: Version(
            f"copy {name}",
            times * one.seconds + longer_s,
            times * one.speech_s * np.exp(0.05 * rng.normal()),
            one.pitch_hz * 2.0 ** ((semitones + 0.2 * rng.normal()) / 12),
            one.level_db,
            likeness=float(np.tanh(np.arctanh(0.5) + 0.1 * rng.normal())),
        )
        for name, one in before.items()
    }


def with_one(copies, name="call_07", **changed):
    return {**copies, name: replace(copies[name], **changed)}


def told(copies, *, before=BEFORE):
    return {one.code: (list(one.names), dict(one.facts)) for one in doubts(before, {"A": copies}, ONE_PERSON)}


def test_clean_copies_are_told_of_not_at_all():
    assert told(protected()) == {}


@pytest.mark.parametrize(
    ("copies", "code", "facts"),
    [
        pytest.param(protected(2.0, semitones=-12.0), "rate-wrong", {"times": "2.00"}, id="8 for 16 kHz"),
        pytest.param(protected(0.7256, semitones=5.55), "rate-wrong", {"times": "0.73"}, id="22.05 for 16"),
        pytest.param(protected(1.0884, semitones=-1.47), "rate-wrong", {"times": "1.09"}, id="44.1 for 48"),
        pytest.param(protected(1.1), "tempo", {"times": "1.10"}, id="a tempo"),
        pytest.param(protected(longer_s=0.5), "longer-by", {"seconds": "0.50"}, id="silence in front"),
        pytest.param(protected(longer_s=-0.5), "shorter-by", {"seconds": "0.50"}, id="cut at the end"),
    ],
)
def test_what_the_lengths_of_all_copies_have_in_common_is_told(copies, code, facts):
    assert told(copies) == {code: ([*BEFORE], facts)}


def test_before_pitch_is_measured_a_length_far_off_tells_of_a_wrong_rate():
    unknown = {name: replace(one, pitch_hz=None) for name, one in protected(2.0).items()}

    assert [*told(unknown)] == ["rate-wrong"]


def test_silent_faint_and_clipped_copies_are_told():
    copies = protected()
    silent = {name: replace(one, speech_s=0.65 * one.speech_s) for name, one in copies.items()}
    faint = {name: replace(one, level_db=-45.0) for name, one in copies.items()}
    clipped = {name: replace(one, is_clipped=name < "call_03") for name, one in copies.items()}

    [(share,)] = [facts.values() for _, facts in [told(silent)["silent-copies"]]]
    assert 33 <= int(share) <= 37
    assert told(faint) == {"quieter-copies": ([*BEFORE], {"level": "25"})}
    assert told(clipped) == {"clipped-copies": (["call_00", "call_01", "call_02"], {})}


@pytest.mark.parametrize("copies", [protected(), protected(1.1), protected(longer_s=0.5)])
def test_a_copy_that_is_cut_off_stands_out(copies):
    seconds = copies["call_07"].seconds
    found = told(with_one(copies, seconds=0.35 * seconds, speech_s=0.3 * seconds))
    names, facts = found["other-length"]

    assert names == ["call_07"]
    assert facts["least"] == facts["most"]
    assert float(facts["least"]) == pytest.approx(0.35, abs=0.015)


def test_a_copy_that_is_silent_in_parts_stands_out_though_it_lasts_as_long():
    found = told(with_one(protected(), speech_s=0.3 * BEFORE["call_07"].speech_s))

    assert [(code, names) for code, (names, _) in found.items()] == [("other-speech", ["call_07"])]


def unchanged(name="call_07", likeness=0.98):
    return {"pitch_hz": 1.003 * BEFORE[name].pitch_hz, "likeness": likeness}


@pytest.mark.parametrize(
    ("semitones", "code"), [(0.0, "never-changed"), (3.0, "pitch-unchanged"), (-3.0, "pitch-unchanged")]
)
@pytest.mark.parametrize("likeness", [0.82, 0.98])
def test_a_copy_that_was_never_changed_stands_out_whatever_its_format(semitones, code, likeness):
    """A narrow band, and what packing leaves out, make even an unchanged copy less like its original."""
    copies = with_one(protected(semitones=semitones), **unchanged(likeness=likeness))
    [(found, (names, facts))] = told(copies).items()

    assert (found, names) == (code, ["call_07"])
    assert facts["likeness"] == f"{likeness}"
    assert facts["times"] == {0.0: "1.00", 3.0: "1.19", -3.0: "0.84"}[semitones]
    assert float(facts["usual"]) == pytest.approx(0.5, abs=0.03)


def test_many_that_were_never_changed_do_not_hide_each_other():
    copies = protected(semitones=0.0)
    for n in range(16):
        copies = with_one(copies, f"call_{n:02}", **unchanged(f"call_{n:02}"))

    assert len(told(copies)["never-changed"][0]) == 16


def test_a_copy_of_the_same_height_by_a_wrong_measure_is_not_taken_for_unchanged():
    copies = with_one(protected(), **{**unchanged(), "likeness": 0.5})

    assert told(copies) == {}


def test_where_every_copy_is_like_its_original_all_are_told():
    same = {name: replace(one, likeness=0.97) for name, one in protected(semitones=0.0).items()}
    names, facts = told(same)["all-unchanged"]

    assert names == [*BEFORE]
    assert (facts["likeness"], facts["share"], facts["bound"]) == ("0.97", "99", "0.92")


def test_where_every_copy_was_packed_poorly_its_pitch_tells_that_it_is_unchanged():
    rng = np.random.default_rng(4)
    packed = {
        name: replace(one, likeness=0.82, pitch_hz=BEFORE[name].pitch_hz * 2.0 ** (0.03 * rng.normal() / 12))
        for name, one in protected().items()
    }
    names, facts = told(packed)["all-unchanged"]

    assert names == [*BEFORE]
    assert (facts["share"], facts["bound"]) == ("50", "0.77")
    less = {name: replace(one, likeness=0.7) for name, one in packed.items()}
    assert told(less) == {}


def test_a_draw_of_nearly_no_change_is_not_called_never_changed():
    rng = np.random.default_rng(3)
    drawn = {
        name: replace(one, pitch_hz=BEFORE[name].pitch_hz * 2.0 ** (rng.uniform(-4, 4) / 12))
        for name, one in protected().items()
    }

    assert [*told(with_one(drawn, **unchanged()))] == ["hardly-changed"]


def test_what_was_told_by_its_hash_is_not_told_again():
    copies = with_one(protected(), sha256=BEFORE["call_07"].sha256, **unchanged())

    assert [*told(copies)] == ["not-protected"]


def test_no_clean_copy_in_ten_thousand_stands_out():
    """Made-up ones, with the long tails that measurements of real speech have."""
    for seed in range(50):
        before = spoken(originals(200, seed))
        copies = protected(1.1, semitones=0.0, seed=seed + 100, before=before)
        rng = np.random.default_rng(seed)
        wide = {
            name: replace(
                one,
                speech_s=one.speech_s * np.exp(0.08 * np.clip(rng.standard_t(3), -6, 6)),
                likeness=float(np.tanh(np.arctanh(0.4) + 0.2 * rng.normal())),
            )
            for name, one in copies.items()
        }
        assert [*told(wide, before=before)] == ["tempo"]


@pytest.mark.parametrize(
    "seconds", [[3.0], [3.0, 4.0], [3.0] * 9 + [4.0], [1.0] * 4 + [3.0] * 8 + [9.0]], ids=len
)
def test_few_originals_or_equally_long_ones_are_no_fault(seconds):
    before = {f"{n}": Version(f"o{n}", one, 0.8 * one, 120.0, -20.0) for n, one in enumerate(seconds)}
    for likeness in (0.4, -1.0, float("nan")):
        copies = {
            name: replace(one, sha256=f"c{name}", likeness=likeness, pitch_hz=None)
            for name, one in before.items()
        }
        assert told(copies, before=before) == {}


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
