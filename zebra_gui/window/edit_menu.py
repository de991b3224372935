"""The Edit menu: what is done to the project and to what is selected of it.

The parts of the Edit menu that state what assessments are: their condition, and what their scores mean.

The part of the Edit menu that is about the items of the project: it acts on everything selected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QKeySequence, QUndoStack
from PySide6.QtWidgets import QMenu, QWidget

from zebra_core.wording.texts import as_said, visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import Keys, add_action, add_choices

if TYPE_CHECKING:
    from zebra_gui.panes.evidence import EvidencePane
    from zebra_gui.window.workspace import Workspace


class EditMenu(QMenu):
    """Undoing, then what is selected, then what is the same for all."""

    def __init__(
        self, session: Session, dialogs: Dialogs, workspace: Callable[[], Workspace | None], window: QWidget
    ) -> None:
        """`workspace` gives what shows the project, once there is one."""
        super().__init__(window)
        self.setTitle(self.tr("&Edit"))
        self._session, self._dialogs, self._workspace = session, dialogs, workspace
        keys = QKeySequence.StandardKey
        self._add_steps(session.undo_stack, window)
        self.addSeparator()
        self.rename_action = add_action(self, window, self.tr("Re&name"), self._on_rename, "F2")
        self.item_actions = ItemActions(session, self, self._evidence, window)
        self.addSeparator()
        self.stated = StatedMenus(session, window)
        self.addMenu(self.stated.condition_menu)
        self.item_actions.add_attackers(self)
        self.addMenu(self.stated.meaning_menu)
        self.remove_action = add_action(self, window, self.tr("Re&move"), self._on_remove, keys.Delete)
        self.addSeparator()
        self.scales_action = add_action(self, window, self.tr("Tag sca&le…"), self._on_scales)
        self.addSeparator()
        text = self.tr("Copy figures as &text")
        self.copy_action = add_action(self, window, text, self.copy_figures, "Ctrl+Shift+C")
        session.project_changed.connect(self._on_project_changed)
        session.changed.connect(self._on_selection_changed)
        self._on_project_changed()
        self._on_selection_changed()

    def for_tree(self, read_again: QAction) -> list[QAction]:
        """The entries that the tree of the project offers too; `read_again` is one of the document's."""
        parts = (
            (self.rename_action, *self.item_actions.of_places),
            self.item_actions.of_pictures,
            (
                self.stated.condition_menu.menuAction(),
                *self.item_actions.of_attacks,
                self.stated.meaning_menu.menuAction(),
            ),
            (self.item_actions.notes_action, self.copy_action),
            (read_again, self.remove_action),
        )
        return [action for part in parts for action in (*part, self._line())][:-1]

    def _line(self) -> QAction:
        line = QAction(self)
        line.setSeparator(True)
        return line

    def _add_steps(self, stack: QUndoStack, window: QWidget) -> None:
        """Undo and Redo, with what each is about. Qt's own actions would join the words in one order."""
        keys = QKeySequence.StandardKey
        steps = (
            (
                self.tr("&Undo"),
                self.tr("&Undo {what}"),
                keys.Undo,
                stack.undo,
                stack.undoTextChanged,
                stack.canUndoChanged,
            ),
            (
                self.tr("&Redo"),
                self.tr("&Redo {what}"),
                keys.Redo,
                stack.redo,
                stack.redoTextChanged,
                stack.canRedoChanged,
            ),
        )
        for alone, about, standard, step, step_text, possible in steps:
            action = add_action(self, window, alone, step, standard)
            action.setEnabled(False)

            def tell(what: str, action: QAction = action, alone: str = alone, about: str = about) -> None:
                action.setText(about.format(what=what) if what else alone)

            step_text.connect(tell)
            possible.connect(action.setEnabled)

    def copy_figures(self) -> None:
        """What is selected, and what the pane in front says of it, as text."""
        if (selected := self._session.selected_at_prior) is not None:
            from zebra_gui.panes.facts import as_text

            workspace = self._workspace()
            more = workspace.front_pane.as_text() if workspace else ""
            QGuiApplication.clipboard().setText("\n\n".join(filter(None, [as_text(selected), more])))

    def _on_project_changed(self) -> None:
        self.scales_action.setEnabled(bool(self._session.items))

    def _on_selection_changed(self) -> None:
        self.rename_action.setEnabled(self._session.project is not None)
        self.remove_action.setEnabled(bool(self._session.selected_items))
        self.copy_action.setEnabled(self._session.selected is not None)

    def _evidence(self) -> EvidencePane | None:
        workspace = self._workspace()
        return workspace.evidence if workspace else None

    def _on_rename(self) -> None:
        if evidence := self._evidence():
            evidence.edit_current()

    def _on_remove(self) -> None:
        self._session.edits.remove(self._session.selected_ids)

    def _on_scales(self) -> None:
        self._dialogs.show_scales(self._session)


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


class ItemActions(QObject):
    """Makes the actions and keeps them in step with what is selected."""

    def __init__(
        self, session: Session, menu: QMenu, evidence: Callable[[], EvidencePane | None], owner: QWidget
    ) -> None:
        """`evidence` gives the pane with the tree, once there is one."""
        super().__init__(owner)
        self._session = session
        self._owner = owner
        self._evidence = evidence
        self._of_items: list[QAction] = []  # those that need something to be selected
        self._of_entries: list[QAction] = []  # those that need an assessment to be selected
        self._datasets: tuple[str, ...] = ()
        self._add_duplicate_and_move(menu)
        self._add_pictures(menu)
        self.colours_menu = self._add_menu(menu, self.tr("C&olour"))
        self.of_places = (
            self.duplicate_action,
            self.up_action,
            self.down_action,
            self.datasets_menu.menuAction(),
        )
        self.of_pictures = (self.tick_action, self.only_action, self.colours_menu.menuAction())
        for signal in (session.project_changed, session.left):
            signal.connect(self._on_project_changed)
        session.changed.connect(self._on_selection_changed)

    def add_attackers(self, menu: QMenu) -> None:
        """The attackers, the run and the notes, which come after the condition."""
        texts = {
            "ignorant": self.tr("&Ignorant: does not know of the protection"),
            "lazy-informed": self.tr("&Lazy-informed: protects the enrolment in the same way"),
            "semi-informed": self.tr("&Semi-informed: has also trained on protected speech"),
            "fully informed": self.tr("&Fully informed: knows all settings and random choices"),
            "": self.tr("&Not stated"),
        }
        self._attackers_menu = menu.addMenu(self.tr("&Attacker"))
        self._of_entries.append(self._attackers_menu.menuAction())
        self.attackers = add_choices(
            self._attackers_menu,
            self._owner,
            {text: partial(self._set_attacker, value) for value, text in texts.items()},
        )
        for action, value in zip(self.attackers.actions(), texts, strict=True):
            action.setData(value)
        self._attackers_menu.addSeparator()
        self.other_attacker_action = add_action(
            self._attackers_menu, self._owner, self.tr("&Other…"), lambda: self._type("ATTACKER")
        )
        self._attackers_menu.addSeparator()
        self.recogniser_action = add_action(
            self._attackers_menu, self._owner, self.tr("&Recogniser…"), lambda: self._type("RECOGNISER")
        )
        self.back_end_action = add_action(
            self._attackers_menu, self._owner, self.tr("&Back end…"), lambda: self._type("BACK_END")
        )
        self.run_action = self._add(menu, self.tr("Run of the safe&guard…"), lambda: self._type("RUN"))
        self.notes_action = add_action(menu, self._owner, self.tr("Not&es"), self._on_notes, "Ctrl+Shift+N")
        self.of_attacks = (self._attackers_menu.menuAction(), self.run_action)
        self._on_selection_changed()

    def _add_duplicate_and_move(self, menu: QMenu) -> None:
        self.duplicate_action = self._add(menu, self.tr("Dupl&icate"), self._on_duplicate, "Ctrl+Shift+D")
        self.up_action = self._add(menu, self.tr("Mo&ve up"), partial(self._shift, -1), "Alt+Up")
        self.down_action = self._add(menu, self.tr("Move do&wn"), partial(self._shift, 1), "Alt+Down")
        self.datasets_menu = self._add_menu(menu, self.tr("Move to &dataset"))
        self._fill_datasets()

    def _add_pictures(self, menu: QMenu) -> None:
        menu.addSeparator()
        inside = self._add_menu(menu, self.tr("In the answer and &pictures"))
        self.tick_action = add_action(inside, self._owner, self.tr("&Take in"), self._on_tick, "Space")
        self.tick_action.setCheckable(True)
        inside.addSeparator()
        self.only_action = add_action(inside, self._owner, self.tr("&Only these"), self._on_only)
        self.all_action = add_action(inside, self._owner, self.tr("&All"), partial(self._tick_all, True))
        self.none_action = add_action(inside, self._owner, self.tr("&None"), partial(self._tick_all, False))
        for action in (self.tick_action, self.up_action, self.down_action):
            # Elsewhere these keys do something else.
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._of_items += [self.tick_action, self.only_action]

    def _add(self, menu: QMenu, text: str, on_triggered: Callable[[], object], keys: Keys = None) -> QAction:
        action = add_action(menu, self._owner, text, on_triggered, keys)
        self._of_items.append(action)
        return action

    def _add_menu(self, menu: QMenu, text: str) -> QMenu:
        made = menu.addMenu(text)
        self._of_items.append(made.menuAction())
        return made

    # What is there to choose from

    def _on_project_changed(self) -> None:
        project = self._session.project
        datasets = project.datasets if project else ()
        if datasets != self._datasets:
            self._datasets = datasets
            self._fill_datasets()
        if project and not self.colours_menu.actions():
            self._fill_colours()

    def _fill_datasets(self) -> None:
        self.datasets_menu.clear()
        for dataset in self._datasets:
            name = visible(as_said(dataset, "listening")).replace("&", "&&") or self.tr("Not stated")
            add_action(self.datasets_menu, self._owner, name, partial(self._place, dataset))
        self.datasets_menu.addSeparator()
        add_action(self.datasets_menu, self._owner, self.tr("&New dataset…"), lambda: self._type("DATASET"))

    def _fill_colours(self) -> None:
        """Once there is a project: the colours come with what the first job has imported."""
        from zebra_core.figures.figure import SERIES
        from zebra_gui.plots.inks import colour_icon, colour_name

        texts = {colour: colour_name(colour) for colour in range(len(SERIES))}
        choices = {text: partial(self._set_colour, colour) for colour, text in texts.items()}
        choices[self.tr("grey, the unprotected baseline")] = partial(self._set_colour, None)
        self.colours = add_choices(self.colours_menu, self._owner, choices)
        for action, colour in zip(self.colours.actions(), (*texts, None), strict=True):
            action.setData(-1 if colour is None else colour)
            action.setIcon(colour_icon(colour, self._owner.palette()))

    # What is selected

    def _on_selection_changed(self) -> None:
        items = self._session.selected_items
        for action in self._of_items:
            action.setEnabled(bool(items))
        for action in (self.all_action, self.none_action):
            action.setEnabled(bool(self._session.items))
        self.tick_action.setChecked(bool(items) and all(item.is_ticked for item in items))
        entries = [entry for entry in self._session.entries if entry in items]
        for action in self._of_entries:
            action.setEnabled(bool(entries))
        attackers = {entry.attacker for entry in entries}
        for action in self.attackers.actions():
            action.setChecked(attackers == {action.data()})
        self.notes_action.setEnabled(self._session.project is not None)
        if self.colours_menu.actions():
            found = {-1 if item.colour is None else item.colour for item in items}
            for action in self.colours.actions():
                action.setChecked(found == {action.data()})

    # What is done

    def _on_duplicate(self) -> None:
        self._session.edits.duplicate(self._session.selected_ids)

    def _shift(self, step: int) -> None:
        """A row of a dataset moves among the datasets, items move within theirs."""
        evidence = self._evidence()
        if evidence and (dataset := evidence.current_dataset) is not None:
            self._session.edits.shift_dataset(dataset, step)
        else:
            self._session.edits.shift(self._session.selected_ids, step)

    def _place(self, dataset: str) -> None:
        self._session.edits.place(self._session.selected_ids, dataset)

    def _on_tick(self) -> None:
        """Show all of them, unless they are all shown."""
        items = self._session.selected_items
        self._session.edits.tick(self._session.selected_ids, not all(item.is_ticked for item in items))
        self._on_selection_changed()  # where nothing changed the action must not stay as it was clicked

    def _on_only(self) -> None:
        self._session.edits.tick_only(self._session.selected_ids)

    def _tick_all(self, is_ticked: bool) -> None:
        self._session.edits.tick([item.id for item in self._session.items], is_ticked)

    def _set_colour(self, colour: int | None) -> None:
        self._session.edits.colour(self._session.selected_ids, colour)

    def _set_attacker(self, attacker: str) -> None:
        self._session.edits.set_attack(self._session.selected_ids, "attacker", attacker)

    def _type(self, role: str) -> None:
        from zebra_gui.models.evidence import EvidenceRole

        if evidence := self._evidence():
            evidence.edit_current(EvidenceRole[role])

    def _on_notes(self) -> None:
        if evidence := self._evidence():
            evidence.show_notes(shows=evidence.notes.isHidden())
