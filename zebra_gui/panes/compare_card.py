"""The picture of the compare pane: one of several over the same rows, at the user's choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial

from PySide6.QtWidgets import QWidget

from zebra_core.figures import comparison as figures
from zebra_core.figures import tradeoff
from zebra_core.figures.export import zebra_stem
from zebra_core.figures.figure import Figure
from zebra_core.figures.readout import det_read_out, ece_read_out
from zebra_core.project.comparison.comparison import Comparison
from zebra_core.project.comparison.row import ComparisonRow
from zebra_core.project.items import Item
from zebra_core.utility.listening import RatingQuestion
from zebra_core.wording.texts import say
from zebra_gui.panes.pane import AnyFigure, FigureCard, MakeFigure
from zebra_gui.panes.tall import make_room, scrolled
from zebra_gui.plots.figure import FigureView, ReadOut
from zebra_gui.session.session import Session
from zebra_gui.widgets.plain import choice_box, label


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
        session.selection_changed.connect(self.refresh)

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
        return partial(_DRAW[self.picture], rows, selected_id)

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
