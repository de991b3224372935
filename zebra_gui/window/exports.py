"""Exports: each asks where to, lets a job call the core, and says what was written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QImage

from zebra_core.files.access import as_command
from zebra_core.runtime.progress import Progress, part_of
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs, Place
from zebra_gui.document.document import Documents
from zebra_gui.jobs.jobs import Jobs, Work
from zebra_gui.language.translating import for_count
from zebra_gui.session.session import INTERVALS_AT_ONCE, Session
from zebra_gui.settings import settings

if TYPE_CHECKING:
    from zebra_gui.panes.pane import FigureCard, MakeFigure


WORD_TEMPLATE = "report/word-template"
"""The setting with the path of the file that Word files take their styles from; empty for none."""


def word_template() -> Path | None:
    """The file that Word files take their styles from, if the user chose one."""
    chosen = str(settings().value(WORD_TEMPLATE, "", str))
    return Path(chosen) if chosen else None


class Exports(QObject):
    """Writes figures and reports of the open project.

    Signals:
        saved: one sentence that says what was written and where, or that nothing was.
    """

    saved = Signal(str)

    def __init__(self, session: Session, jobs: Jobs, dialogs: Dialogs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._dialogs = dialogs

    def save_figure(self, card: FigureCard) -> None:
        """The picture on a card, as the kind of file that the user chooses."""
        if (make := card.make_picture()) and (path := self._dialogs.ask_place("picture", card.file_stem())):
            self._export(path.name, partial(_save_figure, make, path))

    def copy_figure(self, card: FigureCard) -> None:
        """The picture on a card, onto the clipboard."""
        if make := card.make_picture():
            work = partial(_draw_for_clipboard, make)
            self._start(self.tr("Copying the picture"), work, self._on_drawn_for_clipboard)

    def save_report(self) -> None:
        """The report as one PDF."""
        self._save_report("report", self.tr("ZEBRA-report.pdf"), is_summary=False)

    def save_word(self) -> None:
        """The report as a Word file, with its evidence beside it."""
        self._save_report("Word report", self.tr("ZEBRA-report.docx"), is_summary=False)

    def choose_template(self, is_wanted: bool) -> bool:
        """Whether Word files are made with a template from now on: one that the user chooses, or none."""
        path = self._dialogs.ask_file("Word template") if is_wanted else None
        settings().setValue(WORD_TEMPLATE, str(path or ""))
        return path is not None

    def save_summary(self) -> None:
        """The answer of the report on a page or two, with the same evidence."""
        self._save_report("summary", self.tr("ZEBRA-summary.pdf"), is_summary=True)

    def _save_report(self, purpose: Place, suggested: str, *, is_summary: bool) -> None:
        path = self._dialogs.ask_place(purpose, suggested)
        if path and (project := self._session.project_at_prior):
            self._export(path.name, partial(_save_report, project, path, is_summary))

    def save_everything(self) -> None:
        """The whole report set, into a folder."""
        folder = self._dialogs.ask_folder("everything")
        if folder and (project := self._session.project_at_prior):
            self._export(folder.name, partial(_save_everything, project, folder))

    def save_pictures(self) -> None:
        """Every picture there is, into a folder, in the formats that the user chooses."""
        chosen = self._dialogs.ask_pictures()
        if chosen and self._session.project:
            folder, kinds = chosen
            work = partial(_save_pictures, self._session.project, folder, kinds)
            self._start(self.tr("Drawing all pictures"), work, self._on_pictures_saved, keeps_partial=True)

    def _on_pictures_saved(self, saved: core.SavedPictures) -> None:
        self._on_saved(saved.paths)
        for sentence in saved.left_out:
            self._session.report_problem(sentence)

    def _export(self, name: str, work: Work) -> None:
        name = self.tr("Exporting {name}").format(name=visible(name))
        self._start(name, work, self._on_saved, keeps_partial=True)  # files that are written are told of

    def _start(
        self, name: str, work: Work, done: Callable[..., object], *, keeps_partial: bool = False
    ) -> None:
        self._session.dismiss_problems()
        job = self._jobs.start(name, work, keeps_partial=keeps_partial)
        job.done.connect(done)
        job.failed.connect(self._session.report_failure)
        job.cancelled.connect(self._on_cancelled)

    def _on_cancelled(self) -> None:
        self.saved.emit(self.tr("Cancelled. Nothing was written."))

    def _on_drawn_for_clipboard(self, drawn: tuple[str, bytes]) -> None:
        title, png = drawn
        QGuiApplication.clipboard().setImage(QImage.fromData(png))
        self.saved.emit(self.tr("Copied “{title}”").format(title=visible(title, 200)))

    def _on_saved(self, paths: Sequence[Path]) -> None:
        sentence = for_count(
            "Exports", "Saved {name} in {folder}", "Saved {count} files in {folder}", len(paths)
        )
        name, folder = visible(paths[0].name), visible(str(paths[0].parent), 200)
        self.saved.emit(sentence.format(name=name, count=len(paths), folder=folder))


# What the jobs do. The renderers are imported there: matplotlib and Typst take their time.


def _draw_for_clipboard(make: MakeFigure, on_progress: Progress) -> tuple[str, bytes]:
    from zebra_core.figures.matplotlib_ import render

    figure = make()
    on_progress(0.3)
    return figure.title, render(figure, "png")


def _save_figure(make: MakeFigure, path: Path, on_progress: Progress) -> list[Path]:
    from zebra_core.figures.export import save_figure

    figure = make()
    on_progress(0.1)
    # The dialog has asked before it named a file that is there.
    return save_figure(figure, path.stem, path.suffix.lower()[1:], path.parent, overwrite=True)


def _gathered(project: core.Project, on_progress: Progress) -> core.StudiedProject:
    from zebra_core.project.gathering.gathering import gather

    certain = with_missing_intervals(project, part_of(on_progress, 0.0, 0.85))
    return gather(certain, part_of(on_progress, 0.85, 1.0))


def _save_report(project: core.Project, path: Path, is_summary: bool, on_progress: Progress) -> list[Path]:
    from zebra_core.report.attachment import WORD
    from zebra_core.report.export import save_report, save_word_report

    material = _gathered(project, part_of(on_progress, 0.0, 0.7))
    rest = part_of(on_progress, 0.7, 1.0)
    if path.suffix.lower() == WORD:
        template, is_there = word_template(), path.exists()  # of evidence beside it nobody was asked
        return save_word_report(
            material, path, template=template, overwrite=is_there, is_summary=is_summary, on_progress=rest
        )
    return [save_report(material, path, overwrite=True, is_summary=is_summary, on_progress=rest)]


def _save_everything(project: core.Project, folder: Path, on_progress: Progress) -> list[Path]:
    from zebra_core.report.export import report_set

    material = _gathered(project, part_of(on_progress, 0.0, 0.7))
    return report_set(material, folder, on_progress=part_of(on_progress, 0.7, 1.0))


def _save_pictures(
    project: core.Project, folder: Path, kinds: Sequence[str], on_progress: Progress
) -> core.SavedPictures:
    from zebra_core.figures.saving_all import save_all_pictures

    certain = with_missing_intervals(project, part_of(on_progress, 0.0, 0.4))
    return save_all_pictures(certain, folder, kinds, on_progress=part_of(on_progress, 0.4, 1.0))


def with_missing_intervals(project: core.Project, on_progress: Progress) -> core.Project:
    """The project with missing intervals, and what its verdicts need: an export waits; what has none says so.

    Where the user does not want them unasked, nothing is computed, and the report says so.
    """
    if not settings().value(INTERVALS_AT_ONCE, True, bool):
        return project
    from zebra_core.project.comparison.difference_tests import with_certainty
    from zebra_core.project.verdicts.measuring import with_bounds

    certain = with_certainty(project, on_progress=part_of(on_progress, 0.0, 0.6))[0]
    return with_bounds(certain, certain.requirements, None, part_of(on_progress, 0.6, 1.0))[0]


# What would do on the command line what the window does, for the clipboard.


class CommandCopies(QObject):
    """Copies a command that reads the file of the open project, which must be saved as it is.

    Signals:
        copied: one sentence that says what is on the clipboard.
    """

    copied = Signal(str)

    def __init__(self, session: Session, documents: Documents, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._documents = documents

    def copy_report(self) -> None:
        """The command that writes the report as the window does, beside the project."""
        if (path := self._saved_file()) is not None:
            is_certain = settings().value(INTERVALS_AT_ONCE, True, bool)
            out = path.with_name(f"{path.stem}-report.pdf")
            self._copy("report", path, out, *([] if is_certain else ["--no-intervals"]))

    def copy_comparison(self) -> None:
        """The command that writes the tables and pictures of the comparison into a folder beside it."""
        if (path := self._saved_file()) is not None:
            self._copy("compare", path, path.with_name(f"{path.stem}-comparison"))

    def _saved_file(self) -> Path | None:
        path = self._documents.path
        if path is None or self._documents.is_modified:
            self._session.report_problem(
                self.tr("The command would read the saved project. Save it first, then copy again.")
            )
            return None
        if not str(path).isprintable():
            self._session.report_problem(
                self.tr(
                    "The name of the project has characters that no command can show. Save it under another."
                )
            )
            return None
        return path.absolute()

    def _copy(self, command: str, path: Path, out: Path, *options: str) -> None:
        prior = ["--prior", str(self._session.prior)]
        text = as_command(["zebra", command, str(path), "-o", str(out), *prior, *options])
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(self.tr("Copied: {command}").format(command=visible(text, 200)))


# Reports and copies for others: as they are, or with codes in the place of names.


@dataclass(frozen=True, eq=False)
class SharedFiles:
    """What was written for others; `key_file` leads from codes back to names, and `told` was left behind."""

    path: Path
    key_file: Path | None = None
    sentences: tuple[str, ...] = ()


class SharingActions(QObject):
    """Asks where to, lets a job write, and says what was written and what is not to be shared.

    Signals:
        saved: one sentence that says what was written and where, or that nothing was.
    """

    saved = Signal(str)

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        dialogs: Dialogs,
        documents: Documents,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._dialogs, self._documents = session, jobs, dialogs, documents

    def save_report(self) -> None:
        """The report with codes in the place of names, the score files under codes, and the key."""
        path = self._dialogs.ask_place("report", self.tr("ZEBRA-report-without-names.pdf"))
        if path and (project := self._session.project_at_prior):
            self._start(path, partial(_sharing_save_report, project, path))

    def save_copy(self) -> None:
        """A copy of the project; the open one stays what it is, and where."""
        self._save_copy(self.tr("copy"), is_nameless=False)

    def save_copy_without_names(self) -> None:
        """A copy with codes in the place of names, the score files under codes, and the key."""
        self._save_copy(self.tr("copy-without-names"), is_nameless=True)

    def _save_copy(self, suggested: str, *, is_nameless: bool) -> None:
        self._session.settle()
        path = self._dialogs.ask_place("project", f"{suggested}.zebra")
        if path is None or (project := self._session.project) is None:
            return
        if self._documents.path is not None and path.absolute() == self._documents.path.absolute():
            self._session.report_problem(self.tr("That is the open project. Choose another name for a copy."))
            return
        kept, inside = self._documents.kept_at, self._documents.with_inputs
        self._start(path, partial(_save_copy, project, path, kept, inside, is_nameless))

    def _start(self, path: Path, work: Work) -> None:
        self._session.dismiss_problems()
        name = self.tr("Saving {name}").format(name=visible(path.name))
        job = self._jobs.start(name, work, keeps_partial=True)
        job.done.connect(self._on_saved)
        job.failed.connect(self._session.report_failure)
        job.cancelled.connect(partial(self.saved.emit, self.tr("Cancelled. Nothing was written.")))

    def _on_saved(self, given: SharedFiles) -> None:
        for sentence in given.sentences:
            self._session.report_problem(sentence)
        name, folder = visible(given.path.name), visible(str(given.path.parent), 200)
        if given.key_file is None:
            self.saved.emit(self.tr("Saved {name} in {folder}").format(name=name, folder=folder))
            return
        sentence = self.tr("Saved {name} in {folder}, with its scores. Do not share {key}: it has the names.")
        key = visible(str(given.key_file), 200)
        self.saved.emit(sentence.format(name=name, folder=folder, key=key))


# What the jobs do.


def _sharing_save_report(project: core.Project, path: Path, on_progress: Progress) -> SharedFiles:
    from zebra_core.project.sharing.pseudonymised import Places, without_names
    from zebra_core.report.export import save_report

    places = Places.beside(path, overwrite=path.exists())  # the dialog has asked
    made = without_names(project, places, part_of(on_progress, 0.0, 0.2))
    try:
        material = _gathered(made.project, part_of(on_progress, 0.2, 0.8))
        rest = part_of(on_progress, 0.8, 1.0)
        save_report(material, path, overwrite=True, look=made.refuse_names, on_progress=rest)
    except BaseException:
        made.undo()
        raise
    return SharedFiles(path, made.key_file, made.sentences)


def _save_copy(
    project: core.Project,
    path: Path,
    kept_at: Mapping[core.FileKey, Path],
    with_inputs: bool,
    is_nameless: bool,
    on_progress: Progress,
) -> SharedFiles:
    from zebra_core.document.project_file import save_project
    from zebra_core.project.reading.inputs import put_back
    from zebra_core.project.sharing.pseudonymised import Places, without_names

    if not is_nameless:
        save_project(
            put_back(project, kept_at),
            path,
            with_inputs=with_inputs,
            kept_at=kept_at,
            on_progress=on_progress,
        )
        return SharedFiles(path)
    places = Places.beside(path, overwrite=path.exists())  # the dialog has asked
    made = without_names(project, places, part_of(on_progress, 0.0, 0.8))
    try:
        save_project(
            made.project,
            path,
            with_inputs=with_inputs,
            without_folders=True,
            look=made.refuse_names,
            on_progress=part_of(on_progress, 0.8, 1.0),
        )
    except BaseException:
        made.undo()
        raise
    return SharedFiles(path, made.key_file, made.sentences)
