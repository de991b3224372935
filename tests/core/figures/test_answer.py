"""A row of 100 marks for each: filled as far as is borne out, lighter as far as is possible."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.project.attacks import attack
from tests.core.samples import small_entry
from zebra_core.figures.answer import answer_figure
from zebra_core.figures.figure import Area, Figure
from zebra_core.figures.matplotlib_ import render
from zebra_core.figures.pgfplots import tikz
from zebra_core.project.conclusion.conclusion import SafeguardRank
from zebra_core.project.conclusion.conclusions import conclusions
from zebra_core.project.conclusion.naming import people_figures
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project

STRONG = replace(attack(2.0, "lazy-informed", seed=1), name="strong", id="strong")
WEAK = replace(attack(0.4, "lazy-informed", seed=4), name="weak", id="weak")
ORIGINAL = replace(attack(8.0, "", Condition.OO, seed=3), name="unprotected", id="oo")


def drawn(*entries: Entry) -> Figure:
    project = Project("", entries)
    return answer_figure(conclusions(project, people_figures(project)))


def width(area: Area) -> float:
    """How many marks of an area are filled, each of which is 0.8 wide."""
    return float(np.diff(area.x.reshape(-1, 4)[:, 1:3]).sum()) / 0.8


def test_rows_are_guessing_the_safeguards_by_rate_and_no_protection() -> None:
    figure = drawn(STRONG, ORIGINAL, WEAK)
    ticks = sorted(figure.y.ticks or (), reverse=True)
    assert [name for _, name in ticks] == ["By guessing", "weak", "strong", "Without protection"]
    told = [text for _, text in sorted(figure.right.ticks or (), reverse=True)] if figure.right else []
    assert told[0] == "5"
    assert all("(" in text for text in told[1:])
    assert [words.text for words in figure.words] == ["60 recordings of 20 people"] * 3


def test_names_that_begin_alike_are_told_apart_however_long_they_are() -> None:
    long = (
        f"Anonymisation by a neural codec with a speaker identity that is drawn {'at random ' * 3}, version"
    )
    figure = drawn(replace(STRONG, name=f"{long} 1"), ORIGINAL, replace(WEAK, name=f"{long} 2"))
    names = [name for _, name in sorted(figure.y.ticks or (), reverse=True)]
    assert [name[-1] for name in names[1:3]] == ["2", "1"]


def test_marks_are_full_to_the_lower_end_light_to_the_upper_and_a_line_is_at_the_rate() -> None:
    project = Project("", (STRONG, ORIGINAL))
    found = conclusions(project, people_figures(project))
    figure, naming = answer_figure(found), found[0].naming
    assert naming is not None
    assert naming.interval is not None
    low, high, rate = naming.interval.low, naming.interval.high, naming.rate.probability
    of_row = [area for area in figure.areas if area.colour == 0]
    sure, possible, left = (width(area) for area in of_row)
    assert sure == pytest.approx(100 * low, abs=0.3)  # an end may fall between two marks
    assert sure + possible == pytest.approx(100 * high, abs=0.6)
    assert sure + possible + left == pytest.approx(100.0)
    assert [area.opacity for area in of_row] == sorted((area.opacity for area in of_row), reverse=True)
    assert any(float(line.x[0]) == pytest.approx(100 * rate) for line in figure.lines)


def test_what_was_not_measured_says_so() -> None:
    figure = drawn(STRONG)
    assert figure.right is not None
    assert "Without protection" not in [name for _, name in figure.y.ticks or ()]
    project = Project("", (STRONG, ORIGINAL))
    unknown = answer_figure(conclusions(project))
    assert unknown.right is not None
    assert {text for _, text in unknown.right.ticks or ()} == {"not measured"}


def test_of_what_says_nothing_no_rate_is_drawn() -> None:
    figure = drawn(ORIGINAL, STRONG, replace(small_entry(), name="tiny", id="tiny"))
    assert figure.right is not None
    told = dict(
        zip([name for _, name in figure.y.ticks or ()], [t for _, t in figure.right.ticks or ()], strict=True)
    )
    assert told["tiny"] == "nothing is shown"


def test_the_title_says_where_part_of_the_order_is_settled() -> None:
    project = Project("", (ORIGINAL, STRONG, WEAK, replace(STRONG, name="third", id="third")))
    found = conclusions(project, people_figures(project))
    ranks = (1, 1, 1), (2, 2, 3), (3, 2, 3)
    made = [SafeguardRank(place, 3, low, high, speakers=63) for place, low, high in ranks]
    figure = answer_figure([replace(one, rank=rank) for one, rank in zip(found, made, strict=True)])
    assert figure.title.endswith("; order settled in part")


def test_forty_safeguards_have_a_low_row_each() -> None:
    figure = drawn(ORIGINAL, *(replace(STRONG, name=f"s{k:02d}", id=f"s{k}") for k in range(40)))
    assert figure.rows == 42
    assert not figure.words


def test_it_says_where_the_order_is_not_settled_and_what_each_row_shows() -> None:
    figure = drawn(ORIGINAL, STRONG, WEAK)
    assert figure.title == "Right one of 20 people named, of 100 attempts; order not settled"
    assert "By guessing: 5. " in figure.alt_text
    assert "60 recordings of 20 people" in figure.alt_text
    assert drawn(ORIGINAL, STRONG).title == "Right one of 20 people named, of 100 attempts"


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_it_is_drawn_in_every_format(kind: str) -> None:
    assert len(render(drawn(ORIGINAL, STRONG, WEAK), kind)) > 4000


def test_marks_keep_their_strength_in_tex() -> None:
    told = tikz(drawn(ORIGINAL, STRONG))
    assert {f"fill opacity={value}" in told for value in (0.9, 0.4, 0.12)} == {True}
