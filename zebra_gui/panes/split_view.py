"""A table and its picture: side by side, one above the other, or one of them with all the room."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QToolButton, QWidget

from zebra_gui.widgets.layouts import FitsRoom
from zebra_gui.widgets.theme import with_text

_ROOM_FOR_BOTH = 560  # pixels, with text in its normal size; lower than this neither could be used


class SplitView(FitsRoom, QSplitter):
    """Two parts with a border that can be moved, and a button for each that gives it all the room.

    From `wide` pixels on, with text in its normal size, they lie side by side, else one above the other.
    Where there is room for one only it is the first, until the user wants it otherwise.
    """

    def __init__(self, wide: int, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._wide = wide
        self._parts: tuple[QWidget, ...] = ()
        self._was_chosen, self._has_picture = False, True
        self.setChildrenCollapsible(False)
        self.table_only = self._button(
            self.tr("Table only"), self.tr("Enlarge the table, and hide the picture")
        )
        self.picture_only = self._button(
            self.tr("Picture only"), self.tr("Enlarge the picture, and hide the table")
        )

    def show_parts(self, table: QWidget, picture: QWidget, share: float) -> None:
        """Show these; the table gets that share of the room, 0 … 1, until the user moves the border."""
        self._parts = table, picture
        self.addWidget(table)
        self.addWidget(picture)
        self.setSizes([round(1000 * share), round(1000 * (1.0 - share))])

    def have_picture(self, *, is_there: bool) -> None:
        """Whether there is a picture to be shown at all; without one the table has all the room."""
        self._has_picture = is_there
        self.table_only.setVisible(is_there)
        self._share_out()

    def arrange(self) -> None:
        is_wide = self.width() >= with_text(self._wide, self)
        self.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
        if not self._was_chosen:
            self.table_only.setChecked(not is_wide and self.height() < with_text(_ROOM_FOR_BOTH, self))
            self._share_out()

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(text)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(self._on_chosen)
        return button

    def _on_chosen(self) -> None:
        self._was_chosen = True
        self._share_out()

    def _share_out(self) -> None:
        if self._parts:
            table, picture = self._parts
            table.setVisible(not (self.picture_only.isChecked() and self._has_picture))
            picture.setVisible(self._has_picture and not self.table_only.isChecked())
