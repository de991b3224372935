"""Intervals of sums over rows: against Student's t, and rows that two speakers share."""

import numpy as np
import pytest
from scipy import stats

from zebra_core.errors import InputError
from zebra_core.project.reading.utility_study import SpeakersOfRows, WeightedFigure
from zebra_core.uncertainty.bootstrap import BootstrapSettings

SETTINGS = BootstrapSettings(1000)


def mean_of(values):
    return WeightedFigure(lambda times: float(times @ values / times.sum()), -np.inf, np.inf)


def test_of_one_row_a_speaker_it_is_the_interval_of_student():
    values = np.random.default_rng(1).normal(5.0, 2.0, 40)
    speakers = SpeakersOfRows([[f"s{n}"] for n in range(40)])
    [found] = speakers.intervals([mean_of(values)], SETTINGS)
    expected = stats.t.interval(0.95, 39, values.mean(), stats.sem(values))

    assert (found.low, found.high) == pytest.approx(expected, abs=0.1)
    assert speakers.remarks == ()


def test_rows_of_one_speaker_are_drawn_together():
    values = np.repeat(np.random.default_rng(2).normal(size=25), 50)
    alone = SpeakersOfRows([[f"s{n}"] for n in range(len(values))])
    together = SpeakersOfRows([[f"s{n // 50}"] for n in range(len(values))])
    [narrow], [wide] = (of.intervals([mean_of(values)], SETTINGS) for of in (alone, together))

    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(np.sqrt(50), rel=0.15)


def test_a_row_of_two_speakers_counts_as_often_as_both_were_drawn():
    counted = []
    figure = WeightedFigure(lambda times: counted.append(times.tolist()) or float(times[0]), 0.0, np.inf)
    SpeakersOfRows([["a"], ["b"], ["a", "b"], ["c", "c"], ["c"]]).intervals([figure], BootstrapSettings(50))

    assert all(a * b == both for a, b, both, *_ in counted)
    assert all(a + b + c == 3 and twice == c for a, b, _, twice, c in counted)


def test_what_never_differs_has_no_interval_and_the_range_is_never_left():
    speakers = SpeakersOfRows([["a"], ["b"], ["c"]])
    rows = np.array([0.0, 0.0, 1.0])
    same = WeightedFigure(lambda _times: 1.0, 0.0, 1.0)
    share = WeightedFigure(lambda times: float(times @ rows / 3), 0.1, 0.9)
    nothing, bounded = speakers.intervals([same, share], SETTINGS)

    assert nothing is None
    assert (bounded.low, bounded.high) == (0.1, 0.9)
    assert speakers.remarks[0].code == "uncertainty-few-speakers"


def test_two_speakers_are_too_few():
    with pytest.raises(InputError, match="only 2 speakers"):
        SpeakersOfRows([["a"], ["b"]])
