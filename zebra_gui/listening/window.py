"""A listening test, full screen: introduction and consent, one item after the other, and the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from zebra_core.errors import ZebraError
from zebra_core.listening.answers import AnswerFile, now
from zebra_core.listening.items import ItemTask
from zebra_core.listening.package import SUFFIX
from zebra_core.wording.texts import named, visible_sentence
from zebra_gui.jobs.jobs import Jobs
from zebra_gui.listening import work
from zebra_gui.listening.canvas import CanvasPage
from zebra_gui.listening.pages import (
    ItemPage,
    ItemPlayer,
    RatingPage,
    RecordingPlayer,
    SamePage,
    not_possible,
)
from zebra_gui.widgets.layouts import label, tell
from zebra_gui.widgets.wheel import Slider

if TYPE_CHECKING:
    from zebra_core.listening.package import HeardItem, Package

_WIDEST = 900  # pixels of a column of text
_LOUDEST = 100  # per cent


class ListeningWindow(QMainWindow):
    """One test of one listener. Escape leaves full screen; closing it loses nothing."""

    def __init__(self, path: Path | None, player: RecordingPlayer, parent: QWidget | None = None) -> None:
        """Open the listener's file at a path; without one the window asks for it."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Listening test"))
        self.jobs = Jobs(self)
        self.player = player
        self.heard = ItemPlayer(player, self)
        self.package: Package | None = None
        self.session: AnswerFile | None = None
        self.item: HeardItem | None = None
        self._pages: dict[ItemTask, ItemPage] = {}
        self.stack = QStackedWidget()
        self.title = label(tone="invitation")
        self.words = label()
        self.consent = QCheckBox()
        self.open_button = _main_button(self.tr("&Open a test…"))
        self.begin = _main_button(self.tr("&Begin"))
        self.try_sound = QPushButton(self.tr("Play a &test sound"))
        self.place = QLabel()
        self.progress = QProgressBar()
        self.level = Slider(Qt.Orientation.Horizontal)
        self.remark = label(tone="problem")
        self.lacking = label(tone="quiet")
        self.next = _main_button(self.tr("&Next"))
        self.save_sounds = QPushButton(self.tr("Save the &recordings…"))
        self.end = label(tone="invitation")
        self.close_button = QPushButton(self.tr("&Close"))
        self._lay_out()
        self._connect()
        self.resize(1100, 720)
        self.path = Path()
        self._number = ""  # of the item, in words
        if path is None:
            self._ask()
        else:
            self.open_test(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.player.close()
        self.jobs.shut_down()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        self.start_page = _scrolled(
            self.title, self.words, self.open_button, self.try_sound, self.consent, self.begin
        )
        self.end_page = _scrolled(self.end)
        self.items = QStackedWidget()
        self.items.setProperty("look", "scrolled")
        self.item_page = QScrollArea()
        self.item_page.setWidgetResizable(True)
        self.item_page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.item_page.setWidget(self.items)
        for page in (self.start_page, self.item_page, self.end_page):
            self.stack.addWidget(page)
        self.begin.setEnabled(False)
        self.consent.setText(self.tr("I have &read this, and agree"))
        self.consent.hide()
        self.level.setRange(0, _LOUDEST)
        self.level.setValue(_LOUDEST)
        self.level.setFixedWidth(140)
        self.level.setAccessibleName(self.tr("Level"))
        level = QLabel(self.tr("&Level"))
        level.setBuddy(self.level)
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(8)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.open_button.hide()
        self.save_sounds.hide()
        head = QHBoxLayout()
        head.addWidget(self.place)
        head.addWidget(self.progress, 100)
        head.addStretch(1)  # alone before the test, with the level to its right
        head.addWidget(level)
        head.addWidget(self.level)
        self.head = QWidget()
        self.head.setLayout(head)
        head.setContentsMargins(0, 0, 0, 0)
        foot = QHBoxLayout()
        foot.addWidget(self.close_button)
        foot.addWidget(self.save_sounds)
        foot.addStretch(1)
        foot.addWidget(self.lacking)
        foot.addWidget(self.next)
        middle = QWidget()
        rows = QVBoxLayout(middle)
        rows.setContentsMargins(28, 20, 28, 20)
        rows.setSpacing(14)
        rows.addWidget(self.head)
        rows.addWidget(self.stack, 1)
        rows.addWidget(self.remark)
        rows.addLayout(foot)
        self.setCentralWidget(middle)
        for hidden in (self.head, self.place, self.progress, self.try_sound, self.next, self.remark):
            hidden.hide()
        self.lacking.setWordWrap(False)

    def _connect(self) -> None:
        self.open_button.clicked.connect(self._on_open)
        self.consent.toggled.connect(self.begin.setEnabled)
        self.begin.clicked.connect(self._on_begin)
        self.try_sound.clicked.connect(self._on_try_sound)
        self.next.clicked.connect(self._on_next)
        self.close_button.clicked.connect(self.close)
        self.save_sounds.clicked.connect(self._on_save_sounds)
        self.level.valueChanged.connect(self._on_level)
        self.heard.changed.connect(self._show_state)
        self.heard.failed.connect(self._on_failed)
        QShortcut(QKeySequence("Ctrl+Return"), self).activated.connect(self.next.click)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self).activated.connect(self._leave_full_screen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on, where one can; else it presses the button that has the focus."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        button, aside = self.focusWidget(), (self.close_button, self.save_sounds, self.try_sound)
        onward = (self.next, self.begin, self.open_button)
        ready = next((one for one in onward if one.isVisible() and one.isEnabled()), None)
        if ready is not None and button not in aside:
            ready.click()
        elif isinstance(button, QAbstractButton):
            button.click()

    def open_test(self, path: Path) -> None:
        """Open a listener's file."""
        self.path = path
        self._tell("")
        job = self.jobs.start(self.tr("Opening the test"), work.open_test, self.path)
        job.done.connect(self._on_opened)
        job.failed.connect(self._on_job_failed)

    def _ask(self) -> None:
        self.title.setText(self.tr("Listening test"))
        text = self.tr(
            "Open the file that you were given. Its name ends in {suffix}. Your answers are kept beside it."
        )
        self.words.setText(text.format(suffix=SUFFIX))
        self.open_button.show()
        self.begin.hide()
        self.open_button.setFocus()

    def _on_open(self) -> None:
        kinds = self.tr("Listening tests (*.zebra-listening)")
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open a listening test"), "", kinds)
        if name:
            self.open_test(Path(name))

    def _on_opened(self, found: tuple[Package, AnswerFile | None]) -> None:
        self.package, self.session = found
        self.open_button.hide()
        self.begin.show()
        self.title.setText(visible_sentence(self.package.title) or self.tr("Listening test"))
        begun = self.session is not None
        words = [self.package.introduction, "" if begun else self.package.consent]
        if self.session is not None:
            count = len(self.package.items) - len(self.session.left)
            if self.session.left:
                text = self.tr(
                    "You have answered {count} of {all} items. The test continues with the next one."
                )
            else:
                text = self.tr("All {all} items are answered.")
            words.append(text.format(count=count, all=len(self.package.items)))
        self.words.setText("\n\n".join(filter(None, words)))
        self.words.setAccessibleName(self.words.text())
        self.consent.setVisible(not begun)
        self.begin.setText(self.tr("&Go on") if begun else self.tr("&Begin"))
        self.begin.setEnabled(begun)
        self.try_sound.show()
        self.head.show()  # with the level
        (self.begin if begun else self.consent).setFocus()

    def _on_begin(self) -> None:
        assert self.package is not None  # noqa: S101 - the button is off before
        try:
            self.session = self.session or AnswerFile(work.answers_of(self.path), self.package)
        except ZebraError as error:
            self._tell(str(error))
            return
        self._show_next()

    def _show_next(self) -> None:
        assert self.package is not None  # noqa: S101
        assert self.session is not None  # noqa: S101
        left = self.session.left
        if not left:
            self._show_end()
            return
        self.item = left[0]
        page = self._page(self.item.question)
        self.stack.setCurrentWidget(self.item_page)
        self.items.setCurrentWidget(page)
        done, everything = len(self.package.items) - len(left), len(self.package.items)
        self._number = self.tr("Item {number} of {all}").format(number=done + 1, all=everything)
        self.progress.setRange(0, everything)
        self.progress.setValue(done)
        self.place.show()
        self.progress.show()
        self.next.show()
        self.heard.take(())
        self._show_state()
        job = self.jobs.start(
            self.tr("Reading recordings"), work.sounds_of, self.path, self.package, self.item
        )
        job.done.connect(self._on_sounds)
        job.failed.connect(self._on_job_failed)

    def _page(self, asked: ItemTask) -> ItemPage:
        if asked not in self._pages:
            assert self.package is not None  # noqa: S101
            ends = self.package.scales.get(asked, ("", ""))
            page: ItemPage
            if asked is ItemTask.SAME:
                page = SamePage(self.heard, ends)
            elif asked is ItemTask.PLACEMENT:
                page = CanvasPage(self.heard)
            else:
                page = RatingPage(self.heard, asked, ends)
            page.changed.connect(self._show_state)
            self._pages[asked] = page
            self.items.addWidget(page)
        return self._pages[asked]

    def _on_sounds(self, sounds: list[tuple[object, int]]) -> None:
        page = self._shown
        if page is not None:
            self.heard.take(sounds)  # type: ignore[arg-type] # as the work gives them
            page.begin(len(sounds))
            self._show_state()

    @property
    def _shown(self) -> ItemPage | None:
        return self._pages.get(self.item.question) if self.item is not None else None

    def _show_state(self) -> None:
        page = self._shown
        if page is None:
            return
        page.show_heard()
        is_there = bool(self.heard.plays)
        files = ", ".join(self.item.saved_names) if self.item is not None and self.heard.elsewhere else ""
        self.place.setText(named(self._number, files) if files else self._number)
        self.next.setEnabled(is_there and not page.lacking)
        tell(self.lacking, self.tr("Still to do"), page.lacking if is_there else "")

    def _on_next(self) -> None:
        page = self._shown
        if page is None or self.session is None or self.item is None or (answer := page.answer) is None:
            return
        heard = replace(
            answer,
            seconds=self.heard.seconds,
            plays=tuple(self.heard.plays),
            elsewhere=self.heard.elsewhere and bool(self.heard.unheard),
        )
        self.heard.stop()
        try:
            if self.item in self.session.left:  # else the end alone could not be written
                self.session.answer(self.item, replace(heard, at=now()))
            if not self.session.left:
                self.session.finish()
        except ZebraError as error:
            self._tell(str(error))
            return
        self._tell("")
        self._show_next()

    def _show_end(self) -> None:
        assert self.session is not None  # noqa: S101
        self.item = None
        self.heard.take(())
        text = self.tr(
            "Thank you. You have answered everything. "
            "Please give the file {file} to the person who made the test."
        )
        self.end.setText(text.format(file=visible_sentence(self.session.path.name)))
        self.end.setAccessibleName(self.end.text())
        self.stack.setCurrentWidget(self.end_page)
        for gone in (self.head, self.next, self.lacking):
            gone.hide()
        self.close_button.setFocus()

    def _on_failed(self, why: str) -> None:
        self._tell(not_possible(why))
        self.save_sounds.setVisible(self.package is not None)
        given = self.session.answers.of.values() if self.session is not None else ()
        if any(one.elsewhere for one in given):  # they were saved before the test was left
            self._on_played_elsewhere()

    def _on_played_elsewhere(self) -> None:
        self.heard.elsewhere = True
        self._show_state()

    def _on_try_sound(self) -> None:
        job = self.jobs.start(self.tr("Playing a test sound"), work.sound_check)
        job.done.connect(lambda sound: self.player.play(*sound))

    def _on_save_sounds(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, self.tr("Save the recordings"))
        if folder and self.package is not None:
            self.export_to(Path(folder))

    def export_to(self, folder: Path) -> None:
        """Save every item as files, for playing them elsewhere."""
        assert self.package is not None  # noqa: S101
        job = self.jobs.start(self.tr("Saving recordings"), work.export, self.path, self.package, folder)
        job.done.connect(lambda count: self._on_saved(count, folder))
        job.failed.connect(self._on_job_failed)

    def _on_saved(self, count: int, folder: Path) -> None:
        text = self.tr(
            "{count} recordings are in {folder}. Play those that are named beside the number of the item, "
            "then answer here. Your answers will say that you heard them elsewhere."
        )
        self._tell(text.format(count=count, folder=visible_sentence(str(folder))))
        self._on_played_elsewhere()

    def _on_level(self, per_cent: int) -> None:
        self.player.level = per_cent / _LOUDEST

    def tell_fault(self, error: Exception) -> None:
        """Say that the program is at fault; the answers so far are on the disk."""
        text = self.tr("The program failed: {kind}. Your answers so far are kept. Start the program again.")
        self._tell(text.format(kind=type(error).__name__))

    def _on_job_failed(self, error: Exception) -> None:
        if not isinstance(error, ZebraError):
            raise error
        self._tell(str(error))

    def _tell(self, sentence: str) -> None:
        tell(self.remark, self.tr("Note"), sentence)
        self.remark.setVisible(bool(sentence))

    def _leave_full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()


def _main_button(text: str) -> QPushButton:
    button = QPushButton(text)
    button.setProperty("look", "main")
    button.setMinimumSize(140, 40)
    return button


def _scrolled(*widgets: QWidget) -> QScrollArea:
    """Widgets below each other, in a column that is not too wide to be read."""
    inside = QWidget()
    inside.setProperty("look", "scrolled")
    rows = QVBoxLayout()
    rows.setSpacing(18)
    rows.addStretch(1)
    for widget in widgets:
        widget.setMaximumWidth(_WIDEST)
        is_button = isinstance(widget, QPushButton)
        rows.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft if is_button else Qt.AlignmentFlag(0))
    rows.addStretch(2)
    sides = QHBoxLayout(inside)
    sides.addStretch(1)
    sides.addLayout(rows, 8)
    sides.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(inside)
    return area
