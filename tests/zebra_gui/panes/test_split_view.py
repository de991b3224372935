"""A table and its picture: which of them is shown where there is little room, and what the user wants."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from zebra_gui.panes.split_view import SplitView
from zebra_gui.widgets.theme import load_fonts


@pytest.fixture
def parts(qtbot, qapp):
    load_fonts(qapp)  # in its normal size, whatever was shown before
    made = SplitView(wide=700)
    qtbot.addWidget(made)
    table, picture = QLabel("table"), QLabel("picture")
    made.show_parts(table, picture, 0.6)
    for button in (made.table_only, made.picture_only):
        qtbot.addWidget(button)
    made.resize(600, 800)
    made.show()
    return made


def shown(parts):
    return [parts.widget(k).text() for k in range(2) if parts.widget(k).isVisible()]


def test_both_are_shown_where_there_is_room_the_table_with_its_share(parts):
    assert shown(parts) == ["table", "picture"]
    table, picture = parts.sizes()
    assert table / (table + picture) == pytest.approx(0.6, abs=0.02)


@pytest.mark.parametrize(("width", "is_beside"), [(699, False), (700, True)])
def test_they_lie_side_by_side_where_it_is_wide(parts, width, is_beside):
    parts.resize(width, 800)

    assert (parts.orientation() is Qt.Orientation.Horizontal) is is_beside


def test_where_it_is_low_the_table_comes_first(parts):
    parts.resize(600, 500)

    assert shown(parts) == ["table"]
    assert parts.table_only.isChecked()
    parts.resize(600, 800)
    assert shown(parts) == ["table", "picture"]


def test_what_the_user_wants_holds_at_every_size(parts):
    parts.resize(600, 500)
    parts.table_only.click()
    assert shown(parts) == ["table", "picture"]
    parts.picture_only.click()
    parts.resize(600, 900)
    assert shown(parts) == ["picture"]
