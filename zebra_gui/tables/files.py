"""The table of files, in the intake sheet and in the pane about files; its rows are copied as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from zebra_core.evidence.audit import InputFile, InputState, distinguishing_names, remarks_on_inputs
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import FoundFile
from zebra_core.intake.sorting.recognised import words_of
from zebra_core.project.items import Entry
from zebra_core.project.reading.arrival import Arrival
from zebra_core.wording.texts import grouped, knows, list_as_said, named, say
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.tables.rows import RowsTable
from zebra_gui.widgets.layouts import shown_name

_WIDEST, _NARROWEST = 340, 100
_STEP = 4
_AIR = 8


class FilesTable(RowsTable):
    """Shows a FilesModel; names take the room there is."""

    def __init__(self, name: str, *, with_states: bool, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.files = FilesModel(with_states=with_states, parent=self)
        self._is_laying_out = False
        self._widths_are_the_users = False
        self.setModel(self.files)
        for number, column in enumerate(self.files.columns):
            if column.is_name:
                self.setItemDelegateForColumn(number, _NameDelegate(self))
        self.horizontalHeader().sectionResized.connect(self._on_column_resized)

    @property
    def current(self) -> FileRow | None:
        """The file that the user looks at."""
        row = self.currentIndex().row()
        return self.files.rows[row] if 0 <= row < len(self.files.rows) else None

    def show_rows(self, rows: list[FileRow]) -> None:
        """Show these files; the one that was looked at stays so, if it is still there."""
        before = self.current
        self.files.put(rows)
        if self.isVisible():
            self._lay_out()
        if before is not None:
            self.look_at(before.source)

    def look_at(self, source: Source) -> None:
        """Make this file the current one."""
        places = [row.source for row in self.files.rows]
        if source in places and (self.current is None or self.current.source != source):
            self.setCurrentIndex(self.files.index(places.index(source), 0))

    def whole_height(self) -> int:
        """The height at which nothing need be scrolled."""
        frame = 2 * self.frameWidth() + self.horizontalScrollBar().sizeHint().height()
        return self.horizontalHeader().sizeHint().height() + len(self.files.rows) * self.row_height + frame

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self._lay_out()

    def _on_column_resized(self, column: int) -> None:
        # The column of names takes what the others leave; nobody moves it by itself.
        if not self._is_laying_out and column != self.files.name_column:
            self._widths_are_the_users = True

    def _lay_out(self) -> None:
        """Make the columns fit the room, until the user makes them as wide as they want."""
        if self._widths_are_the_users or not self.files.rows:
            return
        self._is_laying_out = True
        self._fit_columns()
        self._is_laying_out = False

    def _fit_columns(self) -> None:
        header = self.horizontalHeader()
        widths = self._wanted_widths()
        while sum(widths) > self.viewport().width() and max(widths) > _NARROWEST:
            widest = widths.index(max(widths))
            widths[widest] = max(widths[widest] - _STEP, _NARROWEST)
        for number, width in enumerate(widths):
            header.resizeSection(number, width)
        header.setSectionResizeMode(self.files.name_column, QHeaderView.ResizeMode.Stretch)

    def _wanted_widths(self) -> list[int]:
        header = self.horizontalHeader()
        wanted = [
            max(self.sizeHintForColumn(n), header.sectionSizeHint(n)) + _AIR for n in range(header.count())
        ]
        return [min(width, _WIDEST) for width in wanted]


class _NameDelegate(QStyledItemDelegate):
    """Names that are too long lose their middle, for what tells them apart is at the end."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle


# Files as a table: what each was taken for, how it is written, and where it belongs.


translate = QCoreApplication.translate
_SHORT_HASH = 12


class FileState(Enum):
    """The state of a file."""

    ASKED = "asked"
    REFUSED = "refused"
    FAILED = "failed"
    READY = "ready"
    OFFERED = "offered"
    UNUSED = "unused"


SIGNS = {
    FileState.ASKED: "?",
    FileState.REFUSED: "✕",
    FileState.FAILED: "✕",
    FileState.READY: "✓",
    FileState.OFFERED: "…",
    FileState.UNUSED: "–",
}


@dataclass(frozen=True)
class FileRow:
    """One file, in words. `rows` is None where nobody knows."""

    source: Source
    name: str
    taken_for: str
    rows: int | None
    dialect: str
    size: int
    sha256: str
    state: FileState = FileState.READY
    belongs_to: tuple[str, ...] = ()
    reason: str = ""  # why nothing can be made of it
    standing: str = ""  # where it is no longer what was read

    @property
    def state_in_words(self) -> str:
        """The state in words, with a sign before it: never by colour alone."""
        words = {
            FileState.ASKED: translate("Files", "Question"),
            FileState.REFUSED: translate("Files", "Not readable"),
            FileState.FAILED: translate("Files", "Audit failed"),
            FileState.READY: translate("Files", "Ready"),
            FileState.OFFERED: translate("Files", "To choose"),
            FileState.UNUSED: translate("Files", "Not used"),
        }
        return f"{SIGNS[self.state]}  {words[self.state]}"


def columns(*, with_states: bool) -> tuple[Column[FileRow], ...]:
    """The columns; those about what is still open only where something may be."""
    made: tuple[Column[FileRow], ...] = (
        Column(translate("Files", "State"), lambda row: row.state_in_words, key="open"),
        Column(translate("Files", "File"), _marked_name, is_name=True),
        Column(translate("Files", "Taken for"), lambda row: row.taken_for),
        Column(translate("Files", "Rows"), lambda row: _number(row.rows), is_number=True),
        Column(
            translate("Files", "Belongs to"),
            lambda row: ", ".join(row.belongs_to) or "–",
            key="open",
            is_name=True,
        ),
        Column(translate("Files", "Written as"), lambda row: row.dialect or "–"),
        Column(translate("Files", "Bytes"), lambda row: _number(row.size or None), is_number=True),
        Column(translate("Files", "SHA-256"), lambda row: row.sha256[:_SHORT_HASH] or "–"),
    )
    return tuple(one for one in made if with_states or one.key != "open")


class FilesModel(RowsModel[FileRow]):
    """A window onto a list of files."""

    def __init__(self, *, with_states: bool, parent: QObject | None = None) -> None:
        super().__init__(columns(with_states=with_states), parent)
        self._with_states = with_states

    @property
    def name_column(self) -> int:
        """Where the names of the files stand."""
        return 1 if self._with_states else 0

    def identity(self, row: FileRow) -> object:
        return row.source

    def whole_text(self, row: FileRow, column: int) -> str:
        """The text of a cell, of a hash all of it, of a file where it lies."""
        if column == self.name_column:
            return shown_name(row.source.place)
        if column == len(self.columns) - 1:
            return row.sha256
        return self.text(row, column)

    def tip(self, row: FileRow, column: int) -> str:
        return row.reason or self.whole_text(row, column)


def rows_of_arrival(arrival: Arrival) -> list[FileRow]:
    """The files of an arrival, those last that nothing can be made of."""
    rows = [_row_of_found(file, arrival) for file in arrival.plan.files]
    plan = arrival.plan
    refused = [(problem, FileState.REFUSED) for problem in plan.problems]
    refused += [(problem, FileState.UNUSED) for problem in plan.ignored]
    nothing = translate("Files", "nothing that can be read")
    found = {file.source for file in plan.files}
    asked = [question.source for question in plan.questions if question.source not in found]
    rows += [FileRow(source, "", "–", None, "", 0, "", FileState.ASKED) for source in asked]
    for problem, state in refused:
        rows.append(FileRow(problem.source, "", nothing, None, "", 0, "", state, (), str(problem.error)))
    return _named(rows)


def rows_of_entry(entry: Entry) -> list[FileRow]:
    """The files that an assessment rests on."""
    return _named([_row_of_input(file) for file in entry.files])


def _named(rows: Sequence[FileRow]) -> list[FileRow]:
    """The rows with names that tell the files apart: as many of their folders as that takes."""
    names = distinguishing_names([Path(row.source.path, row.source.member) for row in rows])
    return [replace(row, name=shown_name(name)) for row, name in zip(rows, names, strict=True)]


def _row_of_found(file: FoundFile, arrival: Arrival) -> FileRow:
    mine = arrival.of(file)
    asked = {question.source for question in arrival.plan.questions}
    wanted = {
        alternative.choice for question in arrival.plan.questions for alternative in question.alternatives
    }
    if file.source in asked:
        state = FileState.ASKED
    elif any(one.entry is None for one in mine):
        state = FileState.FAILED
    elif mine:
        state = FileState.READY
    else:
        state = FileState.OFFERED if file.source.place in wanted else FileState.UNUSED
    open_reading = len(file.readings) > 1
    return FileRow(
        file.source,
        "",
        translate("Files", "several ways to read it") if open_reading else words_of(file.reading),
        arrival.rows.get(file.source),
        str(file.dialect) if file.dialect else "",
        file.size,
        file.sha256,
        state,
        tuple(shown_name(one.planned.name) for one in mine),
    )


def _row_of_input(file: InputFile) -> FileRow:
    source = Source(file.path, file.member)
    taken_for = f"format.{file.format}" if knows(f"format.{file.format}") else f"file-role.{file.role}"
    remarks = next((str(remark) for remark in remarks_on_inputs([file])), "")
    return FileRow(
        source,
        "",
        say(taken_for),
        file.rows,
        list_as_said(file.dialect, "dialect"),
        file.size,
        file.sha256,
        standing=_standing(file),
        reason=remarks,
    )


def _standing(file: InputFile) -> str:
    texts = {
        InputState.AS_READ: "",
        InputState.CHANGED: translate("Files", "changed since it was read"),
        InputState.MISSING: translate("Files", "no longer there"),
    }
    return texts[file.state]


def _marked_name(row: FileRow) -> str:
    """The name, after a sign and words where the file is no longer what was read."""
    return "✕  " + named(row.standing, row.name) if row.standing else row.name


def _number(value: int | None) -> str:
    return "–" if value is None else grouped(value)
