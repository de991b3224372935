"""A field for a number with decimals: it takes a point and a comma, and shows the sign of the language."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QDoubleSpinBox


class DecimalBox(QDoubleSpinBox):
    """As Qt has it, but that Qt takes the other sign for one that groups thousands, or for none."""

    def validate(self, typed: str, place: int) -> Any:
        return super().validate(self._as_written(typed), place)

    def valueFromText(self, typed: str) -> float:
        return super().valueFromText(self._as_written(typed))

    def _as_written(self, typed: str) -> str:
        sign = self.locale().decimalPoint()
        return typed.replace(".", sign).replace(",", sign)
