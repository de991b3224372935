"""What the user does with the items of the project; every change has a text and can be undone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from zebra_core.evidence.attack import ATTACK
from zebra_core.project import arranging
from zebra_core.project.items import Condition
from zebra_core.project.project import Project
from zebra_gui.language.translating import for_count
from zebra_gui.session.open_project import OpenProject


class Edits(QObject):
    """Asks the core for the changed project and hands it to the open one. What changes nothing is no change.

    Wherever ids are asked for, they may be of items that are gone meanwhile.
    """

    def __init__(self, project: OpenProject) -> None:
        super().__init__(project)
        self._open = project

    # Names

    def rename(self, item_ids: Collection[str], name: str) -> None:
        """Call the safeguard of these items otherwise; an empty name is no name and changes nothing."""
        if (project := self._open.project) and (name := name.strip()):
            self._change(
                _counted(for_count("Edits", "rename", "rename {count} items", len(item_ids)), item_ids),
                arranging.with_name(project, item_ids, name),
            )

    def rename_dataset(self, old: str, new: str) -> None:
        """Call a dataset otherwise; one of two that are called alike then takes in the other."""
        if (project := self._open.project) and old in project.datasets:
            changed = arranging.with_dataset_renamed(project, old, new.strip())
            self._change(self.tr("rename the dataset"), changed)

    def rename_project(self, title: str) -> None:
        """Call the project otherwise."""
        if project := self._open.project:
            self._change(self.tr("rename the project"), replace(project, title=title.strip()))

    # Places

    def shift(self, item_ids: Collection[str], step: int) -> None:
        """Move items up (−1) or down (1) in their datasets."""
        if project := self._open.project:
            self._change(self._move_text(item_ids), arranging.moved_by(project, item_ids, step))

    def shift_dataset(self, dataset: str, step: int) -> None:
        """Move a dataset up (−1) or down (1)."""
        if (project := self._open.project) and dataset in project.datasets:
            changed = arranging.with_dataset_shifted(project, dataset, step)
            self._change(self.tr("move the dataset"), changed)

    def place(self, item_ids: Collection[str], dataset: str, before: str | None = None) -> None:
        """Move items into a dataset, which may be new: before another of its items, or to its end."""
        if project := self._open.project:
            changed = arranging.moved_to_dataset(project, item_ids, dataset.strip(), before)
            self._change(self._move_text(item_ids), changed)

    # What is there

    def duplicate(self, item_ids: Collection[str]) -> None:
        """Put copies beside items, and select them."""
        if project := self._open.project:
            changed, copies = arranging.duplicated(project, item_ids)
            text = _counted(
                for_count("Edits", "duplicate", "duplicate {count} items", len(item_ids)), item_ids
            )
            self._change(text, changed, copies)

    def remove(self, item_ids: Collection[str]) -> None:
        """Remove items; the one after them is selected."""
        project = self._open.project
        if project is None or not (gone := {item.id for item in project.items} & set(item_ids)):
            return
        text = _counted(for_count("Edits", "remove", "remove {count} items", len(gone)), gone)
        self._change(text, project.without(gone), _following(project, gone))

    # How they are shown

    def colour(self, item_ids: Collection[str], colour: int | None) -> None:
        """Give the safeguards of these items another colour; None is the grey of the unprotected."""
        if project := self._open.project:
            self._change(self.tr("change of colour"), arranging.with_colour(project, item_ids, colour))

    def tick(self, item_ids: Collection[str], is_ticked: bool) -> None:
        """Take items into the answer, the pictures of several and the report, or leave them out."""
        if project := self._open.project:
            text = self.tr("take into the answer") if is_ticked else self.tr("leave out of the answer")
            self._change(text, arranging.with_ticks(project, item_ids, is_ticked))

    def tick_only(self, item_ids: Collection[str]) -> None:
        """Take in these and no others."""
        if project := self._open.project:
            text = self.tr("take only these into the answer")
            self._change(text, arranging.with_only_ticked(project, item_ids))

    # What they hold for

    def set_condition(self, item_ids: Collection[str], condition: Condition | None) -> None:
        """Say which side of the comparisons was protected, or that it is not stated."""
        if project := self._open.project:
            self._change(
                self.tr("change of condition"), arranging.with_condition(project, item_ids, condition)
            )

    def set_attack(self, item_ids: Collection[str], part: str, words: str) -> None:
        """Say by whom it was attacked: one part of ATTACK, in whatever words."""
        texts = (
            self.tr("change of the attacker"),
            self.tr("change of the recogniser"),
            self.tr("change of the back end"),
        )
        if project := self._open.project:
            changed = arranging.with_attack(project, item_ids, **{part: words.strip()})
            self._change(dict(zip(ATTACK, texts, strict=True))[part], changed)

    def set_run(self, item_ids: Collection[str], run: str) -> None:
        """Say of which run of the safeguard items are."""
        if project := self._open.project:
            self._change(self.tr("change of the run"), arranging.with_run(project, item_ids, run.strip()))

    def note(self, item_id: str | None, notes: str) -> None:
        """Write notes on an item, or for None on the project; typing on is one change."""
        if project := self._open.project:
            changed = arranging.with_notes(project, item_id, notes)
            self._change(self.tr("notes"), changed, merges=f"notes {item_id}")

    def _change(
        self, text: str, changed: Project, selected_ids: tuple[str, ...] | None = None, merges: str = ""
    ) -> None:
        if self._open.project and not arranging.is_same(self._open.project, changed):
            self._open.change(text, changed, selected_ids, merges=merges)

    def _move_text(self, item_ids: Collection[str]) -> str:
        return _counted(for_count("Edits", "move", "move {count} items", len(item_ids)), item_ids)


def _following(project: Project, gone: Collection[str]) -> tuple[str, ...]:
    """The first item after those that go, else the last before them; none where nothing is left."""
    ids: Sequence[str] = [item.id for item in project.items]
    first = next(place for place, item_id in enumerate(ids) if item_id in gone)
    rest = [item_id for item_id in ids[first:] if item_id not in gone] or list(reversed(ids[:first]))
    return tuple(rest[:1])


def _counted(words: str, what: Collection[str]) -> str:
    return words.format(count=len(what))
