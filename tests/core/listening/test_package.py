"""The file of a listener: what it holds, what it must not tell, and what is refused."""

import io
import json
import zipfile
from dataclasses import replace
from hashlib import sha256

import pytest
import soundfile

from tests.core.listening.cases import PEOPLE, made, recordings, request
from zebra_core.errors import InputError, OutputError
from zebra_core.listening import package as sounds
from zebra_core.listening.items import ItemTask
from zebra_core.listening.making import foresee, make_test
from zebra_core.listening.package import read_package, read_sounds, samples_of
from zebra_core.listening.plan import NAME, read_plan
from zebra_core.recordings import sound as sound_process
from zebra_core.runtime import apart


@pytest.fixture(scope="module")
def test(tmp_path_factory):
    return made(recordings(tmp_path_factory.mktemp("listening")))


def test_each_listener_gets_a_file_and_the_plan_comes_back(test):
    assert [path.name for path in test.files] == [NAME, *(f"L0{n}.zebra-listening" for n in range(1, 5))]
    assert read_plan(test.files[0]) == test.plan
    for path, listener in zip(test.files[1:], test.plan.listeners, strict=True):
        package = read_package(path)
        assert (package.listener, package.sha256) == (listener.code, listener.package_sha256)
        assert [(i.id, i.question) for i in package.items] == [(i.id, i.question) for i in listener.items]
        assert package.scales[ItemTask.SAME] == ("lowest confidence", "highest confidence")
        assert package.introduction.startswith("Some come twice.\n\nSome items come twice, to see")
        assert package.consent == "Yes."
        assert sha256(package.introduction.encode()).hexdigest() == test.plan.introduction_sha256


def test_what_cannot_be_read_is_named_and_left_out_whenever_that_shows(tmp_path):
    """In its header, and in the midst of its samples; the others make the test."""
    top = recordings(tmp_path)
    (top / "mask" / "anna" / "anna-0.wav").write_bytes(b"RIFF\x24\x08\0\0WAVEfmt ")
    torn = top / "original" / "bert" / "bert-1.wav"
    soundfile.write(torn, [0.1, float("nan")] * 200, 8000, subtype="FLOAT")
    (top / "mask" / "carl" / "carl-2.m4a").write_bytes(b"\0\0\0\x1cftypM4A " + bytes(64))

    outlook = foresee(request(top))
    assert any(one.startswith("mask/anna/anna-0.wav cannot be read") for one in outlook.sentences)
    assert outlook.items
    test = made(top)
    told = " ".join(test.sentences)
    for name in (
        "mask/anna/anna-0.wav cannot be read",
        "original/bert/bert-1.wav: the sample at",
        "carl-2.m4a",
    ):
        assert name in told
    heard = {
        one.recording for listener in test.plan.listeners for item in listener.items for one in item.stimuli
    }
    assert heard.isdisjoint({"anna-0", "bert-1"})
    assert heard == set(test.plan.recordings)


def test_where_no_test_remains_the_fault_is_told(tmp_path):
    top = recordings(tmp_path)
    for path in (top / "mask").rglob("*.wav"):
        path.write_bytes(b"RIFF\x24\x08\0\0WAVEfmt ")

    with pytest.raises(InputError, match=r"^mask/.* cannot be read as sound"):
        made(top)


def test_nothing_in_it_tells_speakers_safeguards_or_what_an_item_is_for(test):
    with zipfile.ZipFile(test.files[1]) as archive:
        everything = b"".join(
            [*(archive.read(n) for n in archive.namelist()), str(archive.namelist()).encode()]
        )
    for word in (*PEOPLE, "mask", "anchor", "repeat", "trial", "target"):
        assert word.encode() not in everything


def test_the_recordings_are_those_of_the_plan_sample_by_sample(test):
    listener, path = test.plan.listeners[0], test.files[1]
    package = read_package(path)
    sounds = read_sounds(path, package)
    for item, planned in list(zip(package.items, listener.items, strict=True))[:5]:
        for sound, stimulus in zip(item.sounds, planned.stimuli, strict=True):
            folder = stimulus.safeguard or "original"
            who = stimulus.recording.split("-")[0]
            source = test.files[0].parents[1] / folder / who / f"{stimulus.recording}.wav"
            expected, rate = soundfile.read(source, dtype="int16")
            found, found_rate = soundfile.read(io.BytesIO(sounds[sound]), dtype="int16")
            assert (found.tolist(), found_rate) == (expected.tolist(), rate)


def test_the_same_request_makes_the_same_bytes_and_what_is_there_is_not_replaced(test, tmp_path):
    top = test.files[0].parents[1]
    again = make_test(request(top), tmp_path / "again")
    assert [one.read_bytes() for one in again.files] == [one.read_bytes() for one in test.files]
    with pytest.raises(OutputError, match="already"):
        make_test(request(top), top / "test")


def test_what_is_to_be_told(test):
    announced = "The introduction ends with a sentence that says so."
    again = (
        "Apart from the repeats, each listener hears 27 recordings in more than one item, up to 2 times, "
        "perhaps once protected and once unprotected. More recordings or fewer items avoid that."
    )
    assert test.sentences == (
        f"3 pairs come twice for each listener. {announced}",
        f"One canvas comes twice for each listener. {announced}",
        f"2 recordings are rated twice for naturalness by each listener. {announced}",
        again,
    )


def test_what_a_test_comes_to_is_known_before_anything_is_written(test):
    """400 samples at 8000 Hz are 50 ms; 16 pairs and 3 repeats, 4 canvases of 6, and 14 single recordings."""
    top = test.files[0].parents[1]
    before = sorted(top.rglob("*"))
    found = foresee(request(top))
    assert found.items == {ItemTask.SAME: 19, ItemTask.PLACEMENT: 4, ItemTask.NATURALNESS: 14}
    assert found.sound_s == pytest.approx(0.05 * (2 * 19 + 6 * 4 + 14))
    used = {one for of in test.plan.listeners for item in of.items for one in item.stimuli}
    assert found.recordings == len(used)
    assert found.in_words == (
        "4 listeners hear 37 items each, under 2 conditions: about 1 min of sound if everything is played "
        f"once. {len(used)} recordings are used."
    )
    assert found.sentences == test.sentences
    assert sorted(top.rglob("*")) == before


def test_safeguards_that_are_one_folder_to_some_systems_are_refused(test, tmp_path):
    asked = request(test.files[0].parents[1])
    asked = replace(asked, protected={**asked.protected, "Mask": asked.protected["mask"]})
    with pytest.raises(InputError, match=r"mask.* and .*Mask.* differ only in capital letters"):
        make_test(asked, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_file_that_would_be_too_large_is_refused_before_any_is_written(test, tmp_path, monkeypatch):
    monkeypatch.setattr("zebra_core.listening.making.MOST_SOUND", 1000)
    with pytest.raises(InputError, match=r"The file of the listener L01 would hold 0\.0 GiB"):
        make_test(request(test.files[0].parents[1]), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr("zebra_core.listening.making.MOST_IN_A_FILE", 40)
    with pytest.raises(InputError, match=r"would get 46 items or recordings\. At most 40 fit"):
        make_test(request(test.files[0].parents[1]), tmp_path / "out")


def rewritten(source, path, change, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def saying(**changes):
    def change(members):
        members["test.json"] = json.dumps({**json.loads(members["test.json"]), **changes}).encode()

    return change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda members: members.pop("test.json"), "is not a test for a listener"),
        (lambda members: members.update({"../evil": b""}), "is not a test for a listener"),
        (lambda members: members.pop("sound/s0001.flac"), "“sounds” is not what ZEBRA writes"),
        (saying(format=2), "was written by a newer version"),
        (saying(items=[]), "“items” is not what ZEBRA writes"),
        (saying(listener="../L01"), "“listener” is not what ZEBRA writes"),
        (saying(items=[{"id": "i0001", "question": "same", "sounds": ["s0001"]}]), "“sounds”"),
        (saying(items=[{"id": "i0001", "question": "love", "sounds": ["s0001"]}]), "“question”"),
    ],
)
def test_what_was_not_written_by_us_is_refused(test, tmp_path, change, sentence):
    path = rewritten(test.files[1], tmp_path / "bad.zebra-listening", change)
    with pytest.raises(InputError, match=sentence):
        read_package(path)


def test_members_that_are_packed_are_refused_for_they_may_unpack_to_anything(test, tmp_path):
    path = rewritten(test.files[1], tmp_path / "b.zebra-listening", lambda _: None, zipfile.ZIP_DEFLATED)
    with pytest.raises(InputError, match="is not a test for a listener"):
        read_package(path)
    (tmp_path / "text").write_text("nothing")
    with pytest.raises(InputError, match="is not a test for a listener"):
        read_package(tmp_path / "text")


def test_a_small_file_does_not_unpack_to_more_than_one_recording_may_be(test, monkeypatch):
    package = read_package(test.files[1])
    item = next(one for one in package.items if one.question is ItemTask.PLACEMENT)
    assert [len(samples) for samples, _ in samples_of(test.files[1], package, item)] == [400] * 6
    monkeypatch.setattr("zebra_core.listening.package.MOST_SAMPLES", 5 * 400)
    with pytest.raises(InputError, match="is not a test for a listener"):
        samples_of(test.files[1], package, item)


def test_the_recordings_of_a_listeners_file_are_decoded_by_a_process_that_they_may_end(test, monkeypatch):
    package = read_package(test.files[1])
    item = next(one for one in package.items if one.question is ItemTask.PLACEMENT)
    sound_process.end_idle()
    before = set(apart._RUNNING)
    samples_of(test.files[1], package, item)
    (process,) = set(apart._RUNNING) - before

    process.kill()
    process.wait()
    assert len(samples_of(test.files[1], package, item)) == 6  # by another
    monkeypatch.setattr(apart.ProgramOutput, "read", lambda *_: (_ for _ in ()).throw(apart.NoAnswer))
    with pytest.raises(InputError, match="is not a test for a listener"):
        samples_of(test.files[1], package, item)


@pytest.mark.parametrize("content", [b"", b"fLaC", b"RIFF\0\0\0\0WAVE", b"fLaC" + bytes(1000)])
def test_what_is_no_sound_in_a_listeners_file_has_a_sentence(test, monkeypatch, content):
    package = read_package(test.files[1])
    monkeypatch.setattr(sounds, "read_sounds", lambda *_: dict.fromkeys(package.items[0].sounds, content))
    with pytest.raises(InputError, match="is not a test for a listener"):
        samples_of(test.files[1], package, package.items[0])


def test_no_safeguard_is_called_like_the_folder_of_unprotected_speech(test, tmp_path):
    asked = request(test.files[0].parents[1])
    asked = replace(asked, protected={"Unprotected": asked.protected["mask"]})
    with pytest.raises(InputError, match="No safeguard can be called Unprotected"):
        make_test(asked, tmp_path / "made")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"kind": "trial"', '"kind": "gift"', "kind"),
        ('"consent_sha256": "', '"consent_sha256": "x', "consent_sha256"),
        ('"seed": 3', '"seed": -3', "seed"),
        ('"question": "same"', '"question": "why"', "question"),
        ('"code": "L02"', '"code": "L01"', "listeners"),
        ('"anna-0"', '"zoe-0"', "recordings"),
        ('       "anna-0",', '       ["anna-0"],', "recordings"),
        ('"question": "naturalness"', '"question": "same"', "recordings"),
    ],
)
def test_a_plan_that_was_changed_into_none_is_refused_with_the_field(test, tmp_path, old, new, named):
    path = tmp_path / "plan.json"
    text = test.files[0].read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(InputError, match=f"“{named}” is not what ZEBRA writes"):
        read_plan(path)
