"""Widgets one beside the other, or one below the other, as one expression that shows what lies where."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Part = (
    QWidget | QLayout | int | tuple[QWidget | QLayout, int] | tuple[QWidget | QLayout, int, Qt.AlignmentFlag]
)
"""What stands there, perhaps with the share of the room that it takes and its place in it; a number is room
that is left empty, in such shares."""

_Box = TypeVar("_Box", bound=QBoxLayout)


def in_row(
    *parts: Part,
    on: QWidget | None = None,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QHBoxLayout:
    """Parts side by side; `on` a widget they fill it, within margins: left, top, right and bottom, or all."""
    return _filled(QHBoxLayout(), parts, on, margins, spacing)


def in_column(
    *parts: Part,
    on: QWidget | None = None,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QVBoxLayout:
    """Parts from top to bottom, as in a row."""
    return _filled(QVBoxLayout(), parts, on, margins, spacing)


def _filled(
    box: _Box,
    parts: tuple[Part, ...],
    on: QWidget | None,
    margins: int | tuple[int, int, int, int] | None,
    spacing: int | None,
) -> _Box:
    if on is not None:
        on.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    for part in parts:
        match part:
            case int():
                box.addStretch(part)
            case QWidget():
                box.addWidget(part)
            case QLayout():
                box.addLayout(part)
            case (QLayout() as inner, share, *_):
                box.addLayout(inner, share)
            case (QWidget() as widget, share, *place):
                box.addWidget(widget, share, *place)
    return box
