"""How many people share their combination of attributes, as the Law pane draws and says it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject

from zebra_core.figures.uncertainty import uniqueness_figure
from zebra_core.project.attributes import names_of_attributes
from zebra_core.project.items import Entry
from zebra_core.project.uniqueness import Uniqueness, before_and_after, original_of
from zebra_gui.panes.pane import MakeFigure
from zebra_gui.session.session import Session

PICTURE = "people-uniqueness"


class UniquenessChoice(QObject):
    """What is known of the assessments in question."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session

    def found(self, entries: Sequence[Entry]) -> dict[str, Uniqueness]:
        """What is known, by the id of the entry; counted where nothing is yet."""
        known = {entry.id: self._session.findings.of("uniqueness", entry) for entry in entries}
        return {key: each for key, each in known.items() if each is not None}

    def make_figure(self, entries: Sequence[Entry], selected: Entry) -> MakeFigure | None:
        """What draws the people by their true attributes and as inferred."""
        made = before_and_after(entries, self.found(entries))
        return partial(uniqueness_figure, made, selected_id=selected.id) if made else None

    def in_words(self, entries: Sequence[Entry], selected: Entry) -> str:
        """What is said of the selected assessment, or why nothing is."""
        if not names_of_attributes(selected):
            return self.tr(
                "To count who shares their attributes, drop lists on the window; a line is: speaker value."
            )
        found = self.found(entries)
        if selected.id not in found:
            failure = self._session.findings.failure("uniqueness", selected)
            return failure or self.tr("Counting who shares their attributes …")
        original = original_of(selected, entries, found)
        return " ".join(found[selected.id].sentences(selected, original[1] if original else None))
