"""Word error rates: cases worked by hand, a slow second way, and what does not match."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from zebra_core.errors import InputError
from zebra_core.intake.transcript_files import read_transcripts
from zebra_core.utility.word_errors import word_errors
from zebra_core.wording.spoken import normalised


@pytest.mark.parametrize(
    ("said", "heard", "errors"),
    [
        ("the cat sat", "the cat sat", (0, 0, 0, 3)),
        ("the cat sat", "the bat sat", (1, 0, 0, 3)),
        ("the cat sat", "the sat", (0, 1, 0, 3)),
        ("the cat sat", "the cat sat down", (0, 0, 1, 3)),
        ("the cat sat", "", (0, 3, 0, 3)),
        ("The CAT, sat.", "the cat sat", (0, 0, 0, 3)),
    ],
)
def test_errors_worked_by_hand(said: str, heard: str, errors: tuple[int, ...]) -> None:
    found = word_errors({"u": said}, {"u": heard})
    assert (found.substitutions, found.deletions, found.insertions, found.reference_words) == errors
    assert found.rate == sum(errors[:3]) / errors[3]


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_the_rate_is_the_edit_distance_over_the_words(said: list[str], heard: list[str]) -> None:
    @cache
    def distance(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        same = distance(i - 1, j - 1) + (said[i - 1] != heard[j - 1])
        return min(same, distance(i - 1, j) + 1, distance(i, j - 1) + 1)

    found = word_errors({"u": " ".join(said)}, {"u": " ".join(heard)})
    assert found.rate == distance(len(said), len(heard)) / len(said)


def test_the_rate_is_over_all_words_and_not_the_mean_of_the_utterances() -> None:
    found = word_errors({"a": "one", "b": "one two three"}, {"a": "two", "b": "one two three"})
    assert found.rate == 0.25


def test_words_heard_in_silence_are_inserted() -> None:
    assert word_errors({"a": "", "b": "one two"}, {"a": "uh oh", "b": "one two"}).rate == 1.0


@pytest.mark.parametrize(
    ("words", "compared"),
    [
        ("DON’T  stop,\tme!", "don't stop me"),
        ("'quoted' words'", "quoted words"),
        ("well-known A.B.", "well known a b"),
        ("ﬁne Ｗide", "fine wide"),
        ("42 %", "42"),
        ("Straße", "straße"),
    ],
)
def test_normalisation(words: str, compared: str) -> None:
    assert normalised(words) == compared


def test_an_utterance_longer_than_any_speech_is_refused_at_once() -> None:
    longest = "a " * 100_000
    assert word_errors({"u": longest}, {"u": longest}).rate == 0.0
    for said, heard in ((longest + "a", "a"), ("a", longest + "a")):
        with pytest.raises(InputError, match="utterance u has more than 100\u202f000 words"):
            word_errors({"u": said}, {"u": heard})


def test_what_is_not_in_both_is_told_and_left_out() -> None:
    found = word_errors({"a": "x", "b": "y", "c": "z"}, {"a": "x", "d": "w"})
    assert (found.reference_words, found.rate) == (1, 0.0)
    assert [str(remark) for remark in found.remarks[1:]] == [
        "2 utterances of the reference have no hypothesis and were left out: b, c.",
        "One utterance has no reference and was left out: d.",
    ]
    assert str(found.remarks[0]).startswith("Words were compared in lower case")


@pytest.mark.parametrize(
    ("reference", "hypothesis", "code"),
    [({"a": "x"}, {"b": "x"}, "no-common-utterance"), ({"a": " . "}, {"a": "x"}, "no-reference-word")],
)
def test_nothing_to_compare(reference: dict[str, str], hypothesis: dict[str, str], code: str) -> None:
    with pytest.raises(InputError) as raised:
        word_errors(reference, hypothesis)
    assert raised.value.code == code


def test_a_kaldi_text_file(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("61-70-1 HE BEGAN\n61-70-2\n\n61-70-3\tTO SPEAK \n", encoding="utf-8")
    assert read_transcripts(path) == {"61-70-1": "HE BEGAN", "61-70-2": "", "61-70-3": "TO SPEAK"}


def test_an_utterance_that_comes_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("a x\nb y\na z\n", encoding="utf-8")
    with pytest.raises(InputError, match="text, line 3: the utterance a already stands in line 1"):
        read_transcripts(path)


@pytest.mark.parametrize(
    ("said", "heard", "errors"),
    [
        # Eleven characters, one of them another: worked by hand.
        (
            {"u1": "我们今天去学校", "u2": "你好世界"},
            {"u1": "我们今天去雪校", "u2": "你好世界"},
            (1, 0, 0, 11),
        ),
        (
            {"u": "我们 今天，去学校。"},
            {"u": "我 们今天去 学校"},
            (0, 0, 0, 7),
        ),  # blanks and marks are not counted
        ({"u": "今日は いい天気"}, {"u": "今日は天気"}, (0, 2, 0, 7)),
        ({"u": "ภาษาไทย"}, {"u": "ภาษ\u200bาไทยๆ"}, (0, 0, 1, 7)),
        ({"u": "ພາສາລາວ"}, {"u": "ພາສາລາວ"}, (0, 0, 0, 7)),
        ({"u": "ភាសាខ្មែរ"}, {"u": "ភាសាខ្មែរ"}, (0, 0, 0, 9)),
        ({"u": "မြန်မာ"}, {"u": "မြန်မာ"}, (0, 0, 0, 6)),
        ({"u": "我用iPhone"}, {"u": "我用 iphone"}, (0, 0, 0, 8)),  # every character of mixed words
        ({"u": "你好", "v": "42"}, {"u": "你好", "v": "43"}, (1, 0, 0, 4)),  # numbers are as the others are
    ],
)
def test_scripts_without_blanks_are_counted_in_characters(said, heard, errors) -> None:
    found = word_errors(said, heard)
    assert (found.substitutions, found.deletions, found.insertions, found.reference_words) == errors
    assert found.of_characters
    assert "character error rate (CER), not a word error rate" in str(found.remarks[0])
    assert found.as_json()["of_characters"] is True


def test_words_among_which_one_letter_of_such_a_script_stands_are_words() -> None:
    found = word_errors(
        {"u": "the word 猫 means cat", "v": "한국어 문장"}, {"u": "the word 猫 means hat", "v": "한국어 문장"}
    )
    assert (found.rate, found.reference_words, found.of_characters) == (1 / 7, 7, False)


def test_no_single_rate_is_right_for_both_kinds() -> None:
    with pytest.raises(InputError, match="words of b are parted by blanks, those of a are not"):
        word_errors({"a": "你好", "b": "hello you"}, {"a": "你好", "b": "hello you"})
    # What is not compared does not matter.
    assert word_errors({"a": "你好", "b": "hello you"}, {"a": "你好"}).of_characters
