"""What is told of a fault: the kind and the place in the code, and nothing of the user's."""

import json

import pytest

from core.faults import fault_report, place_of_fault
from core.scales import TagScale


def raised() -> Exception:
    """A fault below our code and below a library's, with the user's data in its messages."""
    try:
        try:
            json.loads("{secret-speaker")
        except ValueError as error:
            raise RuntimeError("/home/anna/case 12/scores") from error
    except RuntimeError as error:
        return error
    raise AssertionError


def test_a_report_has_versions_kinds_and_places_from_the_first_cause_on() -> None:
    lines = fault_report(raised(), {"zebra": "1", "qt": "6"}).splitlines()
    assert lines[:3] == ["zebra 1", "qt 6", ""]
    assert lines[3] == "JSONDecodeError"
    assert lines[4].startswith("  tests/core/test_faults.py:")
    assert lines[4].endswith(" raised")
    assert lines[-3:-1] == ["then", "RuntimeError"]


def test_a_report_holds_nothing_of_the_user() -> None:
    told = fault_report(raised(), {})
    for secret in ("secret-speaker", "anna", "case 12", "/home"):
        assert secret not in told


def test_the_place_is_the_innermost_in_our_code() -> None:
    with pytest.raises(TypeError) as caught:
        TagScale(None)  # type: ignore[arg-type]
    assert place_of_fault(caught.value).startswith("core/scales.py:")
    assert place_of_fault(ValueError("never raised")) == ""


def test_a_chain_that_bites_its_tail_has_an_end() -> None:
    one, two = ValueError(), KeyError()
    one.__cause__, two.__cause__ = two, one
    assert fault_report(one, {}).split() == ["KeyError", "then", "ValueError"]
