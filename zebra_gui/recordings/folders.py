"""The folders that were dropped: which are originals, which are protected, and by which safeguard."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QWidget

from zebra_core.recordings.folder_roles import DroppedFolders, FolderRole, RecordingsFolder
from zebra_core.recordings.overview import RecordingChoices
from zebra_core.wording.texts import grouped, visible
from zebra_gui.language.translating import for_count
from zebra_gui.panes.pane import Card
from zebra_gui.report.fields import LineField
from zebra_gui.widgets.plain import ElidedLabel, choice_box, clear, label, tooltip


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
