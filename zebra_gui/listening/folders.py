"""The recordings of a listening test: originals, the copies of each safeguard, and who speaks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.report.fields import LineField
from zebra_gui.widgets.plain import ElidedLabel, choice_box, clear

if TYPE_CHECKING:
    from zebra_core.listening.recorded_folders import RecordedFolders

_NAME_WIDTH = 150


class FoldersForm(QWidget):
    """A line for the originals, one for each safeguard, and one that says who speaks.

    Signals:
        changed: other recordings, names or speakers.
    """

    changed = Signal()

    def __init__(
        self, choose: Callable[[str], str], choose_file: Callable[[str], str], parent: QWidget | None = None
    ) -> None:
        """`choose` and `choose_file` ask for a folder, and for a file, with a title; "" means no."""
        super().__init__(parent)
        self._choose, self._choose_file = choose, choose_file
        self._original: Path | None = None
        self._protected: list[tuple[LineField, Path]] = []
        self._sex: Path | None = None
        self._pairs: tuple[core.PairingSource, ...] = ()
        self.original = ElidedLabel()
        self.original_button = QPushButton(self.tr("&Original recordings…"))
        self.original_button.clicked.connect(self._on_original)
        self.add_button = QPushButton(self.tr("Add a &safeguard…"))
        self.add_button.clicked.connect(self._on_add)
        self.speakers = choice_box(
            self.tr("Who speaks"),
            (self.tr("The first folder is the speaker"), SpeakerRule.FIRST_FOLDER),
            (self.tr("The file name before its first hyphen"), SpeakerRule.BEFORE_HYPHEN),
            (self.tr("The file name before its first underscore"), SpeakerRule.BEFORE_UNDERSCORE),
        )
        self.speakers.activated.connect(self.changed)
        self.list_button = QPushButton(self.tr("&List of speakers…"))
        self.list_button.clicked.connect(self._on_list)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        who = QHBoxLayout()
        who.addWidget(self.speakers, 1)
        who.addWidget(self.list_button)
        top = QHBoxLayout()
        top.addWidget(self.original_button)
        top.addWidget(self.original, 1)
        rows.addLayout(top)
        rows.addLayout(self._grid)
        add = QHBoxLayout()
        add.addWidget(self.add_button)
        add.addStretch(1)
        rows.addLayout(add)
        rows.addLayout(who)
        self._show()

    @property
    def folders(self) -> RecordedFolders:
        """What is said so far."""
        from zebra_core.listening.recorded_folders import RecordedFolders

        protected = {name.text().strip(): folder for name, folder in self._protected}
        return RecordedFolders(self._original, protected, self.speakers.currentData(), self._sex, self._pairs)

    @property
    def names(self) -> list[str]:
        """What the safeguards are called, some perhaps the same."""
        return [name.text().strip() for name, _ in self._protected]

    def show_folders(self, found: RecordedFolders) -> None:
        """Take these."""
        self._original, self._sex, self._pairs = found.original, found.sex, found.pairs
        self._protected = [(self._named(name), folder) for name, folder in found.protected.items()]
        if found.speakers is not None:
            self._take_source(found.speakers)
        self._show()

    def add(self, folder: Path) -> None:
        """One more safeguard, called after its folder as far as names allow it."""
        from zebra_core.recordings.folder_roles import safeguard_name

        self._protected.append((self._named(safeguard_name(folder.name, self.names)), folder))
        self._show()

    def use_original(self, folder: Path) -> None:
        """Take the originals from here."""
        self._original = folder
        self._show()

    def _named(self, name: str) -> LineField:
        line = LineField(self.tr("Name of the safeguard"))
        line.setText(visible(name))
        line.setFixedWidth(_NAME_WIDTH)
        line.textChanged.connect(self.changed)
        return line

    def _take_source(self, source: core.Source) -> None:
        place = self.speakers.findData(source)
        if place < 0 and not isinstance(source, SpeakerRule):
            self.speakers.addItem(visible(source.name), source)
            place = self.speakers.count() - 1
        self.speakers.setCurrentIndex(max(0, place))

    def _show(self) -> None:
        nothing = self.tr("No folder is chosen")
        self.original.show_text(visible(str(self._original), 200) if self._original else nothing)
        for name, _ in self._protected:
            self._grid.removeWidget(name)
            name.setParent(self)
        clear(self._grid)
        for row, (name, folder) in enumerate(self._protected):
            place = ElidedLabel()
            place.show_text(visible(str(folder), 200))
            gone = QPushButton(self.tr("Remove"))
            gone.setAccessibleName(self.tr("Remove {name}").format(name=visible(folder.name)))
            gone.clicked.connect(lambda _on=False, number=row: self._remove(number))
            for column, widget in enumerate((name, place, gone)):
                self._grid.addWidget(widget, row, column)
            name.show()
        self.changed.emit()

    def _remove(self, number: int) -> None:
        name, _ = self._protected.pop(number)
        self._grid.removeWidget(name)
        name.hide()
        name.deleteLater()
        self._show()
        self.add_button.setFocus()

    def _on_original(self) -> None:
        if name := self._choose(self.tr("Folder of original recordings")):
            self.use_original(Path(name))

    def _on_add(self) -> None:
        if name := self._choose(self.tr("Folder of the copies under one safeguard")):
            self.add(Path(name))

    def _on_list(self) -> None:
        title = self.tr("List of who speaks: utt2spk, spk2utt, or a table with a header")
        if name := self._choose_file(title):
            self._take_source(Path(name))
            self.changed.emit()
