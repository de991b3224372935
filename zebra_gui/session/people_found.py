"""How well people are linked and singled out: looked for by jobs when a pane asks, and kept."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from zebra_core.errors import ZebraError
from zebra_core.project.attributes import NamedAttribute, names_of_attributes
from zebra_core.project.items import Entry
from zebra_core.uncertainty.reidentification import Reidentification
from zebra_core.wording.texts import visible
from zebra_gui.jobs.jobs import Job, Urgency
from zebra_gui.session import work
from zebra_gui.session.counting_again import RecountConsent
from zebra_gui.session.open_project import OpenProject


class PeopleFound(QObject):
    """What was found of the assessments of the session, by their figures.

    Signals:
        found: something is known of another assessment, or why it cannot be.
    """

    found = Signal()

    def __init__(self, project: OpenProject, counting_again: RecountConsent) -> None:
        super().__init__(project)
        self._open = project
        self._counting_again = counting_again
        self._known: dict[str, tuple[object, Reidentification]] = {}
        self._failed: dict[str, tuple[object, str]] = {}
        self._asked: dict[str, tuple[object, Job]] = {}
        self._inferred: dict[str, tuple[object, tuple[NamedAttribute, ...], str]] = {}
        project.left.connect(self._on_left)

    def of(self, entry: Entry) -> Reidentification | None:
        """What is known of an assessment; asked for where there is nothing yet."""
        counts = entry.assessment.counts
        known, found = self._known.get(entry.id, (None, None))
        if known is counts:
            return found
        if self._failed.get(entry.id, (None, ""))[0] is counts:
            return None
        asked_for, job = self._asked.get(entry.id, (None, None))
        if (job is None or asked_for is not counts) and not self._counting_again.offer(entry):
            self._start(entry)
        return None

    def failure(self, entry: Entry) -> str:
        """Why there is nothing; empty while it is being looked for."""
        counts, said = self._failed.get(entry.id, (None, ""))
        return said if counts is entry.assessment.counts else ""

    def inferred(self, entry: Entry) -> tuple[NamedAttribute, ...]:
        """What is told of attributes of the speakers; looked for where any came along."""
        rests_on = _rests_on(entry)
        known, attributes, _ = self._inferred.get(entry.id, (None, (), ""))
        if known == rests_on or not names_of_attributes(entry):
            return attributes if known == rests_on else ()
        self._inferred[entry.id] = rests_on, (), ""
        name = self.tr("Looking for what is told of the speakers of {name}")
        name = name.format(name=visible(entry.full_name))
        job = self._open.start_work(name, work.inference, entry, is_reported=False, urgency=Urgency.SEEN)

        def take(attributes: tuple[NamedAttribute, ...], failure: str = "") -> None:
            self._on_inferred(entry.id, rests_on, attributes, failure)

        job.done.connect(take)
        job.failed.connect(lambda error: take((), self._in_words(error)))
        job.cancelled.connect(lambda: None if job.is_dropped else take((), self._in_words(None)))
        return ()

    def inferred_in_words(self, entry: Entry) -> tuple[str, ...]:
        """What is told of attributes as sentences, or why there is nothing."""
        attributes = self.inferred(entry)
        known, _, failure = self._inferred.get(entry.id, (None, (), ""))
        failed = [failure] if failure and known == _rests_on(entry) else []
        return (*(each.in_words(name) for name, each in attributes), *failed)

    def _on_inferred(
        self, entry_id: str, rests_on: object, attributes: tuple[NamedAttribute, ...], failure: str
    ) -> None:
        if self._inferred.get(entry_id, (None,))[0] == rests_on:
            self._inferred[entry_id] = rests_on, attributes, failure
            self.found.emit()

    def _on_left(self) -> None:
        self._inferred.clear()
        self._known.clear()
        self._failed.clear()
        self._asked.clear()

    def _start(self, entry: Entry) -> None:
        counts = entry.assessment.counts
        name = self.tr("Looking for people in {name}").format(name=visible(entry.full_name))
        job = self._open.start_work(name, work.people, entry, is_reported=False, urgency=Urgency.SEEN)
        self._asked[entry.id] = counts, job
        job.done.connect(lambda found: self._on_done(entry.id, counts, found))
        job.failed.connect(lambda error: self._on_failed(entry.id, counts, error))
        job.cancelled.connect(lambda: None if job.is_dropped else self._on_failed(entry.id, counts, None))

    def _is_waited_for(self, entry_id: str, counts: object) -> bool:
        """Whether nobody has asked for other figures of it since; then nobody waits any more."""
        asked_for, _ = self._asked.get(entry_id, (counts, None))
        if asked_for is counts:
            self._asked.pop(entry_id, None)
        return asked_for is counts

    def _on_done(self, entry_id: str, counts: object, found: Reidentification) -> None:
        if not self._is_waited_for(entry_id, counts):
            return
        self._known[entry_id] = counts, found
        self.found.emit()

    def _on_failed(self, entry_id: str, counts: object, error: Exception | None) -> None:
        if not self._is_waited_for(entry_id, counts):
            return
        said = self._in_words(error)
        self._failed[entry_id] = counts, visible(said, 1500)
        self.found.emit()

    def _in_words(self, error: Exception | None) -> str:
        """Why nothing was found; None where the user stopped it. A fault in the program is reported, too."""
        if error is None:
            return self.tr("Stopped.")
        if isinstance(error, ZebraError):
            return str(error)
        self._open.report_failure(error)
        return self.tr("Linking and singling out could not be assessed: see the problem above.")


def _rests_on(entry: Entry) -> object:
    """What is told of attributes rests on this: scores, who speaks, attributes and predictions."""
    files = tuple((file.role, file.sha256) for file in entry.files)
    return entry.assessment.counts, files
