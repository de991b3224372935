"""What groups of people disclose: looked for by jobs when a pane asks, and kept."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from zebra_core.errors import ZebraError
from zebra_core.project.items import Entry
from zebra_core.project.people_groups import GroupsOfPeople
from zebra_core.wording.texts import visible
from zebra_gui.jobs.jobs import Urgency
from zebra_gui.session import work
from zebra_gui.session.open_project import OpenProject

_Asked = tuple[str, str]  # the id of an assessment, and the attribute


class GroupsFound(QObject):
    """The groups of the assessments of the session, by attribute, or why there are none.

    Signals:
        found: something is known of another assessment or attribute.
    """

    found = Signal()

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project
        self._known: dict[_Asked, tuple[object, GroupsOfPeople | None, str]] = {}
        project.left.connect(self._known.clear)

    def of(self, entry: Entry, attribute: str) -> GroupsOfPeople | None:
        """What is known of an assessment; looked for where there is nothing yet."""
        rests_on, key = _rests_on(entry), (entry.id, attribute)
        known, groups, _ = self._known.get(key, (None, None, ""))
        if known == rests_on:
            return groups
        self._known[key] = rests_on, None, ""
        name = self.tr("Comparing groups of people in {name}").format(name=visible(entry.full_name))
        job = self._open.start_work(
            name, work.groups, entry, attribute, is_reported=False, urgency=Urgency.SEEN
        )

        def take(groups: GroupsOfPeople | None, failure: str = "") -> None:
            if self._known.get(key, (None,))[0] == rests_on:
                self._known[key] = rests_on, groups, failure
                self.found.emit()

        job.done.connect(take)
        job.failed.connect(lambda error: take(None, self._in_words(error)))
        job.cancelled.connect(lambda: None if job.is_dropped else take(None, self.tr("Stopped.")))
        return None

    def failure(self, entry: Entry, attribute: str) -> str:
        """Why there is nothing; empty while it is being looked for."""
        known, _, failure = self._known.get((entry.id, attribute), (None, None, ""))
        return failure if known == _rests_on(entry) else ""

    def _in_words(self, error: Exception) -> str:
        """Why nothing was found. A fault in the program is reported, too."""
        if isinstance(error, ZebraError):
            return visible(str(error), 1500)
        self._open.report_failure(error)
        return self.tr("Groups could not be compared: see the problem above.")


def _rests_on(entry: Entry) -> object:
    """Groups rest on scores, who speaks, attributes, and how intervals are drawn."""
    files = tuple((file.role, file.sha256) for file in entry.files)
    settings = entry.trust.uncertainty.settings if entry.trust else None
    return entry.assessment.counts.digest, entry.assessment.settings, files, settings
