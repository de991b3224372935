"""What a requirement is of, and when it came into a project."""

from dataclasses import replace

import pytest

from tests.core.samples import project_of
from zebra_core.errors import InputError
from zebra_core.project.project import Project
from zebra_core.project.requirements.requirement import RecordedWhen, Requirement, Scope, matches

ASKED = Requirement("r", "d_ece", 0.1, scope=Scope(safeguards=("B1",)))


@pytest.mark.parametrize(
    ("pattern", "name", "is_one"),
    [
        ("B1", "B1", True),
        ("B1", "B1w", False),
        ("B*", "B1w", True),
        ("*", "", True),
        ("*_f", "libri_f", True),
        ("a[b]", "a[b]", True),
        ("a.c", "abc", False),
        ("", "x", False),
        ("*", "two\nlines", True),
        ("ab*ba", "aba", False),
        ("a*b*b", "abcb", True),
        ("*a*a", "a", False),
    ],
)
def test_a_star_stands_for_anything_and_nothing_else_does(pattern: str, name: str, is_one: bool) -> None:
    assert matches(pattern, name) is is_one


def test_no_pattern_takes_longer_than_its_name_is_long() -> None:
    assert not matches("*a" * 99 + "*b", "a" * 2_000)
    assert matches("*a" * 99 + "*", "a" * 2_000)


def test_a_project_records_whether_a_requirement_came_before_its_data() -> None:
    before = Project().requiring(ASKED)
    assert before.requirements[0].recorded is RecordedWhen.BEFORE
    after = project_of("B1").requiring(ASKED)
    assert after.requirements[0].recorded is RecordedWhen.AFTER
    others = project_of("B2").requiring(ASKED)
    assert others.requirements[0].recorded is RecordedWhen.BEFORE


def test_one_that_is_known_keeps_its_record_while_its_demand_is_the_same() -> None:
    known = Project().requiring(ASKED).with_items(*project_of("B1").items)
    again = known.requiring(replace(ASKED, why="Said anew."))
    assert [(each.why, each.recorded) for each in again.requirements] == [("Said anew.", RecordedWhen.BEFORE)]
    with pytest.raises(InputError, match="a different requirement called “r”"):
        known.requiring(replace(ASKED, bound=0.2))


def test_a_demand_reads_as_a_sentence() -> None:
    assert ASKED.in_words == "population disclosure D_ECE is at most 0.1 bit, at a confidence of 95 %"
    worse = Requirement("r", "eer", 0.02, no_worse_than="B1w", confidence=0.9)
    assert worse.in_words == (
        "the EER is worse than that of B1w by no more than 2.00 percentage points, at a confidence of 90 %"
    )
    share = Requirement("r", "share_at_tag", 0.05, confidence=None, tag="C")
    assert share.in_words == "the share of target trials at C or beyond is at most 5 %"


def test_a_scope_reads_as_what_it_names() -> None:
    assert Scope().in_words == "everything that is protected"
    assert Scope(("a", "b"), ("OP",)).in_words == "a, b · OP"
