"""A number is understood with a point and with a comma, and shown as the language writes it."""

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtTest import QTest

from zebra_gui.widgets.decimal_box import DecimalBox


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
