"""Events of Qt for a while, during which the threads of jobs have the interpreter."""

from PySide6.QtCore import QEventLoop, QTimer

from zebra_gui.jobs.jobs import Jobs


def turn_events(milliseconds: int) -> None:
    """Handle events for so long. QTest.qWait does it, too, but keeps the interpreter while it sleeps."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def turn_until_settled(jobs: Jobs, most_ms: int = 60_000) -> None:
    """Handle events until these jobs have nothing more to do, and not a moment longer."""
    loop, limit = QEventLoop(), QTimer(singleShot=True, interval=most_ms)
    limit.timeout.connect(loop.quit)
    jobs.changed.connect(loop.quit)
    limit.start()
    while jobs.waiting:
        assert limit.isActive(), f"jobs that do not end: {[job.name for job in jobs.waiting]}"
        loop.exec()
    limit.stop()
    jobs.changed.disconnect(loop.quit)
