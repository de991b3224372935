"""Words: codes and values in, sentences out."""

import math
import time
import tomllib

import pytest

import zebra_resources
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Finding, Remark, Severity
from zebra_core.intake.tables.table import _number
from zebra_core.wording import texts
from zebra_core.wording.texts import (
    alphabetical,
    alternatives,
    begun,
    decimals_for,
    decimals_of,
    differing_from,
    fitted_apart,
    grouped,
    in_sentence,
    joined,
    knows,
    listed,
    log10_lr,
    rounded,
    say,
    shortened,
    shortened_apart,
    speaking,
    strength,
    typed_number,
    visible,
    visible_name,
    visible_sentence,
)


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


def test_a_name_that_is_too_long_loses_its_middle() -> None:
    name = "Vendor A, delivery of March, configuration with pitch, variant "
    assert visible_name(f"{name}01") == "Vendor A, delivery of March, c…ration with pitch, variant 01"
    assert visible_name("abcdefghi", 8) == "abcd…ghi"
    assert visible_name("abcdefgh", 8) == "abcdefgh"
    assert visible_name("\u202e" * 50_000_000, 8) == "\\u20…02e"
    assert visible_name("two\nlines") == r"two\nlines"


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


ROUNDS = [f"A safeguard with a long name, number {n:02}, of the second round" for n in range(40)]


def test_a_family_differs_from_the_word_on_in_which_its_names_first_differ() -> None:
    assert differing_from(ROUNDS) == [37] * 40
    assert ROUNDS[0][37:].startswith("00, of")
    assert differing_from(["mcadams-coefficient-0.8", "mcadams-coefficient-0.9 again"]) == [20, 20]


def test_names_that_are_alone_or_differ_at_once_differ_from_their_beginning() -> None:
    assert differing_from(["B2", "B1w", "a name of its own", "a name as good"]) == [0, 0, 0, 0]
    assert differing_from([]) == []


def test_the_same_name_twice_is_no_family() -> None:
    assert differing_from(["one and the same", "one and the same"]) == [0, 0]


def test_a_name_that_another_one_goes_on_from_keeps_its_last_word() -> None:
    assert differing_from(["the safeguard", "the safeguard of 2024"]) == [4, 4]


def test_shortened_names_stay_distinct() -> None:
    short = shortened_apart(ROUNDS, 22)
    assert short[:2] == ["…00, of the second…", "…01, of the second…"]
    assert len(set(short)) == 40
    assert shortened_apart(ROUNDS, 16)[:2] == ["…00, of the…", "…01, of the…"]
    assert shortened_apart(ROUNDS[:1], 22) == ["A safeguard…cond round"]


def test_a_name_that_is_too_long_ends_after_a_word_where_that_tells_it_apart() -> None:
    of_the_demo = ["B2r PP, lazy-informed", "B1w PP, lazy-informed", "B2 PP, lazy-informed", "unprotected OO"]
    assert shortened_apart(of_the_demo, 20) == ["B2r PP, lazy…", "B1w PP, lazy…", *of_the_demo[2:]]
    of_sets = [
        f"{where} · B2r 1 {what}" for where in ("libri_f", "other_f") for what in ("PP, lazy-informed", "OP")
    ]
    assert shortened_apart(of_sets, 20) == [
        "libri_f · B2r 1 PP…", "libri_f · B2r 1 OP", "other_f · B2r 1 PP…", "other_f · B2r 1 OP"
    ]  # fmt: skip


def test_where_no_word_tells_long_names_apart_both_ends_are_kept() -> None:
    attackers = ["B2r PP, lazy-informed", "B2r PP, lazy-informed, 2024"]
    one, other = shortened_apart(attackers, 20)
    assert (one[-8:], other[-4:]) == ("informed", "2024")
    assert len(one) == len(other) == 20


def test_where_there_is_room_the_beginning_is_seen_too() -> None:
    assert shortened_apart(ROUNDS, 34)[7] == "A safeguar…07, of the second round"
    assert shortened_apart(ROUNDS, 99) == ROUNDS
    assert fitted_apart("abc def", 4, len, 5, shortened) == "a…def"


def test_the_ends_of_a_name_are_kept() -> None:
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghij", 5) == "ab…ij"
    assert shortened("baseline of many words (0.1, 2.3, C)", 21) == "baseline o…1, 2.3, C)"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", ["attacker", "Émile", "Emily", "ζ"]),
        ("de", ["Arm", "Ärmel", "Armut", "Masse", "Maße", "Zahl"]),
        ("fr", ["cote", "côte", "coter", "œuvre", "zèbre"]),
        ("es", ["nácar", "nube", "ñandú", "oír"]),
    ],
)
def test_words_are_sorted_as_dictionaries_of_the_language_do(code: str, words: list[str]) -> None:
    with speaking(code):
        assert sorted([*words[1:], words[0]], key=alphabetical) == words


def test_names_that_have_commas_are_parted_by_semicolons() -> None:
    names = ["B1w OP, ignorant", "B2 OP, ignorant", "B2 PP, lazy-informed"]
    assert listed(names[:2]) == "B1w OP, ignorant; B2 OP, ignorant"
    assert listed(names, most=2) == "B1w OP, ignorant; B2 OP, ignorant and 1 more"
    assert joined(names) == "B1w OP, ignorant; B2 OP, ignorant and B2 PP, lazy-informed"
    with speaking("fr"):
        assert listed(names[:2]) == "B1w OP, ignorant\u202f; B2 OP, ignorant"


def test_in_spanish_the_words_change_before_their_own_sound() -> None:
    last = ["ivectors", "hijos", "“Índice”", "hielo", "B2", "y2"]
    with speaking("es"):
        assert [joined(["A", one]).split()[1] for one in last] == ["e", "e", "e", "y", "y", "y"]
        assert joined(["A", "B", "i-vector"]) == "A, B e i-vector"
        last = ["ocho", "8", "80", "11", "110", "Hotel", "B1"]
        assert [alternatives(["7", one]).split()[1] for one in last] == ["u", "u", "u", "u", "o", "u", "o"]
    assert joined(["A", "ivectors"]) == "A and ivectors"


@pytest.mark.parametrize(("code", "word"), [("en", "and"), ("de", "und"), ("fr", "et"), ("es", "y")])
def test_names_in_a_sentence_end_with_the_word_of_the_language(code: str, word: str) -> None:
    with speaking(code):
        assert in_sentence(["B1", "B2", "B3"]) == f"B1, B2 {word} B3"
        assert in_sentence(["B1", "B2", "B3"], most=3) == in_sentence(["B1", "B2", "B3"])
        assert in_sentence(["B1", "B2", "B3", "B4"], most=3) == listed(["B1", "B2", "B3", "B4"], most=3)
        assert in_sentence(["B\u202e2"]) == r"B\u202e2"
        assert in_sentence([]) == ""


def test_a_long_text_ends_after_a_whole_sentence_or_where_even_the_first_is_too_long_after_a_word() -> None:
    text = "It is 0.04 bit, z. B. Ärzte too. It would be within, but: it is not. The rest is told elsewhere."
    assert begun(text, len(text)) == text
    assert begun(text, 80) == "It is 0.04 bit, z. B. Ärzte too. It would be within, but: it is not. …"
    assert begun(text, 50) == "It is 0.04 bit, z. B. Ärzte too. …"
    assert begun(text, 25) == "It is 0.04 bit…"
    assert begun("x" * 30, 10) == "x" * 9 + "…"


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
