"""Listening tests in the window: making a new one, and taking one that was opened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from zebra_core.wording.texts import visible
from zebra_gui.dialogs import Dialogs
from zebra_gui.listening import work
from zebra_gui.listening.results import ListeningResults
from zebra_gui.recordings.session import Recordings
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action

if TYPE_CHECKING:
    from zebra_core.listening.recorded_folders import RecordedFolders
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
