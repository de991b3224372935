"""The intake sheet as a page of the window: files above, what is to be decided below.

What would do on the command line what the sheet does.

Who attacks, asked of everything that comes at once where no folder says it; "not stated" is an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QPushButton, QScrollArea, QSplitter, QWidget

from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.audit import Answers, Decision
from zebra_core.files.access import as_command
from zebra_core.intake.planned import FoundFile, PlannedAssessment, PlannedSimilarity
from zebra_core.intake.tables.table import FileRole
from zebra_core.project.attackers import LONGEST, AttackWords, lacking
from zebra_core.project.items import Attacker, Entry, Item
from zebra_core.project.reading.arrival import Arrival
from zebra_core.project.reading.reading import Attempt
from zebra_core.wording.texts import as_said, grouped, joined, named, visible_sentence
from zebra_gui.language.translating import for_count
from zebra_gui.panes.pane import Card
from zebra_gui.report.form import LineField
from zebra_gui.session.session import Session
from zebra_gui.sheet.file_card import FileCard, rows_as_text
from zebra_gui.tables.files import FileRow, FilesTable, FileState, rows_of_arrival
from zebra_gui.widgets.audit_view import AuditView, as_text
from zebra_gui.widgets.layouts import (
    ElidedLabel,
    Flow,
    choice_box,
    clear,
    in_column,
    in_row,
    label,
    shown_name,
)
from zebra_gui.widgets.wheel import ChoiceBox

_MOST_TABLE = 0.42  # of the height, for many files


class IntakeSheet(QWidget):
    """A view on the session's arrival; it changes nothing but by asking the session."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.heading = label(self.tr("These files need your answer"), "invitation")
        self.summary = label(tone="quiet")
        self.summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = FilesTable(self.tr("Files"), with_states=True)
        self.file_card = FileCard()
        self.assessments = AssessmentsCard()
        self.attack = AttackFields()
        self.copy_button = QPushButton(self.tr("Cop&y as text"))
        self.command_button = QPushButton(self.tr("Copy as co&mmand"))
        self.command_button.setToolTip(
            self.tr("What would assess the same files on the command line, one a line")
        )
        self.cancel_button = QPushButton(self.tr("&Cancel"))
        self.assess_button = QPushButton(self.tr("&Assess"))
        self.assess_button.setProperty("look", "main")
        self.remainder = ElidedLabel("quiet")
        self._lay_out()

        self.table.selectionModel().currentRowChanged.connect(self._show_file)
        self.table.files.modelReset.connect(self._show_file)
        self.file_card.answered.connect(session.arrivals.choose)
        self.assessments.decided.connect(self._on_decided)
        self.attack.said.connect(session.arrivals.say_attack)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.as_text()))
        self.command_button.clicked.connect(
            lambda: QGuiApplication.clipboard().setText("\n".join(self.as_commands()))
        )
        self.cancel_button.clicked.connect(session.arrivals.dismiss)
        self.assess_button.clicked.connect(self._accept)
        session.arrivals.arrival_changed.connect(self._show_arrival)
        self._show_arrival()

    def as_text(self) -> str:
        """Everything that the sheet says, to be pasted elsewhere."""
        arrival = self._session.arrivals.arrival
        if arrival is None:
            return ""
        rows = self.table.files.rows
        parts = [self.summary.text(), self.table.files.as_text(range(len(rows)))]
        parts += [row.reason for row in rows if row.state is FileState.REFUSED]
        for question in arrival.plan.questions:
            said = [str(question)]
            for alternative in question.alternatives:
                said += [f"– {alternative.words}", rows_as_text(alternative.preview)]
            parts.append("\n".join(said))
        return "\n\n".join(filter(None, [*parts, self.assessments.as_text(arrival)]))

    def as_commands(self) -> list[str]:
        """What would assess the same on the command line, one for each that is ready.

        Empty where some of it takes more than one score file and its key, each as it lies on disk.
        """
        arrival, attack = self._session.arrivals.arrival, self._session.arrivals.attack or AttackWords()
        ready = [one for one in arrival.tried if one.entry is not None] if arrival else []
        made = [command_of(one, attack) for one in ready]
        return [as_command(words) for words in made if words] if all(made) else []

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._share_room()
        self.table.setFocus()

    def _lay_out(self) -> None:
        head = in_column(self.heading, self.summary, spacing=2)
        at = Qt.AlignmentFlag.AlignBottom
        top = in_row((head, 1), (self.copy_button, 0, at), (self.command_button, 0, at))
        below = QSplitter(Qt.Orientation.Horizontal)
        below.addWidget(self.file_card)
        below.addWidget(self.assessments)
        below.setChildrenCollapsible(False)
        below.setSizes([500, 500])
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.addWidget(self.table)
        self._split.addWidget(below)
        self._split.setChildrenCollapsible(False)
        self._split.setStretchFactor(1, 1)
        in_column(
            top,
            (self._split, 1),
            self.attack,
            in_row((self.remainder, 1), self.cancel_button, self.assess_button, spacing=10),
            on=self,
            margins=(16, 8, 16, 12),
            spacing=10,
        )

    def _share_room(self) -> None:
        """The table takes what its rows need, and leaves most for the answers."""
        room = self._split.height()
        wanted = min(self.table.whole_height(), round(_MOST_TABLE * room))
        self._split.setSizes([wanted, room - wanted])

    def _show_arrival(self) -> None:
        arrival, answers = self._session.arrivals.arrival, self._session.arrivals.answers
        if arrival is None or answers is None:
            self.table.show_rows([])
            self.file_card.forget()
            self.assessments.forget()
            self.attack.show_items((), AttackWords())
            self.summary.setText("")
            self.remainder.show_text("")
            return
        self.table.show_rows(rows_of_arrival(arrival))
        if self.table.current is None and (first := _first_to_look_at(self.table.files.rows)):
            self.table.look_at(first.source)
        self._show_file()
        self.assessments.show_arrival(arrival, answers)
        self.attack.show_items(arrival.entries, self._session.arrivals.attack or AttackWords())
        self.summary.setText(self._summary(arrival))
        ready, all_of_them = len(arrival.entries), len(arrival.tried)
        words = self.tr("&Assess {count}") if ready == all_of_them else self.tr("&Assess {count} of {all}")
        self.assess_button.setText(
            words.format(count=ready, all=all_of_them) if ready else self.tr("&Assess")
        )
        self.command_button.setEnabled(bool(self.as_commands()))
        self.assess_button.setEnabled(bool(ready) and not self._session.arrivals.is_answering)
        self.remainder.show_text(self._remainder(arrival))

    def _show_file(self) -> None:
        arrival, answers = self._session.arrivals.arrival, self._session.arrivals.answers
        if arrival is not None and answers is not None:
            self.file_card.show_file(self.table.current, arrival, answers)

    def _on_decided(self, places: list[str], decision: object, holds: bool) -> None:
        self._session.arrivals.allow(places, decision, holds=holds)  # type: ignore[arg-type]

    def _accept(self) -> None:
        """Accept the arrival, with what is being typed: the button's key leaves the focus where it is."""
        self._session.arrivals.say_attack(self.attack.words)
        self._session.arrivals.accept()

    def _summary(self, arrival: Arrival) -> str:
        """How many of what."""
        rows = self.table.files.rows
        ready, asked, broken = len(arrival.entries), len(arrival.plan.questions), len(arrival.plan.problems)
        failed = sum(one.entry is None for one in arrival.tried)
        unused = sum(row.state is FileState.UNUSED for row in rows)
        counts = (
            (len(rows), for_count("IntakeSheet", "1 file", "{count} files", len(rows))),
            (ready, for_count("IntakeSheet", "1 assessment ready", "{count} assessments ready", ready)),
            (asked, for_count("IntakeSheet", "1 question", "{count} questions", asked)),
            (failed, for_count("IntakeSheet", "1 failed audit", "{count} failed audits", failed)),
            (unused, for_count("IntakeSheet", "1 file not used", "{count} files not used", unused)),
            (broken, for_count("IntakeSheet", "1 not readable", "{count} not readable", broken)),
        )
        return " · ".join(words.format(count=count) for count, words in counts if count)

    def _remainder(self, arrival: Arrival) -> str:
        """What becomes of the rest when the user goes on now."""
        if self._session.arrivals.is_answering:
            return self.tr("Applying your answer…")
        if not arrival.entries:
            return self.tr("Nothing is ready yet: answer above, or drop the missing files on this window.")
        if arrival.plan.questions or arrival.failures or arrival.plan.problems or arrival.plan.unused:
            return self.tr(
                "Whatever is not ready is left out. You can still drop missing files on this window."
            )
        return self.tr("Everything is clear.")


def _first_to_look_at(rows: Sequence[FileRow]) -> FileRow | None:
    """A file with a question, else one that failed, else the first."""
    by_state = {row.state: row for row in reversed(rows)}
    return by_state.get(FileState.ASKED) or by_state.get(FileState.FAILED) or next(iter(rows), None)


_READ_ONE_WAY = frozenset({FileRole.TRANSCRIPT, FileRole.SPEAKERS})
_Given = list[tuple[str, FoundFile | str]]  # options and their values


def command_of(one: Attempt[Item], attack: AttackWords) -> list[str]:
    """The words of the command; none where it takes other files than one can name, or parts of files."""
    if isinstance(one.planned, PlannedSimilarity):
        command, given = "similarity", _of_matrices(one.planned)
    else:
        command, given = "assess", _of_trials(one.planned)
    files = [file for _, file in given if isinstance(file, FoundFile)]
    paths = [str(file.source.path) for file in files]
    is_plain = all(path.isprintable() and "=" not in path for path in paths)
    if (
        {file.source.place for file in one.planned.files} != {file.source.place for file in files}
        or any(file.source.member for file in files)
        or not is_plain
    ):
        return []
    made = ["zebra", command]
    for option, value in given:
        made += [option, str(value.source.path) if isinstance(value, FoundFile) else value]
    for file, path in zip(files, paths, strict=True):
        if file.role not in _READ_ONE_WAY:
            made += ["--read", f"{path}={file.reading.choice}"]
    for decision in sorted(each.value for each in one.allow):
        made += ["--allow", decision]
    return [*made, *_named(one, attack)]


def _of_trials(planned: PlannedAssessment) -> _Given:
    key: _Given = [("-k", planned.key)] if planned.key else []
    if not planned.is_by_words:
        return [("-s", planned.scores), *key]
    speakers = planned.speakers or (planned.rule.value if planned.rule else None)
    sides: _Given = [("--transcripts", side) for side in (planned.enrolled, planned.scores) if side]
    return [*sides, *key, *([("--speakers", speakers)] if speakers else [])]


def _of_matrices(planned: PlannedSimilarity) -> _Given:
    sides: _Given = [(f"--{setting}", file) for setting, file in planned.settings.items()]
    who = planned.speakers
    return [*sides, ("--speakers", who if isinstance(who, FoundFile) else who.value)]


def _named(one: Attempt[Item], attack: AttackWords) -> list[str]:
    """What it is called, and by whom it was attacked."""
    if not isinstance(one.entry, Entry):
        return ["-l", one.planned.name]
    said = attack.said_of(one.entry).entries[0]
    words = {"-l": said.name}
    words |= {f"--{name.replace('_', '-')}": text for name, text in said.attacked_by.items()}
    return [part for option, text in words.items() if text for part in (option, text)]


_AROUND = 30  # pixels about a text in its field


class AttackFields(QWidget):
    """What the attacker knows, their recogniser and its back end, in a line.

    Signals:
        said: AttackWords, all that the fields say.
    """

    said = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = label(tone="quiet")
        self.about.setWordWrap(False)
        self.attacker = choice_box(
            self.tr("What the attacker knows"),
            (self.tr("Knowledge not stated"), ""),
            (self.tr("Ignorant"), Attacker.IGNORANT.value),
            (self.tr("Lazy-informed"), Attacker.LAZY_INFORMED.value),
            (self.tr("Semi-informed"), Attacker.SEMI_INFORMED.value),
            (self.tr("Fully informed"), Attacker.FULLY_INFORMED.value),
        )
        self.recogniser = LineField(self.tr("Recogniser of the attacker"))
        self.recogniser.setPlaceholderText(self.tr("Recogniser not stated"))
        self.back_end = LineField(self.tr("Back end of the recogniser"))
        self.back_end.setPlaceholderText(self.tr("Back end not stated"))
        self.about.setMinimumHeight(self.attacker.sizeHint().height())  # on one line with the fields
        self.about.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        layout = Flow()
        layout.addWidget(self.about)
        fields = (self.attacker, self.recogniser, self.back_end)
        self._fields: dict[str, LineField | ChoiceBox] = dict(zip(ATTACK, fields, strict=True))
        for field in self._fields.values():
            layout.addWidget(field)
        self.setLayout(layout)
        for line in (self.recogniser, self.back_end):
            line.setMaxLength(LONGEST)
            line.setMinimumWidth(line.fontMetrics().horizontalAdvance(line.placeholderText()) + _AROUND)
            line.settled.connect(lambda _text: self._say())
        self.attacker.activated.connect(lambda _place: self._say())
        self.hide()

    @property
    def words(self) -> AttackWords:
        """What the fields say."""
        known = str(self.attacker.currentData())
        lines = {"recogniser": self.recogniser.text(), "back_end": self.back_end.text()}
        return AttackWords.typed(attacker=known, **lines)

    def show_items(self, items: Sequence[Item], words: AttackWords) -> None:
        """Ask of what nobody said of these; nothing is shown where all is stated."""
        missing = lacking(items)
        for name, count in missing.items():
            self._fields[name].show_value(words.attacked_by[name])
            self._fields[name].setVisible(count > 0)
        most = max(missing.values())
        sentence = for_count(
            "AttackFields",
            "Nobody has said who attacks in one assessment:",
            "Nobody has said who attacks in {count} assessments:",
            most,
        )
        self.about.setText(sentence.format(count=most))
        self.setVisible(most > 0)

    def _say(self) -> None:
        self.said.emit(self.words)


# What the files come to: each planned assessment with its audit, those that failed first.


class AssessmentsCard(Card):
    """The planned assessments of an arrival.

    Signals:
        decided: places of score files, a Decision, and whether it holds.
    """

    decided = Signal(list, object, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = label(tone="heading")
        self.views: dict[str, AuditView] = {}
        self.for_all: dict[Decision, QCheckBox] = {}
        self._shown: tuple[object, ...] | None = None
        inside = QWidget()
        inside.setProperty("look", "scrolled")
        self._layout = in_column(on=inside, margins=(0, 2, 4, 0), spacing=5)
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Assessments"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self.body.addWidget(self.heading)
        self.body.addWidget(scroll, 1)

    def show_arrival(self, arrival: Arrival, answers: Answers) -> None:
        """Show what the files come to."""
        shown = (*arrival.tried, answers.allowed)
        if shown == self._shown:
            return
        self._shown = shown
        focused = self._focused()
        self.heading.setText(self._heading(arrival))
        clear(self._layout)
        self.views, self.for_all = {}, {}
        self._add_decisions_for_all(arrival.tried, answers)
        for one in sorted(arrival.tried, key=lambda tried: tried.entry is not None):
            self._add(one, answers)
        if not arrival.tried:
            self._layout.addWidget(
                label(
                    self.tr("Nothing can be assessed yet. Answer the questions, or drop the missing files."),
                    "quiet",
                )
            )
        self._layout.addStretch(1)
        self._focus(focused)

    def forget(self) -> None:
        """Show no assessments."""
        self._shown = None
        self.heading.setText("")
        clear(self._layout)
        self.views, self.for_all = {}, {}

    def as_text(self, arrival: Arrival) -> str:
        """Everything that is said here."""
        parts = []
        for one in arrival.tried:
            said = as_text(one.audit) if one.audit else str(one.failure)
            parts.append("\n".join(filter(None, [named(name_of(one), self._outcome(one)), said])))
        return "\n\n".join(parts)

    def _heading(self, arrival: Arrival) -> str:
        count = len(arrival.tried)
        if not count:
            return self.tr("No assessment yet")
        return for_count("AssessmentsCard", "1 assessment", "{count} assessments", count).format(count=count)

    def _add(self, one: Attempt[Item], answers: Answers) -> None:
        place = one.planned.place
        self._layout.addSpacing(4)
        self._layout.addWidget(_selectable(label(name_of(one), "subheading")))
        self._layout.addWidget(_selectable(label(self._outcome(one), "quiet")))
        if one.audit is None:
            return
        view = AuditView(with_counts=False)
        view.show_audit(one.audit, answers.decisions_for(place))
        view.decided.connect(lambda decision, holds: self.decided.emit([place], decision, holds))
        self.views[place] = view
        self._layout.addWidget(view)

    def _outcome(self, one: Attempt[Item]) -> str:
        """What can be assessed, or that nothing can."""
        if one.error is not None:
            return visible_sentence(str(one.error), 2000)
        files = joined([shown_name(file.source.name) for file in one.planned.files])
        if one.entry is None:
            return self.tr("No figures: the audit of {files} failed.").format(files=files)
        for entry in one.entries:
            return self.tr("{target} target and {nontarget} nontarget trials, from {files}").format(
                target=grouped(entry.assessment.n_target),
                nontarget=grouped(entry.assessment.n_nontarget),
                files=files,
            )
        words = self.tr("Voice similarity in {settings}, from {files}")
        settings = [setting.upper() for setting in one.entry.settings]
        return words.format(settings=joined(settings), files=files)

    def _add_decisions_for_all(self, tried: Sequence[Attempt[Item]], answers: Answers) -> None:
        """One box for what would lift an error of several assessments, or was decided for several."""
        offered = Counter(decision for one in tried for decision in _open_to(one, answers))
        for decision, count in offered.items():
            if count < 2:
                continue
            places = [one.planned.place for one in tried if decision in _open_to(one, answers)]
            box = QCheckBox(
                self.tr("For all {count}: {decision}").format(count=count, decision=str(decision))
            )
            box.setAccessibleName(box.text())
            box.setChecked(all(decision in answers.decisions_for(place) for place in places))
            box.toggled.connect(
                lambda on, decision=decision, places=places: self.decided.emit(places, decision, on)
            )
            self.for_all[decision] = box
            self._layout.addWidget(box)

    def _focused(self) -> tuple[str, Decision] | None:
        boxes = [("", self.for_all), *((place, view.boxes) for place, view in self.views.items())]
        found = [(place, one) for place, of in boxes for one, box in of.items() if box.hasFocus()]
        return found[0] if found else None

    def _focus(self, focused: tuple[str, Decision] | None) -> None:
        """The box that had the focus before everything was made anew has it again."""
        if focused is None:
            return
        place, decision = focused
        boxes = self.views[place].boxes if place in self.views else self.for_all
        if decision in boxes:
            boxes[decision].setFocus()


def name_of(one: Attempt[Item]) -> str:
    """The name of a planned assessment, with its condition where that is known."""
    run = one.planned.run
    safeguard = as_said(one.planned.name, "name")
    name = shown_name(f"{safeguard} {run}" if run else safeguard)
    return f"{name} {one.planned.condition}" if one.planned.condition else name


def _open_to(one: Attempt[Item], answers: Answers) -> set[Decision]:
    """The decisions that may be made about an assessment, and those that were."""
    offered = {decision for finding in one.errors for decision in finding.lifted_by}
    return offered | answers.decisions_for(one.planned.place)


def _selectable(text: QWidget) -> QWidget:
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)  # type: ignore[attr-defined]
    return text
