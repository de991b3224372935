"""What is required, and whether it is met: verdicts in a list, and a form to write requirements in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QFormLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from zebra_core.errors import InputError, ZebraError
from zebra_core.files.access import write_file
from zebra_core.metrics.error_rates import FALSE_ALARM_RATES
from zebra_core.metrics.registry import RATE
from zebra_core.project.attributes import names_of_attributes
from zebra_core.project.by_group import attribute_name
from zebra_core.project.items import Condition, Entry, attack_as_said
from zebra_core.project.report_settings import USUAL_PEOPLE
from zebra_core.project.requirements.figures import ASKED_FIRST, REQUIRABLE, SHARE_AT_TAG, TAG
from zebra_core.project.requirements.requirement import (
    QUESTIONS,
    Requirement,
    RequirementDetail,
    Scope,
    Sense,
    requirements_text,
)
from zebra_core.project.verdicts.verdict import Verdict, VerdictOutcome
from zebra_core.wording.texts import grouped, named, say, typed_number, visible_sentence, with_decimal_sign
from zebra_gui.dialogs import Dialogs
from zebra_gui.report.form import LineField
from zebra_gui.session.session import Session
from zebra_gui.widgets.layouts import (
    Flow,
    SentenceList,
    choice_box,
    in_column,
    label,
    scroll_to,
    shown_name,
    tell,
    tooltip,
)

_SIGNS = {VerdictOutcome.MET: "✓", VerdictOutcome.NOT_MET: "✗", VerdictOutcome.NOT_DECIDED: "?"}
_LONGEST = 1500
_MOST_ROWS = 6


class RequirementsCard(QWidget):
    """The requirements of the project with their verdicts; gone where there are none and none is written."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.dialogs = Dialogs(self)
        self.heading = label(say("verdict.head"), "heading")
        self.list = SentenceList(say("verdict.head"), _MOST_ROWS)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.form = RequirementForm()
        self.form.hide()
        self.problem = label("", "warning")
        self.problem.hide()
        self.new = QPushButton(self.tr("New requirement"))
        self.edit = QPushButton(self.tr("Change"))
        self.remove = QPushButton(self.tr("Remove"))
        self.measure = QPushButton(self.tr("Compute the intervals they need"))
        self.export = QPushButton(self.tr("Save as a file of requirements…"))
        buttons = Flow()
        for button in (self.new, self.edit, self.remove, self.measure, self.export):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        in_column(
            self.heading,
            self.list,
            buttons,
            self.form,
            self.problem,
            on=self,
            margins=(4, 0, 4, 0),
            spacing=6,
        )
        self._connect()
        self._show()

    def _connect(self) -> None:
        self.new.clicked.connect(self.begin)
        self.edit.clicked.connect(self._on_edit)
        self.remove.clicked.connect(self._on_remove)
        self.measure.clicked.connect(self._session.requirements.measure)
        self.export.clicked.connect(self._on_export)
        self.list.itemSelectionChanged.connect(self._show_buttons)
        self.list.itemActivated.connect(lambda _item: self._on_edit())
        self.form.finished.connect(self._on_finished)
        self.form.left.connect(self._on_left)
        self.form.changed.connect(self._ask_what_it_takes)
        self._session.requirements.reached.connect(self.form.show_what_it_takes)
        self._session.requirements.decided.connect(self._show)
        self._session.project_changed.connect(self._show)
        self._session.left.connect(self.forget)

    def begin(self) -> None:
        """Write a new requirement."""
        self._tell("")
        project = self._session.project
        people = project.report.people if project else None
        self.form.begin(None, self._session.entries, self._session.requirements.asked, people)
        self._show()

    def forget(self) -> None:
        """Nothing of another project stays, whatever is being written."""
        self.form.hide()
        self._tell("")
        self._show()

    def _show(self) -> None:
        """The verdicts; of what is not worked out yet, what is required."""
        asked = self._session.requirements.asked
        known = {each.requirement.name: each for each in self._session.requirements.verdicts}
        chosen = {item.data(Qt.ItemDataRole.UserRole) for item in self.list.selectedItems()}
        self.list.clear()
        for each in asked:
            item = QListWidgetItem(_verdict_line(each, known.get(each.name)))
            item.setData(Qt.ItemDataRole.UserRole, each.name)
            item.setToolTip(_details(each))
            self.list.addItem(item)
            item.setSelected(each.name in chosen)
        if asked and self.list.currentRow() < 0:
            self.list.setCurrentRow(0, QItemSelectionModel.SelectionFlag.NoUpdate)  # nobody chose it
        self.setVisible(bool(asked) or not self.form.isHidden())
        self.list.setVisible(bool(asked))
        self.list.fit()
        self._show_buttons()

    def _show_buttons(self) -> None:
        asked = self._session.requirements.asked
        has_choice = bool(self.list.selectedItems())
        self.edit.setEnabled(has_choice)
        self.remove.setEnabled(has_choice)
        self.export.setEnabled(bool(asked))
        self.measure.setVisible(bool(asked) and self._session.requirements.lacks_bounds)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self.list.fit()

    def _chosen(self) -> list[str]:
        return [str(item.data(Qt.ItemDataRole.UserRole)) for item in self.list.selectedItems()]

    def _on_edit(self) -> None:
        chosen = self._chosen()
        asked = [each for each in self._session.requirements.asked if each.name in chosen[:1]]
        if asked:
            self._tell("")
            self.form.begin(asked[0], self._session.entries, self._session.requirements.asked)

    def _on_remove(self) -> None:
        self._session.requirements.remove(self._chosen())

    def _on_finished(self) -> None:
        try:
            made, instead_of = self.form.made(), self.form.instead_of
            if self._session.project is not None:
                made.checked_on(self._session.project.tag_scale)
            self._session.requirements.put(made, instead_of)
        except ZebraError as error:
            self._tell(_in_the_form(error))
            return
        self._on_left()

    def _ask_what_it_takes(self) -> None:
        """Of what the fields say, once they say something that can be required."""
        if self.form.isHidden():
            return
        with suppress(ZebraError):
            self._session.requirements.ask_what_it_takes(self.form.made())

    def _on_left(self) -> None:
        self.form.hide()
        self._tell("")
        self._show()
        self.new.setFocus()

    def _on_export(self) -> None:
        path = self.dialogs.ask_place("requirements", "requirements.toml")
        if path is not None:
            try:
                text = requirements_text(self._session.requirements.asked)
                write_file(path, text.encode(), overwrite=True)
            except ZebraError as error:
                self._tell(str(error))

    def _tell(self, text: str) -> None:
        tell(self.problem, self.tr("Remark"), text)
        self.problem.setVisible(bool(text))
        if text:  # once it is laid out: it stands below the form, perhaps below the window
            QTimer.singleShot(0, self, partial(scroll_to, self.problem))


def _in_the_form(error: ZebraError) -> str:
    """What is wrong, with a figure as the form calls it and not as files do."""
    if (name := error.facts.get("name")) in REQUIRABLE:
        error.facts["name"] = REQUIRABLE[str(name)].name
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}"


def _verdict_line(asked: Requirement, verdict: Verdict | None) -> str:
    if verdict is None or verdict.requirement != asked:
        return visible_sentence("…  " + named(asked.name, asked.in_words), _LONGEST)
    return visible_sentence(f"{_SIGNS[verdict.outcome]}  {verdict.line}", _LONGEST)


def _details(asked: Requirement) -> str:
    """What is demanded, of what, why, by whom, and since when."""
    by = say("requirement.set-by", by=asked.set_by) if asked.set_by else ""
    parts = (asked.in_words, asked.scope.in_words, asked.why, by, str(asked.recorded))
    return tooltip("\n".join(filter(None, parts)))


# The form in which a requirement is written: figure, bound, confidence, scope, why and by whom.


_NO_WORSE = "no_worse_than"
_FIRST_CONFIDENCE = 0.95

_IN_WORDS = re.compile(
    r"(?P<sense>\D*?)\s*(?P<share>(?P<part>\d+(?:[.,]\d+)?)\s+[^\W\d]+\s+(?P<whole>\d+))(?:\D+(?P<people>\d+)\D*)?$"
)
"""A share as the answer says it, "at most 20 of 100, among 20 people", in the words of any language."""

T = TypeVar("T")


class TickList(QListWidget):
    """Names to tick; where none is ticked, all are meant."""

    def __init__(self, about: str) -> None:
        super().__init__()
        self._first: tuple[str, ...] = ()
        self.setAccessibleName(about)
        self.setAcceptDrops(False)  # a drop is for the window

    def offer(self, names: Sequence[str], ticked: tuple[str, ...], shown: Callable[[str], str]) -> None:
        """Show names, and what is ticked although it is none of them, as a pattern: "B*"."""
        self._first = ticked
        self.clear()
        for name in dict.fromkeys((*names, *ticked)):
            item = QListWidgetItem(shown(name))
            item.setFlags(
                Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable
            )
            item.setCheckState(Qt.CheckState.Checked if name in ticked else Qt.CheckState.Unchecked)
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.addItem(item)
        rows = min(max(self.count(), 1), _MOST_ROWS)
        self.setFixedHeight(rows * max(self.sizeHintForRow(0), 18) + 2 * self.frameWidth() + 4)

    @property
    def ticked(self) -> tuple[str, ...]:
        """What is ticked, in the order of the list; as it was given where nothing was changed."""
        items = (self.item(row) for row in range(self.count()))
        now = [one for one in items if one.checkState() is Qt.CheckState.Checked]
        found = tuple(one.data(Qt.ItemDataRole.UserRole) for one in now)
        return self._first if set(found) == set(self._first) else found


class RequirementForm(QWidget):
    """One requirement in fields.

    Signals:
        finished: the user says that this is it; `made` may refuse it.
        left: the user wants none of it.
        changed: some field says something else.
    """

    finished = Signal()
    changed = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.instead_of: str | None = None  # the name of the one that is changed
        self._shown: dict[LineField, tuple[str, Any]] = {}  # its fields: as text, and what they are
        self.name = LineField(self.tr("Name of the requirement"))
        codes = dict.fromkeys((*ASKED_FIRST, *REQUIRABLE))
        self.figure = choice_box(self.tr("Figure"), *((REQUIRABLE[code].name, code) for code in codes))
        self._senses = {
            self.tr("at most"): Sense.AT_MOST.value,
            self.tr("at least"): Sense.AT_LEAST.value,
        }
        self.sense = choice_box(
            self.tr("Bound"),
            *self._senses.items(),
            (self.tr("no worse than a safeguard, by at most"), _NO_WORSE),
        )
        self.bound = LineField(self.tr("Value of the bound"))
        self.than = LineField(self.tr("No worse than which safeguard"))
        self.tag = LineField(self.tr("Tag of the share"))
        self.people = LineField(self.tr("Among how many people"))
        self.recordings = LineField(self.tr("How many recordings together"))
        self.alarms = choice_box(
            self.tr("Hits at how many false alarms"),
            *(
                (self.tr("one in {count}").format(count=grouped(round(1.0 / rate))), rate)
                for rate in FALSE_ALARM_RATES
            ),
        )
        self.attribute = LineField(self.tr("Which attribute"))
        self.question = choice_box(
            self.tr("What listeners rated"),
            *((say(f"required.question-{question}"), question) for question in QUESTIONS),
        )
        self.group = LineField(self.tr("Among which people"))
        self.group.setPlaceholderText(self.tr("everybody, or attribute=value"))
        self.confidence = LineField(self.tr("Confidence in per cent"))
        self.scope = {
            "datasets": TickList(self.tr("Datasets")),
            "conditions": TickList(self.tr("Conditions")),
            "attackers": TickList(self.tr("Attackers")),
            "safeguards": TickList(self.tr("Safeguards")),
        }
        self.why = LineField(self.tr("Why it was set"))
        self.set_by = LineField(self.tr("Who set it"))
        self.save = QPushButton(self.tr("Require this"))
        self.leave = QPushButton(self.tr("Cancel"))
        self._lay_out()
        self.figure.currentIndexChanged.connect(self._show_what_fits)
        self.sense.currentIndexChanged.connect(self._show_what_fits)
        self.bound.textChanged.connect(self._show_what_fits)
        self.bound.editingFinished.connect(self._take_apart)
        for line in (self.people, self.recordings, self.confidence):
            line.textChanged.connect(self._on_changed)
        self.alarms.currentIndexChanged.connect(self._on_changed)
        self.save.clicked.connect(self.finished)
        self.leave.clicked.connect(self.left)
        self._show_what_fits()

    def _lay_out(self) -> None:
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 4, 0, 4)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.scope_hint = label(
            self.tr(
                "In each list, nothing ticked means all. Unprotected speech counts only where OO is ticked."
            ),
            "quiet",
        )
        rows = (
            (self.tr("Na&me"), self.name),
            (self.tr("Fi&gure"), self.figure),
            (self.tr("&Tag"), self.tag),
            (self.tr("Amon&g how many"), self.people),
            (self.tr("&Recordings together"), self.recordings),
            (self.tr("False a&larms"), self.alarms),
            (self.tr("Attri&bute"), self.attribute),
            (self.tr("&Question"), self.question),
            (self.tr("&People"), self.group),
            (self.tr("&Bound"), self.sense),
            (self.tr("Sa&feguard"), self.than),
            (self.tr("Va&lue"), self.bound),
            (self.tr("&Confidence (%)"), self.confidence),
            (self.tr("&Datasets"), self.scope["datasets"]),
            (self.tr("C&onditions"), self.scope["conditions"]),
            (self.tr("Attac&kers"), self.scope["attackers"]),
            (self.tr("&Safeguards"), self.scope["safeguards"]),
            (self.tr("&Why"), self.why),
            (self.tr("B&y whom"), self.set_by),
        )
        for text, field in rows:
            named = label(text)
            named.setWordWrap(False)
            named.setBuddy(field)
            if field is self.scope["datasets"]:
                self._form.addRow(self.scope_hint)
            self._form.addRow(named, field)
        self._details: dict[str, QWidget] = {
            "people": self.people,
            "recordings": self.recordings,
            "false_alarms": self.alarms,
            "attribute": self.attribute,
            "question": self.question,
        }
        self.hint = label("", "quiet")
        self._form.addRow(self.hint)
        self.takes = label("", "quiet")
        self._form.addRow(self.takes)
        buttons = QHBoxLayout()
        for button in (self.save, self.leave):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._form.addRow(buttons)

    def begin(
        self,
        requirement: Requirement | None,
        entries: Sequence[Entry],
        known: Sequence[Requirement],
        people: int | None = None,
    ) -> None:
        """Show the fields of a requirement, or of a new one; what there is here helps to name a scope.

        `people` is how many the context of the release states.
        """
        self.instead_of = requirement.name if requirement else None
        shown = requirement or Requirement(
            self.tr("Requirement {number}").format(number=len(known) + 1), "d_ece_bits", 0.3
        )
        self.figure.show_value(shown.figure)
        self.sense.show_value(_NO_WORSE if shown.no_worse_than else shown.sense.value)
        confidence = shown.confidence or _FIRST_CONFIDENCE
        for line, value in (
            (self.name, shown.name),
            (self.than, shown.no_worse_than),
            (self.tag, shown.tag),
            (self.why, shown.why),
            (self.set_by, shown.set_by),
        ):
            self._show(line, value, value)
        detail = shown.detail
        among = detail.people or (None if requirement else people or USUAL_PEOPLE)
        self._show(self.people, "" if among is None else str(among), among)
        self._show(self.recordings, str(shown.recordings), shown.recordings)
        self.alarms.show_value(detail.false_alarms)
        self.question.show_value(detail.question)
        attributes = sorted(
            {name for entry in entries for name in map(attribute_name, names_of_attributes(entry))}
        )
        for line, value in ((self.attribute, detail.attribute), (self.group, detail.group)):
            line.setCompleter(QCompleter(attributes, line))
            self._show(line, value, value)
        self._show(self.bound, _bound_as_typed(shown), shown.bound)
        self._show(self.confidence, _in_percent(confidence), confidence)
        names = {
            "datasets": [entry.dataset for entry in entries],
            "conditions": [entry.condition.value for entry in entries if entry.condition],
            "attackers": [entry.attacker for entry in entries],
            "safeguards": [entry.name for entry in entries if entry.condition is not Condition.OO],
        }
        for key, box in self.scope.items():
            box.offer(
                list(filter(None, names[key])),
                getattr(shown.scope, key),
                (lambda name: shown_name(attack_as_said(name))) if key == "attackers" else shown_name,
            )
            self._form.setRowVisible(box, box.count() > 0)
        self._show_what_fits()
        self.show()
        self._on_changed()
        self.name.setFocus()
        self.name.selectAll()

    def made(self) -> Requirement:
        """What the fields say. Raises InputError with a sentence about what is wrong."""
        figure = str(self.figure.currentData())
        sense, is_sure = str(self.sense.currentData()), REQUIRABLE[figure].is_resampled
        confidence = self._said(self.confidence, _confidence) if is_sure else None
        bound: float | str = (
            self._said(self.bound, str)
            if figure == TAG
            else self._said(self.bound, lambda text: _number(text, figure))
        )
        return Requirement(
            self._said(self.name, str),
            figure,
            bound,
            Sense.AT_LEAST if sense == Sense.AT_LEAST.value else Sense.AT_MOST,
            confidence,
            Scope(**{key: box.ticked for key, box in self.scope.items()}),
            (self._said(self.than, str) or "*") if sense == _NO_WORSE else "",
            self._said(self.tag, str) if figure == SHARE_AT_TAG else "",
            self._said(self.why, str),
            self._said(self.set_by, str),
            detail=self._detail(REQUIRABLE[figure].takes),
        )

    def _detail(self, takes: Sequence[str]) -> RequirementDetail:
        """What the fields say that this figure takes."""
        said: dict[str, Callable[[], Any]] = {
            "people": lambda: self._said(self.people, _whole_or_none),
            "recordings": lambda: self._said(self.recordings, _whole_or_none),
            "false_alarms": self.alarms.currentData,
            "attribute": lambda: self._said(self.attribute, str),
            "question": self.question.currentData,
        }
        return RequirementDetail(**{key: said[key]() for key in takes}, group=self._said(self.group, str))

    def _show(self, line: LineField, text: str, value: object) -> None:
        line.show_value(text)
        self._shown[line] = line.text(), value

    def _said(self, line: LineField, read: Callable[[str], T]) -> T:
        """What a field says: untouched the very value that was shown, of which a line may not hold all."""
        text, value = self._shown.get(line, (None, None))
        return value if text == line.text() else read(line.text().strip())  # type: ignore[return-value]

    def _show_what_fits(self) -> None:
        figure = REQUIRABLE[str(self.figure.currentData())]
        is_compared = self.sense.currentData() == _NO_WORSE
        self._form.setRowVisible(self.than, is_compared)
        self._form.setRowVisible(self.tag, figure.code == SHARE_AT_TAG)
        for key, field in self._details.items():
            self._form.setRowVisible(field, key in figure.takes)
        self._form.setRowVisible(self.group, figure.has_groups and not is_compared)
        self._form.setRowVisible(self.confidence, figure.is_resampled)
        if not figure.is_resampled:
            sentence = self.tr("This figure is not resampled: the verdict will hold for these trials alone.")
        elif figure.format is RATE:
            sentence = self.tr("A rate: 30 of 100, 30 % or 0.3.")
        else:
            sentence = ""
        sentence = " ".join(filter(None, (sentence, self._read_as())))
        self.hint.setText(sentence)
        self.hint.setVisible(bool(sentence))
        self._on_changed()

    def _on_changed(self) -> None:
        """What it takes is that of what stood here before."""
        self.show_what_it_takes("")
        self.changed.emit()

    def show_what_it_takes(self, sentence: str) -> None:
        """Say how many recordings of how many people this takes; nothing where the sentence is empty."""
        self.takes.setText(sentence)
        self.takes.setVisible(bool(sentence))

    def _take_apart(self) -> None:
        """Put what a bound says in words, "at most 20 of 100, among 20 people", into its fields."""
        figure, found = REQUIRABLE[str(self.figure.currentData())], _IN_WORDS.match(self.bound.text().strip())
        if figure.format is not RATE or found is None:
            return
        sense, people = found["sense"].strip().casefold(), found["people"]
        known = {text.casefold(): value for text, value in self._senses.items()}
        if (sense and sense not in known) or (people and "people" not in figure.takes):
            return  # what is not understood is not left out
        if sense:
            self.sense.show_value(known[sense])
        if people:
            self.people.setText(people)
        self.bound.setText(found["share"])

    def _read_as(self) -> str:
        """Which number the bound is taken for, where it is typed otherwise than the language writes it."""
        typed = self.bound.text().strip()
        if (share := _share_typed(typed)) is not None:
            return self.tr("Read as {value}.").format(value=f"{_in_percent(share)} %")
        number = typed_number(typed.removesuffix("%").strip())
        if number is None:
            return ""
        value = _plain(Decimal(repr(number))) + (" %" if typed.endswith("%") else "")
        return "" if value == typed else self.tr("Read as {value}.").format(value=value)

    def keyPressEvent(self, event: object) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):  # type: ignore[attr-defined]
            self.finished.emit()
            return
        super().keyPressEvent(event)  # type: ignore[arg-type]


def _bound_as_typed(requirement: Requirement) -> str:
    """The bound with all its digits, a rate in per cent."""
    bound = requirement.bound
    if isinstance(bound, str):
        return bound
    return f"{_in_percent(bound)} %" if requirement.of.format is RATE else f"{_plain(Decimal(repr(bound)))}"


def _in_percent(share: float) -> str:
    return _plain(Decimal(repr(share)).scaleb(2))


def _plain(number: Decimal) -> str:
    """A number without exponent and trailing zeros."""
    return with_decimal_sign(f"{number.normalize():f}")


def _of_percent(number: float) -> float:
    """A percentage as a share, exact to the last digit that was typed."""
    return float(Decimal(repr(number)).scaleb(-2))


def _share_typed(text: str) -> float | None:
    """What "20 of 100" is, whatever the language; None for other texts."""
    found = _IN_WORDS.match(text)
    if found is None or found["share"] != text or not int(found["whole"]):
        return None
    part = typed_number(found["part"])
    return None if part is None else float(Decimal(repr(part)) / Decimal(found["whole"]))


def _number(text: str, figure: str) -> float:
    if REQUIRABLE[figure].format is RATE and (share := _share_typed(text)) is not None:
        return share
    number = typed_number(text.removesuffix("%").strip())
    if number is None:
        raise InputError("requirement-not-number-typed", found=text, name=REQUIRABLE[figure].name)
    return _of_percent(number) if text.endswith("%") else number


def _whole_or_none(text: str) -> int | None:
    if not text:
        return None
    number = typed_number(text)
    if number is None or number != int(number):
        raise InputError("requirement-not-whole-typed", found=text)
    return int(number)


def _confidence(text: str) -> float:
    number = typed_number(text.removesuffix("%").strip())
    if number is None:
        raise InputError("requirement-confidence", found=text)
    return _of_percent(number)
