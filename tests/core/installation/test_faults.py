"""What is told of a fault: the kind and the place in the code, and nothing of the user's."""

import json
import re

import pytest

from zebra_core.installation.faults import fault_report, place_of_fault
from zebra_core.metrics.scales import TagScale


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
    assert lines[4].startswith("  test_faults.py:")
    assert lines[4].endswith(" raised")
    assert lines[-3:-1] == ["then", "RuntimeError"]


def test_a_report_holds_nothing_of_the_user() -> None:
    told = fault_report(raised(), {})
    for secret in ("secret-speaker", "anna", "case 12", "/home"):
        assert secret not in told


def test_the_place_is_the_innermost_in_our_code() -> None:
    with pytest.raises(TypeError) as caught:
        TagScale(None)  # type: ignore[arg-type]
    assert place_of_fault(caught.value).startswith("zebra_core/metrics/scales.py:")
    assert place_of_fault(ValueError("never raised")) == ""


def test_a_chain_that_bites_its_tail_has_an_end() -> None:
    one, two = ValueError(), KeyError()
    one.__cause__, two.__cause__ = two, one
    assert fault_report(one, {}).split() == ["KeyError", "then", "ValueError"]


def test_in_a_bundle_whose_code_says_no_folders_the_places_are_the_same() -> None:
    bundled = compile("def draw():\n    raise KeyError('1089')\n", "zebra_gui/panes/people.py", "exec")
    names: dict = {}
    exec(bundled, names)  # noqa: S102 - as the program loads its modules there
    with pytest.raises(KeyError) as caught:
        names["draw"]()
    assert place_of_fault(caught.value) == "zebra_gui/panes/people.py:2"
    assert fault_report(caught.value, {}).endswith("\n  zebra_gui/panes/people.py:2 draw")


def test_endless_recursion_is_told_from_both_ends() -> None:
    def first(depth: int) -> int:
        return second(depth) + 1

    def second(depth: int) -> int:
        return first(depth + 1) + 1

    with pytest.raises(RecursionError) as caught:
        first(0)
    lines = fault_report(caught.value, {}).splitlines()
    assert len(lines) == 1 + 20 + 1 + 40
    assert re.fullmatch(r"  … \d{3} more", lines[21])
    assert lines[1].endswith("test_endless_recursion_is_told_from_both_ends")
