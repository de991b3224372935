"""The Help menu: the manual, keys, and what can be checked of this installation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from zebra_gui.dialogs import Dialogs
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.manual.places import SIX_CASES, page_about
from zebra_gui.widgets.menus import add_action
from zebra_gui.window.validating import ValidationActions


class HelpMenu(QMenu):
    """The Help menu, which opens the manual on the page about what is on the screen."""

    def __init__(
        self,
        validating: ValidationActions,
        jobs: Jobs,
        dialogs: Dialogs,
        in_front: Callable[[], QWidget],
        window: QWidget,
    ) -> None:
        """`in_front` gives the pane or page that the user looks at."""
        super().__init__(window)
        self.setTitle(self.tr("&Help"))
        self._dialogs, self._in_front, self._window = dialogs, in_front, window
        add_action(self, window, self.tr("&Manual"), self.show_manual, "F1")
        show_cases = partial(dialogs.show_manual, SIX_CASES)
        add_action(self, window, self.tr("Calibration in &six cases"), show_cases)
        add_action(self, window, self.tr("&Keyboard shortcuts"), self.show_shortcuts, "Ctrl+F1")
        self.addSeparator()
        add_action(self, window, self.tr("&Check this installation…"), partial(dialogs.show_check, jobs))
        text = self.tr("Make the &validation dossier…")
        self.validate_action = add_action(self, window, text, validating.validate)
        self.addSeparator()
        add_action(self, window, self.tr("C&ite ZEBRA…"), partial(dialogs.show_citation, jobs))
        add_action(self, window, self.tr("&About ZEBRA"), partial(dialogs.show_about, jobs))

    def show_manual(self) -> None:
        """Open the manual on the page about what is on the screen."""
        self._dialogs.show_manual(page_about(self._in_front()))

    def show_shortcuts(self) -> None:
        """Show the keys of all menu entries."""
        self._dialogs.show_shortcuts(self._window.findChildren(QAction))
