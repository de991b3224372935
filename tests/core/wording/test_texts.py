"""Words: codes and values in, sentences out."""

import tomllib

import pytest

import zebra_resources
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Finding
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.wording import texts
from zebra_core.wording.texts import grouped, knows, say, visible, visible_sentence


def test_whole_numbers_are_grouped_by_a_space_that_does_not_break() -> None:
    assert [grouped(n) for n in (7, 9672, 1234567)] == ["7", "9\u202f672", "1\u202f234\u202f567"]


def test_one_has_a_form_of_its_own() -> None:
    assert say("finding.scores-outside-key", count=1, file="s").startswith("One score of s is")
    assert say("finding.scores-outside-key", count=2, file="s").startswith("2 scores of s are")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, π ≥ 3", "plain text, π ≥ 3"),
        ("two\nlines\tand\x00", r"two\nlines\tand\x00"),
        ("\u202eturned", r"\u202eturned"),
        ("no\u00a0break", r"no\xa0break"),
        ("\ud800", r"\ud800"),
        ("x" * 61, "x" * 59 + "…"),
        ("{file} %s", "{file} %s"),
    ],
)
def test_foreign_text_is_shown_as_it_is_and_does_nothing(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert say("input.empty", file=text).startswith(shown + " is empty")


def test_an_unknown_code_is_our_mistake() -> None:
    assert not knows("input.no-such-text")
    with pytest.raises(KeyError):
        say("input.no-such-text")


def test_sections_read_one_by_one_are_the_whole_file() -> None:
    whole = tomllib.loads(zebra_resources.read_text("texts/en.toml"))
    assert {name: texts._section(name) for name in whole} == whole
    assert all(isinstance(text, str) for section in whole.values() for text in section.values())


def test_of_a_long_text_only_what_is_shown_is_looked_at() -> None:
    assert visible("\u202e" * 50_000_000, 8) == "\\u202e\\…"
    assert visible("abcdefgh", 8) == "abcdefgh"
    assert visible("abcdefghi", 8) == "abcdefg…"
    assert visible("abcdef\n", 8) == "abcdef\\n"
    assert visible("abcdefg\n", 8) == "abcdefg…"


def test_numbers_in_a_sentence_stay_grouped_and_what_is_foreign_is_escaped() -> None:
    assert visible_sentence("9\u202f828 of \u202ea\u200b", 100) == "9\u202f828 of \\u202ea\\u200b"
    assert visible_sentence("12\u202f345 trials", 8) == "12\u202f345 …"


def test_remarks_findings_and_errors_are_one_line_whatever_their_facts_are() -> None:
    names = "s1\x1b[31m\u202e\nzebra: verified"
    shown = "s1\\x1b[31m\\u202e\\nzebra: verified"
    facts = {"setting": "OO", "names": names, "count": 12_345}
    remark = str(Remark("speakers-missing", facts))
    assert shown in remark
    assert "12\u202f345 speakers" in remark
    assert str(Finding("by-folders", Severity.NOTE, {"rules": names})).count(shown) == 1
    assert shown in str(InputError("no-such-decision", found="x", known=names))
