"""A row that goes on in the next line."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QLabel, QWidget

from zebra_gui.widgets.flow import Flow


class Brick(QWidget):
    """Of a fixed size."""

    def __init__(self, width):
        super().__init__()
        self.setFixedSize(width, 20)


@pytest.fixture
def row(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    flow = Flow(across=10, down=5)
    window.setLayout(flow)
    for width in (100, 50, 80):
        flow.addWidget(Brick(width))
    window.resize(400, 100)
    window.show()
    return window


def places(row):
    flow = row.layout()
    return [flow.itemAt(k).geometry().getRect()[:2] for k in range(flow.count())]


def test_where_there_is_room_all_stand_in_one_line(row):
    row.layout().setGeometry(QRect(0, 0, 250, 20))

    assert places(row) == [(0, 0), (110, 0), (170, 0)]
    assert row.layout().heightForWidth(250) == 20
    assert row.layout().sizeHint().toTuple() == (250, 20)


def test_where_the_room_ends_it_goes_on_below(row):
    row.layout().setGeometry(QRect(0, 0, 249, 45))

    assert places(row) == [(0, 0), (110, 0), (0, 25)]
    assert row.layout().heightForWidth(249) == 45
    assert row.layout().heightForWidth(10) == 70


def test_only_the_widest_has_to_fit_and_what_is_hidden_takes_no_room(row):
    assert row.layout().minimumSize().toTuple() == (100, 20)
    row.layout().itemAt(0).widget().hide()
    assert row.layout().minimumSize().toTuple() == (80, 20)
    assert row.layout().heightForWidth(140) == 20


def test_a_low_widget_stands_in_the_middle_of_its_line(qtbot):
    around = QWidget()
    qtbot.addWidget(around)
    flow = Flow()
    low, high = QLabel("low"), QLabel("high")
    low.setFixedSize(40, 16)
    high.setFixedSize(40, 30)
    for each in (low, high):
        flow.addWidget(each)
    around.setLayout(flow)
    around.resize(200, 60)
    around.show()
    assert low.geometry().center().y() == high.geometry().center().y()
    assert flow.heightForWidth(200) == 30
