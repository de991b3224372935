"""The review of the report: comments with their answers, and what is to be said next."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QListWidget, QPlainTextEdit, QPushButton, QWidget

from zebra_core.errors import ZebraError
from zebra_core.project.report_settings import Section
from zebra_core.project.review import LONGEST_PERSON, Comment, Review
from zebra_core.report.content.review import WHOLE, in_one_line, place_in_words, said_by
from zebra_core.wording.names import shortened
from zebra_core.wording.texts import say
from zebra_gui.report.fields import LineField
from zebra_gui.settings import settings
from zebra_gui.widgets.flow import Flow
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import choice_box, label

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
