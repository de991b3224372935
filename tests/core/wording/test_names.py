"""Names that begin alike are shortened so that what tells them apart is seen."""

from zebra_core.wording.names import differing_from, fitted_apart, shortened, shortened_apart

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
    assert short[:2] == ["…00, of the…cond round", "…01, of the…cond round"]
    assert len(set(short)) == 40
    assert {len(name) for name in short} == {22}
    assert shortened_apart(ROUNDS[:1], 22) == ["A safeguard…cond round"]


def test_where_there_is_room_the_beginning_is_seen_too() -> None:
    assert shortened_apart(ROUNDS, 34)[7] == "A safeguar…07, of the second round"
    assert shortened_apart(ROUNDS, 99) == ROUNDS
    assert fitted_apart("abc def", 4, len, 5, shortened) == "a…def"


def test_the_ends_of_a_name_are_kept() -> None:
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghij", 5) == "ab…ij"
    assert shortened("baseline of many words (0.1, 2.3, C)", 21) == "baseline o…1, 2.3, C)"
