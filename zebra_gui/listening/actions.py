"""Listening tests in the window: making a new one, and taking one that was opened."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from zebra_core.files.access import is_folder
from zebra_core.wording.texts import visible
from zebra_gui.dialogs import Dialogs
from zebra_gui.listening import work
from zebra_gui.recordings.session import Recordings
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action

if TYPE_CHECKING:
    from zebra_core.listening.recorded_folders import RecordedFolders
    from zebra_core.listening.study import HeardTest, ListeningStudy
    from zebra_gui.listening.dialog import ListeningTestDialog
    from zebra_gui.listening.window import ListeningWindow


class ListeningActions(QObject):
    """One dialog and one test at a time."""

    def __init__(self, session: Session, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._dialogs, self._window = session, dialogs, window
        self.results = ListeningResults.of(session)
        self.dialog: ListeningTestDialog | None = None
        self.test: ListeningWindow | None = None

    def add_new(self, menu: QMenu, owner: QWidget) -> QAction:
        """The entry of the menu that makes a test."""
        self.new = add_action(menu, owner, self.tr("New &listening test…"), self.ask_for_test)
        return self.new

    def add_take(self, menu: QMenu, owner: QWidget) -> QAction:
        """The entry of the menu with which a listener begins."""
        self.take = add_action(menu, owner, self.tr("&Take a listening test…"), self.ask_which_test)
        return self.take

    def ask_which_test(self) -> None:
        """Ask for a listener's file, and open it."""
        if (path := self._dialogs.ask_file("listening test")) is not None:
            self.open_test(path)

    def ask_for_test(self) -> None:
        """Ask what is to be heard, beginning with the recordings that are known."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        from zebra_gui.listening.dialog import ListeningTestDialog

        choose, choose_file = self._dialogs.folder_chosen, self._dialogs.file_chosen
        self.dialog = ListeningTestDialog(choose, choose_file, self._session.report_failure, self._window)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._dialogs.with_help(self.dialog).show()
        self.dialog.destroyed.connect(self._on_dialog_gone)
        if (shown := self._dropped_here()) is not None:
            self.dialog.take(shown)
            return
        job = self.dialog.jobs.start(
            self.tr("Looking for recordings"), work.known_recordings, self._session.project
        )
        job.done.connect(self.dialog.take)

    def take_tests(self, paths: Sequence[Path]) -> None:
        """Open the first of these tests, full screen."""
        self.open_test(paths[0])
        for path in paths[1:]:
            sentence = self.tr("Only one test can be taken at a time, so “{name}” was left alone.")
            self._session.report_problem(sentence.format(name=visible(path.name, 200)))

    def open_test(self, path: Path) -> ListeningWindow:
        """Show a listener's test, in the place of another."""
        from zebra_gui.listening.window import ListeningWindow
        from zebra_gui.widgets.player import Player

        self.close_test()
        test = ListeningWindow(path, Player())
        test.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        test.destroyed.connect(self._on_test_gone)
        self.test = test
        test.showFullScreen()
        return test

    def close_test(self) -> None:
        """Close the test that is being taken; its answers are kept."""
        if (test := self.test) is not None:
            self.test = None
            test.destroyed.disconnect(self._on_test_gone)
            test.close()

    def close_all(self) -> None:
        """The window is closed, and these with it."""
        self.close_test()
        if self.dialog is not None:
            self.dialog.close()

    def _dropped_here(self) -> RecordedFolders | None:
        """What lies on the sheet of recordings, or was last made into scores of the open project."""
        recordings = Recordings.of(self._session)
        found, dropped = recordings.overview, recordings.dropped
        if found is None and recordings.assessed is not None:
            found, dropped = recordings.assessed
        if found is None or found.original is None:
            return None
        from zebra_core.listening.recorded_folders import RecordedFolders

        copies = {found.choices.name_of(one): one.top for one in found.protected}
        pairs = tuple(found.pairing.sources.values()) if found.pairing else ()
        sex = dropped.sex if dropped else None
        return RecordedFolders(found.original.top, copies, found.source, sex, pairs)

    def _on_dialog_gone(self) -> None:
        self.dialog = None

    def _on_test_gone(self) -> None:
        self.test = None


# Answers of listeners: taken in with the plan of their test, and evaluated again after a decision.


PLAN, ANSWERS = "listening-plan.json", ".zebra-answers"


class ListeningResults(QObject):
    """What comes of dropped answers, and of leaving out a listener.

    Signals:
        taken: the ListeningStudy that is in the project now.
        ended: an evaluation is over, whatever came of it.
    """

    taken = Signal(object)
    ended = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._open = session
        self.last_taken: ListeningStudy | None = None  # of the open project
        session.left.connect(self._forget)
        session.takers.insert(0, self.take)  # before those of recordings, who take every folder

    @property
    def studies(self) -> tuple[ListeningStudy, ...]:
        """The tests of the open project."""
        from zebra_core.listening.study import tests_of

        return tests_of(self._open.project)

    @classmethod
    def of(cls, session: Session) -> ListeningResults:
        """Those of a session, which has them once."""
        return session.findChild(cls) or cls(session)

    def take(self, paths: Sequence[Path]) -> list[Path]:
        """Evaluate plans and answers among these paths, and folders in which a plan lies; which they are."""
        mine = [path for path in paths if _is_of_a_test(path)]
        if mine:
            self.load(mine)
        return mine

    def _forget(self) -> None:
        self.last_taken = None

    def load(self, paths: Sequence[Path]) -> None:
        """Evaluate answers with their plan: the one that came along, or that of a test of the project."""
        self._open.dismiss_problems()
        job = self._open.start_work(
            self.tr("Evaluating listeners’ answers"),
            work.hear,
            tuple(paths),
            self.studies,
            supersedes="listening",
            is_about_project=False,
        )
        job.done.connect(self._on_heard)

    def leave_out(self, study: ListeningStudy, codes: Sequence[str]) -> None:
        """Evaluate again without the answers of these listeners; all others are used."""
        self._decide(study, codes, self.tr("leave out listeners"))

    def shows_alone(self, study: ListeningStudy) -> bool:
        """Whether each listener of a test is an attacker in the open project."""
        from zebra_core.listening.study import shows_alone

        return self._open.project is not None and shows_alone(self._open.project, study)

    def show_alone(self, study: ListeningStudy, is_wanted: bool) -> None:
        """Make an attacker of each listener as well, or of the panel only."""
        self._decide(study, study.left_out, self.tr("listeners alone"), is_wanted)

    def _decide(
        self, study: ListeningStudy, codes: Sequence[str], said: str, alone: bool | None = None
    ) -> None:
        job = self._open.start_work(
            self.tr("Evaluating listeners’ answers"), work.decide, study, tuple(codes), supersedes="listening"
        )
        job.done.connect(partial(self._on_heard, said=said, alone=alone))
        for ended in (job.failed, job.cancelled):
            ended.connect(lambda *_: self.ended.emit())

    def _on_heard(self, heard: HeardTest, *, said: str = "", alone: bool | None = None) -> None:
        from zebra_core.listening.study import entries_of, with_heard
        from zebra_core.project.project import Project

        before = self._open.project or Project()
        project = with_heard(before, heard, alone=alone)
        if said:
            self._open.change(said, project)
        else:
            first = [entry.id for entry in entries_of(project, heard.study)][:1]
            self._open.change(self.tr("add listeners’ answers"), project, tuple(first))
            for fault in heard.faults:
                self._open.report_problem(fault)
        self.last_taken = heard.study
        self.taken.emit(heard.study)
        self.ended.emit()


def _is_of_a_test(path: Path) -> bool:
    if is_folder(path):
        return (path / PLAN).exists()
    return path.name == PLAN or path.suffix.lower() == ANSWERS
