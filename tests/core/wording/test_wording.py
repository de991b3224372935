"""Figures as people read them."""

import numpy as np
import pytest

from zebra_core.wording.texts import (
    decibels,
    log10_lr,
    odds_in_words,
    percent,
    right_of_hundred,
    share,
    zebra_number,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.58412, "0.584"), (3.9787, "3.979"), (5e-4, "0.001"), (4.9e-4, "5e-04"), (2e-5, "2e-05")],
)
def test_figures_are_printed_as_the_reference_toolkit_prints_them(value: float, text: str) -> None:
    assert zebra_number(value) == text


@pytest.mark.parametrize(
    ("worst_case", "words"),
    [
        (0.0, "no better than a coin"),
        (0.94, "odds of 8.7 to 1 where both were as likely before"),
        (2.3942, "odds of about 250 to 1 where both were as likely before"),
        (3.979, "odds of about 9\u202f500 to 1 where both were as likely before"),
        (6.0, "odds of about 1\u202f000\u202f000 to 1 where both were as likely before"),
    ],
)
def test_odds_in_words(worst_case: float, words: str) -> None:
    assert odds_in_words(worst_case) == words


@pytest.mark.parametrize(
    ("odds", "right"), [(1.0, "50"), (8.7, "90"), (99.0, "99"), (250.0, "99.6"), (1e6, "99.9999")]
)
def test_in_how_many_of_a_hundred_cases_such_odds_are_right(odds: float, right: str) -> None:
    """8.7 of 9.7; never a hundred."""
    assert right_of_hundred(np.log10(odds)) == right


@pytest.mark.parametrize(
    ("value", "text"),
    [(-0.9149, "−0.91 dB"), (-0.001, "0.00 dB"), (3.0, "3.00 dB"), (None, "not measurable")],
)
def test_gains(value: float | None, text: str) -> None:
    assert decibels(value) == text


def test_rates_and_small_llrs() -> None:
    assert percent(0.25937) == "25.94 %"
    assert percent(None) == "not measurable"
    assert [log10_lr(v) for v in (0.0, 3.979, 0.001)] == ["0", "3.98", "1e-03"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0 %"),
        (0.0012, "0.12 %"),
        (0.5, "50 %"),
        (0.9987, "99.87 %"),
        (0.99994, "99.99 %"),
        (1.0 - 1e-6, "100 %"),
        (1.0, "100 %"),
    ],
)
def test_a_share_shows_everything_only_where_it_is_everything(value: float, said: str) -> None:
    assert share(value) == said
