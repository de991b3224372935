"""A user who acts at random, by a seed: every action is one that the window offers."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

import zebra_resources
from tests.core.document.samples import write_case
from tests.soak.hands import Hands
from zebra_core.document.project_file import SUFFIX
from zebra_core.metrics.scales import ENFSI_LIKE_SCALE, PAPER_SCALE
from zebra_core.project import demo
from zebra_core.project.comparison import difference_tests
from zebra_core.uncertainty import trust
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_gui.dialogs import Dialogs
from zebra_gui.dialogs.save import SaveChoice
from zebra_gui.panes.pane import ChoosingCard
from zebra_gui.window.window import Window

_PATIENCE_S = 600.0  # a machine may have other things to do
_MOST_ITEMS = 12  # what a user has open on a long day; more would only make it slow
_DRAWS = 99  # replicates


class User:
    """Acts on a window, and answers its questions. `seen` counts how often each action was done."""

    def __init__(self, window: Window, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
        self.seen: dict[str, int] = {}
        self._window, self._folder = window, folder
        self._answers: dict[str, Callable[[], object]] = {
            "ask_to_save": lambda: self.rng.choice(list(SaveChoice)),
            "ask_files": self._some_files,
        }
        self._given: dict[str, Callable[[], Path | None]] = {
            "everything": self._empty_folder,
            "files of the project": lambda: self._folder,
            "files of the report": lambda: self._folder,
            "logo": lambda: self.rng.choice((None, zebra_resources.path("icons/zebra.png"))),
            "outcome or its text": lambda: self._somewhere(".txt"),
            "picture": lambda: self._somewhere(self.rng.choice((".png", ".pdf", ".svg", ".tex"))),
            "project": lambda: self._somewhere(SUFFIX),
            "report": lambda: self._somewhere(".pdf"),
            "report to verify": self._some_report,
            "requirements": lambda: self._somewhere(".toml"),
            "text": lambda: self._somewhere(".txt"),
        }
        self._hands = hands = Hands(window, self.rng, self._some_files)
        write_case(folder)
        self._actions: tuple[tuple[int, Callable[[], object]], ...] = (
            (6, self.open_files),
            (4, self.open_demo),
            (5, self.open_project),
            (20, self.select),
            (10, self.tick),
            (6, self.edit),
            (25, self.switch_pane),
            (20, self.change_picture),
            (8, self.undo),
            (6, self.redo),
            (4, self.point_at_speaker),
            (4, self.consider_prior),
            (2, self.export_figure),
            (1, self.export_report),
            (5, self.save),
            (3, self.save_elsewhere),
            (2, self.close),
            (1, self.change_theme),
            (2, self.ask_how_sure),
            (1, self.verify_report),
            (3, hands.drop_files),
            (6, hands.use_menu),
            (10, hands.press_button),
            (8, hands.press_key),
            (6, hands.point_at_picture),
            (5, hands.move_dock),
            (3, hands.resize),
            (4, hands.cancel),
            (4, hands.put_away),
        )

    def act(self) -> str:
        """Do something. Two times in three what follows from it is awaited. Returns what it was."""
        self._hands.put_away(all_of_them=False)
        weights = [weight for weight, _ in self._actions]
        action = self.rng.choices([action for _, action in self._actions], weights)[0]
        name = action.__name__
        self.seen[name] = self.seen.get(name, 0) + 1
        action()
        QApplication.processEvents()
        if self.rng.random() < 0.67:
            self.wait()
        return name

    def do_everything_once(self) -> None:
        """So that every library is loaded, and every pane made, before the memory is looked at."""
        self.open_demo()
        self.wait()
        for topic in self._window.workspace.topics:
            self._window.workspace.show_topic(topic)
            self.wait()
        for action in (self.export_figure, self.export_report, self.save, self.change_theme):
            action()
            self.wait()

    def wait(self) -> None:
        """Until nothing is under way any more. Raises TimeoutError."""
        settle(self._window)

    def answering(self, patch: Callable[[object, str, object], object]) -> None:
        """Let this user answer what the window asks; `patch` sets an attribute of a class or a module.

        Few replicates are drawn: what they are worth is for other tests, and they take most of the time.
        """
        for module, name in (
            (trust, "trust_of"),
            (trust, "voices_trust_of"),
            (difference_tests, "settle"),
        ):
            patch(module, name, partial(_with_few_draws, getattr(module, name)))
        for name, answer in self._answers.items():
            patch(Dialogs, name, lambda _dialogs, *_asked, answer=answer: answer())
        for name in ("ask_file", "ask_folder", "ask_place"):
            patch(Dialogs, name, lambda _dialogs, purpose, *_suggested: self._given[purpose]())

    # What the user may do

    def open_files(self) -> None:
        self._window.open_paths(self._some_files())

    def open_demo(self) -> None:
        self._window.file_menu.demo_action.trigger()

    def open_project(self) -> None:
        if saved := sorted(self._folder.glob(f"*{SUFFIX}")):
            self._window.documents.open(self.rng.choice(saved))

    def select(self) -> None:
        if items := self._window.session.items:
            self._window.session.select(self.rng.choice(items).id)

    def tick(self) -> None:
        if items := self._window.session.items:
            self._window.session.edits.tick([self.rng.choice(items).id], self.rng.random() < 0.5)

    def edit(self) -> None:
        session = self._window.session
        if not session.items:
            return
        one = [self.rng.choice(session.items).id]
        edits = session.edits
        if len(session.items) > _MOST_ITEMS:
            edits.remove([item.id for item in session.items[_MOST_ITEMS // 2 :]])
            return
        self.rng.choice(
            (
                lambda: edits.rename(one, f"B{self.rng.randrange(9)} & <b>"),
                lambda: edits.duplicate(one),
                lambda: edits.remove(one),
                lambda: edits.shift(one, self.rng.choice((-1, 1))),
                lambda: edits.colour(one, self.rng.randrange(7)),
                lambda: edits.note(one[0], "n" * self.rng.randrange(99)),
                lambda: session.set_scales(PAPER_SCALE, self.rng.choice((None, ENFSI_LIKE_SCALE))),
                self._fill_in,
            )
        )()

    def _fill_in(self) -> None:
        """What the user says of the report, and of the speech."""
        session = self._window.session
        session.set_report(replace(session.project.report, case=f"Case {self.rng.randrange(9)} & <b>"))
        for entry in session.entries[:1]:
            session.utilities.set_wer(entry.speech, self.rng.choice((None, 0.05, 1.2)))

    def switch_pane(self) -> None:
        if workspace := self._window.workspace:
            workspace.show_topic(self.rng.choice(workspace.topics))

    def change_picture(self) -> None:
        if workspace := self._window.workspace:
            cards = [card for card in workspace.front_pane.figure_cards() if isinstance(card, ChoosingCard)]
            buttons = [button for card in cards for button in card.chooser.buttons()]
            if buttons:
                self.rng.choice(buttons).click()

    def undo(self) -> None:
        self._window.session.undo_stack.undo()

    def redo(self) -> None:
        self._window.session.undo_stack.redo()

    def point_at_speaker(self) -> None:
        self._window.session.select_speaker(self.rng.choice((None, "1089", "121", "237")))

    def consider_prior(self) -> None:
        self._window.session.consider_prior(self.rng.randrange(2, 10_000))

    def export_figure(self) -> None:
        if self._window.session.items and self._window.workspace.front_pane.figure_cards():
            self._window.export_menu.save_picture()

    def export_report(self) -> None:
        if self._window.session.entries:
            self._window.exports.save_report()

    def save(self) -> None:
        if self._window.session.items:
            self._window.documents.save()

    def save_elsewhere(self) -> None:
        if self._window.session.items:
            self._window.documents.save_as()

    def close(self) -> None:
        self._window.documents.close()

    def change_theme(self) -> None:
        theme = self._window.theme
        theme.choose(self.rng.choice(list(type(theme.choice))))

    def ask_how_sure(self) -> None:
        window = self._window
        self.rng.choice(
            (
                window.assess_menu.trust_action,
                window.assess_menu.trust_all_action,
                window.assess_menu.settle_action,
            )
        ).trigger()

    def verify_report(self) -> None:
        self._window.file_menu.verify_action.trigger()

    # What the user has on disk

    def _some_report(self) -> Path | None:
        saved = sorted(self._folder.glob("*.pdf"))
        return self.rng.choice(saved) if saved else None

    def _some_files(self) -> list[Path]:
        own = [self._folder / "exp/scores", self._folder / "trials"]
        shipped = [self.rng.choice(demo.FILES).path, zebra_resources.path(demo.KEY)]
        return self.rng.choice((own, shipped, shipped, own[:1]))

    def _somewhere(self, suffix: str) -> Path:
        return self._folder / f"{self.rng.choice('abc')}{suffix}"

    def _empty_folder(self) -> Path:
        folder = self._folder / "everything"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder


def _with_few_draws(
    measure: Callable[..., object], what: object, trials: object, *_settings: object, **rest: object
) -> object:
    return measure(what, trials, BootstrapSettings(replicates=_DRAWS), **rest)


def settle(window: Window, *, unasked: bool = False) -> None:
    """Let a window work until nothing is under way any more; with `unasked`, what nobody asked for neither.

    Raises TimeoutError.
    """
    drawing = window.session.drawing
    queues = {
        "jobs": window.jobs,
        "pictures": drawing._pictures,
        "pages": drawing._pages,
        "autosave": window.documents.autosave._jobs,
    }
    if unasked:
        queues["unasked"] = window.automatic_intervals.jobs
    until = time.monotonic() + _PATIENCE_S
    while any(queue.waiting for queue in queues.values()):
        QApplication.processEvents()
        time.sleep(0.005)  # what is waited for needs the interpreter
        if time.monotonic() > until:
            waiting = {name: [job.name for job in queue.waiting] for name, queue in queues.items()}
            raise TimeoutError(waiting)
    QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
