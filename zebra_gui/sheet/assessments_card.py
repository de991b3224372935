"""What the files come to: each planned assessment with its audit, those that failed first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QScrollArea, QWidget

from zebra_core.evidence.answers import Answers
from zebra_core.evidence.decisions import Decision
from zebra_core.project.items import Item
from zebra_core.project.reading.arrival import Arrival
from zebra_core.project.reading.reading import Attempt
from zebra_core.wording.names import joined, named
from zebra_core.wording.texts import as_said, grouped, visible_sentence
from zebra_gui.language.translating import for_count
from zebra_gui.panes.pane import Card
from zebra_gui.widgets.audit_view import AuditView, as_text
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import clear, label, shown_name


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
