"""The View menu: panes, colours, language, and where the keyboard goes.

Where the keyboard is: keys that go from part to part of the window, and the focus always in view.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget
from shiboken6 import isValid

from zebra_core.wording.texts import is_ready, languages, own_name
from zebra_gui.language.translating import choose_language, chosen_language
from zebra_gui.session.session import Session
from zebra_gui.settings import settings
from zebra_gui.widgets.layouts import scroll_to
from zebra_gui.widgets.menus import add_action, add_choices
from zebra_gui.widgets.theme import TEXT_SIZES, Theme, ThemeChoice
from zebra_gui.window.pane_layouts import PaneLayout, PaneLayouts, layout_called

if TYPE_CHECKING:
    from zebra_gui.panes.pane import Pane
    from zebra_gui.window.workspace import Workspace


_MOST_KEYS = 9  # of panes; Ctrl+0 is for the normal size of text


class LanguageMenu(QMenu):
    """The languages by their own names, read from their catalogues when the menu is first opened.

    Signals:
        announced: one sentence that says from when on another language is spoken.
    """

    announced = Signal(str)

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
        add_choices(self, self, {text: partial(self._choose, code) for text, code in choices.items()}, chosen)
        self.addSeparator()
        self.addAction(self.tr("Holds when ZEBRA is next started")).setEnabled(False)

    def _choose(self, code: str) -> None:
        choose_language(code)
        if code:
            said = self.tr("ZEBRA speaks {language} when it is next started.").format(language=own_name(code))
        else:
            said = self.tr("ZEBRA speaks the language of the system when it is next started.")
        self.announced.emit(said)


class ViewMenu(QMenu):
    """How the window looks; it knows the panes once there are some."""

    def __init__(
        self,
        session: Session,
        looks: tuple[Theme, PaneLayouts],
        areas: Callable[[], Sequence[QWidget]],
        window: QWidget,
    ) -> None:
        """`areas` are what F6 goes through."""
        super().__init__(window)
        self.setTitle(self.tr("&View"))
        self._window, self._session = window, session
        theme, self._layouts = looks
        self._workspace: Workspace | None = None
        self._shows: dict[type[Pane], QAction] = {}  # what brings each pane to the front
        self.layouts = add_choices(
            self, window, {each.title: partial(self._layouts.choose, each) for each in PaneLayout}
        )
        for action, layout in zip(self.layouts.actions(), PaneLayout, strict=True):
            action.setToolTip(layout.meaning)
        self.setToolTipsVisible(True)
        self._layouts.changed.connect(self._show_layout)
        self._show_layout()
        self._panes = self.addMenu(self.tr("&Panes"))
        self.addSeparator()
        themes = self.addMenu(self.tr("&Theme"))
        texts = {
            ThemeChoice.SYSTEM: self.tr("As the &system"),
            ThemeChoice.LIGHT: self.tr("&Light"),
            ThemeChoice.DARK: self.tr("&Dark"),
        }
        choices = {text: partial(theme.choose, choice) for choice, text in texts.items()}
        add_choices(themes, window, choices, list(texts).index(theme.choice))
        self._theme = theme
        self._add_text_sizes()
        self.languages = LanguageMenu(self)
        self.addMenu(self.languages)
        self.addSeparator()
        self.reset_action = add_action(self, window, self.tr("&Reset the layout"), self._on_reset_layout)
        add_action(self, window, self.tr("&Full screen"), self._on_full_screen, "F11")
        self.addSeparator()
        self.areas = Areas(areas, self, window)
        session.project_changed.connect(self._on_project_changed)
        self._on_project_changed()

    def _add_text_sizes(self) -> None:
        """Larger, smaller and normal, with the keys that they have in a browser."""
        sizes = self.addMenu(self.tr("Text si&ze"))
        add = partial(add_action, sizes, self._window)
        self.larger_action = add(self.tr("&Larger"), partial(self._change_text, 1))
        self.larger_action.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self.smaller_action = add(self.tr("&Smaller"), partial(self._change_text, -1), "Ctrl+-")
        self.normal_action = add(self.tr("&Normal"), partial(self._theme.choose_text_size, 100), "Ctrl+0")
        self._theme.changed.connect(self._show_text_size)
        self._show_text_size()

    def _change_text(self, step: int) -> None:
        self._theme.choose_text_size(TEXT_SIZES[TEXT_SIZES.index(self._theme.text_size) + step])

    def _show_text_size(self) -> None:
        self.larger_action.setEnabled(self._theme.text_size < TEXT_SIZES[-1])
        self.smaller_action.setEnabled(self._theme.text_size > TEXT_SIZES[0])
        self.normal_action.setEnabled(self._theme.text_size != 100)

    def add_panes(self, workspace: Workspace) -> None:
        """Whether each pane is there, and which is in front."""
        from zebra_gui.window.panes import PANES

        self._workspace = workspace
        for dock in workspace.docks:
            self._panes.addAction(dock.toggleViewAction())
        self._panes.addSeparator()
        for kind in PANES:
            text = self.tr("Go to {pane}").format(pane=kind.title())
            show = partial(workspace.show_topic, kind.topic)
            self._shows[kind] = add_action(self._panes, self._window, text, show)
        self._show_layout()

    def _show_layout(self) -> None:
        """Tick the layout, and give keys to its panes in the order of their tabs, then to the others."""
        layout, project = self._layouts.now, self._session.project
        self.layouts.actions()[list(PaneLayout).index(layout)].setChecked(True)
        panes = sorted(
            self._shows, key=lambda pane: not (layout.has(pane.topic) and pane.has_something(project))
        )
        for place, pane in enumerate(panes, start=1):
            self._shows[pane].setShortcut(QKeySequence(f"Ctrl+{place}" if place <= _MOST_KEYS else ""))

    def _on_project_changed(self) -> None:
        has_items = bool(self._session.items)
        self.reset_action.setEnabled(has_items)
        self._panes.setEnabled(has_items)
        self._show_layout()

    def _on_reset_layout(self) -> None:
        if self._workspace:
            self._workspace.reset_layout()

    def _on_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)


_MOST_VISITED = 30


class Areas(QObject):
    """F6 goes on to the next part that is there, Shift+F6 back; in each to where the user was."""

    def __init__(self, areas: Callable[[], Sequence[QWidget]], menu: QMenu, window: QWidget) -> None:
        super().__init__(window)
        self._areas = areas
        self._visited: list[QWidget] = []  # last that was visited last
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._on_focus_changed)
        self.next_action = add_action(
            menu, window, self.tr("&Next part of the window"), lambda: self._go(1), "F6"
        )
        self.previous_action = add_action(
            menu, window, self.tr("Pre&vious part of the window"), lambda: self._go(-1), "Shift+F6"
        )
        for action in (self.next_action, self.previous_action):
            action.setShortcutContext(
                Qt.ShortcutContext.ApplicationShortcut
            )  # in a pane of its own window, too

    def _go(self, step: int) -> None:
        areas = [area for area in self._areas() if area.isVisible() and self._entrance(area) is not None]
        now = QApplication.focusWidget()
        at = next((place for place, area in enumerate(areas) if now and area.isAncestorOf(now)), None)
        if at is None:
            at = -1 if step > 0 else 0
        if areas and (widget := self._entrance(areas[(at + step) % len(areas)])) is not None:
            widget.window().activateWindow()
            widget.setFocus(Qt.FocusReason.TabFocusReason)

    def _entrance(self, area: QWidget) -> QWidget | None:
        """What takes the focus in an area: what had it last there, else the first that can."""
        # Not by nextInFocusChain: the bindings make each widget a child of the one before, and with the first
        # all would be gone for Python.
        inside = [widget for widget in area.findChildren(QWidget) if takes_focus(widget)]
        lasting = (widget for widget in reversed(self._visited) if widget in inside)
        return next(lasting, next(iter(inside), None))

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None:
            self._visited = [widget for widget in self._visited if isValid(widget) and widget is not now]
            self._visited = [*self._visited[-_MOST_VISITED:], now]
            bring_into_view(now)


def takes_focus(widget: QWidget) -> bool:
    """Whether Tab can go to a widget."""
    wants = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None
    return wants and widget.isEnabled() and widget.isVisible()


def bring_into_view(now: QWidget) -> None:
    """Scroll to what has the focus now; by the mouse it came there in view."""
    if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
        return
    scroll_to(now)


# How the window looks, as plain values that a project keeps: what is selected, the prior, the layout.
#
# Qt's own description of a layout is bytes that crash the program where they are spoilt. It is believed only
# under the seal of this user's settings; a project from elsewhere tells which panes are shown, and no more.


log = logging.getLogger(__name__)

_GEOMETRY = "geometry"
_KEY = "layout-key"
_SMALLEST, _LARGEST = 200, 20_000
_HIGHEST_PRIOR = 10**9
View = Mapping[str, Any]


def keep_for_next_time(workspace: Workspace | None, frame: QMainWindow) -> None:
    """Remember place, size and layout; a fault in that must not keep the window from being closed."""
    try:
        settings().setValue(_GEOMETRY, frame.saveGeometry())
        if workspace is not None:
            workspace.save_layout()
    # Only a fault of ours: Qt raises nothing here, and what it cannot write is a status of its settings.
    except Exception:
        log.exception("how the window looks was not kept")


def show_as_last_time(frame: QMainWindow) -> None:
    """Put the window where it was, as large as it was."""
    saved = settings().value(_GEOMETRY)
    if isinstance(saved, QByteArray):
        frame.restoreGeometry(saved)


def view_of(session: Session, workspace: Workspace | None, layouts: PaneLayouts, frame: QMainWindow) -> View:
    """How the window looks now."""
    view: dict[str, Any] = {
        "selected": session.selected_item.id if session.selected_item else None,
        "prior": session.prior,
        "marks_prior": session.marks_prior,
        "size": [frame.normalGeometry().width(), frame.normalGeometry().height()],
        "is_maximised": frame.isMaximized(),
    }
    if workspace is not None:
        layout = workspace.layout_state()
        view["panes"] = layouts.now.value
        view["hidden_panes"] = workspace.hidden_panes()
        view["front_pane"] = workspace.front_pane.topic
        view["layout"] = base64.b64encode(layout).decode()
        view["layout_seal"] = _seal(layout)
    return view


def show_view(
    session: Session,
    workspace: Workspace | None,
    layouts: PaneLayouts,
    frame: QMainWindow,
    view: View,
) -> None:
    """Restore the saved layout where possible."""
    _show_what_is_pointed_at(session, view)
    if view.get("is_maximised") is True:
        frame.showMaximized()
    elif (size := _size(view.get("size"))) and not frame.isMaximized() and not frame.isFullScreen():
        room = frame.screen().availableSize()
        frame.resize(min(size[0], room.width()), min(size[1], room.height()))
    if workspace is None:
        return
    if "hidden_panes" in view:
        layouts.follow(layout_called(view.get("panes")))
    layout = _sealed_layout(view)
    is_taken = layout is not None and workspace.take_layout(layout)
    if not is_taken and isinstance(hidden := view.get("hidden_panes"), list):
        workspace.hide_panes([name for name in hidden if isinstance(name, str)])
    front = view.get("front_pane")
    if isinstance(front, str):
        workspace.show_topic(front)


def _show_what_is_pointed_at(session: Session, view: View) -> None:
    selected = view.get("selected")
    if isinstance(selected, str) and selected in {item.id for item in session.items}:
        session.select(selected)
    prior = view.get("prior")
    if isinstance(prior, int) and not isinstance(prior, bool) and 2 <= prior <= _HIGHEST_PRIOR:
        session.consider_prior(prior)
    if isinstance(view.get("marks_prior"), bool):
        session.mark_prior(view["marks_prior"])


def _size(value: object) -> tuple[int, int] | None:
    is_size = isinstance(value, list) and len(value) == 2 and all(type(length) is int for length in value)
    if not is_size or not isinstance(value, list) or not all(_SMALLEST <= n <= _LARGEST for n in value):
        return None
    return value[0], value[1]


def _sealed_layout(view: View) -> bytes | None:
    layout, seal = view.get("layout"), view.get("layout_seal")
    if not isinstance(layout, str) or not isinstance(seal, str) or not seal.isascii():
        return None
    try:
        made = base64.b64decode(layout, validate=True)
    except (binascii.Error, ValueError):
        return None
    return made if hmac.compare_digest(_seal(made), seal) else None


def _seal(layout: bytes) -> str:
    return hmac.new(_key(), layout, "sha256").hexdigest()


def _key() -> bytes:
    """A secret of this user's settings, made on first use."""
    kept = settings().value(_KEY)
    if not isinstance(kept, str) or len(kept) != 64:
        kept = secrets.token_hex(32)
        settings().setValue(_KEY, kept)
    return kept.encode()
