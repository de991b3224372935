"""Protected copies of recordings by a reference safeguard: of which, how, and where to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFormLayout,
    QPushButton,
    QRadioButton,
    QWidget,
)

import zebra_resources
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.speakers import Source
from zebra_core.wording.texts import say, visible
from zebra_gui.recordings.work import ProtectionRequest
from zebra_gui.widgets.decimal_box import DecimalBox, WholeBox
from zebra_gui.widgets.layouts import ElidedLabel, choice_box, in_column, in_row, label

_B2 = 0.8
_MOST_SEED = 2**31 - 1
_WIDTH = 520


class ProtectDialog(QDialog):
    """Asks for the recordings, the coefficients and a folder; `choose` asks for a folder with a title."""

    def __init__(
        self,
        folder: Path | None,
        source: Source | None,
        choose: Callable[[str], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Controls: copies under a safeguard known to be weak"))
        self._choose = choose
        self._folder, self._chosen_out = folder, Path()
        self.folder, self.out = ElidedLabel(), ElidedLabel()
        self.folder_button = QPushButton(self.tr("&Recordings…"))
        self.folder_button.clicked.connect(self._on_folder)
        self.out_button = QPushButton(self.tr("&Copies…"))
        self.out_button.clicked.connect(self._on_out)
        self.same = QRadioButton(self.tr("&The same coefficient for all (B2)"))
        self.by_recording = QRadioButton(self.tr("&Drawn for each recording (B2r)"))
        self.by_speaker = QRadioButton(self.tr("Drawn for each &speaker (B2r)"))
        self.same.setChecked(True)
        self._kinds = QButtonGroup(self)
        self.coefficient = DecimalBox()
        self.coefficient.setRange(0.1, 2.0)
        self.coefficient.setSingleStep(0.05)
        self.coefficient.setValue(_B2)
        self.coefficient.setAccessibleName(self.tr("McAdams coefficient"))
        self.seed = WholeBox()
        self.seed.setRange(0, _MOST_SEED)
        self.seed.setAccessibleName(self.tr("Seed of the draws"))
        self.speakers = choice_box(
            self.tr("Who speaks"),
            *([(visible(source.name), source)] if isinstance(source, Path) else []),
            (self.tr("The first folder is the speaker"), SpeakerRule.FIRST_FOLDER),
            (self.tr("The file name before its first hyphen"), SpeakerRule.BEFORE_HYPHEN),
            (self.tr("The file name before its first underscore"), SpeakerRule.BEFORE_UNDERSCORE),
        )
        self.speakers.show_value(source)
        self.protect_button = QPushButton(self.tr("&Protect"))
        self.protect_button.setDefault(True)
        self.protect_button.clicked.connect(self.accept)
        for kind in (self.same, self.by_recording, self.by_speaker):
            self._kinds.addButton(kind)
            kind.toggled.connect(self._show)
        self._lay_out()
        for button, place in ((self.folder_button, self.folder), (self.out_button, self.out)):
            button.setMinimumHeight(button.sizeHint().height())  # a form gives its names less than they need
            place.setMinimumHeight(button.minimumHeight())
        self._show()

    @property
    def _out(self) -> Path | None:
        """Where the copies go: beside the recordings, but for the demo's; or where the user says."""
        if self._chosen_out != Path():
            return self._chosen_out
        if self._folder is None or self._folder.is_relative_to(zebra_resources.path("recordings")):
            return None
        return self._folder.with_name("B2" if self.same.isChecked() else "B2r")

    @property
    def asked(self) -> ProtectionRequest | None:
        """What is to be done, where all is said."""
        if self._folder is None or self._out is None:
            return None
        if self.same.isChecked():
            return ProtectionRequest(self._folder, self._out, self.coefficient.value())
        by_speaker = self.by_speaker.isChecked()
        return ProtectionRequest(
            self._folder,
            self._out,
            None,
            "speaker" if by_speaker else "utterance",
            self.seed.value(),
            self.speakers.currentData() if by_speaker else None,
        )

    def ask(self) -> ProtectionRequest | None:
        """Wait for the answer; None where the user says no."""
        self.finished.connect(self.deleteLater)
        return self.asked if self.exec() == QDialog.DialogCode.Accepted else None

    def use(self, folder: Path | None = None, out: Path | None = None) -> None:
        """Take these folders."""
        self._folder, self._chosen_out = folder or self._folder, out or self._chosen_out
        self._show()

    def _lay_out(self) -> None:
        layout = in_column(on=self, margins=(18, 16, 18, 14), spacing=10)
        about = self.tr(
            "Copies of recordings under the McAdams safeguard of the VoicePrivacy challenges. Names, "
            "lengths, sample rates and levels stay as they are."
        )
        layout.addWidget(label(about))
        layout.addWidget(label(say("recordings.weak-by-design"), "warning"))
        self._form = QFormLayout()
        self._form.addRow(self.folder_button, self.folder)
        for kind in (self.same, self.by_recording, self.by_speaker):
            self._form.addRow("", kind)
        self._form.addRow(self.tr("McAdams coefficient"), self.coefficient)
        self._form.addRow(self.tr("Who speaks"), self.speakers)
        self._form.addRow(self.tr("Seed"), self.seed)
        self._form.addRow(self.out_button, self.out)
        layout.addLayout(self._form)
        cancel = QPushButton(self.tr("Cancel"))
        cancel.clicked.connect(self.reject)
        buttons = in_row(1, cancel, self.protect_button)
        layout.addLayout(buttons)
        self.setMinimumWidth(_WIDTH)

    def _show(self) -> None:
        nothing = self.tr("No folder is chosen")
        self.folder.show_text(visible(str(self._folder), 200) if self._folder else nothing)
        self.out.show_text(visible(str(self._out), 200) if self._out else nothing)
        is_drawn = not self.same.isChecked()
        self._form.setRowVisible(self.coefficient, not is_drawn)
        self._form.setRowVisible(self.seed, is_drawn)
        self._form.setRowVisible(self.speakers, self.by_speaker.isChecked())
        self.protect_button.setEnabled(self.asked is not None)

    def _on_folder(self) -> None:
        if name := self._choose(self.tr("Recordings to protect")):
            self.use(folder=Path(name))

    def _on_out(self) -> None:
        if name := self._choose(self.tr("Folder for the protected copies")):
            self.use(out=Path(name))
