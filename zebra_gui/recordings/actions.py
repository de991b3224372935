"""What the menus and the sheet do with recordings: choosing files for them, protecting them, their demo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QStackedWidget, QWidget

import zebra_resources
from zebra_core.files.access import is_folder
from zebra_core.wording.texts import say, visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.document.document import Documents
from zebra_gui.recordings import work
from zebra_gui.recordings.session import Recordings
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action
from zebra_gui.widgets.notice import Notice

if TYPE_CHECKING:
    from zebra_gui.recordings.listening_dialog import ListeningDialog
    from zebra_gui.recordings.page import RecordingsPage


_DEMO = "recordings"


class RecordingsActions(QObject):
    """Asks with dialogs what the sheet of recordings needs, and makes that sheet when there are some.

    Signals:
        changed: whether the sheet is shown may be otherwise.
        announced: one sentence that says what was done.
    """

    changed = Signal()
    announced = Signal(str)

    def __init__(self, session: Session, dialogs: Dialogs, documents: Documents, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._dialogs, self._documents = session, dialogs, documents
        self._window = window
        self.state = Recordings.of(session)
        self.page: RecordingsPage | None = None
        self.playing = PlaybackActions(session, dialogs, self)
        self.alike_bar = AlikeBar(self.state)
        self.again_bar = Notice("notice", self.tr("The next delivery"), QPushButton(self.tr("Dismiss")))
        self.again_bar.button.clicked.connect(lambda: self.again_bar.show_text(""))
        self.anew = self.again_bar.add_button(QPushButton(self.tr("As a new project")))
        self.anew.clicked.connect(self._begin_anew)
        session.takers.insert(0, self._take_again)
        self.state.changed.connect(self.changed)
        self.state.changed.connect(lambda: self.again_bar.show_text("") if not self.is_shown else None)
        self.state.scored.connect(self._on_scored)
        self.state.protected.connect(self._on_protected)

    @property
    def is_shown(self) -> bool:
        """Whether there are recordings to be looked at."""
        return self.state.dropped is not None

    def add_demo(self, menu: QMenu, owner: QWidget) -> QAction:
        """The entry of the menu for the demo."""
        self.demo = add_action(menu, owner, self.tr("De&mo from recordings"), self.open_demo)
        return self.demo

    def add_open(self, menu: QMenu, owner: QWidget) -> QAction:
        """The entry of the menu for recordings of the user's own."""
        self.open = add_action(menu, owner, self.tr("&Assess recordings…"), self.ask_to_assess)
        return self.open

    def add_again(self, menu: QMenu, owner: QWidget) -> QAction:
        """The entry of the menu that assesses another delivery as the open project was."""
        self.again = add_action(
            menu, owner, self.tr("Assess again with o&ther files…"), self.ask_to_assess_again
        )
        return self.again

    def add_controls(self, menu: QMenu, owner: QWidget) -> QAction:
        """The entry of the menu that makes copies under a safeguard of which it is known how weak it is."""
        self.controls = add_action(menu, owner, self.tr("&Controls…"), self.ask_to_protect)
        return self.controls

    def show_page(self, pages: QStackedWidget) -> RecordingsPage:
        """The sheet, among the pages of the window."""
        if self.page is None:
            from zebra_gui.recordings.page import RecordingsPage

            self.page = RecordingsPage(self._session)
            self.page.list_asked.connect(self._on_list)
            self.page.model_asked.connect(self._on_model)
            self.page.folder_asked.connect(self._on_folder)
            self.page.training_asked.connect(self._on_training)
            self.page.transcripts_asked.connect(self._on_transcripts)
            self.page.table_asked.connect(self._on_table)
            self.page.keep_asked.connect(self._on_keep)
            self.page.protect_asked.connect(self.ask_to_protect)
            self.page.play_asked.connect(self._on_play)
            pages.addWidget(self.page)
        return self.page

    def open_demo(self) -> None:
        """Show the recordings of the demo as if their folder had been dropped."""
        folder = zebra_resources.path(_DEMO)
        self._documents.close_for(partial(self._session.load, [folder]))

    def ask_to_assess(self) -> None:
        """Open a folder of recordings, as if it had been dropped."""
        if (folder := self._dialogs.ask_folder("recordings to assess")) is not None:
            self._documents.open_paths([folder])

    def ask_to_assess_again(self) -> None:
        """A new project of another delivery, made as the open one, which is saved first."""
        path = self._documents.path
        if path is None or self._documents.is_modified:
            self._session.report_problem(
                self.tr("Save this project first: the new one is made as its file says.")
            )
        elif (folder := self._dialogs.ask_folder("another delivery")) is not None:
            self._documents.close_for(partial(self._begin_again, path, folder))

    def _take_again(self, paths: Sequence[Path]) -> Sequence[Path]:
        """Look whether a folder is the next delivery of the open project; if not, take it as any other."""
        path, project = self._documents.path, self._session.project
        if path is None or project is None or self.is_shown or len(paths) != 1 or not is_folder(paths[0]):
            return ()
        name = self.tr("Looking at {name}").format(name=visible(paths[0].name))
        job = self._session.start_work(
            name, work.like_last_time, path, project, paths[0], is_about_project=False, is_reported=False
        )
        job.done.connect(partial(self._on_like, path, paths[0]))
        job.failed.connect(lambda _: self.state.take(paths))
        return paths

    def _on_like(self, path: Path, folder: Path, same: core.SameAgain | None) -> None:
        if same is None:
            self.state.take([folder])
            return
        self.state.begin_again(same)
        self._next = path, folder
        words = self.tr(
            "“{folder}” is like the delivery of “{file}”: the choices of last time are filled in. Listen and "
            "assess adds it to this project; a new project is made like this one and held against it."
        )
        self.again_bar.show_text(words.format(folder=visible(folder.name), file=visible(path.name)))

    def _begin_anew(self) -> None:
        """What is on the sheet, as it is, but in a new project."""
        self._documents.close_for(partial(self._begin_again, *self._next, self.state.choices))

    def _begin_again(self, path: Path, folder: Path, choices: core.RecordingChoices | None = None) -> None:
        name = self.tr("Looking at {name}").format(name=visible(folder.name))
        job = self._session.start_work(name, work.as_last_time, path, folder, is_about_project=False)
        job.done.connect(partial(self._on_last_time, folder, choices))

    def _on_last_time(
        self, folder: Path, choices: core.RecordingChoices | None, found: work.LastTime
    ) -> None:
        self._session.restart(found.project)
        self._session.before = found.before
        if found.same is None:
            self._session.arrivals.load([folder])
        else:
            self.state.begin_again(replace(found.same, choices=choices or found.same.choices))

    def ask_to_protect(self) -> None:
        """Make protected copies of a folder: of the originals that are shown, or of another."""
        overview = self.state.overview if self.is_shown else None
        folder = overview.original.top if overview and overview.original else None
        source = overview.source if overview else None
        from zebra_gui.recordings.protecting import ProtectDialog

        dialog = ProtectDialog(folder, source, self._dialogs.folder_chosen, self._window)
        if (asked := self._dialogs.with_help(dialog).ask()) is not None:
            self.state.protect(asked)

    def _on_play(self) -> None:
        if self.page is not None and (current := self.page.table.current) is not None:
            from zebra_core.recordings.recording_table import takes_of_rows

            rows = list(self.state.rows)
            self.playing.show_takes(takes_of_rows(rows), rows.index(current))

    def _on_list(self) -> None:
        path = self._dialogs.ask_file("speakers")
        if path is not None and (choices := self.state.choices) is not None:
            self.state.choose(replace(choices, speakers=path))

    def _on_model(self) -> None:
        if (path := self._dialogs.ask_file("recogniser")) is not None:
            self.state.use_model(path)

    def _on_folder(self) -> None:
        if (folder := self._dialogs.ask_folder("scores")) is not None:
            self.state.save_in(folder)

    def _on_training(self) -> None:
        if (folder := self._dialogs.ask_folder("training")) is not None:
            self.state.learn_from(folder)

    def _on_transcripts(self) -> None:
        path = self._dialogs.ask_file("transcripts")
        if path is not None and (choices := self.state.choices) is not None:
            self.state.choose(replace(choices, transcripts=path, without_transcripts=False))

    def _on_table(self, folder: Path) -> None:
        path = self._dialogs.ask_file("pairs")
        if path is not None and (choices := self.state.choices) is not None:
            from zebra_core.recordings.pairing_rules import PairingTable

            table = PairingTable(path)
            tables = tuple(dict.fromkeys((table, *choices.tables)))
            self.state.choose(replace(choices, tables=tables, pairs={**choices.pairs, folder: table}))

    def _on_keep(self) -> None:
        if (folder := self._dialogs.ask_folder("embeddings")) is not None:
            self.state.keep_in(folder)

    def _on_scored(self, is_inside: bool) -> None:
        if self.state.assessed is not None and (asked := self.state.assessed[0].request) is not None:
            self._dialogs.begin_in(asked.delivery.parent)  # nothing is saved among what was delivered
        if is_inside:
            self._documents.put_inputs_inside(True)

    def _on_protected(self, made: work.ProtectedFolder) -> None:
        words = self.tr("{count} protected copies are in {folder}. {weak}")
        folder = visible(str(Path(made.out)), 200)
        self.announced.emit(
            words.format(count=made.count, folder=folder, weak=say("recordings.weak-by-design"))
        )


# Opens recordings to be seen and heard: those of a sheet, or those that scores were made from.


class PlaybackActions(QObject):
    """One dialog at a time; folders that were named once are looked into again.

    Signals:
        export_requested, copy_requested: the picture on a card.
    """

    export_requested = Signal(object)
    copy_requested = Signal(object)

    def __init__(self, session: Session, dialogs: Dialogs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._dialogs = session, dialogs
        self._folders: tuple[Path, ...] = ()
        self.dialog: ListeningDialog | None = None

    def show_takes(self, takes: Sequence[core.RecordingVersions], first: int = 0) -> None:
        """Show these recordings, beginning with one of them."""
        from zebra_gui.recordings.listening_dialog import open_listening

        self.close()
        dialog = self._dialogs.with_help(open_listening(takes, self._session, self._window(), first=first))
        dialog.export_requested.connect(self.export_requested)
        dialog.copy_requested.connect(self.copy_requested)
        dialog.destroyed.connect(self._on_gone)
        self.dialog = dialog

    def show_entry(self, entry: core.Entry) -> None:
        """Show the recordings that scores were made from; asks for their folder where they are not found."""
        self._look_for(entry, asks=True)

    def close(self) -> None:
        """Show none."""
        if (dialog := self.dialog) is not None:
            self.dialog = None
            dialog.destroyed.disconnect(self._on_gone)
            dialog.close()

    def _look_for(self, entry: core.Entry, *, asks: bool) -> None:
        job = self._session.drawing.draw(partial(_find, entry, self._folders), supersedes="takes")
        job.done.connect(partial(self._on_found, entry, asks))
        job.failed.connect(self._session.report_failure)

    def _on_found(self, entry: core.Entry, asks: bool, takes: Sequence[core.RecordingVersions]) -> None:
        if takes:
            speakers = [take.speaker for take in takes]
            wanted = self._session.speaker
            self.show_takes(takes, speakers.index(wanted) if wanted in speakers else 0)
        elif asks and (folder := self._dialogs.ask_folder("recordings")) is not None:
            self._folders = tuple(dict.fromkeys([folder, *self._folders]))
            self._look_for(entry, asks=False)
        elif not asks:
            self._session.report_problem(
                self.tr("None of the recordings that the scores were made from is in this folder.")
            )

    def _on_gone(self) -> None:
        self.dialog = None

    def _window(self) -> QWidget | None:
        parent = self.parent()
        while parent is not None and not isinstance(parent, QWidget):
            parent = parent.parent()
        return parent


def _find(entry: core.Entry, folders: Sequence[Path]) -> tuple[core.RecordingVersions, ...]:
    """What a job does: the recordings of a record that are still somewhere."""
    from zebra_core.project.satellites import record_file
    from zebra_core.recordings.recording_table import takes_of_record
    from zebra_core.recordings.section import read_record

    if (file := record_file(entry)) is None:
        return ()
    record = read_record(entry)
    beside = file.path.parent
    return takes_of_record(record.values, [*folders, beside, beside.parent, zebra_resources.path(_DEMO)])


# A bar about two speakers who sound alike: the user says whether they are one person.


class AlikeBar(Notice):
    """One pair after the other of those who sound alike in the recordings that were assessed last."""

    def __init__(self, recordings: Recordings, parent: QWidget | None = None) -> None:
        super().__init__(
            "notice", self.tr("Speakers who sound alike"), QPushButton(self.tr("Dismiss")), parent
        )
        self._recordings = recordings
        self.button.setAccessibleName(self.tr("Leave these speakers two"))
        self.button.clicked.connect(lambda: recordings.leave_apart(recordings.alike[0]))
        self.together = self.add_button(QPushButton(self.tr("Count as one person")))
        self.together.clicked.connect(lambda: recordings.count_as_one(recordings.alike[0]))
        recordings.changed.connect(self._show_pair)

    def _show_pair(self) -> None:
        found = self._recordings.alike
        self.show_text(say("recordings.sound-alike", count=1, names=found[0].in_words) if found else "")
