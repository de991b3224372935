"""The status bar: what is there, what is being worked on, and the button that stops it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QSizePolicy, QStatusBar, QWidget

from zebra_gui.jobs.jobs import Job, Jobs
from zebra_gui.language.translating import for_count
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import ElidedLabel, in_row, label, tooltip

_REST = 520  # pixels: what is counted, the progress and the button beside the name of a job
_LEAST_NAME = 200
_FRAME = 6  # pixels that a status bar keeps for itself


class StatusBar(QStatusBar):
    """Counts at the left; at the right the job under way, of the first queue that has one.

    Signals:
        topic_requested: what is counted is to be seen, in the pane about this topic, now of the selected.
    """

    topic_requested = Signal(str)

    def __init__(
        self, session: Session, jobs: Sequence[Jobs], cancel: QAction, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._of_another: set[Job] = set()
        self._told_elsewhere: Job | None = None
        self._first: dict[str, str] = {}
        self.setSizeGripEnabled(False)
        self.counts = ElidedLabel("quiet")
        self.counts.setContentsMargins(10, 0, 10, 0)
        self.remarks, self.broken = self._counted("files"), self._counted("overview")
        self.job_name: QLabel = label(tone="quiet")
        self.job_name.setWordWrap(False)
        self.job_name.setMinimumWidth(1)  # its words are cut to the room there is, and ask for none
        self.progress = QProgressBar()
        self.progress.setAccessibleName(self.tr("Progress"))
        self.progress.setTextVisible(False)
        self.progress.setFixedSize(150, 9)
        self.progress.setRange(0, 100)
        cancel_button = QPushButton(self.tr("Cancel"))
        cancel_button.clicked.connect(cancel.trigger)
        cancel_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._job = QWidget()
        in_row(self.job_name, self.progress, cancel_button, on=self._job, margins=(0, 3, 8, 3), spacing=9)
        counted = QWidget()
        in_row((self.counts, 1), self.remarks, self.broken, on=counted, margins=(0, 0, 8, 0), spacing=2)
        self.addWidget(counted, 1)
        self.addPermanentWidget(self._job)
        self.setMinimumHeight(self._job.sizeHint().height() + _FRAME)

        session.project_changed.connect(self._show_counts)
        session.left.connect(self._on_left)
        for queue in jobs:
            queue.changed.connect(self._show_job)
        self._show_counts()
        self._show_job()

    def leave_out(self, job: Job | None) -> None:
        """Tell nothing of this job: the page that is shown does, with a button of its own."""
        if job is not self._told_elsewhere:
            self._told_elsewhere = job
            self._show_job()

    def _show_counts(self) -> None:
        entries, others = self._session.entries, len(self._session.items) - len(self._session.entries)
        count, on_attacks = len(entries), self._remarks_on_attacks()
        of_files = {entry.id: len(entry.assessment.remarks_on_files) for entry in entries}
        remarks, broken = sum(of_files.values()), len(on_attacks)
        self._first = {
            "files": next((each for each, number in of_files.items() if number), ""),
            "overview": next(iter(on_attacks), ""),
        }
        texts = (
            (count, for_count("StatusBar", "1 assessment", "{count} assessments", count)),
            (others, for_count("StatusBar", "1 set of matrices", "{count} sets of matrices", others)),
        )
        told = for_count("StatusBar", "1 remark on the files", "{count} remarks on the files", remarks)
        _tell_count(self.remarks, told, remarks)
        told = for_count("StatusBar", "1 attack is in doubt", "{count} attacks are in doubt", broken)
        _tell_count(self.broken, told, broken)
        counts = [text.format(count=count) for count, text in texts if count]
        if not entries:
            counts.insert(0, self.tr("No assessment") if others else self.tr("Nothing is open"))
        self.counts.show_text(" · ".join(counts))

    def _counted(self, topic: str) -> QPushButton:
        button = QPushButton()
        button.setFlat(True)
        button.setToolTip(self.tr("Show them"))
        button.clicked.connect(lambda: self._show_first(topic))
        button.hide()
        return button

    def _show_first(self, topic: str) -> None:
        """Select the first that it is about: a pane shows what is said of the selected one."""
        self._session.select(self._first[topic])
        self.topic_requested.emit(topic)

    def _remarks_on_attacks(self) -> Mapping[str, object]:
        if not self._session.entries:
            return {}
        from zebra_core.project.comparison.comparison import (
            remarks_on_attacks,  # not before the window shows: it needs SciPy
        )

        return remarks_on_attacks(self._session.entries)

    def _on_left(self) -> None:
        """What is still being stopped may be called after somebody whom the next case does not know."""
        self._of_another = {job for queue in self._jobs for job in queue.wanted if job.is_cancelled}
        self._show_job()

    def _show_job(self) -> None:
        told = ([job for job in queue.wanted if job is not self._told_elsewhere] for queue in self._jobs)
        waiting = next(filter(None, told), [])
        self._job.setVisible(bool(waiting))
        if not waiting:
            self.job_name.setText("")
            self.job_name.setAccessibleName("")
            return
        job = waiting[0]
        more = len(waiting) - 1
        if job in self._of_another:
            words = self.tr("Stopping…")
        elif job.is_cancelled:
            words = self.tr("Stopping: {job}").format(job=job.name)
        elif more:
            words = self.tr("{job}, {count} more to do").format(job=job.name, count=more)
        else:
            words = job.name
        room = max(_LEAST_NAME, self.width() - _REST)
        shown = self.job_name.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, room)
        self.job_name.setText(shown)
        self.job_name.setAccessibleName(words)
        self.job_name.setToolTip(tooltip(words) if shown != words else "")
        self._show_share(job.share_done)

    def _show_share(self, share: float) -> None:
        """Draw it with whatever is drawn next: Qt would at once draw the bar and all else that waits."""
        self.progress.setUpdatesEnabled(False)
        self.progress.setValue(round(100 * share))
        self.progress.setUpdatesEnabled(True)


def _tell_count(button: QPushButton, text: str, count: int) -> None:
    button.setText(text.format(count=count))
    button.setVisible(count > 0)
