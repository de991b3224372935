"""The Assess menu: how sure the figures are, and what they are required to show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QWidget

from zebra_core.project.requirements.ready import READY, ready_name
from zebra_gui.session.automatic_intervals import AutomaticIntervals
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action

if TYPE_CHECKING:
    from zebra_gui.window.workspace import Workspace


class AssessMenu(QMenu):
    """Intervals of what is selected or of all, differences, requirements."""

    def __init__(
        self,
        session: Session,
        automatic: AutomaticIntervals,
        workspace: Callable[[], Workspace | None],
        window: QWidget,
    ) -> None:
        """`workspace` gives what shows the project, once there is one."""
        super().__init__(window)
        self.setTitle(self.tr("&Assess"))
        self._session, self._workspace = session, workspace
        measure = session.intervals
        text = self.tr("&How sure are we?")
        self.trust_action = add_action(self, window, text, measure.measure_selected, "Ctrl+U")
        text = self.tr("How sure are &all of them?")
        self.trust_all_action = add_action(self, window, text, measure.measure_all, "Ctrl+Shift+U")
        self.addSeparator()
        text = self.tr("Are the &differences real?")
        self.settle_action = add_action(self, window, text, measure.settle_differences, "Ctrl+Alt+U")
        self.addSeparator()
        self.require_action = add_action(self, window, self.tr("New &requirement"), self._on_require)
        self.ready = self.addMenu(self.tr("Re&quirements of others"))
        for name in READY:
            add_action(self.ready, window, ready_name(name), partial(session.requirements.take_ready, name))
        self.addSeparator()
        self.automatic_intervals_action = self.addAction(self.tr("Compute &intervals at once"))
        self.automatic_intervals_action.setCheckable(True)
        self.automatic_intervals_action.setChecked(automatic.is_on)
        self.automatic_intervals_action.toggled.connect(automatic.switch)
        session.project_changed.connect(self._on_project_changed)
        session.changed.connect(self._on_selection_changed)
        self._on_project_changed()
        self._on_selection_changed()

    def _on_project_changed(self) -> None:
        of_project = self.trust_all_action, self.settle_action, self.require_action, self.ready.menuAction()
        for action in of_project:
            action.setEnabled(bool(self._session.items))

    def _on_selection_changed(self) -> None:
        self.trust_action.setEnabled(self._session.selected_item is not None)

    def _on_require(self) -> None:
        """Write a requirement."""
        if (workspace := self._workspace()) is not None:
            workspace.write_requirement()
