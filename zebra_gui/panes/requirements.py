"""What is required, and whether it is met: verdicts in a list, and a form to write requirements in place."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from zebra_core.errors import ZebraError
from zebra_core.files.writing import write_file
from zebra_core.project.requirements.figures import REQUIRABLE
from zebra_core.project.requirements.file import requirements_text
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.verdicts.verdict import Verdict, VerdictOutcome
from zebra_core.wording.names import named
from zebra_core.wording.texts import say, visible_sentence
from zebra_gui.dialogs import Dialogs
from zebra_gui.panes.requirement_form import RequirementForm
from zebra_gui.session.session import Session
from zebra_gui.widgets.flow import Flow
from zebra_gui.widgets.layouts import in_column
from zebra_gui.widgets.plain import label, tell
from zebra_gui.widgets.sentence_list import SentenceList
from zebra_gui.widgets.when_visible import scroll_to

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
    from zebra_gui.widgets.plain import tooltip

    by = say("requirement.set-by", by=asked.set_by) if asked.set_by else ""
    parts = (asked.in_words, asked.scope.in_words, asked.why, by, str(asked.recorded))
    return tooltip("\n".join(filter(None, parts)))
