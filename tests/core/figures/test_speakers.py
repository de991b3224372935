"""Dots of speakers, and the ranks at which they are found."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from tests.core.similarity_cases import ids
from tests.core.speakers.test_disclosure import dense, found_in
from tests.core.speakers.test_rank_disclosure import BY_HAND, trials
from tests.core.speakers.test_zoo import animals
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.figures.figure import Figure, Ink
from zebra_core.figures.speakers import (
    MOST_NAMED,
    accumulated_disclosure_figure,
    accumulated_worst_case_figure,
    before_after_figure,
    cmc_figure,
    speakers_figure,
    zoo_figure,
)
from zebra_core.speakers.accumulation import Accumulation, accumulate
from zebra_core.speakers.disclosure import before_and_after, speaker_disclosures
from zebra_core.speakers.rank_disclosure import Ranks, rank_true_speakers
from zebra_core.speakers.zoo import Animal, GroupSize, ZooScale, zoo_of


def test_the_most_exposed_speaker_is_on_top() -> None:
    found = found_in(dense())
    figure = speakers_figure(found, "B2", 1, selected={"a"})
    (points,) = figure.points
    assert points.names == tuple(row.speaker for row in found.speakers)
    assert points.y.tolist() == [4.0, 3.0, 2.0, 1.0]
    assert figure.y.ticks is not None
    assert figure.y.ticks[0] == (4.0, points.names[0])
    assert points.emphasised == {"a"}
    assert figure.alt_text.endswith(str(found.chance))
    assert figure.x.low <= points.x.min()
    assert points.x.max() <= figure.x.high


def test_names_that_cannot_fit_are_left_to_the_read_out() -> None:
    rng = np.random.default_rng(0)
    n = MOST_NAMED + 1
    names = [f"s{k}" for k in range(n)]
    rows = [(e, f"{t}-0", float(rng.normal() + 3 * (e == t))) for e in names for t in names]
    enrol, test, score = zip(*rows, strict=True)
    target = np.array([e == t[:-2] for e, t in zip(enrol, test, strict=True)])
    made = Trials(np.array(score), target, ids(list(enrol)), ids(list(test)))
    figure = speakers_figure(speaker_disclosures(SpeakerTrials.of_trials(made)), "B2")
    assert figure.y.ticks == ()
    assert len(figure.points[0].names) == n


def test_before_and_after_are_joined_dots() -> None:
    paired = before_and_after(found_in(dense(0, gap=4.0)), found_in(dense(1, gap=0.5)))
    figure = before_after_figure(paired, ("OO", "B2 OP"))
    before, after = figure.points
    assert before.names == after.names
    assert before.marker is not after.marker
    (line,) = figure.lines
    assert line.x[:2].tolist() == [before.x[0], after.x[0]]
    assert np.isnan(line.x[2::3]).all()
    assert line.y.tolist() == np.repeat(before.y, 3).tolist()
    less = int((after.x < before.x).sum())
    assert figure.alt_text.endswith(f"{less} of them disclose less in B2 OP.")


def test_the_cmc_curve_has_the_line_of_guessing() -> None:
    found = rank_true_speakers(trials(BY_HAND))
    assert isinstance(found, Ranks)
    figure = cmc_figure([("B2", found)])
    guessing, curve = figure.lines
    assert guessing.y.tolist() == pytest.approx([1 / 3, 2 / 3, 1.0])
    assert curve.y.tolist() == pytest.approx(found.cmc().tolist())
    assert curve.x.tolist() == [1.0, 2.0, 3.0]
    assert figure.alt_text.endswith("B2: 33.3 % are found in first place among 3.")


def curve(per_speaker: int = 40) -> Accumulation:
    return accumulate(SpeakerTrials.of_trials(dense(0, per_speaker=per_speaker)))


def test_points_lie_on_a_doubling_axis_with_their_counts() -> None:
    found = curve()
    figure = accumulated_disclosure_figure([("B2", found)])
    (line,) = figure.lines
    assert line.x.tolist() == [0.0, 1.0, 2.0]
    assert line.y.tolist() == [point.shown_bits for point in found.points]
    assert figure.x.ticks == ((0.0, "1"), (1.0, "2"), (2.0, "4"))
    assert figure.points[0].names[:2] == (
        "one utterance: 40 target and 120 nontarget trials",
        "2 utterances: 40 target and 120 nontarget pools",
    )
    assert f"B2, 4 utterances: {found.points[2].shown_bits:.3f}." in figure.alt_text


def test_worst_cases_have_their_ceiling() -> None:
    found = curve()
    ceiling, line = accumulated_worst_case_figure([("B2", found)]).lines
    assert ceiling.y.tolist() == [point.ceiling_log10_lr for point in found.points]
    assert line.y.tolist() == [point.worst_case_log10_lr for point in found.points]
    assert (line.y <= ceiling.y + 1e-12).all()


@pytest.mark.parametrize("draw", [accumulated_disclosure_figure, accumulated_worst_case_figure])
def test_a_curve_without_points_can_be_drawn(
    draw: Callable[[Sequence[tuple[str, Accumulation]]], Figure],
) -> None:
    figure = draw([("B2", curve(per_speaker=3))])
    assert figure.x.low < figure.x.high
    assert figure.y.low < figure.y.high


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
