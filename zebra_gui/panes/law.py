"""What the law asks: whether requirements are met, and how often people are linked or singled out.

The table against Opinion 05/2014, of the selected assessment: beside guessing, and above it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from zebra_core.figures.export import zebra_stem
from zebra_core.figures.figure import NamedPoints
from zebra_core.figures.linking import PeopleCurve, one_by_one_figure, people_figure
from zebra_core.figures.readout import people_read_out
from zebra_core.figures.uncertainty import group_read_out, groups_figure
from zebra_core.project.attributes import names_of_attributes
from zebra_core.project.by_group import GroupsOfPeople, attacks_in_words, attribute_name
from zebra_core.project.comparison.comparison import of_one_group
from zebra_core.project.comparison.linking import sentence
from zebra_core.project.conclusion.conclusion import about
from zebra_core.project.items import Entry, Item, name_with_dataset
from zebra_core.project.report_settings import USUAL_PEOPLE
from zebra_core.project.risks import heads, risks
from zebra_core.uncertainty.reidentification import Reidentification
from zebra_core.wording.texts import say, visible, visible_sentence, with_aside, written
from zebra_gui.panes.count_again import CountAgainButton
from zebra_gui.panes.pane import FigureCard, MakeFigure, Pane
from zebra_gui.panes.requirements import RequirementsCard
from zebra_gui.panes.uniqueness import PICTURE as UNIQUENESS, UniquenessChoice
from zebra_gui.plots.points import PointsView
from zebra_gui.session.findings import StudiedComparisons
from zebra_gui.session.session import Session
from zebra_gui.tables.rows import FactGrid, Sideways
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.layouts import choice_box, in_column, in_row, label, scroll_to, tell
from zebra_gui.widgets.wheel import Slider

# The choice of the attribute by which people are grouped, with what is drawn and said of the groups.


PICTURE = "people-by-group"


class GroupChoice(QObject):
    """The attributes of the selected assessment to choose from, in a box.

    Signals:
        changed: another attribute is chosen.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.box = choice_box(self.tr("By which attribute"))
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.box.activated.connect(self.changed)

    @property
    def attribute(self) -> str:
        """The attribute that is chosen; empty where there is none."""
        return str(self.box.currentData() or "")

    def offer(self, entry: Entry | None) -> None:
        """Offer the attributes of this assessment; what was chosen stays where it has it, too."""
        names = [attribute_name(name) for name in names_of_attributes(entry)] if entry else []
        if names == [self.box.itemData(k) for k in range(self.box.count())]:
            return
        chosen = self.attribute
        with QSignalBlocker(self.box):
            self.box.clear()
            for name in names:
                self.box.addItem(self.tr("by {attribute}").format(attribute=visible(name, 40)), name)
            self.box.setCurrentIndex(max(0, self.box.findData(chosen)))

    def found(self, entries: Sequence[Entry]) -> list[tuple[Entry, GroupsOfPeople]]:
        """What is known of these assessments; looked for where there is nothing yet."""
        if not self.attribute:
            return []
        store, having = self._session.findings, [entry for entry in entries if self._has(entry)]
        known = [(entry, store.of("by_group", entry, self.attribute)) for entry in having]
        return [(entry, found[0]) for entry, found in known if found]

    def make_figure(self, entries: Sequence[Entry]) -> MakeFigure | None:
        """What draws the groups of those of which anything is known."""
        found = self.found(entries)
        return partial(groups_figure, found) if found else None

    def in_words(self, selected: Entry) -> str:
        """What is said of the groups of the selected assessment, or why nothing is."""
        if not self.attribute:
            return self.tr(
                "To compare groups of people, drop a list on the window; a line is: speaker value."
            )
        store, about = self._session.findings, ("by_group", selected, self.attribute)
        if not (found := store.of(*about)):
            return store.failure(*about) or self.tr("Comparing groups …")
        groups: GroupsOfPeople = found[0]
        attack = attacks_in_words(self._session.entries)[selected.id]
        each = (f"{visible(one.value, 60)}: {groups.in_a_line(one)}." for one in groups.judged)
        return " ".join(filter(None, [groups.sentence(selected, attack), *each, *groups.remarks]))

    def _has(self, entry: Entry) -> bool:
        return self.attribute in {attribute_name(name) for name in names_of_attributes(entry)}


PICTURES = ("people-linkage", "people-singling-out", "people-one-by-one", PICTURE, UNIQUENESS)
_CURVES: Mapping[str, PeopleCurve] = dict(zip(PICTURES, PeopleCurve, strict=False))
_LONGEST = 2500
_LEAST_PICTURE = 360  # pixels: what the upright axis measures is said in full, and the pane scrolls


class LinkingCard(FigureCard):
    """Curves and groups of several assessments, or the people of one of them one by one, with a sentence."""

    view: PointsView

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, PointsView(self._read_out, people_read_out), parent)
        self.picture = PICTURES[0]
        self._people: int | None = None  # as the user chose
        self.heading.hide()  # the box says it
        self.view.setMinimumHeight(_LEAST_PICTURE)
        self.chooser = choice_box(
            self.tr("Picture"), *((say(f"picture.{picture}"), picture) for picture in PICTURES)
        )
        self.chooser.activated.connect(lambda: self.choose(self.chooser.currentData()))
        self.recordings = choice_box(self.tr("Recordings pooled"))
        self.recordings.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.recordings.activated.connect(self.refresh)
        self.groups = GroupChoice(session, self)
        self.groups.changed.connect(self.refresh)
        self.uniqueness = UniquenessChoice(session, self)
        self.slider = Slider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Number of people"))
        self.slider.setMinimumWidth(60)
        self.slider.setMaximumWidth(170)
        self.slider.setRange(2, 2)
        self.slider.valueChanged.connect(self._on_people)
        self.people = WholeBox()
        for field in (self.people, self.people.lineEdit()):
            field.setAccessibleName(self.tr("Among so many people"))
        self.people.setPrefix(self.tr("among "))
        self.people.setKeyboardTracking(False)
        self.people.setRange(2, 2)
        self.people.valueChanged.connect(self._on_people)
        self.sentence = label()
        self._about = self.tr("In plain words")
        tell(self.sentence, self._about, "")
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.risks = RisksTable(session)
        self.count_button = CountAgainButton(session)
        session.counting_again.agreed.connect(self.refresh)
        self._lay_out()
        self.view.picked.connect(self._on_picked)
        for signal in (session.changed, session.selection_changed, session.speaker_changed):
            signal.connect(self.refresh)
        session.findings.found.connect(self.refresh)
        session.speaker_studies.found.connect(self.refresh)
        session.conclusions.found.connect(self.refresh)
        self.refresh()

    @property
    def is_quick(self) -> bool:
        return False

    @property
    def found(self) -> Reidentification | None:
        """What is known of the selected assessment."""
        selected = self.session.selected
        return self.session.findings.of("people", selected) if selected else None

    def choose(self, picture: str) -> None:
        """Show this picture."""
        self.picture = picture
        self.chooser.setCurrentIndex(PICTURES.index(picture))
        self.refresh()
        self.chosen.emit()

    def forget(self) -> None:
        super().forget()
        self._people = None
        self.recordings.clear()
        self._show_number(2, 2)
        tell(self.sentence, self._about, "")
        self.risks.forget()

    def refresh(self) -> None:
        if self._is_on_screen():
            self._show_choices()
        super().refresh()

    def make_figure(self) -> MakeFigure | None:
        self._show_choices()
        selected = self.session.selected
        if self.picture == PICTURE:
            return self.groups.make_figure(self._entries(selected)) if selected else None
        if self.picture == UNIQUENESS:
            return self.uniqueness.make_figure(self._entries(selected), selected) if selected else None
        found = self.found
        if selected is None or found is None:
            return None
        length, people = self._length(found), self._number(found)
        if self.picture not in _CURVES:
            speaker = self.session.speaker
            return partial(one_by_one_figure, selected, found, people, length, selected=speaker)
        entries = self._entries(selected)
        store = self.session.findings
        known = {entry.id: one for entry in entries if (one := store.of("people", entry))}
        return partial(
            people_figure,
            entries,
            known,
            _CURVES[self.picture],
            length,
            selected_id=selected.id,
            people=people,
            person=self.session.speaker,
        )

    def file_stem(self) -> str:
        selected = self.session.selected
        return f"{zebra_stem(name_with_dataset(selected) if selected else '')}-{self.picture}"

    def subjects(self) -> Sequence[Item]:
        selected = self.session.selected
        if selected is None:
            return ()
        return self._entries(selected) if self.picture in (*_CURVES, PICTURE, UNIQUENESS) else (selected,)

    def _entries(self, selected: Entry) -> tuple[Entry, ...]:
        return of_one_group(self.session.shown_entries, selected) or (selected,)

    def _lay_out(self) -> None:
        self.head.insertWidget(0, self.chooser)
        self.head.insertStretch(1, 1)
        row = in_row(
            self.recordings, self.groups.box, self.slider, self.people, self.count_button, 1, spacing=10
        )
        self.body.insertLayout(1, row)
        self.body.addWidget(self.sentence)
        self.body.addWidget(self.risks)

    def _length(self, found: Reidentification) -> int:
        chosen = self.recordings.currentData()
        return chosen if chosen in found.lengths else found.lengths[0]

    def _most(self, found: Reidentification) -> int:
        """The people there are: those who can be singled out may be fewer than those enrolled."""
        if self.picture == PICTURES[1] and (points := found.singling_out_of(self._length(found))):
            return points[-1].people
        return found.n_enrolled

    def _number(self, found: Reidentification) -> int:
        stated = self.session.project.report.people if self.session.project else None
        return max(2, min(self._people or stated or USUAL_PEOPLE, self._most(found)))

    def _show_choices(self) -> None:
        """Choices and sentence as they are for the selected assessment."""
        of_attributes = {PICTURE: self._show_groups, UNIQUENESS: self._show_uniqueness}
        show = of_attributes.get(self.picture)
        self.risks.setVisible(show is None and self.found is not None)
        self.groups.box.setVisible(self.picture == PICTURE)
        for widget in (self.recordings, self.slider, self.people):
            widget.setVisible(show is None)
        if show is not None:
            show(self.session.selected)
            return
        selected, found = self.session.selected, self.found
        offered = self.count_button.offer_for(selected)
        self.view.setVisible(found is not None)
        for widget in (self.recordings, self.slider, self.people):
            widget.setEnabled(found is not None)
        if selected is None or found is None:
            self._show_number(2, 2)
            failure = self.session.findings.failure("people", selected) if selected else ""
            waiting = self.tr("Looking for people …") if selected else ""
            tell(self.sentence, self._about, offered or failure or waiting)
            return
        self._show_lengths(found)
        number = self._number(found)
        self._show_number(number, self._most(found))
        self.risks.show_risks(selected, found, number)
        curve = _CURVES.get(self.picture, PeopleCurve.LINKAGE)
        is_singling = curve is PeopleCurve.SINGLING_OUT
        said = sentence(found, number, self._length(found), is_singling_out=is_singling)
        worst = () if self.picture in _CURVES else (str(found.worst_tenth(number, self._length(found))),)
        remarks = [
            said,
            *worst,
            *self._inferred_in_words(selected),
            *map(str, found.remarks),
        ]
        tell(self.sentence, self._about, visible_sentence(" ".join(remarks), _LONGEST))
        self.slider.setAccessibleDescription(said)

    def _inferred_in_words(self, selected: Entry) -> tuple[str, ...]:
        """What is told of attributes as sentences, or why there is nothing."""
        store = self.session.findings
        told = (each.in_words(name) for name, each in store.of("inference", selected) or ())
        return (*told, *filter(None, [store.failure("inference", selected)]))

    def _show_groups(self, selected: Entry | None) -> None:
        """The attributes to choose from, and what is said of the groups."""
        self.count_button.hide()
        self.groups.offer(selected)
        self.groups.box.setEnabled(bool(self.groups.attribute))
        known = self.groups.found(self._entries(selected)) if selected else []
        self.view.setVisible(bool(known))
        said = self.groups.in_words(selected) if selected else ""
        tell(self.sentence, self._about, visible_sentence(said, _LONGEST))

    def _show_uniqueness(self, selected: Entry | None) -> None:
        """What is said of people's combinations of attributes."""
        self.count_button.hide()
        entries = self._entries(selected) if selected else ()
        self.view.setVisible(bool(self.uniqueness.found(entries)))
        said = self.uniqueness.in_words(entries, selected) if selected else ""
        tell(self.sentence, self._about, visible_sentence(said, _LONGEST))

    def _show_number(self, number: int, most: int) -> None:
        with QSignalBlocker(self.slider), QSignalBlocker(self.people):
            for field in (self.slider, self.people):
                field.setRange(2, most)
                field.setValue(number)

    def _show_lengths(self, found: Reidentification) -> None:
        if found.lengths == tuple(self.recordings.itemData(k) for k in range(self.recordings.count())):
            return
        chosen = self._length(found)
        self.recordings.offer((say("people.recordings", count=length), length) for length in found.lengths)
        self.recordings.show_value(chosen)

    def _on_people(self, number: int) -> None:
        self._people = number
        self.refresh()

    def _on_picked(self, name: str) -> None:
        if self.picture != PICTURE:  # there a dot is of many
            self.session.select_speaker(name)

    def _read_out(self, points: NamedPoints, number: int) -> str:
        if self.picture == PICTURE:
            return group_read_out(points, number)
        share = written(100.0 * float(points.y[number]), ".0f")
        people = self.people.value()
        return say("people.one", name=points.names[number], share=share, people=people)


class LawPane(Pane):
    """The requirements with their verdicts; linking and singling out, as data-protection law has it."""

    topic = "people"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.requirements = RequirementsCard(session)
        self.card = LinkingCard(session)
        in_column(self.requirements, (self.card, 1), on=self, margins=2, spacing=8)

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("LawPane", "Law")

    def write_requirement(self) -> None:
        """Open the form of a new requirement, and bring it into sight once it is laid out."""
        self.requirements.begin()
        QTimer.singleShot(0, self._show_form)

    def _show_form(self) -> None:
        for shown in (self.requirements.form.save, self.requirements.form.name):
            scroll_to(shown)

    @property
    def subject(self) -> str:
        return self.card.picture

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return (self.card,)

    def as_text(self) -> str:
        return self.card.sentence.text()


class RisksTable(QWidget):
    """Each criterion in a row, as in a report, and below them what the columns mean."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._name = self.tr("Against Opinion 05/2014")
        self.grid = FactGrid(wraps=True)
        self.grid.setAccessibleName(self._name)
        self.means = label("", "quiet")
        around = Sideways(self.grid)
        around.setAccessibleName(self._name)
        in_column(label(self._name, "heading"), around, self.means, on=self, margins=(4, 8, 4, 0), spacing=6)

    def show_risks(self, entry: Entry, found: Reidentification, people: int) -> None:
        """Show what is known of it among so many people; more of it once its speakers were looked at."""
        study = self._session.speaker_studies.of(StudiedComparisons(entry))
        attributes = self._session.findings.of("inference", entry) or ()
        known = self._session.conclusions.known
        answer = about(known.conclusions, entry) if known else None
        exposed = study.disclosures if study else None
        rows = risks(found, attributes, exposed, people, answer=answer, dataset=entry.dataset)
        cells = [[with_aside(text, note) for text, note in risk.cells] for risk in rows]
        self.grid.show_table(heads(), cells, [say("risk.means")] * len(cells))
        tell(self.means, self._name, say("risk.means"))

    def forget(self) -> None:
        """Show nothing."""
        self.grid.forget()
        tell(self.means, self._name, "")
