"""How sure figures are, asked for by the user: one job for any number of entries, which keeps what it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.texts import visible

if TYPE_CHECKING:
    from core.project import Entry
    from core.uncertainty.settling import Settling
    from core.uncertainty.trust import Trust
    from zebra_gui.session import Session


class Trusting(QObject):
    """Starts the job, and gives the session what came of it; stopped, it keeps the replicates there are."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session

    def measure_selected(self) -> None:
        """Intervals and the line of no disclosure for the selected entry."""
        if (selected := self._session.selected) is not None:
            self._measure((selected,), self.tr("How sure is {name}?").format(name=visible(selected.name)))

    def measure_all(self) -> None:
        """The same for every entry."""
        if self._session.entries:
            self._measure(self._session.entries, self.tr("How sure are all figures?"))

    def settle_differences(self) -> None:
        """Test in every group whether its members differ, and which of their ranks are settled."""
        if self._session.project is not None:
            name = self.tr("Are the differences real?")
            job = self._session.start_work(
                name, "settle_differences", self._session.project, supersedes="settle", keeps_partial=True
            )
            job.done.connect(self._on_settled)

    def _measure(self, entries: tuple[Entry, ...], name: str) -> None:
        job = self._session.start_work(name, "how_sure", entries, supersedes="trust", keeps_partial=True)
        job.done.connect(self._on_measured)

    def _on_measured(self, found: Mapping[str, Trust]) -> None:
        still_so = [
            replace(entry, measured=found[entry.id])
            for entry in self._session.entries
            if entry.id in found and found[entry.id].is_of(entry.assessment)
        ]
        self._session.take_measured(still_so)

    def _on_settled(self, found: Settling) -> None:
        project = self._session.project
        for fault in found.faults:
            self._session.report_problem(fault)
        if project is not None and found.settled:
            text = self.tr("test of the differences")
            self._session.change(text, replace(project, differences=found.settled))
