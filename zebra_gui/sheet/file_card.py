"""The file that the user looks at: what is wrong with it, how it may be read, its first rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QRadioButton, QScrollArea, QWidget

from zebra_core.evidence.audit import Answers
from zebra_core.intake.formats.reading import ColumnMeaning
from zebra_core.intake.opening.opening import Source
from zebra_core.intake.planned import NO_KEY, Alternative, FoundFile, Question, Topic, unpacking_id
from zebra_core.intake.sorting.plan import key_question
from zebra_core.intake.sorting.segment_plan import chosen_setting, segment_question
from zebra_core.project.reading.arrival import Arrival
from zebra_core.wording.texts import visible
from zebra_gui.panes.pane import Card
from zebra_gui.tables.files import FileRow, FileState
from zebra_gui.widgets.layouts import ElidedLabel, clear, in_column, label, tooltip

_LONGEST_NAME = 64
_PREVIEW_ROWS = 3
_INDENT = 24


class QuestionView(QWidget):
    """One question.

    Signals:
        answered: the id of the question and the choice.
    """

    answered = Signal(str, str)

    def __init__(self, question: Question, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.buttons: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        layout = in_column(label(str(question), "subheading"), on=self, margins=0, spacing=4)
        for alternative in question.alternatives:
            layout.addWidget(self._button(alternative))
            if alternative.preview:
                inside = in_column(
                    RowsPreview(alternative.preview, most=_PREVIEW_ROWS), margins=(_INDENT, 0, 0, 8)
                )
                layout.addLayout(inside)

    def show_choice(self, choice: str | None) -> None:
        """Show which alternative was chosen."""
        if choice in self.buttons:
            self.buttons[choice].setChecked(True)

    def _button(self, alternative: Alternative) -> QRadioButton:
        words = visible(alternative.words, 400)
        button = QRadioButton(visible(words, _LONGEST_NAME).replace("&", "&&"))
        button.setAccessibleName(words)
        button.setToolTip(tooltip(visible(alternative.choice, 400)))
        button.clicked.connect(lambda: self.answered.emit(self.question.id, alternative.choice))
        self._group.addButton(button)
        self.buttons[alternative.choice] = button
        return button


class FileCard(Card):
    """Follows the selected row of the sheet's table.

    Signals:
        answered: the id of a question and the choice.
    """

    answered = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = ElidedLabel("heading")
        self.state = label(tone="quiet")
        self.state.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.questions: list[QuestionView] = []
        self._first_asked: dict[str, Question] = {}  # so that choosing does not change what is to choose from
        self._shown: tuple[Source | None, tuple[Question, ...], object] = (None, (), None)
        inside = QWidget()
        inside.setProperty("look", "scrolled")
        self._layout = in_column(self.state, on=inside, margins=(0, 2, 4, 0), spacing=6)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("The file"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.body.addWidget(self.heading)
        self.body.addWidget(scroll, 1)

    def forget(self) -> None:
        """Other files come: what was asked about the old ones is no matter."""
        self._first_asked = {}
        self._shown = (None, (), None)
        self.heading.show_text("")
        self.state.setText("")
        self._rebuild((), None)

    def show_file(self, row: FileRow | None, arrival: Arrival, answers: Answers) -> None:
        """Show this file of the arrival."""
        file = next((one for one in arrival.plan.files if row and one.source == row.source), None)
        self.heading.show_text(row.name if row else self.tr("No file is selected"))
        self.state.setText(self._state_in_words(row, arrival) if row else "")
        questions = self._questions(row, file, arrival, answers) if row else ()
        preview = file.previews[0] if file and not questions else None
        shown = (row.source if row else None, questions, preview)
        if shown != self._shown:
            self._shown = shown
            self._rebuild(questions, file)
        for view in self.questions:
            view.show_choice(_chosen(view.question, arrival, answers))

    def _state_in_words(self, row: FileRow, arrival: Arrival) -> str:
        if row.reason:
            return row.reason
        if row.state is FileState.ASKED:
            return (
                self.tr("Score files do not compress this well. Files made to fill a computer’s memory do.")
                if _unpacking_questions(row, arrival)
                else self.tr("This can be read in several ways, or belong to several. Say which is meant.")
            )
        if row.state is FileState.FAILED:
            return self.tr("Taken for: {what}. Its audit failed: see the assessments.").format(
                what=row.taken_for
            )
        if row.state is FileState.OFFERED:
            return self.tr("Taken for: {what}. Whether it is used depends on an answer.").format(
                what=row.taken_for
            )
        if row.state is FileState.UNUSED:
            return self.tr(
                "{what}. No assessment needs it, or it is waiting for files yet to be dropped."
            ).format(what=row.taken_for[:1].upper() + row.taken_for[1:])
        return self.tr("Taken for: {what}").format(what=row.taken_for)

    def _questions(
        self, row: FileRow, file: FoundFile | None, arrival: Arrival, answers: Answers
    ) -> tuple[Question, ...]:
        """What is asked about the file, and was asked before."""
        found = _unpacking_questions(row, arrival)
        found += self._about_found(file, arrival, answers) if file else []
        for question in found:
            self._first_asked.setdefault(question.id, question)
        unpacking = self._first_asked.get(unpacking_id(Source(row.source.path)))
        ids = dict.fromkeys([*([unpacking.id] if unpacking else []), *(question.id for question in found)])
        return tuple(self._first_asked[one] for one in ids)

    @staticmethod
    def _about_found(file: FoundFile, arrival: Arrival, answers: Answers) -> list[Question]:
        found = []
        if len(file.alternatives) > 1:
            found.append(Question(Topic.READING, file.source, file.alternatives))
        if (of_key := key_question(arrival.plan, file)) is not None:
            found.append(of_key)
        if (of_segments := segment_question(arrival.plan, file, answers.choices)) is not None:
            found.append(of_segments)
        return found

    def _rebuild(self, questions: tuple[Question, ...], file: FoundFile | None) -> None:
        self._layout.removeWidget(self.state)
        clear(self._layout)
        self._layout.addWidget(self.state)
        self.questions = [QuestionView(question) for question in questions]
        for view in self.questions:
            view.answered.connect(self.answered)
            self._layout.addWidget(view)
        if file is not None and all(question.topic is not Topic.READING for question in questions):
            self._layout.addWidget(label(self.tr("The first rows as they are read"), "subheading"))
            self._layout.addWidget(RowsPreview(file.previews[0], file.lines))
        self._layout.addStretch(1)


def _unpacking_questions(row: FileRow, arrival: Arrival) -> list[Question]:
    asked = arrival.plan.questions
    return [one for one in asked if (one.topic, one.source) == (Topic.UNPACKING, row.source)]


def _chosen(question: Question, arrival: Arrival, answers: Answers) -> str | None:
    """The user's choice, or what was taken without asking because there was no doubt."""
    if question.id in answers.choices:
        return answers.choices[question.id]
    if question.topic is Topic.READING:
        file = next((one for one in arrival.plan.files if one.source == question.source), None)
        return file.reading.choice if file and len(file.readings) == 1 else None
    if any(asked.id == question.id for asked in arrival.plan.questions):
        return None
    if question.topic is not Topic.KEY:
        file = next((one for one in arrival.plan.files if one.source == question.source), None)
        return chosen_setting(arrival.plan, file) if file else None
    planned = [one for one in arrival.plan.assessments if one.scores.source == question.source]
    return planned[0].key.source.place if planned and planned[0].key else NO_KEY


# The first rows of a file as they would be read, columns named after what they mean.


translate = QCoreApplication.translate
_LONGEST_CELL, _LONGEST_LINE = 34, 64


def part_in_words(part: ColumnMeaning) -> str:
    """What a column means."""
    return {
        ColumnMeaning.ENROL: translate("RowsPreview", "enrolment"),
        ColumnMeaning.TEST: translate("RowsPreview", "test"),
        ColumnMeaning.PAIR: translate("RowsPreview", "enrolment*test"),
        ColumnMeaning.SCORE: translate("RowsPreview", "score"),
        ColumnMeaning.SIDE: translate("RowsPreview", "side of the call"),
        ColumnMeaning.LABEL: translate("RowsPreview", "label"),
        ColumnMeaning.CLAIMED: translate("RowsPreview", "claimed speaker"),
        ColumnMeaning.REAL: translate("RowsPreview", "real speaker"),
        ColumnMeaning.ATTACK: translate("RowsPreview", "attack"),
        ColumnMeaning.OTHER: translate("RowsPreview", "not used"),
    }[part]


def rows_as_text(rows: Sequence[Mapping[ColumnMeaning, str]]) -> str:
    """The rows with their headings, columns set apart by tabs."""
    parts = list(dict.fromkeys(part for row in rows for part in row))
    head = "\t".join(part_in_words(part) for part in parts)
    return "\n".join([head, *("\t".join(visible(row.get(p, "")) for p in parts) for row in rows)])


class RowsPreview(QWidget):
    """A few rows as a small table; raw lines where a format has no columns."""

    def __init__(
        self,
        rows: Sequence[Mapping[ColumnMeaning, str]],
        lines: Sequence[str] = (),
        most: int = 5,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("First rows"))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(22)
        grid.setVerticalSpacing(2)
        parts = list(dict.fromkeys(part for row in rows for part in row))
        if not parts:
            nothing = self.tr("There is no preview of this format.")
            shown = "\n".join(visible(line, _LONGEST_LINE) for line in lines[:most])
            grid.addWidget(label(shown or nothing, "quiet"))
        for column, part in enumerate(parts):
            head = label(part_in_words(part), "quiet")
            head.setWordWrap(False)
            grid.addWidget(head, 0, column)
        for number, row in enumerate(rows[:most], start=1):
            for column, part in enumerate(parts):
                cell = label(visible(row.get(part, ""), _LONGEST_CELL))
                cell.setWordWrap(False)
                cell.setToolTip(tooltip(visible(row.get(part, ""), 400)))
                cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                grid.addWidget(cell, number, column)
        grid.setColumnStretch(max(len(parts), 1), 1)
