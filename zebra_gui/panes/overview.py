"""The overview: the badge and the figures of the selected assessment, its remarks, and the picture."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QMenu,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from zebra_core.metrics.assessment import EvidenceReading, ScoreMeaning
from zebra_core.project.headline import says_nothing_in_words
from zebra_core.project.items import name_with_dataset
from zebra_gui.panes.cards import ConventionalCard, PopulationCard, WorstCaseCard
from zebra_gui.panes.checks import ChecksCard
from zebra_gui.panes.ece import EceCard
from zebra_gui.panes.pane import FigureCard, Pane
from zebra_gui.panes.remarks import RemarksView
from zebra_gui.session.session import Session
from zebra_gui.session.speaker_studies import StudiedComparisons
from zebra_gui.widgets.layouts import in_column, in_row
from zebra_gui.widgets.plain import ElidedLabel, label, shown_name, tell
from zebra_gui.widgets.when_visible import WhenVisible

_BESIDE = 24  # pixels: the margins of the page and its scroll bar
_GAP = 10
_MOST_COLUMNS, _COLUMNS_IN_A_THIRD = 5, 3  # of small print


class MeaningButton(QToolButton):
    """Lets the user say that the scores of the selected entry are LLRs; gone once that was said."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setText(self.tr("These scores are LLRs…"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        for text, meaning in (
            (self.tr("with the &natural logarithm"), ScoreMeaning.NATURAL_LLR),
            (self.tr("to &base 10"), ScoreMeaning.LOG10_LR),
        ):
            menu.addAction(text).triggered.connect(partial(self._on_chosen, meaning))
        self.setMenu(menu)
        session.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        entry = self._session.selected
        self.setVisible(entry is not None and entry.assessment.settings.score_meaning is ScoreMeaning.RAW)

    def _on_chosen(self, meaning: ScoreMeaning) -> None:
        if (entry := self._session.selected) is not None:
            self._session.reassessing.declare([entry.id], meaning)


class OverviewPane(Pane):
    """What matters most about the selected entry, on one page."""

    topic = "overview"
    follows_prior = True

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.heading = ElidedLabel("heading")
        self.worst_case = WorstCaseCard(session)
        self.population = PopulationCard(session)
        self.conventional = ConventionalCard()
        self.too_small = label(tone="warning")
        self.person = label(tone="quiet")
        self.remarks = RemarksView(session)
        self.meaning = MeaningButton(session)
        self.checks = ChecksCard(session)
        self._figure = EceCard(session)
        self._figure.setMinimumHeight(385)

        self._cards = QGridLayout()
        self._cards.setSpacing(_GAP)
        self.said = QWidget()
        in_row((self.remarks, 1), (self.meaning, 0, Qt.AlignmentFlag.AlignTop), on=self.said, margins=0)
        self._arrangement: tuple[bool, int] | None = None  # three cards in a row, columns of small print
        self._page = QWidget()
        self._page.setProperty("look", "scrolled")
        layout = in_column(
            self.heading, self.too_small, self.person, self._cards, on=self._page, margins=2, spacing=10
        )
        layout.addWidget(self.said)
        layout.addWidget(self._figure, 1)
        layout.addWidget(self.checks)

        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Overview"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._page)
        in_column(scroll, on=self, margins=0)

        self._arrange()
        self._when_visible = WhenVisible(self._page, self._show_selected)
        session.changed.connect(self._when_visible.refresh)
        session.prior_changed.connect(self._when_visible.refresh)
        session.intervals.advanced.connect(self._show_population)
        session.speaker_studies.found.connect(self._show_person)
        self._show_selected()

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("OverviewPane", "Overview")

    def forget(self) -> None:
        self._when_visible.refresh_now()

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return self._figure, self.worst_case, self.population

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _show_selected(self) -> None:
        entry = self.session.selected_at_prior
        for card in (self.worst_case, self.population, self.conventional):
            card.setVisible(entry is not None)
            if entry is not None:
                card.show_entry(entry)
            else:
                card.forget()
        self.heading.setVisible(entry is not None)
        self.heading.show_text(shown_name(name_with_dataset(entry)) if entry is not None else "")
        nothing = says_nothing_in_words(entry) if entry is not None else ""
        self.too_small.setVisible(bool(nothing))
        self.too_small.setText(nothing)
        self._show_person()
        self.remarks.show_entry(entry)
        self._put_remarks()
        self._arrange()

    def _show_population(self) -> None:
        """The population disclosure says whether its interval is being computed."""
        if (entry := self.session.selected_at_prior) is not None:
            self.population.show_entry(entry)

    def _put_remarks(self) -> None:
        """What is to be decided stands above the figures that hang on it, all other remarks below them."""
        page = self._page.layout()
        assert isinstance(page, QVBoxLayout)  # noqa: S101 - it is laid out in one column
        page.removeWidget(self.said)
        page.insertWidget(page.indexOf(self._cards) + (0 if self.remarks.buttons else 1), self.said)

    def _show_person(self) -> None:
        """Who is most exposed, where that is known; else where to find out.

        Nothing where the scores disclose more when read otherwise: people are judged as these are given.
        """
        entry = self.session.selected_at_prior
        self.person.setVisible(entry is not None and entry.assessment.reading is EvidenceReading.GIVEN)
        study = self.session.speaker_studies.known(StudiedComparisons(entry)) if entry else None
        unknown = self.tr("To see who is most exposed, and by how much, open People.")
        text = study.disclosures.highest if study and len(study.disclosures) else unknown
        tell(self.person, self.tr("The most exposed person"), text)

    def _arrange(self) -> None:
        """The three cards in one row, or the small print below where there is no room for it.

        What room they need depends on their figures: one with its interval is as wide as two without.
        """
        room = self.width() - _BESIDE
        large = [card.minimumSizeHint().width() for card in (self.worst_case, self.population)]
        third = self.conventional.least_width(_COLUMNS_IN_A_THIRD)
        three = sum(large) + third + 2 * _GAP <= room
        columns = _COLUMNS_IN_A_THIRD if three else self.conventional.columns_in(room, _MOST_COLUMNS)
        if (three, columns) == self._arrangement:
            return
        self._arrangement = three, columns
        self._cards.addWidget(self.worst_case, 0, 0)
        self._cards.addWidget(self.population, 0, 1)
        self._cards.addWidget(self.conventional, 0 if three else 1, 2 if three else 0, 1, 1 if three else 2)
        self.conventional.arrange(columns)
        for column, stretch in enumerate((5, 5, 6 if three else 0)):
            self._cards.setColumnStretch(column, stretch)
