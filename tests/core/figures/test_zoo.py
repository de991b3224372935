"""The zoo plot."""

import numpy as np
import pytest

from tests.core.speakers.test_disclosure import dense
from tests.core.speakers.test_zoo import animals
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.figures.figure import Ink
from zebra_core.figures.zoo import zoo_figure
from zebra_core.speakers.zoo import Animal, ZooScale, zoo_of
from zebra_core.speakers.zoo_chance import GroupSize

CORNERS = animals([7, 6, 0, 1, 3, 4, 2, 5], [0, 7, 1, 6, 3, 4, 2, 5])


def test_every_speaker_is_one_point_and_every_animal_one_look() -> None:
    figure = zoo_figure(CORNERS, "B2")
    assert sorted(name for points in figure.points for name in points.names) == list(CORNERS.speakers)
    assert [points.label for points in figure.points] == [
        "no animal (4)", "dove", "chameleon", "phantom", "worm",
    ]  # fmt: skip
    assert len({points.marker for points in figure.points}) == 5
    assert len({points.colour for points in figure.points}) == 5
    assert figure.points[0].colour is Ink.MUTED


def test_llrs_are_shown_in_base_10_and_scores_as_they_are() -> None:
    trials = SpeakerTrials.of_trials(dense(per_speaker=6))
    llr, score = zoo_of(trials), zoo_of(trials, scale=ZooScale.SCORE)
    places = {
        name: (x, y)
        for points in zoo_figure(llr, "x").points
        for name, x, y in zip(points.names, points.x, points.y, strict=True)
    }
    for k, name in enumerate(llr.speakers):
        assert places[name] == pytest.approx(
            (llr.target_mean[k] / np.log(10), llr.nontarget_mean[k] / np.log(10))
        )
    assert zoo_figure(llr, "x").x.label == "mean target log10 LR"
    raw = zoo_figure(score, "x")
    assert raw.x.label == "mean target score"
    assert raw.points[0].x[0] == score.target_mean[score.speakers.index(raw.points[0].names[0])]


def test_borders_of_the_quarters_cross_the_whole_picture() -> None:
    figure = zoo_figure(CORNERS, "B2")
    low, high, bottom, top = figure.lines
    assert low.x.tolist() == pytest.approx([1.75 / np.log(10)] * 2)
    assert high.x.tolist() == pytest.approx([5.25 / np.log(10)] * 2)
    assert low.y.tolist() == [figure.y.low, figure.y.high]
    assert bottom.x.tolist() == top.x.tolist() == [figure.x.low, figure.x.high]


def test_names_of_the_animals_stand_in_their_corners() -> None:
    middle = 3.0 / np.log(10)
    where = {each.text: (each.x > middle, each.y > middle) for each in zoo_figure(CORNERS, "B2").words}
    assert where == {
        "doves": (True, False),
        "chameleons": (True, True),
        "phantoms": (False, False),
        "worms": (False, True),
    }


def test_selected_speakers_are_emphasised_and_ellipses_come_on_demand() -> None:
    trials = SpeakerTrials.of_trials(dense())
    figure = zoo_figure(zoo_of(trials), "x", selected={"a", "nobody"}, spread={"b"})
    assert frozenset().union(*(points.emphasised for points in figure.points)) == {"a"}
    (ellipse,) = figure.lines[4:]
    assert figure.x.low < ellipse.x.min() < ellipse.x.max() < figure.x.high


WORMS = GroupSize(Animal.WORM, 1, 0.5, 1.0, 0.4, 8)


def test_the_alt_text_says_how_large_the_groups_are() -> None:
    alt_text = zoo_figure(CORNERS, "B2", [WORMS]).alt_text
    assert alt_text.startswith("8 speakers of B2 as points")
    assert alt_text.endswith(str(WORMS))


def test_an_empty_zoo_can_be_drawn() -> None:
    figure = zoo_figure(animals([], []), "nobody")
    assert figure.points == ()
    assert figure.x.low < figure.x.high


def test_no_point_covers_the_name_of_an_animal() -> None:
    figure = zoo_figure(CORNERS, "B2")
    high, letters = 2.6 * 72.0, 9.0  # points: the axes of a report, and the names in them
    marker = 8.5  # of a selected one
    names = {figure.y.share(each.y) * high for each in figure.words}
    points = [figure.y.share(y) * high for each in figure.points for y in each.y]
    assert min(abs(y - name) for y in points for name in names) > (letters + marker) / 2.0
