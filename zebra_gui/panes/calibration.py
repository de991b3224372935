"""The calibration pane: whether scores mean what they say, and what an attacker's calibration can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from zebra_core.figures.calibration import cross_validation_figure, learnt_calibration_figure
from zebra_core.figures.readout import ece_read_out
from zebra_core.metrics.learnt_calibration import LearntCalibration
from zebra_core.project.items import Entry, Item, distinct_names
from zebra_core.speakers.study import CrossValidation
from zebra_core.wording.texts import bits, say, signed
from zebra_gui.jobs.jobs import Job, Urgency
from zebra_gui.panes.pane import ChoosingCard, MakeFigure, PicturePane
from zebra_gui.panes.pictures import CALIBRATION, OVER_ESTIMATION, PictureKind
from zebra_gui.session import work
from zebra_gui.session.session import Session
from zebra_gui.tables.rows import FactGrid
from zebra_gui.widgets.layouts import choice_box, in_row, label, shown_name

LEARNT = PictureKind("learnt", ece_read_out, parts=("at_prior",), is_quick=True)
FOLDS = PictureKind("folds", ece_read_out, parts=("at_prior",), is_quick=True)

Found = LearntCalibration | CrossValidation

EVEN = 2  # 1 in 2: both classes weigh the same


translate = QCoreApplication.translate


@dataclass(frozen=True)
class CalibrationRow:
    """One calibration, and what its LLRs are worth."""

    name: str
    disclosure: str
    cllr: str


def rows_of(found: LearntCalibration | CrossValidation) -> tuple[CalibrationRow, ...]:
    """The calibrations that were learnt, and within one run the oracle on the same trials."""
    learnt = (
        CalibrationRow(
            translate("Outcome", "Linear"), signed(found.linear.c_ece_bits), bits(found.linear.cllr_bits)
        ),
        CalibrationRow(
            translate("Outcome", "Isotonic"),
            signed(found.isotonic.c_ece_bits),
            bits(found.isotonic.cllr_bits),
        ),
    )
    if isinstance(found, LearntCalibration):
        return learnt
    oracle = CalibrationRow(translate("Outcome", "Oracle"), bits(found.d_ece_bits), bits(found.min_cllr_bits))
    return (*learnt, oracle)


def notes_of(found: LearntCalibration | CrossValidation) -> str:
    """What must be known beside the numbers: separable scores, assumed speakers, trials left out."""
    if isinstance(found, LearntCalibration):
        return say("learnt.bounded") if found.linear_map.bounded else ""
    return say(
        "learnt.assumed",
        speakers=found.n_speakers,
        folds=found.n_folds,
        judged=found.n_judged,
        left_out=found.n_left_out,
    )


class OutcomeTable(FactGrid):
    """The rows under their headings."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Results"))

    def show_rows(self, rows: tuple[CalibrationRow, ...]) -> None:
        """Show these rows."""
        headings = self.tr("Calibration"), self.tr("C_ECE (bit)"), self.tr("Cllr (bit)")
        self.show_table(headings, [(row.name, row.disclosure, row.cllr) for row in rows])


class CalibrationCard(ChoosingCard):
    """Whether scores mean what they say, and what was learnt on one entry of a pair, or within one."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        self._found: dict[str, tuple[_Question, Found]] = {}
        self._asked: _Question | None = None
        self._paired_for: str | None = None
        self.train = choice_box(QCoreApplication.translate("CalibrationCard", "Trained on"))
        self.test = choice_box(QCoreApplication.translate("CalibrationCard", "Judged on"))
        self.table = OutcomeTable()
        self.note = label(tone="quiet")
        super().__init__(session, (CALIBRATION, OVER_ESTIMATION, LEARNT, FOLDS), parent)

        self._pair = QWidget()
        form = QFormLayout(self._pair)
        form.setContentsMargins(0, 0, 0, 0)
        for box in (self.train, self.test):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(14)
            box.activated.connect(self.refresh)
            form.addRow(label(box.accessibleName(), "quiet"), box)
        self._learnt = QWidget()
        in_row(self._pair, self.table, 1, on=self._learnt, margins=0, spacing=24)
        self.body.insertWidget(2, self._learnt)
        self.body.insertWidget(3, self.note)
        self._show_learnt()

    @property
    def report(self) -> Found | None:
        """What was found for the picture and the entries of the moment."""
        about, found = self._found.get(self.picture.name, (None, None))
        return found if about is not None and about.is_same(self._question()) else None

    def forget(self) -> None:
        super().forget()
        self._found, self._asked, self._paired_for = {}, None, None
        self.table.forget()
        self.note.setText("")
        self.refresh()

    def choose(self, picture: PictureKind) -> None:
        self._asked = None
        super().choose(picture)

    def refresh(self) -> None:
        self._show_entries()
        self._show_learnt()
        super().refresh()

    def make_figure(self) -> MakeFigure | None:
        if self.picture.draw is not None:
            return super().make_figure()
        self._show_learnt()
        found, entries, mark = self.report, self._entries(), self.session.prior_mark
        if isinstance(found, LearntCalibration):
            train, test = entries
            return partial(learnt_calibration_figure, train, test, found, prior_log_odds=mark)
        if found is not None:
            return partial(cross_validation_figure, entries[0], found, prior_log_odds=mark)
        self._ask(self._question())
        return None

    def file_stem(self) -> str:
        names = distinct_names(self._entries())
        return self.picture.file_stem("-".join(names))

    def subjects(self) -> Sequence[Item]:
        return super().subjects() if self.picture.draw is not None else self._entries()

    def _entries(self) -> tuple[Entry, ...]:
        """The entries that the picture is about: trained on and judged on, or the selected one."""
        selected = (self.session.selected,) if self.session.selected else ()
        if self.picture is not LEARNT:
            return selected
        by_id = {entry.id: entry for entry in self.session.entries}
        chosen = [by_id.get(box.currentData()) for box in (self.train, self.test)]
        return tuple(entry for entry in chosen if entry is not None)

    def _show_entries(self) -> None:
        """Offer the entries of the project; another selection is judged, with the run most like it."""
        entries, selected = self.session.entries, self.session.selected
        known = {entry.id for entry in entries}
        chosen = [box.currentData() for box in (self.train, self.test)]
        if selected and (selected.id != self._paired_for or not known.issuperset(chosen)):
            chosen = [_run_like(selected, entries), selected.id]
        self._paired_for = selected.id if selected else None
        offered = [
            (shown_name(name), entry.id) for entry, name in zip(entries, distinct_names(entries), strict=True)
        ]
        for box, entry_id in zip((self.train, self.test), chosen, strict=True):
            if offered != [(box.itemText(place), box.itemData(place)) for place in range(box.count())]:
                box.clear()
                for name, known_id in offered:
                    box.addItem(name, known_id)
            box.setCurrentIndex(box.findData(entry_id))

    def _show_learnt(self) -> None:
        """Show what belongs to the picture of the moment, and the outcome as far as it is known."""
        is_learnt, found = self.picture.draw is None, self.report
        self._learnt.setVisible(is_learnt)
        self._pair.setVisible(self.picture is LEARNT)
        self.view.setVisible(not is_learnt or found is not None)
        self.table.setVisible(found is not None)
        self.note.setVisible(is_learnt)
        if found is not None:
            self.table.show_rows(rows_of(found))
            self.note.setText(notes_of(found))
            self.note.setVisible(bool(self.note.text()))

    def _question(self) -> _Question:
        one_in = self.session.prior if self.view_of_picture.at_prior else EVEN
        return _Question(self.picture.name, self._entries(), one_in)

    def _ask(self, question: _Question) -> None:
        if self._asked is not None and self._asked.is_same(question):
            return
        self._asked = question
        entries, one_in = question.entries, question.one_in
        start = partial(self.session.start_work, supersedes="learnt", urgency=Urgency.SEEN)
        if self.picture is FOLDS and len(entries) == 1:
            name = self.tr("Learning calibration on other speakers")
            job = start(name, work.learn_on_other_speakers, entries[0], one_in)
        elif self.picture is LEARNT and len({entry.id for entry in entries}) == 2:
            name = self.tr("Learning calibration")
            job = start(name, work.learn_and_judge, entries[0], entries[1], one_in)
        else:
            self.note.setText(
                self.tr("Choose two runs of a safeguard: calibration is learnt on one, judged on the other.")
            )
            return
        self.note.setText(self.tr("Learning…"))
        self._watch(job, question)

    def _watch(self, job: Job, question: _Question) -> None:
        def on_done(found: Found) -> None:
            self._found[question.picture] = question, found
            self._asked = None
            self.refresh()

        def on_failed(error: Exception) -> None:
            self.note.setText(str(error))

        def on_cancelled() -> None:
            if self._asked is question:
                self.note.setText(self.tr("Stopped. Choose the picture again to learn once more."))

        job.done.connect(on_done)
        job.failed.connect(on_failed)
        job.cancelled.connect(on_cancelled)


class CalibrationPane(PicturePane):
    """Calibration, empirical and learnt."""

    topic = "calibration"
    follows_prior = True

    card: CalibrationCard

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("CalibrationPane", "Calibration")

    def as_text(self) -> str:
        return self.card.table.as_text() if self.card.report else ""

    def _make_card(self) -> CalibrationCard:
        return CalibrationCard(self.session)


@dataclass(frozen=True, eq=False)
class _Question:
    """What is to be learnt: for which picture, of which entries, with the classes weighted to which prior."""

    picture: str
    entries: tuple[Entry, ...]
    one_in: int

    def is_same(self, other: _Question) -> bool:
        """Whether the answer is the same: these trials, whatever they are called by now."""
        mine, theirs = ((asked.picture, asked.one_in, len(asked.entries)) for asked in (self, other))
        return mine == theirs and all(
            one.assessment.rests_on == two.assessment.rests_on
            for one, two in zip(self.entries, other.entries, strict=True)
        )


def _run_like(entry: Entry, entries: Sequence[Entry]) -> str | None:
    """The id of the entry whose name is most like this one's: runs of a safeguard have similar names."""
    others = [other for other in entries if other.id != entry.id]
    if not others:
        return None
    return max(others, key=lambda other: SequenceMatcher(None, entry.name, other.name).ratio()).id
