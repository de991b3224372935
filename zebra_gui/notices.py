"""Bars at the top of the window: what went wrong, and what is waited for; never a box in the way."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from core.texts import visible
from zebra_gui.plain import label
from zebra_gui.session import Session

_HIGHEST = 150


class Notice(QFrame):
    """A bar with text that can be selected and one button that makes it go away."""

    def __init__(self, look: str, name: str, button: QPushButton, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", look)
        self.setAccessibleName(name)
        self.text = label()
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setAccessibleName(name)
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.button = button
        self._room = _TextRoom(self.text)
        self._room.setAccessibleName(name)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 7, 8, 7)
        layout.addWidget(self._room, 1)
        layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def show_text(self, text: str) -> None:
        """Show this text; without any, the bar is not there."""
        self.text.setText(text)
        self._room.fit()
        self.setVisible(bool(text))


class ProblemBar(Notice):
    """What went wrong, one sentence a line, until the user has read it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("problem", self.tr("Problems"), QPushButton(self.tr("Dismiss")), parent)
        self._session = session
        self.button.setAccessibleName(self.tr("Dismiss the problems"))
        self.button.clicked.connect(session.dismiss_problems)
        session.problems_changed.connect(self._show_problems)
        self._show_problems()

    def _show_problems(self) -> None:
        self.show_text("\n".join(self._session.problems))


class WaitingBar(Notice):
    """Which half of a pair is there and which is still to come."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("notice", self.tr("Waiting files"), QPushButton(self.tr("Forget")), parent)
        self._session = session
        self.button.setAccessibleName(self.tr("Forget the waiting files"))
        self.button.clicked.connect(session.arrivals.forget_waiting)
        session.arrivals.waiting_changed.connect(self._show_waiting)
        self._show_waiting()

    def _show_waiting(self) -> None:
        files = self._session.arrivals.waiting
        roles = {file.role.value for file in files}
        if not files:
            text = ""
        elif "scores" in roles:
            text = self.tr("Scores waiting for their key: {names}. Drop the key.")
        elif "key" in roles:
            text = self.tr("A key waiting for its scores: {names}. Drop the score files.")
        elif "target-scores" in roles:
            text = self.tr("Scores of target trials waiting: {names}. Drop those of nontarget trials.")
        elif "nontarget-scores" in roles:
            text = self.tr("Scores of nontarget trials waiting: {names}. Drop those of target trials.")
        else:
            text = self.tr("Files waiting for scores and key: {names}. Drop these.")
        names = ", ".join(
            f"“{visible(file.source.path.parent.name)}/{visible(file.source.name)}”" for file in files
        )
        self.show_text(text.format(names=names))


class _TextRoom(QScrollArea):
    """As high as its text, up to a limit from which on it scrolls."""

    def __init__(self, text: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._text = text
        page = QWidget()
        page.setProperty("look", "scrolled")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 3, 0, 3)
        layout.addWidget(text)
        self.setWidget(page)

    def fit(self) -> None:
        wanted = self._text.heightForWidth(max(self.viewport().width(), 200)) + 8
        self.setFixedHeight(min(max(wanted, 30), _HIGHEST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fit()  # first: what is resized while it is being resized keeps its contents where they were
        super().resizeEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(200, 30)
