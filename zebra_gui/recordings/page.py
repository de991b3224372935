"""The sheet of dropped recordings: what was found, how it is compared, and what that comes to.

The folders that were dropped: which are originals, which are protected, and by which safeguard.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QGridLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from zebra_core.files.access import as_command
from zebra_core.recordings.folder_roles import DroppedFolders, FolderRole, RecordingsFolder
from zebra_core.recordings.overview import Overview, RecordingChoices
from zebra_core.recordings.recording_table import RecordingRow
from zebra_core.wording.texts import grouped, visible, visible_sentence, written
from zebra_gui.language.translating import for_count
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.panes.pane import Card
from zebra_gui.recordings.choices import ChoicesCard
from zebra_gui.recordings.session import Recordings
from zebra_gui.recordings.work import HearingProgress
from zebra_gui.report.form import LineField
from zebra_gui.session.session import Session
from zebra_gui.tables.rows import let_copy, table_in
from zebra_gui.widgets.layouts import (
    ElidedLabel,
    choice_box,
    clear,
    in_column,
    in_row,
    label,
    shown_name,
    tooltip,
)

_MINUTE = 60


class OutcomeCard(Card):
    """Trials by condition; below them what is lacking, and remarks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trials = label()
        self.trials.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.remarks: tuple[str, ...] = ()
        self._shown: tuple[Sequence[str], ...] = ()
        inside = QWidget()
        inside.setProperty("look", "scrolled")
        self._list = in_column(on=inside, margins=(0, 2, 4, 0), spacing=5)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Remarks on the recordings"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.body.addWidget(label(self.tr("What will be compared"), "heading"))
        self.body.addWidget(self.trials)
        self.body.addWidget(scroll, 1)

    def show_overview(self, overview: Overview | None, problem: str = "") -> None:
        """Show what the choices come to, and why nothing came of the last start."""
        lacking = (*filter(None, [problem]), *(overview.lacking if overview else ()))
        sentences = overview.sentences if overview else ()
        self.trials.setText("\n".join(self._of_trials(overview)) if overview else "")
        self.trials.setVisible(bool(self.trials.text()))
        if (lacking, sentences) == self._shown:
            return
        self._shown = lacking, sentences
        self.remarks = (*lacking, *sentences)
        clear(self._list)
        for sentence in self.remarks:
            text = label(sentence, "problem" if sentence in lacking else "")
            text.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            text.setAccessibleName(sentence)
            self._list.addWidget(text)
        self._list.addStretch(1)

    def _of_trials(self, overview: Overview) -> list[str]:
        words = {
            "oo": self.tr("Original with original: {trials} trials, {targets} of them target"),
            "oa": self.tr("Original with protected: {trials} trials, {targets} of them target"),
            "aa": self.tr("Protected with protected: {trials} trials, {targets} of them target"),
        }
        return [
            words[one].format(trials=grouped(count.trials), targets=grouped(count.targets))
            for one, count in overview.trials.items()
        ]


class RecordingsPage(QWidget):
    """A view on the session's recordings; it changes nothing but by asking them.

    Signals:
        list_asked: a list of who speaks is to be chosen.
        model_asked: a recogniser of the user's own is to be chosen.
        folder_asked: a folder for the scores is to be chosen.
        training_asked: a folder that back ends learn from is to be chosen.
        transcripts_asked: a file of transcripts is to be chosen.
        table_asked: a table of originals and copies is to be chosen; the folder of the copies.
        keep_asked: a folder in which embeddings are kept is to be chosen.
        protect_asked: protected copies of the originals are to be made.
        play_asked: the recording that is looked at is to be heard.
    """

    list_asked = Signal()
    model_asked = Signal()
    folder_asked = Signal()
    training_asked = Signal()
    transcripts_asked = Signal()
    table_asked = Signal(object)
    keep_asked = Signal()
    protect_asked = Signal()
    play_asked = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recordings = Recordings.of(session)
        self.heading = label(self.tr("From recordings"), "invitation")
        self.summary = label(tone="quiet")
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.folders, self.choices, self.outcome = FoldersCard(), ChoicesCard(), OutcomeCard()
        self.table = RecordingsCard()
        self.play_button = QPushButton(self.tr("See and hea&r…"))
        self.play_button.setToolTip(self.tr("The recording and its protected copies, side by side"))
        self.play_button.setEnabled(False)
        self.table.tools.addWidget(self.play_button)
        self.copy_button = QPushButton(self.tr("Cop&y as text"))
        self.command_button = QPushButton(self.tr("Copy as co&mmand"))
        self.command_button.setToolTip(self.tr("What would compare the same recordings on the command line"))
        self.protect_button = QPushButton(self.tr("C&ontrols…"))
        self.cancel_button = QPushButton(self.tr("&Cancel"))
        self.start_button = QPushButton(self.tr("&Listen and assess"))
        self.start_button.setProperty("look", "main")
        self.remainder = ElidedLabel("quiet")
        self.progress = QProgressBar()
        self.progress.setAccessibleName(self.tr("Recordings heard"))
        self.progress.setTextVisible(False)
        self.progress.setFixedSize(150, 9)
        self._lay_out()

        recordings = self._recordings
        for card in (self.folders, self.choices):
            card.said.connect(recordings.choose)
        self.choices.speakers.list_button.clicked.connect(self.list_asked)
        choices = self.choices
        for asked, dialog, otherwise in (
            (choices.model_asked, self.model_asked, recordings.use_model),
            (choices.folder_asked, self.folder_asked, recordings.save_in),
            (choices.training_asked, self.training_asked, recordings.learn_from),
            (choices.keep_asked, self.keep_asked, recordings.keep_in),
        ):
            asked.connect(partial(_ask, dialog, otherwise))
        choices.transcripts_asked.connect(self.transcripts_asked)
        choices.table_asked.connect(self.table_asked)
        choices.inside_asked.connect(recordings.kept.keep_voices)
        choices.forget_asked.connect(recordings.forget_heard)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.as_text()))
        self.command_button.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(as_command(recordings.as_words()))
        )
        self.protect_button.clicked.connect(self.protect_asked)
        self.play_button.clicked.connect(self.play_asked)
        self.table.current_changed.connect(self._on_current)
        self.cancel_button.clicked.connect(self._on_cancel)
        self.start_button.clicked.connect(recordings.start)
        recordings.changed.connect(self._show)
        recordings.progressed.connect(self._show_hearing)
        self._show()

    def as_text(self) -> str:
        """Everything that the sheet says, to be pasted elsewhere."""
        overview = self._recordings.overview
        if overview is None:
            return ""
        offer = next((one for one in overview.offers if one.source == overview.source), None)
        speakers = f"{offer.in_words} ({offer.examples})" if offer else ""
        said = [self.summary.text(), speakers, self.outcome.trials.text(), *self.outcome.remarks]
        return "\n".join(filter(None, said))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.folders.take_focus()

    def _lay_out(self) -> None:
        head = in_column(self.heading, self.summary, spacing=2)
        at = Qt.AlignmentFlag.AlignBottom
        top = in_row((head, 1), (self.copy_button, 0, at), (self.command_button, 0, at))
        left = QWidget()
        column = in_column(self.folders, on=left, margins=0, spacing=8)
        below = QSplitter(Qt.Orientation.Vertical)
        below.addWidget(self.outcome)
        below.addWidget(self.table)
        below.setChildrenCollapsible(False)
        below.setSizes([200, 300])
        column.addWidget(below, 1)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(left)
        split.addWidget(self.choices)
        split.setChildrenCollapsible(False)
        split.setSizes([520, 480])
        split.setProperty("look", "scrolled")
        room = QScrollArea()  # or the window would grow beyond the screen, below the bars of notices
        room.setAccessibleName(self.tr("From recordings"))
        room.setFrameShape(QFrame.Shape.NoFrame)
        room.setWidgetResizable(True)
        room.setWidget(split)
        foot = in_row(
            self.protect_button,
            (self.remainder, 1),
            self.progress,
            self.cancel_button,
            self.start_button,
            spacing=10,
        )
        in_column(top, (room, 1), foot, on=self, margins=(16, 8, 16, 12), spacing=10)

    def _show(self) -> None:
        recordings = self._recordings
        dropped, choices, overview = recordings.dropped, recordings.choices, recordings.overview
        if dropped is None or choices is None:
            self.folders.forget()
            self.outcome.show_overview(None)
            self.table.show_rows(())
            self.summary.setText("")
            return
        self.folders.show_folders(dropped, choices)
        self.choices.show_choices(recordings)
        self.outcome.show_overview(overview, recordings.problem)
        self.table.show_rows(recordings.rows)
        self.summary.setText(self._summary(overview) if overview else "")
        hearing = recordings.is_hearing
        for card in (self.folders, self.choices, self.protect_button):
            card.setEnabled(not hearing)
        self.progress.setVisible(hearing)
        if not hearing:
            self.progress.setValue(0)
            self.remainder.show_text(self._remainder(overview))
        self.start_button.setEnabled(recordings.is_ready)
        self.command_button.setEnabled(recordings.is_ready and bool(recordings.as_words()))

    def _show_hearing(self, hearing: HearingProgress) -> None:
        done = hearing.before + hearing.now
        self.progress.setRange(0, max(1, hearing.total + round(hearing.to_attack)))
        self.progress.setValue(min(done, hearing.total) + round(hearing.attacked))
        facts = {"done": grouped(done), "all": grouped(hearing.total)}
        left = hearing.left_s
        if not left:  # not known, or none
            words = self.tr("Heard {done} of {all} recordings")
        elif left > _MINUTE:
            words = self.tr("Heard {done} of {all} recordings; about {left} min left")
            facts["left"] = str(math.ceil(left / _MINUTE))
        else:
            words = self.tr("Heard {done} of {all} recordings; about {left} s left")
            facts["left"] = str(math.ceil(left))
        self.remainder.show_text(words.format(**facts))

    def _on_current(self) -> None:
        self.play_button.setEnabled(self.table.current is not None)

    def _summary(self, overview: Overview) -> str:
        """How much of what."""
        minutes = written(overview.seconds / _MINUTE, ".1f")
        ids, people = len(overview.ids), overview.speakers
        to_compare = for_count(
            "RecordingsPage", "1 recording to compare", "{count} recordings to compare", ids
        )
        counts = [
            (ids, to_compare),
            (people, for_count("RecordingsPage", "1 speaker", "{count} speakers", people)),
        ]
        said = [words.format(count=grouped(count)) for count, words in counts]
        said.append(self.tr("{minutes} minutes of original speech").format(minutes=minutes))
        rates = sorted(overview.rates.items())
        if len(rates) == 1:
            said.append(self.tr("{rate} Hz").format(rate=grouped(rates[0][0])))
        else:
            for rate, count in rates:
                each = for_count(
                    "RecordingsPage", "{rate} Hz (1 recording)", "{rate} Hz ({count} recordings)", count
                )
                said.append(each.format(rate=grouped(rate), count=grouped(count)))
        return " · ".join(said)

    def _remainder(self, overview: Overview | None) -> str:
        """Whether one can go on, and what was kept of a start before."""
        if overview is None:
            return self.tr("Looking at the recordings…")
        if overview.lacking:
            return overview.lacking[0]
        return self.tr("You can still drop further folders, or lists of who speaks, on this window.")

    def _on_cancel(self) -> None:
        """First the hearing, of which what was done is kept; then the sheet."""
        if self._recordings.is_hearing:
            self._recordings.stop()
        else:
            self._recordings.dismiss()


def _ask(dialog: SignalInstance, otherwise: Callable[[None], object], own: bool) -> None:
    """For something of the user's own, or go back to what is there without it."""
    if own:
        dialog.emit()
    else:
        otherwise(None)


class FoldersCard(Card):
    """A row for each folder.

    Signals:
        said: RecordingChoices, with what was said of a folder.
    """

    said = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.roles: dict[Path, QComboBox] = {}
        self.names: dict[Path, LineField] = {}
        self.divisions: dict[Path, QComboBox] = {}
        self._choices = RecordingChoices()
        self._shown: tuple[object, ...] = ()
        self.body.addWidget(label(self.tr("Folders"), "heading"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setColumnStretch(2, 1)
        self.body.addLayout(self._grid)

    def show_folders(self, dropped: DroppedFolders, choices: RecordingChoices) -> None:
        """Show these, as they are taken with these choices."""
        self._choices = choices
        shown = (dropped.versions, dropped.divisible)
        if shown != self._shown:
            self._shown = shown
            self._rebuild(dropped)
        for version in dropped.versions:
            role = choices.role_of(version)
            box, name = self.roles[version.top], self.names[version.top]
            box.setCurrentIndex(box.findData(role.value) if role else 0)
            name.show_value(choices.name_of(version))
            name.setVisible(role is FolderRole.PROTECTED)
        for path, box in self.divisions.items():
            box.setCurrentIndex(0 if path in dropped.undecided else 1 if path in dropped.divided else 2)

    def take_focus(self) -> None:
        """Put the focus on the first folder."""
        if self.roles:
            next(iter(self.roles.values())).setFocus()

    def forget(self) -> None:
        """Show no folders."""
        self._shown = ()
        clear(self._grid)
        self.roles, self.names, self.divisions = {}, {}, {}

    def _rebuild(self, dropped: DroppedFolders) -> None:
        self.forget()
        self._shown = (dropped.versions, dropped.divisible)
        for path in dropped.divisible:
            self._add_division(path)
        for version in dropped.versions:
            self._add(version)

    def _add(self, version: RecordingsFolder) -> None:
        folder = visible(version.top.name)
        role = choice_box(
            self.tr("What {folder} holds").format(folder=folder),
            (self.tr("Choose…"), None),
            (self.tr("Original"), FolderRole.ORIGINAL.value),
            (self.tr("Protected"), FolderRole.PROTECTED.value),
            (self.tr("Leave out"), FolderRole.UNUSED.value),
        )
        role.activated.connect(lambda _place: self._say_role(version, role))
        name = LineField(self.tr("Name of the safeguard of {folder}").format(folder=folder))
        name.setToolTip(tooltip(self.tr("Name of the safeguard")))
        name.setMaximumWidth(120)
        name.settled.connect(lambda text: self._say_name(version, text))
        count = len(version.folder.recordings)
        about = ElidedLabel()
        text = for_count(
            "FoldersCard",
            "{folder}: one recording, {example}",
            "{folder}: {count} recordings, such as {example}",
            count,
        )
        example = visible(str(version.folder.recordings[0].place))
        about.show_text(text.format(folder=folder, count=grouped(count), example=example))
        about.setToolTip(tooltip(visible(str(version.top), 400)))
        row = self._grid.rowCount()
        self._grid.addWidget(role, row, 0)
        self._grid.addWidget(name, row, 1)
        self._grid.addWidget(about, row, 2)
        self.roles[version.top], self.names[version.top] = role, name

    def _add_division(self, path: Path) -> None:
        """Folders with recordings of the same names: versions, or speakers."""
        text = self.tr("Folders in {folder}").format(folder=visible(path.name))
        box = choice_box(
            text,
            (self.tr("Choose…"), None),
            (self.tr("Versions of the same recordings"), True),
            (self.tr("Speakers, or parts of one version"), False),
        )
        box.activated.connect(lambda _place: self._say_divided(path, box))
        row = self._grid.rowCount()
        self._grid.addWidget(label(text), row, 0, 1, 2)
        self._grid.addWidget(box, row, 2)
        self.divisions[path] = box

    def _say_role(self, version: RecordingsFolder, box: QComboBox) -> None:
        value = box.currentData()
        roles = dict(self._choices.roles)
        if value is None:
            roles.pop(version.top, None)
        else:
            roles[version.top] = FolderRole(value)
        self.said.emit(replace(self._choices, roles=roles))

    def _say_name(self, version: RecordingsFolder, text: str) -> None:
        if text != self._choices.name_of(version):
            names = {**self._choices.names, version.top: text.strip()}
            self.said.emit(replace(self._choices, names=names))

    def _say_divided(self, path: Path, box: QComboBox) -> None:
        divided = {one: said for one, said in self._choices.divided.items() if one != path}
        if box.currentData() is not None:
            divided[path] = box.currentData()
        self.said.emit(replace(self._choices, divided=divided))


# Every original recording with what is said of it; beside the heading is room for what is done with one.


_ROW_HEIGHT = 24
_MEASURED = 100  # rows whose texts say how wide a column is to be
_WIDEST = 170
_LEAST_NAME, _LEAST_REMARK = 110, 170
_AIR = 8


NAME, RATE, REMARK = 0, 3, 4


class RecordingsModel(RowsModel[RecordingRow]):
    """A window onto a list of recordings."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((), parent)
        self.columns = (
            Column(self.tr("Recording"), _marked_name),
            Column(self.tr("Speaker"), lambda row: shown_name(row.speaker) or "–"),
            Column(
                self.tr("Seconds"),
                lambda row: written(row.seconds, ".1f") if row.seconds else "–",
                is_number=True,
            ),
            Column(self.tr("Hz"), lambda row: grouped(row.rate_hz) if row.rate_hz else "–", is_number=True),
            Column(self.tr("Remark"), lambda row: visible_sentence(row.in_short, 400)),
        )

    def identity(self, row: RecordingRow) -> object:
        return row

    def whole_text(self, row: RecordingRow, column: int) -> str:
        return visible_sentence(row.remark, 1000) if column == REMARK else self.text(row, column)


def _marked_name(row: RecordingRow) -> str:
    """The name; a sign and not a colour tells what is left out."""
    return shown_name(row.place) if row.is_compared else f"–  {shown_name(row.place)}"


class _RemarkLabel(QStyledItemDelegate):
    """A sentence, which is read from its beginning."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideRight


class RecordingsCard(Card):
    """A table; `tools` is a row beside the heading.

    Signals:
        current_changed: the user looks at another recording, or at none.
    """

    current_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = RecordingsModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        let_copy(self.table, lambda: table_in(self.table))
        self.table.setAccessibleName(self.tr("Recordings"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # what tells names apart is at the end
        self.table.setItemDelegateForColumn(REMARK, _RemarkLabel(self.table))
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setShowGrid(False)
        self.table.setAcceptDrops(False)  # a drop is for the window
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(
            max(_ROW_HEIGHT, self.table.fontMetrics().height() + 8)
        )
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setResizeContentsPrecision(_MEASURED)
        self.tools = in_row((label(self.tr("Recordings"), "heading"), 1))
        self._shown: Sequence[RecordingRow] = ()
        self._wanted = [_WIDEST] * (REMARK + 1)
        self.body.addLayout(self.tools)
        self.body.addWidget(self.table, 1)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self.current_changed.emit())
        self.model.modelReset.connect(self.current_changed)

    @property
    def current(self) -> RecordingRow | None:
        """The recording that the user looks at."""
        row = self.table.currentIndex().row()
        return self.model.rows[row] if 0 <= row < len(self.model.rows) else None

    def show_rows(self, rows: Sequence[RecordingRow]) -> None:
        """Show these; the one that was looked at stays so, if it is still there."""
        if rows is self._shown:  # to compare very many with themselves takes long
            return
        before, self._shown = self.current, rows
        self.model.put(rows)
        self._want_widths()
        self._set_widths()
        places = [row.place for row in self.model.rows]
        if before is not None and before.place in places and self.current is None:
            self.table.setCurrentIndex(self.model.index(places.index(before.place), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_widths()

    def _want_widths(self) -> None:
        """Make columns as wide as their content; equal rates are hidden, since the sheet says the rate."""
        header, rows = self.table.horizontalHeader(), self.model.rows
        self.table.setColumnHidden(RATE, len({row.rate_hz for row in rows if row.rate_hz}) < 2)
        hints = [
            max(self.table.sizeHintForColumn(column), header.sectionSizeHint(column))
            for column in range(REMARK + 1)
        ]
        self._wanted = [*(hint + _AIR for hint in hints[:REMARK]), hints[REMARK]]

    def _set_widths(self) -> None:
        """As wide as their content, names and remarks as far as there is room; names have what is left."""
        header, (*wanted, remark) = self.table.horizontalHeader(), self._wanted
        for column, width in enumerate(wanted):
            self.table.setColumnWidth(column, min(width, _WIDEST))
        others = header.sectionPosition(REMARK) - self.table.columnWidth(NAME)
        room = self.table.viewport().width() - others
        least, spare = room - min(remark, _LEAST_REMARK), room - remark
        most = min(wanted[NAME], max(_WIDEST, spare))
        self.table.setColumnWidth(NAME, min(most, max(_LEAST_NAME, least)))
