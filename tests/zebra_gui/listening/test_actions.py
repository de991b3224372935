"""Listening tests in the window: a new one from recordings that are known, and one that is opened."""

import pytest

from tests.core.listening.cases import made, recordings
from tests.zebra_gui.conftest import drop
from tests.zebra_gui.turning import turn_events
from zebra_gui.listening.dialog import FoldersForm
from zebra_gui.recordings import work


@pytest.fixture(scope="module")
def test(tmp_path_factory):
    return made(recordings(tmp_path_factory.mktemp("listening")))


def rest(window):
    queues = [window.jobs, window.recordings.state.jobs]
    queues += [one.jobs for one in (window.listening.dialog, window.listening.test) if one is not None]
    while any(queue.waiting for queue in queues):
        turn_events(5)


def test_a_test_is_made_of_the_recordings_on_the_sheet_and_a_dropped_one_is_taken(window, test, answers):
    top = test.files[0].parents[1]
    drop(window, top / "original", top / "mask")
    rest(window)
    window.listening.new.trigger()
    dialog = window.listening.dialog
    rest(window)
    assert dialog.folders.folders.original == top / "original"
    assert dialog.folders.folders.protected == {"mask": top / "mask"}
    window.listening.new.trigger()
    assert window.listening.dialog is dialog
    dialog.close()
    turn_events(10)
    assert window.listening.dialog is None

    drop(window, test.files[1], test.files[2])
    rest(window)
    taken = window.listening.test
    assert taken.isFullScreen()
    assert taken.package.listener == "L01"
    assert "Only one test can be taken at a time, so “L02.zebra-listening” was left alone." in " ".join(
        window.session.problems
    )
    taken.close()
    turn_events(10)
    assert window.listening.test is None

    answers["listening test"] = test.files[2]
    window.listening.take.trigger()
    rest(window)
    assert window.listening.test.package.listener == "L02"


def test_a_new_test_begins_with_the_recordings_of_the_open_project(window, test):
    """Also where the scores lie inside the project, and nothing beside them tells of folders."""
    top = test.files[0].parents[1]
    drop(window, top / "original", top / "mask")
    rest(window)
    state = window.recordings.state
    found = (state.overview, state.dropped)
    state._on_scored(True, work.WrittenScores(top / "nothing", "a recogniser", ()))
    assert state.overview is None
    window.listening.new.trigger()
    rest(window)
    folders = window.listening.dialog.folders.folders
    assert (folders.original, folders.protected) == (top / "original", {"mask": top / "mask"})
    assert state.assessed == found
    window.session.restarting.emit()
    assert state.assessed is None


def test_a_safeguard_is_named_as_names_may_be(qtbot, tmp_path):
    form = FoldersForm(lambda _title: "", lambda _title: "")
    qtbot.addWidget(form)
    for name in ("Vendor delivery", "Anonymisé", "Anonymisé"):
        form.add(tmp_path / name)
    assert form.names == ["Vendor delivery", "Anonymise", "Anonymise-2"]
