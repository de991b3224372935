"""The View menu: panes, colours, language, and where the keyboard goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from zebra_core.wording.languages import is_ready, languages, own_name
from zebra_gui.language.translating import choose_language, chosen_language
from zebra_gui.session.session import Session
from zebra_gui.widgets.menus import add_action, add_choices
from zebra_gui.widgets.theme import Theme, ThemeChoice
from zebra_gui.window.areas import Areas

if TYPE_CHECKING:
    from zebra_gui.window.workspace import Workspace


class LanguageMenu(QMenu):
    """The languages by their own names, read from their catalogues when the menu is first opened."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("&Language"))
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        if self.actions():
            return
        now = chosen_language()
        offered = [code for code in languages() if is_ready(code) or code == now]
        choices = {self.tr("As the &system"): "", **{own_name(code): code for code in offered}}
        chosen = list(choices.values()).index(now)
        add_choices(
            self, self, {text: partial(choose_language, code) for text, code in choices.items()}, chosen
        )
        self.addSeparator()
        self.addAction(self.tr("Holds when ZEBRA is next started")).setEnabled(False)


class ViewMenu(QMenu):
    """How the window looks; it knows the panes once there are some."""

    def __init__(
        self, session: Session, theme: Theme, areas: Callable[[], Sequence[QWidget]], window: QWidget
    ) -> None:
        """`areas` are what F6 goes through."""
        super().__init__(window)
        self.setTitle(self.tr("&View"))
        self._window, self._session = window, session
        self._workspace: Workspace | None = None
        self._panes = self.addMenu(self.tr("&Panes"))
        themes = self.addMenu(self.tr("&Theme"))
        texts = {
            ThemeChoice.SYSTEM: self.tr("As the &system"),
            ThemeChoice.LIGHT: self.tr("&Light"),
            ThemeChoice.DARK: self.tr("&Dark"),
        }
        choices = {text: partial(theme.choose, choice) for choice, text in texts.items()}
        add_choices(themes, window, choices, list(texts).index(theme.choice))
        self.addMenu(LanguageMenu(self))
        self.addSeparator()
        self.reset_action = add_action(self, window, self.tr("&Reset the layout"), self._on_reset_layout)
        add_action(self, window, self.tr("&Full screen"), self._on_full_screen, "F11")
        self.addSeparator()
        self.areas = Areas(areas, self, window)
        session.project_changed.connect(self._on_project_changed)
        self._on_project_changed()

    def add_panes(self, workspace: Workspace) -> None:
        """Whether each pane is there, and which is in front."""
        from zebra_gui.window.panes import PANES

        self._workspace = workspace
        for dock in workspace.docks:
            self._panes.addAction(dock.toggleViewAction())
        self._panes.addSeparator()
        digits = "1234567890"  # what comes after them has no key of its own
        for number, kind in enumerate(PANES):
            text = self.tr("Show {pane}").format(pane=kind.title())
            show = partial(workspace.show_topic, kind.topic)
            key = f"Ctrl+{digits[number]}" if number < len(digits) else None
            add_action(self._panes, self._window, text, show, key)

    def _on_project_changed(self) -> None:
        has_items = bool(self._session.items)
        self.reset_action.setEnabled(has_items)
        self._panes.setEnabled(has_items)

    def _on_reset_layout(self) -> None:
        if self._workspace:
            self._workspace.reset_layout()

    def _on_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)
