"""The choice of the attribute by which people are grouped, with what is drawn and said of the groups."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox

from zebra_core.figures.by_group import groups_figure
from zebra_core.project.attributes import names_of_attributes
from zebra_core.project.by_group import GroupsOfPeople, attacks_in_words, attribute_name
from zebra_core.project.items import Entry
from zebra_core.wording.texts import visible
from zebra_gui.panes.pane import MakeFigure
from zebra_gui.session.session import Session
from zebra_gui.widgets.plain import choice_box

PICTURE = "people-by-group"


class GroupChoice(QObject):
    """The attributes of the selected assessment to choose from, in a box.

    Signals:
        changed: another attribute is chosen.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.box = choice_box(self.tr("By which attribute"))
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.box.activated.connect(self.changed)

    @property
    def attribute(self) -> str:
        """The attribute that is chosen; empty where there is none."""
        return str(self.box.currentData() or "")

    def offer(self, entry: Entry | None) -> None:
        """Offer the attributes of this assessment; what was chosen stays where it has it, too."""
        names = [attribute_name(name) for name in names_of_attributes(entry)] if entry else []
        if names == [self.box.itemData(k) for k in range(self.box.count())]:
            return
        chosen = self.attribute
        with QSignalBlocker(self.box):
            self.box.clear()
            for name in names:
                self.box.addItem(self.tr("by {attribute}").format(attribute=visible(name, 40)), name)
            self.box.setCurrentIndex(max(0, self.box.findData(chosen)))

    def found(self, entries: Sequence[Entry]) -> list[tuple[Entry, GroupsOfPeople]]:
        """What is known of these assessments; looked for where there is nothing yet."""
        if not self.attribute:
            return []
        store, having = self._session.findings, [entry for entry in entries if self._has(entry)]
        known = [(entry, store.of("by_group", entry, self.attribute)) for entry in having]
        return [(entry, found[0]) for entry, found in known if found]

    def make_figure(self, entries: Sequence[Entry]) -> MakeFigure | None:
        """What draws the groups of those of which anything is known."""
        found = self.found(entries)
        return partial(groups_figure, found) if found else None

    def in_words(self, selected: Entry) -> str:
        """What is said of the groups of the selected assessment, or why nothing is."""
        if not self.attribute:
            return self.tr(
                "To compare groups of people, drop a list on the window; a line is: speaker value."
            )
        store, about = self._session.findings, ("by_group", selected, self.attribute)
        if not (found := store.of(*about)):
            return store.failure(*about) or self.tr("Comparing groups …")
        groups: GroupsOfPeople = found[0]
        attack = attacks_in_words(self._session.entries)[selected.id]
        each = (f"{visible(one.value, 60)}: {groups.in_a_line(one)}." for one in groups.judged)
        return " ".join(filter(None, [groups.sentence(selected, attack), *each, *groups.remarks]))

    def _has(self, entry: Entry) -> bool:
        return self.attribute in {attribute_name(name) for name in names_of_attributes(entry)}
