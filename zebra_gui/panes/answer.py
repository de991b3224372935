"""The answer: a sentence, a picture and a box of facts; and why, in a card for each safeguard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QSignalBlocker, Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QToolButton, QWidget

from zebra_core.evidence.speaker_names import SessionRule, sessions_as_text, sessions_of_text
from zebra_core.figures.answer import answer_figure
from zebra_core.figures.figure import tag_colour
from zebra_core.project.comparison.comparison import repeated_scores
from zebra_core.project.conclusion.conclusion import Conclusion
from zebra_core.project.conclusion.overall import (
    FactBox,
    ProjectAnswer,
    in_a_line,
    is_measured,
    missing_in_all,
    on_the_whole,
)
from zebra_core.project.items import Condition, Item, tag_is_open
from zebra_core.project.project import Project
from zebra_core.project.report_settings import MOST_PEOPLE
from zebra_core.wording.texts import say, visible_sentence
from zebra_gui.panes.pane import Card, FigureCard, MakeFigure, Pane
from zebra_gui.plots.figure import FigureView
from zebra_gui.session.session import Session
from zebra_gui.settings import settings
from zebra_gui.tables.rows import FactGrid, Sideways
from zebra_gui.widgets.badge import TagBadge
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.layouts import (
    ElidedLabel,
    Flow,
    WhenVisible,
    choice_box,
    clear,
    in_column,
    in_row,
    label,
    shown_name,
    tell,
)
from zebra_gui.widgets.theme import with_text

_LONGEST = 3000
_BADGE = 34  # pixels
_WHY = "answer/why"
_ROW, _LARGE_ROW, _AROUND = 21, 40, 120  # pixels of the picture, with text in its normal size
_MOST_LARGE_ROWS = 6
_MOST_CARDS = 12
"""More safeguards have a line: the one that the question is about has a card in any case."""


class AnswerCard(Card):
    """The answer for one safeguard: people first and in larger print, then averages, rank and verdicts."""

    def __init__(self, one: Conclusion, in_all: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.badge = TagBadge(_BADGE)
        telling = one.most_telling
        chance = telling.trust.on_the_tag if telling.trust else ""
        colour = tag_colour(telling.assessment.settings.tag_scale, telling.assessment.reading_tag)
        self.badge.show_tag(one.tag_in_words, colour, chance, is_open=tag_is_open(telling))
        if not one.tag_in_words:  # nothing is shown of the safeguard
            self.badge.hide()
        self.name = ElidedLabel("heading")
        self.name.show_text(shown_name(one.safeguard))
        self.attack = _said(one.attack_in_words, "quiet")
        self.small = _said(one.alarm_in_words, "warning")
        self.naming = _said(one.naming_in_words, "lead")
        self.person = _said(one.person_in_words)
        figures = (one.average_in_words, one.single_in_words, str(one.rank or ""))
        self.figures = _said(" ".join(filter(None, figures)))
        self.verdicts = _said("\n".join(one.verdicts_in_words))
        self.missing = _said(" ".join(each for each in one.missing if each not in in_all), "quiet")
        head = in_column(self.name, self.attack, margins=0, spacing=1)
        self.body.addLayout(in_row((self.badge, 0, Qt.AlignmentFlag.AlignTop), (head, 1), spacing=10))
        for text in (self.small, self.naming, self.person, self.figures, self.verdicts, self.missing):
            if text.text():
                self.body.addWidget(text)
        self.setAccessibleName(shown_name(one.safeguard))


class AnswerPictureCard(FigureCard):
    """How often the right person is named, a row of marks for each safeguard."""

    view: FigureView

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, FigureView(lambda line, _point: line.label or ""), parent)
        session.conclusions.found.connect(self.refresh)

    @property
    def is_quick(self) -> bool:
        return False

    def make_figure(self) -> MakeFigure | None:
        known = self.session.conclusions.known
        return partial(answer_figure, known.conclusions) if known and is_measured(known.conclusions) else None

    def file_stem(self) -> str:
        return "answer"

    def subjects(self) -> Sequence[Item]:
        return ()

    def make_picture(self) -> MakeFigure | None:
        return self.make_figure()  # its caption is its own

    def refresh(self) -> None:
        self._make_room()
        super().refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._make_room()

    def _make_room(self) -> None:
        known = self.session.conclusions.known
        rows = len(known.conclusions) + 2 if known else 0
        high = _AROUND + rows * (_LARGE_ROW if rows <= _MOST_LARGE_ROWS else _ROW)
        self.view.setMinimumHeight(with_text(high, self))


def _said(text: str, tone: str = "") -> QLabel:
    made = label(_visible_lines(text), tone)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def _visible_lines(text: str) -> str:
    """Sentences as they can be shown, a line each where they are several."""
    return "\n".join(visible_sentence(line, _LONGEST) for line in text.split("\n"))


class AnswerPane(Pane):
    """What a reader takes away first: how often the right person is named, under the strongest attack."""

    topic = "answer"

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(session, parent)
        self.people = WholeBox()
        self.people.setRange(1, MOST_PEOPLE)
        self.people.setSpecialValueText(self.tr("as many as are enrolled, at most 20"))
        self.people.setKeyboardTracking(False)
        self.people.setAccessibleName(self.tr("Among how many people somebody is named"))
        self.safeguard = choice_box(self.tr("The safeguard that the question is about"))
        self.sessions = choice_box(self.tr("Which recordings are of one session"))
        self.sessions.setObjectName("sessions")
        self.sentence = label(tone="lead")
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.left_out = label()
        self.take_in = QPushButton(self.tr("Tick everything"))
        self.picture = AnswerPictureCard(session)
        self.box = FactGrid(wraps=True)
        self.box.setAccessibleName(self.tr("The facts"))
        self._facts = Sideways(self.box)
        self._facts.setAccessibleName(self.box.accessibleName())
        self.why = QToolButton()
        self.why.setText(self.tr("Why?"))
        self.why.setToolTip(self.tr("What each of these figures rests on, safeguard by safeguard"))
        self.why.setCheckable(True)
        self.why.setChecked(bool(settings().value(_WHY, False, bool)))
        self.why.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.why.toggled.connect(self._on_why)
        self.reasons = QWidget()
        self.on_the_whole = label(tone="warning")
        self.keep_one = QPushButton(self.tr("Keep one of each"))
        self.waiting = label(tone="quiet")
        self.measure = QPushButton(self.tr("Compute the intervals"))
        self.settle = QPushButton(self.tr("Test the differences"))
        self.decide = QPushButton(self.tr("Compute what the requirements need"))
        self.missing = label(tone="quiet")
        self.cards: tuple[AnswerCard, ...] = ()
        self._lay_out()
        self.people.valueChanged.connect(self._on_people)
        self.safeguard.activated.connect(self._on_safeguard)
        self.sessions.settled.connect(
            lambda text: session.set_sessions(sessions_of_text(text) if text else None)
        )
        self.measure.clicked.connect(session.intervals.measure_all)
        self.settle.clicked.connect(session.intervals.settle_differences)
        self.decide.clicked.connect(session.requirements.measure)
        self.take_in.clicked.connect(self._on_take_in)
        self.keep_one.clicked.connect(self._on_keep_one)
        self._when_visible = WhenVisible(self._page, self._look, only_visible=True)
        session.project_changed.connect(self._on_project_changed)
        session.conclusions.found.connect(self._show)
        session.intervals.advanced.connect(self._show_waiting)
        session.requirements.decided.connect(self._show_waiting)
        self._show()

    @staticmethod
    def title() -> str:
        return QCoreApplication.translate("AnswerPane", "Answer")

    def forget(self) -> None:
        self._show()

    def as_text(self) -> str:
        return str(self.session.conclusions.known or "")

    def figure_cards(self) -> tuple[FigureCard, ...]:
        return (self.picture,)

    def _lay_out(self) -> None:
        self._page = QFrame()
        self._page.setProperty("look", "scrolled")
        asked = Flow()
        self._asked_sessions = QWidget()
        for words, field, pair in (
            (self.tr("People to choose from"), self.people, QWidget()),
            (self.tr("The question is about"), self.safeguard, QWidget()),
            (self.tr("One session"), self.sessions, self._asked_sessions),
        ):
            head = label(words)
            head.setWordWrap(False)
            head.setBuddy(field)
            beside = Flow(across=6)
            beside.addWidget(head)
            beside.addWidget(field)
            pair.setLayout(beside)
            asked.addWidget(pair)
        buttons = Flow()
        for button in (self.take_in, self.keep_one):
            button.setAutoDefault(False)
        for button in (self.measure, self.settle, self.decide):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        self._column = in_column(margins=0, spacing=10)
        in_column(self._column, self.missing, on=self.reasons, margins=0, spacing=8)
        in_column(
            asked,
            in_row((self.on_the_whole, 1), self.keep_one, spacing=8),
            self.sentence,
            in_row((self.left_out, 1), self.take_in, spacing=8),
            self.waiting,
            self.picture,
            self._facts,
            in_row(self.why, 1, spacing=8),
            self.reasons,
            buttons,
            1,
            on=self._page,
            margins=2,
            spacing=8,
        )
        scroll = QScrollArea()
        scroll.setAccessibleName(self.tr("Answer"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._page)
        in_column(scroll, on=self, margins=0)

    def _on_project_changed(self) -> None:
        self._show_question()
        self._when_visible.refresh()

    def _look(self) -> None:
        self.session.conclusions.look()
        self._show_waiting()

    def _show(self) -> None:
        known, project = self.session.conclusions.known or ProjectAnswer(), self.session.project
        found = known.conclusions
        self._show_question()
        tell(self.sentence, self.tr("In one sentence"), visible_sentence(known.sentence, _LONGEST))
        tell(self.left_out, self.tr("Left out"), visible_sentence(known.left_out, _LONGEST))
        for widget in (self.left_out, self.take_in):
            widget.setVisible(bool(known.left_out))
        self.picture.setVisible(is_measured(found))
        self.why.setVisible(bool(found))
        self._show_box(known.box)
        self.reasons.setVisible(bool(found) and self.why.isChecked())
        told_below = (*missing_in_all(found), *self._under_way)
        clear(self._column)
        self.cards = tuple(AnswerCard(one, told_below) for one in found[:_MOST_CARDS])
        for card in self.cards:
            self._column.addWidget(card)
        if others := found[_MOST_CARDS:]:
            self._column.addWidget(_said("\n".join(map(in_a_line, others))))
        above = " ".join(on_the_whole(project)) if project else ""
        tell(self.on_the_whole, self.tr("Remark"), visible_sentence(above, _LONGEST))
        self.on_the_whole.setVisible(bool(above))
        self.keep_one.setVisible(bool(repeated_scores(self.session.entries)))
        self._show_waiting()

    def _show_waiting(self) -> None:
        """What is still worked out, so that no figure changes unannounced, and what can be asked for."""
        session, known = self.session, self.session.conclusions.known
        found = known.conclusions if known else ()
        if session.intervals.is_measuring:
            text = self.tr("The intervals are being computed: averages stand as computed until then.")
        elif session.conclusions.is_looking:
            text = self.tr("Looking at the people: how often they are named comes in a moment.")
        else:
            text = ""
        tell(self.waiting, self.tr("Under way"), text)
        self.waiting.setVisible(bool(text))
        lacking = [each for each in missing_in_all(found) if each not in self._under_way]
        below = " ".join([*lacking, say("conclusion.limits")]) if found else ""
        tell(self.missing, self.tr("What is missing"), visible_sentence(below, _LONGEST))
        self.missing.setVisible(bool(below))
        lacks_intervals = any(one.strongest.trust is None for one in found)
        self.measure.setVisible(lacks_intervals and not session.intervals.is_measuring)
        untested = any(one.rank and one.rank.low is None and one.rank.can_be_tested for one in found)
        self.settle.setVisible(untested and not session.intervals.is_settling)
        self.decide.setVisible(session.requirements.lacks_bounds)

    def _show_box(self, box: FactBox) -> None:
        """Cells of two lines: what is known, and how surely."""
        rows = [
            (name, *("\n".join(filter(None, (one.text, one.beside))) for one in cells))
            for name, cells in box.rows
        ]
        meanings = [name for name, _ in box.rows]
        self._facts.setVisible(bool(rows))
        self.box.show_table(box.columns, rows, meanings, (0,))

    def _on_why(self, is_open: bool) -> None:
        settings().setValue(_WHY, is_open)
        self.reasons.setVisible(is_open)

    @property
    def _under_way(self) -> tuple[str, ...]:
        """What is missing no longer than until it is computed."""
        return (say("conclusion.no-intervals"),) if self.session.intervals.is_measuring else ()

    def _show_question(self) -> None:
        """Among how many, and which safeguard, as the project says it."""
        project = self.session.project or Project()
        names = {entry.own_name: None for entry in project.entries if entry.condition is not Condition.OO}
        self._show_sessions(project)
        with QSignalBlocker(self.people), QSignalBlocker(self.safeguard):
            self.people.setValue(project.report.people or 1)
            self.safeguard.clear()
            self.safeguard.addItem(self.tr("all of them"), "")
            for name in names:
                self.safeguard.addItem(shown_name(name), name)
            asked = project.report.safeguard
            if asked and asked not in names:
                self.safeguard.addItem(shown_name(asked), asked)
            self.safeguard.setCurrentIndex(max(0, self.safeguard.findData(asked)))
        for widget in (self.people, self.safeguard):
            widget.setEnabled(bool(names))

    def _show_sessions(self, project: Project) -> None:
        """Which recordings are of one session, asked where their ids have more in common than the person."""
        known = self.session.conclusions.known or ProjectAnswer()
        stated = next((each.sessions for each in project.entries if each.sessions is not None), None)
        text = "" if stated is None else sessions_as_text(stated)
        rules = (
            (self.tr("not stated"), ""),
            (self.tr("each recording by itself"), sessions_as_text({})),
            (self.tr("the same id before its last hyphen"), SessionRule.BEFORE_LAST_HYPHEN.value),
            (self.tr("the same id before its last underscore"), SessionRule.BEFORE_LAST_UNDERSCORE.value),
            (self.tr("the same folder"), SessionRule.FOLDER.value),
            (self.tr("all recordings of a person"), SessionRule.SPEAKER.value),
        )
        from_file = [] if text in [value for _, value in rules] else [(self.tr("as in a file"), text)]
        self.sessions.offer((*rules, *from_file))
        self.sessions.show_value(text)
        is_asked = bool(text) or any(
            one.naming and one.naming.rate.may_share_sessions for one in known.conclusions
        )
        self._asked_sessions.setVisible(is_asked)

    def _on_take_in(self) -> None:
        self.session.edits.tick([item.id for item in self.session.items], is_ticked=True)

    def _on_keep_one(self) -> None:
        copies = [one.id for each in repeated_scores(self.session.entries) for one in each.copies]
        self.session.edits.tick(copies, is_ticked=False)

    def _on_people(self, people: int) -> None:
        self._ask(people=people if people > 1 else None)

    def _on_safeguard(self, place: int) -> None:
        self._ask(safeguard=str(self.safeguard.itemData(place)))

    def _ask(self, **said: object) -> None:
        if (project := self.session.project) is not None:
            self.session.set_report(replace(project.report, **said))  # type: ignore[arg-type]
