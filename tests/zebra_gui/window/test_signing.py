"""Signing from the window: a copy is written by a job, and what is wrong is told in the dialog."""

import datetime as dt
from dataclasses import replace

import pytest

from tests.core.samples import demo as demo_project
from tests.core.samples import demo_material
from zebra_core.project.report_settings import ReportSettings, Section
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
    dialog.close()
    assert dialog.passphrase.text() == ""
    assert "geheim" not in caplog.text


def test_the_version_that_is_signed_is_recorded_in_its_project_and_can_be_undone(
    window, settled, dialog, project
):
    window.session.restart(project)
    dialog.choose.click()
    dialog.passphrase.setText("geheim")
    dialog.sign.click()
    settled(window.jobs)
    (version,) = window.session.project.review.signed
    assert (version.version, version.comments) == (1, 0)
    dialog.sign.click()  # once more: it is the same version
    settled(window.jobs)
    assert len(window.session.project.review.signed) == 1
    window.session.undo_stack.undo()
    assert not window.session.project.review
    window.session.restart(None)


def test_a_signed_report_of_another_project_is_not_recorded_and_nothing_is_said(
    window, settled, dialog, project
):
    window.session.restart(replace(project, items=demo_project().entries[1:2]))
    dialog.choose.click()
    dialog.passphrase.setText("geheim")
    dialog.sign.click()
    settled(window.jobs)
    assert not window.session.project.review
    assert window.session.problems == ()
    window.session.restart(None)


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
