"""A page of text made by a job: read, copied, saved, and every ending of the job told."""

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from tests.core.samples import pdf_text
from tests.known_answers import exported_once
from zebra_core.errors import InputError
from zebra_gui.dialogs import Dialogs
from zebra_gui.dialogs.page import AboutDialog, PageDialog, make_check, make_licences
from zebra_gui.jobs.jobs import Jobs


@pytest.fixture
def jobs(qtbot):
    jobs = Jobs()
    yield jobs
    jobs.shut_down()


def shown(qtbot, jobs, make_text, ask_file=lambda _name: None):
    dialog = PageDialog("A page", make_text, jobs, ask_file, "page.txt")
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: not jobs.waiting, timeout=60_000)
    return dialog


def test_the_page_is_shown_and_copied(qtbot, jobs):
    dialog = shown(qtbot, jobs, lambda _progress: "one\ntwo")
    dialog.copy_button.click()

    assert dialog.text.toPlainText() == "one\ntwo"
    assert QGuiApplication.clipboard().text() == "one\ntwo"
    assert dialog.remark.text() == "Copied."


def test_the_page_is_saved_where_the_user_says(qtbot, jobs, tmp_path):
    dialog = shown(qtbot, jobs, lambda _progress: "päge\n", ask_file=lambda name: tmp_path / name)
    dialog.save_button.click()
    qtbot.waitUntil(lambda: not jobs.waiting)

    assert (tmp_path / "page.txt").read_text("utf-8") == "päge\n"
    assert dialog.remark.text() == f"Saved page.txt in {tmp_path}"


def test_what_cannot_be_saved_is_told(qtbot, jobs, tmp_path):
    dialog = shown(qtbot, jobs, lambda _progress: "page", ask_file=lambda _name: tmp_path / "none" / "p.txt")
    dialog.save_button.click()
    qtbot.waitUntil(lambda: not jobs.waiting)

    assert "there is no folder" in dialog.remark.text()


def test_saying_no_saves_nothing(qtbot, jobs):
    dialog = shown(qtbot, jobs, lambda _progress: "page")
    dialog.save_button.click()

    assert not jobs.waiting


def test_a_failure_is_told_and_there_is_nothing_to_save(qtbot, jobs):
    def fail(_progress):
        raise InputError("no-screen")

    dialog = shown(qtbot, jobs, fail)

    assert dialog.remark.text().startswith("There is no screen")
    assert not dialog.save_button.isEnabled()
    assert not dialog.copy_button.isEnabled()


def test_closing_stops_the_job(qtbot, jobs):
    dialog = PageDialog("A page", lambda _progress: "page", jobs, lambda _name: None, "page.txt")
    (job,) = jobs.waiting
    dialog.reject()

    assert job.is_cancelled
    qtbot.waitUntil(lambda: not jobs.waiting)


def test_the_check_passes_on_this_installation_and_is_saved_as_text_or_pdf(
    qtbot, jobs, tmp_path, tmp_path_factory
):
    names = iter(["check.txt", "check.pdf"])
    came = []
    with exported_once(tmp_path_factory):
        dialog = PageDialog("A page", make_check, jobs, lambda _name: tmp_path / next(names), "check.pdf")
        qtbot.addWidget(dialog)
        (job,) = jobs.waiting
        job.got_partial.connect(came.append)
        qtbot.waitUntil(lambda: not jobs.waiting, timeout=120_000)
    text = dialog.text.toPlainText()
    assert text.count(": PASSED\n") == 1
    assert came[0].startswith("passed  file ")
    for _ in range(2):
        dialog.save_button.click()
        qtbot.waitUntil(lambda: not jobs.waiting)
    assert (tmp_path / "check.txt").read_text("utf-8") == text
    page = " ".join(pdf_text(tmp_path / "check.pdf").split())
    assert "Check of this installation" in page
    assert "checks: PASSED" in page
    assert "Signature" in page


def test_the_licences_name_what_comes_along(qtbot, jobs):
    text = shown(qtbot, jobs, make_licences).text.toPlainText()

    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "  numpy " in text


def test_about_leads_to_the_licences(qtbot, jobs):
    owner = QWidget()
    qtbot.addWidget(owner)
    Dialogs(owner).show_about(jobs)
    about = owner.findChild(AboutDialog)
    about.licences_asked.emit()
    page = owner.findChild(PageDialog)

    assert page.isVisible()
    qtbot.waitUntil(lambda: not jobs.waiting)
    page.accept()
    about.accept()


def test_where_to_save_is_asked(qtbot, monkeypatch):
    owner = QWidget()
    qtbot.addWidget(owner)
    monkeypatch.setattr("zebra_gui.dialogs.QFileDialog.getSaveFileName", lambda *_: ("/x/page.txt", ""))

    assert Dialogs(owner).ask_place("text", "page.txt") == Path("/x/page.txt")
