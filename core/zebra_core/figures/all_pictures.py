"""All pictures of a project: which there are, what each is called, and how they are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from zebra_core.figures import comparison as compared, tradeoff
from zebra_core.figures.ape import ape_figure, nber_figure
from zebra_core.figures.calibration import calibration_figure
from zebra_core.figures.distributions import (
    ShownScores,
    det_figure,
    histogram_figure,
    pav_figure,
    roc_figure,
    tippett_figure,
)
from zebra_core.figures.figure import CellsFigure, Figure
from zebra_core.figures.headline import ladder_figure, scale_figure
from zebra_core.figures.series import ece_figure, nece_figure
from zebra_core.figures.similarity import matrix_figure, mosaic_figure
from zebra_core.figures.uncertainty import convergence_of, dots_of, null_of, with_bands
from zebra_core.metrics.similarity import SETTINGS
from zebra_core.project.comparison.comparison import Comparison, compare, of_one_group
from zebra_core.project.comparison.row import ComparisonGroup, ComparisonRow
from zebra_core.project.items import Condition, Entry, Item, SimilarityEntry, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.utility.listening import RatingQuestion
from zebra_core.wording.texts import say, shortened, visible

AnyFigure = Figure | CellsFigure
MOST_MATRICES = 9
"""Matrices in one picture: more would be too small to be read."""


@dataclass(frozen=True, eq=False)
class AvailablePicture:
    """One picture that can be made: `label` is what it is called, `items` are those that it is of."""

    label: str
    items: Sequence[Item]
    make: Callable[[], AnyFigure]
    setting: str = ""  # of matrices, where it is of one of theirs

    def made(self) -> AnyFigure:
        """The picture with its caption; what is of no item has its own."""
        figure = self.make()
        return captioned(figure, self.items, self.setting) if self.items else figure


def pictures_of(project: Project) -> list[AvailablePicture]:
    """All pictures of what is ticked that need no speakers, in a fixed order; no two have one label.

    Those of several assessments are made for each dataset, condition and attacker, with the unprotected
    speech of the dataset; those of one for each; comparisons and matrices where there is something to show.

    Parameters
    ----------
    `project`
        Where the assessments and matrices come from.

    Returns
    -------
    list of AvailablePicture
        Each is made only when `made()` is called.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import pictures_of, project_of_folder
    >>> pictures = pictures_of(project_of_folder(zebra_resources.path("demo")).project)
    >>> len(pictures), pictures[0].label
    (29, 'ECE-libri_f-OP-ignorant')
    >>> pictures[0].made().title
    'ECE profiles'
    """
    comparison, project = compare(project), project.ticked
    made = [
        *_of_groups(project.entries),
        *(picture for entry in project.entries for picture in _of_entry(entry)),
        *_of_comparison(comparison),
        *_of_matrices(project.similarities),
        *(picture for study in project.studies for picture in study.satellite.pictures(study)),
    ]
    return distinct(made)


def distinct(pictures: Sequence[AvailablePicture]) -> list[AvailablePicture]:
    """The pictures with labels that differ: those with the same label are numbered."""
    often, seen = Counter(one.label for one in pictures), Counter[str]()
    made = []
    for one in pictures:
        seen[one.label] += 1
        label = one.label if often[one.label] == 1 else f"{one.label} {seen[one.label]}"
        made.append(replace(one, label=label))
    return made


# --- several assessments in one picture


def _ece(entries: Sequence[Entry], *, normalised: bool) -> Figure:
    plain = (nece_figure if normalised else ece_figure)(entries)
    return with_bands(plain, entries, normalised=normalised)


_OF_SEVERAL: Mapping[str, Callable[[Sequence[Entry]], Figure]] = {
    "ECE": partial(_ece, normalised=False),
    "NECE": partial(_ece, normalised=True),
    "SCALE": scale_figure,
    "LADDER": ladder_figure,
    "APE": ape_figure,
    "NBER": nber_figure,
    "DET": det_figure,
    "ROC": roc_figure,
    "TIPPETT": partial(tippett_figure, shown=ShownScores.ORACLE_LLRS),
    "TIPPETT-SCORES": partial(tippett_figure, shown=ShownScores.SCORES_AS_LLRS),
    "PAV": pav_figure,
    "CALIBRATION": partial(calibration_figure, shown=ShownScores.SCORES_AS_LLRS),
}
_OF_CERTAINTY = {"SURE-POPULATION": "d_ece_bits", "SURE-INDIVIDUAL": "worst_case_log10_lr"}


def groups_of(entries: Sequence[Entry]) -> Iterator[tuple[str, Sequence[Entry]]]:
    """Each group by its name, with the unprotected speech of its dataset."""
    firsts = {ComparisonGroup.of(entry): entry for entry in reversed(entries)}
    protected = {group.dataset for group in firsts if not group.is_of_unprotected}
    for group in dict.fromkeys(map(ComparisonGroup.of, entries)):
        if group.is_of_unprotected and group.dataset in protected:
            continue  # it stands beside what is protected
        yield _name_of(group), of_one_group(entries, firsts[group])


def _of_groups(entries: Sequence[Entry]) -> Iterator[AvailablePicture]:
    for name, together in groups_of(entries):
        for kind, draw in _OF_SEVERAL.items():
            yield AvailablePicture(f"{kind}-{name}", together, partial(draw, together))
        if any(entry.trust for entry in together):
            for kind, figure in _OF_CERTAINTY.items():
                yield AvailablePicture(f"{kind}-{name}", together, partial(dots_of, together, figure))


def _name_of(group: ComparisonGroup) -> str:
    condition = group.condition.value if group.condition else ""
    return "-".join(part for part in (group.dataset, condition, group.attacker) if part) or "all"


# --- one assessment


def _of_entry(entry: Entry) -> Iterator[AvailablePicture]:
    name, alone = name_with_dataset(entry), (entry,)
    draw = partial(histogram_figure, alone, shown=ShownScores.SCORES)
    yield AvailablePicture(f"HISTOGRAMS-{name}", alone, draw)
    if entry.trust is not None and "d_ece_bits" in entry.trust.uncertainty.figures:
        yield AvailablePicture(f"CONVERGENCE-{name}", alone, partial(convergence_of, entry, "d_ece_bits"))
        if entry.trust.null is not None:
            yield AvailablePicture(f"NULL-{name}", alone, partial(null_of, entry, "d_ece_bits"))


# --- the comparison


def _of_comparison(comparison: Comparison) -> Iterator[AvailablePicture]:
    for group in comparison.groups:
        yield _compared(f"condition-{_name_of(group)}", comparison.of(group), compared.condition_figure)
    for system in comparison.systems:
        yield _compared(f"system-{system}", comparison.of_system(system), compared.system_figure)
    for name, draw in (
        ("all", compared.all_figure),
        ("multiples", compared.multiples_figure),
        ("dots", compared.dots_figure),
    ):
        if comparison.rows:
            yield _compared(name, comparison.rows, draw)
    if matrices := tradeoff.with_matrices(comparison.rows):
        yield _compared("distinctiveness", matrices, tradeoff.distinctiveness_figure)
    kept: tuple[tuple[str, tradeoff.Kept], ...] = (("utility", None), ("utility-emotions", tradeoff.EMOTIONS))
    for name, what in kept:
        if rows := tradeoff.with_utility(comparison.rows, what):
            yield _compared(name, rows, partial(tradeoff.utility_figure, question=what))
    yield from _listened(comparison)


def _listened(comparison: Comparison) -> Iterator[AvailablePicture]:
    for question in RatingQuestion:
        if heard := tradeoff.with_utility(comparison.rows, question):
            draw = partial(tradeoff.listening_figure, question=question)
            yield _compared(f"listening-{question.value}", heard, draw)
            if question is not RatingQuestion.SIMILARITY:
                draw = partial(tradeoff.utility_figure, question=question)
                yield _compared(f"utility-{question.value}", heard, draw)


def _compared(
    name: str, rows: Sequence[ComparisonRow], draw: Callable[[Sequence[ComparisonRow]], Figure]
) -> AvailablePicture:
    return AvailablePicture(f"COMPARE-{name}", [row.entry for row in rows], partial(draw, rows))


# --- similarity matrices


def _of_matrices(entries: Sequence[SimilarityEntry]) -> Iterator[AvailablePicture]:
    for entry in entries:
        draw = partial(
            mosaic_figure, entry.similarity, entry.full_name, sex=entry.similarity.sex, trust=entry.trust
        )
        yield AvailablePicture(f"SIMILARITY-{name_with_dataset(entry)}", (entry,), draw)
    for dataset in dict.fromkeys(entry.dataset for entry in entries):
        for setting in SETTINGS:
            here = [one for one in entries if one.dataset == dataset and setting in one.similarity.matrices]
            for start in range(0, len(here), MOST_MATRICES):
                part = here[start : start + MOST_MATRICES]
                name = "-".join(filter(None, ("MATRICES", setting.upper(), dataset)))
                yield AvailablePicture(name, part, partial(_matrices, part, setting), setting)


def _matrices(entries: Sequence[SimilarityEntry], setting: str) -> CellsFigure:
    named = [(one.full_name, one.similarity.matrices[setting]) for one in entries]
    first = entries[0].similarity
    return matrix_figure(named, setting, mean=first.mean, sex=first.sex)


Captioned = TypeVar("Captioned", bound=Figure | CellsFigure)

_LONGEST_NAME = 44
_MOST_NAMES = 3  # of more datasets or attackers only the number is told; the legend has them
_BETWEEN = " · "


def captioned(figure: Captioned, items: Sequence[Item], setting: str = "") -> Captioned:
    """The figure, which is of these items, with a caption that says so."""
    return replace(figure, caption=caption_of(items, setting))


def caption_of(items: Sequence[Item], setting: str = "") -> str:
    """The caption: a single item's name, then dataset, condition and attacker of all items.

    `setting` is "oo", "op" or "pp" where a picture is of one setting of similarity matrices.

    What nobody stated is said to be so. Unprotected speech has no attacker, nor have similarity matrices.
    """
    parts = [_name(items[0])] if len(items) == 1 else []
    parts.append(_listed([item.own_dataset or say("caption.dataset-unknown") for item in items], "datasets"))
    parts += [setting.upper()] if setting else _conditions(items)
    attacked = [entry for item in items for entry in item.entries if not entry.is_original]
    if attacked:
        named = [item.attack_in_words or say("caption.attacker-unknown") for item in attacked]
        parts.append(_listed(named, "attackers"))
    return _BETWEEN.join(part for part in parts if part)


def _name(item: Item) -> str:
    return _short(item.name_and_run)


def _conditions(items: Sequence[Item]) -> list[str]:
    """The conditions of the items: in words if there is one; for matrices, the settings they have."""
    stated = {entry.condition for item in items for entry in item.entries}
    if len(stated) == 1:
        (one,) = stated
        return [say(f"comparison.condition-{one.value}") if one else say("comparison.condition-unknown")]
    named = [condition.value for condition in Condition if condition in stated]
    named += [say("comparison.condition-unknown")] if None in stated else []
    for item in items:
        named += [setting.upper() for setting in item.settings]
    return [", ".join(dict.fromkeys(named))]


def _listed(names: Sequence[str], code: str) -> str:
    different = list(dict.fromkeys(names))
    if len(different) > _MOST_NAMES:
        return say(f"caption.{code}", count=len(different))
    return ", ".join(map(_short, different))


def _short(text: str) -> str:
    return shortened(visible(text), _LONGEST_NAME)
