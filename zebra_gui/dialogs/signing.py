"""What it takes to sign a report: which report, which key, its pass phrase, and how."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from zebra_core.wording.texts import say, visible
from zebra_gui.widgets.layouts import ElidedLabel, in_column, in_row, label


class SigningDialog(QDialog):
    """Stays open until the signed copy is written; what went wrong is told in it.

    Signals:
        certificate_wanted: a file with a certificate and its key should be chosen.
        replaced_wanted: the signed report that this one replaces should be chosen.
        sign_requested: everything is there.
        stop_requested: nobody waits for it any more.
    """

    certificate_wanted = Signal()
    replaced_wanted = Signal()
    sign_requested = Signal()
    stop_requested = Signal()

    def __init__(self, report: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.report = report
        self.certificate: Path | None = None
        self.replaced: Path | None = None
        self.setWindowTitle(self.tr("Sign {name}").format(name=visible(report.name)))
        self.key = ElidedLabel()
        self.key.show_text(self.tr("None chosen"))
        self.choose = QPushButton(self.tr("&Choose…"))
        self.choose.setAccessibleName(self.tr("Choose the certificate with its key"))
        self.choose.clicked.connect(self.certificate_wanted)
        self.replaces = ElidedLabel()
        self.replaces.show_text(self.tr("No signed report"))
        self.choose_replaced = QPushButton(self.tr("Choos&e…"))
        self.choose_replaced.setAccessibleName(self.tr("Choose the signed report that it replaces"))
        self.choose_replaced.clicked.connect(self.replaced_wanted)
        self.passphrase = QLineEdit()
        self.passphrase.setEchoMode(QLineEdit.EchoMode.Password)
        self.reason = QLineEdit()
        self.reason.setMaxLength(200)
        self.is_visible = QCheckBox(
            self.tr("&Show it on the line for signatures, or on blank paper at the end")
        )
        self.draft = label("", "warning")
        self.draft.hide()
        self.remark = label("", "quiet")
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.progress.hide()
        self.sign = QPushButton(self.tr("S&ign…"))
        self.sign.setDefault(True)
        self.sign.setEnabled(False)
        self.sign.clicked.connect(self.sign_requested)
        close = QPushButton(self.tr("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        self.finished.connect(self._on_finished)
        rows = in_column(
            label(self.tr("A signed copy is written; the report itself stays as it is."), "quiet"),
            self.draft,
            self._form(),
            self.progress,
            self.remark,
            on=self,
        )
        buttons = in_row(1, self.sign, close)
        rows.addLayout(buttons)
        self.resize(560, 260)

    def show_certificate(self, path: Path) -> None:
        """Take this file."""
        self.certificate = path
        self.key.show_text(visible(path.name))
        self.sign.setEnabled(True)
        self.passphrase.setFocus()

    def show_draft(self) -> None:
        """Say that the report is a draft."""
        self.draft.setText(say("sign.draft"))
        self.draft.show()

    def show_replaced(self, path: Path) -> None:
        """The signature records that it replaces this signed report."""
        self.replaced = path
        self.replaces.show_text(visible(path.name))

    def show_busy(self, *, is_busy: bool) -> None:
        """While it is signed nothing else can be asked for."""
        self.progress.setValue(0)
        self.progress.setVisible(is_busy)
        self.sign.setEnabled(not is_busy)

    def show_progress(self, share_done: float) -> None:
        """Show how much is done, 0 … 1."""
        self.progress.setValue(round(100 * share_done))

    def show_remark(self, sentence: str) -> None:
        """Say what became of it."""
        self.show_busy(is_busy=False)
        self.remark.setText(sentence)

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        row = in_row((self.key, 1), self.choose)
        form.addRow(self.tr("Certificate with its key (.p12, .pfx)"), row)
        for text, field in (
            (self.tr("&Pass phrase"), self.passphrase),
            (self.tr("&Reason, if you like"), self.reason),
        ):
            form.addRow(text, field)
        form.addRow(
            self.tr("Signed report that it replaces"), in_row((self.replaces, 1), self.choose_replaced)
        )
        form.addRow("", self.is_visible)
        return form

    def _on_finished(self) -> None:
        self.passphrase.clear()  # it is kept nowhere
        self.stop_requested.emit()
