"""What pooled utterances disclose, as curves."""

from collections.abc import Callable, Sequence

import pytest

from tests.core.speakers.test_disclosure import dense
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.figures.accumulation import accumulated_disclosure_figure, accumulated_worst_case_figure
from zebra_core.figures.figure import Figure
from zebra_core.speakers.accumulation import Accumulation, accumulate


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
