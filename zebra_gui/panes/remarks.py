"""The remarks of the overview, with what the user may decide about them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from zebra_core.evidence.decisions import Decision
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.metrics.assessment import NEVER_NEGATIVE, REVERSED_DISCLOSES_MORE
from zebra_core.project.comparison.comparability import remarks_on_attacks
from zebra_core.project.items import Entry
from zebra_core.wording.texts import visible_sentence
from zebra_gui.session.session import Session
from zebra_gui.widgets.audit_view import sentence
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import clear, label

_LONGEST = 2000
# By the code of the remark that tells of it; without any other decision there would be no figures.
_CAN_BE_TAKEN_BACK = {
    "lower-is-more-alike": Decision.LOWER_IS_MORE_ALIKE,
    "self-kept": Decision.SELF_COMPARISONS,
    "likelihood-ratios": Decision.LIKELIHOOD_RATIOS,
}


def _offers(entry: Entry | None) -> Mapping[str, Collection[Decision]]:
    """What can be decided, by the code of the remark: as the audit has it, or to turn the scores round."""
    if entry is None or entry.audit is None:
        return {}
    offers: dict[str, Collection[Decision]] = {one.code: one.lifted_by for one in entry.audit.findings}
    if Decision.LOWER_IS_MORE_ALIKE not in entry.audit.decisions:
        offers[REVERSED_DISCLOSES_MORE] = (Decision.LOWER_IS_MORE_ALIKE,)
    if Decision.LIKELIHOOD_RATIOS not in entry.audit.decisions:
        offers[NEVER_NEGATIVE] = (Decision.LIKELIHOOD_RATIOS,)
    return offers


class RemarksView(QWidget):
    """One remark a line; below it a button where a decision is offered, or can be taken back."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.buttons: dict[tuple[Decision, bool], QPushButton] = {}
        self._layout = in_column(on=self, margins=(4, 0, 4, 0), spacing=4)

    def show_entry(self, entry: Entry | None) -> None:
        """Show the remarks on this entry."""
        clear(self._layout)
        self.buttons = {}
        remarks: tuple[Remark, ...] = ()
        if entry:
            on_attacks = remarks_on_attacks(self._session.entries)
            remarks = (*on_attacks.get(entry.id, ()), *entry.remarks)
        self.setVisible(bool(remarks))
        offers = _offers(entry)
        for remark in remarks:
            is_warning = remark.severity is Severity.WARNING
            sign = self.tr("!  Warning: ") if is_warning else "•  "
            text = label(sign + visible_sentence(str(remark), _LONGEST), "" if is_warning else "quiet")
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._layout.addWidget(text)
            for decision in offers.get(remark.code, ()):
                self._add_button(entry, decision, holds=True)
            if kept := _CAN_BE_TAKEN_BACK.get(remark.code):
                self._add_button(entry, kept, holds=False)

    def _add_button(self, entry: Entry | None, decision: Decision, *, holds: bool) -> None:
        if entry is None or (decision, holds) in self.buttons:
            return
        words = sentence(decision) if holds else self.tr("Take this decision back")
        button = QPushButton(words)
        button.clicked.connect(lambda: self._session.reassessing.decide(entry.id, decision, holds=holds))
        self.buttons[decision, holds] = button
        self._layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
