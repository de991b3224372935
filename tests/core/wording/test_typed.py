"""Numbers as people type them."""

import math

import pytest

from zebra_core.errors import InputError
from zebra_core.project.utility import typed_wer
from zebra_core.wording.texts import typed_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4", 4.0),
        ("4,2", 4.2),
        ("−4.2", -4.2),
        (".5", 0.5),
        ("5.", 5.0),
        ("+1e-3", 0.001),
        ("1e999", math.inf),
    ],
)
def test_numbers(text: str, number: float) -> None:
    assert typed_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "1_0", "٥", "１２", "nan", "inf", "0x1p3", "1 0", "4,2.1", "1e", "\n5", "5\n"]
)
def test_what_is_none(text: str) -> None:
    assert typed_number(text) is None


@pytest.mark.parametrize("text", ["1_0", "٥ %", "nan"])
def test_a_word_error_rate_is_no_number_that_only_python_reads(text: str) -> None:
    with pytest.raises(InputError, match="is not a word error rate"):
        typed_wer(text)
