"""Bars at the top of the window: what went wrong, and what is waited for; never a box in the way."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.wording.texts import quoted, visible
from zebra_gui.session.session import Session
from zebra_gui.widgets.notice import Notice


class ProblemBar(Notice):
    """What went wrong, one sentence a line, until the user has read it.

    Signals:
        verification_requested: the report of ZEBRA's own that was dropped should be verified.
    """

    verification_requested = Signal(Path)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("problem", self.tr("Problems"), QPushButton(self.tr("Dismiss")), parent)
        self._session = session
        self.button.setAccessibleName(self.tr("Dismiss the problems"))
        self.button.clicked.connect(session.dismiss_problems)
        self._report: Path | None = None
        self.verify = self.add_button(QPushButton(self.tr("Verify")))
        self.verify.setAccessibleName(self.tr("Verify the report"))
        self.verify.hide()
        self.verify.clicked.connect(self._on_verify)
        session.arrivals.report_came.connect(self._offer)
        session.problems_changed.connect(self._show_problems)
        self._show_problems()

    def _show_problems(self) -> None:
        self.show_text("\n".join(self._session.problems))
        if not self._session.problems:
            self._report = None
            self.verify.hide()

    def _offer(self, report: Path) -> None:
        self._report = report
        self.verify.show()

    def _on_verify(self) -> None:
        if self._report is not None:
            self.verification_requested.emit(self._report)


class StoppedBar(Notice):
    """A bar that says that the user has stopped intervals, as long as some are missing."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("notice", self.tr("Intervals"), QPushButton(self.tr("Dismiss")), parent)
        self._session = session
        self._is_stopped = False
        self.button.setAccessibleName(self.tr("Dismiss what is said about the intervals"))
        self.button.clicked.connect(lambda: self._say(is_stopped=False))
        self.resume = self.add_button(QPushButton(self.tr("Compute them")))
        self.resume.setAccessibleName(self.tr("Compute the missing intervals"))
        self.resume.clicked.connect(self._on_resume)
        session.intervals.stopped.connect(lambda: self._say(is_stopped=True))
        session.intervals.asked.connect(lambda: self._say(is_stopped=False))
        session.left.connect(lambda: self._say(is_stopped=False))
        session.project_changed.connect(self._show_lacking)

    def _say(self, *, is_stopped: bool) -> None:
        self._is_stopped = is_stopped
        self._show_lacking()

    def _on_resume(self) -> None:
        self._session.intervals.measure(*(item for item in self._session.items if item.lacks_intervals))

    def _show_lacking(self) -> None:
        items = self._session.items
        lacking = sum(item.lacks_intervals for item in items)
        if not (self._is_stopped and lacking):
            self.show_text("")
            return
        if lacking == len(items):
            text = self.tr("Intervals were stopped: no figure has one.")
        else:
            text = self.tr("Intervals were stopped: {lacking} of {all} have none, while the others have.")
        self.show_text(text.format(lacking=lacking, all=len(items)))


class CountingBar(Notice):
    """What it takes to count trials again for what the user asked for, until they answer."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("notice", self.tr("Counting again"), QPushButton(self.tr("Dismiss")), parent)
        self._counting_again = session.counting_again
        self.button.setAccessibleName(self.tr("Do not count again"))
        self.button.clicked.connect(partial(self._counting_again.answer, yes=False))
        self.count = self.add_button(QPushButton(self.tr("Count speaker by speaker")))
        self.count.clicked.connect(partial(self._counting_again.answer, yes=True))
        for signal in (self._counting_again.asked, self._counting_again.agreed, session.project_changed):
            signal.connect(self._show_question)

    def _show_question(self) -> None:
        self.show_text(self._counting_again.question)


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
            quoted(f"{visible(file.source.path.parent.name)}/{visible(file.source.name)}") for file in files
        )
        self.show_text(text.format(names=names))
