"""A window as the user gets it, and the demo's files to drop on it."""

from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

import zebra_core.project.demo
import zebra_gui.document.work
import zebra_gui.session.work  # now: what tests replace in them must be found there
import zebra_resources
from tests.settings_folder import keep_settings_in
from tests.zebra_gui.shared_window import SharedWindow
from tests.zebra_gui.turning import turn_until_settled
from zebra_core.document.project_file import save_project
from zebra_core.project.demo import demo_project
from zebra_core.project.reading.reading import study_of
from zebra_core.runtime.progress import no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_gui.app import make_app, make_window
from zebra_gui.dialogs import Dialogs
from zebra_gui.dialogs.save import SaveChoice
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.session.session import Session
from zebra_gui.settings import settings
from zebra_gui.window.window import Window


@pytest.fixture(scope="session")
def qapp_cls():
    return QApplication


@cache
def the_app():
    """The application as the program makes it, once: its style set again styles every widget anew."""
    return make_app()


def take_style_away():
    """Tests begin without; first go the widgets that have it, for all of them would be styled anew.

    Where a window is shared by a module it is still there, and keeps its style.
    """
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if not any(isinstance(one, Window) for one in QApplication.topLevelWidgets()):
        QApplication.instance().setStyleSheet("")


@pytest.fixture(scope="module", autouse=True)
def begin_without_style():
    """Whatever a file of tests before has left: words take other room with it."""
    if QApplication.instance() is not None:
        take_style_away()


@pytest.fixture
def window(qtbot):
    """An empty window of the test's own, closed at the end; intervals are worked out where a test asks."""
    settings().setValue("intervals_at_once", False)
    settings().setValue("panes", "laboratory")  # tests look at any pane; see test_pane_layouts
    window = make_window(the_app())
    window.show()
    yield window
    window.close()
    assert window.finish(10_000)
    assert window.jobs.waiting == () or all(job.is_cancelled for job in window.jobs.waiting)
    window.deleteLater()
    take_style_away()


@pytest.fixture(scope="module")
def seen_panes():
    """Topics of the panes that were looked at before the first test, and offer their choices."""
    return ()


@pytest.fixture(scope="module")
def window_of_module(qapp, demo, seen_panes, tmp_path_factory):
    """The window that `shared_window` lends to one test of the module after the other."""
    keep_settings_in(tmp_path_factory.mktemp("settings"))
    shared = SharedWindow(lambda: make_window(the_app()), demo, seen_panes)
    yield shared
    shared.close()
    take_style_away()


@pytest.fixture
def shared_window(window_of_module, qtbot, monkeypatch):
    """A window with the demo open and saved, and B1w selected; all tests of the module take turns with it.

    It is put back after each test. A test that sees where a window begins, or that leaves what cannot be put
    back, takes `demo_window`.
    """
    yield window_of_module.lend()
    monkeypatch.undo()  # what the test replaced must not stand in the way
    window_of_module.take_back()


@pytest.fixture
def fewer_draws(monkeypatch):
    """Lets a function that jobs call draw as few replicates as are enough for a test."""

    def draw(name, replicates):
        whole = resolve_name(name)

        def few(measured, trials, *_settings, **rest):
            return whole(measured, trials, BootstrapSettings(replicates=replicates), **rest)

        monkeypatch.setattr(name, few)

    return draw


@pytest.fixture(scope="module")
def known_studies():
    """What was worked out about speakers for an earlier test of the module, with what it is about."""
    return {}


@pytest.fixture
def studied_once(known_studies, monkeypatch):
    """What jobs work out about the speakers of an assessment is worked out for the first test that asks."""
    whole = study_of

    def once(item, *given, on_progress=no_progress, **rest):
        asked = id(item), given, tuple(rest.items())
        if asked not in known_studies:
            known_studies[asked] = item, whole(item, *given, on_progress=on_progress, **rest)
        return known_studies[asked][1]

    monkeypatch.setattr(zebra_gui.session.work, "study_of", once)


@pytest.fixture
def settled(qapp):
    """Waits until a window or a session's jobs have nothing more to do."""
    return turn_until_settled


@pytest.fixture
def demo_window(window, demo):
    """A window with the demo open, as it is when the job is done, at the pane about one assessment."""
    window.session._on_demo_assessed(demo)
    window.workspace.show_topic("overview")
    return window


@pytest.fixture
def whole_window(demo_window):
    """A window with the demo open and every pane made, though nobody has looked at most of them."""
    for topic in demo_window.workspace.topics:
        demo_window.workspace.pane(topic)
    return demo_window


@pytest.fixture
def jobs(qtbot):
    jobs = Jobs()
    yield jobs
    jobs.shut_down()


@pytest.fixture
def session(jobs):
    return Session(jobs)


@pytest.fixture(scope="session")
def demo():
    """The assessments of the demo project, made once for all tests; matrices have tests of their own."""
    made = demo_project()
    return made.without(item.id for item in made.similarities)


@pytest.fixture
def demo_session(session, demo):
    """A session with the demo open and B2 selected."""
    session._on_demo_assessed(demo)
    session.select(demo.entries[2].id)
    return session


@pytest.fixture(scope="session")
def key():
    return zebra_resources.path(zebra_core.project.demo.KEY)


@pytest.fixture(scope="session")
def scores():
    """The score files of the demo, by name."""
    return {file.name: file.path for file in zebra_core.project.demo.FILES}


@pytest.fixture
def bad_scores(tmp_path) -> Path:
    path = tmp_path / "bad-scores.txt"
    path.write_text("1089 a 0.5\n1089 b zero\n")
    return path


def drop(widget, *what):
    """Drop files or URLs on a widget; returns whether they were accepted."""
    mime = QMimeData()
    mime.setUrls([QUrl(one) if isinstance(one, str) else QUrl.fromLocalFile(str(one)) for one in what])
    action, button, no_keys = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    enter = QDragEnterEvent(QPoint(20, 20), action, mime, button, no_keys)
    QApplication.sendEvent(widget, enter)
    if not enter.isAccepted():
        return False
    event = QDropEvent(QPointF(20, 20), action, mime, button, no_keys)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


@pytest.fixture(name="drop")
def drop_fixture():
    return drop


@pytest.fixture
def case(tmp_path, demo) -> Path:
    save_project(demo, tmp_path / "case.zebra")
    return tmp_path / "case.zebra"


@pytest.fixture
def opened(window, case, settled):
    """The window with case.zebra open."""
    window.open_paths([case])
    settled(window.jobs)
    return window


@pytest.fixture
def another_window(qtbot):
    made = []

    def make():
        made.append(make_window(the_app()))
        made[-1].show()
        return made[-1]

    yield make
    for window in made:
        window.close()
        assert window.finish(10_000)
        window.deleteLater()


@pytest.fixture
def answers(monkeypatch):
    """What the user answers where any window asks for a file, a folder or a place, by what it is for.

    A function is called with the name that is suggested, if there is one.
    """
    given = {}

    def answer(_dialogs, purpose, *suggested):
        return given[purpose](*suggested) if callable(given[purpose]) else given[purpose]

    for question in ("ask_file", "ask_folder", "ask_place"):
        monkeypatch.setattr(Dialogs, question, answer)
    return given


@pytest.fixture
def ask(monkeypatch):
    """The questions that were asked in any window, each answered with the one answer that is set."""
    asked = []

    def answering(answer):
        monkeypatch.setattr(Dialogs, "ask_to_save", lambda _self, name: (asked.append(name), answer)[1])
        return asked

    yield answering
    answering(SaveChoice.DISCARD)  # or the window would never be closed
