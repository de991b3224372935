"""A picture that is the same as before is not drawn again, and every other one is."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.core.samples import project_of
from zebra_core.figures import matplotlib_
from zebra_core.figures.series import ece_figure
from zebra_core.report.document import ReportPicture
from zebra_core.report.pdf import drawn, forget_drawn


def picture(*names: str) -> ReportPicture:
    """Made anew each time, as for every report."""
    return ReportPicture("ece", ece_figure(list(project_of(*names).entries)), "A caption.")


@pytest.fixture
def draws(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The titles of all that was drawn."""
    made: list[str] = []
    as_ever = matplotlib_.render

    def render(figure, *given, **more):
        made.append(figure.title)
        return as_ever(figure, *given, **more)

    monkeypatch.setattr(matplotlib_, "render", render)
    forget_drawn()
    yield made
    forget_drawn()


def test_the_same_values_are_drawn_once_and_as_ever(draws: list[str]) -> None:
    first = drawn(picture("a"))
    assert drawn(replace(picture("a"), stem="other", caption="Another.")) == first
    assert len(draws) == 1
    forget_drawn()
    assert drawn(picture("a")) == first
    assert len(draws) == 2


@pytest.mark.parametrize(
    "other",
    [
        lambda one: replace(one, height=one.height + 0.1),
        lambda one: replace(one, width=one.width - 0.1),
        lambda one: replace(one, figure=replace(one.figure, title="Another title")),
        lambda one: replace(one, figure=replace(one.figure, alt_text="Other words")),
        lambda _one: picture("b"),
    ],
    ids=["height", "width", "title", "words for those who cannot see it", "name"],
)
def test_what_differs_in_anything_is_drawn_anew(draws: list[str], other) -> None:
    first = drawn(picture("a"))
    assert drawn(other(picture("a"))) != first
    assert len(draws) == 2


def test_one_number_that_moved_is_drawn_anew(draws: list[str]) -> None:
    first = picture("a")
    moved = replace(first.figure.lines[0], y=first.figure.lines[0].y + 1e-3)
    drawn(first)
    drawn(replace(first, figure=replace(first.figure, lines=(moved, *first.figure.lines[1:]))))
    assert len(draws) == 2
