"""The comparison as a table: groups stay together, whatever is sorted, filtered or typed."""

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt

from tests.core.challenge_case import challenge
from tests.core.samples import HOSTILE, project_of, small_entry
from zebra_core.project.comparison.columns import ALL_COLUMNS
from zebra_core.project.comparison.comparison import compare
from zebra_core.project.items import SpeechKey
from zebra_core.project.project import Project
from zebra_gui.models.comparison import NAME, WER, CompareRole, ComparisonModel, ComparisonOrder

CODES = [column.code for column in ALL_COLUMNS]
D_ECE, TAG, DE_ID = (CODES.index(code) for code in ("d_ece", "tag", "de_id"))
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture
def model(session):
    session.open_project(challenge())
    model = ComparisonModel(session)
    model.show_comparison(compare(session.project))
    session.project_changed.connect(lambda: model.show_comparison(compare(session.project)))
    return model


@pytest.fixture
def order(model):
    return ComparisonOrder(model)


def names(order, column=NAME):
    return [order.index(row, column).data() for row in range(order.rowCount())]


def group(order, number):
    """The names below the heading of a group."""
    headings = [row for row in range(order.rowCount()) if order.index(row, NAME).data(CompareRole.IS_HEADING)]
    return names(order)[headings[number] + 1 : (*headings, order.rowCount())[number + 1]]


def test_it_is_a_model(model, order, qtmodeltester):
    for each in (model, order):
        qtmodeltester.check(each)
        assert each.rowCount() == 24 + 6


def test_every_group_has_a_heading_that_cannot_be_selected(model):
    assert model.rowCount() == 24 + 6
    heading = model.index(0, NAME)
    assert heading.data() == "other_f · OO, unprotected · D_ECE as computed"
    assert model.flags(heading) == Qt.ItemFlag.ItemIsEnabled
    assert model.index(0, D_ECE).data() is None


def test_cells_say_what_the_columns_say(model):
    row = compare(challenge()).rows[4]
    assert [model.index(6, n).data() for n in range(len(ALL_COLUMNS))] == [c.shown(row) for c in ALL_COLUMNS]
    assert model.index(6, D_ECE).data() == "0.149"
    assert model.index(6, D_ECE).data(Qt.ItemDataRole.AccessibleTextRole) == "D_ECE as computed (bit): 0.149"
    assert model.headerData(D_ECE, Qt.Orientation.Horizontal) == "D_ECE as\ncomputed (bit)"
    assert "Lower is better." in model.headerData(
        D_ECE, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )


def test_a_bar_is_as_long_as_its_share_of_the_most(model):
    row = compare(challenge()).rows[4]
    assert model.index(6, D_ECE).data(CompareRole.BAR) == pytest.approx(
        row.assessment.share_of_full_disclosure
    )
    assert model.index(6, TAG).data(CompareRole.BAR) is None
    assert model.index(6, DE_ID).data(CompareRole.BAR) is None
    assert model.index(6, TAG).data(CompareRole.TAG_COLOUR) == "#7A6A00"


def test_rows_are_sorted_within_their_groups_and_groups_stay(order):
    before = [name for name in names(order) if "·" in name]
    order.sort(D_ECE, ASCENDING)
    assert group(order, 1) == ["B1w", "B2r run0", "B2", "B2r run1"]
    assert [name for name in names(order) if "·" in name] == before
    order.sort(D_ECE, DESCENDING)
    assert group(order, 1) == ["B2r run1", "B2", "B2r run0", "B1w"]
    assert [name for name in names(order) if "·" in name] == before


def test_equal_rows_keep_their_order_either_way(order):
    for direction in (ASCENDING, DESCENDING):
        order.sort(D_ECE, direction)
        assert group(order, 0) == ["B1w", "B2", "B2r run0", "B2r run1"]


def test_what_is_not_there_comes_last_either_way(order, session):
    session.utilities.set_wer(SpeechKey("other_f", "B2"), 0.3)
    session.utilities.set_wer(SpeechKey("other_f", "B1w"), 0.2)
    order.sort(WER, ASCENDING)
    assert group(order, 1) == ["B1w", "B2", "B2r run0", "B2r run1"]
    order.sort(WER, DESCENDING)
    assert group(order, 1) == ["B2", "B1w", "B2r run0", "B2r run1"]


@pytest.mark.parametrize(
    ("words", "count"),
    [("B2r", 12), ("b2r other_f", 6), ("lazy B1w", 2), ("run1 ignorant", 2), ("nobody", 0)],
)
def test_a_filter_keeps_rows_with_all_words_and_the_headings_above_them(order, words, count):
    order.show_only(words)
    rows = [name for name in names(order) if "·" not in name]
    assert len(rows) == count
    groups = {order.index(row, NAME).data(CompareRole.GROUP) for row in range(order.rowCount())}
    assert order.rowCount() == count + len(groups)


def test_a_filter_that_is_taken_back_shows_everything(order):
    order.show_only("nobody")
    order.show_only("")
    assert order.rowCount() == 30


def test_a_typed_rate_is_that_of_the_speech_in_all_conditions_and_can_be_undone(model, session):
    index = model.index(7, WER)
    assert (model.index(7, NAME).data(), index.data()) == ("B2", "–")
    assert model.setData(index, "8,7 %")
    assert index.data() == "8.70 %"
    assert index.data(Qt.ItemDataRole.EditRole) == "8.7"
    assert session.project.utilities[SpeechKey("other_f", "B2")].wer == pytest.approx(0.087)
    assert [model.index(row, WER).data() for row in range(30)].count("8.70 %") == 2
    session.undo_stack.undo()
    assert index.data() == "–"


def test_a_rate_that_is_typed_again_is_no_change(model, session):
    model.setData(model.index(7, WER), "8.7")
    count = session.undo_stack.count()
    model.setData(model.index(7, WER), "8.7")
    assert session.undo_stack.count() == count


def test_what_is_no_rate_is_told_and_changes_nothing(model, session):
    assert not model.setData(model.index(7, WER), "much")
    assert session.problems == (
        "“much” is not a word error rate. Type a percentage, such as 4.2, or nothing if it is not known.",
    )
    assert session.project.utilities == {}


def test_only_the_word_error_rate_can_be_edited(model):
    editable = [
        number
        for number in range(len(ALL_COLUMNS))
        if model.flags(model.index(7, number)) & Qt.ItemFlag.ItemIsEditable
    ]
    assert editable == [WER]
    assert not model.setData(model.index(7, NAME), "other")
    assert not model.setData(model.index(0, WER), "3")


def test_names_of_the_worst_kind_stay_on_one_line_and_are_no_rich_text(session):
    model = ComparisonModel(session)
    model.show_comparison(compare(project_of(*HOSTILE.values())))
    for row in range(1, model.rowCount()):
        assert "\n" not in model.index(row, NAME).data()
        assert "\u202e" not in model.index(row, NAME).data()
        assert "<img" not in model.index(row, NAME).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.parametrize("count", [0, 1, 200])
def test_few_and_many(session, count):
    items = tuple(replace(small_entry(), id=str(n), name=f"S{n}") for n in range(count))
    model = ComparisonModel(session)
    model.show_comparison(compare(Project(items=items)))
    assert model.rowCount() == count + (1 if count else 0)
    assert model.index_of("199").isValid() is (count == 200)
    assert not model.index_of("nobody").isValid()


def test_a_figure_that_is_no_number_has_no_bar_and_comes_last(session):
    entry = small_entry()
    odd = replace(entry, id="odd", name="odd", assessment=replace(entry.assessment, d_ece_bits=math.nan))
    model = ComparisonModel(session)
    order = ComparisonOrder(model)
    model.show_comparison(compare(Project(items=(odd, entry))))
    for direction in (ASCENDING, DESCENDING):
        order.sort(D_ECE, direction)
        assert names(order)[1:] == ["B1", "odd"]
    assert model.data(model.index(1, D_ECE), CompareRole.BAR) is None
    assert model.rowCount(model.index(1, 0)) == 0
    assert model.data(QModelIndex()) is None
