"""The PAV transform."""

from dataclasses import replace

import numpy as np
import pytest

import zebra_core
from tests.core.samples import goes_through, labelled, small_entry
from zebra_core.figures.pav import pav_figure
from zebra_core.project.items import Entry

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
