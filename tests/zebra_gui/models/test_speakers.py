"""Speakers as rows: any order, ties as given, the selected row goes along, and thousands of them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from zebra_core.figures.figure import Ink
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.project.reading.reading import study_of
from zebra_gui.models.speakers import SpeakerRow, SpeakersModel
from zebra_gui.tables.speakers import SpeakersTable

_UP, _DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
MANY = 5000


@pytest.fixture(scope="module")
def found(demo):
    return study_of(demo.entries[2]).disclosures.speakers


@pytest.fixture
def rows(found):
    """Four speakers, two of whom disclose as much."""
    given = [("s10", 0.1), ("s9", 0.3), ("s2", 0.1), ("s1", 0.2)]
    return [SpeakerRow(replace(found[0], speaker=name, estimate_bits=bits)) for name, bits in given]


@pytest.fixture
def model(qtbot, rows, qtmodeltester):
    model = SpeakersModel()
    model.show_rows(rows, PAPER_SCALE)
    qtmodeltester.check(model)
    return model


def names(model):
    return [row.disclosure.speaker for row in model.rows]


def column(model, key):
    return [column.key for column in model.columns].index(key)


@pytest.mark.parametrize(
    ("key", "order", "expected"),
    [
        ("speaker", _UP, ["s1", "s2", "s9", "s10"]),
        ("speaker", _DOWN, ["s10", "s9", "s2", "s1"]),
        ("d_ece", _UP, ["s10", "s2", "s1", "s9"]),  # of two that are equal the first given comes first
        ("d_ece", _DOWN, ["s9", "s1", "s10", "s2"]),
    ],
)
def test_rows_are_in_the_order_of_a_column(model, key, order, expected):
    model.sort(column(model, key), order)

    assert names(model) == expected
    assert [model.index(row, 0).data() for row in range(4)] == expected


def test_other_rows_come_in_the_order_that_was_chosen(model, rows):
    model.sort(column(model, "d_ece"), _DOWN)
    model.show_rows(rows[:3], PAPER_SCALE)

    assert names(model) == ["s9", "s10", "s2"]


def test_the_current_row_stays_that_of_the_same_speaker(qtbot, rows):
    table = SpeakersTable()
    qtbot.addWidget(table)
    table.speakers.show_rows(rows, PAPER_SCALE)
    table.follow("s2")
    for order, place in ((_UP, 1), (_DOWN, 2)):
        table.sortByColumn(0, order)
        assert table.currentIndex().row() == place
        assert table.speaker_at(place) == "s2"


def test_thousands_of_rows_are_not_all_asked_for_their_texts(qtbot, demo, found, monkeypatch):
    """Qt would ask for a thousand of each column to make room, and a proxy for all of them to sort."""
    study = study_of(demo.entries[2])
    many = tuple(
        replace(found[k % len(found)], speaker=f"s{k}", n_target=k, estimate_bits=(k * 7919) % MANY / MANY)
        for k in range(MANY)
    )
    study.__dict__["disclosures"] = replace(study.disclosures, speakers=many)
    asked = []
    data = SpeakersModel.data
    monkeypatch.setattr(SpeakersModel, "data", lambda *given: (asked.append(given), data(*given))[1])
    table = SpeakersTable()
    qtbot.addWidget(table)
    table.show_study(study, None, Ink.MUTED)
    table.sortByColumn(0, _UP)

    assert table.speakers.rowCount() == MANY
    assert len(asked) < MANY


def test_columns_have_room_for_what_is_in_them(qtbot, demo, found):
    table = SpeakersTable()
    qtbot.addWidget(table)
    study = study_of(demo.entries[2])
    table.show_study(study, study, Ink.MUTED)
    for number, column in enumerate(table.speakers.columns):
        if column.key not in ("speaker", "d_ece") and not table.isColumnHidden(number):
            rows = range(table.speakers.rowCount())
            needed = max(table.sizeHintForIndex(table.speakers.index(row, number)).width() for row in rows)
            assert table.columnWidth(number) >= needed, column.key


def test_tags_of_an_own_scale_are_in_quotation_marks(model, rows):
    shown = [model.index(0, 1).data()]
    own = TagScale((*PAPER_SCALE.tags[:-1], replace(PAPER_SCALE.tags[-1], from_log10_lr=7.0)))
    model.show_rows(rows, own)
    shown.append(model.index(0, 1).data())
    assert shown == [rows[0].disclosure.tag, f"“{rows[0].disclosure.tag}”"]
