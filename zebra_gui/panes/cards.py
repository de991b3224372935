"""The cards of the overview: one figure each, in large print, with what it means."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from zebra_core.figures.palette import tag_colour
from zebra_core.metrics.reading import reading_in_words, shown_tag
from zebra_core.project.items import Entry
from zebra_core.uncertainty.ceiling import ceiling_of
from zebra_gui.panes import facts
from zebra_gui.panes.pane import Card
from zebra_gui.widgets.badge import TagBadge
from zebra_gui.widgets.plain import label, tooltip


class NumberCard(Card):
    """A name, a number in large print, and what it means; a badge may stand before the number."""

    def __init__(self, badge: TagBadge | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._badge = badge
        self.name = label(tone="quiet")
        self.number = label(tone="number")
        self.number.setWordWrap(False)
        self.meaning = label(tone="quiet")
        for text in (self.name, self.number, self.meaning):
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line = QHBoxLayout()
        line.setSpacing(10)
        if badge:
            line.addWidget(badge)
        line.addWidget(self.number, 1)
        self.body.addWidget(self.name)
        self.body.addLayout(line)
        self.body.addWidget(self.meaning)
        self.body.addStretch(1)

    def show_fact(self, fact: facts.Fact) -> None:
        """Show this figure."""
        self.name.setText(fact.name)
        self.number.setText(fact.value)
        self.meaning.setText(fact.meaning)


class WorstCaseCard(NumberCard):
    """The worst case with its badge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.badge = TagBadge(40)
        super().__init__(self.badge, parent)

    def show_entry(self, entry: Entry) -> None:
        """Show the worst case of this entry."""
        found = entry.assessment
        chance = entry.trust.on_the_tag if entry.trust else ""
        self.badge.show_tag(shown_tag(found), tag_colour(found.settings.tag_scale, found.reading_tag), chance)
        words = next(tag.words for tag in found.settings.tag_scale.tags if tag.letter == found.tag)
        ceiling = ceiling_of(found)
        lines = [reading_in_words(found), words, ceiling.badge(), ceiling.sentence(), chance]
        self.badge.setToolTip(tooltip("\n".join(filter(None, lines))))
        self.meaning.setToolTip(tooltip(ceiling.sentence()))
        self.show_fact(facts.worst_case(entry))


class PopulationCard(NumberCard):
    """The population disclosure."""

    def show_entry(self, entry: Entry) -> None:
        """Show the population disclosure of this entry."""
        self.show_fact(facts.population(entry))


class ConventionalCard(Card):
    """The figures of the recogniser itself, in small print."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(3)
        self._cells: dict[str, _Cell] = {}
        self._columns = 3
        self.body.addLayout(self._grid)
        self.body.addStretch(1)

    def show_entry(self, entry: Entry) -> None:
        """Show the conventional figures of this entry."""
        for fact in facts.conventional(entry):
            if fact.name not in self._cells:
                self._cells[fact.name] = _Cell()
            self._cells[fact.name].show_fact(fact)
        self.arrange(self._columns)

    def arrange(self, columns: int) -> None:
        """Put the figures into so many columns."""
        self._columns = columns
        for place, cell in enumerate(self._cells.values()):
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._name)
        layout.addWidget(self._value)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_fact(self, fact: facts.Fact) -> None:
        self._name.setText(fact.name)
        self._value.setText(fact.value)
        self.setToolTip(tooltip(fact.meaning))
