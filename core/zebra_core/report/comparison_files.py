"""A whole comparison as files: tables, every figure of the reference toolkit's challenge script, and ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from zebra_core.errors import OutputError
from zebra_core.figures.all_pictures import AvailablePicture
from zebra_core.figures.comparison import dots_figure, multiples_figure, profiles_figure
from zebra_core.figures.export import figure_files, zebra_stems
from zebra_core.figures.figure import Figure
from zebra_core.figures.linking_pictures import pictures_of_people
from zebra_core.figures.tradeoff import (
    EMOTIONS,
    distinctiveness_figure,
    listening_figure,
    utility_figure,
    with_matrices,
    with_utility,
)
from zebra_core.figures.uncertainty import groups_figure
from zebra_core.files.access import new_folders, require_free, write_files
from zebra_core.project.by_group import GroupsOfPeople
from zebra_core.project.comparison.columns import challenge_names, challenge_system
from zebra_core.project.comparison.comparison import Comparison
from zebra_core.project.comparison.row import ComparisonRow
from zebra_core.project.items import Entry
from zebra_core.report.results_tex import TexTables
from zebra_core.report.tables import results_markdown, table_files
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.utility.listening import RatingQuestion


def save_comparison(
    comparison: Comparison,
    folder: Path,
    *,
    kinds: Sequence[str] = ("png",),
    tex: TexTables | None = None,
    overwrite: bool = False,
    on_progress: Progress = no_progress,
) -> list[Path]:
    """Write tables and figures into the folder, which is made if need be; returns them in a fixed order.

    results.csv, .md and .tex with all rows, the last as `tex` says; results-<system>.md with those of one
    safeguard; the figures as ZEBRA-<label> in each of `kinds` (png, pdf, svg, tex, csv). All is made before
    the first file is written, and names that are taken are told before anything is drawn. Raises OutputError,
    also where there is nothing to compare; `on_progress` may raise Cancelled.
    """
    if not comparison.rows:
        raise OutputError("nothing-to-compare")
    files = {**table_files(comparison, tex), **_tables_by_system(comparison)}
    made = {**challenge_figures(comparison), **_our_figures(comparison), **_of_people(comparison)}
    made |= _of_groups(comparison)
    stems = zebra_stems(made)
    if folder.is_dir():  # else it is made
        for name in (*files, *(f"{stem}.{kind}" for stem in stems for kind in kinds)):
            require_free(folder / name, overwrite=overwrite)
    for number, (stem, make) in enumerate(zip(stems, made.values(), strict=True)):
        on_progress(number / len(made))
        figure = make()
        for kind in kinds:
            files |= figure_files(figure, stem, kind)
    with new_folders(folder):
        return write_files({folder / name: content for name, content in files.items()}, overwrite=overwrite)


def _tables_by_system(comparison: Comparison) -> dict[str, bytes]:
    """Tables in Markdown by file name: results-<system>.md for each system, as the toolkit names them."""
    rows = {system: comparison.of_system(system) for system in comparison.systems}
    own = [next(row for row in of if row.system == system) for system, of in rows.items()]
    stems = zebra_stems(f"-{challenge_system(row)}" for row in own)
    return {
        f"results{stem.removeprefix('ZEBRA-')}.md": results_markdown(Comparison(of)).encode("utf-8")
        for stem, of in zip(stems, rows.values(), strict=True)
    }


def _our_figures(comparison: Comparison) -> dict[str, Callable[[], Figure]]:
    rows = comparison.rows
    figures: dict[str, Callable[[], Figure]] = {
        "multiples": lambda: multiples_figure(rows),
        "dots": lambda: dots_figure(rows),
    }
    if matrices := with_matrices(rows):
        figures["distinctiveness"] = lambda: distinctiveness_figure(matrices)
    if rated := with_utility(rows):
        figures["utility"] = lambda: utility_figure(rated)
    if told := with_utility(rows, EMOTIONS):
        figures["utility-emotions"] = lambda: utility_figure(told, question=EMOTIONS)
    for question in RatingQuestion:
        if heard := with_utility(rows, question):
            figures[f"listening-{question.value}"] = _listening(heard, question)
    return figures


def _of_people(comparison: Comparison) -> dict[str, Callable[[], Figure]]:
    found = {row.entry.id: row.people for row in comparison.rows if row.people is not None}
    pictures = pictures_of_people([row.entry for row in comparison.rows], found)
    return {picture.label: _made(picture) for picture in pictures}


def _of_groups(comparison: Comparison) -> dict[str, Callable[[], Figure]]:
    """A picture for each attribute by which people were grouped."""
    by_attribute: dict[str, list[tuple[Entry, GroupsOfPeople]]] = {}
    for row in comparison.rows:
        for found in row.by_group:
            by_attribute.setdefault(found.attribute, []).append((row.entry, found))
    return {f"by-group-{name}": partial(groups_figure, found) for name, found in by_attribute.items()}


def _made(picture: AvailablePicture) -> Callable[[], Figure]:
    def make() -> Figure:
        figure = picture.made()
        assert isinstance(figure, Figure)  # noqa: S101 - of people there are no cells
        return figure

    return make


def _listening(rows: Sequence[ComparisonRow], question: RatingQuestion) -> Callable[[], Figure]:
    return lambda: listening_figure(rows, question)


# Every figure of the reference toolkit's challenge script, named alike: by system, by task, sorted.


Make = Callable[[], Figure]


def challenge_figures(comparison: Comparison) -> dict[str, Make]:
    """What makes each figure, by its label: the file is ZEBRA-<label>.

    multiple_conditions_<system> has one safeguard in all its conditions, task_wise_<dataset>-<task>-<gender>
    all safeguards in one; sorted-… are the same with the legend ascending in D_ECE. Where the toolkit's name
    says too little to tell two groups apart, the attacker and then a number follow.
    """
    figures: dict[str, Make] = {}
    for label, title, rows, names in (*_by_system(comparison), *_by_task(comparison, set())):
        for prefix, is_sorted in (("", False), ("sorted-", True)):
            figures[prefix + label] = _maker(rows, title, names, is_sorted)
    return figures


def _maker(rows: list[ComparisonRow], title: str, names: list[str], is_sorted: bool) -> Make:
    return lambda: profiles_figure(rows, title, names, by_disclosure=is_sorted)


def _by_system(comparison: Comparison) -> Iterator[tuple[str, str, list[ComparisonRow], list[str]]]:
    for system in comparison.systems:
        rows = list(comparison.of_system(system))
        names = [str(challenge_names(row.group)) or str(row.group) for row in rows]
        own = next(row for row in rows if row.system == system)
        yield f"multiple_conditions_{challenge_system(own)}", system, rows, names


def _by_task(
    comparison: Comparison, taken: set[str]
) -> Iterator[tuple[str, str, list[ComparisonRow], list[str]]]:
    for group in comparison.groups:
        rows = list(comparison.of(group))
        task = str(challenge_names(group)) or str(group)
        label = f"task_wise_{task}"
        if label in taken and group.attacker:
            label = f"{label}-{group.attacker}"
        number = 2
        while label in taken:
            label, number = f"task_wise_{task}-{number}", number + 1
        taken.add(label)
        yield label, label.removeprefix("task_wise_"), rows, [row.system for row in rows]
