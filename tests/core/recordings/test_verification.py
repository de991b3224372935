"""Verifying a report goes back to the recordings of its scores, where they are there."""

import shutil
from types import SimpleNamespace

import pytest

from tests.core.recordings_records import hashed, heard_of, write_scored, write_sounds
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.recordings import rescoring
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
        monkeypatch.setattr(rescoring, "hear", heard_of(noise))
        monkeypatch.setattr(rescoring, "recogniser_of", lambda *_: SimpleNamespace(sha256=hashed("network")))

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
    changed = (case / "evidence.json").read_text().replace(hashed("original/s00-0"), hashed("other"))
    (tmp_path / "evidence.json").write_text(changed)
    found = verify(tmp_path / "evidence.json", [case / "out"])

    assert lines(found, "record in the evidence") == [(VerificationStatus.DIFFERS, "", "")]
