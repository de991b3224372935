"""What came of verifying a report: the outcome in a sentence, and every check in a table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from zebra_core.report.verification import PageDifference, Verification, VerificationLine, VerificationStatus
from zebra_core.wording.texts import listed, visible
from zebra_gui.models.evidence import Index
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.tables.rows import let_copy, table_in
from zebra_gui.widgets.layouts import ElidedLabel, in_column, in_row, label, shown_name, tell

SIGNS = {
    VerificationStatus.VERIFIED: "✓",
    VerificationStatus.DIFFERS: "✕",
    VerificationStatus.FILE_MISSING: "?",
    VerificationStatus.FILE_CHANGED: "✕",
    VerificationStatus.FILE_REPLACED: "✕",
    VerificationStatus.NOT_POSSIBLE: "–",
    VerificationStatus.NOT_COMPARED: "–",
}
_STATUS = Qt.ItemDataRole.UserRole
_LOOKS = _STATUS + 1
_MOST_REPLACED = 3  # sentences on files that have changed; the table has all, cut to its width


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
        in_column((pictures, 1), in_row(1, close), on=self)
        self.resize(960, 520)

    def _column(self, head: str, content: bytes) -> QVBoxLayout:
        picture = QLabel()
        picture.setPixmap(QPixmap.fromImage(QImage.fromData(content)))
        picture.setAccessibleName(head)
        area = QScrollArea()
        area.setWidget(picture)
        area.setAccessibleName(head)
        return in_column(label(head, "quiet"), (area, 1))


class ChecksModel(RowsModel[VerificationLine]):
    """A window onto the checks of a verification."""

    def __init__(self, checked: tuple[VerificationLine, ...], parent: QObject | None = None) -> None:
        super().__init__((), parent)
        self.columns = (
            Column(self.tr("Outcome"), lambda one: f"{SIGNS[one.status]}  {one.status}"),
            Column(self.tr("Of"), lambda one: one.about),
            Column(self.tr("What"), lambda one: one.what),
            Column(self.tr("Reported"), lambda one: one.recorded),
            Column(self.tr("Found"), lambda one: one.found),
        )
        self.put(checked)

    def show_checked(self, checked: tuple[VerificationLine, ...]) -> None:
        """Show these, which are those that were shown, with more after them."""
        before = len(self._rows)
        if checked[:before] != self._rows:
            self.put(checked)
        elif len(checked) > before:
            self.beginInsertRows(QModelIndex(), before, len(checked) - 1)
            self._rows = checked
            self.endInsertRows()

    def text(self, row: VerificationLine, column: int) -> str:
        return shown_name(super().text(row, column))

    def tip(self, row: VerificationLine, column: int) -> str:
        return visible(super().text(row, column), 2000)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role in (_STATUS, _LOOKS):
            one = self._rows[index.row()]
            return one.status if role == _STATUS else one.looks
        return super().data(index, role)


class _NotVerified(QSortFilterProxyModel):
    """Leaves out what is verified, if wanted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._only_others = False

    def show_only_others(self, only: bool) -> None:
        """Show only what is not verified, or everything."""
        self._only_others = only
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        if not self._only_others:
            return True
        index = self.sourceModel().index(row, 0, parent)
        return index.data(_STATUS) is not VerificationStatus.VERIFIED


class VerificationDialog(QDialog):
    """Stays open beside the window; lines come as they are checked, and the outcome above them at the end.

    Signals:
        folder_requested: files should be looked for in another folder, too.
        recordings_requested: the recordings of the scores should be looked for in a folder.
        model_requested: scores should be made again by a recogniser of the user's own.
        certificate_requested: signatures should be held against a certificate that the user trusts.
        unpacking_requested: what packs better than files of scores do should be unpacked.
        save_requested: the outcome should be saved as a page.
        stop_requested: nobody wants to see the outcome any more.
    """

    folder_requested = Signal()
    recordings_requested = Signal()
    model_requested = Signal()
    certificate_requested = Signal()
    unpacking_requested = Signal()
    save_requested = Signal()
    stop_requested = Signal()

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Verification of {name}").format(name=visible(path.name)))
        self.outcome = label(tone="heading")
        tell(self.outcome, self.tr("Outcome"), self.tr("Computing everything again…"))
        self.report = label(visible(path.name), "quiet")
        self.signatures = label("", "quiet")
        self.signatures.hide()
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.remark = label("", "quiet")
        self.remark.hide()
        self.only_others = QCheckBox(self.tr("Only what is &not verified"))
        self.table = QTableView()
        self.model = ChecksModel((), self)
        self.checks = _NotVerified(self)
        self.checks.setSourceModel(self.model)
        self._fill_table()
        self.only_others.toggled.connect(self.checks.show_only_others)
        self._make_buttons()
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.close)
        self.finished.connect(self.stop_requested)
        self._rows = in_column(
            self.outcome,
            self.report,
            self.signatures,
            self.progress,
            (self.table, 1),
            self.remark,
            in_row(1, self.recordings, self.recogniser),
            in_row(self.only_others, 1, self.beside, self.trust, self.other_folder, self.save, close),
            on=self,
            margins=(18, 16, 18, 14),
            spacing=10,
        )
        self.table.setFocus()
        self.resize(900, 560)

    def _make_buttons(self) -> None:
        """What can be done with lines and outcome."""
        self.beside = QPushButton(self.tr("Side &by side…"))
        self.beside.setToolTip(self.tr("What differs on the page: as printed, and as made again"))
        self.beside.setEnabled(False)
        self.beside.clicked.connect(self._show_beside)
        self.table.doubleClicked.connect(self._show_beside)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.other_folder = QPushButton(self.tr("Look in another &folder…"))
        self.other_folder.setEnabled(False)
        self.other_folder.clicked.connect(self.folder_requested)
        self.recordings = QPushButton(self.tr("Look for &recordings…"))
        self.recordings.setToolTip(self.tr("Check the recordings, and make the scores again from them"))
        self.recordings.hide()
        self.recordings.clicked.connect(self.recordings_requested)
        self.recogniser = QPushButton(self.tr("Use a reco&gniser…"))
        self.recogniser.setToolTip(
            self.tr("Make the scores again by the network (ONNX) that the report names")
        )
        self.recogniser.hide()
        self.recogniser.clicked.connect(self.model_requested)
        self.trust = QPushButton(self.tr("&Trust a certificate…"))
        self.trust.setToolTip(self.tr("Say whether a certificate that you trust vouches for the signatures"))
        self.trust.hide()
        self.trust.clicked.connect(self.certificate_requested)
        self.save = QPushButton(self.tr("&Save as PDF…"))
        self.save.setToolTip(self.tr("The outcome and every line of it, as a page to be signed and filed"))
        self.save.setEnabled(False)
        self.save.clicked.connect(self.save_requested)

    def show_checked(self, checked: tuple[VerificationLine, ...]) -> None:
        """Show what has been checked so far."""
        self.model.show_checked(checked)
        self.table.scrollToBottom()

    def show_progress(self, share_done: float) -> None:
        """Show how much is done, 0 … 1."""
        self.progress.setValue(round(100 * share_done))

    def show_outcome(self, found: Verification) -> None:
        """Show what it came to."""
        self.progress.hide()
        self.model.show_checked(found.checked)
        self.table.scrollToTop()
        tell(self.outcome, self.tr("Outcome"), found.summary)
        self.outcome.setProperty("tone", "heading" if found.is_verified else "error")
        self.outcome.style().polish(self.outcome)
        if found.title:
            self.report.setText(visible(found.title, 300))
        replaced = (one.found for one in found.checked if one.status is VerificationStatus.FILE_REPLACED)
        sentences = (*islice(replaced, _MOST_REPLACED), *found.sentences)
        self.signatures.setText("\n".join(visible(one, 1000) for one in sentences))
        self.signatures.setVisible(bool(sentences))
        self.only_others.setChecked(
            not all(one.status is VerificationStatus.VERIFIED for one in found.checked)
        )
        self.trust.setVisible(bool(found.signatures))
        self.other_folder.setEnabled(not (found.is_verified and found.reaches_recordings))
        self.recordings.setVisible(bool(found.chain) and not found.reaches_recordings)
        self.recogniser.setVisible(found.needs_model and not found.reaches_recordings)
        self.save.setEnabled(True)
        if found.left_packed:
            box = QWidget()
            box.setLayout(self._left_packed(found.left_packed))
            self._rows.insertWidget(2, box)
            box.show()

    def _on_row(self, current: QModelIndex) -> None:
        self.beside.setEnabled(current.data(_LOOKS) is not None)

    def _show_beside(self) -> None:
        index = self.table.currentIndex()
        if (looks := index.data(_LOOKS)) is not None:
            name = index.siblingAtColumn(1).data()
            self.pictures = PagesBeside(name, looks, self)
            self.pictures.open()

    def show_stopped(self) -> None:
        """Say that it was stopped, and that what stands there is not all."""
        self.progress.hide()
        stopped = self.tr("Stopped. What stands here was checked; the rest was not.")
        tell(self.outcome, self.tr("Outcome"), stopped)

    def show_remark(self, sentence: str) -> None:
        """Say what became of something, below the lines."""
        self.remark.setText(sentence)
        self.remark.setVisible(bool(sentence))

    def _left_packed(self, names: Sequence[str]) -> QHBoxLayout:
        """Which files were not unpacked, why, and a button to have it done."""
        shown = ElidedLabel()
        shown.show_text(self.tr("Left packed: {names}").format(names=listed(names)))
        why = self.tr(
            "Score files do not compress this well. Files made to fill a computer’s memory do. Unpacking "
            "stops at 4 GiB in any case."
        )
        self.unpack = QPushButton(self.tr("&Unpack and check again"))
        self.unpack.setAutoDefault(False)  # nobody allows it by the Return key
        self.unpack.setAccessibleDescription(f"{shown.whole_text}. {why}")
        self.unpack.clicked.connect(self.unpacking_requested)
        texts = in_column(shown, label(why, "quiet"), spacing=2)
        return in_row((texts, 1), self.unpack, margins=0, spacing=10)

    def _fill_table(self) -> None:
        self.table.setModel(self.checks)
        let_copy(self.table, lambda: table_in(self.table))
        self.table.setAccessibleName(self.tr("Checks"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, width in enumerate((150, 150, 190, 190)):
            self.table.setColumnWidth(column, width)
