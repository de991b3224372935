"""The compare pane: a table over everything that is ticked, and beside it a picture of the same rows.

The picture of the compare pane: one of several over the same rows, at the user's choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QToolButton, QWidget

from zebra_core.figures import comparison as figures, tradeoff
from zebra_core.figures.export import zebra_stem
from zebra_core.figures.figure import Figure
from zebra_core.figures.readout import det_read_out, ece_read_out
from zebra_core.project.comparison.columns import ALL_COLUMNS, column
from zebra_core.project.comparison.comparison import Comparison, compare, repeated_scores
from zebra_core.project.comparison.row import (
    ANSWER_COLUMNS,
    INFERENCE_COLUMNS,
    PEOPLE_COLUMNS,
    ComparisonRow,
)
from zebra_core.project.items import Entry, Item
from zebra_core.project.verdicts.verdict import in_short
from zebra_core.utility.emotions import Emotions
from zebra_core.utility.listening import RatingQuestion, Ratings
from zebra_core.utility.word_errors import WordErrors
from zebra_core.wording.texts import say
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs
from zebra_gui.jobs.jobs import Urgency
from zebra_gui.panes.pane import AnyFigure, FigureCard, MakeFigure, Pane, make_room, scrolled
from zebra_gui.panes.split_view import SplitView
from zebra_gui.plots.figure import FigureView, ReadOut
from zebra_gui.session import work
from zebra_gui.session.session import Session
from zebra_gui.tables.comparison import ComparisonTable
from zebra_gui.widgets.layouts import ElidedLabel, WhenVisible, choice_box, in_column, in_row, label

_WIDE = 1150  # from here on the picture has room beside the table
_SHARE_OF_TABLE = 0.44
_C_ECE = ALL_COLUMNS.index(column("c_ece"))
_PEOPLE, _INFERENCE, _ANSWER = (
    [ALL_COLUMNS.index(one) for one in each] for each in (PEOPLE_COLUMNS, INFERENCE_COLUMNS, ANSWER_COLUMNS)
)


class ComparePane(Pane):
    """Everything side by side; ranks and sorting stay within a dataset, condition and attacker."""

    topic = "compare"
    follows_prior = True

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.dialogs = Dialogs(self)
        self.comparison = Comparison(())
        self._learnt: dict[str, float] = {}
        self._learnt_for: object = None  # the runs that were asked about
        self.table = ComparisonTable(session)
        self.card = CompareCard(session)
        self.filter = self._make_filter()
        self.note = ElidedLabel("quiet")
        self.test = QPushButton(self.tr("Test the ranks"))
        self.test.setToolTip(
            self.tr("Compares the safeguards of every group pair by pair on the same trials.")
        )
        self.test.clicked.connect(session.intervals.settle_differences)
        session.intervals.advanced.connect(self._show_test)
        self._lay_out()
        self.table.row_chosen.connect(session.select)
        self.table.columns_changed.connect(self._on_columns)
        session.utilities.counted.connect(self._on_counted)
        self._when_visible = WhenVisible(self, self._show_project)
        session.requirements.decided.connect(self._show_note)
        session.project_changed.connect(self._when_visible.refresh)
        session.selection_changed.connect(self._show_selection)
        session.prior_changed.connect(self._show_prior)
        session.findings.found.connect(self._on_people)
        session.conclusions.found.connect(self._on_people)
        self._show_project()

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("ComparePane", "Compare")

    def forget(self) -> None:
        self._learnt, self._learnt_for = {}, None
        self.filter.clear()
        self._when_visible.refresh_now()

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return (self.card,)

    def show_few(self, *, is_few: bool) -> None:
        self.table.show_few(is_few=is_few)

    @property
    def subject(self) -> str:
        return f"compare-{self.card.picture.value}"

    def _make_filter(self) -> QLineEdit:
        made = QLineEdit()
        made.setAcceptDrops(False)  # a drop is for the window
        made.setAccessibleName(self.tr("Filter"))
        made.setPlaceholderText(self.tr("Filter: words from any column"))
        made.setClearButtonEnabled(True)
        made.setProperty("look", "search")
        made.textChanged.connect(self._on_filter)
        find = QAction(self.tr("Filter the comparison"), self)
        find.setShortcut(QKeySequence(QKeySequence.StandardKey.Find))
        find.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.triggered.connect(made.setFocus)
        self.addAction(find)
        return made

    def _lay_out(self) -> None:
        head = in_row(
            (self.filter, 1),
            self._menu_button(self.tr("Columns"), self.table.columns_menu),
            self._menu_button(self.tr("Utility"), self._utility_menu),
            spacing=8,
        )
        self.parts = SplitView(_WIDE)
        head.addWidget(self.parts.table_only)
        self.card.head.addWidget(self.parts.picture_only)
        upper = QWidget()
        below = in_row((self.note, 1), self.test, spacing=8)
        in_column(head, (self.table, 1), below, on=upper, margins=0, spacing=6)
        self.parts.show_parts(upper, self.card, _SHARE_OF_TABLE)
        in_column(self.parts, on=self, margins=2)

    def _menu_button(self, text: str, make: object) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setAccessibleName(text)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

        def show() -> None:
            menu: QMenu = make()  # type: ignore[operator]
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

        button.clicked.connect(show)
        return button

    def _utility_menu(self) -> QMenu:
        """What can be said of the speech of the selected row."""
        menu = QMenu(self)
        row = self.comparison.row(self.session.selected.id) if self.session.selected else None
        texts = {
            RatingQuestion.SIMILARITY: self.tr("Ratings of &similarity…"),
            RatingQuestion.INTELLIGIBILITY: self.tr("Ratings of &intelligibility…"),
            RatingQuestion.NATURALNESS: self.tr("Ratings of &naturalness…"),
        }
        words = menu.addAction(self.tr("&Word errors from transcripts…"))
        words.triggered.connect(self._on_transcripts)
        for question, text in texts.items():
            menu.addAction(text).triggered.connect(partial(self._on_ratings, question))
        menu.addAction(self.tr("&Emotions kept…")).triggered.connect(self._on_emotions)
        menu.setEnabled(row is not None)
        return menu

    def _on_transcripts(self) -> None:
        selected = self.session.selected
        if selected is None:
            return
        reference = self.dialogs.ask_file("reference transcripts")
        hypothesis = reference and self.dialogs.ask_file("recognised transcripts")
        if reference and hypothesis:
            self.session.utilities.read_transcripts(selected.speech, reference, hypothesis)

    def _on_emotions(self) -> None:
        selected = self.session.selected
        if selected is None:
            return
        labels = self.dialogs.ask_file("emotion labels")
        predictions = labels and self.dialogs.ask_file("predicted emotions")
        if labels and predictions:
            self.session.utilities.read_emotions(selected.speech, labels, predictions)

    def _on_ratings(self, question: RatingQuestion) -> None:
        selected = self.session.selected
        path = self.dialogs.ask_file("ratings") if selected else None
        if selected and path:
            self.session.utilities.read_ratings(selected.speech, question, path)

    def _on_counted(self, key: core.SpeechKey, code: str, found: WordErrors | Emotions | Ratings) -> None:
        """Say what came of it, and bring it into view: its column may be far to the right."""
        rows = [row for row in self.comparison.rows if row.entry.speech == key]
        remarks = list(map(str, found.remarks))
        if rows:
            found_in = column(code)
            self.table.bring_into_view(rows[0].entry.id, ALL_COLUMNS.index(found_in))
            facts = {"name": rows[0].entry.name, "value": found_in.shown(rows[0]), "column": found_in.head}
            remarks.insert(0, say("compare.counted", **facts))
        self.note.show_text(" ".join(remarks))

    def _on_filter(self, text: str) -> None:
        self.table.order.show_only(text)

    def _show_prior(self) -> None:
        """Figures of the table may depend on the prior."""
        if not self.isVisible():
            self._when_visible.refresh()
            return
        self.comparison = self._compared()
        self.table.show_comparison(self.comparison)
        self._show_selection()

    def _compared(self) -> Comparison:
        project = self.session.project_at_prior
        if project is None:
            return Comparison(())
        found = compare(project, c_ece_bits=self._learnt)
        for study, columns in (("people", _PEOPLE), ("inference", _INFERENCE)):
            if self._shows(columns):  # what is not known yet is asked for
                known = {row.entry.id: self.session.findings.of(study, row.entry) for row in found.rows}
                found = found.with_found(study, {key: one for key, one in known.items() if one})
        if self._shows(_ANSWER):
            self.session.conclusions.look()
            known_answer = self.session.conclusions.known
            for study, cells in (known_answer.cells if known_answer else {}).items():
                found = found.with_found(study, cells)
        return found

    def _shows(self, columns: Sequence[int]) -> bool:
        return not all(map(self.table.isColumnHidden, columns))

    def _on_columns(self) -> None:
        self._learn()
        self._on_people()

    def _on_people(self) -> None:
        """Show what is known of people, where there are columns for it."""
        if self._shows([*_PEOPLE, *_INFERENCE, *_ANSWER]):
            self._show_prior()

    def _show_project(self) -> None:
        self.comparison = self._compared()
        self.table.show_comparison(self.comparison)
        self.card.show_comparison(self.comparison)
        self._show_note()
        self._show_test()
        self._show_selection()
        self._learn()

    def _show_note(self) -> None:
        """Which scores are there twice, how many requirements are met, and that groups are ranked apart."""
        several = len(self.comparison.groups) > 1
        notes = [str(one.remark) for one in repeated_scores(self.session.entries)]
        notes += [in_short(self.session.requirements.verdicts)]
        notes += [say("comparison.groups-apart")] if several else []
        self.note.show_text(" ".join(filter(None, notes)))

    def _show_test(self) -> None:
        """Offer to test ranks as long as there are some of which nobody knows whether they are settled."""
        untested = any(row.rank is not None and row.ranks is None for row in self.comparison.rows)
        self.test.setVisible(untested)
        self.test.setEnabled(not self.session.intervals.is_settling)

    def _show_selection(self) -> None:
        selected = self.session.selected
        self.table.show_selected(selected.id if selected else None)

    def _learn(self) -> None:
        """Ask for C_ECE where it is to be shown and there are runs that are not known yet."""
        entries = self.session.entries
        if self.table.isColumnHidden(_C_ECE) or not any(entry.run for entry in entries):
            return
        asked = tuple(map(_as_run, entries))
        if asked != self._learnt_for:
            self._learnt_for = asked
            name = self.tr("Learning calibration on other runs")
            job = self.session.start_work(
                name, work.learnt_on_other_runs, entries, supersedes="runs", urgency=Urgency.SEEN
            )
            job.done.connect(self._on_learnt)

    def _on_learnt(self, found: dict[str, float]) -> None:
        self._learnt = found
        self._show_project()


def _as_run(entry: Entry) -> tuple[object, ...]:
    """What C_ECE of an entry rests on."""
    condition, counts = entry.condition, id(entry.assessment.counts)
    return entry.id, entry.name, entry.dataset, entry.run, condition, entry.attack, counts


class ComparePicture(Enum):
    """The pictures; `compare.picture-<value>` is what each is called."""

    CONDITION = "condition"
    SYSTEM = "system"
    ALL = "all"
    MULTIPLES = "multiples"
    DOTS = "dots"
    DISTINCTIVENESS = "distinctiveness"
    UTILITY = "utility"
    UTILITY_EMOTIONS = "utility-emotions"
    UTILITY_INTELLIGIBILITY = "utility-intelligibility"
    UTILITY_NATURALNESS = "utility-naturalness"
    LISTENING_SIMILARITY = "listening-similarity"
    LISTENING_INTELLIGIBILITY = "listening-intelligibility"
    LISTENING_NATURALNESS = "listening-naturalness"


_P = ComparePicture
_UTILITY: dict[ComparePicture, tradeoff.Kept] = {
    _P.UTILITY: None,
    _P.UTILITY_EMOTIONS: tradeoff.EMOTIONS,
    _P.UTILITY_INTELLIGIBILITY: RatingQuestion.INTELLIGIBILITY,
    _P.UTILITY_NATURALNESS: RatingQuestion.NATURALNESS,
}
_LISTENING = {
    _P.LISTENING_SIMILARITY: RatingQuestion.SIMILARITY,
    _P.LISTENING_INTELLIGIBILITY: RatingQuestion.INTELLIGIBILITY,
    _P.LISTENING_NATURALNESS: RatingQuestion.NATURALNESS,
}
_DRAW: dict[ComparePicture, Callable[..., Figure]] = {
    _P.CONDITION: figures.condition_figure,
    _P.SYSTEM: figures.system_figure,
    _P.ALL: figures.all_figure,
    _P.MULTIPLES: figures.multiples_figure,
    _P.DOTS: figures.dots_figure,
    _P.DISTINCTIVENESS: tradeoff.distinctiveness_figure,
}
_OVER_PRIOR = (_P.CONDITION, _P.SYSTEM, _P.ALL, _P.MULTIPLES)


class CompareCard(FigureCard):
    """Pictures of a Comparison, with the selected row emphasised."""

    view: FigureView

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, FigureView(ece_read_out), parent)
        self.view.shows_whole_legend = True
        self.picture = ComparePicture.CONDITION
        self._comparison = Comparison(())
        self.chooser = choice_box(
            self.tr("Picture"), *((say(f"compare.picture-{each.value}"), each) for each in ComparePicture)
        )
        self.chooser.activated.connect(self._on_chosen)
        self.head.insertWidget(0, self.chooser)
        self.nothing = label(tone="quiet")
        self.nothing.hide()
        self.body.insertWidget(1, self.nothing)
        self.body.removeWidget(self.view)
        self.scrolled = scrolled(self.view, self.tr("Picture"))
        self.body.addWidget(self.scrolled, 1)
        for signal in (session.selection_changed, session.prior_changed):
            signal.connect(self.refresh)

    @property
    def is_quick(self) -> bool:
        return False

    @property
    def rows(self) -> Sequence[ComparisonRow]:
        """The rows that the picture is of: it follows the selection where it is of one group or safeguard."""
        rows, selected = self._comparison.rows, self._selected_row()
        if self.picture is _P.CONDITION:
            return [row for row in rows if selected and row.group == selected.group]
        if self.picture is _P.SYSTEM:
            return self._comparison.of_system(selected.system) if selected else ()
        if self.picture is _P.DISTINCTIVENESS:
            return tradeoff.with_matrices(rows)
        if self.picture in _UTILITY:
            return tradeoff.with_utility(rows, _UTILITY[self.picture])
        if self.picture in _LISTENING:
            return tradeoff.with_utility(rows, _LISTENING[self.picture])
        return rows

    def show_comparison(self, comparison: Comparison) -> None:
        """Draw these rows."""
        self._comparison = comparison
        self.refresh()

    def forget(self) -> None:
        self._comparison = Comparison(())
        super().forget()

    def choose(self, picture: ComparePicture) -> None:
        """Show this picture."""
        self.picture = picture
        self.chooser.setCurrentIndex(self.chooser.findData(picture))
        self.view.read_out = _read_out(picture)
        self.refresh()
        self.chosen.emit()

    def make_figure(self) -> MakeFigure | None:
        rows, selected = tuple(self.rows), self.session.selected
        self.scrolled.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        if not rows:
            self.heading.show_text("")
            self.nothing.setText(say(f"compare.nothing-{self.picture.value}"))
            return None
        selected_id = selected.id if selected else None
        if self.picture in _LISTENING:
            return partial(tradeoff.listening_figure, rows, _LISTENING[self.picture], selected_id)
        if self.picture in _UTILITY:
            question = _UTILITY[self.picture]
            return partial(tradeoff.utility_figure, rows, selected_id, question=question)
        mark = {"prior_log_odds": self.session.prior_mark} if self.picture in _OVER_PRIOR else {}
        return partial(_DRAW[self.picture], rows, selected_id, **mark)

    def file_stem(self) -> str:
        return zebra_stem(f"compare-{self.picture.value}")

    def subjects(self) -> Sequence[Item]:
        return [row.entry for row in self.rows]

    def _show_figure(self, figure: AnyFigure) -> None:
        super()._show_figure(figure)
        make_room(self.view, figure)

    def _selected_row(self) -> ComparisonRow | None:
        """The row of the selected entry; where that is not among them, the first that is protected."""
        rows, selected = self._comparison.rows, self.session.selected
        row = self._comparison.row(selected.id) if selected else None
        protected = (one for one in rows if not one.group.is_of_unprotected)
        return row or next(protected, rows[0] if rows else None)

    def _on_chosen(self, _place: int) -> None:
        self.choose(ComparePicture(self.chooser.currentData()))


def _read_out(picture: ComparePicture) -> ReadOut:
    if picture in _LISTENING:
        return det_read_out
    return figures.multiples_read_out if picture is _P.MULTIPLES else ece_read_out
