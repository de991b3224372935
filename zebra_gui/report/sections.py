"""The sections of the report: ticked, put in order, annotated."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from zebra_core.project.report_settings import ReportSettings, Section
from zebra_gui.report.fields import MoveKeys, Prose
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import label

_ROLE = Qt.ItemDataRole.UserRole


class SectionList(QWidget):
    """The list, and below it the note of the section that is chosen in it.

    Signals:
        changed: the report's settings as the user wants them now.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = ReportSettings()
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Sections of the report"))
        self.list.setAccessibleDescription(
            self.tr("Space includes a section or leaves it out; Alt+Up and Alt+Down move it.")
        )
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        for section in Section:
            item = QListWidgetItem(section.heading)
            item.setData(_ROLE, section.value)
            self.list.addItem(item)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setFixedHeight(self.list.sizeHintForRow(0) * len(Section) + 24)
        self.list.setCurrentRow(0)
        self.note_head = label(tone="quiet")
        self.note = Prose(self.tr("Note in the chosen section"), 3)
        self._keys = MoveKeys(self.list)
        layout = in_column(self.list, self.note_head, self.note, on=self, margins=0)
        hint = self.tr(
            "Tick what the report contains; drag, or press Alt+Up and Alt+Down, to change the order."
        )
        layout.insertWidget(0, label(hint, "quiet"))
        self.list.itemChanged.connect(self._on_ticked)
        self.list.currentItemChanged.connect(lambda *_: self._show_note())
        self.list.model().rowsMoved.connect(lambda *_: self._on_dragged())
        self._keys.moved.connect(self._on_moved)
        self.note.settled.connect(self._on_noted)

    @property
    def chosen(self) -> Section:
        """The section that the user looks at."""
        return _section_of(self.list.currentItem() or self.list.item(0))

    def show_settings(self, settings: ReportSettings) -> None:
        """Show these settings; the chosen section stays so."""
        chosen = self.chosen
        self._settings = settings
        with QSignalBlocker(self.list), QSignalBlocker(self.list.model()):
            items = {_section_of(item): item for item in self._taken()}
            for row, section in enumerate(settings.order):
                item = items[section]
                ticked = section not in settings.left_out
                item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
                self.list.insertItem(row, item)
            self.list.setCurrentRow(settings.order.index(chosen))
        self.list.viewport().update()
        self._show_note()

    def _taken(self) -> list[QListWidgetItem]:
        return [self.list.takeItem(0) for _ in range(self.list.count())]

    def _show_note(self) -> None:
        name = self.chosen.heading
        self.note_head.setText(self.tr("Note in “{section}” (Markdown)").format(section=name))
        self.note.show_value(self._settings.notes.get(self.chosen, ""))

    def _on_ticked(self, item: QListWidgetItem) -> None:
        ticked = item.checkState() is Qt.CheckState.Checked
        self.changed.emit(self._settings.ticking(_section_of(item), ticked=ticked))

    def _on_moved(self, step: int) -> None:
        self.changed.emit(self._settings.moving(self.chosen, self.list.currentRow() + step))

    def _on_dragged(self) -> None:
        order = [_section_of(self.list.item(row)) for row in range(self.list.count())]
        section = next(
            (one for one, old in zip(order, self._settings.order, strict=True) if one != old), None
        )
        if section is None:
            return
        # One section was moved: it is the one without which both orders are the same.
        for moved in Section:
            made = self._settings.moving(moved, order.index(moved))
            if list(made.order) == order:
                self.changed.emit(made)
                return

    def _on_noted(self, text: str) -> None:
        self.changed.emit(self._settings.noting(self.chosen, text))


def _section_of(item: QListWidgetItem) -> Section:
    return Section(item.data(_ROLE))
