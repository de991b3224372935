"""The keyboard: it gets to everything that can be seen, to nothing else, and is always seen itself."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QApplication, QLineEdit, QWidget

from tests.contrast import luminance_of_pixels
from zebra_gui.widgets.theme import ThemeChoice
from zebra_gui.window.view_menu import takes_focus

MOST_STOPS = 60
SEEN = 20  # pixels that change by 3 to 1: a line along the shorter side of the smallest button


@pytest.fixture
def front(qtbot, demo_window):
    """Brings a pane to the front and waits until it is drawn."""
    demo_window.activateWindow()

    def show(topic):
        workspace = demo_window.workspace
        workspace.show_topic(topic)
        qtbot.waitUntil(lambda: not workspace.front_pane.visibleRegion().isEmpty())
        qtbot.waitUntil(lambda: not demo_window.session.drawing.queues[0].waiting)
        workspace.evidence.tree.setFocus()
        return workspace.front_pane

    return show


def stops(key=Qt.Key.Key_Tab):
    """What has the focus, from where it is on, as long as the key brings something new."""
    found, unseen = [], []
    while (now := QApplication.focusWidget()) not in found and len(found) < MOST_STOPS:
        found.append(now)
        if not is_seen(now):
            unseen.append(str(now))
        QTest.keyClick(now, key)
    assert now is found[0], "Tab never comes back"
    assert unseen == []
    return found


def is_seen(widget):
    shown = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    return not shown.visibleRegion().isEmpty() or any(
        not child.visibleRegion().isEmpty() for child in shown.findChildren(QWidget)
    )


def test_tab_goes_to_everything_that_can_be_seen_and_to_nothing_else(demo_window, front):
    for topic in demo_window.workspace.topics:
        pane = front(topic)
        found = stops()

        wanted = {widget for widget in demo_window.findChildren(QWidget) if takes_focus(widget)}
        left_out = [
            str(widget)
            for widget in wanted - set(found)
            # The arrow keys go to the other buttons of a group; a field made of others has the focus itself.
            if not (isinstance(widget, QAbstractButton) and widget.group())
            and not (isinstance(widget, QLineEdit) and widget.parent() in found)
        ]
        assert (topic, left_out) == (topic, [])
        # Without matrices nothing can be done in the pane about them.
        assert any(pane.isAncestorOf(widget) for widget in found) or topic == "similarity"


def test_the_way_back_is_the_same(front):
    front("errors")
    there = stops()

    assert stops(Qt.Key.Key_Backtab) == [there[0], *reversed(there[1:])]


def test_from_the_evidence_tab_goes_to_the_tabs_then_to_the_pane_then_to_the_guide(demo_window, front):
    pane = front("ece")
    names = ["pane" if pane.isAncestorOf(widget) else widget.accessibleName() for widget in stops()]

    places = [names.index(name) for name in ("Evidence", "Panes", "pane", "Guide", "Prior")]
    assert places == sorted(places)


def test_pictures_take_the_keyboard(front):
    pane = front("ece")
    plot = pane.card.view.plot
    assert plot in stops()

    plot.setFocus()
    QTest.keyClick(plot, Qt.Key.Key_Right)

    assert "bit" in pane.card.view.words.whole_text


def test_f6_goes_from_part_to_part_and_back_to_where_the_keyboard_was(demo_window, front):
    front("ece").card.part("actual").setFocus()

    names = []
    shift = Qt.KeyboardModifier.ShiftModifier
    for modifiers in ((), (), (), (), (shift,)):
        QTest.keyClick(demo_window, Qt.Key.Key_F6, *modifiers)
        names.append(QApplication.focusWidget().accessibleName() or QApplication.focusWidget().text())

    assert names == ["Guide", "Mark the &prior", "Evidence", "Actual", "Evidence"]


def test_f6_on_the_empty_window_goes_to_its_buttons(window):
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F6)

    assert QApplication.focusWidget() is window.start_page.open_button


def test_panes_behind_another_are_hidden_and_leave_the_layout_as_it_was(qtbot, demo_window, front):
    front("overview")
    workspace = demo_window.workspace
    sizes = {workspace.minimumSizeHint().toTuple()}
    for topic in ("report", "compare", "overview"):
        pane = front(topic)
        assert [one for one in map(workspace.pane, workspace.topics) if one.isVisible()] == [pane]
        sizes.add(workspace.minimumSizeHint().toTuple())

    assert len(sizes) == 1


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_what_has_the_focus_is_seen_to_have_it(demo_window, front, theme):
    demo_window.theme.choose(theme)
    unseen, looked_at = {}, set()
    for topic in ("overview", "compare", "strength", "report"):
        front(topic)
        for _ in range(MOST_STOPS):
            widget = QApplication.focusWidget()
            looked_at.add(widget)
            focused = pixels(widget)
            widget.clearFocus()
            changed = np.sort(contrasts(focused, pixels(widget)), axis=None)
            if changed[-SEEN] < 3.0:
                unseen[str(widget)] = changed[-SEEN]
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            QTest.keyClick(widget, Qt.Key.Key_Tab)
            if QApplication.focusWidget() is demo_window.workspace.evidence.tree:
                break
    assert unseen == {}
    assert len(looked_at) > 40


def pixels(widget):
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGBA8888)
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    return flat.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), :3].copy()


def contrasts(one, other):
    light, dark = luminance_of_pixels(one) + 0.05, luminance_of_pixels(other) + 0.05
    return np.maximum(light, dark) / np.minimum(light, dark)
