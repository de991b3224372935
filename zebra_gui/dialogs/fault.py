"""The program failed: what happened, that the work is not lost, and a report that the user may send to us."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from zebra_gui.plain import label


class FaultDialog(QDialog):
    """Beside the window, never in its way: the user may go on working."""

    def __init__(self, kind: str, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self.setWindowTitle(self.tr("ZEBRA failed"))
        self.report = QPlainTextEdit(report)
        self.report.setReadOnly(True)
        self.report.setAccessibleName(self.tr("Report of the fault"))
        self.report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        what = self.tr(
            "A fault in the program stopped what it was doing ({kind}). Your files are untouched, the "
            "project is still open, its changes are being kept aside, and you can go on. Should ZEBRA behave "
            "oddly, save the project and start it anew."
        )
        send = self.tr(
            "This report says where in the program it happened. It holds none of your data: no scores, no "
            "ids, no names of files. Nothing is sent unless you send it."
        )
        copy = QPushButton(self.tr("Copy the report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report))
        close = QPushButton(self.tr("Go on"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.addWidget(copy)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(12)
        layout.addWidget(label(self.tr("Something went wrong"), "subheading"))
        layout.addWidget(label(what.format(kind=kind)))
        layout.addWidget(self.report, 1)
        layout.addWidget(label(send, "quiet"))
        layout.addLayout(buttons)
        self.resize(560, 420)
        close.setFocus()
