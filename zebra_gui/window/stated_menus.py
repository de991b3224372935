"""The parts of the Edit menu that state what assessments are: their condition, and what their scores mean."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from zebra_gui import core_types as core
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action, add_choices


class StatedMenus(QObject):
    """Two menus, in step with the assessments that are selected."""

    def __init__(self, session: Session, owner: QWidget) -> None:
        super().__init__(owner)
        self._session = session
        self._owner = owner
        self.condition_menu = QMenu(self.tr("&Condition"), owner)
        self.conditions = self._add_conditions(self.condition_menu)
        self.meaning_menu = QMenu(self.tr("&Scores are"), owner)
        self.meanings = self._add_meanings(self.meaning_menu)
        session.changed.connect(self._on_selection_changed)
        self._on_selection_changed()

    def _add_conditions(self, menu: QMenu) -> QActionGroup:
        texts = {
            "OO": self.tr("OO: neither side protected"),
            "OP": self.tr("OP: only the test side protected"),
            "PP": self.tr("PP: both sides protected"),
            "": self.tr("Not stated"),
        }
        group = add_choices(menu, self._owner, dict.fromkeys(texts.values(), self._on_condition))
        for action, value in zip(group.actions(), texts, strict=True):
            action.setData(value)
        return group

    def _add_meanings(self, menu: QMenu) -> QActionGroup:
        texts = {
            "raw": self.tr("&Raw scores"),
            "natural-llr": self.tr("LLRs, &natural logarithm"),
            "log10-lr": self.tr("LLRs, &base 10"),
        }
        group = add_choices(menu, self._owner, dict.fromkeys(texts.values(), self._on_meaning))
        for action, value in zip(group.actions(), texts, strict=True):
            action.setData(value)
        menu.addSeparator()
        add_action(menu, self._owner, self.tr("The same for &all assessments"), self._on_meaning_for_all)
        return group

    def _on_selection_changed(self) -> None:
        entries = self._selected_entries()
        for menu in (self.condition_menu, self.meaning_menu):
            menu.setEnabled(bool(entries))
        if entries:
            meanings = {entry.assessment.settings.score_meaning.value for entry in entries}
            for action in self.meanings.actions():
                action.setChecked(meanings == {action.data()})
            conditions = {entry.condition.value if entry.condition else "" for entry in entries}
            for action in self.conditions.actions():
                action.setChecked(conditions == {action.data()})

    def _on_condition(self) -> None:
        if (chosen := self.conditions.checkedAction()) is not None:
            from zebra_core.project.items import Condition

            condition = Condition(chosen.data()) if chosen.data() else None
            self._session.edits.set_condition(self._session.selected_ids, condition)

    def _on_meaning(self) -> None:
        self._declare([entry.id for entry in self._selected_entries()])

    def _on_meaning_for_all(self) -> None:
        self._declare([entry.id for entry in self._session.entries])

    def _declare(self, entry_ids: Sequence[str]) -> None:
        if (chosen := self.meanings.checkedAction()) is not None:
            from zebra_core.metrics.assessment import ScoreMeaning

            self._session.reassessing.declare(entry_ids, ScoreMeaning(chosen.data()))

    def _selected_entries(self) -> tuple[core.Entry, ...]:
        """The assessments that are selected, in the order of the project."""
        ids = set(self._session.selected_ids)
        return tuple(entry for entry in self._session.entries if entry.id in ids)
