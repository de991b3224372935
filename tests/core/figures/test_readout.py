"""The read-out says what the core computed."""

import math

import numpy as np
import pytest

from tests.core.samples import demo
from zebra_core.figures.figure import Line
from zebra_core.figures.readout import (
    ape_read_out,
    calibration_read_out,
    det_read_out,
    ece_read_out,
    histogram_read_out,
    odds,
    pav_read_out,
    prior_of,
    roc_read_out,
    share_read_out,
    tippett_read_out,
)
from zebra_core.figures.series import ece_figure


@pytest.mark.parametrize(
    ("log_odds", "words"),
    [
        pytest.param(0.0, "1 : 1", id="even"),
        pytest.param(-1.0, "1 : 2.7", id="against"),
        pytest.param(1.0, "2.7 : 1", id="for"),
        pytest.param(math.log(3.0), "3 : 1", id="a whole number"),
        pytest.param(8.0, "2\u202f981 : 1", id="thousands"),
        pytest.param(-math.log(99.96), "1 : 100.0".removesuffix(".0"), id="on the edge of decimals"),
    ],
)
def test_odds_in_words(log_odds, words):
    assert odds(log_odds) == words


@pytest.mark.parametrize(
    ("log_odds", "prior"), [(0.0, 0.5), (math.log(3.0), 0.75), (-745.0, 0.0), (1e6, 1.0)]
)
def test_the_prior_behind_log_odds(log_odds, prior):
    assert prior_of(log_odds) == pytest.approx(prior, abs=1e-12)


def test_prior_odds_and_ece_at_a_point():
    entries = demo().entries
    line = ece_figure(entries).lines[3]
    profile = entries[2].assessment.profile
    assert profile.prior_log_odds[90] == pytest.approx(-1.0)

    words = ece_read_out(line, 90)

    assert words == "prior 26.89 % · odds 1 : 2.7 · ECE 0.605 bit · B2 OP (0.205, 2.39, C)"
    assert f"{profile.min_bits[90]:.3f}" == "0.605"


@pytest.mark.parametrize(
    ("read_out", "x", "y", "words"),
    [
        (ape_read_out, 0.0, 0.25, "prior 50.00 % · odds 1 : 1 · wrong 25.00 % · B1"),
        (share_read_out, math.log(3.0), 0.5, "prior 75.00 % · odds 3 : 1 · 50.00 % of the bound · B1"),
        (det_read_out, -1.0, 0.0, "false alarms 15.87 % · misses 50.00 % · B1"),
        (roc_read_out, 0.1, 0.8, "false positives 10.00 % · true positives 80.00 % · B1"),
        (tippett_read_out, 1.5, 0.2, "log10 LR 1.50 · 20.00 % · B1"),
        (histogram_read_out, -12.34567, 0.2, "-12.35 · 20.00 % of the class · B1"),
        (pav_read_out, 3.0, -0.5, "score 3 · log10 LR −0.50 · B1"),
        (calibration_read_out, 0.25, 0.3, "posterior 25.00 % · observed 30.00 % · B1"),
    ],
)
def test_every_picture_says_what_is_under_the_cursor(read_out, x, y, words):
    assert read_out(Line(np.array([x]), np.array([y]), "B1", 0), 0) == words
