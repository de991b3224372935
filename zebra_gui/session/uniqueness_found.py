"""How many people share their combination of attributes: counted by jobs when a pane asks, and kept."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from zebra_core.errors import ZebraError
from zebra_core.project.attributes import names_of_attributes
from zebra_core.project.items import Entry
from zebra_core.project.uniqueness import Uniqueness
from zebra_core.wording.texts import visible
from zebra_gui.jobs.jobs import Urgency
from zebra_gui.session import work
from zebra_gui.session.open_project import OpenProject


class UniquenessFound(QObject):
    """What was counted of the assessments of the session, or why nothing was.

    Signals:
        found: something is known of another assessment.
    """

    found = Signal()

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project
        self._known: dict[str, tuple[object, Uniqueness | None, str]] = {}
        project.left.connect(self._known.clear)

    def of(self, entry: Entry) -> Uniqueness | None:
        """What is known of an assessment; counted where it has attributes and nothing is known yet."""
        rests_on = _rests_on(entry)
        known, found, _ = self._known.get(entry.id, (None, None, ""))
        if known == rests_on or not names_of_attributes(entry):
            return found if known == rests_on else None
        self._known[entry.id] = rests_on, None, ""
        name = self.tr("Counting who shares their attributes in {name}")
        name = name.format(name=visible(entry.full_name))
        job = self._open.start_work(name, work.uniqueness, entry, is_reported=False, urgency=Urgency.SEEN)

        def take(found: Uniqueness | None, failure: str = "") -> None:
            if self._known.get(entry.id, (None,))[0] == rests_on:
                self._known[entry.id] = rests_on, found, failure
                self.found.emit()

        job.done.connect(take)
        job.failed.connect(lambda error: take(None, self._in_words(error)))
        job.cancelled.connect(lambda: None if job.is_dropped else take(None, self.tr("Stopped.")))
        return None

    def failure(self, entry: Entry) -> str:
        """Why there is nothing; empty while it is being counted."""
        known, _, failure = self._known.get(entry.id, (None, None, ""))
        return failure if known == _rests_on(entry) else ""

    def _in_words(self, error: Exception) -> str:
        """Why nothing was counted. A fault in the program is reported, too."""
        if isinstance(error, ZebraError):
            return visible(str(error), 1500)
        self._open.report_failure(error)
        return self.tr("Attributes could not be counted: see the problem above.")


def _rests_on(entry: Entry) -> object:
    """Counts rest on who is in the trials, attributes and predictions."""
    files = tuple((file.role, file.sha256) for file in entry.files)
    return entry.assessment.counts.digest, files
