"""The dialog that asks for the formats in which all pictures are saved."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QDialog, QPushButton, QWidget

from zebra_gui.settings import settings
from zebra_gui.widgets.layouts import in_column, in_row, label

_SETTING = "picture_kinds"
_FIRST = "png"


class PicturesDialog(QDialog):
    """Asks for formats; those chosen last time are ticked."""

    def __init__(self, kinds: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("All pictures"))
        texts = {
            "png": self.tr("P&NG, for slides and word processors"),
            "pdf": self.tr("P&DF, sharp at any size"),
            "svg": self.tr("&SVG, to be edited"),
            "tex": self.tr("&TeX (pgfplots), for papers"),
            "csv": self.tr("&CSV, the numbers that are drawn"),
        }
        chosen = str(settings().value(_SETTING, _FIRST)).split()
        self.boxes = {kind: QCheckBox(texts[kind]) for kind in kinds}
        layout = in_column(
            label(self.tr("Every picture of every pane, each as a file of its own:")),
            on=self,
            margins=(18, 16, 18, 14),
            spacing=10,
        )
        for kind, box in self.boxes.items():
            box.setChecked(kind in chosen)
            box.toggled.connect(self._on_toggled)
            layout.addWidget(box)
        self.folder_button = QPushButton(self.tr("Choose the &folder…"))
        self.folder_button.setDefault(True)
        self.folder_button.clicked.connect(self.accept)
        cancel = QPushButton(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        buttons = in_row(1, cancel, self.folder_button)
        layout.addSpacing(6)
        layout.addLayout(buttons)
        self._on_toggled()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The formats that are ticked, in their order."""
        return tuple(kind for kind, box in self.boxes.items() if box.isChecked())

    def ask(self) -> tuple[str, ...]:
        """Wait for the answer, which is remembered; empty where the user says no."""
        self.finished.connect(self.deleteLater)
        if self.exec() != QDialog.DialogCode.Accepted:
            return ()
        settings().setValue(_SETTING, " ".join(self.chosen))
        return self.chosen

    def _on_toggled(self) -> None:
        self.folder_button.setEnabled(bool(self.chosen))
