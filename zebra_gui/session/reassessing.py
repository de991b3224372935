"""What the user decides about entries that are there already: they are assessed anew, by a job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject

from zebra_core.evidence.decisions import Decision
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.session import work
from zebra_gui.session.open_project import OpenProject


class Reassessment(QObject):
    """Decisions on the files of entries, and what their scores are; each can be undone."""

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project

    def decide(self, entry_id: str, decision: Decision, *, holds: bool) -> None:
        """Make a decision about an entry or take it back, and assess its files anew."""
        entry = self._entries([entry_id])[0]
        made = set(entry.audit.decisions) if entry.audit else set()
        allow = made | {decision} if holds else made - {decision}
        name = self.tr("Assessing {name}").format(name=visible(entry.own_name))
        job = self._open.start_work(
            name, work.read_again, entry, frozenset(allow), supersedes=f"decide {entry_id}"
        )
        job.done.connect(self._on_decided)

    def declare(self, entry_ids: Iterable[str], meaning: core.ScoreMeaning) -> None:
        """Say what the scores of these entries are; they are judged anew, which may take a moment."""
        entries = [
            entry
            for entry in self._entries(entry_ids)
            if entry.assessment.settings.score_meaning is not meaning
        ]
        if entries:
            job = self._open.start_work(self.tr("Judging the scores"), work.judge_scores, entries, meaning)
            job.done.connect(self._on_judged)

    def _entries(self, entry_ids: Iterable[str]) -> list[core.Entry]:
        entries = {entry.id: entry for entry in self._open.entries}
        return [entries[one] for one in entry_ids]

    def _on_decided(self, entry: core.Entry) -> None:
        project = self._open.project
        shown = next((old for old in self._open.entries if old.id == entry.id), None)
        if project and shown:  # it may have been removed meanwhile, or called otherwise
            decided = replace(shown, trials=entry.trials, assessment=entry.assessment)
            self._open.change(self.tr("decision"), project.replacing(decided))

    def _on_judged(self, found: Mapping[str, core.Assessment]) -> None:
        if project := self._open.project:
            self._open.change(self.tr("declaration of the scores"), project.with_assessments(found))
