"""F1 in a dialog shows the page of the manual about it, also while the dialog waits for its answer."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from zebra_gui.dialogs import Dialogs
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.listening.actions import ListeningActions
from zebra_gui.manual.window import ManualWindow
from zebra_gui.recordings.actions import RecordingsActions
from zebra_gui.session.session import Session


@pytest.fixture
def dialogs(qtbot):
    owner = QWidget()
    qtbot.addWidget(owner)
    owner.show()
    return Dialogs(owner)


def page_after_f1(dialog):
    """The page that F1 in a dialog shows, and whose window it is in; then both are closed."""
    dialog.activateWindow()
    QCoreApplication.processEvents()
    QTest.keyClick(dialog, Qt.Key.Key_F1)
    manuals = [one for one in QApplication.topLevelWidgets() if isinstance(one, ManualWindow)]
    seen = [(one.windowTitle().removesuffix(" – Manual"), one.parent()) for one in manuals if one.isVisible()]
    for manual in manuals:
        manual.close()
    dialog.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return seen


def open_dialog(dialogs):
    (dialog,) = [one for one in dialogs.parent().findChildren(QDialog) if one.isVisible()]
    return dialog


def ask_to_protect(dialogs):
    RecordingsActions(Session(Jobs(dialogs), dialogs), dialogs, None, dialogs.parent()).ask_to_protect()


@pytest.mark.parametrize(
    ("ask", "title"),
    [
        (Dialogs.ask_pictures, "From a result to a report"),
        (ask_to_protect, "From recordings"),
    ],
)
def test_while_a_dialog_waits_it_has_a_manual_of_its_own(dialogs, ask, title):
    seen = []

    def press():
        dialog = open_dialog(dialogs)
        seen.append(([(title, dialog)], page_after_f1(dialog)))

    QTimer.singleShot(0, press)
    ask(dialogs)
    ((expected, found),) = seen
    assert found == expected


@pytest.mark.parametrize(
    ("show", "title"),
    [
        (Dialogs.show_about, "First steps"),
        (Dialogs.show_check, "When something goes wrong"),
        (lambda dialogs, _jobs: dialogs.show_shortcuts(()), "First steps"),
    ],
)
def test_a_dialog_that_stands_in_the_way_of_its_window_has_one_too(dialogs, show, title):
    jobs = Jobs()
    show(dialogs, jobs)
    dialog = open_dialog(dialogs)
    assert page_after_f1(dialog) == [(title, dialog)]
    assert jobs.finish(10_000)


def ask_for_test(dialogs):
    ListeningActions(Session(Jobs(dialogs), dialogs), dialogs, dialogs.parent()).ask_for_test()


@pytest.mark.parametrize(
    ("show", "title"),
    [
        (lambda dialogs, path: dialogs.show_signing(path), "Verify and sign"),
        (lambda dialogs, path: dialogs.show_verification(path), "Verify and sign"),
        (lambda dialogs, _path: ask_for_test(dialogs), "Listening tests"),
        (lambda dialogs, _path: dialogs.show_fault(ValueError()), "When something goes wrong"),
    ],
)
def test_dialogs_beside_the_window_share_its_manual(dialogs, tmp_path, show, title):
    show(dialogs, tmp_path / "report.pdf")
    assert page_after_f1(open_dialog(dialogs)) == [(title, dialogs.parent())]


def test_f1_in_the_scales_shows_what_a_tag_is(dialogs, demo_session):
    dialogs.show_scales(demo_session)
    assert page_after_f1(open_dialog(dialogs)) == [("Worst case, tag and ceiling", dialogs.parent())]
