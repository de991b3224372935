"""The pages of the report: one at a time, as large as wanted, with a way from each figure to its pane."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QWidget,
)

from zebra_core.report.pdf import PicturePlace, ReportPreview
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.layouts import Flow, choice_box, clear, in_column, in_row, label

_ZOOMS = (0, 50, 75, 100, 125, 150, 200)  # per cent; 0 is as wide as the room
_POINTS_PER_INCH = 72.0
_SCREEN_PER_INCH = 96.0
_LIST_WIDTH = 180
_BAR_WIDTH = 180
_ROOM_FOR_LIST = 620  # in less the list would take from the page what makes it readable


class PreviewView(QWidget):
    """Shows a Preview.

    Signals:
        jump_requested: the user wants to see a figure in its pane: topic and id of the entry.
        comment_requested: the user wants to comment on a figure: the place to pin it to.
    """

    jump_requested = Signal(str, str)
    comment_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview: ReportPreview | None = None
        self._pixmap = QPixmap()
        self.pages = QListWidget()
        self.pages.setAccessibleName(self.tr("Pages"))
        self.pages.setFixedWidth(_LIST_WIDTH)
        self.pages.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # so they are elided
        self.number = WholeBox()
        for field in (self.number, self.number.lineEdit()):
            field.setAccessibleName(self.tr("Number of the page"))
        self.number.setKeyboardTracking(False)
        self.page = QLabel()
        self.page.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.page.setAccessibleName(self.tr("The page"))
        self.page.setMouseTracking(True)
        self.page.installEventFilter(self)
        self.area = QScrollArea()
        self.area.setWidget(self.page)
        self.area.setWidgetResizable(True)
        # A bar that came and went would change the width that the page is scaled to.
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.area.setAccessibleName(self.tr("Preview of the report"))
        self.area.viewport().installEventFilter(self)
        self.zoom = choice_box(self.tr("Zoom"))
        self.zoom.addItems([self.tr("Page width"), *(f"{zoom} %" for zoom in _ZOOMS[1:])])
        self.state = label(tone="quiet")
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setTextVisible(False)  # no one colour can be read on both halves of the bar
        self.progress.setAccessibleName(self.tr("Progress of the pages"))
        self.progress.setFixedWidth(_BAR_WIDTH)
        self.stop_button = QPushButton(self.tr("Cancel"))
        self.stop_button.setAccessibleName(self.tr("Cancel making the pages"))
        self.make_button = QPushButton(self.tr("Make the pages"))
        self.export_button = QPushButton(self.tr("Export PDF…"))
        self.export_button.setProperty("look", "main")
        self.export_button.setToolTip(self.tr("Save the report as one PDF, with its evidence inside"))
        self.word_button = QPushButton(self.tr("Export for Word…"))
        self.word_button.setToolTip(
            self.tr("Save the report as a Word file to work on, with its evidence beside it")
        )
        self.nameless_button = QPushButton(self.tr("Without names…"))
        self.nameless_button.setToolTip(
            self.tr("Save report and scores with codes in the place of names, and the key apart")
        )
        self.nameless_button.setAccessibleName(self.tr("Export PDF without names"))
        self.comment_button = QPushButton(self.tr("Comment on this page…"))
        self.jumps = Flow(across=8)
        self._empty = QWidget()  # in the place of pages that are not there yet
        self._lay_out()
        self.pages.currentRowChanged.connect(self._show_page)
        self.number.valueChanged.connect(lambda number: self.pages.setCurrentRow(number - 1))
        self.zoom.currentIndexChanged.connect(lambda _row: self._scale())

    def show_preview(self, preview: ReportPreview) -> None:
        """Show these pages; the one that was looked at stays in front."""
        row = max(0, self.pages.currentRow())
        self._preview = preview
        self.pages.blockSignals(True)
        self.pages.clear()
        for number, title in enumerate(preview.titles, start=1):
            item = QListWidgetItem(f"{number} · {title}")
            item.setToolTip(title)
            self.pages.addItem(item)
        self.pages.blockSignals(False)
        self.number.blockSignals(True)
        self.number.setRange(1, len(preview.pages))
        before, _, after = self.tr("Page {number} of {count}").partition("{number}")
        self.number.setPrefix(before)
        self.number.setSuffix(after.format(count=len(preview.pages)))
        self.number.blockSignals(False)
        self._make_room()
        self.pages.setCurrentRow(min(row, len(preview.pages) - 1))
        self.show_state("")

    def show_nothing(self) -> None:
        """Show no pages."""
        self._preview = None
        self._pixmap = QPixmap()
        self.page.setPixmap(self._pixmap)
        self.pages.clear()
        clear(self.jumps)
        self.show_state("")
        self._make_room()

    def show_progress(self, share_done: float) -> None:
        """Show that pages are being made, and how much of that is done: a share of 1."""
        self.show_state(self.tr("Making the pages…"))
        self.progress.setValue(round(100 * share_done))
        self.progress.setVisible(True)
        self.stop_button.setVisible(True)

    def show_state(self, text: str, *, can_make: bool = False) -> None:
        """Show what became of the pages in a line, and whether they can be made after all."""
        self.state.setText(text)
        self.state.setVisible(bool(text))
        self.progress.setVisible(False)
        self.stop_button.setVisible(False)
        self.make_button.setVisible(can_make)

    @property
    def section_of_page(self) -> str:
        """The place of the section that the page in front is of; empty where there is no page."""
        row = self.pages.currentRow()
        return self._preview.sections[row] if self._preview is not None and row >= 0 else ""

    def figure_at(self, place: QPoint) -> PicturePlace | None:
        """The figure at a place on the page label."""
        shown = self.page.pixmap()
        if self._preview is None or shown.isNull():
            return None
        height = shown.height() / shown.devicePixelRatio()
        width = shown.width() / shown.devicePixelRatio()
        top = (self.page.height() - height) / 2.0
        y = (place.y() - top) * self._preview.width / width
        return next((one for one in self._on_page() if one.top <= y <= one.bottom), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self.page:
            if event.type() is QEvent.Type.Resize:
                self._scale()  # "Page width" is that of the room there is, which comes with the first pages
        elif isinstance(event, QMouseEvent):
            figure = self.figure_at(event.position().toPoint())
            shape = Qt.CursorShape.PointingHandCursor if figure else Qt.CursorShape.ArrowCursor
            self.page.setCursor(shape)
            if figure and event.type() is QEvent.Type.MouseButtonRelease:
                self.jump_requested.emit(figure.topic, figure.entry_id)
                return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()
        self._scale()

    def _make_room(self) -> None:
        has_room = self.width() >= _ROOM_FOR_LIST
        self.pages.setVisible(has_room and self._preview is not None)
        self.area.setVisible(self._preview is not None)
        self._empty.setVisible(self._preview is None)
        self.comment_button.setVisible(self._preview is not None)
        self.number.setVisible(not has_room and self._preview is not None)

    def _lay_out(self) -> None:
        above = Flow(across=8)
        for widget in (self.export_button, self.word_button, self.nameless_button, self.zoom, self.number):
            above.addWidget(widget)
        working = Flow(across=8)
        for shown in (self.state, self.progress, self.stop_button, self.make_button):
            working.addWidget(shown)
        middle = in_row(self.pages, (self.area, 1), (self._empty, 1))
        below, figures = Flow(across=8), QWidget()
        figures.setLayout(self.jumps)
        below.addWidget(self.comment_button)
        below.addWidget(figures)
        in_column(above, working, (middle, 1), below, on=self, margins=4)
        self.show_state("")
        self._make_room()

    def _on_page(self) -> list[PicturePlace]:
        number = self.pages.currentRow() + 1
        return [one for one in self._preview.pictures if one.page == number] if self._preview else []

    def _show_page(self, row: int) -> None:
        if self._preview is None or row < 0:
            return
        self.number.setValue(row + 1)
        self._pixmap = QPixmap()
        self._pixmap.loadFromData(self._preview.pages[row])
        self._scale()
        clear(self.jumps)
        for number, one in enumerate(self._on_page(), start=1):
            button = QPushButton(self.tr("Show figure {number}").format(number=number))
            words = self.tr("Show figure {number} of this page in its pane").format(number=number)
            button.setAccessibleName(words)
            button.setToolTip(words)
            button.clicked.connect(lambda _checked=False, one=one: self._jump(one))
            self.jumps.addWidget(button)
            comment = QPushButton(self.tr("Comment on figure {number}…").format(number=number))
            comment.clicked.connect(lambda _on=False, place=one.place: self.comment_requested.emit(place))
            self.jumps.addWidget(comment)

    def _jump(self, one: PicturePlace) -> None:
        self.jump_requested.emit(one.topic, one.entry_id)

    def _scale(self) -> None:
        if self._pixmap.isNull() or self._preview is None:
            return
        zoom = _ZOOMS[max(0, self.zoom.currentIndex())]
        ratio = self.devicePixelRatioF()
        natural = self._preview.width / _POINTS_PER_INCH * _SCREEN_PER_INCH
        wanted = natural * zoom / 100.0 if zoom else self.area.viewport().width() - 4.0
        scaled = self._pixmap.scaledToWidth(
            max(50, round(wanted * ratio)), Qt.TransformationMode.SmoothTransformation
        )
        scaled.setDevicePixelRatio(ratio)
        self.page.setPixmap(scaled)
