"""What Esc and the button in the status bar stop: jobs first, then what waits for answers."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from zebra_gui.jobs.jobs import Jobs
from zebra_gui.recordings.actions import RecordingsActions
from zebra_gui.session.automatic_intervals import AutomaticIntervals
from zebra_gui.session.session import Session


class CancelAction(QObject):
    """An action that is in no menu: its button is where the job is."""

    def __init__(
        self,
        jobs: Jobs,
        automatic: AutomaticIntervals,
        session: Session,
        recordings: RecordingsActions,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._jobs, self._automatic = jobs, automatic
        self._session, self._recordings = session, recordings
        self.action = QAction(self.tr("Cancel the jobs"), window)
        self.action.setShortcut(QKeySequence("Esc"))
        self.action.triggered.connect(self._on_cancel)
        window.addAction(self.action)
        for queue in (jobs, recordings.state.jobs, automatic.jobs):
            queue.changed.connect(self._update)
        session.arrivals.arrival_changed.connect(self._update)
        recordings.changed.connect(self._update)
        self._update()

    def _update(self) -> None:
        works = self._jobs.wanted or self._automatic.jobs.wanted
        is_asking = self._session.arrivals.arrival is not None or self._recordings.is_shown
        self.action.setEnabled(bool(works) or is_asking)

    def _on_cancel(self) -> None:
        """Jobs first; once there are none, the files that wait for answers, and what nobody asked for."""
        if self._jobs.wanted:
            self._jobs.cancel_all()
        elif self._session.arrivals.arrival is not None:
            self._session.arrivals.dismiss()
        elif self._recordings.is_shown:
            self._recordings.state.cancel()
        else:
            self._automatic.cancel()
