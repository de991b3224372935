"""What opens recordings to be seen and heard: the sheet, and scores that were made from some."""

from functools import partial
from pathlib import Path

import pytest

from tests.core.recordings.samples import ORIGINAL, PROTECTED
from zebra_core.recordings.recording_table import RecordingVersion, RecordingVersions
from zebra_gui.dialogs import Dialogs, Folder
from zebra_gui.recordings import actions
from zebra_gui.recordings.actions import PlaybackActions

PLACE = "1688/1688-142285-0005.flac"
TAKES = tuple(
    RecordingVersions(
        name, speaker, (RecordingVersion("", ORIGINAL / PLACE), RecordingVersion("B2", PROTECTED / PLACE))
    )
    for name, speaker in (("a", "anna"), ("b", "bert"))
)


class Asked(Dialogs):
    """Dialogs that give one folder, and count."""

    def __init__(self, folder: Path | None) -> None:
        super().__init__(None)
        self.folder, self.times = folder, 0

    def ask_folder(self, purpose: Folder) -> Path | None:
        assert purpose == "recordings"
        self.times += 1
        return self.folder


@pytest.fixture
def opener(session, qtbot):
    made = []

    def open_with(folder):
        made.append(PlaybackActions(session, Asked(folder)))
        return made[-1]

    yield open_with
    for one in made:
        if one.dialog is not None:
            for side in one.dialog.sides:
                qtbot.waitUntil(partial(getattr, side, "is_looked_at"), timeout=10_000)
        one.close()


def test_it_begins_with_the_speaker_that_is_followed(opener, session, monkeypatch, qtbot):
    monkeypatch.setattr(actions, "_find", lambda _entry, _folders: TAKES)
    monkeypatch.setattr(type(session), "speaker", "bert")
    opened = opener(None)
    opened.show_entry(object())
    qtbot.waitUntil(lambda: opened.dialog is not None, timeout=5000)
    assert opened.dialog.recording.currentText() == "b (bert)"
    assert [side.name for side in opened.dialog.sides] == ["original", "B2"]


def test_what_is_not_found_is_asked_for_once_and_told(opener, session, monkeypatch, qtbot):
    looked = []
    monkeypatch.setattr(actions, "_find", lambda _entry, folders: looked.append(folders) or ())
    told = []
    session.report_problem = told.append
    opened = opener(Path("elsewhere"))

    opened.show_entry(object())
    qtbot.waitUntil(lambda: bool(told), timeout=5000)

    assert looked == [(), (Path("elsewhere"),)]
    assert told == ["None of the recordings that the scores were made from is in this folder."]
    assert opened._dialogs.times == 1


def test_whoever_names_no_folder_is_told_nothing(opener, session, monkeypatch, qtbot, settled):
    monkeypatch.setattr(actions, "_find", lambda _entry, _folders: ())
    opened = opener(None)
    opened.show_entry(object())
    qtbot.waitUntil(lambda: opened._dialogs.times == 1, timeout=5000)
    assert opened.dialog is None
