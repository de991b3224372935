"""No more digits than so few trials bear."""

import math
import time

import pytest

from zebra_core.intake.tables.dialect import _number
from zebra_core.wording.numbers import decimals_for, decimals_of, log10_lr, rounded, strength, typed_number


@pytest.mark.parametrize(
    ("n", "of_bits", "of_percent"),
    [
        pytest.param(20, 1, 0, id="twenty trials: to 0.22"),
        pytest.param(156, 2, 0, id="156 trials: to 0.08, or 8 %"),
        pytest.param(5000, 3, 1, id="5 000 trials: to 0.014, or 1.4 %"),
        pytest.param(10**8, 3, 2, id="never more than the toolkit has"),
    ],
)
def test_no_digit_is_finer_than_one_by_the_root_of_the_number_of_trials(
    n: int, of_bits: int, of_percent: int
) -> None:
    assert (decimals_of(n), decimals_of(n, 100.0)) == (of_bits, of_percent)


def test_a_half_width_has_one_digit_or_two_where_the_first_is_a_1() -> None:
    assert [decimals_for(half) for half in (0.034, 0.012, 0.6, 1.4, 23.0)] == [2, 3, 1, 1, 0]


@pytest.mark.parametrize(
    ("value", "places", "words"),
    [
        (0.2045, 2, "0.20"),
        (0.0, 2, "0"),
        (0.002, 2, "< 0.01"),
        (0.002, 3, "0.002"),
        (-0.304, 2, "−0.30"),
        (-0.002, 2, "0.00"),
        (41.6, 0, "42"),
        (0.2, 0, "< 1"),
        (math.inf, 2, "infinite"),
        (None, 2, "not measurable"),
    ],
)
def test_what_would_leave_no_digit_is_told_as_less_than_the_smallest(
    value: float | None, places: int, words: str
) -> None:
    assert rounded(value, places) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (2.394, "2.4"),
        (-0.938, "−0.9"),
        (1.97, "1.97"),
        (0.96, "0.96"),
        (2.02, "2.0"),
        (1.999, "1.999"),
        (-1.99996, "−1.99996"),
        (2.0 - 1e-12, "2.0"),
    ],
)
def test_no_tag_is_reached_by_rounding(value: float, words: str) -> None:
    """Tags begin at whole numbers: there are as many digits as lie on the side of the tag."""
    assert strength(value) == words


def test_neither_is_it_in_legends_and_badges() -> None:
    assert [log10_lr(value) for value in (1.998, -1.998, 2.004, 0.9999)] == [
        "1.998",
        "−1.998",
        "2.00",
        "0.9999",
    ]


def test_a_text_that_begins_like_a_long_number_is_told_at_once():
    began = time.monotonic()
    for text in ("1" * 50_000 + "!", "." + "1" * 50_000 + "!"):
        assert typed_number(text) is None
        assert _number(text, decimal_comma=False) is None
    assert time.monotonic() - began < 2
