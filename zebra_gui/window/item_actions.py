"""The part of the Edit menu that is about the items of the project: it acts on everything selected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from zebra_core.wording.texts import as_said, visible
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import Keys, add_action, add_choices

if TYPE_CHECKING:
    from zebra_gui.panes.evidence import EvidencePane


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
        inside = self._add_menu(menu, self.tr("In the &pictures"))
        self.tick_action = add_action(inside, self._owner, self.tr("&Show"), self._on_tick, "Space")
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
        from zebra_core.figures.palette import SERIES
        from zebra_gui.plots.colours import colour_icon, colour_name

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
        from zebra_gui.models.evidence_rows import EvidenceRole

        if evidence := self._evidence():
            evidence.edit_current(EvidenceRole[role])

    def _on_notes(self) -> None:
        if evidence := self._evidence():
            evidence.show_notes(shows=evidence.notes.isHidden())
