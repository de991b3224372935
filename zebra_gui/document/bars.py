"""Bars about the document: changes to recover, a file that is open elsewhere, files that are not as read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QFileInfo, QLocale
from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.wording.texts import named, quoted, visible
from zebra_gui.document.document import Documents
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import shown_name
from zebra_gui.widgets.notice import Notice

_MOST_NAMES = 3


class RecoveryBar(Notice):
    """Unsaved changes that a program which ended unexpectedly has left."""

    def __init__(self, documents: Documents, parent: QWidget | None = None) -> None:
        super().__init__("notice", self.tr("Changes to recover"), QPushButton(self.tr("Discard")), parent)
        self._documents = documents
        self.recover_button = self.add_button(QPushButton(self.tr("Recover")))
        self.recover_button.setAccessibleName(self.tr("Recover the changes"))
        self.button.setAccessibleName(self.tr("Discard the changes that were left"))
        self.recover_button.clicked.connect(documents.recover)
        self.button.clicked.connect(documents.leftovers.discard)
        documents.leftovers.changed.connect(self._show_offer)
        self._show_offer()

    def _show_offer(self) -> None:
        path = self._documents.leftovers.offered
        if path is None:
            self.show_text("")
            return
        if self._documents.path is not None:
            text = self.tr(
                "ZEBRA ended unexpectedly: changes to “{name}” of {when} were not saved, but are not lost."
            )
        else:
            text = self.tr("ZEBRA ended unexpectedly: a project of {when} was never saved, but is not lost.")
        self.show_text(text.format(name=self._documents.name, when=_when(path)))


class LockedBar(Notice):
    """The file is open in another window: it can be looked at, and saved under another name."""

    def __init__(self, documents: Documents, parent: QWidget | None = None) -> None:
        super().__init__("notice", self.tr("Open elsewhere"), QPushButton(self.tr("Save anyway")), parent)
        self._documents = documents
        self.save_as_button = self.add_button(QPushButton(self.tr("Save as…")))
        self.button.setAccessibleName(self.tr("Save the file anyway"))
        self.save_as_button.clicked.connect(self._on_save_as)
        self.button.clicked.connect(documents.write_all_the_same)
        documents.changed.connect(self._show_holder)
        self._show_holder()

    def _on_save_as(self) -> None:
        self._documents.save_as()

    def _show_holder(self) -> None:
        text = self.tr(
            "“{name}” is open elsewhere ({holder}). You can look at it, and save it under another name."
        )
        holder = self._documents.locked_by
        self.show_text(text.format(name=self._documents.name, holder=holder) if holder else "")


class InputsBar(Notice):
    """Files that the project rests on and that are missing or have changed."""

    def __init__(
        self, session: Session, find: QPushButton, read_again: QPushButton, parent: QWidget | None = None
    ) -> None:
        super().__init__("notice", self.tr("Files of the project"), QPushButton(self.tr("Dismiss")), parent)
        self._session = session
        self._dismissed: frozenset[Path] = frozenset()
        self.read_again_button = self.add_button(read_again)
        self.find_button = self.add_button(find)
        self.button.setAccessibleName(self.tr("Dismiss what is said about the files"))
        self.button.clicked.connect(self._on_dismissed)
        session.project_changed.connect(self._show_files)
        self._show_files()

    def _on_dismissed(self) -> None:
        self._dismissed = self._files("missing") | self._files("changed") | frozenset(self._replaced())
        self._show_files()

    def _files(self, state: str) -> frozenset[Path]:
        items = self._session.project.items if self._session.project else ()
        return frozenset(file.path for item in items for file in item.files if file.state.value == state)

    def _replaced(self) -> dict[Path, str]:
        """A sentence on each file that has changed, while its bytes were found elsewhere, by its place."""
        from zebra_core.evidence.audit import replaced_files

        items = self._session.project.items if self._session.project else ()
        return replaced_files(file for item in items for file in item.files)

    def _show_files(self) -> None:
        missing, changed = self._files("missing"), self._files("changed")
        replaced = self._replaced()
        every = missing | changed | frozenset(replaced)
        self._dismissed &= every  # what was read again and changes once more is told once more
        if not every - self._dismissed:
            self.show_text("")
            return
        self.find_button.setVisible(bool(missing))
        self.read_again_button.setVisible(bool(changed))
        sentences = []
        if missing:
            sentences.append(
                self.tr("No longer where they were: {names}.").format(names=self._names(missing))
            )
        if changed:
            sentences.append(
                self.tr("Changed since they were read: {names}.").format(names=self._names(changed))
            )
        if missing or changed:
            sentences.append(self.tr("The figures are those of the files as they were."))
        self.show_text(" ".join([*sentences, *replaced.values()]))

    def _names(self, paths: frozenset[Path]) -> str:
        """The files, each after the safeguard that rests on it: many are called alike."""
        items = self._session.project.items if self._session.project else ()
        owners: dict[Path, list[str]] = {path: [] for path in sorted(paths)}
        for item in items:
            for file in item.files:
                if file.path in owners and item.own_name not in owners[file.path]:
                    owners[file.path].append(item.own_name)
        shown = [_named(path, names) for path, names in owners.items()]
        more = len(shown) - _MOST_NAMES
        return ", ".join(shown) if more <= 0 else f"{', '.join(shown[:_MOST_NAMES])} … (+{more})"


def _named(path: Path, owners: Sequence[str]) -> str:
    file = quoted(f"{visible(path.parent.name)}/{visible(path.name)}")
    return named(shown_name(owners[0]), file) if len(owners) == 1 else file  # a key is everybody's


def _when(path: Path) -> str:
    moment = QFileInfo(str(path)).lastModified()
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)
