"""Pictures of linking, singling out and ranks: of each group, and what is left out."""

import numpy as np
import pytest

from tests.core.samples import demo_assessments, project_of
from zebra_core.figures.all_pictures import AvailablePicture
from zebra_core.figures.figure import Dash, Figure
from zebra_core.figures.linking import ranks_figure
from zebra_core.figures.linking_pictures import pictures_of_people
from zebra_core.figures.saving_all import of_people
from zebra_core.project.comparison.studies import studied
from zebra_core.uncertainty.reidentification import Reidentification


@pytest.fixture(scope="module")
def found() -> dict[str, Reidentification]:
    return studied("people", demo_assessments().entries)


def test_each_group_has_both_curves_and_the_ranks(found: dict[str, Reidentification]) -> None:
    made: list[AvailablePicture] = list(pictures_of_people(demo_assessments().entries, found))
    assert [one.label for one in made] == ["LINKAGE-OP", "SINGLING-OUT-OP", "LINKAGE-3-OP", "RANKS-OP"]
    first, _, pooled, _ = (one.made() for one in made)
    assert isinstance(first, Figure)
    assert [line.label for line in first.lines] == ["unprotected OO", "B1w OP", "B2 OP", "B2r OP", "chance"]
    assert pooled.title == f"{first.title}, 3 recordings pooled"


def test_ranks_are_drawn_as_probable_as_they_are(found: dict[str, Reidentification]) -> None:
    b2 = demo_assessments().entries[2]
    figure = ranks_figure([b2], found)
    curve, chance = figure.lines
    assert curve.label == f"B2 OP ({found[b2.id].ranks.mean_bits:.1f} bit)"
    assert curve.y.sum() == pytest.approx(1.0)
    assert 10.0**curve.x == pytest.approx(np.arange(1, 64))
    assert (chance.dash, chance.y[0]) == (Dash.DASHED, 1 / 63)


def test_why_there_are_none_is_told() -> None:
    made, (told,) = of_people(project_of("B1"))
    assert made == []
    assert told.startswith("There are no pictures of linking and singling out of B1 OP: These trials name")
