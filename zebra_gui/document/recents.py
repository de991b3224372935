"""Projects that were open lately: kept in the settings, and a menu of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from zebra_core.wording.texts import visible
from zebra_gui.settings import settings
from zebra_gui.widgets.plain import tooltip
from zebra_gui.widgets.urls import is_unicode, path_of

MOST = 10
_SETTING = "recent"


def recent_projects() -> list[Path]:
    """The newest first."""
    kept = settings().value(_SETTING)
    names = [kept] if isinstance(kept, str) else kept if isinstance(kept, list) else []
    return [_kept(name) for name in names if isinstance(name, str) and name][:MOST]


def remember_project(path: Path) -> None:
    """Put a project first."""
    _keep([path, *(other for other in recent_projects() if other != path)])


def forget_project(path: Path) -> None:
    """Leave a project out, for it is no longer there."""
    _keep([other for other in recent_projects() if other != path])


def forget_all() -> None:
    """Leave out all of them."""
    settings().remove(_SETTING)


def _keep(paths: list[Path]) -> None:
    # Settings hold Unicode; a URL has a way to write the bytes of any other name.
    names = [str(path) if is_unicode(path) else path.absolute().as_uri() for path in paths[:MOST]]
    settings().setValue(_SETTING, names)


def _kept(name: str) -> Path:
    return (path_of(QUrl(name)) if name.startswith("file:///") else None) or Path(name)


class RecentMenu(QMenu):
    """The projects by name, each with its folder; made anew whenever it is opened."""

    def __init__(self, title: str, open_project: Callable[[Path], object], parent: QMenu) -> None:
        super().__init__(title, parent)
        self._open = open_project
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show what is kept now."""
        self.clear()
        paths = recent_projects()
        for number, path in enumerate(paths, start=1):
            action = QAction(_entry(number, path), self)
            action.setToolTip(tooltip(visible(str(path), 1000)))
            action.triggered.connect(partial(self._on_chosen, path))
            self.addAction(action)
        if not paths:
            self.addAction(self.tr("None yet")).setEnabled(False)
            return
        self.addSeparator()
        self.addAction(self.tr("&Clear the list")).triggered.connect(forget_all)

    def _on_chosen(self, path: Path, _checked: bool = False) -> None:
        self._open(path)


def _entry(number: int, path: Path) -> str:
    """The name and the folder; an ampersand in them is no mark for a key."""
    key = f"&{number}" if number < 10 else str(number)
    return f"{key}  " + f"{visible(path.name)}  –  {_end_of(str(path.parent))}".replace("&", "&&")


def _end_of(folder: str, longest: int = 50) -> str:
    """Folders are told apart by their end."""
    shown = visible(folder, 1000)
    return shown if len(shown) <= longest else "…" + shown[1 - longest :]
