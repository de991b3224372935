"""Digits that fit the uncertainty."""

import pytest

from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.precision import (
    UNITS,
    below_its_unit,
    decimals_for,
    difference_in_words,
    difference_with_interval,
    figure_name,
    in_words,
    with_interval,
)
from zebra_core.uncertainty.weighted import FIGURES


@pytest.mark.parametrize(
    ("half", "decimals"),
    [(0.0451, 2), (0.012, 3), (0.0196, 2), (0.9, 1), (1.2, 1), (3.4, 0), (12.0, 0), (340.0, 0)],
)
def test_half_widths_keep_one_digit_or_two_that_begin_with_one(half: float, decimals: int) -> None:
    assert decimals_for(half) == decimals


@pytest.mark.parametrize(
    ("figure", "value", "interval", "words"),
    [
        ("eer", 0.2756, Interval(0.235, 0.316), "28 ± 4 %"),
        ("eer", 0.0192, Interval(0.0062, 0.0322), "1.9 ± 1.3 %"),
        ("d_ece_bits", 0.2049, Interval(0.1367, 0.2264), "0.20 (0.14 … 0.23) bit"),
        ("worst_case_log10_lr", 2.394, Interval(1.7, 3.1), "2.4 ± 0.7"),
        ("g_vd_db", -1.234, Interval(-1.55, -0.93), "−1.2 (−1.6 … −0.9) dB"),
        ("g_vd_db", -1.234, Interval(-1.54, -0.93), "−1.2 ± 0.3 dB"),
        ("d_ece_bits", 0.07, Interval(0.0, 0.16), "0.07 (0.00 … 0.16) bit"),
        ("eer", 0.27, Interval(0.2455, 0.3145), "27 (25 … 31) %"),
        ("d_ece_bits", 0.2049, Interval(0.2049, 0.2049), "0.205 bit"),
        ("d_ece_bits", 2e-5, None, "2e-05 bit"),
        ("eer", 0.2756, None, "27.56 %"),
        ("d_ece_bits", 0.41, Interval(0.02, 0.7), "0.41 bit (too few speakers for an interval)"),
        ("min_cllr_bits", 0.5, Interval(0.0, 0.85), "0.50 (0.00 … 0.85) bit"),
    ],
)
def test_figures_with_their_intervals(
    figure: str, value: float, interval: Interval | None, words: str
) -> None:
    assert with_interval(figure, value, interval) == words


def test_llrs_have_the_digits_of_the_badge() -> None:
    assert in_words("worst_case_log10_lr", 2.394) == "2.39"


def test_minus_signs_are_true_ones_and_zero_has_none() -> None:
    assert in_words("g_vd_db", -0.5) == "−0.500 dB"
    assert in_words("de_id", -0.00001) == "0.00 %"
    assert difference_in_words("eer", -0.05) == "−5.00 percentage points"


def test_every_figure_has_a_name() -> None:
    assert set(FIGURES) <= set(UNITS)
    assert figure_name("d_ece_bits") == "Population disclosure D_ECE"
    assert all(figure_name(figure) for figure in UNITS)


def test_the_interval_of_a_difference_ends_where_the_scale_does() -> None:
    assert difference_with_interval("eer", 0.14, Interval(-1.14, 1.43)) == (
        "14 (−100 … 100) percentage points"
    )
    assert difference_with_interval("min_cllr_bits", 0.0, Interval(-5.0, 5.0)) == "0.00 ± 1.00 bit"
    assert difference_with_interval("d_ece_bits", 0.1, Interval(-4.0, 3.0)) == "0.10 (−0.72 … 0.72) bit"
    assert difference_with_interval("g_vd_db", -3.0, Interval(-8.0, 1.0)) == "−3 (−8 … 1) dB"


def test_in_a_column_every_cell_has_both_ends() -> None:
    interval = Interval(0.17, 0.25)
    assert with_interval("d_ece_bits", 0.21, interval) == "0.21 ± 0.04 bit"
    assert with_interval("d_ece_bits", 0.21, interval, is_in_column=True) == "0.21 (0.17 … 0.25) bit"
    assert below_its_unit("d_ece_bits", 0.21, interval) == "0.21 (0.17 … 0.25)"
