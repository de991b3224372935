"""What all panes have in common: one widget about one topic, which listens to the session."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFrame,
    QMenu,
    QScrollArea,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from zebra_core.figures.all_pictures import captioned
from zebra_core.figures.distributions import OneSpeaker, ShownScores
from zebra_core.figures.figure import CellsFigure, Figure
from zebra_core.project.comparison.row import ComparisonGroup
from zebra_core.project.items import Item, name_with_dataset
from zebra_core.project.project import Project
from zebra_gui.panes.pictures import (
    APE,
    DET,
    ECE,
    HISTOGRAMS,
    NBER,
    NECE,
    PAV,
    ROC,
    TIPPETT,
    PictureKind,
    Subject,
    View,
)
from zebra_gui.plots.cells import CellsView
from zebra_gui.plots.figure import FigureView
from zebra_gui.plots.points import PointsView
from zebra_gui.session.findings import StudiedComparisons
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import ElidedLabel, Flow, choice_box, in_column, in_row, is_on_screen
from zebra_gui.widgets.menus import RowKeys

AnyFigure = Figure | CellsFigure

MakeFigure = Callable[[], AnyFigure]
"""Makes a figure from what never changes, so that it may run in any thread and later."""


class Pane(QWidget):
    """One pane. `topic` names it in the settings; it must not change between versions.

    That each pane and card has what is abstract here is checked by mypy: Qt's widgets cannot be of an ABC.
    """

    topic: str
    follows_prior = False  # its figures or pictures are others with another prior

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        session.left.connect(self._on_left)

    @staticmethod
    @abstractmethod
    def title() -> str:
        """What its tab says, which is there before the pane is."""

    @staticmethod
    def has_something(_project: Project | None) -> bool:
        """Whether it stands among the tabs for this project; most do for any, and before there is one."""
        return True

    @property
    def subject(self) -> str:
        """What it shows at the moment, for the guide."""
        return self.topic

    def forget(self) -> None:
        """The project is gone: show nothing of it; its cards do so by themselves."""

    def _on_left(self) -> None:
        self.forget()

    def figure_cards(self) -> tuple[FigureCard, ...]:
        """The pictures on it, so that they can be exported."""
        return ()

    def show_few(self, *, is_few: bool) -> None:
        """Show what reviewers read, or all that a laboratory works with; in most panes that is the same."""

    def as_text(self) -> str:
        """The figures on it that are of no single assessment, to be pasted elsewhere."""
        return ""


class Card(QFrame):
    """A white card with a thin border."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "card")
        self.body = in_column(on=self, margins=(14, 11, 14, 12), spacing=5)


class FigureCard(Card):
    """A picture with its title and a button that exports it; drawn only when it can be seen.

    What is done with the picture is in its context menu, too, by the right button, the menu key or Shift+F10.

    Signals:
        export_requested: the picture should be saved.
        copy_requested: the picture should be put on the clipboard.
        chosen: it shows another kind of picture.
    """

    export_requested = Signal()
    copy_requested = Signal()
    chosen = Signal()

    view: FigureView | CellsView

    def __init__(self, session: Session, view: FigureView | CellsView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._is_stale = True
        self._changes = 0  # how often something else was wanted
        self._making: int | None = None  # which of these wishes a job is at work on
        # Several changes at once are drawn once; a tab that is shown for a moment only, not at all.
        self._drawing = QTimer(self)
        self._drawing.setSingleShot(True)
        self._drawing.setInterval(0)
        self._drawing.timeout.connect(self._draw_now)
        self.heading = ElidedLabel("heading")
        self.head = in_row((self.heading, 1), spacing=8)
        self.export_button = QToolButton()
        self.export_button.setText(self.tr("Export…"))
        self.export_button.setToolTip(self.tr("Save this picture as PNG, PDF, SVG or TeX"))
        self.export_button.clicked.connect(self.export_requested)
        self.head.addWidget(self.export_button)
        self.body.addLayout(self.head)
        self.view = view
        self.body.addWidget(self.view, 1)
        self.menu = QMenu(self)
        self.menu.addAction(self.tr("&Copy picture")).triggered.connect(self.copy_requested)
        self.menu.addAction(self.tr("&Save picture…")).triggered.connect(self.export_requested)
        session.left.connect(self.forget)

    @property
    def is_drawn(self) -> bool:
        """Whether the picture is that of the moment."""
        return not self._is_stale

    @property
    @abstractmethod
    def is_quick(self) -> bool:
        """Whether the figure is made so fast that it can be drawn at once."""

    @abstractmethod
    def make_figure(self) -> MakeFigure | None:
        """What makes the figure of the moment; None leaves what is shown."""

    @abstractmethod
    def file_stem(self) -> str:
        """What a file with the picture is called, without its ending."""

    def subjects(self) -> Sequence[Item]:
        """What the picture is of, which its caption says wherever it is taken."""
        return self.session.shown_entries

    def setting(self) -> str:
        """Which setting of matrices it is of, where it is of one."""
        return ""

    def make_picture(self) -> MakeFigure | None:
        """A function that makes the figure with its caption, to be used elsewhere."""
        make = self.make_figure()
        return partial(_with_caption, make, tuple(self.subjects()), self.setting()) if make else None

    def refresh(self) -> None:
        """Draw the figure anew, now or when it is next seen."""
        self._is_stale = True
        self._changes += 1
        self._draw()

    def forget(self) -> None:
        """The project is gone: show nothing of it, nor what is still being made."""
        self._is_stale = True
        self._changes += 1
        self._making = None
        self.heading.show_text("")
        self.view.show_nothing()
        self.export_button.setEnabled(False)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        # A tab that comes to the front is not always shown anew.
        if self._is_stale and self._making != self._changes:
            self._drawing.start()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._show_menu(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F10 and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._show_menu(self.view.mapToGlobal(self.view.rect().center()))
        else:
            super().keyPressEvent(event)

    def _show_menu(self, place: QPoint) -> None:
        for action in self.menu.actions():
            action.setEnabled(self.export_button.isEnabled())
        self.menu.popup(place)

    def _draw(self) -> None:
        if self.is_quick:
            self._draw_now()
        else:
            self._drawing.start()

    def _draw_now(self) -> None:
        if not self._is_stale or not self._is_on_screen() or self._making == self._changes:
            return
        make = self.make_figure()
        self.export_button.setEnabled(make is not None)
        if make is None:
            return
        if self.is_quick:
            self._show_figure(make())
            return
        self._making = self._changes
        job = self.session.drawing.draw(make, supersedes=str(id(self)))
        job.done.connect(partial(self._on_made, self._changes))
        job.failed.connect(self.session.report_failure)

    def _is_on_screen(self) -> bool:
        """Whether any of it is on the screen."""
        return is_on_screen(self)

    def _on_made(self, changes: int, figure: AnyFigure) -> None:
        if not isValid(self) or changes != self._changes:
            return  # an older answer may still arrive, or one for a card that has gone
        if self._is_on_screen():
            self._show_figure(figure)
        else:
            self._making = None

    def _show_figure(self, figure: AnyFigure) -> None:
        self._is_stale = False
        self.heading.show_text(figure.title)
        self.view.show_figure(figure)  # type: ignore[arg-type]


def _with_caption(make: MakeFigure, items: Sequence[Item], setting: str) -> AnyFigure:
    return captioned(make(), items, setting)


# A card that shows one of several pictures, with what can be chosen in it, and the pane around it.


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


# The ECE pane: the profiles of all assessments, plain and normalised, as large as can be.


class EceCard(PictureCard):
    """The minimum ECE profiles, without anything to choose."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, (ECE,), parent)


class EcePane(PicturePane):
    """Empirical cross-entropy over the prior."""

    topic = "ece"
    follows_prior = True
    pictures = (ECE, NECE)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("EcePane", "ECE")


# The errors pane: how often the recogniser is wrong, over the prior and over the threshold.


class ErrorsPane(PicturePane):
    """Bayes error, plain and normalised, DET and ROC."""

    topic = "errors"
    follows_prior = True
    pictures = (APE, NBER, DET, ROC)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("ErrorsPane", "Errors")


# The strength pane: how strong the evidence is in each class, and how scores become evidence.


class StrengthPane(PicturePane):
    """Tippett plot, histograms and PAV transform."""

    topic = "strength"
    follows_prior = True
    pictures = (TIPPETT, HISTOGRAMS, PAV)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("StrengthPane", "Strength")


# Pictures with a line for every row, which need a certain height whatever room there is.


_AROUND, _PITCH = 130, 17  # pixels: axis, legend and read-out; each tick of an upright axis with ticks given
_LEVEL_AXIS = 48  # pixels, below what the upright axis says
_LEAST = 280  # pixels, without such ticks


def scrolled(view: FigureView, name: str) -> QScrollArea:
    """The view in an area that scrolls once it is higher than the room there is."""
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(view)
    for inside in (area.viewport(), view):
        inside.setAutoFillBackground(False)  # the card shows through
    return area


def make_room(view: FigureView, figure: AnyFigure) -> None:
    """Make the view as high as the rows of the figure need."""
    rows = len(figure.y.ticks or ()) if isinstance(figure, Figure) else 0
    least = view.minimumSizeHint().height()
    least += max(0, view.plot.getAxis("left").length_of_words + _LEVEL_AXIS - view.plot.minimumHeight())
    view.setMinimumHeight(max(least, _AROUND + _PITCH * rows if rows else _LEAST))
