"""Is this assessment to be trusted? The check list of the project, and what leaving out speakers does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.project.project import Project
from zebra_core.wording.texts import say, visible_sentence
from zebra_gui.jobs.jobs import Urgency
from zebra_gui.session import work
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import label
from zebra_gui.widgets.sentence_list import SentenceList
from zebra_gui.widgets.when_visible import WhenVisible

_LONGEST = 1500
_MOST_ROWS = 12


class ChecksCard(QWidget):
    """Every check in a line, with its sign, its outcome in words and its figures; gone without a project."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._told: tuple[str, ...] = ()
        self._asked_for: Project | None = None
        self.heading = label(say("check.title"), "heading")
        self.list = SentenceList(say("check.title"), _MOST_ROWS)
        self.leave_out = QPushButton(self.tr("Check stability by leaving speakers out"))
        self.leave_out.setToolTip(
            self.tr("Leave out each speaker, each tenth and each sex: how far do the figures move?")
        )
        self.leave_out.setAutoDefault(False)
        in_column(
            self.heading,
            self.list,
            (self.leave_out, 0, Qt.AlignmentFlag.AlignLeft),
            on=self,
            margins=(4, 0, 4, 0),
            spacing=6,
        )
        self.leave_out.clicked.connect(self._on_leave_out)
        self._when_visible = WhenVisible(self.list, self._ask, only_visible=True)
        session.project_changed.connect(self._on_project_changed)
        session.left.connect(self.forget)
        self.hide()

    def forget(self) -> None:
        """Nothing of another project stays."""
        self._asked_for = None
        self._show(())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.fit()

    def _on_project_changed(self) -> None:
        self.setVisible(bool(self._session.entries))
        self._when_visible.refresh()

    def _ask(self) -> None:
        project = self._session.project
        if project is None or not project.entries:
            self._show(())
        elif project is not self._asked_for:
            self._asked_for = project
            name = self.tr("Going through the check list")
            job = self._session.start_work(
                name, work.check_list, project, supersedes="check list", urgency=Urgency.SEEN
            )
            job.done.connect(self._show)

    def _show(self, sentences: Sequence[str]) -> None:
        self.setVisible(bool(self._session.entries))
        if tuple(sentences) == self._told:
            return
        self._told, row = tuple(sentences), self.list.currentRow()
        self.list.clear()
        self.list.addItems([visible_sentence(each, _LONGEST) for each in sentences])
        if sentences:
            begin = min(max(row, 0), len(sentences) - 1)  # for the keyboard: nobody chose it
            self.list.setCurrentRow(begin, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.list.fit()

    def _on_leave_out(self) -> None:
        if (project := self._session.project) is not None:
            name = self.tr("Leaving out speakers")
            job = self._session.start_work(name, work.with_robustness, project, supersedes="left out")
            job.done.connect(partial(self._on_left_out, project))

    def _on_left_out(self, asked: Project, found: tuple[Project, tuple[str, ...]]) -> None:
        measured, faults = found
        for fault in faults:
            self._session.report_problem(fault)
        if (project := self._session.project) is not None and measured.robustness != asked.robustness:
            changed = replace(project, robustness=measured.robustness)
            self._session.change(self.tr("leaving out speakers"), changed)
