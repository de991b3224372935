"""A new listening test: recordings, questions, numbers and words; what will come; and making it.

The four questions of a listening test: which are asked, and how often.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from zebra_core.errors import ZebraError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.listening.design import QuestionDesign
from zebra_core.listening.items import ItemTask
from zebra_core.wording.texts import named, say, visible
from zebra_gui import core_types as core
from zebra_gui.jobs.jobs import Job, Jobs
from zebra_gui.listening import work
from zebra_gui.report.form import LineField, Prose
from zebra_gui.widgets.decimal_box import WholeBox
from zebra_gui.widgets.layouts import ElidedLabel, choice_box, clear, label, tell
from zebra_gui.widgets.theme import with_text

if TYPE_CHECKING:
    from zebra_core.listening.making import ListeningRequest, ListeningTest, Outlook
    from zebra_core.listening.recorded_folders import RecordedFolders


_PAUSE_MS = 400
_MOST_SEED = 2**31 - 1
_MOST_LISTENERS = 500
_FIRST_LISTENERS = 12
_FRAME = 40  # pixels that a desktop puts around a window


class ListeningTestDialog(QDialog):
    """Stays open beside the window until the test is made, or nobody wants it."""

    def __init__(
        self,
        choose: Callable[[str], str],
        choose_file: Callable[[str], str],
        failed: Callable[[Exception], object],
        parent: QWidget | None = None,
    ) -> None:
        """`choose` and `choose_file` ask for a folder or a file; `failed` is told of the program's faults."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("New listening test"))
        self._choose, self._failed = choose, failed
        self.jobs = Jobs(self)
        self._out: Path | None = None
        self._making: Job | None = None
        self._foreseen: ListeningRequest | None = None
        self.folders = FoldersForm(choose, choose_file)
        self.questions = QuestionsForm()
        self.unprotected = QCheckBox(self.tr("&Unprotected speech is judged as well, as one more condition"))
        self.unprotected.setChecked(True)
        self.listeners = _number(self.tr("Listeners"), 1, _MOST_LISTENERS, _FIRST_LISTENERS)
        self.channel = choice_box(self.tr("Channel"))
        self.seed = _number(self.tr("Seed of the random order"), 0, _MOST_SEED, 1)
        self.title = LineField(self.tr("Title"))
        self.introduction = Prose(self.tr("Introduction for the listeners"), 4)
        self.consent = Prose(self.tr("Consent text"), 4)
        self.out = ElidedLabel()
        self.out_button = QPushButton(self.tr("&Folder for the test…"))
        self.outlook = label()
        self.remark = label(tone="problem")
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.progress.hide()
        self.stop_button = QPushButton(self.tr("S&top"))
        self.stop_button.hide()
        self.close_button = QPushButton(self.tr("Close"))
        self.make_button = QPushButton(self.tr("&Make the test"))
        self.make_button.setDefault(True)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._lay_out()
        self._connect()
        self._show()

    @property
    def request(self) -> ListeningRequest | None:
        """The test that is asked for; None where something is lacking."""
        from zebra_core.listening.making import ListeningRequest

        found = self.folders.folders
        if self.lacking or found.original is None or found.speakers is None:
            return None
        return ListeningRequest(
            self.title.text().strip(),
            self.introduction.toPlainText().strip(),
            self.consent.toPlainText().strip(),
            found.original,
            found.protected,
            found.speakers,
            self.listeners.value(),
            self.seed.value(),
            self.questions.wanted,
            {},
            found.sex,
            self.channel.currentData(),
            self.unprotected.isChecked(),
            found.pairs,
        )

    @property
    def lacking(self) -> str:
        """What must be said before a test can be made, in a sentence; empty where nothing is."""
        found, names = self.folders.folders, self.folders.names
        asked = (
            (found.original is not None, self.tr("Choose the folder of the original recordings.")),
            (
                names or self.unprotected.isChecked(),
                self.tr("Add a safeguard, or let unprotected speech be judged."),
            ),
            (all(names) and len(set(names)) == len(names), self.tr("Give each safeguard its own name.")),
            (self.questions.wanted, self.tr("Choose at least one question.")),
            (
                self.introduction.toPlainText().strip(),
                self.tr("Write an introduction. The listeners read it before they begin."),
            ),
            (self.consent.toPlainText().strip(), self.tr("Write what the listeners agree to.")),
        )
        return next((sentence for is_said, sentence in asked if not is_said), "")

    def take(self, found: RecordedFolders) -> None:
        """Begin with these recordings."""
        self.folders.show_folders(found)

    def write_to(self, folder: Path) -> None:
        """Write the test into this folder."""
        self._out = folder
        self._show()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._let_go()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        self._let_go()
        super().done(result)

    def _let_go(self) -> None:
        self._pause.stop()
        self.jobs.drop_all()
        self.jobs.finish()

    def _lay_out(self) -> None:
        inside = self._asked = QWidget()
        inside.setProperty("look", "scrolled")
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 10, 0)
        rows.setSpacing(8)
        rows.addWidget(label(self.tr("Recordings"), "heading"))
        rows.addWidget(self.folders)
        rows.addWidget(self.unprotected)
        self.channel_row = QWidget()
        channel = QFormLayout(self.channel_row)
        channel.setContentsMargins(0, 0, 0, 0)
        channel.addRow(self.tr("C&hannel"), self.channel)
        rows.addWidget(self.channel_row)
        self.channel_row.hide()
        rows.addWidget(label(self.tr("Questions"), "heading"))
        rows.addWidget(self.questions)
        rows.addWidget(label(self.tr("Listeners"), "heading"))
        form = QFormLayout()
        form.addRow(self.tr("&Number of listeners"), self.listeners)
        form.addRow(self.tr("See&d"), self.seed)
        rows.addLayout(form)
        rows.addWidget(label(self.tr("What the listeners read"), "heading"))
        words = QFormLayout()
        words.addRow(self.tr("T&itle"), self.title)
        words.addRow(self.tr("Int&roduction"), self.introduction)
        words.addRow(self.tr("&Consent"), self.consent)
        rows.addLayout(words)
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inside)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        out = QHBoxLayout()
        out.addWidget(self.out_button)
        out.addWidget(self.out, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.progress, 1)
        buttons.addWidget(self.stop_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.make_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(10)
        layout.addWidget(area, 1)
        layout.addWidget(self.outlook)  # above all buttons: these stay where they are while words come and go
        layout.addWidget(self.remark)
        layout.addLayout(out)
        layout.addLayout(buttons)
        self.resize(
            QSize(with_text(700, self), 760).boundedTo(
                self.screen().availableGeometry().size() - QSize(0, _FRAME)
            )
        )

    def _connect(self) -> None:
        for form in (self.folders, self.questions):
            form.changed.connect(self._show)
        self.unprotected.toggled.connect(self._show)
        self.channel.activated.connect(self._show)
        for number in (self.listeners, self.seed):
            number.valueChanged.connect(self._show)
        for text in (self.title, self.introduction, self.consent):
            text.textChanged.connect(self._show)
        self._pause.timeout.connect(self._foresee)
        self.out_button.clicked.connect(self._on_out)
        self.stop_button.clicked.connect(self.jobs.cancel_all)
        self.close_button.clicked.connect(self.close)
        self.make_button.clicked.connect(self._on_make)

    def _show(self) -> None:
        """What is lacking, at once; what will come, after a pause in typing."""
        nothing = self.tr("No folder is chosen")
        self.out.show_text(visible(str(self._out), 200) if self._out else nothing)
        self._foreseen = None
        tell(self.outlook, self.tr("What will come"), "")
        self._tell(self.lacking)
        self._enable()
        self._pause.start()

    def _enable(self) -> None:
        is_ready = self._foreseen is not None and self._out is not None and self._making is None
        self.make_button.setEnabled(is_ready)
        self._asked.setEnabled(self._making is None)
        self.out_button.setEnabled(self._making is None)

    def _foresee(self) -> None:
        request = self.request
        if request is None or self._making is not None:
            return
        job = self.jobs.start(self.tr("Looking at recordings"), work.foresee, request, supersedes="outlook")
        job.done.connect(lambda found: self._on_foreseen(request, found))
        job.failed.connect(lambda error: self._on_not_foreseen(request, error))

    def _on_foreseen(self, request: ListeningRequest, found: Outlook) -> None:
        if self._making is not None or request != self.request:
            return  # something else is asked for by now
        self._show_channels(found.channels)
        is_lacking = found.channels > 1 and request.channel is None
        self._foreseen = None if is_lacking else request
        words = "\n".join(visible(one, 2000) for one in (found.in_words, *found.sentences))
        tell(self.outlook, self.tr("What will come"), words)
        if is_lacking:
            self._tell(say("recordings.which-channel", count=found.channels))
        else:
            self._tell("" if self._out else self.tr("Choose an empty folder for the test."))
        self._enable()

    def _show_channels(self, count: int) -> None:
        if self.channel.count() != count + 1:
            numbers = range(1, count + 1)
            self.channel.offer([(self.tr("Choose…"), None), *zip(map(str, numbers), numbers, strict=True)])
        self.channel_row.setVisible(count > 1)

    def _on_not_foreseen(self, request: ListeningRequest, error: Exception) -> None:
        if request == self.request:
            self._on_failed(error)

    def _on_out(self) -> None:
        if name := self._choose(self.tr("Empty folder for the plan and the listeners’ files")):
            self.write_to(Path(name))

    def _on_make(self) -> None:
        if self._foreseen is None or self._out is None or self._making is not None:
            return
        job = self.jobs.start(self.tr("Making the test"), work.make, self._foreseen, self._out)
        self._making = job
        job.progressed.connect(lambda share: self.progress.setValue(round(100 * share)))
        job.done.connect(self._on_made)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(lambda: self._on_ended(self.tr("Stopped. Nothing was written.")))
        self.progress.setValue(0)
        self.progress.show()
        self.stop_button.show()
        self._tell("")
        self._enable()

    def _on_made(self, made: ListeningTest) -> None:
        self._on_ended("")
        self._foreseen = None
        self._enable()
        folder = visible(str(made.files[0].parent), 200)
        text = self.tr(
            "The test is made: {count} listeners’ files and the plan {plan} are in {folder}. Give each "
            "listener one file, and keep the plan to yourself: it says what every item is."
        )
        facts = {"count": len(made.files) - 1, "plan": made.files[0].name, "folder": folder}
        done = [text.format(**facts), *(visible(one, 2000) for one in made.sentences)]
        tell(self.outlook, self.tr("What was made"), "\n".join(done))
        self.close_button.setFocus()

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, ZebraError):
            self._on_ended(str(error))
        else:
            self._on_ended("")
            self._failed(error)

    def _on_ended(self, sentence: str) -> None:
        self._making = None
        self.progress.hide()
        self.stop_button.hide()
        self._tell(sentence)
        self._enable()

    def _tell(self, sentence: str) -> None:
        tell(self.remark, self.tr("Note"), sentence)
        self.remark.setVisible(bool(sentence))


def _number(name: str, lowest: int, highest: int, first: int) -> QSpinBox:
    made = WholeBox()
    made.setRange(lowest, highest)
    made.setValue(first)
    made.setAccessibleName(name)
    return made


_MOST = 1000
_FIRST = {
    ItemTask.SAME: (24, 4, 3),
    ItemTask.PLACEMENT: (2, 1, 1),
    ItemTask.INTELLIGIBILITY: (12, 2, 2),
    ItemTask.NATURALNESS: (12, 2, 2),
}


@dataclass(frozen=True)
class _Row:
    """What is said of one question."""

    asked: QCheckBox
    items: QSpinBox
    anchors: QSpinBox
    repeats: QSpinBox

    @property
    def numbers(self) -> tuple[QSpinBox, QSpinBox, QSpinBox]:
        return self.items, self.anchors, self.repeats


class QuestionsForm(QWidget):
    """A row for each question, and below it what is particular to pairs and to placement.

    Signals:
        changed: something else is asked.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: dict[ItemTask, _Row] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(4, 1)
        heads = (self.tr("Items"), self.tr("Anchors"), self.tr("Repeats"))
        for column, text in enumerate(heads, start=1):
            self._grid.addWidget(QLabel(text), 0, column)
        for asked in ItemTask:
            self._add(asked, heads)
        self.share = self._number(self.tr("Pairs of the same speaker, in per cent"), 1, 99, 50)
        self.share.setSuffix(" %")
        self.enrolment = choice_box(
            self.tr("The first recording of a pair"),
            (self.tr("is original"), False),
            (self.tr("is protected, too"), True),
        )
        self.enrolment.activated.connect(self.changed)
        self.speakers = self._number(self.tr("Speakers on a canvas"), 2, 20, 4)
        self.recordings = self._number(self.tr("Recordings of each speaker on a canvas"), 2, 20, 3)
        self._of_pairs = self._beside(
            (self.tr("Pairs of the same speaker"), self.share),
            (self.tr("The first recording of a pair"), self.enrolment),
        )
        self._of_canvases = self._beside(
            (self.tr("Speakers on a canvas"), self.speakers),
            (self.tr("Recordings of each"), self.recordings),
        )
        about = self.tr(
            "Anchors are unprotected speech and show who listens well. Repeats come twice and show who is "
            "consistent. Neither enters the figures."
        )
        self._grid.addWidget(label(about, "quiet"), self._grid.rowCount(), 0, 1, 5)
        self.rows[ItemTask.SAME].asked.setChecked(True)
        self._show()

    @property
    def wanted(self) -> tuple[QuestionDesign, ...]:
        """What is asked."""
        return tuple(self._wanted(asked, row) for asked, row in self.rows.items() if row.asked.isChecked())

    def _wanted(self, asked: ItemTask, row: _Row) -> QuestionDesign:
        items, anchors, repeats = (number.value() for number in row.numbers)
        wanted = QuestionDesign(asked, items, anchors, repeats)
        if asked is ItemTask.SAME:
            share, is_protected = self.share.value() / 100.0, bool(self.enrolment.currentData())
            return replace(wanted, same_share=share, enrol_protected=is_protected)
        if asked is ItemTask.PLACEMENT:
            return replace(wanted, speakers=self.speakers.value(), recordings=self.recordings.value())
        return wanted

    def _add(self, asked: ItemTask, heads: tuple[str, ...]) -> None:
        name = say(f"listening.{asked.value}")
        box = QCheckBox(name)
        box.toggled.connect(self._show)
        numbers = [
            self._number(named(name, head), lowest, _MOST, first)
            for head, lowest, first in zip(heads, (1, 0, 0), _FIRST[asked], strict=True)
        ]
        line = self._grid.rowCount()
        self._grid.addWidget(box, line, 0)
        for column, number in enumerate(numbers, start=1):
            self._grid.addWidget(number, line, column)
        self.rows[asked] = _Row(box, *numbers)

    def _number(self, name: str, lowest: int, highest: int, first: int) -> QSpinBox:
        made = WholeBox()
        made.setRange(lowest, highest)
        made.setValue(first)
        made.setAccessibleName(name)
        made.valueChanged.connect(self.changed)
        return made

    def _beside(self, *said: tuple[str, QSpinBox | QComboBox]) -> list[QWidget]:
        """Labels with their fields, on a line each."""
        widgets: list[QWidget] = []
        for text, field in said:
            about = QLabel(text)
            line = self._grid.rowCount()
            self._grid.addWidget(about, line, 0)
            self._grid.addWidget(field, line, 1, 1, 3)
            widgets += [about, field]
        return widgets

    def _show(self) -> None:
        for row in self.rows.values():
            for number in row.numbers:
                number.setEnabled(row.asked.isChecked())
        for asked, widgets in ((ItemTask.SAME, self._of_pairs), (ItemTask.PLACEMENT, self._of_canvases)):
            for widget in widgets:
                widget.setVisible(self.rows[asked].asked.isChecked())
        self.changed.emit()


# The recordings of a listening test: originals, the copies of each safeguard, and who speaks.


_NAME_WIDTH = 150


class FoldersForm(QWidget):
    """A line for the originals, one for each safeguard, and one that says who speaks.

    Signals:
        changed: other recordings, names or speakers.
    """

    changed = Signal()

    def __init__(
        self, choose: Callable[[str], str], choose_file: Callable[[str], str], parent: QWidget | None = None
    ) -> None:
        """`choose` and `choose_file` ask for a folder, and for a file, with a title; "" means no."""
        super().__init__(parent)
        self._choose, self._choose_file = choose, choose_file
        self._original: Path | None = None
        self._protected: list[tuple[LineField, Path]] = []
        self._sex: Path | None = None
        self._pairs: tuple[core.PairingSource, ...] = ()
        self.original = ElidedLabel()
        self.original_button = QPushButton(self.tr("&Original recordings…"))
        self.original_button.clicked.connect(self._on_original)
        self.add_button = QPushButton(self.tr("Add a &safeguard…"))
        self.add_button.clicked.connect(self._on_add)
        self.speakers = choice_box(
            self.tr("Who speaks"),
            (self.tr("The first folder is the speaker"), SpeakerRule.FIRST_FOLDER),
            (self.tr("The file name before its first hyphen"), SpeakerRule.BEFORE_HYPHEN),
            (self.tr("The file name before its first underscore"), SpeakerRule.BEFORE_UNDERSCORE),
        )
        self.speakers.activated.connect(self.changed)
        self.list_button = QPushButton(self.tr("&List of speakers…"))
        self.list_button.clicked.connect(self._on_list)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        who = QHBoxLayout()
        who.addWidget(self.speakers, 1)
        who.addWidget(self.list_button)
        top = QHBoxLayout()
        top.addWidget(self.original_button)
        top.addWidget(self.original, 1)
        rows.addLayout(top)
        rows.addLayout(self._grid)
        add = QHBoxLayout()
        add.addWidget(self.add_button)
        add.addStretch(1)
        rows.addLayout(add)
        rows.addLayout(who)
        self._show()

    @property
    def folders(self) -> RecordedFolders:
        """What is said so far."""
        from zebra_core.listening.recorded_folders import RecordedFolders

        protected = {name.text().strip(): folder for name, folder in self._protected}
        return RecordedFolders(self._original, protected, self.speakers.currentData(), self._sex, self._pairs)

    @property
    def names(self) -> list[str]:
        """What the safeguards are called, some perhaps the same."""
        return [name.text().strip() for name, _ in self._protected]

    def show_folders(self, found: RecordedFolders) -> None:
        """Take these."""
        self._original, self._sex, self._pairs = found.original, found.sex, found.pairs
        self._protected = [(self._named(name), folder) for name, folder in found.protected.items()]
        if found.speakers is not None:
            self._take_source(found.speakers)
        self._show()

    def add(self, folder: Path) -> None:
        """One more safeguard, called after its folder as far as names allow it."""
        from zebra_core.recordings.folder_roles import safeguard_name

        self._protected.append((self._named(safeguard_name(folder.name, self.names)), folder))
        self._show()

    def use_original(self, folder: Path) -> None:
        """Take the originals from here."""
        self._original = folder
        self._show()

    def _named(self, name: str) -> LineField:
        line = LineField(self.tr("Name of the safeguard"))
        line.setText(visible(name))
        line.setFixedWidth(_NAME_WIDTH)
        line.textChanged.connect(self.changed)
        return line

    def _take_source(self, source: core.Source) -> None:
        place = self.speakers.findData(source)
        if place < 0 and not isinstance(source, SpeakerRule):
            self.speakers.addItem(visible(source.name), source)
            place = self.speakers.count() - 1
        self.speakers.setCurrentIndex(max(0, place))

    def _show(self) -> None:
        nothing = self.tr("No folder is chosen")
        self.original.show_text(visible(str(self._original), 200) if self._original else nothing)
        for name, _ in self._protected:
            self._grid.removeWidget(name)
            name.setParent(self)
        clear(self._grid)
        for row, (name, folder) in enumerate(self._protected):
            place = ElidedLabel()
            place.show_text(visible(str(folder), 200))
            gone = QPushButton(self.tr("Remove"))
            gone.setAccessibleName(self.tr("Remove {name}").format(name=visible(folder.name)))
            gone.clicked.connect(lambda _on=False, number=row: self._remove(number))
            for column, widget in enumerate((name, place, gone)):
                self._grid.addWidget(widget, row, column)
            name.show()
        self.changed.emit()

    def _remove(self, number: int) -> None:
        name, _ = self._protected.pop(number)
        self._grid.removeWidget(name)
        name.hide()
        name.deleteLater()
        self._show()
        self.add_button.setFocus()

    def _on_original(self) -> None:
        if name := self._choose(self.tr("Folder of original recordings")):
            self.use_original(Path(name))

    def _on_add(self) -> None:
        if name := self._choose(self.tr("Folder of the copies under one safeguard")):
            self.add(Path(name))

    def _on_list(self) -> None:
        title = self.tr("List of who speaks: utt2spk, spk2utt, or a table with a header")
        if name := self._choose_file(title):
            self._take_source(Path(name))
            self.changed.emit()
