"""Pictures of linking and singling out: over the number of people, and person by person."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.speaker_model import trials_of
from zebra_core.figures.figure import Dash, Ink, NamedPoints
from zebra_core.figures.linking import PeopleCurve, one_by_one_figure, people_figure
from zebra_core.figures.readout import people_read_out
from zebra_core.metrics.assessment import assess
from zebra_core.project.comparison.linking import reidentification_of
from zebra_core.project.items import Condition, Entry
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.reidentification import Reidentification


@pytest.fixture(scope="module")
def entry() -> Entry:
    trials = trials_of(np.random.default_rng(0), 12, 0.5)
    return Entry("B1", trials, assess(trials), Condition.OP, colour=0)


@pytest.fixture(scope="module")
def found(entry: Entry) -> Reidentification:
    return reidentification_of(entry, BootstrapSettings(40))


def test_the_curve_goes_from_two_people_to_all_on_a_logarithmic_axis(
    entry: Entry, found: Reidentification
) -> None:
    figure = people_figure([entry], {entry.id: found}, people=5)
    curve, chance, mark = figure.lines
    assert 10.0**curve.x == pytest.approx([2, 5, 10, 12])
    assert curve.y.tolist() == [point.probability for point in found.linkage_of(1)]
    assert (chance.label, chance.dash, chance.y[0]) == ("chance", Dash.DASHED, 0.5)
    assert 10.0**mark.x == pytest.approx([5, 5])
    assert [text for _, text in figure.x.ticks or ()] == ["2", "5", "12"]
    [band] = figure.areas
    assert band.base is not None
    assert (band.base < curve.y).all()
    assert people_read_out(curve, 1) == f"B1 OP: {100 * curve.y[1]:.2f} % among 5 people"


def test_singling_out_has_the_chance_of_not_listening(entry: Entry, found: Reidentification) -> None:
    figure = people_figure([entry], {entry.id: found}, PeopleCurve.SINGLING_OUT)
    assert figure.lines[-1].y[-1] == pytest.approx((11 / 12) ** 11)


def test_a_person_has_a_line_in_the_selected_assessment(entry: Entry, found: Reidentification) -> None:
    figure = people_figure([entry], {entry.id: found}, selected_id=entry.id, person="s003")
    own = next(line for line in figure.lines if line.label == "s003")
    assert own.colour is Ink.FOREGROUND
    assert own.y[0] == found.heard[0].of(found.people.index("s003"), 12, 2)
    nobody = people_figure([entry], {entry.id: found}, selected_id=entry.id, person="nobody")
    assert len(nobody.lines) == len(figure.lines) - 1


def test_what_was_not_measured_is_not_drawn(entry: Entry, found: Reidentification) -> None:
    other = replace(entry, name="B2", id="other")
    figure = people_figure([entry, other], {entry.id: found})
    assert [line.label for line in figure.lines] == ["B1 OP", "chance"]


def test_one_by_one_the_mean_of_the_dots_is_the_figure(entry: Entry, found: Reidentification) -> None:
    figure = one_by_one_figure(entry, found, 12, selected="s003")
    [dots] = figure.points
    assert isinstance(dots, NamedPoints)
    assert dots.y.mean() == pytest.approx(found.linkage_of(1)[-1].probability)
    assert (np.diff(dots.y) <= 0.0).all()
    assert dots.emphasised == {"s003"}


def test_one_by_one_the_worst_tenth_is_shaded_between_its_ends(entry: Entry, found: Reidentification) -> None:
    figure = one_by_one_figure(entry, found, 12)
    worst = found.worst_tenth(12)
    mean, chance = figure.lines
    assert (mean.label, mean.y[0]) == (
        f"worst tenth: {100 * worst.probability:.0f} of 100",
        worst.probability,
    )
    assert mean.x.tolist() == [0.5, 2.5]
    assert chance.y[0] == 1 / 12
    [area] = figure.areas
    assert area.base is not None
    assert (area.base[0], area.y[0]) == (worst.low, worst.high)
