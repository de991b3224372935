"""The cards of the overview: one figure each, in large print, with what it means."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QWidget

from zebra_core.figures.palette import tag_colour
from zebra_core.metrics.reading import reading_in_words
from zebra_core.project.headline import says_nothing_in_words, tag_in_words, tag_is_open
from zebra_core.project.items import Entry
from zebra_core.uncertainty.ceiling import ceiling_of
from zebra_core.wording.texts import as_said
from zebra_gui.panes import facts
from zebra_gui.panes.pane import AnyFigure, Card
from zebra_gui.panes.picture import PictureCard
from zebra_gui.panes.pictures import LADDER, SCALE, PictureKind
from zebra_gui.session.session import Session
from zebra_gui.widgets.badge import TagBadge
from zebra_gui.widgets.layouts import in_column, in_row
from zebra_gui.widgets.plain import label, tooltip

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
        words = next(tag.words for tag in found.settings.tag_scale.tags if tag.letter == found.reading_tag)
        ceiling = ceiling_of(found)
        of_tag = [as_said(words, "tag"), ceiling.badge(), ceiling.sentence(), chance]
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
