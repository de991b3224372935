"""The certainty pane: how sure figures are, and below it whether safeguards really differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from zebra_core.figures.uncertainty import convergence_so_far
from zebra_core.project.comparison.row import ComparisonGroup
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.report.pairs import Pair, group_of, heads, pairs_of, rests_on
from zebra_core.report.tables import pairs_table, tab_separated
from zebra_core.wording.texts import say
from zebra_gui.models.evidence import Index
from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.panes.pane import (
    AnyFigure,
    Card,
    ChoosingCard,
    FigureCard,
    MakeFigure,
    Pane,
    make_room,
    scrolled,
)
from zebra_gui.panes.pictures import CONVERGENCE, INDIVIDUAL, NULL, POPULATION, PictureKind
from zebra_gui.session.session import Session
from zebra_gui.tables.rows import CopiedTable, RowsTable
from zebra_gui.widgets.layouts import ElidedLabel, choice_box, in_column, in_row, label

_SHARES = [1400, 1000]  # of the height; without pairs their card takes no more than its words need


class CertaintyPane(Pane):
    """Intervals and the line of no disclosure as pictures; pairs of safeguards as a table."""

    topic = "certainty"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self._has_pairs: bool | None = None
        self.card = CertaintyCard(session)
        self.ask = QPushButton(self.tr("How sure are all of them?"))
        self.ask.clicked.connect(session.intervals.measure_all)
        self.differences = DifferencesCard(session)
        self.stop = QPushButton(self.tr("Stop here"))
        self.stop.setToolTip(self.tr("Stop drawing; the intervals from the draws so far are kept."))
        self.stop.clicked.connect(session.intervals.stop)
        for button in (self.ask, self.stop):
            self.card.choices.addWidget(button)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.card)
        self._splitter.addWidget(self.differences)
        in_column(self._splitter, on=self, margins=2)
        session.project_changed.connect(self._show_project)
        session.intervals.advanced.connect(self._show_project)
        self._show_project()

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("CertaintyPane", "Certainty")

    @property
    def subject(self) -> str:
        return self.card.picture.name

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return (self.card,)

    def as_text(self) -> str:
        return self.differences.table.as_text()

    def _show_project(self) -> None:
        is_measuring = self.session.intervals.is_measuring
        self.stop.setVisible(is_measuring)
        self.ask.setVisible(not is_measuring and any(entry.trust is None for entry in self.session.entries))
        has_pairs = bool(self.session.project and self.session.project.settled)
        if has_pairs is not self._has_pairs:  # else the heights that the user chose stay
            self._has_pairs = has_pairs
            self._splitter.setSizes(_SHARES)


class CertaintyCard(ChoosingCard):
    """Pictures that may have a line for every assessment.

    While speakers are drawn because somebody asked, it shows how the interval settles, and afterwards what it
    showed before, unless the user has chosen something meanwhile.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, (POPULATION, INDIVIDUAL, CONVERGENCE, NULL), parent)
        self._before: PictureKind | None = None
        self.body.removeWidget(self.view)
        self.body.addWidget(scrolled(self.view, self.tr("Picture")), 1)
        session.intervals.asked.connect(self._on_asked)
        session.intervals.advanced.connect(self._on_advanced)
        if session.intervals.is_asked:
            self._on_asked()
        self.refresh()

    def make_figure(self) -> MakeFigure | None:
        intervals, selected = self.session.intervals, self.session.selected
        is_unknown = selected is None or selected.trust is None
        if self.picture is CONVERGENCE and (intervals.is_asked or (intervals.is_measuring and is_unknown)):
            return partial(convergence_so_far, intervals.so_far, "d_ece_bits")
        return super().make_figure()

    def forget(self) -> None:
        super().forget()
        if self._before is not None:
            self.choose(self._before)

    def choose(self, picture: PictureKind) -> None:
        self._before = None
        super().choose(picture)

    def _on_asked(self) -> None:
        if self.picture is not CONVERGENCE:
            before = self.picture
            self.choose(CONVERGENCE)
            self._before = before

    def _on_advanced(self) -> None:
        if self._before is not None and not self.session.intervals.is_asked:
            self.choose(self._before)
        elif self.picture is CONVERGENCE:
            self.refresh()

    def _show_figure(self, figure: AnyFigure) -> None:
        super()._show_figure(figure)
        make_room(self.view, figure)


class DifferencesCard(Card):
    """The pairs of one group, each with its difference and whether it is settled."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._groups: list[ComparisonGroup] = []  # that were compared
        self.heading = ElidedLabel("heading")
        self.heading.setMinimumWidth(self.heading.fontMetrics().averageCharWidth() * 22)
        self.heading.show_text(self.tr("Are the differences real?"))
        self.group = choice_box(self.tr("Group that was compared"))
        self.group.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.group.setMinimumContentsLength(16)
        self.group.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.group.activated.connect(self._on_group_chosen)
        self.ask = QPushButton(self.tr("Test them"))
        self.ask.setAccessibleDescription(
            self.tr("Compares the safeguards of every group pair by pair on the same trials.")
        )
        self.ask.clicked.connect(session.intervals.settle_differences)
        self.table = PairsTable()
        self.note = label(tone="quiet")
        self.note.setWordWrap(True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        head = in_row((self.heading, 1), self.ask, spacing=8)
        self.body.addLayout(head)
        self.body.addWidget(self.group)
        self.body.addWidget(self.table, 1)
        self.body.addWidget(self.note)
        for signal in (session.project_changed, session.left, session.intervals.advanced):
            signal.connect(self._show_project)
        session.selection_changed.connect(self._follow)
        self._show_project()

    def _show_project(self) -> None:
        project, before = self._session.project, self.group.currentIndex()
        settled = project.settled if project else ()
        groups = [group_of(project, one) for one in settled] if project else []
        if groups != self._groups:
            self._groups = groups
            self.group.clear()
            self.group.addItems([str(group) for group in groups])
            self.group.setCurrentIndex(max(0, self._place_of_selected(before)))
        self.group.setVisible(len(settled) > 1)
        self.table.setVisible(bool(settled))
        # Before anybody asked, the room belongs to the picture.
        height = QSizePolicy.Policy.Expanding if settled else QSizePolicy.Policy.Maximum
        self.setSizePolicy(self.sizePolicy().horizontalPolicy(), height)
        self.ask.setEnabled(not self._session.intervals.is_settling)
        self.ask.setText(self.tr("Test them again") if settled else self.tr("Test them"))
        self._show_group()

    def _on_group_chosen(self, place: int) -> None:
        """Something of this group is selected, which table and picture follow alike."""
        first = next(
            (one for one in self._session.entries if ComparisonGroup.of(one) == self._groups[place]), None
        )
        if first is not None and self._place_of_selected(-1) != place:
            self._session.select(first.id)
        self._show_group()

    def _follow(self) -> None:
        place = self._place_of_selected(self.group.currentIndex())
        if place != self.group.currentIndex():
            self.group.setCurrentIndex(place)
            self._show_group()

    def _place_of_selected(self, otherwise: int) -> int:
        """The place of the group that the selected assessment is in, where it was compared."""
        selected = self._session.selected
        mine = ComparisonGroup.of(selected) if selected else None
        return self._groups.index(mine) if mine in self._groups else otherwise

    def _show_group(self) -> None:
        project = self._session.project
        settled = project.settled if project else ()
        place = self.group.currentIndex()
        if project is None or not 0 <= place < len(settled):
            self.table.clear()
            is_under_way = self._session.intervals.is_settling
            self.note.setText(say(f"certainty.differences-{'under-way' if is_under_way else 'not-asked'}"))
            return
        one: GroupDifferences = settled[place]
        self.table.show_pairs(group_of(project, one), pairs_of(project, one))
        self.note.setText(" ".join([rests_on(one), *map(str, one.remarks)]))


# The table of pairs: by how much two safeguards differ, and whether that is settled.


translate = QCoreApplication.translate


class PairsModel(RowsModel[Pair]):
    """A window onto a list of pairs, as they come."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((Column(head, _cell(n)) for n, head in enumerate(heads())), parent)

    def tip(self, row: Pair, column: int) -> str:
        return row.sentence

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.FontRole:
            return super().data(index, role)
        if not (index.isValid() and self._rows[index.row()].difference.is_settled):
            return None
        font = QFont()
        font.setBold(True)
        return font


def _cell(column: int) -> Callable[[Pair], str]:
    return lambda pair: pair.cells[column]


class PairsTable(RowsTable):
    """Shows a PairsModel; its rows are copied as text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("PairsTable", "Differences between pairs"), parent)
        self._group: ComparisonGroup | None = None
        self.pairs = PairsModel(self)
        self.setModel(self.pairs)
        head = self.horizontalHeader()
        head.setStretchLastSection(True)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The cells of all rows."""
        return [pair.cells for pair in self.pairs.rows]

    def as_text(self) -> str:
        """All rows as a spreadsheet takes them; empty where there are none."""
        return tab_separated(*pairs_table(self._group, self.pairs.rows)) if self._group else ""

    def copied(self) -> CopiedTable:
        """All rows, each of which says what its group is of."""
        if self._group is None:
            return (), ()
        heads, rows = pairs_table(self._group, self.pairs.rows)
        return heads, [rows]

    def show_pairs(self, group: ComparisonGroup, pairs: Sequence[Pair]) -> None:
        """Show these, which are of one group."""
        self._group = group
        self.pairs.put(pairs)

    def clear(self) -> None:
        """Show none."""
        self._group = None
        self.pairs.put(())
