"""The real window, offscreen and light, brought to show what each picture of the manual is of."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QWidget

import zebra_resources
from zebra_core.listening.making import make_test, read_request
from zebra_core.project import demo
from zebra_core.project.gathering.gathering import gather
from zebra_core.report.export import save_report
from zebra_gui.app import make_app, make_window
from zebra_gui.dialogs.verification import VerificationDialog
from zebra_gui.listening.window import ListeningWindow
from zebra_gui.panes.compare import ComparePicture
from zebra_gui.panes.pictures import HISTOGRAMS
from zebra_gui.session.session import Session
from zebra_gui.settings import settings
from zebra_gui.widgets.player import Player
from zebra_gui.widgets.theme import ThemeChoice
from zebra_gui.window.window import Window

SIZE = 1180, 740
_LONGEST_S = 240.0
_LONGEST_MS = 10_000
_TURN_MS = 30
_FIRST_FIGURE = 3  # the row of a verification
_PAUSE_MS = 900  # longer than the report waits before it is set

# Word error rates and a made-up attribute, so that there is something to be seen; the pages say so.
_WER = {"unprotected": 0.042, "B1w": 0.071, "B2": 0.104, "B2r": 0.128}
_LISTENING_TEST = """
title = "Is it the same speaker?"
introduction = "You hear two recordings at a time. Some pairs come twice."
consent = "My answers are kept under a code, without my name."
original = "{original}"
speakers = "first-folder"
listeners = 2
seed = 1
[protected]
B2 = "{protected}"
[same]
items = 4
anchors = 2
repeats = 1
"""


class Stage:
    """One window for all pictures; `folder` takes what it writes."""

    def __init__(self, folder: Path) -> None:
        for scope in QSettings.Scope:  # the user's own settings are neither read nor written
            QSettings.setPath(QSettings.Format.IniFormat, scope, str(folder))
        settings().setValue("intervals_at_once", False)
        settings().setValue("theme", ThemeChoice.LIGHT.value)
        self.folder = folder
        self._beside: list[ListeningWindow] = []
        self.window: Window = make_window(make_app())
        self.window.resize(*SIZE)
        self.window.show()
        self.settle()

    @property
    def session(self) -> Session:
        """What is open."""
        return self.window.session

    def settle(self) -> None:
        """Until nothing is being worked on, and what is seen is drawn."""
        end, calm = time.monotonic() + _LONGEST_S, 0
        while calm < 3:
            if time.monotonic() > end:
                raise TimeoutError("the window does not come to rest")
            self.wait(_TURN_MS)
            calm = 0 if self._is_busy() else calm + 1

    def wait(self, milliseconds: int) -> None:
        """Let the window go on for so long."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def drop(self, *paths: Path) -> None:
        """As if these had been dropped on the window."""
        self.window.open_paths(paths)
        self.settle()

    def start_anew(self) -> None:
        """Nothing is open any more, and nothing is asked about it."""
        self.session.undo_stack.setClean()
        self.session.restart(None)
        self.settle()

    def open_demo(self) -> None:
        """The demo, with the first safeguard selected."""
        self.window.documents.open_demo()
        self.settle()
        self.select("B2")

    def select(self, name: str) -> None:
        """The first assessment of this name."""
        self.session.select(next(one.id for one in self.session.entries if one.name == name))
        self.settle()

    def pane(self, topic: str) -> QWidget:
        """The pane about this topic, in front and drawn."""
        self.window.workspace.show_topic(topic)
        self.settle()
        return self.window.workspace.front_pane

    def show_beside(self, other: ListeningWindow) -> None:
        """Another window, until the next picture is taken."""
        self._beside.append(other)
        other.resize(SIZE[0], SIZE[1] - 160)
        other.show()
        self.settle()

    def close(self) -> None:
        """Whatever is open is let go."""
        self.start_anew()
        for window in (*self._beside, self.window):
            window.close()
            window.deleteLater()
        self.window.finish(_LONGEST_MS)

    def _is_busy(self) -> bool:
        jobs, session = self.window.jobs, self.session
        beside = (one.jobs for one in self._beside)
        queues = (jobs, self.window.recordings.state.jobs, *session.drawing.queues, *beside)
        return any(queue.waiting for queue in queues)


@dataclass(frozen=True)
class Shot:
    """What brings the stage to show a picture, and says which part of it the picture is of."""

    play: Callable[[Stage], QWidget]
    is_slow: bool = False  # something must be computed that takes more than a second


_SHOTS: dict[str, Shot] = {}


def shots() -> Mapping[str, Shot]:
    """All of them by the names of their files, in the order in which they must be played."""
    return _SHOTS


def _shot(*, is_slow: bool = False) -> Callable[[Callable[[Stage], QWidget]], Callable[[Stage], QWidget]]:
    def known(play: Callable[[Stage], QWidget]) -> Callable[[Stage], QWidget]:
        _SHOTS[play.__name__.strip("_").replace("_", "-")] = Shot(play, is_slow)
        return play

    return known


@_shot()
def _start(stage: Stage) -> QWidget:
    stage.start_anew()
    return stage.window


@_shot()
def _two_files(stage: Stage) -> QWidget:
    stage.start_anew()
    stage.drop(_scores("B2"), zebra_resources.path(demo.KEY))
    return stage.window


@_shot()
def _challenge_folder(stage: Stage) -> QWidget:
    """Two keys leave open which of them belongs to the scores."""
    stage.start_anew()
    folder = stage.folder / "challenge"
    for name in ("B1w", "B2"):
        _copied(_scores(name), folder / f"{name}.txt")
    for name in ("trials-1", "trials-2"):
        _copied(zebra_resources.path(demo.KEY), folder / name)
    _copied(zebra_resources.path(demo.SPEAKERS), folder / "utt2spk")
    stage.drop(folder)
    return stage.window


@_shot()
def _demo_open(stage: Stage) -> QWidget:
    stage.session.arrivals.dismiss()
    stage.start_anew()
    stage.open_demo()
    stage.pane("ece")
    return stage.window


@_shot()
def _answer(stage: Stage) -> QWidget:
    return stage.pane("answer")


@_shot()
def _overview(stage: Stage) -> QWidget:
    return stage.pane("overview")


@_shot()
def _ece(stage: Stage) -> QWidget:
    return stage.pane("ece")


@_shot()
def _compare(stage: Stage) -> QWidget:
    stage.pane("compare")
    return stage.window


@_shot()
def _utility(stage: Stage) -> QWidget:
    pane = stage.pane("compare")
    for entry in stage.session.entries:
        stage.session.utilities.set_wer(entry.speech, _WER[entry.name])
    pane.parts.picture_only.click()
    pane.card.choose(ComparePicture.UTILITY)
    stage.settle()
    return pane.card


@_shot()
def _errors(stage: Stage) -> QWidget:
    return stage.pane("errors")


@_shot()
def _strength(stage: Stage) -> QWidget:
    return stage.pane("strength")


@_shot()
def _histograms(stage: Stage) -> QWidget:
    pane = stage.pane("strength")
    pane.card.choose(HISTOGRAMS)
    stage.settle()
    return pane


@_shot()
def _calibration(stage: Stage) -> QWidget:
    return stage.pane("calibration")


@_shot()
def _similarity(stage: Stage) -> QWidget:
    return stage.pane("similarity")


@_shot()
def _zoo(stage: Stage) -> QWidget:
    return stage.pane("zoo")


@_shot()
def _speakers(stage: Stage) -> QWidget:
    return stage.pane("speakers")


@_shot(is_slow=True)
def _report(stage: Stage) -> QWidget:
    stage.pane("report")
    stage.wait(_PAUSE_MS)
    stage.settle()
    return stage.window


@_shot()
def _listening(stage: Stage) -> QWidget:
    window = ListeningWindow(_listening_test(stage.folder), Player(is_silent=True))
    stage.show_beside(window)
    window.consent.click()
    window.begin.click()
    stage.settle()
    return window


@_shot()
def _recordings(stage: Stage) -> QWidget:
    stage.start_anew()
    stage.drop(zebra_resources.path("recordings"))
    return stage.window


@_shot(is_slow=True)
def _certainty(stage: Stage) -> QWidget:
    stage.window.recordings.state.dismiss()
    stage.open_demo()
    pane = stage.pane("certainty")
    stage.session.intervals.measure(*stage.session.entries)
    stage.settle()
    return pane


@_shot(is_slow=True)
def _people(stage: Stage) -> QWidget:
    return stage.pane("people")


@_shot(is_slow=True)
def _inference(stage: Stage) -> QWidget:
    """Who lives where is made up."""
    names = sorted({line.split()[1] for line in zebra_resources.path(demo.SPEAKERS).read_text().splitlines()})
    path = stage.folder / "region"
    path.write_text("".join(f"{name} {('north', 'south')[place % 2]}\n" for place, name in enumerate(names)))
    stage.drop(path)
    return stage.pane("people")


@_shot(is_slow=True)
def _by_group(stage: Stage) -> QWidget:
    """The same made-up regions."""
    pane = stage.pane("people")
    pane.card.choose("people-by-group")
    stage.settle()
    return pane


@_shot(is_slow=True)
def _verify(stage: Stage) -> QWidget:
    stage.start_anew()
    stage.drop(_scores("B2"), zebra_resources.path(demo.KEY))
    path = stage.folder / "B2.pdf"
    save_report(gather(stage.session.project), path, overwrite=True)
    stage.window.reporting.verify_this(path)
    stage.settle()
    shown = next(one for one in stage.window.findChildren(VerificationDialog) if one.isVisible())
    table = shown.table  # its first rows say where files are, which is of no interest
    table.scrollTo(table.model().index(_FIRST_FIGURE, 0), table.ScrollHint.PositionAtTop)
    return shown


@_shot()
def _sign(stage: Stage) -> QWidget:
    path = stage.folder / "B2.pdf"
    path.touch()
    shown = stage.window.dialogs.show_signing(path)
    stage.settle()
    return shown


def _scores(name: str) -> Path:
    return next(file.path for file in demo.FILES if file.name == name)


def _copied(source: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, to)


def _listening_test(folder: Path) -> Path:
    """The file of the first listener of a test with the recordings that come along."""
    recordings = zebra_resources.path("recordings")
    asked = folder / "test.toml"
    asked.write_text(
        _LISTENING_TEST.format(
            original=(recordings / "original").as_posix(), protected=(recordings / "B2").as_posix()
        )
    )
    return next(path for path in make_test(read_request(asked), folder / "test").files if "L01" in path.name)
