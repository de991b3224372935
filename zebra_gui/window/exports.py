"""Exports: each asks where to, lets a job call the core, and says what was written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QImage

from zebra_core.runtime.progress import Progress, part_of
from zebra_core.wording.texts import visible
from zebra_gui import core_types as core
from zebra_gui.dialogs import Dialogs, Place
from zebra_gui.jobs.jobs import Jobs, Work
from zebra_gui.language.translating import for_count
from zebra_gui.session.automatic_intervals import INTERVALS_AT_ONCE
from zebra_gui.session.session import Session
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


def _save_report(project: core.Project, path: Path, is_summary: bool, on_progress: Progress) -> list[Path]:
    from zebra_core.project.gathering.gathering import gather
    from zebra_core.report.attachment import WORD
    from zebra_core.report.export import save_report, save_word_report

    certain = with_missing_intervals(project, part_of(on_progress, 0.0, 0.6))
    material = gather(certain, part_of(on_progress, 0.6, 0.7))
    rest = part_of(on_progress, 0.7, 1.0)
    if path.suffix.lower() == WORD:
        template, is_there = word_template(), path.exists()  # of evidence beside it nobody was asked
        return save_word_report(
            material, path, template=template, overwrite=is_there, is_summary=is_summary, on_progress=rest
        )
    return [save_report(material, path, overwrite=True, is_summary=is_summary, on_progress=rest)]


def _save_everything(project: core.Project, folder: Path, on_progress: Progress) -> list[Path]:
    from zebra_core.project.gathering.gathering import gather
    from zebra_core.report.export import report_set

    certain = with_missing_intervals(project, part_of(on_progress, 0.0, 0.6))
    material = gather(certain, part_of(on_progress, 0.6, 0.7))
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
    from zebra_core.project.comparison.certainty import with_certainty
    from zebra_core.project.verdicts.measuring import with_bounds

    certain = with_certainty(project, on_progress=part_of(on_progress, 0.0, 0.6))[0]
    return with_bounds(certain, certain.requirements, None, part_of(on_progress, 0.6, 1.0))[0]
