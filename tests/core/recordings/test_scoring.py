"""From folders to scores: everything together, on the demo's recordings."""

import hashlib
import json
import os
import shutil
from dataclasses import replace
from threading import Barrier, Event

import numpy as np
import pytest

from tests.core.recordings.samples import ORIGINAL, PROTECTED, SPEECH, speech, tone, write
from zebra_core.errors import Cancelled, InputError, OutputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.recordings_file import record_of
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.recordings import comparable
from zebra_core.recordings.attacks import Attack, AttackerChoice, BackEndKind
from zebra_core.recordings.embedding import FolderStore, MemoryStore, forget_kept, hear
from zebra_core.recordings.folder import look_into
from zebra_core.recordings.layout import WITHIN, write_scores
from zebra_core.recordings.recogniser import shipped
from zebra_core.recordings.request import BackgroundSpeech, Request
from zebra_core.recordings.scoring import score
from zebra_core.recordings.sound import hash_of, read_sound

SPEAKERS = ("3331", "2414", "1688", "367")


def material(top):
    """Two short recordings each of four speakers, original and protected, and much that must not matter."""
    for speaker in SPEAKERS:
        for path in sorted((ORIGINAL / speaker).iterdir())[:2]:
            for source, name in ((ORIGINAL, "original"), (PROTECTED, "B2")):
                place = top / name / speaker / path.name
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source / speaker / path.name, place)
    shutil.copy(SPEECH, top / "original" / "3331" / "copy.flac")
    shutil.copy(PROTECTED / "3331" / SPEECH.name, top / "B2" / "3331" / "copy.flac")
    shutil.copy(SPEECH, top / "original" / "3331" / "alone.flac")
    for name in ("original", "B2"):
        write(top / name / "367" / "silent.wav", np.zeros(32_000, np.float32))
        write(top / name / "367" / "short.wav", tone(0.5))
        (top / name / "367" / "letter.wav").write_text("dear all")
        (top / name / "367" / "call.m4a").write_bytes(b"\0\0\0\x20ftypM4A " + bytes(20))
    (top / "B2" / "text").write_text(f"{SPEECH.stem} yes we can\nstrange no\n")
    return Request(top / "original", {"B2": top / "B2"}, SpeakerRule.FIRST_FOLDER, every_pair=True)


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    top = tmp_path_factory.mktemp("recordings")
    return score(material(top), top / "out"), top / "out"


def test_everything_odd_is_told_and_the_rest_compared(scored):
    found, _out = scored

    assert len(found.compared.ids) == 9
    assert [sentence.split(":")[0] for sentence in found.sentences] == [
        "One recording in original is in a format that ZEBRA does not read, and is left out",
        "One file in original has the name of a sound file but is not sound, and was left alone",
        "One recording in B2 is in a format that ZEBRA does not read, and is left out",
        "One file in B2 has the name of a sound file but is not sound, and was left alone",
        "A recording has no copy under B2 and was left out everywhere",
        "Speakers are identified by the rule first-folder",
        (
            "What is understood under B2 is stated by the file text in B2, for one of 11 recordings; ZEBRA "
            "did not find it out itself. Word errors follow from it."
        ),
        "original/367/silent.wav contains no speech. Leave it out, or record again.",
        "B2/367/silent.wav contains no speech. Leave it out, or record again.",
        "One original recording is identical, byte by byte, to another under another name, and was left out",
        "One recording contains less than a second of speech, which says little about who speaks",
        "One copy under B2 is identical to its original, byte by byte, and so is not protected",
        "Even unprotected speech has an EER of 33 %, more than 25 %",
        "There are too few speakers with several recordings for back ends that learn; some were left out.",
        "Embeddings are biometric data, and so are scores",
    ]


def test_what_is_written_is_read_with_its_attackers(scored):
    found, out = scored
    entries = project_of_folder(out).project.entries

    assert {(e.name, e.dataset, e.condition.value, e.attacker, e.back_end) for e in entries} == {
        ("unprotected", "recordings", "OO", "", "cosine"),
        ("B2", "recordings", "OP", "ignorant", "cosine"),
        ("B2", "recordings", "PP", "lazy-informed", "cosine"),
    }
    rates = {entry.condition.value: entry.assessment.eer for entry in entries}
    expected = {one.attack.condition.upper().replace("A", "P"): one.eer for one in found.attacked}
    assert rates == pytest.approx(expected, abs=0)


def test_in_a_folder_made_from_recordings_the_attacker_comes_first_who_errs_least(scored, tmp_path):
    found, out = scored
    copy = shutil.copytree(out, tmp_path / "copy")
    perfect = Attack("", False, False, False, BackEndKind.WITHIN)
    trials = found.trials[WITHIN]
    scores = np.where(trials.is_target, 1.5, -0.5) + np.arange(len(trials.pairs)) / 1e3
    write_scores(copy, perfect, trials, scores, part=WITHIN)
    of_originals = [e for e in project_of_folder(copy).project.entries if e.name == "unprotected"]

    assert [(e.back_end, e.assessment.eer) for e in of_originals] == [
        ("cosine, whitened within speakers", 0.0),
        ("cosine", next(one.eer for one in found.attacked if not one.attack.safeguard)),
    ]


def test_what_is_written_has_matrices_of_the_same_scores(scored):
    found, out = scored
    [voices] = (one.similarity for one in project_of_folder(out).project.similarities)
    cosines = {one.attack.condition: one.scores for one in found.attacked}

    assert {setting: matrix.n_target + matrix.n_nontarget for setting, matrix in voices.matrices.items()} == {
        "oo": len(cosines["oo"]), "op": len(cosines["oa"]), "pp": len(cosines["aa"]),
    }  # fmt: skip
    assert voices.de_id == pytest.approx(1 - voices.d_diag("op") / voices.d_diag("oo"), abs=1e-12)


def test_the_record_goes_back_to_every_file_and_holds_no_embedding(scored):
    found, out = scored
    content = (out / "recordings.json").read_bytes()
    record = record_of(content, "recordings.json")
    first = record.values["recordings"][0]
    path = found.compared.pairing.originals[first["id"]].path

    assert record.values["recogniser"] == {
        "name": "CAM++ (3D-Speaker)",
        "licence": "Apache-2.0",
        "sha256": shipped().sha256,
        "eer": min(one.eer for one in found.attacked if not one.attack.safeguard),
    }
    assert first["original"]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (first["original"]["bytes"], first["original"]["channels"]) == (path.stat().st_size, 1)
    assert len(list(record.sounds)) == 18
    assert record.values["left_out"] == {
        "same_name": 0,
        "without_copy": 1,
        "unknown_speaker": 0,
        "not_heard": 1,
        "equal": 1,
        "speakers": 0,
    }
    assert record.values["speakers_by"] == {"rule": "first-folder", "file": None, "sha256": None}
    assert b"embedding" not in content
    assert "embedding" not in repr(found.compared)


def test_the_record_says_how_like_each_copy_is_to_its_original(scored):
    """By which it is told again what was never changed."""
    values = json.loads((scored[1] / "recordings.json").read_text())
    alike = {row["id"]: row["protected"]["B2"]["likeness"] for row in values["recordings"]}
    [same] = [
        row["id"]
        for row in values["recordings"]
        if row["original"]["sha256"] == row["protected"]["B2"]["sha256"]
    ]

    assert alike.pop(same) == 1.0
    assert all(0.0 < one < values["likeness_of_one_person"][1] for one in alike.values())
    assert all("likeness" not in row["original"] for row in values["recordings"])


def test_the_record_names_every_file_that_was_left_out_and_says_why(scored):
    found, out = scored
    values = record_of((out / "recordings.json").read_bytes(), "").values

    [equal] = [one["file"] for one in values["left_out_files"] if one["why"] == "equal"]
    assert equal in {"3331/copy.flac", f"3331/{SPEECH.name}"}
    assert [tuple(one.values()) for one in values["left_out_files"]] == [
        ("", "367/letter.wav", "not-sound"),
        ("", "367/call.m4a", "unread"),
        ("B2", "367/letter.wav", "not-sound"),
        ("B2", "367/call.m4a", "unread"),
        ("", "367/silent.wav", "sound-silent"),
        ("B2", "367/silent.wav", "sound-silent"),
        ("", equal, "equal"),
    ]
    assert all(len(names) < 2 for names in values["pairs_by"]["B2"].values() if isinstance(names, list))
    text = found.compared.pairing.protected["B2"][values["recordings"][0]["id"]].path.parents[1] / "text"
    assert values["words_by"] == {"B2": {"sha256": hash_of(text), "recordings": 1}}


def test_a_record_says_how_loud_recordings_are_and_which_say_the_same(tmp_path):
    request = material(tmp_path)
    names = sorted(path.stem for path in (tmp_path / "original" / "2414").iterdir())
    (tmp_path / "original" / "text").write_text(f"{names[0]} Yes, we can!\n{names[1]} yes we can\n")
    score(request, tmp_path / "out")
    rows = json.loads((tmp_path / "out" / "recordings.json").read_text())["recordings"]
    said = {row["id"]: row["text"] for row in rows if "text" in row}
    assert list(said.values()) == [0, 0]
    sounds = [file for row in rows for file in (row["original"], *row["protected"].values())]
    assert all(-60.0 < file["level_dbfs"] < 0.0 for file in sounds)


def test_closed_folders_are_left_out_by_their_place_below_the_folder(tmp_path, monkeypatch):
    """A system that fails while it lists a folder does not say which."""

    def with_closed(top, *others):
        return replace(look_into(top, *others), closed=(str(top / "367" / "locked"), "None"))

    monkeypatch.setattr(comparable, "look_into", with_closed)
    found = comparable.compare_recordings(material(tmp_path))

    closed = [(one.safeguard, one.place) for one in found.left_out_files if one.why == "closed"]
    assert closed == [("", "367/locked"), ("", "None"), ("B2", "367/locked"), ("B2", "None")]


def test_the_record_lists_everything_beside_it_with_its_hash(scored):
    found, out = scored
    beside = {path for path in out.rglob("*") if path.is_file()} - {out / "recordings.json"}
    listed = record_of((out / "recordings.json").read_bytes(), "").files

    assert {out / place: sha256 for place, sha256 in listed.items()} == {
        path: hashlib.sha256(path.read_bytes()).hexdigest() for path in beside
    }
    assert set(found.files) == {*beside, out / "recordings.json"}


def test_a_folder_that_is_in_use_is_not_written_to(scored, tmp_path):
    with pytest.raises(OutputError):
        score(material(tmp_path), scored[1])


def test_names_of_safeguards_that_would_be_misread_are_refused(tmp_path):
    request = Request(tmp_path, {"my trials": tmp_path}, SpeakerRule.FIRST_FOLDER)

    with pytest.raises(InputError, match="cannot be the name of a safeguard"):
        score(request, tmp_path / "out")


def test_folders_without_pairs_have_a_sentence(tmp_path):
    write(tmp_path / "original" / "a" / "1.wav", tone())
    write(tmp_path / "B2" / "a" / "2.wav", tone())
    request = Request(tmp_path / "original", {"B2": tmp_path / "B2"}, SpeakerRule.FIRST_FOLDER)

    with pytest.raises(InputError, match="the only recording in original lacks a protected copy"):
        score(request, tmp_path / "out")


@pytest.mark.parametrize("empty", ["original", "B2"])
def test_a_folder_without_recordings_is_named(tmp_path, empty):
    for folder in ("original", "B2"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "notes.txt").write_text("no sound", encoding="utf-8")
    for name in {"original", "B2"} - {empty}:
        write(tmp_path / name / "a" / "1.wav", tone())
    request = Request(tmp_path / "original", {"B2": tmp_path / "B2"}, SpeakerRule.FIRST_FOLDER)

    with pytest.raises(InputError, match=f"There are no recordings in {empty}. Give a folder that contains"):
        score(request, tmp_path / "out")


@pytest.mark.parametrize(
    ("names", "changes", "sentence"),
    [
        (["a/1", "a/2", "b/1"], {"every_pair": True}, "There would be 6 trials, more than the 5 that can be"),
        (["a/1", "a/2", "a/3", "b/1"], {}, "With 1 for an enrolment, only one speaker has recordings left"),
        (["a/1", "b/1"], {"every_pair": True}, "No speaker has two recordings that can be compared"),
        (["a/1", "a/2"], {"every_pair": True}, "Recordings of only one speaker can be compared"),
        (["a/1", "a/2", "b/1", "b/2"], {"sex": "missing"}, "missing"),
        (["a/1", "a/2", "b/1", "b/2"], {"transcripts": "missing"}, "missing"),
    ],
)
def test_what_cannot_be_done_is_told_before_anything_is_heard(
    tmp_path, monkeypatch, names, changes, sentence
):
    for name in names:
        for folder in ("original", "B2"):
            write(tmp_path / folder / f"{name}.wav", tone(0.1))
    monkeypatch.setattr("zebra_core.recordings.comparable.hear", None)
    monkeypatch.setattr("zebra_core.recordings.trial_list.MOST_TRIALS", 5)
    paths = {name: tmp_path / value for name, value in changes.items() if name != "every_pair"}
    request = Request(tmp_path / "original", {"B2": tmp_path / "B2"}, SpeakerRule.FIRST_FOLDER)

    with pytest.raises(InputError, match=sentence):
        score(replace(request, **{**changes, **paths}), tmp_path / "out")


def test_where_too_few_can_be_heard_the_first_says_why(tmp_path):
    for name, size in (("a/1", 0.5), ("a/2", 0.4), ("b/1", 0.0), ("b/2", 0.0)):
        write(tmp_path / "original" / f"{name}.wav", tone(0.5, size=size))

    with pytest.raises(InputError) as told:
        score(Request(tmp_path / "original", {}, SpeakerRule.FIRST_FOLDER), tmp_path / "out")
    assert str(told.value).startswith("Recordings of only one speaker can be compared")
    assert str(told.value).endswith(
        "2 recordings were left out because they cannot be heard. The first: original/b/1.wav contains no "
        "speech. Leave it out, or record again."
    )


def test_of_many_that_cannot_be_heard_the_first_say_why_and_the_next_are_named(tmp_path):
    for name in ("a/1", "a/2", "b/1", "b/2"):
        write(tmp_path / "original" / f"{name}.wav", tone(1.5, size=0.4 + int(name[-1]) / 10))
    write(tmp_path / "original" / "b" / "2.wav", tone(1.6))
    write(tmp_path / "original" / "a" / "2.wav", tone(1.7))
    for number in range(10, 24):
        write(tmp_path / "original" / "c" / f"{number}.wav", tone(0.5, size=0.0))
    request = Request(tmp_path / "original", {}, SpeakerRule.FIRST_FOLDER, every_pair=True)
    told = score(replace(request, attacker=AttackerChoice.COSINE), tmp_path / "out").sentences

    assert sum("contains no speech" in one for one in told) == 8
    assert (
        "6 more recordings cannot be heard: original/c/18.wav, original/c/19.wav, original/c/20.wav, "
        "original/c/21.wav and 2 more."
    ) in told


def test_how_much_there_is_to_do_is_told_before_it_is_done(tmp_path, monkeypatch):
    class Heard(Exception):  # noqa: N818 - no more is wanted
        pass

    def refuse(*_given):
        raise Heard

    told = []
    monkeypatch.setattr("zebra_core.recordings.comparable.hear", refuse)
    with pytest.raises(Heard):
        score(material(tmp_path), tmp_path / "out", on_begin=told.append)
    assert [(one.recordings, one.trials) for one in told] == [(22, 110)]


def test_what_is_wrong_with_copies_is_told_before_anything_is_scored(tmp_path):
    for n, name in enumerate(("a/1", "a/2", "b/1", "b/2")):
        write(tmp_path / f"original/{name}.wav", speech()[: (3 + n) * 16_000])
        write(tmp_path / f"slow/{name}.wav", speech()[: (3 + n) * 16_000], 8_000)
    folders = tmp_path / "original", {"slow": tmp_path / "slow"}
    asked = Request(*folders, SpeakerRule.FIRST_FOLDER, every_pair=True, attacker=AttackerChoice.COSINE)
    told = []

    def on_heard(sentences):
        assert not (tmp_path / "out").exists()
        told.extend(sentences)

    score(asked, tmp_path / "out", on_heard=on_heard)
    assert any(one.startswith("The copies under slow last 2.00 times as long as their") for one in told)


def test_what_was_heard_is_not_heard_again(tmp_path, monkeypatch):
    write(tmp_path / "a.wav", tone(1.0))
    recordings, store = look_into(tmp_path).recordings, FolderStore(tmp_path / "kept")
    first, _ = hear(recordings, shipped(), store)
    monkeypatch.setattr("zebra_core.recordings.embedding.read_sound", None)
    again, faults = hear(recordings, shipped(), FolderStore(tmp_path / "kept"))

    assert faults == {}
    assert again[tmp_path / "a.wav"].embedding == pytest.approx(first[tmp_path / "a.wav"].embedding, abs=0)
    assert again[tmp_path / "a.wav"].loudness == first[tmp_path / "a.wav"].loudness


def test_faults_are_told_in_the_order_of_the_recordings_whichever_ends_first(tmp_path, monkeypatch):
    for name in ("a", "b", "c"):
        write(tmp_path / f"{name}.wav", tone(1.0))
    others = Barrier(2)

    def fails(recording, *_rest):
        if recording.path.stem != "c":
            others.wait(20.0)  # neither a nor b ends before both have begun
        if recording.path.stem == "a":
            ended.wait(20.0)
        if recording.path.stem == "b":
            ended.set()
        raise InputError("sound-silent", file=recording.path.name)

    ended = Event()
    monkeypatch.setattr("zebra_core.runtime.parallel._processors", lambda: 2)
    monkeypatch.setattr("zebra_core.recordings.embedding._heard", fails)
    _, faults = hear(look_into(tmp_path).recordings, shipped(), MemoryStore())
    assert [path.stem for path in faults] == ["a", "b", "c"]


def test_what_was_kept_and_damaged_is_heard_again(tmp_path):
    write(tmp_path / "a.wav", tone(1.0))
    recordings, store = look_into(tmp_path).recordings, FolderStore(tmp_path / "kept")
    hear(recordings, shipped(), store)
    kept = next((tmp_path / "kept").iterdir())
    kept.write_text('{"embedding": [1, 2]}')

    assert hear(recordings, shipped(), store)[1] == {}
    assert len(json.loads(kept.read_text())["embedding"]) == 192
    assert os.name == "nt" or kept.stat().st_mode & 0o077 == 0


def test_what_was_kept_is_forgotten_and_nothing_else(tmp_path):
    write(tmp_path / "a.wav", tone(1.0))
    kept = tmp_path / "kept"
    hear(look_into(tmp_path).recordings, shipped(), FolderStore(kept))
    (kept / "mine.json").write_text("{}")
    (kept / ".zebra-0123456789abcdef.tmp").write_text("[0.1, 0.2")  # of a run that was killed

    assert forget_kept(kept) == (1, 1)
    assert [path.name for path in kept.iterdir()] == ["mine.json"]
    with pytest.raises(InputError, match="holds no embeddings that ZEBRA kept"):
        forget_kept(kept)


@pytest.mark.parametrize(
    ("speaker", "sentence"),
    [
        ("367", r"“367” is in the recordings that back ends learn from and also in those that are compared"),
        (
            "other",
            r"367/.*flac is to be compared, but back ends would also learn from it: other/.*flac is the",
        ),
    ],
)
def test_nobody_is_compared_from_whom_back_ends_learn(tmp_path, speaker, sentence):
    source = min((ORIGINAL / "367").iterdir())
    for folder, name in (("original", "367"), ("training", speaker)):
        (tmp_path / folder / name).mkdir(parents=True)
        shutil.copy(source, tmp_path / folder / name)
    for name in ("367/b", "other-one/a", "other-one/b"):
        write(tmp_path / "original" / f"{name}.wav", tone(0.5, size=0.1 * len(name)))
    lesson = BackgroundSpeech(tmp_path / "training", {}, SpeakerRule.FIRST_FOLDER)
    request = Request(tmp_path / "original", {}, SpeakerRule.FIRST_FOLDER, training=lesson)

    with pytest.raises(InputError, match=sentence):
        score(request, tmp_path / "out")


def test_speech_to_learn_from_is_of_a_safeguard_that_is_compared(tmp_path):
    lesson = BackgroundSpeech(tmp_path, {"B5": tmp_path}, SpeakerRule.FIRST_FOLDER)
    request = Request(tmp_path, {}, SpeakerRule.FIRST_FOLDER, training=lesson)

    with pytest.raises(
        InputError, match="learn from speech protected by B5, but there is no such speech to compare"
    ):
        score(request, tmp_path / "out")


def test_stopping_keeps_what_was_heard(tmp_path):
    for n in range(4):
        write(tmp_path / f"{n}.wav", tone(0.5, hertz=200.0 + n))
    store = MemoryStore()

    def stop(share):
        if share > 0.0:
            raise Cancelled

    with pytest.raises(Cancelled):
        hear(look_into(tmp_path).recordings, shipped(), store, on_progress=stop)
    assert store._kept


def test_a_recording_that_changes_while_it_is_read_is_kept_as_what_was_heard(tmp_path, monkeypatch):
    """And never under the hash of what it was before."""
    path = write(tmp_path / "one.wav", speech_of("3331"))
    before, store = hash_of(path), MemoryStore()

    def changed(given):
        found = hash_of(given)
        write(path, speech_of("2414"))
        return found

    monkeypatch.setattr("zebra_core.recordings.embedding.hash_of", changed)
    recogniser = shipped()
    heard, _ = hear(look_into(tmp_path).recordings, recogniser, store)
    monkeypatch.undo()

    assert heard[path].sha256 == hash_of(path) != before
    assert store.get(f"{before}-0-{recogniser.key}") is None
    assert store.get(f"{hash_of(path)}-0-{recogniser.key}") is heard[path]


def speech_of(speaker):
    return read_sound(min((ORIGINAL / speaker).iterdir())).samples
