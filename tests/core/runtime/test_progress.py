"""What was used last is known, within bounds."""

import pytest

from zebra_core.runtime.progress import LastUsed


def test_only_what_was_asked_for_last_is_kept() -> None:
    made: list[int] = []
    known = LastUsed[int](most=2)
    for key in (1, 2, 3, 2, 1):
        assert known.of(key, lambda key=key: made.append(key) or 10 * key) == 10 * key
    assert made == [1, 2, 3, 1]  # 1 had gone


def test_what_is_asked_for_again_is_the_last_to_go() -> None:
    made: list[int] = []
    known = LastUsed[int](most=2)
    for key in (1, 2, 1, 3, 1):
        known.of(key, lambda key=key: made.append(key) or key)
    assert made == [1, 2, 3]


def test_what_failed_is_tried_again() -> None:
    known = LastUsed[int]()
    with pytest.raises(ZeroDivisionError):
        known.of("a", lambda: 1 // 0)
    assert known.of("a", lambda: 1) == 1


def test_nothing_is_known_as_well_as_something() -> None:
    made: list[str] = []
    known = LastUsed[None]()
    for _ in range(2):
        known.of("a", lambda: made.append("a"))
    assert made == ["a"]


def test_what_is_larger_than_the_others_pushes_out_as_many_as_it_takes() -> None:
    known = LastUsed[str](most=10)
    for name, size in [("a", 4), ("b", 4), ("c", 2), ("d", 7)]:
        known.keep(name, name, size)
    assert [known.find(name) for name in "abcd"] == [None, None, "c", "d"]
    assert known.has_room_for == 1


def test_what_was_used_last_stays_though_it_is_too_large() -> None:
    known = LastUsed[str](most=10)
    known.keep("a", "a", 4)
    known.keep("b", "b", 11)
    assert (known.find("a"), known.find("b"), len(known)) == (None, "b", 1)


def test_what_is_kept_anew_counts_once() -> None:
    known = LastUsed[str](most=10)
    for size in (9, 3):
        known.keep("a", "a", size)
    known.keep("b", "b", 7)
    assert (known.find("a"), known.find("b")) == ("a", "b")
