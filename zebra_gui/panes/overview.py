"""The overview: the badge and the figures of the selected assessment, its remarks, and the picture.

The remarks of the overview, with what the user may decide about them.

The cards of the overview: one figure each, in large print, with what it means.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QItemSelectionModel, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from zebra_core.evidence.audit import Decision, Remark, Severity
from zebra_core.figures.figure import tag_colour
from zebra_core.metrics.assessment import (
    NEVER_NEGATIVE,
    REVERSED_DISCLOSES_MORE,
    EvidenceReading,
    ScoreMeaning,
    reading_in_words,
)
from zebra_core.project.comparison.comparison import REPEATED, remarks_on_attacks
from zebra_core.project.items import (
    Entry,
    name_with_dataset,
    says_nothing_in_words,
    tag_in_words,
    tag_is_open,
)
from zebra_core.project.project import Project
from zebra_core.uncertainty.no_disclosure import ceiling_of
from zebra_core.wording.texts import say, visible_sentence
from zebra_gui.jobs.jobs import Urgency
from zebra_gui.panes import facts
from zebra_gui.panes.pane import AnyFigure, Card, EceCard, FigureCard, Pane, PictureCard
from zebra_gui.panes.pictures import LADDER, SCALE, PictureKind
from zebra_gui.session import work
from zebra_gui.session.findings import StudiedComparisons
from zebra_gui.session.session import Session
from zebra_gui.widgets.audit_view import sentence
from zebra_gui.widgets.badge import TagBadge
from zebra_gui.widgets.layouts import (
    ElidedLabel,
    FitsRoom,
    SentenceList,
    WhenVisible,
    clear,
    in_column,
    in_row,
    label,
    shown_name,
    tell,
    tooltip,
)
from zebra_gui.widgets.theme import with_text

_BESIDE = 24  # pixels: the margins of the page and its scroll bar
_GAP = 10
_ROOM_FOR_TWO = 450  # pixels beside one another, with text in its normal size
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


class OverviewPane(FitsRoom, Pane):
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
        self._arrangement: tuple[bool, int, int] | None = None  # three in a row, columns of small print, wide
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

        self.arrange()
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
        self.arrange()

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
        """Who is most exposed by this attack, where that is known; else where to find out.

        Nothing where the scores disclose more when read otherwise: people are judged as these are given.
        """
        entry = self.session.selected_at_prior
        self.person.setVisible(entry is not None and entry.assessment.reading is EvidenceReading.GIVEN)
        study = self.session.speaker_studies.known(StudiedComparisons(entry)) if entry else None
        unknown = self.tr("To see who is most exposed, and by how much, open People.")
        told = str(study.most_exposed) if study and study.most_exposed else ""
        text = self.tr("By this attack alone: {told}").format(told=told) if told else unknown
        tell(self.person, self.tr("The most exposed person"), text)

    def arrange(self) -> None:
        """The three cards in one row, the small print below where there is no room for it, or one by one.

        What room they need depends on their figures: one with its interval is as wide as two without.
        """
        room = self.width() - _BESIDE
        large = [card.minimumSizeHint().width() for card in (self.worst_case, self.population)]
        third = self.conventional.least_width(_COLUMNS_IN_A_THIRD)
        three = sum(large) + third + 2 * _GAP <= room
        columns = _COLUMNS_IN_A_THIRD if three else self.conventional.columns_in(room, _MOST_COLUMNS)
        wide = 1 if room >= with_text(_ROOM_FOR_TWO, self) else 2  # columns that a large card takes
        if (three, columns, wide) == self._arrangement:
            return
        self._arrangement = three, columns, wide
        self._cards.addWidget(self.worst_case, 0, 0, 1, wide)
        self._cards.addWidget(self.population, wide - 1, 2 - wide, 1, wide)
        self._cards.addWidget(self.conventional, 0 if three else 2, 2 if three else 0, 1, 1 if three else 2)
        self.conventional.arrange(columns)
        for column, stretch in enumerate((5, 5, 6 if three else 0)):
            self._cards.setColumnStretch(column, stretch)


_LONGEST = 2000
# By the code of the remark that tells of it; without any other decision there would be no figures.
_CAN_BE_TAKEN_BACK = {
    "lower-is-more-alike": Decision.LOWER_IS_MORE_ALIKE,
    "self-kept": Decision.SELF_COMPARISONS,
    "likelihood-ratios": Decision.LIKELIHOOD_RATIOS,
    "stand-ins-left-out": Decision.STAND_IN_SCORES,
}


def _offers(entry: Entry | None) -> Mapping[str, Collection[Decision]]:
    """What can be decided, by the code of the remark: as the audit has it, or to turn the scores round."""
    if entry is None or entry.audit is None:
        return {}
    offers: dict[str, Collection[Decision]] = {one.code: one.lifted_by for one in entry.audit.findings}
    if Decision.LOWER_IS_MORE_ALIKE not in entry.audit.decisions:
        offers[REVERSED_DISCLOSES_MORE] = (Decision.LOWER_IS_MORE_ALIKE,)
    if Decision.LIKELIHOOD_RATIOS not in entry.audit.decisions:
        offers[NEVER_NEGATIVE] = (Decision.LIKELIHOOD_RATIOS,)
    return offers


class RemarksView(QWidget):
    """One remark a line; below it a button where a decision is offered, or can be taken back."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.buttons: dict[tuple[Decision, bool], QPushButton] = {}
        self.leave_out: QPushButton | None = None
        self._layout = in_column(on=self, margins=(4, 0, 4, 0), spacing=4)

    def show_entry(self, entry: Entry | None) -> None:
        """Show the remarks on this entry."""
        clear(self._layout)
        self.buttons, self.leave_out = {}, None
        remarks: tuple[Remark, ...] = ()
        if entry:
            on_attacks = remarks_on_attacks(self._session.entries)
            remarks = (*on_attacks.get(entry.id, ()), *entry.remarks)
        self.setVisible(bool(remarks))
        offers = _offers(entry)
        for remark in remarks:
            is_warning = remark.severity is Severity.WARNING
            sign = self.tr("!  Warning: ") if is_warning else "•  "
            text = label(sign + visible_sentence(str(remark), _LONGEST), "" if is_warning else "quiet")
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._layout.addWidget(text)
            if remark.code in REPEATED:
                self._add_leave_out(entry)
            for decision in offers.get(remark.code, ()):
                self._add_button(entry, decision, holds=True)
            if kept := _CAN_BE_TAKEN_BACK.get(remark.code):
                self._add_button(entry, kept, holds=False)

    def _add_leave_out(self, entry: Entry | None) -> None:
        if entry is None:
            return
        self.leave_out = QPushButton(self.tr("Leave this one out of the answer"))
        self.leave_out.clicked.connect(lambda: self._session.edits.tick([entry.id], is_ticked=False))
        self._layout.addWidget(self.leave_out, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_button(self, entry: Entry | None, decision: Decision, *, holds: bool) -> None:
        if entry is None or (decision, holds) in self.buttons:
            return
        words = sentence(decision) if holds else self.tr("Take this decision back")
        button = QPushButton(words)
        button.clicked.connect(lambda: self._session.reassessing.decide(entry.id, decision, holds=holds))
        self.buttons[decision, holds] = button
        self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


_PLOT_HEIGHT = 132  # pixels: one row with its axis, and the letters of the tags
_LEAST_WIDTH = 180


class HeadlineCard(PictureCard):
    """A figure in large print, its picture, what it means, and the rest behind *More*."""

    def __init__(
        self,
        session: Session,
        picture: PictureKind,
        badge: TagBadge | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, (picture,), parent)
        self.name, self.number, self.meaning = self.heading, label(tone="number"), label(tone="quiet")
        self.more = QToolButton()
        self.details = label(tone="quiet")
        for text in (self.number, self.meaning, self.details):
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.view.shows_whole_legend = True
        self.view.plot.setMinimumWidth(_LEAST_WIDTH)
        self.view.plot.setFixedHeight(_PLOT_HEIGHT)
        line = in_row(spacing=10)
        if badge:
            line.addWidget(badge)
        line.addWidget(self.number, 1)
        self.more.setText(self.tr("More"))
        self.more.setCheckable(True)
        self.more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.more.toggled.connect(self._on_more)
        self.body.insertLayout(1, line)
        self.body.insertWidget(2, self.meaning)
        self.body.setStretchFactor(self.view, 0)
        self.body.addWidget(self.more)
        self.body.addWidget(self.details)
        self.body.addStretch(1)
        self._on_more(False)

    def show_fact(self, fact: facts.Fact) -> None:
        """Show this figure."""
        self.name.show_text(fact.name)
        self.more.setAccessibleName(self.tr("More about: {name}").format(name=fact.name))
        # Where there is too little room the interval goes to the next line as a whole.
        self.number.setText(fact.value.replace(" … ", "\u00a0…\u00a0").replace(") ", ")\u00a0"))
        self.meaning.setText(fact.meaning)
        self.meaning.setVisible(bool(fact.meaning))
        self.meaning.setAccessibleName("" if fact.meaning else fact.name)  # its text, where it has one
        self.details.setText(fact.more)

    def _show_figure(self, figure: AnyFigure) -> None:
        name = self.name.whole_text  # the card says in large print what is the title elsewhere
        super()._show_figure(figure)
        self.name.show_text(name)

    def _on_more(self, is_wanted: bool) -> None:
        self.details.setVisible(is_wanted)
        onwards = Qt.ArrowType.LeftArrow if self.isRightToLeft() else Qt.ArrowType.RightArrow
        self.more.setArrowType(Qt.ArrowType.DownArrow if is_wanted else onwards)

    def forget(self) -> None:
        super().forget()
        self.show_fact(facts.Fact("", "", ""))


class WorstCaseCard(HeadlineCard):
    """The worst case with its badge, on the ladder of tags."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self.badge = TagBadge(40)
        super().__init__(session, LADDER, self.badge, parent)

    def show_entry(self, entry: Entry) -> None:
        """Show the worst case of this entry."""
        found = entry.assessment
        chance = entry.trust.on_the_tag if entry.trust else ""
        colour = tag_colour(found.settings.tag_scale, found.reading_tag)
        self.badge.show_tag(tag_in_words(entry), colour, chance, is_open=tag_is_open(entry))
        words = found.settings.tag_scale.words_of(found.reading_tag)
        ceiling = ceiling_of(found)
        of_tag = [words, ceiling.badge(), ceiling.sentence(), chance]
        lines = [says_nothing_in_words(entry), reading_in_words(found), *of_tag]
        self.badge.setToolTip(tooltip("\n".join(filter(None, lines))))
        self.show_fact(facts.worst_case(entry))


class PopulationCard(HeadlineCard):
    """The population disclosure, on the scale from none to full."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, SCALE, parent=parent)
        self._intervals = session.intervals

    def show_entry(self, entry: Entry) -> None:
        """Show the population disclosure of this entry."""
        self.show_fact(facts.population(entry, is_measuring=self._intervals.is_measuring))


class ConventionalCard(Card):
    """The figures of the recogniser itself, in small print."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(3)
        self._cells: list[_Cell] = []
        self._columns = 3
        self.body.addLayout(self._grid)
        self.body.addStretch(1)

    def show_entry(self, entry: Entry) -> None:
        """Show the conventional figures of this entry."""
        shown = facts.conventional(entry)
        self._cells += [_Cell() for _ in shown[len(self._cells) :]]
        for cell, fact in zip(self._cells, shown, strict=True):
            cell.show_fact(fact)
        self.arrange(self._columns)

    def least_width(self, columns: int) -> int:
        """The width in pixels that it needs with so many columns."""
        widths = [cell.minimumSizeHint().width() for cell in self._cells]
        widest = [max(widths[column::columns], default=0) for column in range(columns)]
        edges = self.body.contentsMargins()
        between = self._grid.horizontalSpacing() * (columns - 1)
        return sum(widest) + between + edges.left() + edges.right() + 2

    def columns_in(self, width: int, most: int) -> int:
        """How many columns there is room for, at least one and at most so many."""
        return next((count for count in range(most, 1, -1) if self.least_width(count) <= width), 1)

    def forget(self) -> None:
        """Show no figures."""
        for cell in self._cells:
            cell.show_fact(facts.Fact("", "", ""))

    def arrange(self, columns: int) -> None:
        """Put the figures into so many columns."""
        self._columns = columns
        for place, cell in enumerate(self._cells):
            self._grid.addWidget(cell, place // columns, place % columns)


class _Cell(QWidget):
    """One conventional figure: its name quietly, its value beside it."""

    def __init__(self) -> None:
        super().__init__()
        self._name = label(tone="quiet")
        self._value = label(tone="subheading")
        for text in (self._name, self._value):
            text.setWordWrap(False)
        self._value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        in_column(self._name, self._value, on=self, margins=0, spacing=0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_fact(self, fact: facts.Fact) -> None:
        self._name.setText(fact.name)
        self._value.setText(fact.value)
        self.setToolTip(tooltip(fact.meaning))


# Is this assessment to be trusted? The check list of the project, and what leaving out speakers does.


_CHECKS_LONGEST = 1500
_MOST_ROWS = 12


class ChecksCard(QWidget):
    """Every check in a line, with its sign, its outcome in words and its figures; gone without a project."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._told: tuple[str, ...] = ()
        self._asked_for: Project | None = None
        self.heading = label(say("check.title"), "heading")
        self.list = SentenceList(say("check.title"), _MOST_ROWS)
        self.leave_out = QPushButton(self.tr("Check stability by leaving speakers out"))
        self.leave_out.setToolTip(
            self.tr("Leave out each speaker, each tenth and each sex: how far do the figures move?")
        )
        self.leave_out.setAutoDefault(False)
        in_column(
            self.heading,
            self.list,
            (self.leave_out, 0, Qt.AlignmentFlag.AlignLeft),
            on=self,
            margins=(4, 0, 4, 0),
            spacing=6,
        )
        self.leave_out.clicked.connect(self._on_leave_out)
        self._when_visible = WhenVisible(self.list, self._ask, only_visible=True)
        session.project_changed.connect(self._on_project_changed)
        session.left.connect(self.forget)
        self.hide()

    def forget(self) -> None:
        """Nothing of another project stays."""
        self._asked_for = None
        self._show(())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.fit()

    def _on_project_changed(self) -> None:
        self.setVisible(bool(self._session.entries))
        self._when_visible.refresh()

    def _ask(self) -> None:
        project = self._session.project
        if project is None or not project.entries:
            self._show(())
        elif project is not self._asked_for:
            self._asked_for = project
            name = self.tr("Going through the check list")
            job = self._session.start_work(
                name, work.check_list, project, supersedes="check list", urgency=Urgency.SEEN
            )
            job.done.connect(self._show)

    def _show(self, sentences: Sequence[str]) -> None:
        self.setVisible(bool(self._session.entries))
        if tuple(sentences) == self._told:
            return
        self._told, row = tuple(sentences), self.list.currentRow()
        self.list.clear()
        self.list.addItems([visible_sentence(each, _CHECKS_LONGEST) for each in sentences])
        if sentences:
            begin = min(max(row, 0), len(sentences) - 1)  # for the keyboard: nobody chose it
            self.list.setCurrentRow(begin, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.list.fit()

    def _on_leave_out(self) -> None:
        if (project := self._session.project) is not None:
            name = self.tr("Leaving out speakers")
            job = self._session.start_work(name, work.with_robustness, project, supersedes="left out")
            job.done.connect(partial(self._on_left_out, project))

    def _on_left_out(self, asked: Project, found: tuple[Project, tuple[str, ...]]) -> None:
        measured, faults = found
        for fault in faults:
            self._session.report_problem(fault)
        if (project := self._session.project) is not None and measured.robustness != asked.robustness:
            changed = replace(project, robustness=measured.robustness)
            self._session.change(self.tr("leaving out speakers"), changed)
