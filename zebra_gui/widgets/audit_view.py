"""An audit in words: counts, findings with example lines, and the decisions that are the user's own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from zebra_core.evidence.audit import Audit, Decision, Finding, Severity
from zebra_core.wording.texts import MINUS, grouped, named, visible, visible_sentence, written
from zebra_gui.widgets.layouts import Flow, clear, in_column, label

translate = QCoreApplication.translate
_LONGEST_EXAMPLE = 110
_LONGEST_SIDE = 10


class AuditView(QWidget):
    """Shows one audit; what is decided here is told by a signal, and shown when the next audit comes.

    Signals:
        decided: a Decision, and whether it holds.
    """

    decided = Signal(object, bool)

    def __init__(self, *, with_counts: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._with_counts = with_counts
        self._layout = in_column(on=self, margins=0, spacing=5)
        self._boxes: dict[Decision, QCheckBox] = {}

    @property
    def boxes(self) -> dict[Decision, QCheckBox]:
        """The check boxes, by what they decide."""
        return self._boxes

    def show_audit(self, audit: Audit, allowed: Collection[Decision] = ()) -> None:
        """Show an audit. `allowed` are decisions of the user that may not have changed anything."""
        focused = next((decision for decision, box in self._boxes.items() if box.hasFocus()), None)
        clear(self._layout)
        self._boxes = {}
        if self._with_counts:
            self._layout.addLayout(_counts(audit))
            self._layout.addSpacing(12)
        for finding in audit.findings:
            self._layout.addWidget(_FindingView(finding))
            for decision in finding.lifted_by:
                self._add_box(decision, holds=decision in allowed)
        for decision in sorted({*allowed, *audit.decisions}, key=lambda one: one.value):
            self._add_box(decision, holds=True)
        if focused in self._boxes:
            self._boxes[focused].setFocus()

    def forget(self) -> None:
        """Show no audit."""
        clear(self._layout)
        self._boxes = {}

    def _add_box(self, decision: Decision, *, holds: bool) -> None:
        if decision in self._boxes:
            return
        box = QCheckBox(sentence(decision))
        box.setAccessibleName(box.text())
        box.setChecked(holds)
        box.toggled.connect(lambda on: self.decided.emit(decision, on))
        self._boxes[decision] = box
        indented = in_column(box, margins=(_indent(self), 0, 0, 4))
        self._layout.addLayout(indented)


class _FindingView(QWidget):
    """One finding: how much it weighs, as a sign and a word, its sentence, and some lines."""

    def __init__(self, finding: Finding) -> None:
        super().__init__()
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        weight = label(severity_in_words(finding.severity), finding.severity.value)
        weight.setWordWrap(False)
        weight.setFixedWidth(_indent(self) - layout.horizontalSpacing())
        text = label(visible_sentence(str(finding), 2000))
        texts = [text]
        layout.addWidget(weight, 0, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(text, 0, 1)
        if examples := examples_in_words(finding):
            texts.append(label("\n".join(examples), "quiet"))
            layout.addWidget(texts[-1], 1, 1)
        for one in texts:
            one.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.setColumnStretch(1, 1)


def severity_in_words(severity: Severity) -> str:
    """How much a finding weighs, with a sign before it: never by colour alone."""
    return {
        Severity.ERROR: translate("Audit", "✕ Error"),
        Severity.WARNING: translate("Audit", "! Warning"),
        Severity.NOTE: translate("Audit", "· Note"),
    }[severity]


def sentence(decision: Decision) -> str:
    """What a decision does, as a sentence begins."""
    words = str(decision)
    return words[:1].upper() + words[1:]


def examples_in_words(finding: Finding) -> list[str]:
    """Some lines with their numbers, unless the sentence has told the only one."""
    if len(finding.examples) == 1 and "line" in finding.facts:
        return []
    form = translate("Audit", "line {number}:  {text}")
    return [
        form.format(number=one.line, text=visible(one.text, _LONGEST_EXAMPLE)) for one in finding.examples
    ]


def counts_in_words(audit: Audit) -> list[tuple[str, str]]:
    """Every count of an audit with its name; None is left out, for it was not counted."""
    numbers = [
        (translate("Audit", "Scores read"), audit.n_scores),
        (translate("Audit", "Key lines read"), audit.n_key),
        (translate("Audit", "Trials matched"), audit.matched),
        (translate("Audit", "Target trials"), audit.n_target),
        (translate("Audit", "Nontarget trials"), audit.n_nontarget),
        (translate("Audit", "Scores without key"), audit.scores_without_key),
        (translate("Audit", "Key lines without score"), audit.key_without_score),
        (translate("Audit", "Repeats that agree"), audit.agreeing_repeats),
        (translate("Audit", "Repeats that contradict"), audit.contradicting_repeats),
        (translate("Audit", "Symmetric repeats"), audit.symmetric_repeats),
        (translate("Audit", "Scores not a number"), audit.nan_scores),
        (translate("Audit", "Infinite scores"), audit.infinite_scores),
        (translate("Audit", "Spoof trials set aside"), audit.set_aside),
        (translate("Audit", "Enrolments"), audit.enrolments),
        (translate("Audit", "Test segments"), audit.tests),
        (translate("Audit", "Speakers, by map"), audit.speakers),
        (translate("Audit", "Decimals of scores"), audit.decimals),
    ]
    found = [(name, grouped(number)) for name, number in numbers if number is not None]
    found.append((translate("Audit", "Tied scores"), f"{written(100 * audit.tied_share, '.1f')} %"))
    for name, median in (
        (translate("Audit", "Median of targets"), audit.median_target),
        (translate("Audit", "Median of nontargets"), audit.median_nontarget),
    ):
        found += [(name, written(median, ".4g").replace("-", MINUS))] if median is not None else []
    return found


def as_text(audit: Audit) -> str:
    """Findings with their lines, to be pasted elsewhere."""
    lines: list[str] = []
    for finding in audit.findings:
        lines.append(f"{severity_in_words(finding.severity)}\t{visible_sentence(str(finding), 2000)}")
        lines += [f"\t{example}" for example in examples_in_words(finding)]
    lines += [translate("Audit", "Decided: {what}").format(what=sentence(one)) for one in audit.decisions]
    return "\n".join(lines)


def _counts(audit: Audit) -> Flow:
    """All counts in three columns, or fewer where there is less room, each name quietly before its number."""
    columns = Flow(across=24, down=3)
    counts = counts_in_words(audit)
    high = -(-len(counts) // 3)
    for first in range(0, len(counts), high):
        column = QWidget()
        grid = QGridLayout(column)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(3)
        for row, (name, value) in enumerate(counts[first : first + high]):
            named_by, shown = label(name, "quiet"), label(value)
            for part in (named_by, shown):
                part.setWordWrap(False)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            shown.setAccessibleName(named(name, value))
            grid.addWidget(named_by, row, 0)
            grid.addWidget(shown, row, 1)
        for row in range(grid.rowCount(), high):  # one with fewer counts begins at the same height
            grid.setRowMinimumHeight(row, named_by.sizeHint().height() + grid.verticalSpacing())
        columns.addWidget(column)
    return columns


def _indent(widget: QWidget) -> int:
    words: Sequence[str] = [severity_in_words(severity) for severity in Severity]
    return max(widget.fontMetrics().horizontalAdvance(word) for word in words) + _LONGEST_SIDE
