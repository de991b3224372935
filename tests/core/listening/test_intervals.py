"""Speakers, listeners and canvases drawn as wholes: known variances, and the figures of assessments."""

import numpy as np
import pytest

from zebra_core.evidence.trials import Trials
from zebra_core.listening.intervals import difference_of, mean_intervals, mean_of, panel_figures
from zebra_core.listening.items import ItemTask
from zebra_core.listening.scores import Panel
from zebra_core.metrics.assessment import assess
from zebra_core.uncertainty.bootstrap import BootstrapSettings

SETTINGS = BootstrapSettings(400)
NAN = float("nan")


def of_panel(said, listeners, asked=ItemTask.SAME, canvas=None):
    """Twelve speakers: each against themselves, and against the next."""
    pairs = [(f"{n}a", f"{n}b") for n in range(12)] + [(f"{n}a", f"{(n + 1) % 12}b") for n in range(12)]
    speaker = {f"{n}{side}": f"p{n}" for n in range(12) for side in "ab"}
    target = np.arange(24) < 12
    places = np.zeros(24, dtype=np.int64) if canvas is None else canvas
    return Panel(asked, "B2", tuple(pairs), target, said, listeners, places), speaker


def test_figures_are_those_of_an_assessment_of_the_means():
    said = np.random.default_rng(1).normal(size=(24, 3)) + 2.0 * (np.arange(24) < 12)[:, np.newaxis]
    said[::3, 0] = NAN
    panel, speaker = of_panel(said, ("L1", "L2", "L3"))
    found = panel_figures(panel, speaker, SETTINGS)
    mean = np.nanmean(said, axis=1)
    expected = assess(Trials.from_scores(mean[:12], mean[12:]))

    assert found["d_ece_bits"].value == pytest.approx(expected.d_ece_bits)
    assert found["rocch_eer"].value == pytest.approx(expected.rocch_eer)
    assert found["min_cllr_bits"].value == pytest.approx(expected.min_cllr_bits)


def test_listeners_who_differ_make_the_interval_wider_than_such_as_agree():
    """Of eight listeners four know and four guess, or all eight say what these say on average."""
    rng = np.random.default_rng(2)
    knows = np.where(np.arange(24) < 12, 3.0, -3.0) + rng.normal(size=24)
    guesses = rng.normal(size=24) * 6.0
    differ, speaker = of_panel(np.stack([knows, guesses] * 4, axis=1), tuple("abcdefgh"))
    agree, _ = of_panel(np.repeat(differ.score[:, np.newaxis], 8, axis=1), tuple("abcdefgh"))
    wide, narrow = (panel_figures(one, speaker, SETTINGS)["min_cllr_bits"] for one in (differ, agree))
    assert (wide.value, wide.shown) == (narrow.value, narrow.shown)
    assert wide.interval.high - wide.interval.low > 1.05 * (narrow.interval.high - narrow.interval.low)


def test_trials_of_one_class_have_no_figures():
    panel, speaker = of_panel(np.ones((24, 1)), ("L1",))
    same = Panel(
        ItemTask.SAME,
        "B2",
        panel.pairs[:12],
        panel.is_target[:12],
        panel.said[:12],
        ("L1",),
        panel.canvas[:12],
    )
    assert panel_figures(same, speaker, SETTINGS) is None


def test_the_spread_of_a_mean_is_that_of_speakers_and_listeners_together():
    """Twenty speakers and twenty listeners, each with an effect of variance 1: of the mean it is 2/20."""
    rng = np.random.default_rng(3)
    people = [f"p{n}" for n in range(20)]
    table = rng.normal(size=(20, 1)) + rng.normal(size=(1, 20))
    [found] = mean_intervals([mean_of(table)], people, 20, BootstrapSettings(1000))
    variance = (table.mean(axis=1).var(ddof=1) + table.mean(axis=0).var(ddof=1)) / 20
    assert found.high - found.low == pytest.approx(2 * 2.093 * np.sqrt(variance), rel=0.12)
    assert mean_of(table)(np.ones(20), np.ones(20)) == pytest.approx(table.mean())


def test_a_difference_is_paired_by_recording():
    one, other = (
        np.array([[9.0, NAN], [8.0, NAN], [7.0, NAN]]),
        np.array([[NAN, 5.0], [NAN, NAN], [NAN, 2.0]]),
    )
    difference = difference_of(one, other)
    assert difference(np.ones(3), np.ones(2)) == ((9 - 5) + (7 - 2)) / 2
    assert difference(np.array([2.0, 1.0, 0.0]), np.ones(2)) == 4.0
    assert np.isnan(difference(np.ones(3), np.array([2.0, 0.0])))
    assert mean_intervals([difference], ["a", "b", "b"], 2, SETTINGS) == [None]


def test_with_few_speakers_what_stands_beside_the_interval_is_never_nothing_where_something_was_found():
    rng = np.random.default_rng(5)
    said = rng.normal(size=(24, 3)) + 1.5 * (np.arange(24) < 12)[:, np.newaxis]
    panel, speaker = of_panel(said, ("L1", "L2", "L3"))
    found = panel_figures(panel, speaker, SETTINGS)["d_ece_bits"]
    assert found.value > 0.1
    assert found.interval.low <= found.shown <= found.interval.high
    assert found.interval.high >= found.value
    assert found.shown > 0.0
