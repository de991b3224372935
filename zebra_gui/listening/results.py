"""Answers of listeners: taken in with the plan of their test, and evaluated again after a decision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from zebra_core.files.opening import is_folder
from zebra_gui.listening import work
from zebra_gui.session.session import Session

if TYPE_CHECKING:
    from zebra_core.listening.study import HeardTest, ListeningStudy

PLAN, ANSWERS = "listening-plan.json", ".zebra-answers"


class ListeningResults(QObject):
    """What comes of dropped answers, and of leaving out a listener.

    Signals:
        taken: the ListeningStudy that is in the project now.
        ended: an evaluation is over, whatever came of it.
    """

    taken = Signal(object)
    ended = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._open = session
        self.last_taken: ListeningStudy | None = None  # of the open project
        session.left.connect(self._forget)
        session.takers.insert(0, self.take)  # before those of recordings, who take every folder

    @property
    def studies(self) -> tuple[ListeningStudy, ...]:
        """The tests of the open project."""
        from zebra_core.listening.study import tests_of

        return tests_of(self._open.project)

    @classmethod
    def of(cls, session: Session) -> ListeningResults:
        """Those of a session, which has them once."""
        return session.findChild(cls) or cls(session)

    def take(self, paths: Sequence[Path]) -> list[Path]:
        """Evaluate plans and answers among these paths, and folders in which a plan lies; which they are."""
        mine = [path for path in paths if _is_of_a_test(path)]
        if mine:
            self.load(mine)
        return mine

    def _forget(self) -> None:
        self.last_taken = None

    def load(self, paths: Sequence[Path]) -> None:
        """Evaluate answers with their plan: the one that came along, or that of a test of the project."""
        self._open.dismiss_problems()
        job = self._open.start_work(
            self.tr("Evaluating listeners’ answers"),
            work.hear,
            tuple(paths),
            self.studies,
            supersedes="listening",
            is_about_project=False,
        )
        job.done.connect(self._on_heard)

    def leave_out(self, study: ListeningStudy, codes: Sequence[str]) -> None:
        """Evaluate again without the answers of these listeners; all others are used."""
        self._decide(study, codes, self.tr("leave out listeners"))

    def shows_alone(self, study: ListeningStudy) -> bool:
        """Whether each listener of a test is an attacker in the open project."""
        from zebra_core.listening.study import shows_alone

        return self._open.project is not None and shows_alone(self._open.project, study)

    def show_alone(self, study: ListeningStudy, is_wanted: bool) -> None:
        """Make an attacker of each listener as well, or of the panel only."""
        self._decide(study, study.left_out, self.tr("listeners alone"), is_wanted)

    def _decide(
        self, study: ListeningStudy, codes: Sequence[str], said: str, alone: bool | None = None
    ) -> None:
        job = self._open.start_work(
            self.tr("Evaluating listeners’ answers"), work.decide, study, tuple(codes), supersedes="listening"
        )
        job.done.connect(partial(self._on_heard, said=said, alone=alone))
        for ended in (job.failed, job.cancelled):
            ended.connect(lambda *_: self.ended.emit())

    def _on_heard(self, heard: HeardTest, *, said: str = "", alone: bool | None = None) -> None:
        from zebra_core.listening.study import entries_of, with_heard
        from zebra_core.project.project import Project

        before = self._open.project or Project()
        project = with_heard(before, heard, alone=alone)
        if said:
            self._open.change(said, project)
        else:
            first = [entry.id for entry in entries_of(project, heard.study)][:1]
            self._open.change(self.tr("add listeners’ answers"), project, tuple(first))
            for fault in heard.faults:
                self._open.report_problem(fault)
        self.last_taken = heard.study
        self.taken.emit(heard.study)
        self.ended.emit()


def _is_of_a_test(path: Path) -> bool:
    if is_folder(path):
        return (path / PLAN).exists()
    return path.name == PLAN or path.suffix.lower() == ANSWERS
