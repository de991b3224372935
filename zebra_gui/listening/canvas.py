"""Placement: recordings as points on a canvas, near each other where they sound like one speaker.

Each point is a button: Tab and Shift+Tab go from one to the next, arrow keys move it, Space and Enter play
it, and a screen reader reads its number and its place. The pointer plays what it comes upon, and drags it.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from zebra_core.listening.answers import ItemAnswer
from zebra_gui.listening.pages import ItemPage, ItemPlayer
from zebra_gui.widgets.layouts import label

_SIZE = 44
_HOVER_MS = 250  # before a recording is played that the pointer comes upon
_STEP, _FINE = 0.02, 0.005  # of the canvas, by an arrow key
_WAITING = 0.97  # how far down points lie that nobody has placed

Place = tuple[float, float]


class Point(QAbstractButton):
    """One recording on the canvas; its place is that of its middle, 0 … 1 both ways.

    Signals:
        play_wanted, moved_by: heard, and moved by shares of the canvas.
        dragged: by the mouse, to a place on the canvas in pixels; and that it was let go.
    """

    play_wanted = Signal()
    moved_by = Signal(float, float)
    dragged = Signal(QPoint)
    dropped = Signal()

    def __init__(self, number: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.number = number
        self.is_placed = self.is_heard = self.is_playing = False
        self._held: QPoint | None = None
        self._has_moved = False
        self._hover = QTimer(self)
        self._hover.setSingleShot(True)
        self._hover.setInterval(_HOVER_MS)
        self._hover.timeout.connect(self.play_wanted)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.resize(_SIZE, _SIZE)
        self.clicked.connect(self.play_wanted)

    def say(self, place: Place) -> None:
        """Tell a screen reader where it is, and whether it was heard."""
        facts = {"number": self.number, "x": round(100 * place[0]), "y": round(100 * place[1])}
        if not self.is_heard:
            text = self.tr("Recording {number}, not heard yet")
        elif not self.is_placed:
            text = self.tr("Recording {number}, not placed yet")
        else:
            text = self.tr("Recording {number}, {x} per cent from the left, {y} per cent from the top")
        self.setAccessibleName(text.format(**facts))
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _FINE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _STEP
        ways = {
            Qt.Key.Key_Left: (-step, 0.0),
            Qt.Key.Key_Right: (step, 0.0),
            Qt.Key.Key_Up: (0.0, -step),
            Qt.Key.Key_Down: (0.0, step),
        }
        if (way := ways.get(Qt.Key(event.key()))) is not None:
            self.moved_by.emit(*way)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.play_wanted.emit()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hover.start()
        super().enterEvent(event)

    def leaveEvent(self, event: object) -> None:
        self._hover.stop()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._hover.stop()
        self._held, self._has_moved = event.position().toPoint(), False
        self.raise_()
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._has_moved = True
            self.dragged.emit(self.mapToParent(event.position().toPoint()) - self._held)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            (self.dropped if self._has_moved else self.play_wanted).emit()
        self._held = None

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.palette()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent = palette.color(palette.ColorRole.Highlight)
        edge = palette.color(palette.ColorRole.PlaceholderText)
        fill = accent if self.is_playing else palette.color(palette.ColorRole.Base)
        ring = accent if self.hasFocus() else edge
        style = Qt.PenStyle.SolidLine if self.is_heard else Qt.PenStyle.DashLine
        painter.setPen(QPen(ring, 3 if self.hasFocus() else 1.5, style))
        painter.setBrush(fill)
        painter.drawEllipse(QRectF(self.rect()).adjusted(3, 3, -3, -3))
        words = palette.ColorRole.HighlightedText if self.is_playing else palette.ColorRole.Text
        painter.setPen(palette.color(words))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, str(self.number))
        painter.end()


class PlacementCanvas(QWidget):
    """The canvas with its points.

    Signals:
        moved: a point is elsewhere.
        play_wanted: the place of a recording in its item, from 0.
    """

    moved = Signal()
    play_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.points: list[Point] = []
        self._places: list[Place] = []
        self._undo: list[tuple[int, Place, bool]] = []
        self._dragging: tuple[int, Place, bool] | None = None
        self.setMinimumSize(400, 260)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Canvas"))

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the points are."""
        return tuple(self._places)

    @property
    def unplaced(self) -> list[int]:
        """The places in the item of recordings that nobody has moved."""
        return [n for n, point in enumerate(self.points) if not point.is_placed]

    @property
    def can_undo(self) -> bool:
        """Whether a point was moved."""
        return bool(self._undo)

    def begin(self, count: int) -> None:
        """New points, in a row at the lower edge."""
        for point in self.points:
            point.hide()
            point.deleteLater()
        self._undo.clear()
        self._places = [((n + 0.5) / count, _WAITING) for n in range(count)]
        self.points = [Point(n + 1, self) for n in range(count)]
        for n, point in enumerate(self.points):
            point.play_wanted.connect(partial(self.play_wanted.emit, n))
            point.moved_by.connect(partial(self._on_moved_by, n))
            point.dragged.connect(partial(self._on_dragged, n))
            point.dropped.connect(self._on_dropped)
            point.show()
        self._arrange()

    def move_to(self, n: int, place: Place) -> None:
        """Put a point somewhere, which can be undone."""
        self._undo.append((n, self._places[n], self.points[n].is_placed))
        self._put(n, place)

    def undo(self) -> None:
        """Take the last move back."""
        if self._undo:
            n, place, was_placed = self._undo.pop()
            self._put(n, place)
            self.points[n].is_placed = was_placed
            self.points[n].say(place)
            self.points[n].setFocus()
            self.moved.emit()

    def show_heard(self, heard: ItemPlayer) -> None:
        """Which point is played, and which were heard."""
        for n, point in enumerate(self.points):
            point.is_playing = heard.playing == n
            point.is_heard = n < len(heard.plays) and n not in heard.to_hear
            point.say(self._places[n])

    def sizeHint(self) -> QSize:
        return QSize(700, 460)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.palette()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(palette.color(palette.ColorRole.PlaceholderText)), 1))
        painter.setBrush(palette.color(palette.ColorRole.Base))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)
        painter.end()

    def _put(self, n: int, place: Place) -> None:
        x, y = (min(max(one, 0.0), 1.0) for one in place)
        self._places[n] = (x, y)
        self.points[n].is_placed = True
        self.points[n].say((x, y))
        self._arrange()
        self.moved.emit()

    def _arrange(self) -> None:
        room = QPointF(self.width() - _SIZE, self.height() - _SIZE)
        for point, (x, y) in zip(self.points, self._places, strict=True):
            point.move(round(x * room.x()), round(y * room.y()))

    def _on_moved_by(self, n: int, x: float, y: float) -> None:
        before = self._places[n]
        self.move_to(n, (before[0] + x, before[1] + y))

    def _on_dragged(self, n: int, corner: QPoint) -> None:
        if self._dragging is None:
            self._dragging = n, self._places[n], self.points[n].is_placed
        room = max(1, self.width() - _SIZE), max(1, self.height() - _SIZE)
        self._put(n, (corner.x() / room[0], corner.y() / room[1]))

    def _on_dropped(self) -> None:
        if self._dragging is not None:
            self._undo.append(self._dragging)
            self._dragging = None
            self.moved.emit()


class CanvasPage(ItemPage):
    """A canvas, what is missing on it, and undoing."""

    def __init__(self, heard: ItemPlayer) -> None:
        super().__init__(heard)
        self.question.setText(self.tr("Put recordings that sound like the same speaker near each other"))
        self.canvas = PlacementCanvas()
        self.canvas.play_wanted.connect(heard.play)
        self.canvas.moved.connect(self._on_moved)
        self.help = label(
            self.tr(
                "Point at a number to hear its recording, and drag it to its place. On the keyboard, Tab "
                "goes to the next number, Space plays it, and the arrow keys move it (less with Shift)."
            ),
            tone="quiet",
        )
        self.pause = QPushButton()
        self.pause.setAutoDefault(False)
        self.pause.clicked.connect(heard.pause_or_go_on)
        self.undo = QPushButton(self.tr("&Undo"))
        self.undo.setAutoDefault(False)
        self.undo.clicked.connect(self.canvas.undo)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self).activated.connect(self.undo.click)
        row = QHBoxLayout()
        row.addWidget(self.help, 1)
        row.addWidget(self.pause)
        row.addWidget(self.undo)
        self.rows.addWidget(self.canvas, 1)
        self.rows.addLayout(row)

    @property
    def answer(self) -> ItemAnswer | None:
        return None if self.lacking else ItemAnswer(positions=self.canvas.places)

    @property
    def lacking(self) -> str:
        if unheard := self.heard.to_hear:
            return self.tr("Not heard yet: {numbers}").format(numbers=_numbers(unheard))
        if unplaced := self.canvas.unplaced:
            return self.tr("Not placed yet: {numbers}").format(numbers=_numbers(unplaced))
        return ""

    def begin(self, sounds: int) -> None:
        self.canvas.begin(sounds)
        self.undo.setEnabled(False)
        if self.canvas.points:
            self.canvas.points[0].setFocus()

    def show_heard(self) -> None:
        self.canvas.show_heard(self.heard)
        is_paused = self.heard.paused is not None and self.heard.playing is None
        self.pause.setText(self.tr("&Go on") if is_paused else self.tr("&Pause"))
        self.pause.setEnabled(is_paused or self.heard.playing is not None)

    def _on_moved(self) -> None:
        self.undo.setEnabled(self.canvas.can_undo)
        self.changed.emit()


def _numbers(places: list[int]) -> str:
    return ", ".join(str(place + 1) for place in places)
