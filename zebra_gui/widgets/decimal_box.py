"""Fields for numbers: they take a point and a comma, and show the number as the language writes it."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox

from zebra_gui.widgets.wheel import LeavesWheel

_GROUPING = re.compile("[.,’' \u00a0\u202f]")
_IN_GROUPS = re.compile(rf"\d{{1,3}}({_GROUPING.pattern}\d{{3}})+")


class DecimalBox(LeavesWheel, QDoubleSpinBox):
    """A number field that takes both a point and a comma as the decimal sign; Qt takes only one."""

    def validate(self, typed: str, place: int) -> Any:
        return super().validate(self._as_written(typed), place)

    def valueFromText(self, typed: str) -> float:
        return super().valueFromText(self._as_written(typed))

    def _as_written(self, typed: str) -> str:
        sign = self.locale().decimalPoint()
        return typed.replace(".", sign).replace(",", sign)


class WholeBox(LeavesWheel, QSpinBox):
    """For whole numbers: 1.000, 1,000 and 1 000 are a thousand, 0,5 and 0.5 are none.

    Qt passes over the signs: to it 0,5 is 5 in one language, and 0.5 in another. What is no number when the
    field is left goes back to the number before. Where groups are shown, their own sign may stand anywhere,
    or nobody could take a digit out of the number.
    """

    def validate(self, typed: str, place: int) -> Any:
        number = self._number_in(typed)
        if not _GROUPING.search(number):
            return super().validate(typed, place)
        if not _IN_GROUPS.fullmatch(number):
            return QValidator.State.Intermediate, typed, place
        plain = typed.replace(number, _GROUPING.sub("", number))
        return super().validate(plain, max(0, place - len(typed) + len(plain)))

    def fixup(self, typed: str) -> str:
        """Nothing is made of what is no number; Qt would take its own sign out."""
        return super().fixup(typed) if self.isGroupSeparatorShown() else typed

    def valueFromText(self, typed: str) -> int:
        number = self._number_in(typed)
        return super().valueFromText(typed.replace(number, _GROUPING.sub("", number)) if number else typed)

    def _number_in(self, typed: str) -> str:
        number = typed.removeprefix(self.prefix()).removesuffix(self.suffix()).strip()
        return number.replace(self.locale().groupSeparator(), "") if self.isGroupSeparatorShown() else number
