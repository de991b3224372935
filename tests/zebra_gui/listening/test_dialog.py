"""A new listening test in the window: what is lacking, what will come, making it, and what goes wrong."""

import shutil

import numpy as np
import pytest
import soundfile
from PySide6.QtCore import QRect

from tests.core.listening.cases import recordings
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.listening.items import ItemTask
from zebra_core.listening.plan import read_plan
from zebra_core.listening.recorded_folders import RecordedFolders
from zebra_gui.listening.dialog import ListeningTestDialog


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    return recordings(tmp_path_factory.mktemp("recordings"))


@pytest.fixture
def dialog(qtbot):
    faults = []
    made = ListeningTestDialog(lambda _title: "", lambda _title: "", faults.append)
    made._pause.setInterval(10)  # nobody types here
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()
    assert not faults


def said(dialog, top, qtbot):
    """Everything is said: 12 pairs and 4 anchors, 10 ratings."""
    dialog.take(
        RecordedFolders(top / "original", {"mask": top / "mask"}, SpeakerRule.FIRST_FOLDER),
    )
    rows = dialog.questions.rows
    rows[ItemTask.NATURALNESS].asked.setChecked(True)
    numbers = ((ItemTask.SAME, (12, 4, 3)), (ItemTask.NATURALNESS, (10, 2, 2)))
    for asked, values in numbers:
        for field, value in zip(rows[asked].numbers, values, strict=True):
            field.setValue(value)
    dialog.listeners.setValue(4)
    dialog.seed.setValue(3)
    dialog.title.setText("Ears")
    dialog.introduction.setPlainText("Some come twice.")
    dialog.consent.setPlainText("I agree.")
    settled(dialog, qtbot)


def settled(dialog, qtbot):
    qtbot.waitUntil(lambda: not dialog._pause.isActive() and not dialog.jobs.waiting, timeout=20_000)


def test_on_a_low_screen_its_buttons_are_within_reach(qtbot, monkeypatch):
    low = QRect(0, 0, 1024, 700)
    monkeypatch.setattr("PySide6.QtGui.QScreen.availableGeometry", lambda _screen: low)
    made = ListeningTestDialog(lambda _title: "", lambda _title: "", lambda _fault: None)
    qtbot.addWidget(made)
    assert made.height() == 660
    assert made.minimumSizeHint().height() <= 660


def test_what_is_lacking_is_said_one_after_the_other(dialog, top):
    lacking = [dialog.remark.text()]
    dialog.folders.use_original(top / "original")
    dialog.unprotected.setChecked(False)
    lacking.append(dialog.remark.text())
    dialog.folders.add(top / "mask")
    dialog.folders.add(top / "mask")
    assert dialog.folders.names == ["mask", "mask-2"]
    dialog.folders._protected[1][0].setText("mask")
    lacking.append(dialog.remark.text())
    dialog.folders._remove(1)
    lacking.append(dialog.remark.text())
    dialog.introduction.setPlainText("Hello")
    lacking.append(dialog.remark.text())
    assert lacking == [
        "Choose the folder of the original recordings.",
        "Add a safeguard, or let unprotected speech be judged.",
        "Give each safeguard its own name.",
        "Write an introduction. The listeners read it before they begin.",
        "Write what the listeners agree to.",
    ]
    assert not dialog.make_button.isEnabled()


def test_what_will_come_is_said_before_anything_is_written_and_then_it_is_made(dialog, top, qtbot, tmp_path):
    said(dialog, top, qtbot)
    outlook = "4 listeners hear 33 items each, under 2 conditions: about 1 min of sound if everything"
    assert dialog.outlook.text().startswith(outlook)
    assert (
        "3 pairs come twice for each listener. The introduction ends with a sentence" in dialog.outlook.text()
    )
    assert dialog.remark.text() == "Choose an empty folder for the test."
    dialog.write_to(tmp_path / "test")
    settled(dialog, qtbot)
    assert not (tmp_path / "test").exists()
    dialog.make_button.click()
    assert not dialog.stop_button.isHidden()
    settled(dialog, qtbot)
    assert dialog.outlook.text().startswith("The test is made: 4 listeners’ files and the plan ")
    plan = read_plan(tmp_path / "test" / "listening-plan.json")
    assert (plan.title, plan.seed, plan.safeguards, len(plan.listeners)) == ("Ears", 3, ("", "mask"), 4)
    assert not dialog.make_button.isEnabled()

    dialog.seed.setValue(4)  # the folder is taken by now
    settled(dialog, qtbot)
    dialog.make_button.click()
    settled(dialog, qtbot)
    assert "already" in dialog.remark.text()
    assert read_plan(tmp_path / "test" / "listening-plan.json") == plan


def test_of_recordings_with_several_channels_one_is_chosen(dialog, top, qtbot, tmp_path):
    shutil.copytree(top, tmp_path / "two", ignore=shutil.ignore_patterns("test"))
    for path in (tmp_path / "two" / "original").rglob("*.wav"):
        samples, rate_hz = soundfile.read(path)
        soundfile.write(path, np.stack([samples, 0.1 * samples], axis=1), rate_hz)
    said(dialog, tmp_path / "two", qtbot)
    assert dialog.remark.text() == "Some recordings have up to 2 channels. Choose the channel to listen to."
    dialog.write_to(tmp_path / "test")
    settled(dialog, qtbot)
    assert (dialog.channel_row.isHidden(), dialog.make_button.isEnabled()) == (False, False)
    dialog.channel.setCurrentIndex(1)
    dialog.channel.activated.emit(1)
    settled(dialog, qtbot)
    assert dialog.request.channel == 1
    assert dialog.make_button.isEnabled()


def test_numbers_that_do_not_fit_are_refused_in_place_and_making_can_be_stopped(dialog, top, qtbot, tmp_path):
    said(dialog, top, qtbot)
    dialog.questions.rows[ItemTask.SAME].items.setValue(13)
    settled(dialog, qtbot)
    assert "13 items cannot be divided evenly among 2 conditions" in dialog.remark.text()
    assert not dialog.make_button.isEnabled()
    dialog.questions.rows[ItemTask.SAME].items.setValue(12)
    dialog.write_to(tmp_path / "test")
    settled(dialog, qtbot)
    dialog.make_button.click()
    dialog.stop_button.click()
    settled(dialog, qtbot)
    assert dialog.remark.text() == "Stopped. Nothing was written."
    assert dialog.make_button.isEnabled()
    assert not list(tmp_path.glob("test/*"))
