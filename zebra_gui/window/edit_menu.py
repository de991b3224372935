"""The Edit menu: what is done to the project and to what is selected of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QUndoStack
from PySide6.QtWidgets import QMenu, QWidget

from zebra_gui.dialogs import Dialogs
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action
from zebra_gui.window.item_actions import ItemActions
from zebra_gui.window.stated_menus import StatedMenus

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
