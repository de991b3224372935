"""Dots of speakers, and the ranks at which they are found."""

import numpy as np
import pytest

from tests.core.similarity_cases import ids
from tests.core.speakers.test_disclosure import dense, found_in
from tests.core.speakers.test_ranks import BY_HAND, trials
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.figures.speakers import MOST_NAMED, before_after_figure, cmc_figure, speakers_figure
from zebra_core.speakers.disclosure import before_and_after, speaker_disclosures
from zebra_core.speakers.ranks import Ranks, rank_true_speakers


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
