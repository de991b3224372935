"""How the window looks, as plain values that a project keeps: what is selected, the prior, the layout.

Qt's own description of a layout is bytes that crash the program where they are spoilt. It is believed only
under the seal of this user's settings; a project from elsewhere tells which panes are shown, and no more.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import logging
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from zebra_gui.session.session import Session
from zebra_gui.settings import settings
from zebra_gui.window.pane_layouts import PaneLayouts, layout_called

if TYPE_CHECKING:
    from zebra_gui.window.workspace import Workspace

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
