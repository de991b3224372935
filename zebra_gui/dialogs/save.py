"""Before changes are lost: save them, don't, or go back."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


class SaveChoice(Enum):
    """What to do with changes that would be lost."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


class SaveDialog(QMessageBox):
    """The one question that stands in the way, for what it is about cannot be undone."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        buttons = QMessageBox.StandardButton
        self.setIcon(QMessageBox.Icon.Warning)
        self.setWindowTitle(self.tr("Save changes?"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(self.tr("Save the changes to “{name}”?").format(name=name))
        self.setInformativeText(self.tr("Changes that are not saved now will be lost."))
        self.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        self.setDefaultButton(buttons.Save)
        self.setEscapeButton(buttons.Cancel)
        self.button(buttons.Discard).setText(self.tr("&Don’t save"))

    def ask(self) -> SaveChoice:
        """Wait for the answer; the dialog is gone afterwards."""
        buttons = QMessageBox.StandardButton
        self.finished.connect(self.deleteLater)  # else every question stays as long as the window
        answers = {buttons.Save: SaveChoice.SAVE, buttons.Discard: SaveChoice.DISCARD}
        return answers.get(buttons(self.exec()), SaveChoice.CANCEL)
