"""Events of Qt for a while, during which the threads of jobs have the interpreter."""

from PySide6.QtCore import QEventLoop, QTimer


def turn_events(milliseconds: int) -> None:
    """Handle events for so long. QTest.qWait does it, too, but keeps the interpreter while it sleeps."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
