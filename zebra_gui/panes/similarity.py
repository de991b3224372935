"""The similarity pane: how alike voices are before and under safeguards, as matrices, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QComboBox,
    QFrame,
    QScrollArea,
    QToolButton,
    QWidget,
)

from zebra_core.figures.export import zebra_stem
from zebra_core.figures.similarity import matrix_figure, mosaic_figure
from zebra_core.metrics.similarity import SETTINGS
from zebra_core.project.items import Item, SimilarityEntry
from zebra_core.speakers.order import SpeakerOrder
from zebra_core.wording.texts import visible_sentence
from zebra_gui.panes import similarity_facts
from zebra_gui.panes.pane import FigureCard, MakeFigure, Pane
from zebra_gui.plots.cells import CellsView
from zebra_gui.session.session import Session
from zebra_gui.tables.rows import FactGrid
from zebra_gui.widgets.layouts import ElidedLabel, Flow, choice_box, in_column, label, shown_name, tell

MOSAIC = "mosaic"
MOST_BESIDE = 9  # safeguards: more tables would be too small to be read

_QUICK = 120  # speakers: beyond, putting them in order takes a job
_SIDE_WIDTH, _SIDE_HEIGHT = 310, 225  # of the figures, beside the picture or below it
_LEAST_PICTURE = 430  # pixels either way that the figures leave to the picture
_LONGEST_REMARK = 1500
_UNLIMITED = 16777215  # of Qt


class SimilarityCard(FigureCard):
    """The mosaic of one safeguard, or one setting of all of them, with their figures."""

    view: CellsView

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, CellsView(), parent)
        self.shown = MOSAIC
        self._chosen_id: str | None = None
        self.heading.hide()  # the button that is down says it
        self.chooser = QButtonGroup(self)
        self._add_chooser()
        self.safeguard = choice_box(self.tr("Safeguard"))
        self.order = choice_box(self.tr("Order of the speakers"))
        self.ask = QToolButton()
        self.ask.setText(self.tr("How sure?"))
        self.ask.setToolTip(
            self.tr("Intervals over speakers, and what D_diag would show without any disclosure")
        )
        self.ask.setAccessibleDescription(self.ask.toolTip())
        self.ask.clicked.connect(self._on_ask)
        self.summary = ElidedLabel(parent=self)
        self.nothing = label(
            self.tr(
                "There are no similarity matrices yet. Drop score files of segments against segments, "
                "original and protected, together with the speaker map (utt2spk)."
            ),
            "quiet",
        )
        self.grid = FactGrid()
        self.grid.setAccessibleName(self.tr("Figures of the matrices"))
        self.remarks = label(tone="quiet")
        self.remarks.hide()
        self._lay_out()
        self.view.picked.connect(session.select_speaker)
        self.safeguard.activated.connect(self._on_safeguard)
        self.order.activated.connect(self.refresh)
        session.project_changed.connect(self._on_project_changed)
        session.selection_changed.connect(self._on_selection_changed)
        session.speaker_changed.connect(self._on_speaker_changed)
        self._on_project_changed()

    @property
    def entry(self) -> SimilarityEntry | None:
        """The safeguard that is shown: the selected one, or one like it, or the one chosen here."""
        by_id = {one.id: one for one in self._all()}
        shown = by_id.get(self._chosen_id or "") or similarity_like(self._all(), self.session.selected_item)
        return shown or next(iter(by_id.values()), None)

    @property
    def beside(self) -> tuple[SimilarityEntry, ...]:
        """The safeguards to be compared: those of the same dataset that are ticked, the shown one first."""
        entry = self.entry
        if entry is None:
            return ()
        others = (one for one in self._all() if one.dataset == entry.dataset and one.is_ticked)
        return (entry, *(one for one in others if one is not entry))[:MOST_BESIDE]

    @property
    def is_quick(self) -> bool:
        entry = self.entry
        return entry is None or len(entry.similarity.speakers) <= _QUICK

    def make_figure(self) -> MakeFigure | None:
        entry, order = self.entry, SpeakerOrder(self.order.currentData() or SpeakerOrder.NAME.value)
        if entry is None:
            return None
        sex = entry.similarity.sex
        if self.shown == MOSAIC:
            return partial(
                mosaic_figure, entry.similarity, entry.full_name, by=order, sex=sex, trust=entry.trust
            )
        named = [
            (one.full_name, one.similarity.matrices[self.shown])
            for one in self.beside
            if self.shown in one.similarity.matrices
        ]
        if not named:
            return None
        return partial(matrix_figure, named, self.shown, mean=entry.similarity.mean, by=order, sex=sex)

    def file_stem(self) -> str:
        name = self.entry.full_name if self.entry else ""
        return f"{zebra_stem(name)}-similarity" + ("" if self.shown == MOSAIC else f"-{self.shown}")

    def setting(self) -> str:
        return "" if self.shown == MOSAIC else self.shown

    def subjects(self) -> Sequence[Item]:
        return self._compared()

    def forget(self) -> None:
        super().forget()
        self._chosen_id = None
        self._on_project_changed()

    def choose(self, shown: str) -> None:
        """Show the mosaic, or one setting."""
        self.shown = shown
        self._show_facts()
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _all(self) -> tuple[SimilarityEntry, ...]:
        return self.session.project.similarities if self.session.project else ()

    def _add_chooser(self) -> None:
        texts = {MOSAIC: self.tr("Mosaic"), **{setting: setting.upper() for setting in SETTINGS}}
        for place, (shown, text) in enumerate(texts.items()):
            button = QToolButton()
            button.setText(text)
            button.setAccessibleName(self.tr("Picture: {title}").format(title=text))
            button.setCheckable(True)
            button.setChecked(shown == self.shown)
            button.clicked.connect(partial(self.choose, shown))
            self.chooser.addButton(button, place)
            self.head.insertWidget(place, button)
        self.head.insertStretch(len(texts), 1)

    def _lay_out(self) -> None:
        choices = Flow(across=10)
        for box in (self.safeguard, self.order):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(14)
            choices.addWidget(box)
        choices.addWidget(self.ask)
        self.body.insertLayout(1, choices)
        self.body.insertWidget(2, self.nothing)
        self.body.insertWidget(3, self.summary)
        self._side = QWidget()
        inside = QWidget()
        inside.setProperty("look", "scrolled")
        in_column(self.grid, self.remarks, 1, on=inside, margins=(8, 4, 4, 4), spacing=12)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Figures and remarks"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        in_column(scroll, on=self._side, margins=0)
        self._split = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.body.removeWidget(self.view)
        self._split.addWidget(self.view, 1)
        self._split.addWidget(self._side)
        self.body.addLayout(self._split, 1)

    def _arrange(self) -> None:
        """The figures where they leave the picture the most room: beside it, below it, or nowhere."""
        side = max(_SIDE_WIDTH, self.grid.sizeHint().width() + 40)
        beside = min(self.width() - side, self.height())
        below = min(self.width(), self.height() - _SIDE_HEIGHT)
        self._side.setVisible(self.entry is not None and max(beside, below) >= _LEAST_PICTURE)
        is_beside = beside >= below
        directions = QBoxLayout.Direction
        self._split.setDirection(directions.LeftToRight if is_beside else directions.TopToBottom)
        self._side.setMinimumSize(side if is_beside else 0, 0 if is_beside else _SIDE_HEIGHT)
        self._side.setMaximumSize(
            side if is_beside else _UNLIMITED, _UNLIMITED if is_beside else _SIDE_HEIGHT
        )

    def _on_project_changed(self) -> None:
        self._show_choices()
        self._show_facts()
        self.refresh()

    def _on_selection_changed(self) -> None:
        """Follow the selection, if it has matrices; it takes the place of what was chosen here."""
        entry = similarity_like(self._all(), self.session.selected_item)
        if entry is not None and entry.id != self._chosen_id:
            self._chosen_id = entry.id
            self._on_project_changed()

    def _on_speaker_changed(self) -> None:
        self.view.emphasise(self.session.speaker)

    def _on_safeguard(self) -> None:
        self._chosen_id = self.safeguard.currentData()
        self._show_facts()
        self.refresh()

    def _on_ask(self) -> None:
        self.session.intervals.measure(*(one for one in self._compared() if one.trust is None))

    def _compared(self) -> tuple[SimilarityEntry, ...]:
        """The safeguards whose figures are shown."""
        entry = self.entry
        return self.beside if entry is None or self.shown != MOSAIC else (entry,)

    def _show_choices(self) -> None:
        entries, entry = self._all(), self.entry
        self.safeguard.clear()
        for one in entries:
            name = f"{one.full_name} · {one.own_dataset}" if one.dataset else one.full_name
            self.safeguard.addItem(shown_name(name), one.id)
        self.safeguard.setCurrentIndex(self.safeguard.findData(entry.id) if entry else -1)
        for widget in (self.safeguard, self.order, self.summary, self.view):
            widget.setVisible(entry is not None)
        for button in self.chooser.buttons():
            button.setVisible(entry is not None)
        self.nothing.setVisible(entry is None)
        if entry is None:
            self.ask.hide()
        self._arrange()

    def _show_facts(self) -> None:
        entry = self.entry
        if entry is None:
            self.summary.show_text("")
            self.grid.forget()
            self.remarks.setText("")
            return
        self._show_orders(entry)
        for place, setting in enumerate(SETTINGS, start=1):
            self.chooser.button(place).setEnabled(any(setting in e.similarity.matrices for e in self.beside))
        self.summary.show_text(similarity_facts.summary(entry))
        compared = self._compared()
        self.ask.setVisible(any(one.trust is None for one in compared))
        rows = similarity_facts.rows(compared)
        self.grid.show_table(
            similarity_facts.headings(compared),
            [(row.name, *row.values) for row in rows],
            [row.meaning for row in rows],
        )
        self._arrange()
        remarks = [visible_sentence(str(remark), _LONGEST_REMARK) for remark in entry.remarks]
        said = "\n\n".join(filter(None, [similarity_facts.trust_in_words(entry), *remarks]))
        tell(self.remarks, self.tr("Remarks"), said)
        self.remarks.setVisible(bool(said))
        self.remarks.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def _show_orders(self, entry: SimilarityEntry) -> None:
        """The orders that there can be: by sex only where it is known."""
        chosen = self.order.currentData()
        self.order.offer(
            (text, order.value)
            for order, text in _order_texts().items()
            if order is not SpeakerOrder.SEX or entry.similarity.sex
        )
        self.order.show_value(chosen)


class SimilarityPane(Pane):
    """Voice similarity matrices."""

    topic = "similarity"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.card = SimilarityCard(session)
        in_column(self.card, on=self, margins=2)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("SimilarityPane", "Similarity")

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return (self.card,)

    def as_text(self) -> str:
        return self.card.grid.as_text() if self.card.entry else ""


def similarity_like(entries: Sequence[SimilarityEntry], selected: Item | None) -> SimilarityEntry | None:
    """The selected matrices, or those of the selected safeguard on the same dataset, or on any."""
    if selected is None:
        return None
    same = [one for one in entries if one.id == selected.id]
    named = [one for one in entries if one.name == selected.name]
    near = [one for one in named if (one.dataset, one.run) == (selected.dataset, selected.run)]
    return next(iter((*same, *near, *named)), None)


def _order_texts() -> dict[SpeakerOrder, str]:
    translate = QCoreApplication.translate
    return {
        SpeakerOrder.NAME: translate("SimilarityCard", "By name"),
        SpeakerOrder.SEX: translate("SimilarityCard", "By sex"),
        SpeakerOrder.SELF_SIMILARITY: translate("SimilarityCard", "By self-similarity"),
        SpeakerOrder.CLUSTER: translate("SimilarityCard", "By clusters"),
    }
