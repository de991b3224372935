"""A card that shows one of several pictures, with what can be chosen in it, and the pane around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QToolButton,
    QWidget,
)

from zebra_core.figures.histogram import OneSpeaker
from zebra_core.figures.llrs import ShownScores
from zebra_core.project.comparison.row import ComparisonGroup
from zebra_core.project.items import Item, name_with_dataset
from zebra_gui.panes.pane import AnyFigure, FigureCard, MakeFigure, Pane
from zebra_gui.panes.pictures import PictureKind, Subject, View
from zebra_gui.plots.figure import FigureView
from zebra_gui.plots.points import PointsView
from zebra_gui.session.session import Session
from zebra_gui.session.speaker_studies import StudiedComparisons
from zebra_gui.widgets.flow import Flow
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import choice_box
from zebra_gui.widgets.row_keys import RowKeys


class PictureCard(FigureCard):
    """Pictures of the session's entries, one at a time, with the selected entry emphasised."""

    view: FigureView

    def __init__(
        self, session: Session, pictures: Sequence[PictureKind], parent: QWidget | None = None
    ) -> None:
        super().__init__(session, _view_for(pictures), parent)
        self.pictures = tuple(pictures)
        self.picture = pictures[0]
        self._views = {picture.name: picture.first for picture in pictures}
        for signal in (session.changed, session.prior_changed):
            signal.connect(self.refresh)
        session.speaker_changed.connect(self._on_speaker)
        session.speaker_studies.found.connect(self._on_studied)

    @property
    def view_of_picture(self) -> View:
        """What the user wants to see of the picture."""
        return self._views[self.picture.name]

    @property
    def is_quick(self) -> bool:
        return self.picture.is_quick

    def make_figure(self) -> MakeFigure | None:
        if not self.session.shown_entries or self.picture.draw is None:
            return None
        return partial(self.picture.draw, self._subject(), self.view_of_picture)

    def file_stem(self) -> str:
        selected = self.session.selected
        return self.picture.file_stem(name_with_dataset(selected) if selected else "")

    def subjects(self) -> Sequence[Item]:
        if self.picture.is_of_selected and self.session.selected:
            return (self.session.selected,)
        return self._subject().entries

    def refresh(self) -> None:
        self.view.setVisible(bool(self.session.shown_entries))  # nothing ticked, nothing selected: no picture
        super().refresh()

    def choose(self, picture: PictureKind) -> None:
        """Show this picture."""
        self.picture = picture
        self.view.read_out = picture.read_out
        self.refresh()

    def look(self, **changes: object) -> None:
        """See more or less of the picture: see `View`."""
        self._views[self.picture.name] = replace(self.view_of_picture, **changes)  # type: ignore[arg-type]
        self.refresh()

    def _subject(self) -> Subject:
        view, session = self.view_of_picture, self.session
        prior = session.prior_log_odds if view.at_prior else session.prior_mark
        subject = Subject(session.shown_entries, session.selected, prior, self._speaker())
        return subject.narrowed(view)

    def _show_figure(self, figure: AnyFigure) -> None:
        super()._show_figure(figure)
        shown, every = len(self._subject().entries), len(self.session.shown_entries)
        if shown < every:
            some = self.tr("{title} · {shown} of {every}")
            self.heading.show_text(some.format(title=figure.title, shown=shown, every=every))

    def _speaker(self) -> OneSpeaker | None:
        """The speaker whose comparisons are marked, in the selected assessment, once its study is there."""
        name, selected = self.session.speaker, self.session.selected
        if not (self.picture.marks_speaker and name and selected):
            return None
        study = self.session.speaker_studies.of(StudiedComparisons(selected))
        return OneSpeaker(name, selected, study.single) if study and study.single else None

    def _on_speaker(self) -> None:
        if self.picture.marks_speaker:
            self.refresh()

    def _on_studied(self) -> None:
        if self.session.speaker:
            self._on_speaker()


class ChoosingCard(PictureCard):
    """A picture card with a button for each picture, and a row of choices below them."""

    def __init__(
        self, session: Session, pictures: Sequence[PictureKind], parent: QWidget | None = None
    ) -> None:
        super().__init__(session, pictures, parent)
        self.heading.hide()  # the button that is down says it
        self._parts: dict[str, QCheckBox] = {}
        self.chooser = QButtonGroup(self)
        buttons = Flow()
        for place, picture in enumerate(self.pictures):
            button = QToolButton()
            button.setText(picture.title)
            button.setAccessibleName(self.tr("Picture: {title}").format(title=picture.title))
            button.setCheckable(True)
            button.clicked.connect(partial(self.choose, picture))
            self.chooser.addButton(button, place)
            buttons.addWidget(button)
        self.head.insertLayout(0, buttons, 1)
        self.choices = Flow(across=14)
        self.shown = choice_box(self.tr("Values shown"))
        self.shown.activated.connect(self._on_shown)
        self.choices.addWidget(self.shown)
        for part, text in self._part_texts().items():
            self._parts[part] = QCheckBox(text)
            self._parts[part].clicked.connect(partial(self._on_part, part))
            self.choices.addWidget(self._parts[part])
        self._parts["only_group"].setToolTip(
            self.tr("Only the group of the selected assessment, with the unprotected speech of its dataset")
        )
        self._row_keys = RowKeys(tuple(self._parts.values()), self)
        self.body.insertLayout(1, self.choices)
        self._show_choices()

    def part(self, name: str) -> QCheckBox:
        """The box that shows and hides one part."""
        return self._parts[name]

    def refresh(self) -> None:
        self._show_group()
        super().refresh()

    def choose(self, picture: PictureKind) -> None:
        super().choose(picture)
        self._show_choices()
        self.chosen.emit()

    def _part_texts(self) -> Mapping[str, str]:
        return {
            "default": self.tr("Perfect privacy"),
            "minimum": self.tr("Minimum"),
            "actual": self.tr("Actual"),
            "bands": self.tr("Uncertainty"),
            "at_prior": self.tr("At the prior below"),
            "only_group": self.tr("One group"),
            "only_selected": self.tr("Selected only"),
        }

    def _show_choices(self) -> None:
        picture, view = self.picture, self.view_of_picture
        self.chooser.button(self.pictures.index(picture)).setChecked(True)
        self.shown.setVisible(bool(picture.shown))
        self.shown.offer((_title_of(shown), shown) for shown in picture.shown)
        self.shown.show_value(view.shown)
        for part, box in self._parts.items():
            is_for_all = part.startswith("only_") and picture.draw is not None
            box.setVisible(is_for_all or part in picture.parts)
            box.setChecked(bool(getattr(view, part)))
        self._show_group()

    def _show_group(self) -> None:
        """The choice of one group, where there are several; made here until the user makes it."""
        if box := self._parts.get("only_group"):
            entries, view = self.session.shown_entries, self.view_of_picture
            box.setVisible(self.picture.draw is not None and len(set(map(ComparisonGroup.of, entries))) > 1)
            box.setEnabled(not view.only_selected)
            box.setChecked(view.narrows_to_group(len(entries)))

    def _on_part(self, part: str) -> None:
        wanted = self._parts[part].isChecked()
        curves = [name for name in ("default", "minimum", "actual") if name in self.picture.parts]
        rest = [name for name in curves if name != part and getattr(self.view_of_picture, name)]
        if len(curves) > 1 and part in curves and not wanted and not rest:
            self._parts[part].setChecked(True)  # something must be seen
            return
        self.look(**{part: wanted})

    def _on_shown(self, _place: int) -> None:
        self.look(shown=self.shown.currentData())


class PicturePane(Pane):
    """A pane with nothing but a choosing card."""

    pictures: tuple[PictureKind, ...]

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.card = self._make_card()
        self.card.refresh()
        in_column(self.card, on=self, margins=2)

    @property
    def subject(self) -> str:
        return self.card.picture.name

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return (self.card,)

    def _make_card(self) -> ChoosingCard:
        return ChoosingCard(self.session, self.pictures)


def _view_for(pictures: Sequence[PictureKind]) -> FigureView:
    """What shows pictures of these kinds: marks that each have a name are read one by one."""
    first, marked = pictures[0], next((each for each in pictures if each.read_mark), None)
    if marked is None or marked.read_mark is None:
        return FigureView(first.read_out)
    return PointsView(marked.read_mark, first.read_out, are_on_lines=marked.marks_are_on_lines)


def _title_of(shown: ShownScores) -> str:
    label = shown.axis_label
    return label[:1].upper() + label[1:]
