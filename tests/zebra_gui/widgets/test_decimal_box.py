"""A number is understood with a point and with a comma, and shown as the language writes it."""

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest

from zebra_gui.widgets.decimal_box import DecimalBox, WholeBox


@pytest.mark.parametrize(("code", "shown"), [("de", "1,25"), ("en", "1.25"), ("fr", "1,25")])
@pytest.mark.parametrize("typed", ["1.25", "1,25"])
def test_both_decimal_signs_are_understood(qtbot, code, typed, shown):
    box = DecimalBox()
    qtbot.addWidget(box)
    box.setLocale(QLocale(code))
    box.selectAll()
    QTest.keyClicks(box, typed)
    box.interpretText()
    assert (box.value(), box.text()) == (1.25, shown)


@pytest.mark.parametrize("code", ["en", "de", "fr", "es"])
@pytest.mark.parametrize(
    ("typed", "number"),
    [
        *((thousand, 1000) for thousand in ("1000", "1.000", "1,000", "1 000", "1\u202f000")),
        ("1.234.567", 1234567),
        *((none, 7) for none in ("0,05", "0.05", "1,5", "1.5", "1.000,5", "1,000.5", "1000,5")),
    ],
)
def test_a_whole_number_may_be_typed_in_groups_and_what_is_none_changes_nothing(qtbot, code, typed, number):
    box = WholeBox()
    qtbot.addWidget(box)
    box.setLocale(QLocale(code))
    box.setRange(0, 9_999_999)
    box.setPrefix("1 in ")
    box.setValue(7)
    box.lineEdit().setText(f"1 in {typed}")
    box.interpretText()
    assert (box.value(), box.text()) == (number, f"1 in {number}")


def test_a_digit_can_be_taken_out_of_a_number_that_is_shown_in_groups(qtbot):
    box = WholeBox()
    qtbot.addWidget(box)
    box.setLocale(QLocale("en"))
    box.setRange(0, 9_999_999)
    box.setGroupSeparatorShown(True)
    box.setValue(1000)
    box.lineEdit().end(False)
    QTest.keyClick(box, Qt.Key.Key_Backspace)
    box.interpretText()
    assert (box.value(), box.text()) == (100, "100")
