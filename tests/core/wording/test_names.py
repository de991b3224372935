"""Names that begin alike are shortened so that what tells them apart is seen."""

import pytest

from zebra_core.wording.languages import speaking
from zebra_core.wording.names import (
    alphabetical,
    alternatives,
    begun,
    differing_from,
    fitted_apart,
    in_sentence,
    joined,
    listed,
    shortened,
    shortened_apart,
)

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
