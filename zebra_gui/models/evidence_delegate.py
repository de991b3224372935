"""How a row of the evidence tree is painted and edited: box, swatch, name, what it holds for, badge."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from zebra_core.figures.figure import Ink
from zebra_gui.models.evidence import EvidenceRole, Index, RowKind
from zebra_gui.plots.inks import colour_of, paint_swatch
from zebra_gui.widgets.badge import badge_width, paint_badge
from zebra_gui.widgets.layouts import elided_apart

ROW_HEIGHT = 29
_BOX = 13
_SWATCH = 11
_AROUND_TEXT = 3  # pixels that a badge and a pill are higher than a line of their text
_MARK = 13
_GAP = 6
_WIDEST_PILL = 56
_LEAST_PILL = 30  # pixels: room for the ends of an attacker's words
_ENOUGH_NAME = 36  # pixels: a longer name is cut before a pill is left out


class Pill(NamedTuple):
    """A few letters in a frame; `short` is shown where there is no room for `text`."""

    text: str
    short: str


class EvidenceDelegate(QStyledItemDelegate):
    """Paints the rows of an EvidenceModel, and edits one of their texts, by default the name.

    Signals:
        condition_asked: the user wants to say for which condition an assessment holds; a place of the tree.
    """

    condition_asked = Signal(QPoint)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._unstated: dict[tuple[int, int], QRect] = {}  # where the condition of a row is asked for
        self.edited_role: int = Qt.ItemDataRole.EditRole

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, max(ROW_HEIGHT, option.fontMetrics.height() + 10))

    # Editing

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        said = self._what_is_typed(index)
        editor.setAccessibleName(said)
        editor.setPlaceholderText(said)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        is_new = self.edited_role == EvidenceRole.DATASET  # a new one: the old ones are in the menu
        editor.setText("" if is_new else index.data(self.edited_role))  # type: ignore[attr-defined]

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        model.setData(index, editor.text(), self.edited_role)  # type: ignore[attr-defined]

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(0, 2, -2, -2))

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """A click on the box ticks, on a condition that is not stated asks; elsewhere it is the tree's."""
        if not isinstance(event, QMouseEvent) or event.button() != Qt.MouseButton.LeftButton:
            return False
        place = self._unstated.get(_row_of(index), QRect())
        if event.type() == QEvent.Type.MouseButtonRelease and place.contains(event.position().toPoint()):
            self.condition_asked.emit(place.bottomLeft())
            return True
        around = _box_in(option).adjusted(-4, -6, 4, 6)
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is None or not around.contains(event.position().toPoint()):
            return False
        if event.type() == QEvent.Type.MouseButtonRelease:
            is_on = Qt.CheckState(state) == Qt.CheckState.Checked
            wanted = Qt.CheckState.Unchecked if is_on else Qt.CheckState.Checked
            model.setData(index, wanted, Qt.ItemDataRole.CheckStateRole)
        return True

    def _what_is_typed(self, index: Index) -> str:
        of_labels = {
            EvidenceRole.ATTACKER: self.tr("Attacker, in your words"),
            EvidenceRole.RECOGNISER: self.tr("Recogniser of the attacker"),
            EvidenceRole.BACK_END: self.tr("Back end of the recogniser"),
            EvidenceRole.RUN: self.tr("Run of the safeguard"),
        }
        if self.edited_role in of_labels:
            return of_labels[EvidenceRole(self.edited_role)]
        if self.edited_role == EvidenceRole.DATASET or index.data(EvidenceRole.KIND) is RowKind.DATASET:
            return self.tr("Name of the dataset")
        is_project = index.data(EvidenceRole.KIND) is RowKind.PROJECT
        return self.tr("Title of the project") if is_project else self.tr("Name of the safeguard")

    # Painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_background(painter, option)
        kind = index.data(EvidenceRole.KIND)
        if kind is RowKind.PROJECT:
            painter.setFont(_bold(option.font))
            _paint_text(painter, _seen(option, option.rect.adjusted(2, 0, -4, 0)), index.data(), option)
        elif kind is RowKind.DATASET:
            self._paint_dataset(painter, option, index)
        else:
            self._paint_item(painter, option, index)
        painter.restore()

    def _paint_dataset(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        _paint_box(painter, _box_in(option), index, option)
        painter.setFont(_bold(option.font))
        room = option.rect.adjusted(1 + _BOX + _GAP, 0, -4, 0)
        place = index.data(EvidenceRole.DIFFERS_FROM)
        text = elided_apart(index.data(), place, painter.fontMetrics(), room.width())
        _paint_text(painter, _seen(option, room), text, option)

    def _paint_item(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        _paint_box(painter, _box_in(option), index, option)
        middle = option.rect.center().y()
        left = option.rect.left() + 1 + _BOX + _GAP
        swatch = _seen(option, QRect(left, middle - _SWATCH // 2, _SWATCH, _SWATCH))
        colour = index.data(EvidenceRole.COLOUR)
        shown = colour_of(Ink.MUTED if colour is None else colour, option.palette)
        is_matrix = index.data(EvidenceRole.KIND) is RowKind.SIMILARITY
        if is_matrix:
            _paint_matrix(painter, swatch, shown)
        else:
            paint_swatch(painter, swatch, shown, option.palette)

        left, right = left + _SWATCH - 1 + _GAP, option.rect.right() - 4
        right = self._paint_badge(painter, right, option, index)
        if index.data(EvidenceRole.MARK):
            right -= _MARK
            _paint_mark(painter, _seen(option, QRect(right, middle - _MARK // 2, _MARK, _MARK)), option)
            right -= _GAP
        name = option.fontMetrics.horizontalAdvance(index.data()) + 1
        run = index.data(EvidenceRole.RUN)
        whole = name + (_GAP + option.fontMetrics.horizontalAdvance(run) + 1 if run else 0)
        right = self._paint_pills(painter, option, index, left, right, whole)
        painter.setFont(option.font)
        room = QRect(left, option.rect.top(), max(right - left, 0), option.rect.height())
        place = index.data(EvidenceRole.DIFFERS_FROM)
        text = elided_apart(index.data(), place, option.fontMetrics, room.width())
        _paint_text(painter, _seen(option, room), text, option)
        if run and room.width() > name + _GAP:
            behind = room.adjusted(name + _GAP, 0, 0, 0)
            _paint_text(painter, _seen(option, behind), run, option, quiet=True)

    def _paint_badge(self, painter: QPainter, right: int, option: QStyleOptionViewItem, index: Index) -> int:
        """The tag at the right end; returns where the room for the rest ends."""
        if (tag := index.data(EvidenceRole.TAG)) is None:
            return right
        high = option.fontMetrics.height() + _AROUND_TEXT
        width = badge_width(tag, high, option.font)
        place = QRect(right - width, option.rect.center().y() - high // 2, width, high)
        seen, colour = _seen(option, place), index.data(EvidenceRole.TAG_COLOUR)
        chance, is_open = (
            bool(index.data(role)) for role in (EvidenceRole.MAY_BE_CHANCE, EvidenceRole.IS_OPEN)
        )
        paint_badge(painter, seen, tag, colour, option.font, may_be_chance=chance, is_open=is_open)
        return place.left() - _GAP

    def _paint_pills(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
        left: int,
        right: int,
        name: int,
    ) -> int:
        """Condition and attacker, in full where the name has its room too; returns where it ends."""
        pills = []
        if (condition := index.data(EvidenceRole.CONDITION)) is not None:
            pills.append(Pill(condition or self.tr("condition not stated"), condition or "?"))
        if attacker := index.data(EvidenceRole.ATTACKER_PILL):
            pills.append(Pill(attacker, attacker))
        font = _small(option.font)
        metrics = QFontMetrics(font)
        full = [metrics.horizontalAdvance(pill.text) + 10 for pill in pills]
        fits = left + name + sum(full) + _GAP * len(pills) <= right
        if not fits:
            full = [min(metrics.horizontalAdvance(pill.short) + 8, _WIDEST_PILL) for pill in pills]
        least = min(name, _ENOUGH_NAME)  # two rows of one name and other runs must not look alike
        while pills and (over := left + least + sum(full) + _GAP * len(pills) - right) > 0:
            if full[-1] - over >= _LEAST_PILL:
                full[-1] -= over
                break
            pills.pop()  # the attacker first; the tooltip has it
            full.pop()
        painter.setFont(font)
        high = metrics.height() + _AROUND_TEXT
        self._unstated.pop(_row_of(index), None)
        for pill, whole in reversed(list(zip(pills, full, strict=True))):
            place = QRect(right - whole, option.rect.center().y() - high // 2, whole, high)
            if pill.short == "?":
                self._unstated[_row_of(index)] = _seen(option, place)
            _paint_pill(painter, _seen(option, place), pill.text if fits else pill.short, option)
            right = place.left() - 4
        return right - 2


def _row_of(index: Index) -> tuple[int, int]:
    return index.internalId(), index.row()


def _box_in(option: QStyleOptionViewItem) -> QRect:
    row = option.rect
    return _seen(option, QRect(row.left() + 2, row.center().y() - _BOX // 2, _BOX, _BOX))


def _seen(option: QStyleOptionViewItem, place: QRect) -> QRect:
    """Where a place of the row is that is read from the left; mirrored where one reads from the right."""
    return QStyle.visualRect(option.direction, option.rect, place)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold


def _small(font: QFont) -> QFont:
    small = QFont(font)
    if font.pixelSize() > 0:
        small.setPixelSize(max(9, font.pixelSize() - 2))
    else:
        small.setPointSizeF(max(7.0, font.pointSizeF() - 1.5))
    return small


def _paint_background(painter: QPainter, option: QStyleOptionViewItem) -> None:
    selected = bool(option.state & QStyle.StateFlag.State_Selected)
    hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    accent = option.palette.color(QPalette.ColorRole.Link)
    frame = _seen(option, option.rect.adjusted(-3, 1, 0, -1))
    if selected or hovered:
        faint = QColor(accent)
        faint.setAlphaF(0.14 if selected else 0.05)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(faint)
        painter.drawRoundedRect(frame, 5, 5)
    if selected:
        painter.setBrush(accent)
        bar = QRect(option.rect.left() - 3, option.rect.top() + 6, 3, option.rect.height() - 12)
        painter.drawRoundedRect(_seen(option, bar), 1, 1)
    elif option.state & QStyle.StateFlag.State_HasFocus:  # where the keyboard is, when it selects nothing
        painter.setPen(QPen(accent, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)


def _paint_box(painter: QPainter, box: QRect, index: Index, option: QStyleOptionViewItem) -> None:
    """The tick box: empty, ticked, or for some of a dataset a bar."""
    state = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole))
    ink = option.palette.color(QPalette.ColorRole.PlaceholderText)
    painter.setPen(QPen(ink, 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    painter.setPen(QPen(option.palette.color(QPalette.ColorRole.Text), 1.7))
    x, y = box.left(), box.top()
    if state == Qt.CheckState.Checked:
        painter.drawPolyline(
            QPolygonF([QPointF(x + 3, y + 7), QPointF(x + 5.6, y + 9.6), QPointF(x + 10, y + 4)])
        )
    elif state == Qt.CheckState.PartiallyChecked:
        painter.drawLine(QPointF(x + 3.5, y + 6.5), QPointF(x + 9.5, y + 6.5))


def _paint_matrix(painter: QPainter, place: QRect, colour: QColor) -> None:
    """Nine cells, those of the diagonal full: voices that are alike to themselves."""
    painter.setPen(Qt.PenStyle.NoPen)
    faint = QColor(colour)
    faint.setAlphaF(0.35)
    step = (place.width() + 1) / 3
    for row in range(3):
        for column in range(3):
            painter.setBrush(colour if row == column else faint)
            cell = QRectF(place.left() + column * step, place.top() + row * step, step - 1, step - 1)
            painter.drawRect(cell)


def _paint_mark(painter: QPainter, place: QRect, option: QStyleOptionViewItem) -> None:
    """A triangle with an exclamation mark: look at the files."""
    ink = option.palette.color(QPalette.ColorRole.Text)
    painter.setPen(QPen(ink, 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    corners = (QPointF(place.center().x() + 0.5, place.top() + 0.5), QPointF(place.bottomRight()))
    painter.drawPolygon(QPolygonF([*corners, QPointF(place.bottomLeft())]))
    middle = place.center().x() + 0.5
    painter.drawLine(QPointF(middle, place.top() + 4.5), QPointF(middle, place.bottom() - 4.5))
    painter.drawPoint(QPointF(middle, place.bottom() - 2.2))


def _paint_pill(painter: QPainter, place: QRect, text: str, option: QStyleOptionViewItem) -> None:
    ink = option.palette.color(QPalette.ColorRole.PlaceholderText)
    painter.setPen(QPen(ink, 0.8))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = place.height() / 2
    painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    painter.setPen(option.palette.color(QPalette.ColorRole.Text))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, place.width() - 6)
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, shown)


def _paint_text(
    painter: QPainter, room: QRect, text: str, option: QStyleOptionViewItem, *, quiet: bool = False
) -> None:
    role = QPalette.ColorRole.PlaceholderText if quiet else QPalette.ColorRole.Text
    painter.setPen(option.palette.color(role))
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
