"""The program failed: what happened, that the work is not lost, and a report that the user may send to us."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from zebra_core.installation.faults import fault_report
from zebra_core.wording.texts import visible
from zebra_gui.faults.logs import LOG, log_folder
from zebra_gui.widgets.layouts import in_column, in_row, label

_MOST_TOLD = 20
_SIZE = QSize(560, 460)
_AROUND = QSize(0, 40)  # the title bar: the lower edge, where the buttons are, must be seen
_PARTS = "\n\n----\n\n"


class FaultDialog(QDialog):
    """Beside the window, never in its way: the user may go on working. Without a window: it could not start.

    Only where another dialogue is in the way of everything it is in the way of that one, too: otherwise
    nobody could read or close it.
    """

    def __init__(self, error: BaseException, parent: QWidget | None = None) -> None:
        from zebra_gui.dialogs.page import versions_here

        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        in_the_way = parent is None or QApplication.activeModalWidget() is not None
        self.setWindowModality(
            Qt.WindowModality.ApplicationModal if in_the_way else Qt.WindowModality.NonModal
        )
        self.setWindowTitle(self.tr("ZEBRA failed"))
        self._reports = [fault_report(error, {})]
        self._versions = fault_report(error, versions_here()).removesuffix(self._reports[0])
        self.report = self._make_report()
        send = self.tr(
            "This report says where in the program it happened. It contains none of your data: no scores, "
            "no ids, no file names. Nothing is sent unless you send it."
        )
        if (log_folder() / LOG).exists():
            kept = self.tr("The same is in the logs in {folder}.")
            send += " " + kept.format(folder=visible(str(log_folder()), 200))
        layout = in_column(
            label(self.tr("Something went wrong"), "subheading"),
            on=self,
            margins=(24, 20, 24, 18),
            spacing=12,
        )
        what = _could_not_start() if parent is None else _goes_on()
        layout.addWidget(label(what.format(kind=type(error).__qualname__)))
        layout.addWidget(self.report, 1)
        layout.addWidget(label(send, "quiet"))
        layout.addLayout(self._make_buttons(self.tr("Close") if parent is None else self.tr("Go on")))
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _AROUND))

    def add(self, error: BaseException) -> None:
        """Tell of another fault, too; of one that is there already nothing more is said."""
        report = fault_report(error, {})
        if report not in self._reports and len(self._reports) < _MOST_TOLD:
            self._reports.append(report)
            self.report.setPlainText(self._text())

    def _text(self) -> str:
        return self._versions + _PARTS.join(self._reports)

    def _make_report(self) -> QPlainTextEdit:
        report = QPlainTextEdit(self._text())
        report.setReadOnly(True)
        report.setAccessibleName(self.tr("Report of the fault"))
        report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        report.setMinimumHeight(60)
        return report

    def _make_buttons(self, go_on: str) -> QHBoxLayout:
        copy = QPushButton(self.tr("Copy the report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text()))
        close = QPushButton(go_on)
        close.setDefault(True)
        close.clicked.connect(self.accept)
        close.setFocus()
        return in_row(copy, 1, close)


def _goes_on() -> str:
    return QCoreApplication.translate(
        "FaultDialog",
        "A fault in the program interrupted what it was doing ({kind}). Your files are untouched, the "
        "project is still open, its changes are being kept aside, and you can go on. If ZEBRA behaves "
        "oddly, save the project and start it again.",
    )


def _could_not_start() -> str:
    return QCoreApplication.translate(
        "FaultDialog",
        "A fault in the program stopped it before its window was open ({kind}). Your files are untouched.",
    )
