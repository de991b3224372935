"""Fields that tell when their text has settled: after a pause in typing, or when they are left."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from zebra_core.project.report_settings import LONGEST_TEXT

LONGEST_LINE = 500
_PAUSE_MS = 600


class LineField(QLineEdit):
    """One line of text.

    Signals:
        settled: the text, when Enter was pressed or the field was left.
    """

    settled = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAcceptDrops(False)  # a drop is for the window
        self.setMaxLength(LONGEST_LINE)
        self.editingFinished.connect(lambda: self.settled.emit(self.text()))
        self.editingFinished.connect(lambda: None if self.hasFocus() else self.home(False))

    def settle(self) -> None:
        """Tell what was typed."""
        self.settled.emit(self.text())

    def forget(self) -> None:
        """Show nothing, whatever is being typed."""
        self.clear()

    def show_text(self, text: str) -> None:
        """Show this text, unless it is there already."""
        if text != self.text():
            self.setText(text)
            if not self.hasFocus():
                self.home(False)  # a long one shows how it begins, not how it ends


class Prose(QPlainTextEdit):
    """Some lines of Markdown; Tab leaves the field.

    Signals:
        settled: the text, after a pause in typing or when the field was left.
    """

    settled = Signal(str)

    def __init__(self, name: str, lines: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setAcceptDrops(False)  # a drop is for the window
        self.setTabChangesFocus(True)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 14)
        self._shown = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.settle)
        self.textChanged.connect(self._on_changed)

    def show_text(self, text: str) -> None:
        """Show this text, unless it is there already, or is being typed."""
        self._shown = text
        if text != self.toPlainText() and not self._pause.isActive():
            self.setPlainText(text)
            self._pause.stop()

    def settle(self) -> None:
        """Tell what was typed."""
        self._pause.stop()
        text = self.toPlainText()[:LONGEST_TEXT]
        if text != self._shown:
            self._shown = text
            self.settled.emit(text)

    def forget(self) -> None:
        """Show nothing, whatever is being typed."""
        self._shown = ""
        self.clear()
        self._pause.stop()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.settle()

    def _on_changed(self) -> None:
        if self.toPlainText() != self._shown:
            self._pause.start()


class MoveKeys(QObject):
    """Tells of Alt+Up and Alt+Down on a widget.

    Signals:
        moved: −1 for up, 1 for down.
    """

    moved = Signal(int)

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.type() is QEvent.Type.KeyPress and event.modifiers() & Qt.KeyboardModifier.AltModifier:  # type: ignore[attr-defined]
            step = steps.get(event.key())  # type: ignore[attr-defined]
            if step is not None:
                self.moved.emit(step)
                return True
        return False
