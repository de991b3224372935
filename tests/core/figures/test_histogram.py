"""Histograms by class."""

from dataclasses import replace

import numpy as np
import pytest

import zebra_core
from tests.core.samples import demo, labelled
from zebra_core.figures.histogram import LocalLinkability, OneSpeaker, histogram_figure, shared_edges
from zebra_core.figures.llrs import ShownScores
from zebra_core.figures.matplotlib_ import render
from zebra_core.figures.pgfplots import tikz
from zebra_core.figures.readout import histogram_read_out
from zebra_core.metrics.verification import local_linkability
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


def test_local_linkability_is_drawn_over_the_scores_of_one_entry_on_an_axis_of_its_own() -> None:
    entry = demo().entries[2]
    drawn = histogram_figure([entry])
    score, local = local_linkability(entry.assessment.counts)
    line = drawn.lines[-1]
    assert drawn.right is not None
    scale = {text: place for place, text in drawn.right.ticks}
    assert (scale["0.0"], line.label) == (0.0, "B2 OP, local linkability D(s)")
    assert (line.x.tolist(), (line.y / scale["1.0"]).tolist()) == (
        score.tolist(),
        pytest.approx(local.tolist()),
    )
    assert max(line.y) <= drawn.y.high
    at = int(np.argmax(local))
    assert histogram_read_out(line, at) == "D(s) 0.973 at 9.063 · B2 OP, local linkability D(s)"
    assert histogram_read_out(drawn.lines[0], 0).endswith("of the class · B2 OP, target")
    assert drawn.alt_text.endswith(
        "On the right-hand axis, local linkability D(s) of B2 OP: at a score of 9.063 it is highest, 0.973; "
        "weighted with the target trials it is D_sys, 0.361."
    )


def test_of_several_entries_the_selected_one_has_local_linkability_and_llrs_have_none() -> None:
    entries = demo().entries
    assert histogram_figure(entries).right is None
    lines = histogram_figure(entries, entries[1].id).lines
    assert [line.label for line in lines if isinstance(line, LocalLinkability)] == [
        f"{entries[1].full_name}, local linkability D(s)"
    ]
    assert histogram_figure(entries[:1], shown=ShownScores.ORACLE_LLRS).right is None
    few = zebra_core.Trials.from_scores([1.0, 2.0], [0.0, 1.0])  # D_sys is not measurable
    assert histogram_figure([Entry("few", few, zebra_core.assess(few))]).right is None


def test_the_second_axis_is_in_every_rendering() -> None:
    drawn = histogram_figure([demo().entries[2]])
    assert "axis y line*=right" in tikz(drawn)
    assert "ylabel={local linkability D(s)}" in tikz(drawn)
    alone = replace(drawn, right=None)
    assert "axis y line*=right" not in tikz(alone)
    for kind in ("png", "pdf", "svg"):
        assert render(drawn, kind) != render(alone, kind)
