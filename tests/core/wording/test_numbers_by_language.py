"""Numbers and dates as a language writes them; what machines read never changes."""

import datetime as dt
import math

import pytest

from tests.pseudo import pseudo_language
from zebra_core.evidence.audit import Remark
from zebra_core.figures.figure import Axis, ticks
from zebra_core.wording.tex import number
from zebra_core.wording.texts import (
    bits,
    dated,
    decibels,
    disclosure,
    grouped,
    log10_lr,
    percent,
    rounded,
    say,
    share,
    speaking,
    typed_number,
    written,
    zebra_number,
)

COMMA = {"language.decimal": ",", "language.date": "{day}.{month}.{year}"}


@pytest.fixture(autouse=True)
def comma():
    with pseudo_language(special=COMMA) as code, speaking(code):
        yield


def test_decimals_stand_behind_the_sign_of_the_language():
    assert [written(0.037, ".3f"), written(-1234.5, ".1f"), written(1e-4, "g")] == [
        "0,037",
        "-1234,5",
        "0,0001",
    ]
    assert [disclosure(0.037), bits(0.58412), log10_lr(-3.979), share(0.0007)] == [
        "0,037",
        "0,584",
        "−3,98",
        "0,07 %",
    ]
    assert [percent(0.25937), decibels(-0.9149), decibels(-0.001)] == ["25,94 %", "−0,91 dB", "0,00 dB"]
    assert [rounded(0.2045, 2), rounded(-0.304, 2), rounded(41.6, 0)] == ["0,20", "−0,30", "42"]


def test_numbers_that_a_sentence_formats_have_it_too():
    with speaking("en"):
        english = say("remark.unordered-discloses-more", bits=0.5, given=0.25)
    assert "0.500 bit" in english
    assert "0,500 " in say("remark.unordered-discloses-more", bits=0.5, given=0.25)


def test_numbers_that_were_kept_as_text_have_it_too_when_they_are_shown():
    kept = Remark("uncertainty-rounded", {"width": "0.031", "moved": "1.2e-05"})
    with speaking("de"):
        assert "Vielfache von 0,031" in str(kept)
        assert "1,2e-05" in str(kept)
    with speaking("en"):
        assert "multiples of 0.031" in str(kept)


def test_thousands_are_grouped_by_the_same_narrow_space():
    assert grouped(9828) == "9\u202f828"


def test_ticks_of_an_axis_stand_where_they_did_and_say_it_in_the_language():
    with speaking("en"):
        english = ticks(Axis("x", 0.0, 0.5))
    shown = ticks(Axis("x", 0.0, 0.5))
    assert [place for place, _text in shown] == [place for place, _text in english]
    assert [text for _place, text in shown] == [text.replace(".", ",") for _place, text in english]
    assert "0,10" in [text for _place, text in shown]


def test_what_machines_and_the_reference_toolkit_read_has_a_point():
    assert [zebra_number(0.58412), number(-0.25)] == ["0.584", "-0.25"]


def test_dates_are_in_the_order_of_the_language():
    assert dated(dt.date(2026, 11, 2)) == "02.11.2026"
    with speaking("en"):
        assert dated(dt.date(2026, 11, 2)) == "2026-11-02"


@pytest.mark.parametrize("typed", ["0,037", "0.037"])
def test_both_signs_are_understood_when_typed(typed):
    assert math.isclose(typed_number(typed), 0.037)
