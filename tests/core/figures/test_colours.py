"""A colour belongs to its safeguard: in every picture of a comparison it has that one and no other has it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from tests.contrast import contrast
from tests.core.challenge_case import challenge, similarity_entry
from tests.core.samples import demo, project_of, small_entry
from zebra_core.figures.comparison import (
    all_figure,
    condition_figure,
    dots_figure,
    multiples_figure,
    system_figure,
)
from zebra_core.figures.figure import (
    SERIES,
    Colour,
    Figure,
    Ink,
    Marker,
    ink,
    rgb,
    series_colour,
    series_name,
)
from zebra_core.figures.series import colour_of
from zebra_core.figures.tradeoff import (
    distinctiveness_figure,
    listening_figure,
    utility_figure,
    with_matrices,
    with_utility,
)
from zebra_core.project.comparison.comparison import Comparison, compare
from zebra_core.project.comparison.row import ComparisonRow
from zebra_core.project.items import Condition, SpeechKey
from zebra_core.project.project import Project
from zebra_core.project.utility import Utility
from zebra_core.report.comparison_files import challenge_figures
from zebra_core.utility.listening import RatingQuestion, Ratings

RATINGS = Ratings((0, 0, 0, 1, 1, 2, 3, 4, 5, 6), (6, 5, 4, 3, 2, 1, 1, 0, 0, 0))


def of_challenge() -> Project:
    """Three safeguards, one of them in two runs, with matrices, word errors and ratings."""
    project = challenge().with_items(similarity_entry("B2", "other_f"), similarity_entry("B1w", "other_m"))
    project = project.replacing(
        *(replace(item, colour=project.colour_for(item)) for item in project.similarities)
    )
    for name in ("B1w", "B2"):
        utility = Utility(0.25).heard(RatingQuestion.NATURALNESS, RATINGS)
        project = project.with_utility(SpeechKey("other_f", name), utility)
    return project


def of_many() -> Project:
    """Twenty safeguards under two conditions."""
    project = project_of(*(f"S{number}" for number in range(20)))
    again = [replace(item, condition=Condition.OP, id=f"{item.id} again") for item in project.entries]
    return project.with_items(*again)


PROJECTS = pytest.mark.parametrize("make", [demo, of_challenge, of_many])


def safeguard(row: ComparisonRow) -> str:
    return "unprotected" if row.group.is_of_unprotected else row.entry.name


def drawn(figure: Figure) -> list[Colour]:
    """The colours of its lines with a name, but for that of perfect privacy."""
    return [line.colour for line in figure.legend if line.colour is not Ink.FOREGROUND]


def seen(compared: Comparison) -> Iterator[tuple[str, str, Colour]]:
    """Every picture, and the colour that it gives to a safeguard."""
    yield from seen_in_challenge(compared)
    yield from seen_in_parts(compared)
    yield from seen_in_multiples(compared)
    yield from seen_in_dots(compared)
    yield from seen_in_tradeoffs(compared.rows)


def seen_in_challenge(compared: Comparison) -> Iterator[tuple[str, str, Colour]]:
    parts = [*map(compared.of_system, compared.systems), *map(compared.of, compared.groups)]
    in_both_orders = [
        part for own in parts for part in (own, sorted(own, key=lambda row: row.assessment.d_ece_bits))
    ]
    for part, (name, make) in zip(in_both_orders, challenge_figures(compared).items(), strict=True):
        assert name.startswith("sorted-") == (part not in parts)
        yield from ((name, safeguard(row), colour) for row, colour in zip(part, drawn(make()), strict=True))


def seen_in_parts(compared: Comparison) -> Iterator[tuple[str, str, Colour]]:
    rows = compared.rows
    ordered = sorted(rows, key=lambda row: (compared.groups.index(row.group), row.assessment.d_ece_bits))
    yield from (
        ("all", safeguard(row), colour) for row, colour in zip(ordered, drawn(all_figure(rows)), strict=True)
    )
    for group in compared.groups:
        figure = condition_figure(compared.of(group), by_disclosure=False)
        for row, colour in zip(compared.of(group), drawn(figure), strict=True):
            yield "condition", safeguard(row), colour
    for system in compared.systems:
        figure = system_figure(compared.of_system(system), by_disclosure=False)
        for row, colour in zip(compared.of_system(system), drawn(figure), strict=True):
            yield "system", safeguard(row), colour


def seen_in_multiples(compared: Comparison) -> Iterator[tuple[str, str, Colour]]:
    rows = compared.rows
    of_groups = (row for group in compared.groups for row in compared.of(group))
    lines = [
        line for line in multiples_figure(rows).lines if line.label and line.colour is not Ink.FOREGROUND
    ]
    for row, line in zip(of_groups, lines, strict=True):
        yield "multiples", safeguard(row), line.colour


def seen_in_dots(compared: Comparison) -> Iterator[tuple[str, str, Colour]]:
    rows = compared.rows
    dots = [one for one in dots_figure(rows).points if one.marker is not Marker.CROSS]
    for row, left, right in zip(rows, dots[::2], dots[1::2], strict=True):
        yield "dots", safeguard(row), left.colour
        yield "dots", safeguard(row), right.colour


def seen_in_tradeoffs(rows: Sequence[ComparisonRow]) -> Iterator[tuple[str, str, Colour]]:
    if matrices := with_matrices(rows):
        for row, points in zip(matrices, distinctiveness_figure(matrices).points, strict=True):
            yield "distinctiveness", safeguard(row), points.colour
    if rated := with_utility(rows):
        for row, points in zip(rated, utility_figure(rated).points, strict=True):
            yield "utility", safeguard(row), points.colour
    if heard := with_utility(rows, RatingQuestion.NATURALNESS):
        figure = listening_figure(heard, RatingQuestion.NATURALNESS)
        named = {
            line.label.split(" (")[0].split(",")[0].split()[0]: line for line in figure.lines if line.label
        }
        for name, line in named.items():
            yield "listening", name, line.colour


@PROJECTS
def test_a_safeguard_has_one_colour_in_all_pictures_of_a_comparison_and_no_two_have_one(make) -> None:
    of_safeguard, of_colour, pictures = defaultdict(set), defaultdict(set), set()
    for picture, name, colour in seen(compare(make())):
        of_safeguard[name].add(ink(colour))
        of_colour[ink(colour)].add(name)
        pictures.add(picture)
    assert {name: len(colours) for name, colours in of_safeguard.items()} == dict.fromkeys(of_safeguard, 1)
    assert {colour: len(names) for colour, names in of_colour.items()} == dict.fromkeys(of_colour, 1)
    assert {"all", "condition", "system", "multiples", "dots"} < pictures


@PROJECTS
def test_it_is_the_colour_that_the_project_has_for_it(make) -> None:
    project = make()
    known = {item.name: colour_of(item) for item in project.items if item.colour is not None}
    for picture, name, colour in seen(compare(project)):
        assert colour == known.get(name, Ink.MUTED), picture


def test_lines_of_one_safeguard_are_told_apart_by_how_they_are_broken_and_this_is_said() -> None:
    figure = system_figure(compare(of_challenge()).of_system("B2r run0"))
    looks = [(line.colour, line.dash) for line in figure.legend]
    assert len(set(looks)) == len(looks) == 7
    assert "Lines of one colour are broken in different ways." in figure.alt_text


def as_seen(colours: Sequence[str], cones: str) -> NDArray[np.float64]:
    """How colours differ for an eye without one kind of cone: OKLab, shape (colours, 3)."""
    channels = np.array([rgb(colour) for colour in colours]) / 255.0
    light = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return np.cbrt(np.clip(light @ CONES[cones].T, 0.0, 1.0) @ LMS.T) @ LAB.T


# Machado, Oliveira and Fernandes (2009), severity 1; Ottosson's OKLab (2020).
CONES = {
    "all": np.eye(3),
    "no red": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no green": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no blue": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


# Okabe and Ito's own seven, the yellow darkened: 0.075 with all cones, 0.022 without the red ones.
@pytest.mark.parametrize(("cones", "first", "all_of_them"), [
    ("all", 0.13, 0.10), ("no red", 0.05, 0.04), ("no green", 0.05, 0.04), ("no blue", 0.05, 0.04),
])  # fmt: skip
def test_series_are_told_apart_with_every_kind_of_colour_vision(
    cones: str, first: float, all_of_them: float
) -> None:
    apart = pdist(as_seen(SERIES, cones))
    assert pdist(as_seen(SERIES[:7], cones)).min() > first
    assert apart.min() > all_of_them


def test_every_colour_stands_out_by_three_to_one_on_white_paper_and_on_a_dark_card() -> None:
    for number in range(98):
        on_white, on_dark = (contrast(series_colour(number), paper) for paper in ("#FFFFFF", "#20242B"))
        assert min(on_white, on_dark) >= 3.0, number


def test_ninety_eight_colours_are_ninety_eight() -> None:
    assert len({series_colour(number) for number in range(98)}) == 98
    assert len({series_name(number) for number in range(len(SERIES))}) == len(SERIES) == 14
    assert series_name(len(SERIES)) == series_name(0) == "bluish green"


def test_unprotected_speech_in_the_folder_of_a_safeguard_is_grey_and_called_after_its_condition() -> None:
    oo = replace(small_entry("B1", 0), condition=Condition.OO, colour=None, id="oo")
    figure = multiples_figure(compare(Project(items=(oo, small_entry("B1", 0)))).rows)
    assert [(line.label, line.colour) for line in figure.legend[1:]] == [("B1 OO", Ink.MUTED), ("B1", 0)]
