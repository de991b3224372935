"""The read-out says what the core computed."""

import math

import pytest

from core.figures.ece import ece_figure
from core.figures.readout import ece_read_out, odds, prior_of
from tests.core.samples import demo


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
