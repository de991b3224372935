"""Signing from the window: a copy is written by a job, and what is wrong is told in the dialog."""

import datetime as dt
from dataclasses import replace
from hashlib import sha256

import pytest

from tests.core.samples import CONTEXT, demo_material
from tests.core.samples import demo as demo_project
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.report.attachment import read_evidence
from zebra_core.report.certificates import make_trial, read_key
from zebra_core.report.export import save_report
from zebra_core.report.signatures import signatures_of
from zebra_core.report.signing import sign_report


@pytest.fixture
def window(shared_window):
    return shared_window


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
def dialog(window, folder, answers):
    answers["report to sign"] = folder / "report.pdf"
    answers["key"] = folder / "ada.p12"
    answers["signed copy"] = lambda name: folder / name
    window.export_menu.sign_action.trigger()
    yield window.dialogs._signing
    window.dialogs._signing.close()


def test_a_signed_copy_is_written_and_the_pass_phrase_forgotten(window, settled, dialog, folder, caplog):
    assert not dialog.sign.isEnabled()
    dialog.choose.click()
    dialog.passphrase.setText("geheim")
    dialog.reason.setText("Mine")
    dialog.sign.click()
    settled(window.jobs)
    assert dialog.remark.text() == f"Saved report-signed.pdf in {folder}"
    (one,) = signatures_of((folder / "report-signed.pdf").read_bytes())
    assert (one.is_sound, one.reason, one.name) == (True, "Mine", "Ada, Self-made with ZEBRA for trials")
    assert one.record.startswith("Signed with ZEBRA ")
    assert "replaces" not in one.record
    dialog.close()
    assert dialog.passphrase.text() == ""
    assert "geheim" not in caplog.text


def test_a_draft_is_called_one_before_it_is_signed(window, settled, dialog, folder, project):
    settled(window.jobs)
    assert dialog.draft.isVisible()
    assert dialog.draft.text().startswith("This report is a draft, and says so on each page")
    stated = replace(project.report, author="A", requester="B", question="C", relevance="D", **CONTEXT)
    whole = replace(project, report=stated)
    save_report(demo_material(whole), folder / "whole.pdf", date=dt.date(2026, 11, 20))
    assert not read_evidence(folder / "whole.pdf").is_draft


def test_a_signature_records_the_signed_report_that_it_replaces(window, settled, dialog, folder, answers):
    before = sign_report(
        folder / "report.pdf", folder / "before.pdf", read_key(folder / "ada.p12", "geheim"), overwrite=True
    )
    answers["signed report"] = before
    dialog.choose_replaced.click()
    dialog.choose.click()
    dialog.passphrase.setText("geheim")
    dialog.sign.click()
    settled(window.jobs)
    (one,) = signatures_of((folder / "report-signed.pdf").read_bytes())
    assert sha256(before.read_bytes()).hexdigest() in one.record


def test_verify_says_whether_a_certificate_that_the_user_names_vouches_for_it(
    window, settled, folder, answers
):
    make_trial("Eve", folder / "eve.p12", "geheim", overwrite=True)
    key = read_key(folder / "ada.p12", "geheim")
    sign_report(folder / "report.pdf", folder / "trusted.pdf", key, overwrite=True)
    answers["report to verify"] = folder / "trusted.pdf"
    window.file_menu.verify_action.trigger()
    settled(window.jobs)
    told = {}
    for name in ("eve", "ada"):
        answers["certificate"] = folder / f"{name}.pem"
        window.dialogs._verification.trust.click()
        settled(window.jobs)
        told[name] = window.dialogs._verification.signatures.text()
    assert told["eve"].endswith("No certificate that you named vouches for it.")
    assert "Trusted by the certificate that you named: Ada" in told["ada"]
    answers["certificate"] = folder / "ada.p12"
    window.dialogs._verification.trust.click()
    assert "ada.p12" in window.dialogs._verification.remark.text()
    window.dialogs.close_verification()


def test_a_wrong_pass_phrase_is_told_in_the_dialog_which_stays(window, settled, dialog):
    dialog.choose.click()
    dialog.passphrase.setText("Geheim")
    dialog.sign.click()
    settled(window.jobs)
    assert dialog.remark.text() == "The pass phrase does not open ada.p12. Type it again."
    assert dialog.isVisible()
    assert dialog.sign.isEnabled()
