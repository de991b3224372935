"""The zoo: every speaker by how they fare against self and others, and whether groups are chance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QPushButton, QScrollArea, QWidget

from zebra_core.figures.export import zebra_stem
from zebra_core.figures.figure import Figure, NamedPoints
from zebra_core.figures.readout import zoo_read_out
from zebra_core.figures.zoo import zoo_figure
from zebra_core.project.items import Item
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale
from zebra_core.speakers.zoo_chance import SpeakerDifference
from zebra_core.wording.texts import visible_sentence
from zebra_gui.panes.pane import FigureCard, MakeFigure, Pane
from zebra_gui.panes.speaker_choice import SpokenChoice
from zebra_gui.plots.points import PointsView
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import in_column, in_row
from zebra_gui.widgets.plain import choice_box, label, tell

_WORDS_HEIGHT = 104
_LONGEST_REMARK = 1500


class ZooCard(FigureCard):
    """The zoo plot of one set of comparisons, with the tests of its groups in words."""

    view: PointsView

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, PointsView(self._read_out), parent)
        self.choice = SpokenChoice(session, self)
        self.scale = choice_box(
            self.tr("Values averaged"),
            (self.tr("LLRs"), ZooScale.LLR.value),
            (self.tr("Raw scores"), ZooScale.SCORE.value),
        )
        self.spread = QCheckBox(self.tr("Spread of the selected"))
        self.spread.setToolTip(self.tr("One standard deviation of the trials of the selected speaker"))
        self.test_button = QPushButton(self.tr("Test goats, lambs and wolves"))
        self.words = label(tone="quiet")
        self._about = self.tr("Animals and chance")
        tell(self.words, self._about, "")
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._differences: tuple[SpeakerStudy, ZooScale, tuple[SpeakerDifference, ...]] | None = None
        self._lay_out()
        self.view.picked.connect(session.select_speaker)
        self.choice.changed.connect(self.refresh)
        self.scale.activated.connect(self.refresh)
        self.spread.clicked.connect(self.refresh)
        self.test_button.clicked.connect(self._on_test)
        session.speaker_changed.connect(self.refresh)
        self.refresh()

    @property
    def zoo_scale(self) -> ZooScale:
        """What is averaged."""
        return ZooScale(self.scale.currentData())

    @property
    def is_quick(self) -> bool:
        return False

    def make_figure(self) -> MakeFigure | None:
        spoken, study = self.choice.spoken, self.choice.study
        if spoken is None or study is None:
            return None
        speaker = self.session.speaker
        selected = (speaker,) if speaker else ()
        spread = selected if self.spread.isChecked() else ()
        return partial(_figure, study, self.zoo_scale, spoken.name_with_dataset, selected, spread)

    def file_stem(self) -> str:
        return f"{zebra_stem(self.choice.spoken.name_with_dataset if self.choice.spoken else '')}-zoo"

    def setting(self) -> str:
        return (self.choice.spoken.setting or "") if self.choice.spoken else ""

    def subjects(self) -> Sequence[Item]:
        return (self.choice.spoken.item,) if self.choice.spoken else ()

    def forget(self) -> None:
        super().forget()
        self._differences = None
        tell(self.words, self._about, "")

    def refresh(self) -> None:
        study = self.choice.study if self._is_on_screen() else None
        self._offer_test(study)
        self.view.setVisible(study is not None or not self.choice.missing)
        self._show_words(study)
        super().refresh()

    def _draw_now(self) -> None:
        if self._is_stale and self._is_on_screen():
            self._show_words(self.choice.study)
            self._offer_test(self.choice.study)
        super()._draw_now()

    def _offer_test(self, study: SpeakerStudy | None) -> None:
        """There is nothing to exchange in counts, which do not tell recordings apart."""
        self.test_button.setEnabled(study is not None and study.single is not None)

    def _lay_out(self) -> None:
        choices = in_row(self.choice.box, self.choice.count_button, self.scale, self.spread, 1, spacing=10)
        self.body.insertLayout(1, choices)
        inside = QWidget()
        inside.setProperty("look", "scrolled")
        in_column(
            self.words, (self.test_button, 0, Qt.AlignmentFlag.AlignLeft), 1, on=inside, margins=(0, 0, 6, 0)
        )
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Whether the groups are more than chance"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        scroll.setFixedHeight(_WORDS_HEIGHT)
        self.body.addWidget(scroll)

    def _show_words(self, study: SpeakerStudy | None) -> None:
        if study is None:
            tell(self.words, self._about, self.choice.state)
            return
        zoo = study.zoo(self.zoo_scale)
        said = [str(size) for size in study.group_sizes(self.zoo_scale)]
        if self._differences and self._differences[:2] == (study, self.zoo_scale):
            said += [str(difference) for difference in self._differences[2]]
        said += [visible_sentence(str(remark), _LONGEST_REMARK) for remark in zoo.remarks]
        tell(self.words, self._about, "\n".join(said))

    def _read_out(self, points: NamedPoints, number: int) -> str:
        study = self.choice.study
        return zoo_read_out(study.zoo(self.zoo_scale), points.names[number]) if study else ""

    def _on_test(self) -> None:
        study, scale = self.choice.study, self.zoo_scale
        if study is None:
            return
        self.test_button.setEnabled(False)
        job = self.session.speaker_studies.test_zoo(study, scale)

        def on_done(found: tuple[SpeakerDifference, ...]) -> None:
            self._differences = study, scale, found
            self._show_words(self.choice.study)
            self.test_button.setEnabled(True)

        job.done.connect(on_done)
        job.failed.connect(lambda _error: self.test_button.setEnabled(True))
        job.cancelled.connect(lambda: self.test_button.setEnabled(True))


class ZooPane(Pane):
    """The biometric menagerie."""

    topic = "zoo"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.card = ZooCard(session)
        in_column(self.card, on=self, margins=2)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("ZooPane", "Zoo")

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return (self.card,)

    def as_text(self) -> str:
        return self.card.words.text()


def _figure(
    study: SpeakerStudy, scale: ZooScale, name: str, selected: tuple[str, ...], spread: tuple[str, ...]
) -> Figure:
    sizes = study.group_sizes(scale)
    return zoo_figure(study.zoo(scale), name, sizes, selected=selected, spread=spread)
