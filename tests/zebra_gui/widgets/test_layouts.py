"""Rows and columns hold what they are given, in its order, with room, margins and places as asked for."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QLabel, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from zebra_gui.widgets.layouts import (
    ElidedLabel,
    Flow,
    SentenceList,
    WhenVisible,
    in_column,
    in_row,
    tell,
    with_short_words,
)


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


def test_one_that_is_wider_than_the_room_wraps_in_it(row):
    inner, pair = Flow(across=10, down=5), QWidget()
    for width in (100, 50):
        inner.addWidget(Brick(width))
    pair.setLayout(inner)
    row.layout().addWidget(pair)
    pair.show()
    assert row.layout().heightForWidth(110) == 20 + 5 + 20 + 5 + 20 + 5 + 45
    row.layout().setGeometry(QRect(0, 0, 110, 120))
    assert pair.geometry().getRect() == (0, 75, 110, 45)
    assert row.layout().minimumSize().width() == 100


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


@pytest.fixture
def tabs(qtbot):
    """Two pages, each with how often it was refreshed."""
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    counts = {}
    for name in ("front", "behind"):
        page = QWidget()
        counts[name] = []
        tabs.addTab(page, name)
        page.seen = WhenVisible(page, lambda name=name: counts[name].append(name))
    return tabs, counts


def refresh(tabs):
    for place in range(tabs.count()):
        tabs.widget(place).seen.refresh()


def test_what_is_behind_waits_and_several_changes_are_shown_once(qtbot, tabs):
    tabs, counts = tabs
    tabs.show()
    refresh(tabs)
    refresh(tabs)

    assert [len(of) for of in counts.values()] == [2, 0]
    tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: len(counts["behind"]) == 1)
    tabs.setCurrentIndex(0)
    tabs.setCurrentIndex(1)
    assert [len(of) for of in counts.values()] == [2, 1]


def test_in_a_window_that_was_never_shown_everything_is_up_to_date(tabs):
    tabs, counts = tabs
    refresh(tabs)

    assert [len(of) for of in counts.values()] == [1, 1]


def test_what_takes_work_waits_until_it_is_seen_for_the_first_time_and_needs_no_word(qtbot):
    page, done = QWidget(), []
    qtbot.addWidget(page)
    seen = WhenVisible(page, lambda: done.append(1), only_visible=True)
    seen.refresh()
    assert not done

    page.show()
    qtbot.waitUntil(lambda: done == [1])
    seen.refresh()
    assert done == [1, 1]


@pytest.mark.parametrize(("rows", "scrolls"), [(1, False), (3, False), (4, True)])
def test_it_is_as_high_as_its_rows_and_scrolls_only_beyond_the_most(
    qtbot: QtBot, rows: int, scrolls: bool
) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    shown = SentenceList("Checks", 3)
    shown.setParent(around)
    shown.resize(300, 50)
    around.show()
    shown.addItems(["a sentence that goes on and on, until it stands in more than one line"] * rows)
    shown.fit()
    qtbot.waitUntil(lambda: (shown.verticalScrollBar().maximum() > 0) is scrolls)
    assert shown.accessibleName() == "Checks"


def test_with_rows_of_several_lines_it_is_higher(qtbot: QtBot) -> None:
    shown = SentenceList("Checks", 3)
    qtbot.addWidget(shown)
    shown.resize(300, 50)
    shown.fit()
    empty = shown.height()
    shown.addItem("short")
    shown.fit()
    short = shown.height()
    shown.addItem("long " * 40)
    shown.fit()
    assert empty <= short < shown.height() - short


def test_words_that_may_end_a_line_at_a_hyphen_are_whole_and_names_of_files_lose_their_middle():
    assert with_short_words("die A-priori-Wahrscheinlichkeit.") == "die A-priori-Wahrscheinlichkeit."
    assert with_short_words("recordings_of_2026-03-01_by_telephone.wav") == "recordings_…hone.wav"


def test_no_line_ends_between_a_figure_and_its_sign(qtbot):
    shown = QLabel()
    qtbot.addWidget(shown)
    tell(shown, "Groups", "That may be chance (p = 0.464), or not (p < 0.001); a is 1.")
    assert shown.text() == "That may be chance (p\u00a0=\u00a00.464), or not (p\u00a0<\u00a00.001); a is 1."
    assert shown.accessibleName().endswith("(p < 0.001); a is 1.")


def test_a_heading_that_is_cut_keeps_its_end(qtbot):
    for tone, end in (("heading", "variant 12"), ("", "…")):
        shown = ElidedLabel(tone)
        qtbot.addWidget(shown)
        shown.resize(200, 20)
        shown.show_text("Vendor A, delivery of March, configuration with pitch, variant 12")
        assert shown.text().endswith(end)
        assert "variant 12" in shown.toolTip()
