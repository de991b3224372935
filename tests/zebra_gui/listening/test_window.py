"""A listening test as a listener takes it: by keyboard and mouse, ended in the middle, and without sound."""

import json

import pytest
from PySide6.QtCore import QPoint, Qt

from tests.core.listening.cases import WANTED, answered, knowing, made, recordings
from tests.zebra_gui.listening.silent import SilentPlayer
from tests.zebra_gui.turning import turn_events
from zebra_core.errors import OutputError
from zebra_core.listening.answers import read_answers
from zebra_core.listening.items import ItemTask
from zebra_gui.app import make_app
from zebra_gui.listening.window import ListeningWindow
from zebra_gui.widgets.theme import Theme


@pytest.fixture(scope="module")
def test(tmp_path_factory):
    return made(recordings(tmp_path_factory.mktemp("listening")), *WANTED)


@pytest.fixture
def package(test, tmp_path):
    """The file of the first listener, in a folder of this test alone."""
    path = tmp_path / "L01.zebra-listening"
    path.write_bytes(test.files[1].read_bytes())
    return path


@pytest.fixture
def opened(qtbot, qapp):
    windows = []

    def open_(path, player=None):
        make_app()
        Theme(qapp)
        window = ListeningWindow(path, player or SilentPlayer())
        windows.append(window)
        window.show()
        qtbot.waitUntil(lambda: not window.jobs.waiting)
        return window

    yield open_
    for window in windows:
        window.close()
        window.deleteLater()
    qapp.setStyleSheet("")


@pytest.fixture
def begun(opened, package, qtbot):
    window = opened(package)
    window.consent.click()
    window.begin.click()
    qtbot.waitUntil(lambda: not window.jobs.waiting)
    return window


def is_finished(answers):
    """Whether the last line of a file of answers says that everything was answered."""
    *_, last = answers.read_text(encoding="utf-8").splitlines()
    return "finished" in json.loads(last)


def answer(window, qtbot):
    """Hear everything, answer, and go on."""
    page = window.items.currentWidget()
    for place in range(len(window.heard.plays)):
        window.heard.play(place)
    if window.item.question is ItemTask.PLACEMENT:
        for n, point in enumerate(page.canvas.points):
            page.canvas.move_to(n, (0.1 * point.number, 0.5))
    else:
        if window.item.question is ItemTask.SAME:
            page.different.click()
        page.steps.choose(7)
    window.next.click()
    qtbot.waitUntil(lambda: not window.jobs.waiting)


def test_nothing_begins_without_consent(opened, package):
    window = opened(package)
    assert window.words.text() == (
        "Some come twice.\n\nSome items come twice, to see how consistent answers are.\n\nYes."
    )
    assert not window.begin.isEnabled()
    assert not package.with_suffix(".zebra-answers").exists()
    window.consent.click()
    assert window.begin.isEnabled()


def test_what_is_lacking_is_said_until_the_answer_is_whole(begun):
    page, said = begun.items.currentWidget(), []
    steps = (*(button.click for button in page.play.buttons), page.same.click)
    for step in steps:
        said.append(begun.lacking.text())
        assert not begun.next.isEnabled()
        step()
    said.append(begun.lacking.text())
    page.steps.choose(9)
    assert said == [
        "Listen to both recordings.",
        "Listen to both recordings.",
        "Say whether it is the same speaker.",
        "Say how sure you are.",
    ]
    assert begun.lacking.text() == ""
    begun.next.click()
    [kept] = read_answers(begun.session.path).of.values()
    assert (kept.confidence, kept.plays) == (9, (1, 1))


def test_it_can_be_taken_by_keyboard_alone(begun, qtbot):
    page = begun.items.currentWidget()
    assert page.play.buttons[0].hasFocus()
    for key in (Qt.Key.Key_1, Qt.Key.Key_2):
        qtbot.keyClick(page, key, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(page, Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(page.different.isChecked)
    qtbot.keyClick(page, Qt.Key.Key_0)
    qtbot.keyClick(begun, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [one.confidence for one in read_answers(begun.session.path).of.values()] == [-10]


def test_a_whole_test_goes_on_where_it_stopped_and_ends_with_the_name_of_the_file(
    begun, opened, package, qtbot
):
    for _ in range(17):
        answer(begun, qtbot)
    begun.close()
    again = opened(package)
    assert "You have answered 17 of 37 items" in again.words.text()
    assert not again.consent.isVisible()
    again.begin.click()
    qtbot.waitUntil(lambda: not again.jobs.waiting)
    assert again.place.text() == "Item 18 of 37"
    while again.item is not None:
        answer(again, qtbot)
    assert again.end.text().endswith("give the file L01.zebra-answers to the person who made the test.")
    found = read_answers(package.with_suffix(".zebra-answers"), again.package.items)
    assert is_finished(package.with_suffix(".zebra-answers"))
    assert list(found.of) == [item.id for item in again.package.items]


def test_an_end_that_could_not_be_written_is_written_by_the_next_try_and_no_answer_twice(
    test, opened, package, qtbot, monkeypatch
):
    items = test.plan.listeners[0].items
    path = answered(test, "L01", knowing(test.plan.speaker), count=len(items) - 1, name=package.parent.name)
    path.rename(package.with_suffix(".zebra-answers"))
    window = opened(package)
    window.begin.click()
    qtbot.waitUntil(lambda: not window.jobs.waiting)

    def fails():
        raise OutputError("failed", file="L01.zebra-answers", folder="here", reason="No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(window.session, "finish", fails)
        answer(window, qtbot)
    assert "No space left on device" in window.remark.text()
    window.next.click()
    found = read_answers(window.session.path, window.package.items)
    assert len(found.of) == 37
    assert is_finished(window.session.path)


@pytest.fixture
def placing(test, opened, package, qtbot):
    """At the first canvas."""
    count = [item.question for item in test.plan.listeners[0].items].index(ItemTask.PLACEMENT)
    path = answered(test, "L01", knowing(test.plan.speaker), count=count, name=package.parent.name)
    path.rename(package.with_suffix(".zebra-answers"))
    window = opened(package)
    window.begin.click()
    qtbot.waitUntil(lambda: not window.jobs.waiting)
    return window


def test_points_are_heard_moved_and_read_out_by_keyboard(placing, qtbot):
    page = placing.items.currentWidget()
    point = page.canvas.points[0]
    assert placing.lacking.text() == "Not heard yet: 1, 2, 3, 4, 5, 6"
    assert point.accessibleName() == "Recording 1, not heard yet"
    qtbot.keyClick(point, Qt.Key.Key_Return)
    assert point.accessibleName() == "Recording 1, not placed yet"
    x, y = page.canvas.places[0]
    for _ in range(3):
        qtbot.keyClick(point, Qt.Key.Key_Up)
    qtbot.keyClick(point, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert page.canvas.places[0] == pytest.approx((x + 0.005, y - 0.06))
    assert point.accessibleName() == "Recording 1, 9 per cent from the left, 91 per cent from the top"
    for place in range(1, 6):
        placing.heard.play(place)
    assert placing.lacking.text() == "Not placed yet: 2, 3, 4, 5, 6"
    for _ in range(4):
        page.undo.click()
    assert page.canvas.places[0] == pytest.approx((x, y))
    assert placing.lacking.text() == "Not placed yet: 1, 2, 3, 4, 5, 6"
    assert not page.undo.isEnabled()


def test_a_point_is_dragged_by_the_mouse_and_never_leaves_the_canvas(placing, qtbot):
    canvas = placing.items.currentWidget().canvas
    point = canvas.points[2]
    before, start = canvas.places[2], point.pos()
    qtbot.mousePress(point, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    for to in (QPoint(60, -100), QPoint(-9000, -9000)):
        qtbot.mouseMove(point, to)
        point.dragged.emit(point.mapToParent(to) - QPoint(20, 20))
    point.dropped.emit()
    assert canvas.places[2] == (0.0, 0.0)
    assert point.pos() == QPoint(0, 0) != start
    canvas.undo()
    assert canvas.places[2] == before


def test_without_a_sound_device_a_sentence_says_so_and_the_recordings_can_be_saved(
    opened, package, qtbot, tmp_path
):
    window = opened(package, SilentPlayer("device"))
    window.consent.click()
    window.begin.click()
    qtbot.waitUntil(lambda: not window.jobs.waiting)
    window.heard.play(0)
    assert window.remark.text().startswith("Nothing can be played: this computer has no sound device")
    assert window.save_sounds.isVisible()
    window.export_to(tmp_path / "sounds")
    qtbot.waitUntil(lambda: not window.jobs.waiting)
    files = sorted(path.name for path in (tmp_path / "sounds").iterdir())
    assert files[:3] == ["i0001-1.flac", "i0001-2.flac", "i0002-1.flac"]
    assert window.remark.text().startswith(f"{len(files)} recordings are in ")


def test_what_was_played_elsewhere_can_be_answered_and_the_answers_say_so(opened, package, qtbot, tmp_path):
    window = opened(package, SilentPlayer("device"))
    window.consent.click()
    window.begin.click()
    qtbot.waitUntil(lambda: not window.jobs.waiting)
    page = window.items.currentWidget()
    page.play.buttons[0].click()
    page.same.click()
    page.steps.choose(7)
    assert window.lacking.text() == "Listen to both recordings."
    assert not window.next.isEnabled()
    window.export_to(tmp_path / "sounds")
    qtbot.waitUntil(lambda: not window.jobs.waiting)
    assert "Your answers will say that you heard them elsewhere." in window.remark.text()
    first = window.item.id
    assert window.place.text() == f"Item 1 of 37: {first}-1.flac, {first}-2.flac"
    assert all((tmp_path / "sounds" / f"{first}-{number}.flac").is_file() for number in (1, 2))
    window.next.click()
    qtbot.waitUntil(lambda: not window.jobs.waiting)
    [kept] = read_answers(window.session.path).of.values()
    assert (kept.confidence, kept.plays, kept.elsewhere) == (7, (0, 0), True)
    assert window.place.text().startswith("Item 2 of 37: ")

    window.close()
    again = opened(package, SilentPlayer("device"))
    again.begin.click()
    qtbot.waitUntil(lambda: not again.jobs.waiting)
    assert again.place.text() == "Item 2 of 37"
    again.heard.play(0)
    assert again.place.text().startswith("Item 2 of 37: "), "they were saved before"


def test_what_was_heard_here_is_never_said_to_be_heard_elsewhere(begun, qtbot, tmp_path):
    begun.export_to(tmp_path / "sounds")
    qtbot.waitUntil(lambda: not begun.jobs.waiting)
    answer(begun, qtbot)
    [kept] = read_answers(begun.session.path).of.values()
    assert (kept.plays, kept.elsewhere) == ((1, 1), False)


def test_a_sound_is_played_before_anything_is_agreed_to_and_counts_for_nothing(opened, package, qtbot):
    window = opened(package)
    assert window.try_sound.isVisible()
    assert window.level.isVisible()
    window.try_sound.click()
    qtbot.waitUntil(lambda: not window.jobs.waiting)
    assert window.player.played == [(16_000, 16_000)]
    assert not package.with_suffix(".zebra-answers").exists()
    assert window.remark.text() == ""


def test_a_test_sound_without_a_device_says_so_before_the_test(opened, package, qtbot):
    window = opened(package, SilentPlayer("device"))
    window.try_sound.click()
    qtbot.waitUntil(lambda: not window.jobs.waiting)
    assert window.remark.text().startswith("Nothing can be played: this computer has no sound device")


@pytest.mark.parametrize("focused", ["close_button", "level", "next"])
def test_letters_and_numbers_answer_whatever_has_the_focus_and_enter_goes_on(begun, qtbot, focused):
    page = begun.items.currentWidget()
    for place in range(2):
        begun.heard.play(place)
    getattr(begun, focused).setFocus()
    qtbot.keyClick(begun.focusWidget(), Qt.Key.Key_S)
    qtbot.keyClick(begun.focusWidget(), Qt.Key.Key_8)
    assert page.same.isChecked()
    assert page.steps.value == 8
    page.same.setFocus()
    qtbot.keyClick(page.same, Qt.Key.Key_Return)
    assert [one.confidence for one in read_answers(begun.session.path).of.values()] == [8]


def test_enter_presses_what_has_the_focus_while_an_answer_is_lacking(begun, qtbot):
    page = begun.items.currentWidget()
    assert page.play.buttons[0].hasFocus()
    qtbot.keyClick(page.play.buttons[0], Qt.Key.Key_Return)
    assert begun.heard.plays == [1, 0]
    assert read_answers(begun.session.path).of == {}


def test_a_recording_is_paused_and_goes_on_which_counts_as_heard_once(begun):
    page, player = begun.items.currentWidget(), begun.player
    first = page.play.buttons[0]
    said = [first.text()]
    for _ in range(3):
        first.click()
        said.append(first.text())
        player.moved.emit(0.02)
    player.ended.emit()
    said.append(first.text())
    words = ("Play", "Pause", "Go on", "Pause", "Play again")
    assert said == [f"{word}: \nfirst recording" for word in words]
    assert player.starts == [0.0, 0.02]
    assert begun.heard.plays == [1, 0]


def test_started_without_a_file_it_asks_for_one_and_again_after_a_bad_one(
    opened, package, tmp_path, monkeypatch, qtbot
):
    window = opened(None)
    assert "Its name ends in .zebra-listening." in window.words.text()
    assert (window.open_button.isVisible(), window.begin.isVisible()) == (True, False)
    bad = tmp_path / "bad.zebra-listening"
    bad.write_text("nothing")
    for path in ("", str(bad), str(package)):
        monkeypatch.setattr(
            "zebra_gui.listening.window.QFileDialog.getOpenFileName",
            lambda *_args, path=path: (path, ""),
        )
        assert window.open_button.isVisible()
        window.open_button.click()
        qtbot.waitUntil(lambda: not window.jobs.waiting)
        assert ("is not a test for a listener" in window.remark.text()) == (path == str(bad))
    assert (window.open_button.isVisible(), window.begin.isVisible()) == (False, True)
    assert window.words.text().startswith("Some come twice.")


def test_a_file_that_is_none_is_told(opened, tmp_path):
    path = tmp_path / "bad.zebra-listening"
    path.write_text("nothing")
    window = opened(path)
    assert "is not a test for a listener" in window.remark.text()
    assert not window.begin.isEnabled()


def test_at_200_per_cent_on_a_small_screen_everything_can_be_reached(placing):
    """1024 by 700 pixels are 512 by 350 then; what has no room scrolls."""
    placing.resize(512, 350)
    assert (placing.width(), placing.height()) == (512, 350)
    assert placing.next.geometry().bottom() <= 350
    assert placing.item_page.verticalScrollBar().maximum() > 0
    placing._page(ItemTask.SAME)
    placing._page(ItemTask.NATURALNESS)
    turn_events(5)
    assert placing.item_page.horizontalScrollBar().maximum() == 0
