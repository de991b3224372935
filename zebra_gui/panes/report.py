"""The report pane: what is said about the report, beside its pages as they will be."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from zebra_core.errors import ZebraError
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.project.report_settings import Section
from zebra_core.project.review import LONGEST_PERSON, Comment, Review
from zebra_core.report.content.review import WHOLE, in_one_line, place_in_words, said_by
from zebra_core.report.export import make_report
from zebra_core.report.pdf import ReportPreview, report_pages
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.wording.texts import say, shortened
from zebra_gui.jobs.jobs import Job
from zebra_gui.panes.pane import Pane
from zebra_gui.report.form import LineField, ReportForm
from zebra_gui.report.preview import PreviewView
from zebra_gui.session.session import Session
from zebra_gui.settings import settings
from zebra_gui.widgets.layouts import FitsRoom, Flow, choice_box, in_column, label
from zebra_gui.widgets.theme import with_text

_PAUSE_MS = 300
_FORM_WIDTH, _LEAST_WIDTH, _BESIDE = 300, 240, 14  # pixels; the last ones of the form's scroll bar
_ROOM_FOR_BOTH = 430  # pixels side by side, with text in its normal size


class ReportPane(FitsRoom, Pane):
    """Pages are made beside the other jobs, only while they can be seen, and a moment after the last change.

    Signals:
        jump_requested: the pane about this topic should be shown.
        logo_requested: a logo should be chosen.
        export_requested: the report should be saved as PDF.
        word_requested: the same as a Word file.
        nameless_requested: the same with codes in the place of names.
    """

    topic = "report"
    jump_requested = Signal(str)
    logo_requested = Signal()
    export_requested = Signal()
    word_requested = Signal()
    nameless_requested = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._is_stale = True
        self._changes = 0
        self._is_supplemented = False  # the next change is one that nobody made: there are more intervals
        self._job: Job | None = None
        self._awaits_more = False  # the pages lack no more than intervals, of which others are on their way
        self.form = ReportForm()
        self.preview = PreviewView()
        self.review = ReviewView()
        self.scrolled = _scrolled(self.form, self.tr("What the report says"))
        self._review_area = _scrolled(self.review, self.tr("Review of the report"))
        self._left = self._left_side()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self.preview)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([_FORM_WIDTH, 3 * _FORM_WIDTH])
        in_column(self.splitter, on=self, margins=(4, 0, 4, 4))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._lay_out_pages)
        self.form.changed.connect(session.set_report)
        self.form.refused.connect(session.report_failure)
        self.form.logo_requested.connect(self.logo_requested)
        self.review.changed.connect(session.set_review)
        self.review.refused.connect(session.report_failure)
        self.preview.comment_button.clicked.connect(lambda: self._on_comment(""))
        self.preview.comment_requested.connect(self._on_comment)
        self.preview.export_button.clicked.connect(self.export_requested)
        self.preview.word_button.clicked.connect(self.word_requested)
        self.preview.nameless_button.clicked.connect(self.nameless_requested)
        self.preview.jump_requested.connect(self._on_jump)
        self.preview.stop_button.clicked.connect(self._on_stop)
        self.preview.make_button.clicked.connect(self._on_make)
        session.settling.connect(self.form.settle)
        session.supplemented.connect(self._on_supplemented)
        session.intervals.advanced.connect(self._on_measured)
        session.project_changed.connect(self._on_project_changed)
        session.prior_changed.connect(self._on_project_changed)
        self._on_project_changed()

    def _left_side(self) -> QWidget:
        """What the report says, and its review, of which one is in front."""
        # A bar and pages: Tab never leaves the bar of a QTabWidget that is put into the order of the window.
        self.tabs, pages, left = QTabBar(), QStackedWidget(), QWidget()
        self.tabs.setAccessibleName(self.tr("Text and review of the report"))
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        for words, page in ((self.tr("Text"), self.scrolled), (self.tr("Review"), self._review_area)):
            self.tabs.addTab(words)
            pages.addWidget(page)
        self.tabs.currentChanged.connect(pages.setCurrentIndex)
        in_column(self.tabs, (pages, 1), on=left, margins=0, spacing=4)
        return left

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("ReportPane", "Report")

    def forget(self) -> None:
        self._pause.stop()
        self._is_stale = True
        self._changes += 1
        self.form.forget()
        self.review.forget()
        self.preview.show_nothing()

    def arrange(self) -> None:
        """Form and pages side by side, or one above the other where the text is too large for that."""
        is_wide = self.width() >= with_text(_ROOM_FOR_BOTH, self)
        self.splitter.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
        self._left.setMinimumWidth(max(_LEAST_WIDTH, self.form.minimumSizeHint().width() + _BESIDE))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_stale and not self._pause.isActive():
            self._pause.start()

    def _on_project_changed(self) -> None:
        if self.session.project is None:
            return
        project = self.session.project
        self.form.show_settings(project.report)
        self.review.show_review(project.review, project.report.author)
        only_adds, self._is_supplemented = self._is_supplemented, False
        self._awaits_more = only_adds and (self._awaits_more or not self._is_stale)
        self._changes += not only_adds
        self._is_stale = True
        self._pause.start()

    def _on_supplemented(self) -> None:
        self._is_supplemented = True

    def _on_measured(self) -> None:
        if self._awaits_more and not self.session.intervals.is_measuring:
            self._pause.start()

    def _lay_out_pages(self) -> None:
        project = self.session.project_at_prior
        if project is None or not project.entries or not self._is_stale or self.visibleRegion().isEmpty():
            return
        if self._awaits_more and self.session.intervals.is_measuring:
            return  # pages are made once more when all intervals are there, not with each
        self._is_stale = self._awaits_more = False
        self.preview.show_progress(0.0)
        job = self.session.drawing.lay_out(partial(_pages, project))
        job.progressed.connect(self.preview.show_progress)
        job.done.connect(partial(self._on_made, self._changes))
        job.failed.connect(self._on_failed)
        job.cancelled.connect(partial(self._on_cancelled, job))
        self._job = job

    def _on_stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _on_cancelled(self, job: Job) -> None:
        if job is self._job and not job.is_dropped:
            self.preview.show_state(self.tr("The pages were not made."), can_make=True)

    def _on_make(self) -> None:
        self._is_stale = True
        self._lay_out_pages()

    def _on_made(self, changes: int, preview: ReportPreview) -> None:
        if changes == self._changes:  # an older answer may still arrive
            self.preview.show_preview(preview)
            self.review.show_places(preview.places)

    def _on_failed(self, error: Exception) -> None:
        self.preview.show_state(self.tr("The pages could not be made."), can_make=True)
        self.session.report_failure(error)

    def _on_comment(self, place: str) -> None:
        self.tabs.setCurrentIndex(1)
        self.review.begin_on(place or self.preview.section_of_page)
        self._review_area.ensureWidgetVisible(self.review.add_button)

    def _on_jump(self, topic: str, entry_id: str) -> None:
        if any(item.id == entry_id for item in self.session.items):
            self.session.select(entry_id)
        self.jump_requested.emit(topic)


def _scrolled(widget: QWidget, name: str) -> QScrollArea:
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setWidgetResizable(True)
    area.setWidget(widget)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


def _pages(project: Project, on_progress: Progress) -> ReportPreview:
    """Runs in the job's thread."""
    made = make_report(gather(project, part_of(on_progress, 0.0, 0.4)))
    on_progress(0.5)
    return report_pages(made.content, on_progress=part_of(on_progress, 0.5, 1.0))


# The review of the report: comments with their answers, and what is to be said next.


_NAME = "review/name"
_LIST_HEIGHT = 190
_FEWEST_LETTERS = 12  # of a choice: the column is narrow
_LONGEST_PLACE = 60


class ReviewView(QWidget):
    """Shows a review, and says what the user adds to it.

    Signals:
        changed: what was done, for undoing it, and the review with it.
        refused: why what was typed cannot be.
    """

    changed = Signal(str, object)
    refused = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "scrolled")
        self._review = Review()
        self._author = ""
        self._places: Mapping[str, str] = {}
        self.name = LineField(self.tr("Your name"))
        self.name.setMaxLength(LONGEST_PERSON)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Comments"))
        self.list.setWordWrap(True)
        self.list.setSpacing(2)
        self.list.setFixedHeight(_LIST_HEIGHT)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.answer = _text_field(self.tr("Answer to the chosen comment"), 2)
        self.answer_button = QPushButton(self.tr("Answer"))
        self.close_button = QPushButton(self.tr("Close comment"))
        self.place = choice_box(self.tr("Pinned to"))
        self.place.setMinimumContentsLength(_FEWEST_LETTERS)
        self.place.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.comment = _text_field(self.tr("New comment"), 3)
        self.add_button = QPushButton(self.tr("Add comment"))
        self._lay_out()
        self._listen()
        self.show_places({})
        self.show_review(self._review, "")

    def show_review(self, review: Review, author: str) -> None:
        """Show this review of a report whose author is called so; the chosen comment stays so."""
        row = self.list.currentRow()
        is_longer = len(review.comments) > len(self._review.comments)
        self._review, self._author = review, author
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.addItems([self._comment_text(n, one) for n, one in enumerate(review.comments, start=1)])
            last_row = len(review.comments) - 1
            self.list.setCurrentRow(last_row if is_longer else min(max(row, 0), last_row))
        if not self.name.text():
            self.name.show_value(str(settings().value(_NAME, "", str)) or author)
        self._on_chosen()

    def show_places(self, places: Mapping[str, str]) -> None:
        """Show what comments can be pinned to; before there are pages, the report and its sections."""
        known = places or {WHOLE: say("review.whole")} | {one.value: one.heading for one in Section}
        if known == self._places:
            return
        chosen = self.place.currentData()
        self._places = known
        with QSignalBlocker(self.place):
            self.place.clear()
            for name, words in known.items():
                self.place.addItem(shortened(words, _LONGEST_PLACE), name)
                self.place.setItemData(self.place.count() - 1, words, Qt.ItemDataRole.ToolTipRole)
            self.place.setCurrentIndex(max(0, self.place.findData(chosen)))
        self.show_review(self._review, self._author)

    def begin_on(self, place: str) -> None:
        """Begin a comment on this place, else on the whole report."""
        self.place.show_value(place)
        self.comment.setFocus(Qt.FocusReason.OtherFocusReason)

    def forget(self) -> None:
        """Show nothing that anybody has said."""
        for field in (self.answer, self.comment):
            field.clear()
        self._review, self._author, self._places = Review(), "", {}
        self.name.forget()
        self.show_places({})

    def _comment_text(self, number: int, comment: Comment) -> str:
        by = ", ".join(said_by(comment))
        state, on = say(f"review.{comment.state}"), place_in_words(comment.on, self._places)
        lines = [f"{number}. {on} · {state}", by, in_one_line(comment.text)]
        lines += [f"→ {', '.join(said_by(one))}\n{in_one_line(one.text)}" for one in comment.answers]
        return "\n".join(lines)

    def _lay_out(self) -> None:
        acts = Flow(across=8)
        for button in (self.answer_button, self.close_button):
            acts.addWidget(button)
        layout = in_column(on=self, margins=(4, 4, 10, 4), spacing=6)
        self._add_named(layout.addWidget, self.name)
        layout.addWidget(label(self.tr("Comments"), "subheading"))
        layout.addWidget(self.list)
        self._add_named(layout.addWidget, self.answer)
        layout.addLayout(acts)
        layout.addWidget(label(self.tr("New comment"), "subheading"))
        self._add_named(layout.addWidget, self.place)
        layout.addWidget(self.comment)
        layout.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)

    def _add_named(self, add: Callable[[QWidget], None], field: QWidget) -> None:
        head = label(field.accessibleName())
        head.setBuddy(field)
        add(head)
        add(field)

    def _listen(self) -> None:
        self.list.currentRowChanged.connect(lambda _row: self._on_chosen())
        for field in (self.answer, self.comment):
            field.textChanged.connect(self._on_chosen)
        self.name.settled.connect(lambda name: settings().setValue(_NAME, name.strip()))
        self.add_button.clicked.connect(self._on_add)
        self.answer_button.clicked.connect(self._on_answer)
        self.close_button.clicked.connect(self._on_close)

    def _on_chosen(self) -> None:
        row = self.list.currentRow()
        chosen = self._review.comments[row] if 0 <= row < len(self._review.comments) else None
        self.answer.setEnabled(chosen is not None)
        self.answer_button.setEnabled(chosen is not None and bool(self.answer.toPlainText().strip()))
        self.close_button.setEnabled(chosen is not None and chosen.closed is None)
        self.add_button.setEnabled(bool(self.comment.toPlainText().strip()))

    def _on_add(self) -> None:
        text, on, by = self.comment.toPlainText(), self.place.currentData(), self.name.text()
        if self._do(self.tr("comment"), lambda at: self._review.commenting(text, on, by, at)):
            self.comment.clear()

    def _on_answer(self) -> None:
        text, number, by = self.answer.toPlainText(), self.list.currentRow() + 1, self.name.text()
        if self._do(self.tr("answer"), lambda at: self._review.answering(number, text, by, at)):
            self.answer.clear()

    def _on_close(self) -> None:
        number, by = self.list.currentRow() + 1, self.name.text()
        self._do(self.tr("closing of a comment"), lambda at: self._review.closing(number, by, at))

    def _do(self, text: str, act: Callable[[dt.datetime], Review]) -> bool:
        """Tell of the review with something more, said now; whether it could be said."""
        try:
            review = act(dt.datetime.now(dt.UTC))
        except ZebraError as error:
            self.refused.emit(error)
            return False
        self.changed.emit(text, review)
        return True


def _text_field(name: str, lines: int) -> QPlainTextEdit:
    """Some lines that are only told when a button is pressed; Tab leaves the field."""
    field = QPlainTextEdit()
    field.setAccessibleName(name)
    field.setAcceptDrops(False)  # a drop is for the window
    field.setTabChangesFocus(True)
    field.setFixedHeight(lines * field.fontMetrics().lineSpacing() + 14)
    return field
