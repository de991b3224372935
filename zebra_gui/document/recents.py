"""Projects that were open lately: kept in the settings, with a menu and a list of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from zebra_core.runtime.progress import Progress
from zebra_core.wording.texts import visible
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.settings import settings
from zebra_gui.widgets.layouts import clear, in_column, label, tooltip
from zebra_gui.widgets.urls import is_unicode, path_of

MOST = 10
_MOST_IN_LIST = 5
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


class RecentProjects(QWidget):
    """A button for each of the newest projects; one that is no longer there says so, and opens nothing."""

    def __init__(self, open_project: Callable[[Path], object], jobs: Jobs) -> None:
        """`jobs` look whether they are there: a drive that does not answer must not keep the window."""
        super().__init__()
        self._open, self._jobs = open_project, jobs
        self._list = in_column(on=self, margins=0, spacing=2)
        self.buttons: dict[Path, QPushButton] = {}

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fill()

    def fill(self) -> None:
        """Show what is kept now."""
        clear(self._list)
        self.buttons = {path: self._button(path) for path in recent_projects()[:_MOST_IN_LIST]}
        if not self.buttons:
            return
        self._list.addWidget(label(self.tr("Open again:"), "quiet"))
        for button in self.buttons.values():
            self._list.addWidget(button)
        job = self._jobs.start("", partial(_missing, tuple(self.buttons)), supersedes="recent")
        job.done.connect(self._say_missing)

    def _button(self, path: Path) -> QPushButton:
        button = QPushButton(_named(path))
        button.setProperty("look", "link")
        button.setToolTip(tooltip(visible(str(path), 1000)))
        button.clicked.connect(partial(self._on_chosen, path))
        return button

    def _say_missing(self, missing: tuple[Path, ...]) -> None:
        for path in missing:
            if button := self.buttons.get(path):
                button.setText(self.tr("{file} (no longer there)").format(file=_named(path)))
                button.setEnabled(False)

    def _on_chosen(self, path: Path, _checked: bool = False) -> None:
        self._open(path)


def _missing(paths: tuple[Path, ...], _on_progress: Progress) -> tuple[Path, ...]:
    return tuple(path for path in paths if not path.exists())


def _named(path: Path) -> str:
    """The name and the folder; an ampersand in them is no mark for a key."""
    return f"{visible(path.name)}  –  {_end_of(str(path.parent))}".replace("&", "&&")


def _entry(number: int, path: Path) -> str:
    """The name and the folder, after a digit that is its key."""
    key = f"&{number}" if number < 10 else str(number)
    return f"{key}  {_named(path)}"


def _end_of(folder: str, longest: int = 50) -> str:
    """Folders are told apart by their end."""
    shown = visible(folder, 1000)
    return shown if len(shown) <= longest else "…" + shown[1 - longest :]
