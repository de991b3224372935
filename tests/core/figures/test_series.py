"""Entries of one colour are told apart by how their lines are broken, and by what they are called."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.core.samples import demo, labelled, small_entry
from zebra_core.figures.distributions import tippett_figure
from zebra_core.figures.figure import Dash, Figure, series_colour
from zebra_core.figures.matplotlib_ import _DASHES as ON_PAPER
from zebra_core.figures.pgfplots import _DASHES as IN_TEX
from zebra_core.figures.series import dash_of, drawn_together, ece_figure, nece_figure
from zebra_core.project.items import Condition, Entry


def entry(key: str, condition: Condition | None, attacker: str = "", **more: object) -> Entry:
    return replace(small_entry(), id=key, condition=condition, attacker=attacker, **more)  # type: ignore[arg-type]


FOUR = (
    entry("semi", Condition.PP, "semi-informed"),
    entry("lazy", Condition.PP, "lazy-informed"),
    entry("op", Condition.OP, "ignorant"),
    entry("none", None),
)


def test_the_first_by_condition_and_attacker_is_unbroken_wherever_it_stands() -> None:
    assert {one.id: dash_of(one) for one in drawn_together(FOUR)} == {
        "op": Dash.SOLID,
        "lazy": Dash.DASH_DOTTED,
        "semi": Dash.LONG_DASHED,
        "none": Dash.DASH_DOT_DOTTED,
    }


def test_no_two_lines_of_four_pairs_in_one_colour_are_alike() -> None:
    drawn = drawn_together(FOUR)
    assert len({dash_of(one, second=second) for one in drawn for second in (False, True)}) == 8


def test_entries_of_other_colours_do_not_matter() -> None:
    drawn = drawn_together([entry("a", Condition.PP), replace(entry("b", Condition.OP), colour=1)])
    assert [dash_of(one) for one in drawn] == [Dash.SOLID, Dash.SOLID]
    assert all(one.is_alone for one in drawn)


def test_the_eighth_safeguard_has_a_colour_of_its_own_and_is_unbroken_too() -> None:
    drawn = drawn_together([replace(entry("b", Condition.OP), colour=7), entry("a", Condition.OP)])
    assert [dash_of(one) for one in drawn] == [Dash.SOLID, Dash.SOLID]
    assert series_colour(7) != series_colour(0)


def test_the_names_carry_the_dataset_where_there_are_several() -> None:
    one, other = entry("a", Condition.OP, dataset="libri_f"), entry("b", Condition.OP, dataset="libri_m")
    assert [drawn.full_name for drawn in drawn_together([one])] == ["B1 OP"]
    labels = [line.label for line in labelled(ece_figure([one, other]))[1:]]
    assert labels[0].startswith("libri_f · B1 OP (")
    assert labels[1].startswith("libri_m · B1 OP (")


def test_the_alt_text_says_how_lines_of_one_colour_are_broken() -> None:
    two = [entry("a", Condition.OP), entry("b", Condition.PP), replace(entry("c", Condition.OP), colour=1)]
    assert ece_figure(two).alt_text.endswith(
        "Lines of one colour are broken in different ways. B1 OP: unbroken; B1 PP: dash-dotted."
    )
    assert tippett_figure(two).alt_text.endswith("B1 OP: unbroken and dashed; B1 PP: dash-dotted and dotted.")
    assert "broken" not in ece_figure(two[1:]).alt_text


def test_a_legend_never_leaves_a_condition_out() -> None:
    [_, line] = labelled(ece_figure([entry("a", None)]))
    assert line.label.startswith("B1, condition not stated (")


def test_every_renderer_knows_every_dash_by_a_pattern_of_its_own() -> None:
    for patterns in (ON_PAPER, IN_TEX):
        assert set(patterns) == set(Dash)
        assert len(set(patterns.values())) == len(Dash)


@pytest.mark.parametrize("figure", [ece_figure, nece_figure])
def test_curves_can_be_left_out(figure: Callable[..., Figure]) -> None:
    entries = demo().entries
    choices = ({}, {"default": False}, {"minimum": False})
    assert [len(figure(entries, **shown).lines) for shown in choices] == [5, 4, 1]
    alone = figure(entries, default=False, minimum=False, actual=True)
    assert all("scores as LLRs" in (line.label or "") for line in alone.lines)
    assert "(0.678, 3.88, C)" not in alone.alt_text
    assert figure(entries, default=False, minimum=False).lines == ()
