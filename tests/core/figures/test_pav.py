"""The PAV transform."""

from dataclasses import replace

import numpy as np
import pytest

import zebra_core
from tests.core.samples import goes_through, labelled, small_entry
from zebra_core.figures.pav import pav_figure
from zebra_core.project.items import Entry
from zebra_core.wording.languages import speaking

LN10 = np.log(10.0)


def test_the_pav_of_a_case_worked_by_hand() -> None:
    """Separated: log10 3 : 1 against on the nontargets, for on the targets, straight between them."""
    trials = zebra_core.Trials.from_scores([3.0, 4.0], [1.0, 2.0])
    entry = Entry("by hand", trials, zebra_core.assess(trials))
    curve = labelled(pav_figure([entry]))[0]
    three = np.log10(3.0)
    assert goes_through(curve, (1, -three), (2, -three), (3, three), (4, three))


@pytest.mark.parametrize(
    ("meaning", "slope"),
    [(zebra_core.ScoreMeaning.NATURAL_LLR, 1.0 / LN10), (zebra_core.ScoreMeaning.LOG10_LR, 1.0)],
)
def test_declared_llrs_have_a_line_that_calibrated_ones_follow(
    meaning: zebra_core.ScoreMeaning, slope: float
) -> None:
    entry = small_entry()
    declared = replace(
        entry, assessment=zebra_core.assess(entry.trials, zebra_core.Settings(score_meaning=meaning))
    )
    assert len(pav_figure([declared]).lines) == len(pav_figure([entry]).lines) + 1
    line = pav_figure([declared]).lines[1]
    assert line.y.tolist() == pytest.approx((line.x * slope).tolist())
    assert len(pav_figure([declared, entry]).lines) == 3  # one of two: no line holds for both


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_what_a_side_of_that_line_means_is_written_where_no_line_passes(language: str) -> None:
    rng = np.random.default_rng(2)
    score = np.concatenate([rng.normal(2.0, 1.0, 300), rng.normal(0.0, 1.0, 3000)])
    trials = zebra_core.Trials(1.6 * (2.0 * score - 2.0) + 0.8, np.arange(3300) < 300)
    stated = zebra_core.Settings(score_meaning=zebra_core.ScoreMeaning.NATURAL_LLR)
    with speaking(language):
        figure = pav_figure([Entry("B2", trials, zebra_core.assess(trials, stated))])
    assert len(figure.words) == 2  # both sides overstate; there is no room where they understate
    for words in figure.words:
        half = 0.005 * len(words.text) * (figure.x.high - figure.x.low)
        near = 0.015 * (figure.y.high - figure.y.low)
        for line in figure.lines:
            across = np.linspace(words.x - half, words.x + half, 50)
            assert (np.abs(np.interp(across, line.x, line.y) - words.y) > near).all(), words.text
