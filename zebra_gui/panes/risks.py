"""The table against Opinion 05/2014, of the selected assessment: beside guessing, and above it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from zebra_core.project.items import Entry
from zebra_core.project.risks import heads, risks
from zebra_core.uncertainty.reidentification import Reidentification
from zebra_core.wording.names import with_aside
from zebra_core.wording.texts import say
from zebra_gui.session.session import Session
from zebra_gui.session.speaker_studies import StudiedComparisons
from zebra_gui.tables.facts import FactGrid
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import label, tell


class RisksTable(QWidget):
    """Each criterion in a row, as in a report, and below them what the columns mean."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._name = self.tr("Against Opinion 05/2014")
        self.grid = FactGrid()
        self.grid.setAccessibleName(self._name)
        self.means = label("", "quiet")
        in_column(
            label(self._name, "heading"), self.grid, self.means, on=self, margins=(4, 8, 4, 0), spacing=6
        )

    def show_risks(self, entry: Entry, found: Reidentification, people: int) -> None:
        """Show what is known of it among so many people; more of it once its speakers were looked at."""
        study = self._session.speaker_studies.of(StudiedComparisons(entry))
        attributes = self._session.findings.of("inference", entry) or ()
        rows = risks(found, attributes, study.disclosures if study else None, people)
        cells = [[with_aside(text, note) for text, note in risk.cells] for risk in rows]
        self.grid.show_table(heads(), cells, [say("risk.means")] * len(cells))
        tell(self.means, self._name, say("risk.means"))

    def forget(self) -> None:
        """Show nothing."""
        self.grid.forget()
        tell(self.means, self._name, "")
