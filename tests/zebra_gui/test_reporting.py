"""Verifying a report from the window: a job, and a table of every check beside the window."""

import datetime as dt
import shutil

import pytest

import resources
from core.report.export import save_report
from zebra_gui.dialogs.verification import ChecksModel

DATE = dt.date(2026, 11, 20)


@pytest.fixture
def report(demo, tmp_path):
    return save_report(demo, tmp_path / "report.pdf", date=DATE)


def verified(window, settled, report, monkeypatch):
    monkeypatch.setattr(window.dialogs, "ask_report", lambda: report)
    window.verify_action.trigger()
    settled(window.jobs)
    return window.dialogs._verification


def test_a_good_report_is_verified_with_the_files_of_the_project(demo_window, settled, report, monkeypatch):
    dialog = verified(demo_window, settled, report, monkeypatch)
    assert dialog.isVisible()
    assert not dialog.isModal()
    assert dialog.outcome.text().startswith("All 4")
    assert dialog.checks.rowCount() == 434
    assert dialog.table.model().index(0, 0).data() == "✓  verified"
    assert not dialog.other_folder.isEnabled()


def test_files_are_looked_for_in_another_folder(window, settled, report, monkeypatch, tmp_path):
    dialog = verified(window, settled, report, monkeypatch)
    assert "without their file" in dialog.outcome.text()
    assert dialog.only_others.isChecked()
    assert dialog.table.model().index(0, 0).data() == "?  file missing"
    data = tmp_path / "data"
    shutil.copytree(resources.path("demo"), data)
    monkeypatch.setattr(window.dialogs, "ask_data_folder", lambda: data)
    dialog.other_folder.click()
    settled(window.jobs)
    assert window.dialogs._verification is not dialog
    assert window.dialogs._verification.outcome.text().startswith("All 4")


def test_what_is_no_report_is_said_in_a_sentence(window, settled, monkeypatch, tmp_path):
    (tmp_path / "other.pdf").write_bytes(b"%PDF-1.4 nothing")
    assert verified(window, settled, tmp_path / "other.pdf", monkeypatch) is None
    assert "no whole PDF" in window.session.problems[0]


def test_no_answer_verifies_nothing(window, monkeypatch):
    monkeypatch.setattr(window.dialogs, "ask_report", lambda: None)
    window.verify_action.trigger()
    assert window.jobs.waiting == ()


def test_the_model_keeps_its_contract(qtmodeltester, demo, report):
    from core.report.verify import verify

    model = ChecksModel(verify(report).checked)
    qtmodeltester.check(model)
