"""The real window, told by lines what to show; `ok` when it shows it and nothing is being worked on.

python -m accessibility.stage FOLDER, where it may put files.
"""

import sys
import time
from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QWidget
from shiboken6 import isValid

import zebra_core.project.demo
import zebra_gui.app
import zebra_resources
from accessibility.screen import FAULT
from zebra_gui.dialogs import FIGURE_KINDS
from zebra_gui.dialogs.fault import FaultDialog
from zebra_gui.dialogs.pictures import PicturesDialog
from zebra_gui.dialogs.save import SaveDialog
from zebra_gui.panes.requirements import RequirementsCard
from zebra_gui.recordings.protecting import ProtectDialog
from zebra_gui.settings import settings
from zebra_gui.widgets.theme import ThemeChoice

PATIENCE = 40.0  # seconds


class Stage(QObject):
    """Does what the lines say, on the one window that there is."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._shown: list[QWidget] = []
        self._notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_line)

    @property
    def window(self):
        return next(w for w in QApplication.topLevelWidgets() if type(w).__name__ == "Window")

    def _on_line(self) -> None:
        what, _, which = sys.stdin.readline().strip().partition(" ")
        self._notifier.setEnabled(False)
        try:
            answer = getattr(self, f"do_{what or 'quit'}")(which)
        except Exception as error:  # noqa: BLE001 - else the hooks of the program would take it
            answer = f"{FAULT}{error!r}"
        self._settle()
        self._notifier.setEnabled(True)
        print(answer or "ok", flush=True)

    def _settle(self) -> None:
        """Until nothing is being worked on and what is seen is drawn."""
        end, calm = time.monotonic() + PATIENCE, 0
        while calm < 3 and time.monotonic() < end and QApplication.topLevelWidgets():
            loop = QEventLoop()
            QTimer.singleShot(40, loop.quit)
            loop.exec()
            calm = 0 if self._is_busy() else calm + 1

    def _is_busy(self) -> bool:
        window = self.window
        queues = (window.jobs, window.recordings.state.jobs, *window.session.drawing.queues)
        return any(queue.waiting for queue in queues)

    def do_topics(self, _which: str) -> str:
        """The panes there are."""
        return " ".join(self.window.workspace.topics)

    def do_pane(self, topic: str) -> str:
        """Bring a pane to the front; what it is called."""
        self.window.workspace.show_topic(topic)
        self.window.activateWindow()
        self.window.workspace.evidence.tree.setFocus()
        return self.window.workspace.front_pane.title()

    def do_theme(self, name: str) -> None:
        self.window.theme.choose(ThemeChoice(name))

    def do_demo(self, _which: str) -> None:
        self.window.session.dismiss_problems()
        self.window.documents.open_demo()

    def do_start(self, _which: str) -> None:
        self.window.activateWindow()

    def do_bars(self, _which: str) -> None:
        """Scores without a key, and something that went wrong."""
        scores = next(file.path for file in zebra_core.project.demo.FILES if file.name == "B2")
        self.window.open_paths([scores])
        self.window.session.report_problem("“notes.pdf” is no score file.")

    def do_sheet(self, _which: str) -> None:
        """Files that leave questions open."""
        self.window.session.dismiss_problems()
        self.window.session.arrivals.forget_waiting()
        scores = next(file.path for file in zebra_core.project.demo.FILES if file.name == "B2")
        key = zebra_resources.path(zebra_core.project.demo.KEY)
        made = {"B2.txt": scores.read_text(), "key-1": key.read_text(), "key-2": key.read_text()}
        for name, text in made.items():
            (self._folder / name).write_text(text)
        self.window.open_paths([self._folder / name for name in made])

    def do_recordings(self, _which: str) -> None:
        """Folders of recordings, asked about."""
        self.window.recordings.open_demo()

    def do_requirement(self, _which: str) -> None:
        """Write a requirement, where its verdict is going to stand."""
        self.do_pane("people")
        self.window.findChild(RequirementsCard).begin()

    def do_no_requirement(self, _which: str) -> None:
        self.window.findChild(RequirementsCard).forget()

    def do_dismiss(self, _which: str) -> None:
        self.window.session.arrivals.dismiss()
        self.window.recordings.state.dismiss()

    def do_menu(self, name: str) -> None:
        """Open a menu of the menu bar."""
        bar = self.window.menuBar()
        action = next(one for one in bar.actions() if one.text().replace("&", "") == name)
        menu = action.menu()
        menu.popup(bar.mapToGlobal(bar.actionGeometry(action).bottomLeft()))
        self._shown.append(menu)

    def do_dialog(self, name: str) -> None:
        """Open a dialog."""
        before = set(QApplication.topLevelWidgets())
        window = self.window
        report = Path(self._folder, "report.pdf")
        opening = {
            "shortcuts": window.help_menu.show_shortcuts,
            "about": lambda: window.dialogs.show_about(window.jobs),
            "licences": lambda: window.dialogs._show_licences(window.jobs),
            "check": lambda: (window.dialogs.show_check(window.jobs), window.jobs.cancel_all()),
            "scales": lambda: window.dialogs.show_scales(window.session),
            "verification": lambda: (window.reporting.verify_this(report), self._settle()),
            "sign": lambda: window.dialogs.show_signing(report),
            "protect": lambda: ProtectDialog(self._folder, None, str, window).open(),
            "pictures": lambda: PicturesDialog(FIGURE_KINDS, window).open(),
            "fault": lambda: FaultDialog(ValueError("a trial of the dialog"), window).show(),
            "save": lambda: SaveDialog("case.zebra", window).open(),
            "files": lambda: QFileDialog(window, "Open files").open(),
        }
        opening[name]()
        made = [
            one for one in QApplication.topLevelWidgets() if one not in before or isinstance(one, QDialog)
        ]
        self._shown += [one for one in made if one.isVisible() and isinstance(one, QDialog)]
        self._shown = [one for one in self._shown if isValid(one) and one.isVisible()]
        for one in self._shown:
            one.activateWindow()

    def do_close(self, _which: str) -> None:
        """Close whatever dialog or menu is open."""
        for one in self._shown:
            if isValid(one):  # most are gone when they are closed
                one.close()
        self._shown = []

    def do_quit(self, _which: str) -> None:
        QApplication.exit(0)


if __name__ == "__main__":
    app = zebra_gui.app.make_app()
    settings().setValue("intervals_at_once", False)
    stage = Stage(Path(sys.argv[1]))
    QTimer.singleShot(0, lambda: print("ready", flush=True))
    sys.exit(zebra_gui.app.run())
