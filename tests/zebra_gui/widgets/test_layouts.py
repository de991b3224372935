"""Rows and columns hold what they are given, in its order, with room, margins and places as asked for."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from zebra_gui.widgets.layouts import in_column, in_row


def test_parts_stand_in_their_order_with_their_shares(qapp):
    whole, one, other = QWidget(), QLabel("one"), QLabel("other")
    row = in_row(one, 2, (other, 3), spacing=7)
    column = in_column(row, (in_row(), 1), on=whole, margins=(1, 2, 3, 4))
    assert whole.layout() is column
    assert [row.itemAt(0).widget(), row.itemAt(2).widget()] == [one, other]
    assert [row.stretch(n) for n in range(3)] == [0, 2, 3]
    assert row.spacing() == 7
    assert column.stretch(1) == 1
    assert [getattr(column.contentsMargins(), side)() for side in ("left", "top", "right", "bottom")] == [
        1, 2, 3, 4,
    ]  # fmt: skip


def test_a_part_may_have_its_place_and_margins_may_be_alike(qapp):
    text = QLabel("text")
    column = in_column((text, 0, Qt.AlignmentFlag.AlignRight), margins=5)
    assert column.itemAt(0).alignment() == Qt.AlignmentFlag.AlignRight
    assert column.contentsMargins().bottom() == 5
