"""Bars at the top of the window: what went wrong, and what is waited for; never a box in the way."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.wording.texts import visible
from zebra_gui.session.session import Session
from zebra_gui.widgets.notice import Notice


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
