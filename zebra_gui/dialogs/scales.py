"""The scales: which tag a worst case gets, and a verbal scale that may be shown beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from zebra_core.errors import InputError
from zebra_core.metrics.scales import (
    ENFSI_LIKE_SCALE,
    PAPER_SCALE,
    TagScale,
    VerbalScale,
    tag_scale_of,
    verbal_scale_of,
)
from zebra_core.wording.texts import as_kept, as_said, written
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import in_column, in_row, label, tell


class ScalesDialog(QDialog):
    """Stays open beside the window; what is applied can be undone there."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setWindowTitle(self.tr("Tag scale"))
        self.tags = EditableRows(
            self.tr("Tags"), [self.tr("Tag"), self.tr("From |log10 LR|"), self.tr("Words")]
        )
        self.restore_tags = QPushButton(self.tr("Restore the papers’ Table 1"))
        self.restore_tags.clicked.connect(lambda: self.tags.show_rows(_rows_of_tags(PAPER_SCALE)))
        self.has_verbal = QCheckBox(self.tr("Show a &verbal scale beside the tags"))
        self.has_verbal.toggled.connect(self._on_verbal_toggled)
        self.name = QLineEdit()
        self.name.setAccessibleName(self.tr("Name of the verbal scale"))
        self.levels = EditableRows(self.tr("Levels"), [self.tr("From |log10 LR|"), self.tr("Words")])
        self.restore_levels = QPushButton(self.tr("Restore the ENFSI style"))
        self.restore_levels.clicked.connect(lambda: self._show_verbal(ENFSI_LIKE_SCALE))
        self.problem = label(tone="problem")
        self.apply = QPushButton(self.tr("&Apply"))
        self.apply.setProperty("look", "main")
        self.apply.setDefault(True)
        self.apply.clicked.connect(self._on_apply)
        self.close_button = QPushButton(self.tr("Close"))
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.close)
        for table in (self.tags, self.levels):
            table.changed_by = self._check
        self.name.textChanged.connect(self._check)
        self._lay_out()
        session.project_changed.connect(self.show_project)
        self.show_project()
        self.resize(760, 680)

    def show_project(self) -> None:
        """Show the scales of the open project."""
        project = self._session.project
        tags = project.tag_scale if project else PAPER_SCALE
        verbal = project.verbal_scale if project else None
        self.tags.show_rows(_rows_of_tags(tags))
        self.has_verbal.setChecked(verbal is not None)
        self._show_verbal(verbal or ENFSI_LIKE_SCALE)
        self._on_verbal_toggled()

    def _lay_out(self) -> None:
        explanation = self.tr(
            "A tag applies from its bound up to the next. The first is for no evidence at all, so the "
            "first two begin at 0. The scale belongs to the project and is printed with its reports."
        )
        in_column(
            label(explanation, "quiet"),
            (self.tags, 1),
            self._row_buttons(self.tags, self.restore_tags),
            in_row(self.has_verbal, (self.name, 1)),
            (self.levels, 1),
            self._row_buttons(self.levels, self.restore_levels),
            in_row((self.problem, 1000), 1, self.apply, self.close_button),
            on=self,
            margins=(18, 16, 18, 16),
            spacing=10,
        )

    def _row_buttons(self, table: EditableRows, restore: QPushButton) -> QHBoxLayout:
        add, remove = QPushButton(self.tr("Add a row")), QPushButton(self.tr("Remove the row"))
        add.clicked.connect(table.add_row)
        remove.clicked.connect(table.remove_row)
        row = in_row(add, remove, 1, restore)
        for button in (add, remove, restore):
            button.setAutoDefault(False)
        table.buttons = (add, remove, restore)
        return row

    def _show_verbal(self, scale: VerbalScale) -> None:
        self.name.setText(as_said(scale.name, "verbal"))
        self.levels.show_rows(
            [(written(level.from_log10_lr, ".10g"), as_said(level.words, "verbal")) for level in scale.levels]
        )

    def _on_verbal_toggled(self) -> None:
        has_verbal = self.has_verbal.isChecked()
        for widget in (self.name, self.levels, *self.levels.buttons):
            widget.setEnabled(has_verbal)
        self._check()

    def _scales(self) -> tuple[TagScale, VerbalScale | None]:
        """What was typed. Raises InputError where it is no scale."""
        tags = tag_scale_of([(*row, as_kept(words, "tag")) for *row, words in self.tags.rows()])
        if not self.has_verbal.isChecked():
            return tags, None
        levels = [(bound, as_kept(words, "verbal")) for bound, words in self.levels.rows()]
        return tags, verbal_scale_of(as_kept(self.name.text(), "verbal"), levels)

    def _check(self) -> None:
        """Say in place what is wrong, as soon as it is."""
        try:
            self._scales()
        except InputError as error:
            wrong = str(error)
        else:
            wrong = ""
        tell(self.problem, self.tr("What is wrong with the scale"), wrong)
        self.problem.setVisible(bool(wrong))
        self.apply.setEnabled(not self.problem.text())

    def _on_apply(self) -> None:
        self._session.set_scales(*self._scales())


class EditableRows(QTableWidget):
    """Rows of text that can be typed in, added and removed."""

    def __init__(self, name: str, headings: Sequence[str]) -> None:
        super().__init__(0, len(headings))
        self.changed_by: Callable[[], None] = _nothing
        self.buttons: tuple[QPushButton, ...] = ()
        self.setAccessibleName(name)
        self.setHorizontalHeaderLabels(list(headings))
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setSectionResizeMode(len(headings) - 1, QHeaderView.ResizeMode.Stretch)
        self.itemChanged.connect(lambda _item: self.changed_by())

    def rows(self) -> list[tuple[str, ...]]:
        """What was typed."""
        columns = range(self.columnCount())
        return [tuple(self._text(row, column) for column in columns) for row in range(self.rowCount())]

    def show_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these rows in the place of the old ones."""
        self.blockSignals(True)
        self.setRowCount(len(rows))
        for row, texts in enumerate(rows):
            for column, text in enumerate(texts):
                self.setItem(row, column, QTableWidgetItem(text))
        self.blockSignals(False)
        self.changed_by()

    def add_row(self) -> None:
        """Add an empty row after the current one, and go there."""
        row = self.currentRow() + 1 if self.currentRow() >= 0 else self.rowCount()
        self.insertRow(row)
        self.setCurrentCell(row, 0)
        self.changed_by()

    def remove_row(self) -> None:
        """Remove the current row."""
        if self.currentRow() >= 0:
            self.removeRow(self.currentRow())
            self.changed_by()

    def _text(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return item.text().strip() if item else ""


def _nothing() -> None:
    """Nobody wants to know yet."""


def _rows_of_tags(scale: TagScale) -> list[tuple[str, str, str]]:
    return [(tag.letter, written(tag.from_log10_lr, ".10g"), as_said(tag.words, "tag")) for tag in scale.tags]
