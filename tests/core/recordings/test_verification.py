"""Verifying a report goes back to the recordings of its scores, where they are there."""

import shutil
from types import SimpleNamespace

import pytest

from tests.core.recordings.samples import tone, write
from tests.core.recordings_records import hashed, heard_of, write_scored, write_sounds
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import open_file
from zebra_core.intake.recordings_file import ScoringRecord, record_of
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.recordings import verification
from zebra_core.recordings.request import Request
from zebra_core.recordings.scoring import score
from zebra_core.recordings.verification import RecomputedEmbeddings, recogniser_of
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.verification import VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.version import versions

SCORES = ("scores made again",)


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    """Scores with their record, evidence of them, and the recordings."""
    from datetime import date

    top = tmp_path_factory.mktemp("case")
    project = project_of_folder(write_scored(top / "out")).project
    (top / "evidence.json").write_bytes(as_bytes(evidence(gather(project), date(2026, 1, 2), versions())))
    write_sounds(top / "speech")
    return top


@pytest.fixture
def ears(monkeypatch):
    """The recogniser of the record, which hears what was heard then, and perhaps some noise."""

    def listen(noise=0.0):
        monkeypatch.setattr(verification, "hear", heard_of(noise))
        monkeypatch.setattr(
            verification, "recogniser_of", lambda *_: SimpleNamespace(sha256=hashed("network"))
        )

    return listen


def verified(case, *recordings, data="out"):
    return verify(case / "evidence.json", [case / data], recordings=[case / one for one in recordings])


def lines(found, *what):
    return [(one.status, one.recorded, one.found) for one in found.checked if one.what in what]


def test_without_recordings_the_chain_ends_at_the_scores_and_says_so(case):
    found = verified(case)

    assert found.is_verified
    assert not found.reaches_recordings
    assert " ".join(found.chain) == (
        "The chain of evidence was verified as far as the scores only: none of the 96 recordings that "
        "recordings.json lists are here. Give their folder as well to verify the chain to the recordings."
    )
    assert lines(found, "record in the evidence") == [(VerificationStatus.VERIFIED, "", "")]


def test_with_recordings_the_scores_are_made_again(case, ears):
    ears()
    found = verified(case, "speech")

    assert found.is_verified
    assert found.reaches_recordings
    assert lines(found, "recordings, SHA-256") == [
        (VerificationStatus.VERIFIED, "96 recordings", "96 recordings")
    ]
    assert [(status, told) for status, told, _ in lines(found, *SCORES)] == [
        (VerificationStatus.VERIFIED, "432 scores"),
        (VerificationStatus.VERIFIED, "432 scores"),
    ]
    assert "verified to the recordings: all 96" in found.chain[0]


def test_scores_that_differ_by_more_than_machines_do_are_told(case, ears):
    ears(noise=0.01)
    found = verified(case, "speech")

    assert not found.is_verified
    assert {status for status, _, _ in lines(found, *SCORES)} == {VerificationStatus.DIFFERS}
    assert lines(found, *SCORES)[0][2].endswith("; up to 0.0001 is allowed between machines")


def test_recordings_that_are_missing_or_changed_are_named(case, tmp_path, ears):
    ears()
    shutil.copytree(case / "speech", tmp_path / "speech")
    (tmp_path / "speech" / "B2" / "s03-1.flac").write_text("B2/s03-9")
    (tmp_path / "speech" / "original" / "s05-2.flac").unlink()
    found = verify(case / "evidence.json", [case / "out"], recordings=[tmp_path / "speech"])

    told = [(one.about, one.status) for one in found.checked if one.status is not VerificationStatus.VERIFIED]
    assert sorted(told, key=str) == [
        ("B2/s03-1.flac", VerificationStatus.FILE_CHANGED),
        ("original/s05-2.flac", VerificationStatus.FILE_MISSING),
    ]
    assert "94 of the 96 recordings that recordings.json lists are here" in found.chain[0]


def test_a_recording_that_has_changed_is_named_though_its_bytes_lie_elsewhere(case, tmp_path, ears):
    ears()
    shutil.copytree(case / "speech", tmp_path / "speech")
    (tmp_path / "speech" / "copy" / "B2").mkdir(parents=True)
    place = (tmp_path / "speech/B2/s03-1.flac").rename(tmp_path / "speech/copy/B2/s03-1.flac")
    (tmp_path / "speech" / "B2" / "s03-1.flac").write_text("B2/s03-9")
    found = verify(case / "evidence.json", [case / "out"], recordings=[tmp_path / "speech"])

    (told,) = [one for one in found.checked if one.status is not VerificationStatus.VERIFIED]
    assert (told.about, told.status) == ("B2/s03-1.flac", VerificationStatus.FILE_REPLACED)
    assert f"the bytes of the report were found in {place}." in told.found
    assert found.reaches_recordings


def test_a_folder_without_any_of_them_names_the_first_and_counts_the_rest(case, tmp_path):
    found = verify(case / "evidence.json", [case / "out"], recordings=[tmp_path])
    missing = [one for one in found.checked if one.status is VerificationStatus.FILE_MISSING]

    assert len(missing) == 21
    assert missing[-1].recorded == "76 recordings"


def test_without_the_libraries_it_is_told_that_nothing_could_be_made_again(case, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    found = verified(case, "speech")

    assert {status for status, _, _ in lines(found, *SCORES)} == {VerificationStatus.NOT_POSSIBLE}
    assert "pip install zebra-privacy[recordings]" in lines(found, *SCORES)[0][2]
    assert not found.is_verified


def test_evidence_whose_record_was_changed_is_told(case, tmp_path):
    content = (case / "evidence.json").read_bytes()
    changed = content.replace(hashed("original/s00-0").encode(), hashed("other").encode())
    (tmp_path / "evidence.json").write_bytes(changed)
    found = verify(tmp_path / "evidence.json", [case / "out"])

    assert lines(found, "record in the evidence") == [(VerificationStatus.DIFFERS, "", "")]


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """Four tones each of two "speakers", of which one is lower than the other."""
    top = tmp_path_factory.mktemp("again")
    for who, hertz in (("a", 200.0), ("b", 600.0)):
        for n in range(4):
            write(top / "original" / who / f"{who}{n}.wav", tone(0.3, hertz=hertz + 20 * n))
    score(Request(top / "original", {}, SpeakerRule.FIRST_FOLDER, enrol=2), top / "out")
    return top


@pytest.fixture(scope="module")
def stage(scored):
    return made_again(scored)


def record(scored):
    return record_of((scored / "out" / "recordings.json").read_bytes(), "recordings.json")


def made_again(scored):
    found = record(scored)
    paths = {row["original"]["sha256"]: scored / "original" / row["original"]["file"] for row in found.rows}
    return RecomputedEmbeddings.of(found, paths, recogniser_of(found))


def test_the_scores_are_the_same_to_the_last_bit_on_one_machine(scored, stage):
    (attack,) = stage.record.values["attacks"]
    table = recognise(open_file(scored / "out" / attack["scores"])).read()

    assert len(table.score) == 8
    assert stage.scores(attack, *table.sides).tolist() == table.score.tolist()


def test_similarity_lists_are_the_same_too_and_compare_recordings_whatever_the_trials_are(scored, stage):
    place = "matrices/recordings/scores_oo.txt"
    made = stage.list_of(stage.record.files[place])
    table = recognise(open_file(scored / "out" / place)).read()

    assert (made["scores"], made["condition"], made["safeguard"]) == (place, "oo", "")
    assert len(table.score) == 6  # pairs of the four recordings of the tests
    again = stage.scores(made, *table.sides, each_alone=True)
    assert again.tolist() == table.score.tolist()


def test_scores_of_trials_are_no_similarity_list(stage):
    (attack,) = stage.record.values["attacks"]

    assert stage.list_of(stage.record.files[attack["scores"]]) is None


def test_trials_of_others_are_refused(scored, stage):
    (attack,) = stage.record.values["attacks"]
    enrol, _test = recognise(open_file(scored / "out" / attack["scores"])).read().sides

    with pytest.raises(InputError, match="The scores name “a”, but their record does not list"):
        stage.scores(attack, enrol, enrol)


def test_the_folds_of_coded_names_are_not_known(scored, stage):
    (attack,) = stage.record.values["attacks"]
    table = recognise(open_file(scored / "out" / attack["scores"])).read()
    coded = ScoringRecord({**stage.record.values, "is_coded": True}, "")
    under_codes = RecomputedEmbeddings(coded, stage.embeddings, stage.rows)

    assert under_codes.scores(attack, *table.sides).tolist() == table.score.tolist()
    with pytest.raises(InputError, match="codes have replaced the names"):
        under_codes.scores({**attack, "back_end": "within"}, *table.sides)


def test_another_recogniser_is_asked_for(scored):
    found = record(scored)
    other = {**found.values["recogniser"], "name": "Ears", "sha256": "0" * 64}

    with pytest.raises(InputError, match="made by another recogniser, Ears"):
        recogniser_of(ScoringRecord({**found.values, "recogniser": other}, ""))
