"""Dialogs: what they show, and what they make of the answers."""

from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel, QMessageBox, QPushButton, QWidget

from zebra_core.version import VERSION
from zebra_gui.dialogs import Dialogs, File, Folder, Place
from zebra_gui.dialogs.fault import FaultDialog
from zebra_gui.dialogs.page import AboutDialog, ShortcutsDialog
from zebra_gui.dialogs.save import SaveChoice, SaveDialog
from zebra_gui.jobs.jobs import Jobs


@pytest.fixture
def dialogs(qtbot):
    owner = QWidget()
    qtbot.addWidget(owner)
    dialogs = Dialogs(owner)
    dialogs.owner = owner
    return dialogs


@pytest.mark.parametrize(
    ("name", "chosen", "path"),
    [
        ("/x/ZEBRA-a", "PDF (*.pdf)", "/x/ZEBRA-a.pdf"),
        ("/x/ZEBRA-a.svg", "PDF (*.pdf)", "/x/ZEBRA-a.svg"),
        ("/x/ZEBRA-a.v2", "TEX (*.tex)", "/x/ZEBRA-a.v2.tex"),
        ("/x/ZEBRA-a.PNG", "TEX (*.tex)", "/x/ZEBRA-a.PNG"),
    ],
)
def test_the_ending_says_what_a_figure_is_saved_as(monkeypatch, dialogs, name, chosen, path):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (name, chosen))

    assert dialogs.ask_place("picture", "ZEBRA-a") == Path(path)


@pytest.mark.parametrize(
    ("purpose", "ending"),
    [
        ("outcome", ".pdf"),
        ("outcome or its text", ".pdf"),
        ("picture", ".png"),
        ("project", ".zebra"),
        ("report", ".pdf"),
        ("requirements", ".toml"),
        ("text", ".txt"),
    ],
)
def test_an_ending_that_is_left_out_is_added(monkeypatch, dialogs, purpose, ending):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("/x/mine", ""))

    assert dialogs.ask_place(purpose, "suggested") == Path(f"/x/mine{ending}")


def test_where_the_name_with_its_ending_is_taken_the_dialog_asks_about_it(monkeypatch, dialogs, tmp_path):
    (tmp_path / "report.pdf").write_text("mine")
    suggested, answers = [], iter([str(tmp_path / "report"), str(tmp_path / "report.pdf")])

    def answer(_window, _title, name, _filters):
        suggested.append(name)
        return next(answers), "PDF (*.pdf)"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    assert dialogs.ask_place("report", "ZEBRA-report.pdf") == tmp_path / "report.pdf"
    assert suggested == ["ZEBRA-report.pdf", str(tmp_path / "report.pdf")]


def test_whoever_then_says_no_overwrites_nothing(monkeypatch, dialogs, tmp_path):
    (tmp_path / "report.pdf").write_text("mine")
    answers = iter([str(tmp_path / "report"), ""])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (next(answers), ""))

    assert dialogs.ask_place("report", "ZEBRA-report.pdf") is None


def test_whatever_is_asked_for_has_a_title(dialogs):
    titles = dialogs._files(), dialogs._folders(), dialogs._places()
    assert [set(one) for one in titles] == [set(get_args(one)) for one in (File, Folder, Place)]
    assert all(title for one in titles for title in one.values())


def test_saying_no_gives_nothing(monkeypatch, dialogs):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")

    assert dialogs.ask_place("picture", "x") is None
    assert dialogs.ask_place("report", "x") is None
    assert dialogs.ask_folder("everything") is None
    assert dialogs.ask_files() == []


def test_files_and_folders_are_paths(monkeypatch, dialogs):
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (["/a/b", "/c"], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "/a")

    assert dialogs.ask_files() == [Path("/a/b"), Path("/c")]
    assert dialogs.ask_folder("everything") == Path("/a")


def test_a_dialog_begins_where_the_last_answer_lay(monkeypatch, dialogs):
    asked = []
    opened, saved = (["/case/scores"], ""), ("/out/report.pdf", "")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *told: asked.append(told[2:]) or opened)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *told: asked.append(told[2:3]) or saved)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *told: asked.append(told[2:]) or "")

    dialogs.ask_files()
    dialogs.ask_place("report", "ZEBRA-report.pdf")
    dialogs.ask_place("project", "/elsewhere/case.zebra")
    dialogs.ask_folder("everything")
    dialogs.begin_in(Path("/dropped"))
    dialogs.ask_files()
    assert asked == [("",), ("/case/ZEBRA-report.pdf",), ("/elsewhere/case.zebra",), ("/out",), ("/dropped",)]


def test_about_has_the_versions_and_copies_them(qtbot):
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    lines = dict(line.split(" ", 1) for line in dialog.versions)
    assert lines["zebra"] == VERSION
    assert {"python", "qt", "numpy", "system"} <= set(lines)

    button(dialog, "Copy versions").click()
    assert QGuiApplication.clipboard().text() == "\n".join(dialog.versions)


def test_shortcuts_are_those_of_the_actions(qtbot):
    action, without = QAction("&Open…"), QAction("&Quiet")
    action.setShortcut(QKeySequence("Ctrl+O"))
    dialog = ShortcutsDialog([action, without])
    qtbot.addWidget(dialog)
    rows = [
        [dialog.table.item(row, column).text() for column in range(2)]
        for row in range(dialog.table.rowCount())
    ]

    assert rows[0] == ["Open…", "Ctrl+O"]
    assert ["Picture: show everything again", "Home"] in rows
    assert not any("Quiet" in row[0] for row in rows)


@pytest.mark.parametrize("which", ["about", "shortcuts"])
def test_dialogs_open_without_stopping_the_program(qtbot, dialogs, which):
    if which == "about":
        dialogs.show_about(Jobs(dialogs.owner))
    else:
        dialogs.show_shortcuts([])
    shown = dialogs.owner.findChild(AboutDialog if which == "about" else ShortcutsDialog)

    assert shown.isVisible()
    shown.accept()


def test_a_fault_is_told_beside_the_window_and_its_report_can_be_copied(qtbot, dialogs):
    dialogs.show_fault(ValueError("speaker 1089"))

    (shown,) = dialogs.owner.findChildren(FaultDialog)
    assert shown.isVisible()
    assert not shown.isModal()
    report = shown.report.toPlainText()
    assert report.startswith(f"zebra {VERSION}\n")
    assert report.endswith("\nValueError")
    assert "1089" not in report
    button(shown, "Copy the report").click()
    assert QGuiApplication.clipboard().text() == report

    for _ in range(100):  # a fault in painting comes back
        dialogs.show_fault(KeyError("speaker 1089"))
    assert dialogs.owner.findChildren(FaultDialog) == [shown]
    assert shown.report.toPlainText() == f"{report}\n\n----\n\nKeyError"
    button(shown, "Copy the report").click()
    assert QGuiApplication.clipboard().text() == shown.report.toPlainText()

    button(shown, "Go on").click()
    qtbot.waitUntil(lambda: not dialogs.owner.findChildren(FaultDialog))
    dialogs.show_fault(KeyError("another"))
    assert len(dialogs.owner.findChildren(FaultDialog)) == 1


def test_a_fault_while_a_question_stands_in_the_way_can_be_read_and_closed(qtbot, dialogs):
    question = QDialog(dialogs.owner)
    closed = []

    def fail_and_close():
        dialogs.show_fault(ZeroDivisionError())
        (shown,) = dialogs.owner.findChildren(FaultDialog)
        shown.finished.connect(closed.append)
        qtbot.waitExposed(shown)
        # As the system does it: Qt lets no click through to a window that another one is in the way of.
        place = button(shown, "Go on").mapTo(shown, button(shown, "Go on").rect().center())
        QTest.mouseClick(shown.windowHandle(), Qt.MouseButton.LeftButton, pos=place)
        QTimer.singleShot(0, question.reject)

    QTimer.singleShot(0, fail_and_close)
    question.exec()
    assert closed == [QDialog.DialogCode.Accepted]


def test_a_fault_before_there_is_a_window_says_so(qtbot):
    shown = FaultDialog(ZeroDivisionError("1089"))
    qtbot.addWidget(shown)
    said = " ".join(one.text() for one in shown.findChildren(QLabel))
    assert "stopped it before its window was open (ZeroDivisionError). Your files are untouched." in said
    assert shown.isModal()
    assert shown.report.toPlainText().endswith("\nZeroDivisionError")
    button(shown, "Close").click()
    assert shown.result() == QDialog.DialogCode.Accepted


def button(dialog, text):
    return next(one for one in dialog.findChildren(QPushButton) if one.text() == text)


@pytest.mark.parametrize(
    ("which", "answer"),
    [("Save", SaveChoice.SAVE), ("Discard", SaveChoice.DISCARD), ("Cancel", SaveChoice.CANCEL)],
)
def test_the_question_before_changes_are_lost_is_gone_once_it_is_answered(dialogs, which, answer):
    question = SaveDialog("study.zebra", dialogs.owner)
    QTimer.singleShot(0, question.button(QMessageBox.StandardButton[which]).click)

    assert question.ask() is answer
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert dialogs.owner.findChild(QMessageBox) is None
