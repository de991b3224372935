"""The listening pane: listeners beside a recogniser, who is relied upon, and what each test came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from zebra_core.figures.export import zebra_stem
from zebra_core.figures.readout import det_read_out, mark_read_out
from zebra_core.listening.section import (
    ears_figure,
    how_made,
    panel_table,
    rated_figure,
    rating_table,
    reliability_table,
    what_was_decided,
)
from zebra_core.listening.study import ListeningStudy, tests_of
from zebra_core.report.document import TableBlock
from zebra_core.wording.texts import sentence_as_said, visible, visible_sentence, with_aside
from zebra_gui import core_types as core
from zebra_gui.listening.actions import ListeningResults
from zebra_gui.panes.pane import Card, FigureCard, MakeFigure, Pane
from zebra_gui.plots.points import PointsView
from zebra_gui.session.session import Session
from zebra_gui.tables.rows import FactGrid, Sideways
from zebra_gui.widgets.layouts import WhenVisible, choice_box, label, tell, tooltip

_MOST_ROWS = 8
_RATINGS = ("intelligibility", "naturalness")
_LONGEST = 2000


Draws = Callable[[Mapping[str, Any]], MakeFigure | None]
"""What makes a picture of the values of a test, where there is one."""


class StudyCard(FigureCard):
    """A picture of a listening test."""

    view: PointsView

    def __init__(self, session: Session, draws: Draws, name: str, parent: QWidget | None = None) -> None:
        super().__init__(session, PointsView(mark_read_out, det_read_out), parent)
        self._draws, self._name = draws, name
        self._study: ListeningStudy | None = None
        self.view.setMinimumHeight(260)

    @property
    def is_quick(self) -> bool:
        return True

    def show_study(self, study: ListeningStudy | None) -> None:
        """Show this test."""
        self._study = study
        self.setVisible(self.make_figure() is not None)
        self.refresh()

    def make_figure(self) -> MakeFigure | None:
        return self._draws(self._study.values) if self._study is not None else None

    def file_stem(self) -> str:
        return zebra_stem(self._name)

    def forget(self) -> None:
        self._study = None
        super().forget()


def _ears(values: Mapping[str, Any]) -> MakeFigure | None:
    return partial(ears_figure, values) if any(one["figures"] for one in values["panels"]) else None


def _rated(question: str, values: Mapping[str, Any]) -> MakeFigure | None:
    of = [one for one in values["ratings"] if one["question"] == question and one["counts"]]
    return partial(rated_figure, of[0]) if of else None


class WideTable(Sideways):
    """A table of the report, which scrolls by itself where it is wider than the pane."""

    def __init__(self, name: str) -> None:
        self.grid = FactGrid()
        super().__init__(self.grid)
        self.setAccessibleName(name)

    def show_table(self, table: TableBlock | None) -> None:
        """Show its rows; what stands below a number in the report is in brackets behind it. None: nothing."""
        if table is None:
            self.grid.forget()
            return
        heads = [column.head for column in table.columns]
        rows = [[with_aside(cell.text, cell.note) for cell in row] for row in table.rows]
        words = [number for number, column in enumerate(table.columns) if column.is_text]
        self.grid.show_table(heads, rows, words=words)
        self.setToolTip(tooltip(table.caption))
        self.setAccessibleDescription(table.caption)


class ListenersCard(Card):
    """The listeners of a test; those whose box is not checked are left out."""

    def __init__(self, results: ListeningResults, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._results = results
        self._study: ListeningStudy | None = None
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Listeners whose answers are used"))
        self.list.setAcceptDrops(False)
        self.alone = QCheckBox(self.tr("Each listener is an attacker as well, beside the panel"))
        self.decision = label()
        self.table = WideTable(self.tr("Anchors and repeats"))
        self.body.addWidget(label(self.tr("Listeners"), "heading"))
        self.body.addWidget(label(self.tr("Uncheck a listener to leave the answers out."), "quiet"))
        self.body.addWidget(self.list)
        self.body.addWidget(self.alone)
        self.body.addWidget(self.decision)
        self.body.addWidget(self.table)
        self.list.itemChanged.connect(self._on_changed)
        self.alone.clicked.connect(self._on_alone)
        self._results.ended.connect(self.refresh)

    def show_study(self, study: ListeningStudy | None) -> None:
        """Show the listeners of this test."""
        self._study = study
        self.setVisible(study is not None)
        self.refresh()

    def refresh(self) -> None:
        """Show who is used, as the project says it."""
        study = self._study
        with QSignalBlocker(self.list):
            here = self.list.currentRow()
            self.list.clear()
            for one in study.values["listeners"] if study else ():
                item = QListWidgetItem(self._words(one["code"], study.failing if study else ()))
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                state = Qt.CheckState.Unchecked if one["is_left_out"] else Qt.CheckState.Checked
                item.setCheckState(state)
                item.setData(Qt.ItemDataRole.UserRole, one["code"])
                self.list.addItem(item)
            self.list.setCurrentRow(here)
        self.alone.setChecked(study is not None and self._results.shows_alone(study))
        self.alone.setVisible(self.list.count() > 1)
        self._fit_list()
        tell(self.decision, self.tr("Decision"), what_was_decided(study) if study else "")
        self.table.show_table(reliability_table(study.values) if study else None)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "list"):
            self._fit_list()

    def _fit_list(self) -> None:
        rows = min(max(self.list.count(), 1), _MOST_ROWS)
        self.list.setFixedHeight(rows * max(self.list.sizeHintForRow(0), 18) + 2 * self.list.frameWidth() + 4)

    def _words(self, code: str, failing: tuple[str, ...]) -> str:
        text = self.tr("{code}: missed too many anchors") if code in failing else "{code}"
        return text.format(code=visible(code))

    def _on_alone(self, is_wanted: bool) -> None:
        if self._study is not None:
            self._results.show_alone(self._study, is_wanted)

    def _on_changed(self) -> None:
        if self._study is None:
            return
        items = (self.list.item(row) for row in range(self.list.count()))
        out = [
            str(item.data(Qt.ItemDataRole.UserRole))
            for item in items
            if item.checkState() is Qt.CheckState.Unchecked
        ]
        self._results.leave_out(self._study, out)


class ListeningPane(Pane):
    """One test at a time: the picture, tables, listeners, and how it was made."""

    topic = "listening"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._results = ListeningResults.of(session)
        self.chooser = choice_box(self.tr("Listening test"))
        self.chooser.activated.connect(self._show)
        self.ears = StudyCard(session, _ears, "EARS")
        self.rated = tuple(
            StudyCard(session, partial(_rated, question), f"RATED-{question.upper()}")
            for question in _RATINGS
        )
        self.panels, self.ratings = (
            WideTable(self.tr("Listeners and recogniser")),
            WideTable(self.tr("Ratings")),
        )
        self.listeners = ListenersCard(self._results)
        self.made, self.told = label(), label(tone="quiet")
        for text in (self.made, self.told):
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.panels_card = self._card(self.tr("What listeners together and a recogniser find"), self.panels)
        self.ratings_card = self._card(self.tr("Ratings"), self.ratings)
        self.made_card = self._card(self.tr("How the test was made"), self.made, self.told)
        page = QWidget()
        page.setProperty("look", "scrolled")
        rows = QVBoxLayout(page)
        rows.setContentsMargins(2, 2, 2, 2)
        rows.setSpacing(10)
        cards = (self.ears, self.panels_card, self.listeners, self.ratings_card, *self.rated, self.made_card)
        for widget in (self.chooser, *cards):
            rows.addWidget(widget)
        rows.addStretch(1)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Listening test"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self._when_visible = WhenVisible(page, self._show)
        session.project_changed.connect(self._when_visible.refresh)
        self._results.taken.connect(lambda study: self._choose(study.test))
        if self._results.last_taken is not None:
            self._choose(self._results.last_taken.test)
        else:
            self._show()

    @staticmethod
    def has_something(_project: core.Project | None) -> bool:
        return bool(tests_of(_project))

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("ListeningPane", "Listening")

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return tuple(card for card in (self.ears, *self.rated) if not card.isHidden())

    def as_text(self) -> str:
        return "\n\n".join(filter(None, (self.panels.grid.as_text(), self.ratings.grid.as_text())))

    def forget(self) -> None:
        self._when_visible.refresh_now()

    def _card(self, heading: str, *widgets: QWidget) -> Card:
        card = Card()
        card.body.addWidget(label(heading, "heading"))
        for widget in widgets:
            card.body.addWidget(widget)
        return card

    def _choose(self, test: str) -> None:
        self._show()
        self.chooser.setCurrentIndex(max(0, self.chooser.findData(test)))
        self._show()

    def _show(self) -> None:
        studies = {one.test: one for one in self._results.studies}
        chosen = self.chooser.currentData()
        with QSignalBlocker(self.chooser):
            self.chooser.clear()
            for test, one in studies.items():
                self.chooser.addItem(visible(one.title), test)
            self.chooser.setCurrentIndex(max(0, self.chooser.findData(chosen)))
        self.chooser.setVisible(len(studies) > 1)
        study = studies.get(self.chooser.currentData())
        for card in (self.ears, *self.rated):
            card.show_study(study)
        self.listeners.show_study(study)
        self.made_card.setVisible(study is not None)
        self.panels_card.setVisible(bool(study and study.values["panels"]))
        self.ratings_card.setVisible(bool(study and study.values["ratings"]))
        self.panels.show_table(panel_table(study.values) if study else None)
        self.ratings.show_table(rating_table(study.values) if study else None)
        made = how_made(study.values) if study else ()
        tell(self.made, self.tr("How the test was made"), visible_sentence(" ".join(made), _LONGEST))
        remarks = [sentence_as_said(one, "listening") for one in study.values["told"]] if study else ()
        sentences = "\n".join(visible_sentence(one, _LONGEST) for one in remarks)
        tell(self.told, self.tr("Remarks"), sentences)
