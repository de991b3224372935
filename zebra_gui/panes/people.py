"""The speakers pane: who exactly is at risk, as a table, before and after, by rank, over utterances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QPushButton, QScrollArea, QWidget

from zebra_core.figures.export import zebra_stem
from zebra_core.figures.figure import Colour, Figure, NamedPoints
from zebra_core.figures.readout import cmc_read_out, speaker_read_out, zoo_read_out
from zebra_core.figures.speakers import (
    accumulated_disclosure_figure,
    accumulated_worst_case_figure,
    before_after_figure,
    cmc_figure,
    speakers_figure,
    zoo_figure,
)
from zebra_core.project.conclusion.conclusion import about
from zebra_core.project.items import Item
from zebra_core.project.satellites import record_file
from zebra_core.speakers.accumulation import FEWEST_POOLS, Accumulation, Pooling
from zebra_core.speakers.disclosure import before_and_after
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import SpeakerDifference, ZooScale
from zebra_core.wording.texts import listed, say, visible_name, visible_sentence, written
from zebra_gui.panes.count_again import CountAgainButton
from zebra_gui.panes.pane import AnyFigure, Card, FigureCard, MakeFigure, Pane
from zebra_gui.panes.split_view import SplitView
from zebra_gui.plots.points import PointsView
from zebra_gui.session.findings import StudiedComparisons, all_spoken, before, spoken_by_default
from zebra_gui.session.session import Session
from zebra_gui.tables.speakers import SpeakersTable
from zebra_gui.widgets.layouts import (
    Flow,
    WhenVisible,
    choice_box,
    in_column,
    label,
    shown_name,
    tell,
    tooltip,
)

PICTURES = ("speakers", "before-after", "cmc", "accumulation", "accumulation-worst")
_OF_SPEAKERS = PICTURES[:2]  # whose points are speakers
_FIRST_TAG = "C"
_WIDE = 900  # from here on the picture has room beside the table
_SHARE_OF_TABLE = 0.55
_LONGEST_SENTENCE = 2500


class SpeakersFigureCard(FigureCard):
    """One picture of the speakers at a time."""

    view: PointsView

    def __init__(self, session: Session, choice: SpokenChoice, parent: QWidget | None = None) -> None:
        super().__init__(session, PointsView(self._read_out, cmc_read_out), parent)
        self.choice = choice
        self.picture = PICTURES[0]
        self.heading.hide()  # the box says it
        self.chooser = choice_box(
            self.tr("Picture"), *((say(f"picture.{picture}"), picture) for picture in PICTURES)
        )
        self.chooser.activated.connect(lambda: self.choose(self.chooser.currentData()))
        self.head.insertWidget(0, self.chooser)
        self.head.insertStretch(1, 1)
        self.note = label(tone="quiet")
        tell(self.note, self.tr("Note"), "")
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.body.addWidget(self.note)
        self.view.picked.connect(self._on_picked)
        choice.changed.connect(self.refresh)
        session.speaker_changed.connect(self._on_speaker_changed)
        self.refresh()

    @property
    def is_quick(self) -> bool:
        return False

    def before(self) -> tuple[StudiedComparisons, SpeakerStudy] | None:
        """The unprotected comparisons of the same speakers, with their study once it is there."""
        spoken = self.choice.spoken
        found = before(self.session.items, spoken) if spoken else None
        study = self.session.speaker_studies.of(found) if found else None
        return (found, study) if found and study else None

    def choose(self, picture: str) -> None:
        """Show this picture."""
        self.picture = picture
        self.chooser.setCurrentIndex(PICTURES.index(picture))
        self.refresh()
        self.chosen.emit()

    def forget(self) -> None:
        super().forget()
        tell(self.note, self.tr("Note"), "")

    def refresh(self) -> None:
        self._show_choices()
        super().refresh()

    def make_figure(self) -> MakeFigure | None:
        spoken, study = self.choice.spoken, self.choice.study
        if spoken is None or study is None:
            return None
        selected = (self.session.speaker,) if self.session.speaker else ()
        if self.picture == "before-after" and (earlier := self.before()):
            names = earlier[0].name_with_dataset, spoken.name_with_dataset
            return partial(_before_after, earlier[1], study, names, spoken.colour, selected)
        if self.picture == "cmc" and study.ranks:
            return partial(cmc_figure, [(spoken.name_with_dataset, study.ranks)], spoken.colour)
        if self.picture.startswith("accumulation"):
            return partial(_accumulation, study, spoken.colour, is_worst=self.picture != "accumulation")
        if self.picture not in _OF_SPEAKERS:
            return None
        name = spoken.name_with_dataset
        return partial(speakers_figure, study.disclosures, name, spoken.colour, selected=selected)

    def file_stem(self) -> str:
        name = self.choice.spoken.name_with_dataset if self.choice.spoken else ""
        return f"{zebra_stem(name)}-{self.picture}"

    def setting(self) -> str:
        return (self.choice.spoken.setting or "") if self.choice.spoken else ""

    def subjects(self) -> Sequence[Item]:
        of = [self.choice.spoken] if self.choice.spoken else []
        if self.picture == "before-after" and (earlier := self.before()):
            of = [earlier[0], *of]
        return list(dict.fromkeys(spoken.item for spoken in of))

    def _show_figure(self, figure: AnyFigure) -> None:
        super()._show_figure(figure)
        tell(self.note, self.tr("Note"), self._note())
        self.note.setVisible(bool(self.note.text()))

    def _show_choices(self) -> None:
        spoken = self.choice.spoken
        study = self.choice.study if spoken and self._is_on_screen() else None
        has_before = bool(spoken and before(self.session.items, spoken))
        why_not = _why_not(study) if study else {"cmc": ""}
        possible = {"before-after": has_before} | dict.fromkeys(why_not, False)
        items = self.chooser.model()
        assert isinstance(items, QStandardItemModel)  # noqa: S101 - what Qt makes for a plain box
        for place, picture in enumerate(PICTURES):
            items.item(place).setEnabled(possible.get(picture, True))
            why = why_not.get(picture, "")
            items.item(place).setToolTip(tooltip(why) if why else "")
        if study is not None and not possible.get(self.picture, True):
            self.picture = PICTURES[0]
        self.chooser.setCurrentIndex(PICTURES.index(self.picture))

    def _note(self) -> str:
        study = self.choice.study
        if study is None:
            return ""
        if self.picture.startswith("accumulation"):
            return _stops(study.accumulations[Pooling.MEAN_SCORE])
        if self.picture == "before-after" and (earlier := self.before()):
            paired = before_and_after(earlier[1].disclosures, study.disclosures)
            missing = (("only-before", paired.only_before), ("only-after", paired.only_after))
            sentences = [say(f"speakers.{c}", count=len(n), names=listed(n)) for c, n in missing if n]
            return visible_sentence(" ".join(sentences), _LONGEST_SENTENCE)
        return ""

    def _read_out(self, points: NamedPoints, number: int) -> str:
        study = self.choice.study
        if study is None or self.picture not in _OF_SPEAKERS:
            value = written(float(points.y[number]), ".3f")
            unit = self.tr("bit") if self.picture == "accumulation" else self.tr("(log10 LR)")
            way = self._way(points)
            return say(
                "figure.accumulation-read-out", value=value, unit=unit, label=way, counts=points.names[number]
            )
        earlier = self.before() if self.picture == "before-after" and points.label else None
        is_before = earlier is not None and points.label == earlier[0].name_with_dataset
        found = earlier[1] if earlier and is_before else study
        words = speaker_read_out(found.disclosures.of(points.names[number]))
        return f"{visible_name(points.label or '', 60)} · {words}" if earlier else words

    def _way(self, points: NamedPoints) -> str:
        """How the utterances behind these points were pooled: the line through them has the name."""
        figure = self.view.figure
        if figure is None or points not in figure.points:
            return ""
        last = figure.lines[-len(figure.points) :]
        return last[figure.points.index(points)].label or ""

    def _on_picked(self, name: str) -> None:
        if self.picture in _OF_SPEAKERS:
            self.session.select_speaker(name)

    def _on_speaker_changed(self) -> None:
        if self.picture in _OF_SPEAKERS:
            self.refresh()


class PeoplePane(Pane):
    """Disclosure speaker by speaker.

    Signals:
        hearing_requested: the recordings that an assessment was made from are to be seen and heard.
    """

    hearing_requested = Signal(object)

    topic = "speakers"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.choice = SpokenChoice(session, self)
        self.sentence = label()
        self._about = self.tr("For the report")
        tell(self.sentence, self._about, "")
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.tag = choice_box(self.tr("Tag to count from"))
        self.tag.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.hear_button = QPushButton(self.tr("See and hear…"))
        self.hear_button.setToolTip(
            self.tr("The recordings of the speaker and their protected copies, side by side")
        )
        self.hear_button.clicked.connect(self._on_hear)
        self.hear_button.hide()
        self.table = SpeakersTable()
        self.card = SpeakersFigureCard(session, self.choice)
        self._shown: tuple[object, ...] = ()
        self._lay_out()
        self._when_visible = WhenVisible(self, self._show_study, only_visible=True)
        self.table.picked.connect(session.select_speaker)
        self.tag.activated.connect(self._show_sentence)
        self.choice.changed.connect(self._when_visible.refresh)
        session.conclusions.found.connect(self._when_visible.refresh)
        session.speaker_changed.connect(self._on_speaker_changed)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("PeoplePane", "People")

    @property
    def subject(self) -> str:
        return self.card.picture

    def forget(self) -> None:
        self._shown = ()
        self.table.forget()
        tell(self.sentence, self._about, "")
        self.sentence.setToolTip("")
        self._when_visible.refresh()

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return (self.card,)

    def as_text(self) -> str:
        return "\n".join(filter(None, [self.sentence.text(), self.table.as_text()]))

    def _lay_out(self) -> None:
        self.parts = SplitView(_WIDE)
        choices = Flow(across=10)  # with recordings to hear, and long names, they are wider than the table
        for widget in (self.choice.box, self.choice.count_button, self.tag, self.hear_button):
            choices.addWidget(widget)
        choices.addWidget(self.parts.table_only)
        self.card.head.addWidget(self.parts.picture_only)
        table = Card()
        table.body.addLayout(choices)
        table.body.addWidget(self.sentence)
        table.body.addWidget(self.table, 1)
        self.parts.show_parts(table, self.card, _SHARE_OF_TABLE)
        in_column(self.parts, on=self, margins=2)

    def _show_study(self) -> None:
        spoken, study = self.choice.spoken, self.choice.study
        earlier = self.card.before()
        self.table.setVisible(study is not None)
        item = spoken.item if spoken else None
        self.hear_button.setVisible(any(map(record_file, item.entries)) if item else False)
        self.tag.setVisible(study is not None)
        self.parts.have_picture(is_there=study is not None or not self.choice.missing)
        if spoken is None or study is None:
            self._shown = ()
            tell(self.sentence, self._about, self.choice.state)
            return
        self.session.conclusions.look()
        shown = study, earlier and earlier[1], spoken.colour
        if shown != self._shown:
            self._shown = shown
            self.table.show_study(study, earlier[1] if earlier else None, spoken.colour)
            self.table.follow(self.session.speaker)
            self._show_tags(study)
        self._show_sentence()

    def _show_tags(self, study: SpeakerStudy) -> None:
        letters = [tag.letter for tag in study.tag_scale.tags][1:]
        if letters == [self.tag.itemData(k) for k in range(self.tag.count())]:
            return
        self.tag.offer((self.tr("{tag} or worse").format(tag=letter), letter) for letter in letters)
        self.tag.show_value(_FIRST_TAG)

    def _show_sentence(self) -> None:
        spoken, study, tag = self.choice.spoken, self.choice.study, self.tag.currentData()
        if spoken and study and tag:  # none while other tags are being offered
            said = study.disclosures.sentence(visible_name(spoken.name_with_dataset), tag)
            fixed = say("speakers.calibration-fixed")
            remarks = [self._answered(spoken, study), said, fixed, *map(str, study.remarks)]
            tell(self.sentence, self._about, visible_sentence(" ".join(remarks), _LONGEST_SENTENCE))
            self.sentence.setToolTip(tooltip(shown_name(spoken.name_with_dataset)))  # it may be cut

    def _answered(self, spoken: StudiedComparisons, study: SpeakerStudy) -> str:
        """What the answer says of people, over all attacks; of what it is not about, what is found of it."""
        conclusions, entries = self.session.conclusions, spoken.item.entries
        answered = about(conclusions.known.conclusions, entries[0]) if conclusions.known and entries else None
        if answered and answered.people_in_words:
            return answered.people_in_words
        is_coming = bool(entries) and not entries[0].is_original and conclusions.is_looking
        return "" if is_coming else f"{study.most_exposed or ''} {study.disclosures.verdict}".strip()

    def _on_hear(self) -> None:
        if (spoken := self.choice.spoken) is not None:
            self.hearing_requested.emit(spoken.item)

    def _on_speaker_changed(self) -> None:
        self.table.follow(self.session.speaker)


def _before_after(
    earlier: SpeakerStudy,
    study: SpeakerStudy,
    names: tuple[str, str],
    colour: Colour,
    selected: tuple[str, ...],
) -> Figure:
    paired = before_and_after(earlier.disclosures, study.disclosures)
    return before_after_figure(paired, names, colour, selected=selected)


def _why_not(study: SpeakerStudy) -> dict[str, str]:
    """Why there is no such picture of a study, by picture."""
    is_counted = study.single is None
    no_ranks = (
        {} if study.ranks else {"cmc": say(f"speakers.{'ranks-of-counts' if is_counted else 'not-dense'}")}
    )
    return no_ranks | (dict.fromkeys(PICTURES[3:], say("speakers.counted")) if is_counted else {})


def _accumulation(study: SpeakerStudy, colour: Colour, *, is_worst: bool) -> Figure:
    curves = [(say(f"figure.pooling-{way.value}"), found) for way, found in study.accumulations.items()]
    make = accumulated_worst_case_figure if is_worst else accumulated_disclosure_figure
    return make(curves, colour)


def _stops(curve: Accumulation) -> str:
    if not curve.points:
        return say("speakers.accumulation-none", fewest=FEWEST_POOLS)
    stops = say(
        "speakers.accumulation-stops",
        utterances=curve.stopped_at,
        count=curve.n_pools_there,
        fewest=FEWEST_POOLS,
    )
    unknown = "" if curve.has_chance else say("speakers.accumulation-no-chance")
    return f"{stops} {unknown}".strip()


# What cards about speakers have in common: which comparisons they are of, and the study of these.


class SpokenChoice(QObject):
    """A box with all comparisons that can be studied; it follows what is selected in the session.

    Signals:
        changed: other comparisons are meant, or their study is there now.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._key: str | None = None
        self._offered: list[tuple[str, str]] = []
        self.box = choice_box(self.tr("Comparisons"))
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(16)
        self.box.activated.connect(self._on_activated)
        self.count_button = CountAgainButton(session)
        session.counting_again.agreed.connect(self._show)
        session.selection_changed.connect(self._follow)
        self._when_visible = WhenVisible(self.box, self._show)
        session.changed.connect(self._when_visible.refresh)
        session.left.connect(self._when_visible.refresh_now)
        session.speaker_studies.found.connect(self._on_studied)
        self._follow()
        self._show()

    @property
    def spoken(self) -> StudiedComparisons | None:
        """The comparisons that are meant."""
        return next((one for one in all_spoken(self._session.items) if one.key == self._key), None)

    @property
    def study(self) -> SpeakerStudy | None:
        """The study of them; asked for where there is none yet."""
        return self._session.speaker_studies.of(self.spoken) if self.spoken else None

    @property
    def failure(self) -> str:
        """Why there is none."""
        return self._session.speaker_studies.failure(self.spoken) if self.spoken else ""

    @property
    def missing(self) -> str:
        """Why there is none and none is being made: what it would take, or why it failed."""
        offered = self._session.counting_again.offer(self.spoken.item) if self.spoken else ""
        return offered or self.failure

    @property
    def state(self) -> str:
        """What to say as long as there is none: why, or that it is being made."""
        return (self.missing or self.tr("Looking at the speakers…")) if self.spoken else ""

    def _on_activated(self) -> None:
        self._key = self.box.currentData()
        if self.spoken:
            self._session.speaker_studies.forget_failure(self.spoken)
        self._show()

    def _show(self) -> None:
        if self.spoken is None:
            self._follow()
        self._fill()
        self.count_button.offer_for(self.spoken.item if self.spoken else None)
        self.changed.emit()

    def _on_studied(self, _key: str) -> None:
        self.changed.emit()

    def _follow(self) -> None:
        found = spoken_by_default(self._session.items, self._session.selected_item)
        self._key = found.key if found else None

    def _fill(self) -> None:
        offered = [(shown_name(one.name_with_dataset), one.key) for one in all_spoken(self._session.items)]
        if offered != self._offered:
            self._offered = offered
            self.box.clear()
            for name, key in offered:
                self.box.addItem(name, key)
        self.box.setCurrentIndex(self.box.findData(self._key))


# The zoo: every speaker by how they fare against self and others, and whether groups are chance.


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
        choices = Flow(across=10)
        for part in (self.choice.box, self.choice.count_button, self.scale, self.spread):
            choices.addWidget(part)
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
