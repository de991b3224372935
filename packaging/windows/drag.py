"""A window at the upper left from which files can be dragged onto another: drag.py URL..."""

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


class _Source(QLabel):
    def mouseMoveEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        drag, files = QDrag(self), QMimeData()
        files.setUrls([QUrl(url) for url in sys.argv[1:]])
        drag.setMimeData(files)
        print(
            "dropped" if drag.exec(Qt.DropAction.CopyAction) is not Qt.DropAction.IgnoreAction else "refused",
            flush=True,
        )


if __name__ == "__main__":
    app = QApplication(sys.argv[:1])
    source = _Source("drag me")
    source.setStyleSheet("background: magenta")
    source.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint)
    source.setGeometry(5, 25, 120, 80)
    source.show()
    app.exec()
