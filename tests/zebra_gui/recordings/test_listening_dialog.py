"""Listening: an original and its protected copy beside each other, by mouse and by keyboard."""

import pytest
from PySide6.QtCore import Qt

from tests.core.recordings.samples import tone, write
from zebra_core.recordings.recording_table import RecordingVersion, RecordingVersions
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.recordings.listening_dialog import ListeningDialog
from zebra_gui.session.session import Session
from zebra_gui.widgets.player import Player


@pytest.fixture(scope="module")
def takes(tmp_path_factory):
    top = tmp_path_factory.mktemp("speech")
    write(top / "o.wav", tone(seconds=0.2), subtype="FLOAT")
    write(top / "p.wav", tone(seconds=0.4, size=0.25), subtype="FLOAT")
    (top / "none.wav").write_text("no sound")
    versions = (
        RecordingVersion("", top / "o.wav", "", 110.0),
        RecordingVersion("B2", top / "p.wav", "0" * 64, 220.0),
    )
    return (
        RecordingVersions("first", "anna", versions),
        RecordingVersions(
            "second",
            "",
            (
                RecordingVersion("", top / "none.wav", "", 200.0),
                *versions[1:],
                RecordingVersion("B1", top / "o.wav"),
            ),
        ),
    )


@pytest.fixture(scope="module")
def dialog_of_module(takes, qapp):
    jobs = Jobs()
    dialog = ListeningDialog(takes, Session(jobs), player=Player(is_silent=True))
    dialog.show()
    yield dialog
    dialog.close()
    jobs.shut_down()
    dialog.deleteLater()


@pytest.fixture
def dialog(dialog_of_module, qtbot):
    """The first recording is shown, and silent."""
    dialog = dialog_of_module
    dialog.player.stop()
    if not dialog.sides or dialog.recording.currentIndex():
        dialog.go_to(0)
    wait_until_looked(dialog, qtbot)
    return dialog


def wait_until_looked(dialog, qtbot):
    qtbot.waitUntil(lambda: all(side.is_looked_at for side in dialog.sides), timeout=10_000)


def test_both_are_shown_on_the_same_axes_with_names_that_can_be_read_out(dialog):
    original, protected = dialog.sides
    figures = [card.view.figure for side in dialog.sides for card in side.cards]

    assert dialog.recording.currentText() == "first (anna)"
    assert {figure.x.high for figure in figures} == {0.4}
    assert [figure.y.high for figure in figures[::2]] == pytest.approx([0.525, 0.525])
    assert (original.play.accessibleName(), protected.play.accessibleName()) == ("Play original", "Play B2")
    assert protected.told.text() == "This file has changed since it was scored."
    assert original.told.text() == ""
    plot = protected.cards[1].view.plot
    assert "first, B2: spectrogram" in plot.accessibleName()
    assert "0.4 s" in plot.accessibleDescription()


def test_space_in_a_picture_plays_what_is_shown_and_stops_it(dialog, qtbot):
    _, protected = dialog.sides
    plot = protected.cards[0].view.plot
    plot.setFocus()
    dialog.activateWindow()
    with qtbot.waitSignal(dialog.player.started, timeout=5000):
        protected.space.activated.emit()
    assert protected.play.text() == "Stop B2"
    qtbot.waitUntil(protected.moments[0].isVisible, timeout=5000)
    protected.play.click()
    assert not dialog.player.is_playing
    assert protected.play.text() == "Play B2"
    assert not protected.moments[0].isVisible()
    assert protected.space.key().toString() == "Space"


def test_next_goes_on_and_what_is_no_sound_is_told_in_its_place(dialog, qtbot):
    assert not dialog.back.isEnabled()
    dialog.next.click()
    wait_until_looked(dialog, qtbot)

    original, protected = dialog.sides
    assert "is not a sound file" in original.told.text()
    assert not original.play.isEnabled()
    assert protected.play.isEnabled()
    assert not dialog.next.isEnabled()
    assert dialog.back.isEnabled()


def test_another_safeguard_is_shown_in_the_place_of_the_first(dialog, qtbot):
    dialog.go_to(1)
    dialog.safeguard.setCurrentText("B1")
    dialog.safeguard.activated.emit(1)
    wait_until_looked(dialog, qtbot)
    assert [side.name for side in dialog.sides] == ["original", "B1"]


def test_without_a_device_a_sentence_says_so(dialog):
    dialog.player.failed.emit("device")
    assert dialog.remark.text().startswith("Nothing can be played: this computer has no sound device")


def test_a_long_name_makes_the_dialog_no_wider(dialog):
    width = dialog.minimumSizeHint().width()
    dialog.recording.addItem("w" * 500)
    dialog.layout().invalidate()
    longer = dialog.minimumSizeHint().width()
    dialog.recording.removeItem(dialog.recording.count() - 1)

    assert longer == width < 1_000


def test_the_level_is_that_of_the_slider(dialog):
    dialog.level.setValue(25)
    assert dialog.player.level == 0.25


def test_the_arrow_keys_read_the_spectrogram(dialog, qtbot):
    view = dialog.sides[0].cards[1].view
    qtbot.keyClick(view.plot, Qt.Key.Key_Right)
    first = view.words.whole_text
    qtbot.keyClick(view.plot, Qt.Key.Key_Up)
    assert "Hz" in first
    assert view.words.whole_text != first


def test_a_picture_can_be_saved(dialog, qtbot):
    card = dialog.sides[0].cards[1]
    with qtbot.waitSignal(dialog.export_requested, timeout=1000) as told:
        card.export_button.click()
    assert told.args == [card]
    assert card.file_stem() == "ZEBRA-first-original-spectrogram"
    assert card.make_picture()().title == "first, original: spectrogram"


def test_pitch_of_all_recordings_is_drawn_and_a_click_goes_to_one(dialog):
    dialog.safeguard.setCurrentIndex(dialog.safeguard.findData("B2"))
    dialog.go_to(0)
    assert dialog.pitch.isVisible()
    (points,) = dialog.pitch.make_figure()().points
    assert points.names == ("second", "first")
    assert points.emphasised == {"first"}

    dialog.pitch.view.picked.emit("second")
    assert dialog.recording.currentIndex() == 1
    assert dialog.pitch.make_figure()().points[0].emphasised == {"second"}


def test_where_pitch_was_not_measured_there_is_no_picture_of_it(dialog):
    dialog.safeguard.setCurrentIndex(dialog.safeguard.findData("B1"))
    dialog._show_take()
    assert not dialog.pitch.isVisible()
    dialog.safeguard.setCurrentIndex(dialog.safeguard.findData("B2"))
