"""The form in which a requirement is written: figure, bound, confidence, scope, why and by whom."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QPushButton, QWidget

from zebra_core.errors import InputError
from zebra_core.metrics.metric import RATE
from zebra_core.project.items import Entry
from zebra_core.project.requirements.figures import REQUIRABLE, SHARE_AT_TAG, TAG
from zebra_core.project.requirements.requirement import Requirement, Scope, Sense
from zebra_core.wording.wording import typed_number
from zebra_gui.report.fields import Line
from zebra_gui.widgets.plain import choice_box, label

_NO_WORSE = "no_worse_than"
_SCOPE = ("datasets", "conditions", "attackers", "safeguards")


class RequirementForm(QWidget):
    """One requirement in fields.

    Signals:
        finished: the user says that this is it; `made` may refuse it.
        left: the user wants none of it.
    """

    finished = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.instead_of: str | None = None  # the name of the one that is changed
        self.name = Line(self.tr("Name of the requirement"))
        self.figure = choice_box(self.tr("Figure"))
        for code, each in REQUIRABLE.items():
            self.figure.addItem(each.name, code)
        self.sense = choice_box(self.tr("Bound"))
        for text, value in (
            (self.tr("at most"), Sense.AT_MOST.value),
            (self.tr("at least"), Sense.AT_LEAST.value),
            (self.tr("no worse than a safeguard, by at most"), _NO_WORSE),
        ):
            self.sense.addItem(text, value)
        self.bound = Line(self.tr("Value of the bound"))
        self.than = Line(self.tr("No worse than which safeguard"))
        self.tag = Line(self.tr("Tag of the share"))
        self.confidence = Line(self.tr("Confidence in per cent"))
        self.scope = {
            "datasets": Line(self.tr("Datasets")),
            "conditions": Line(self.tr("Conditions")),
            "attackers": Line(self.tr("Attackers")),
            "safeguards": Line(self.tr("Safeguards")),
        }
        self.why = Line(self.tr("Why it was set"))
        self.set_by = Line(self.tr("By whom it was set"))
        self.save = QPushButton(self.tr("Require this"))
        self.leave = QPushButton(self.tr("Leave it"))
        self._lay_out()
        self.figure.currentIndexChanged.connect(self._show_what_fits)
        self.sense.currentIndexChanged.connect(self._show_what_fits)
        self.save.clicked.connect(self.finished)
        self.leave.clicked.connect(self.left)
        self._show_what_fits()

    def _lay_out(self) -> None:
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 4, 0, 4)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        anything = self.tr("all; several with commas, * for anything")
        for line in self.scope.values():
            line.setPlaceholderText(anything)
        rows = (
            (self.tr("Na&me"), self.name),
            (self.tr("Fi&gure"), self.figure),
            (self.tr("&Tag"), self.tag),
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
            self._form.addRow(named, field)
        self.hint = label("", "quiet")
        self._form.addRow(self.hint)
        buttons = QHBoxLayout()
        for button in (self.save, self.leave):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._form.addRow(buttons)

    def begin(
        self, requirement: Requirement | None, entries: Sequence[Entry], known: Sequence[Requirement]
    ) -> None:
        """Show the fields of a requirement, or of a new one; what there is here helps to name a scope."""
        self.instead_of = requirement.name if requirement else None
        shown = requirement or Requirement(
            self.tr("Requirement {number}").format(number=len(known) + 1), "d_ece", 0.3
        )
        self.name.show_text(shown.name)
        _choose(self.figure, shown.figure)
        _choose(self.sense, _NO_WORSE if shown.no_worse_than else shown.sense.value)
        unit = 100.0 if shown.of.format is RATE and not isinstance(shown.bound, str) else 1.0
        percent = " %" if unit != 1.0 else ""
        is_text = isinstance(shown.bound, str)
        self.bound.show_text(str(shown.bound) if is_text else f"{float(shown.bound) * unit:g}{percent}")
        self.than.show_text(shown.no_worse_than)
        self.tag.show_text(shown.tag)
        self.confidence.show_text(f"{100.0 * (shown.confidence or 0.95):g}")
        for key, line in self.scope.items():
            line.show_text(", ".join(getattr(shown.scope, key)))
        self.why.show_text(shown.why)
        self.set_by.show_text(shown.set_by)
        names = {
            "datasets": [entry.dataset for entry in entries],
            "conditions": [entry.condition.value for entry in entries if entry.condition],
            "attackers": [entry.attacker for entry in entries],
            "safeguards": [entry.name for entry in entries],
        }
        for key, line in self.scope.items():
            there = ", ".join(dict.fromkeys(filter(None, names[key])))
            line.setAccessibleDescription(self.tr("There are: {names}").format(names=there) if there else "")
        self._show_what_fits()
        self.show()

    def made(self) -> Requirement:
        """What the fields say. Raises InputError with a sentence about what is wrong."""
        figure = str(self.figure.currentData())
        sense, is_sure = str(self.sense.currentData()), REQUIRABLE[figure].is_resampled
        confidence = typed_number(self.confidence.text().strip().removesuffix("%").strip())
        if is_sure and confidence is None:
            raise InputError("requirement-confidence", found=self.confidence.text())
        return Requirement(
            self.name.text().strip(),
            figure,
            self.bound.text().strip() if figure == TAG else self._number(figure),
            Sense.AT_LEAST if sense == Sense.AT_LEAST.value else Sense.AT_MOST,
            (confidence or 0.0) / 100.0 if is_sure else None,
            Scope(**{key: _names(line.text()) for key, line in self.scope.items()}),
            (self.than.text().strip() or "*") if sense == _NO_WORSE else "",
            self.tag.text().strip() if figure == SHARE_AT_TAG else "",
            self.why.text().strip(),
            self.set_by.text().strip(),
        )

    def _number(self, figure: str) -> float:
        text = self.bound.text().strip()
        number = typed_number(text.removesuffix("%").strip())
        if number is None:
            raise InputError("requirement-not-number-typed", found=text, name=REQUIRABLE[figure].name)
        return number / 100.0 if text.endswith("%") else number

    def _show_what_fits(self) -> None:
        figure = REQUIRABLE[str(self.figure.currentData())]
        is_compared = self.sense.currentData() == _NO_WORSE
        self._form.setRowVisible(self.than, is_compared)
        self._form.setRowVisible(self.tag, figure.code == SHARE_AT_TAG)
        self._form.setRowVisible(self.confidence, figure.is_resampled)
        if not figure.is_resampled:
            told = self.tr("This figure is not resampled: the verdict will be one on these trials.")
        elif figure.format is RATE:
            told = self.tr("A rate: 30 % or 0.3.")
        else:
            told = ""
        self.hint.setText(told)
        self.hint.setVisible(bool(told))

    def keyPressEvent(self, event: object) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):  # type: ignore[attr-defined]
            self.finished.emit()
            return
        super().keyPressEvent(event)  # type: ignore[arg-type]


def _choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(max(box.findData(value), 0))


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in text.split(","))))
