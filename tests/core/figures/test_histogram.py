"""Histograms by class."""

import numpy as np
import pytest

import zebra_core
from tests.core.samples import demo, labelled
from zebra_core.figures.histogram import OneSpeaker, histogram_figure, shared_edges
from zebra_core.figures.llrs import ShownScores
from zebra_core.figures.matplotlib_ import render
from zebra_core.figures.pgfplots import tikz
from zebra_core.project.items import Entry
from zebra_core.project.reading.speaker_study import study_of


def test_histograms_share_their_bins_and_sum_to_one() -> None:
    entries = demo().entries
    drawn = histogram_figure(entries, bins=20)
    edges = shared_edges([entry.assessment.counts for entry in entries], 20)
    assert (drawn.x.low, drawn.x.high) == (edges[0], edges[-1])
    for entry, line in zip(entries, labelled(drawn)[::2], strict=True):
        scores = entry.trials.score[entry.trials.is_target]
        share = np.histogram(scores, edges)[0] / len(scores)
        assert np.interp((edges[1:] + edges[:-1]) / 2, line.x, line.y) == pytest.approx(share, abs=1e-3)
    assert len(drawn.areas) == len(entries)


def test_one_distinct_score_has_a_histogram_too() -> None:
    trials = zebra_core.Trials.from_scores([1e300], [1e300])
    drawn = histogram_figure([Entry("alike", trials, zebra_core.assess(trials))])
    assert drawn.x.low < 1e300 < drawn.x.high
    assert drawn.y.high == pytest.approx(1.05)


def marked(name: str, shown: ShownScores = ShownScores.SCORES):
    entry = demo().entries[2]
    speaker = OneSpeaker(name, entry, study_of(entry).trials)
    return speaker, histogram_figure(demo().entries[1:3], entry.id, shown=shown, speaker=speaker)


def test_the_comparisons_of_a_speaker_are_marked_below_the_histograms() -> None:
    speaker, drawn = marked("1246")
    own = speaker.trials.taken_part_in("1246")
    target, nontarget = drawn.points
    assert target.x.tolist() == sorted(speaker.trials.score[own & speaker.trials.is_target])
    assert set(nontarget.x) <= set(speaker.trials.score[own & ~speaker.trials.is_target])
    assert drawn.y.low < min(nontarget.y) < min(target.y) < 0.0
    assert min(place for place, _ in drawn.y.ticks or ()) == 0.0
    n_target, n_nontarget = len(target.x), int((own & ~speaker.trials.is_target).sum())
    assert target.label == f"speaker 1246 in B2 OP: {n_target} target trials"
    assert nontarget.label == f"speaker 1246 in B2 OP: {n_nontarget} nontarget trials"
    assert f"{target.label}. {nontarget.label}." in drawn.alt_text


def test_marks_lie_closer_than_can_be_seen_to_every_comparison() -> None:
    speaker, drawn = marked("1246")
    own = speaker.trials.taken_part_in("1246") & ~speaker.trials.is_target
    every = speaker.trials.score[own]
    away = np.abs(every[:, None] - drawn.points[1].x[None, :]).min(axis=1)
    assert away.max() <= (drawn.x.high - drawn.x.low) / 1000


@pytest.mark.parametrize("shown", [ShownScores.ORACLE_LLRS, ShownScores.SCORES_AS_LLRS])
def test_marks_are_where_the_histogram_of_these_values_has_them(shown: ShownScores) -> None:
    speaker, drawn = marked("1246", shown)
    assert set(drawn.points[0].x) <= set(shown.of(speaker.entry).score)
    assert set(drawn.points[1].x) <= set(shown.of(speaker.entry).score)


def test_a_stranger_is_not_marked() -> None:
    _, drawn = marked("nobody")
    assert drawn.points == ()
    assert drawn.y.low == 0.0


def test_the_marks_are_on_paper_too() -> None:
    _, drawn = marked("1246")
    assert b"speaker 1246" in render(drawn, "svg")
    assert "speaker 1246 in B2 OP" in tikz(drawn)
