"""What differs of a page, beside each other: as it is printed, and as it was made again."""

from __future__ import annotations

from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from zebra_core.report.verification import PageDifference
from zebra_gui.widgets.plain import label


class PagesBeside(QDialog):
    """Two pictures of the same place of a page."""

    def __init__(self, page: str, looks: PageDifference, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("{page}: what differs").format(page=page))
        pictures = QHBoxLayout()
        heads = (self.tr("As printed"), self.tr("As made again"))
        for head, content in zip(heads, (looks.there, looks.again), strict=True):
            pictures.addLayout(self._column(head, content))
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(close)
        rows = QVBoxLayout(self)
        rows.addLayout(pictures, 1)
        rows.addLayout(buttons)
        self.resize(960, 520)

    def _column(self, head: str, content: bytes) -> QVBoxLayout:
        picture = QLabel()
        picture.setPixmap(QPixmap.fromImage(QImage.fromData(content)))
        picture.setAccessibleName(head)
        area = QScrollArea()
        area.setWidget(picture)
        area.setAccessibleName(head)
        column = QVBoxLayout()
        column.addWidget(label(head, "quiet"))
        column.addWidget(area, 1)
        return column
