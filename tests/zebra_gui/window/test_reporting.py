"""Verifying a report from the window: a job, and a table of every check beside the window."""

import datetime as dt
import gzip
import shutil
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QApplication, QLabel

import zebra_resources
from tests.core.recordings_records import hashed, heard_of, write_scored, write_sounds
from tests.core.samples import CONTEXT, demo as demo_project, demo_material, pdf_text
from zebra_core.evidence.audit import Answers
from zebra_core.intake.opening import packing
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.folder import project_of_folder
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.recordings import verification
from zebra_core.report.attachment import read_evidence
from zebra_core.report.certificates import make_trial, read_key
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.export import save_report
from zebra_core.report.signatures import signatures_of
from zebra_core.report.signing import sign_report
from zebra_core.version import versions
from zebra_gui.dialogs.verification import ChecksModel

DATE = dt.date(2026, 11, 20)


@pytest.fixture(scope="module")
def made_report(demo, tmp_path_factory):
    return save_report(gather(demo), tmp_path_factory.mktemp("made") / "report.pdf", date=DATE).read_bytes()


@pytest.fixture(scope="module")
def short_report(demo, tmp_path_factory):
    """The report of B2 alone, where it is no matter how many lines there are."""
    path = tmp_path_factory.mktemp("short") / "report.pdf"
    return save_report(gather(replace(demo, items=demo.items[2:3])), path, date=DATE)


@pytest.fixture
def report(made_report, tmp_path):
    """A copy of the one report of the demo."""
    (tmp_path / "report.pdf").write_bytes(made_report)
    return tmp_path / "report.pdf"


def verified(window, settled, report, answers):
    answers["report to verify"] = report
    window.file_menu.verify_action.trigger()
    settled(window.jobs)
    return window.dialogs._verification


def test_a_good_report_is_verified_with_the_files_of_the_project(demo_window, settled, report, answers):
    dialog = verified(demo_window, settled, report, answers)
    assert dialog.isVisible()
    assert not dialog.isModal()
    assert dialog.outcome.text().startswith(f"All {dialog.checks.rowCount()} figures, files and pages")
    assert dialog.checks.rowCount() > 450
    assert dialog.table.model().index(0, 0).data() == "✓  verified"
    assert not dialog.other_folder.isEnabled()
    assert dialog.recordings.isHidden()
    assert dialog.recogniser.isHidden()


def test_lines_come_as_they_are_checked_and_the_outcome_is_saved_as_a_page(
    demo_window, settled, short_report, answers, tmp_path
):
    answers["report to verify"] = short_report
    demo_window.file_menu.verify_action.trigger()
    dialog = demo_window.dialogs._verification
    assert dialog.isVisible()
    assert dialog.outcome.text() == "Computing everything again…"
    assert not dialog.save.isEnabled()
    counts = []
    dialog.model.rowsInserted.connect(lambda *_: counts.append(dialog.model.rowCount()))
    settled(demo_window.jobs)
    assert counts[0] < counts[-1] == dialog.model.rowCount()
    assert not dialog.progress.isVisible()

    answers["outcome"] = lambda name: tmp_path / name
    dialog.save.click()
    settled(demo_window.jobs)
    assert dialog.remark.text() == f"Saved report-verified.pdf in {tmp_path}"
    text = pdf_text(tmp_path / "report-verified.pdf")
    assert "Verification of report.pdf" in text
    assert f"{dialog.model.rowCount()} figures, files and pages" in " ".join(text.split())

    answers["outcome"] = lambda name: tmp_path / "none" / name
    dialog.save.click()
    settled(demo_window.jobs)
    assert "there is no folder" in dialog.remark.text()


def test_verifying_that_is_stopped_says_that_the_rest_was_not_checked(demo_window, settled, report, answers):
    answers["report to verify"] = report
    demo_window.file_menu.verify_action.trigger()
    dialog = demo_window.dialogs._verification
    demo_window.cancelling.action.trigger()
    settled(demo_window.jobs)
    assert dialog.outcome.text() == "Stopped. What stands here was checked; the rest was not."
    assert not dialog.save.isEnabled()


def test_closing_the_lines_stops_verifying(demo_window, settled, report, answers):
    answers["report to verify"] = report
    demo_window.file_menu.verify_action.trigger()
    (job,) = demo_window.jobs.waiting
    demo_window.dialogs._verification.close()
    assert job.is_cancelled
    settled(demo_window.jobs)


def test_files_are_looked_for_in_another_folder(window, settled, short_report, answers, tmp_path):
    dialog = verified(window, settled, short_report, answers)
    assert "without their file" in dialog.outcome.text()
    assert dialog.only_others.isChecked()
    assert dialog.table.model().index(0, 0).data() == "?  file missing"
    data = tmp_path / "data"
    shutil.copytree(zebra_resources.path("demo"), data)
    answers["files of the report"] = data
    dialog.other_folder.click()
    settled(window.jobs)
    assert window.dialogs._verification is not dialog
    assert window.dialogs._verification.outcome.text().startswith("All ")


def test_scores_are_made_again_from_recordings_and_by_a_recogniser_that_the_user_names(
    window, settled, monkeypatch, tmp_path, answers
):
    project = project_of_folder(write_scored(tmp_path / "out")).project
    evidence_file = tmp_path / "out" / "evidence.json"
    evidence_file.write_bytes(as_bytes(evidence(gather(project), DATE, versions())))
    network = tmp_path / "ears.onnx"
    heard_by = []
    monkeypatch.setattr(verification, "hear", heard_of())
    monkeypatch.setattr(
        verification,
        "recogniser_of",
        lambda _record, model: heard_by.append(model) or SimpleNamespace(sha256=hashed("network")),
    )
    dialog = verified(window, settled, evidence_file, answers)
    assert "none of the 96 recordings" in dialog.signatures.text()
    assert dialog.recordings.isVisible()
    assert dialog.recogniser.isVisible()

    answers["recogniser"] = network
    dialog.recogniser.click()
    settled(window.jobs)
    assert heard_by == []
    dialog = window.dialogs._verification
    recordings = write_sounds(tmp_path / "speech")
    answers["recordings"] = recordings
    dialog.recordings.click()
    settled(window.jobs)
    dialog = window.dialogs._verification
    assert heard_by == [network]
    assert "verified to the recordings: all 96" in dialog.signatures.text()
    assert not dialog.recordings.isVisible()
    assert not dialog.recogniser.isVisible()


@pytest.fixture(scope="module")
def made_packed_report(scores, key, tmp_path_factory):
    """The report of two assessments whose scores count as a bomb, beside its files."""
    files = tmp_path_factory.mktemp("packed") / "files"
    files.mkdir()
    shutil.copy(key, files / "key")
    for name in ("B1w", "B2"):
        (files / f"{name}.gz").write_bytes(gzip.compress(scores[name].read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        count_as_bombs(patch)
        entries = arrive([files], Answers({"unpacking": "yes"})).entries
        return save_report(gather(Project(items=entries)), files / "report.pdf", date=DATE)


def count_as_bombs(patch):
    patch.setattr(packing, "HARMLESS_BYTES", 1000)
    patch.setattr(packing, "MOST_RATIO", 2)


@pytest.fixture
def packed_report(made_packed_report, tmp_path, monkeypatch):
    """A copy of it and of its files."""
    count_as_bombs(monkeypatch)
    files = shutil.copytree(made_packed_report.parent, tmp_path / "files")
    return files / "report.pdf"


def test_what_was_left_packed_is_named_and_unpacked_on_request(window, settled, packed_report, answers):
    dialog = verified(window, settled, packed_report, answers)
    assert not dialog.isModal()
    rows = dialog.table.model()
    states = [rows.index(row, 0).data() for row in range(rows.rowCount())]
    left = states.count("–  cannot be computed again")
    assert left > 200
    assert f"{left} cannot be computed again, 2 not compared" in dialog.outcome.text()
    told = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Left packed: B1w.gz, B2.gz" in told
    assert (
        "Score files do not compress this well. Files made to fill a computer’s memory do. Unpacking stops "
        "at 4 GiB in any case."
    ) in told
    assert dialog.unpack.text() == "&Unpack and check again"
    assert "B1w.gz, B2.gz" in dialog.unpack.accessibleDescription()
    assert dialog.focusWidget() is dialog.table
    assert not dialog.unpack.autoDefault()
    dialog.unpack.click()
    settled(window.jobs)
    again = window.dialogs._verification
    assert again is not dialog
    assert again.outcome.text().startswith("All ")
    assert not hasattr(again, "unpack")
    assert QApplication.activeModalWidget() is None


def test_what_was_allowed_still_is_where_files_are_looked_for_elsewhere(
    window, settled, packed_report, answers, tmp_path
):
    away = tmp_path / "away"
    away.mkdir()
    (packed_report.parent / "B1w.gz").rename(away / "B1w.gz")
    dialog = verified(window, settled, packed_report, answers)
    assert "Left packed: B2.gz" in [label.text() for label in dialog.findChildren(QLabel)]
    dialog.unpack.click()
    settled(window.jobs)
    dialog = window.dialogs._verification
    assert "without their file" in dialog.outcome.text()
    answers["files of the report"] = away
    dialog.other_folder.click()
    settled(window.jobs)
    assert window.dialogs._verification.outcome.text().startswith("All ")


def test_what_one_report_was_allowed_the_next_is_asked_again(window, settled, packed_report, answers):
    verified(window, settled, packed_report, answers).unpack.click()
    settled(window.jobs)
    assert verified(window, settled, packed_report, answers).unpack.isVisible()


def test_what_is_no_report_is_said_in_a_sentence(window, settled, answers, tmp_path):
    (tmp_path / "other.pdf").write_bytes(b"%PDF-1.4 nothing")
    assert verified(window, settled, tmp_path / "other.pdf", answers) is None
    assert "not a complete PDF" in window.session.problems[0]


def test_no_answer_verifies_nothing(window, answers):
    answers["report to verify"] = None
    window.file_menu.verify_action.trigger()
    assert window.jobs.waiting == ()


def test_the_model_keeps_its_contract(qtmodeltester, demo, report):
    from zebra_core.report.verify import verify

    model = ChecksModel(verify(report).checked)
    qtmodeltester.check(model)


def delivered(folder):
    """Two safeguards whose files have the same names, and keys of the same bytes; one lies in an archive."""
    demo = zebra_resources.path("demo")
    for name in ("B1w", "B2"):
        (folder / name).mkdir(parents=True)
        shutil.copy(next((demo / "exp" / name).rglob("scores")), folder / name / "scores")
        shutil.copy(next((demo / "data").rglob("*_f/trials")), folder / name / "trials")
    archive = shutil.make_archive(str(folder / "B2"), "zip", folder / "B2")
    shutil.rmtree(folder / "B2")
    return [folder / "B1w", archive]


def test_a_report_is_verified_with_the_scores_inside_the_project(window, settled, answers, tmp_path):
    for place in delivered(tmp_path / "in"):
        window.session.load([Path(place)])
        settled(window.jobs)
    assert [entry.name for entry in window.session.entries] == ["B1w", "B2.zip"]
    window.file_menu.document_actions.inside.trigger()
    answers["project"] = tmp_path / "case.zebra"
    window.documents.save()
    settled(window.jobs)
    (tmp_path / "out").mkdir()
    report = answers["report"] = tmp_path / "out/report.pdf"
    window.export_menu.export_actions[1].trigger()
    settled(window.jobs)

    shutil.rmtree(tmp_path / "in")
    dialog = verified(window, settled, report, answers)
    assert dialog.outcome.text().startswith(f"All {dialog.model.rowCount()} figures, files and pages")
    found = [dialog.model.text(row, 4) for row in dialog.model._rows if row.what == "SHA-256"]
    assert found[0].endswith("case.zebra › scores")

    window.documents.close()
    renamed = (tmp_path / "case.zebra").rename(tmp_path / "out/other.zebra")
    window.open_paths([renamed])
    settled(window.jobs)
    assert window.session.entries[0].is_as_read
    dialog = verified(window, settled, report, answers)
    assert dialog.outcome.text().startswith(f"All {dialog.model.rowCount()} figures, files and pages")

    again = answers["report"] = tmp_path / "out/again.pdf"
    window.export_menu.export_actions[1].trigger()
    settled(window.jobs)
    assert verified(window, settled, again, answers).outcome.text().startswith("All ")

    (tmp_path / "in/B1w").mkdir(parents=True)
    (tmp_path / "in/B1w/scores").write_text("a b 1\n")
    answers["files of the report"] = tmp_path / "in"
    window.dialogs._verification.other_folder.setEnabled(True)
    window.dialogs._verification.other_folder.click()
    settled(window.jobs)
    dialog = window.dialogs._verification
    assert "one file has changed, whose bytes were found elsewhere" in dialog.outcome.text()
    assert dialog.table.model().index(0, 0).data() == "✕  another file in its place"
    assert "other.zebra › scores" in dialog.table.model().index(0, 4).data()


@pytest.fixture(scope="module")
def project():
    brief = ReportSettings(left_out=frozenset(Section) - {Section.QUESTION})
    return replace(demo_project(), items=demo_project().entries[:1], report=brief)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, project):
    folder = tmp_path_factory.mktemp("signing")
    save_report(demo_material(project), folder / "report.pdf", date=dt.date(2026, 11, 20))
    make_trial("Ada", folder / "ada.p12", "geheim")
    return folder


@pytest.fixture
def dialog(shared_window, folder, answers):
    answers["report to sign"] = folder / "report.pdf"
    answers["key"] = folder / "ada.p12"
    answers["signed copy"] = lambda name: folder / name
    shared_window.export_menu.sign_action.trigger()
    yield shared_window.dialogs._signing
    shared_window.dialogs._signing.close()


def test_a_signed_copy_is_written_and_the_pass_phrase_forgotten(
    shared_window, settled, dialog, folder, caplog
):
    assert not dialog.sign.isEnabled()
    dialog.choose.click()
    dialog.passphrase.setText("geheim")
    dialog.reason.setText("Mine")
    dialog.sign.click()
    settled(shared_window.jobs)
    assert dialog.remark.text() == f"Saved report-signed.pdf in {folder}"
    (one,) = signatures_of((folder / "report-signed.pdf").read_bytes())
    assert (one.is_sound, one.reason, one.name) == (True, "Mine", "Ada, Self-made with ZEBRA for trials")
    assert one.record.startswith("Signed with ZEBRA ")
    assert "replaces" not in one.record
    dialog.close()
    assert dialog.passphrase.text() == ""
    assert "geheim" not in caplog.text


def test_a_draft_is_called_one_before_it_is_signed(shared_window, settled, dialog, folder, project):
    settled(shared_window.jobs)
    assert dialog.draft.isVisible()
    assert dialog.draft.text().startswith("This report is a draft, and says so on each page")
    stated = replace(project.report, author="A", requester="B", question="C", relevance="D", **CONTEXT)
    whole = replace(project, report=stated)
    save_report(demo_material(whole), folder / "whole.pdf", date=dt.date(2026, 11, 20))
    assert not read_evidence(folder / "whole.pdf").is_draft


def test_a_signature_records_the_signed_report_that_it_replaces(
    shared_window, settled, dialog, folder, answers
):
    before = sign_report(
        folder / "report.pdf", folder / "before.pdf", read_key(folder / "ada.p12", "geheim"), overwrite=True
    )
    answers["signed report"] = before
    dialog.choose_replaced.click()
    dialog.choose.click()
    dialog.passphrase.setText("geheim")
    dialog.sign.click()
    settled(shared_window.jobs)
    (one,) = signatures_of((folder / "report-signed.pdf").read_bytes())
    assert sha256(before.read_bytes()).hexdigest() in one.record


def test_verify_says_whether_a_certificate_that_the_user_names_vouches_for_it(
    shared_window, settled, folder, answers
):
    make_trial("Eve", folder / "eve.p12", "geheim", overwrite=True)
    key = read_key(folder / "ada.p12", "geheim")
    sign_report(folder / "report.pdf", folder / "trusted.pdf", key, overwrite=True)
    answers["report to verify"] = folder / "trusted.pdf"
    shared_window.file_menu.verify_action.trigger()
    settled(shared_window.jobs)
    told = {}
    for name in ("eve", "ada"):
        answers["certificate"] = folder / f"{name}.pem"
        shared_window.dialogs._verification.trust.click()
        settled(shared_window.jobs)
        told[name] = shared_window.dialogs._verification.signatures.text()
    assert told["eve"].endswith("No certificate that you named vouches for it.")
    assert "Trusted by the certificate that you named: Ada" in told["ada"]
    answers["certificate"] = folder / "ada.p12"
    shared_window.dialogs._verification.trust.click()
    assert "ada.p12" in shared_window.dialogs._verification.remark.text()
    shared_window.dialogs.close_verification()


def test_a_wrong_pass_phrase_is_told_in_the_dialog_which_stays(shared_window, settled, dialog):
    dialog.choose.click()
    dialog.passphrase.setText("Geheim")
    dialog.sign.click()
    settled(shared_window.jobs)
    assert dialog.remark.text() == "The pass phrase does not open ada.p12. Type it again."
    assert dialog.isVisible()
    assert dialog.sign.isEnabled()
