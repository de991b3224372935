"""What differs between two kept texts: words, structure and order exactly, numbers to a tolerance."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from golden.kept import NUMBERS, whole

EXACT = 1e-9
HEARD = 1e-4  # what was heard differs a little from processor to processor
_NOTHING = 1e-15  # what rounding leaves of zero
_PRECISE = 9  # digits from which on a printed number is as it was computed
_LONG = 160  # characters shown of what differs

_NUMBER = re.compile(r"(?:(?<![\w.)\]])[-+−])?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)")
_SUMS = {"sum": "sum of magnitudes", "sum by place": "sum of magnitudes"}


@dataclass(frozen=True)
class Difference:
    """At one place, as it was and as it is; None where there is nothing."""

    place: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        if self.before is None:
            return f"{self.place}: new: {_short(self.after or '')}"
        if self.after is None:
            return f"{self.place}: gone: {_short(self.before)}"
        before, after = _around(self.before, self.after)
        return f"{self.place}:\n      was {before}\n      is  {after}"


def differences(name: str, before: str, after: str, tolerance: float = EXACT) -> Iterator[Difference]:
    """Of two kept texts of this name, in the order of the text."""
    if before == after:
        return
    if name.endswith(".json"):
        yield from _of_values("", whole(json.loads(before)), whole(json.loads(after)), tolerance)
    elif name.endswith(".pdf.txt"):
        yield from _of_pages(before, after, tolerance)
    else:
        yield from _of_lines(before, after, tolerance)


def is_same_text(before: str, after: str, tolerance: float = EXACT) -> bool:
    """Whether all between the numbers is the same, and the numbers are within the tolerance."""
    if before == after:
        return True
    if _NUMBER.split(before) != _NUMBER.split(after):
        return False
    numbers = zip(_NUMBER.finditer(before), _NUMBER.finditer(after), strict=True)
    return all(_is_same_number(one, other, tolerance) for one, other in numbers)


def _is_same_number(before: re.Match[str], after: re.Match[str], tolerance: float) -> bool:
    one, other = before[0], after[0]
    if one == other:
        return True
    digits = [_digits(one), _digits(other)]
    values = [float(text.replace("−", "-")) for text in (one, other)]
    if all("." in text or "e" in text.lower() for text in (one, other)):
        if min(digits) >= _PRECISE:
            return math.isclose(*values, rel_tol=tolerance, abs_tol=_NOTHING)
        if tolerance == EXACT or _decimals(one) != _decimals(other):
            return False
        unit = 10.0 ** -_decimals(one) * _power(one)
        return abs(values[0] - values[1]) <= max(tolerance * abs(values[0]), 1.001 * unit)
    is_share = after.string[after.end() :].lstrip(" \xa0\u202f").startswith(("%", "\\%", "\\,\\%"))
    return tolerance > EXACT and is_share and abs(values[0] - values[1]) <= 1


def _digits(number: str) -> int:
    return len(re.sub(r"[eE].*|\D", "", number).lstrip("0"))


def _decimals(number: str) -> int:
    return len(re.split(r"[eE]", number)[0].partition(".")[2])


def _power(number: str) -> float:
    exponent = re.search(r"[eE]([-+]?\d+)", number)
    return 10.0 ** int(exponent[1]) if exponent else 1.0


# Values


def _of_values(place: str, before: Any, after: Any, tolerance: float) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(after, dict):
        if NUMBERS in before and NUMBERS in after:
            yield from _of_summaries(place, before[NUMBERS], after[NUMBERS], tolerance)
        else:
            yield from _of_objects(place, before, after, tolerance)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_rows(place, before, after, tolerance)
    elif not _is_same_value(before, after, tolerance):
        yield Difference(place or "as a whole", _written(before), _written(after))


def _is_same_value(before: Any, after: Any, tolerance: float) -> bool:
    if type(before) is not type(after):
        return False
    if isinstance(before, float):
        if math.isnan(before) or math.isnan(after):
            return math.isnan(before) and math.isnan(after)
        return math.isclose(before, after, rel_tol=tolerance, abs_tol=_NOTHING)
    if isinstance(before, str):
        return is_same_text(before, after, tolerance)
    return bool(before == after)


def _of_objects(
    place: str, before: dict[str, Any], after: dict[str, Any], tolerance: float
) -> Iterator[Difference]:
    common = [key for key in before if key in after]
    for key, value in before.items():
        if key in after:
            yield from _of_values(_inside(place, key), value, after[key], tolerance)
        else:
            yield Difference(_inside(place, key), _written(value), None)
    for key, value in after.items():
        if key not in before:
            yield Difference(_inside(place, key), None, _written(value))
    order = [key for key in after if key in before]
    if order != common:
        yield Difference(f"{place or 'as a whole'}, order of keys", ", ".join(common), ", ".join(order))


def _of_rows(place: str, before: list[Any], after: list[Any], tolerance: float) -> Iterator[Difference]:
    if len(before) == len(after):
        found = [
            [*_of_values(f"{place}[{number}]", one, other, tolerance)]
            for number, (one, other) in enumerate(zip(before, after, strict=True))
        ]
        if sum(map(bool, found)) > 1 and _is_reordered(before, after):
            yield Difference(f"{place}, order of {len(before)} entries", _written(before), _written(after))
        else:
            for one in found:
                yield from one
        return
    yield Difference(f"{place}, number of entries", str(len(before)), str(len(after)))
    matcher = SequenceMatcher(None, _moulds(before), _moulds(after), autojunk=False)
    for what, i, to_i, j, to_j in matcher.get_opcodes():
        if to_i - i == to_j - j:
            for n in range(to_i - i):
                yield from _of_values(f"{place}[{j + n}]", before[i + n], after[j + n], tolerance)
        elif what != "equal":
            yield from (Difference(f"{place}[{n}]", _written(before[n]), None) for n in range(i, to_i))
            yield from (Difference(f"{place}[{n}]", None, _written(after[n])) for n in range(j, to_j))


def _is_reordered(before: list[Any], after: list[Any]) -> bool:
    return sorted(_moulds(before)) == sorted(_moulds(after))


def _moulds(rows: Sequence[Any]) -> list[str]:
    """Equal for rows that a tolerance may hold equal."""
    return [_mould(row) for row in rows]


def _mould(row: Any) -> str:
    if isinstance(row, float):
        return f"{row:.3g}"
    return json.dumps(row) if not isinstance(row, list | dict) else re.sub(r"\d+\.\d+", "#", json.dumps(row))


def _of_summaries(
    place: str, before: dict[str, Any], after: dict[str, Any], tolerance: float
) -> Iterator[Difference]:
    """The sums of many numbers; what may cancel out is measured by the sum of their magnitudes."""
    for key in before.keys() & _SUMS.keys() & after.keys():
        scale = before[_SUMS[key]]
        if not math.isclose(before[key], after[key], rel_tol=tolerance, abs_tol=tolerance * scale + _NOTHING):
            yield Difference(_inside(place, key), _written(before[key]), _written(after[key]))
    rest = [{key: value for key, value in one.items() if key not in _SUMS} for one in (before, after)]
    yield from _of_objects(place, rest[0], rest[1], tolerance)


def _inside(place: str, key: str) -> str:
    key = key if re.fullmatch(r"[\w-]+", key) else json.dumps(key, ensure_ascii=False)
    return f"{place}.{key}" if place else key


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# Texts


def _of_lines(before: str, after: str, tolerance: float) -> Iterator[Difference]:
    one, other = before.split("\n"), after.split("\n")
    matcher = SequenceMatcher(None, [*map(_skeleton, one)], [*map(_skeleton, other)], autojunk=False)
    for _what, i, to_i, j, to_j in matcher.get_opcodes():
        same = min(to_i - i, to_j - j)
        for n in range(same):
            yield from _of_line(f"line {j + n + 1}", one[i + n], other[j + n], tolerance)
        yield from (Difference(f"line {n + 1}", one[n], None) for n in range(i + same, to_i))
        yield from (Difference(f"line {n + 1}", None, other[n]) for n in range(j + same, to_j))


def _of_line(place: str, before: str, after: str, tolerance: float) -> Iterator[Difference]:
    if before.startswith("~ column ") and _skeleton(before) == _skeleton(after):
        values = [json.loads(text.partition(": ")[2]) for text in (before, after)]
        yield from _of_values(place, *values, tolerance)
    elif not is_same_text(before, after, tolerance):
        yield Difference(place, before, after)


def _skeleton(line: str) -> str:
    return _NUMBER.sub("#", line)


def _of_pages(before: str, after: str, tolerance: float) -> Iterator[Difference]:
    """Word by word: where a line ends is the matter of a page's width."""
    (one, at), (other, other_at) = _words(before), _words(after)
    if len(one) == len(other) and all(map(is_same_text, one, other, [tolerance] * len(one))):
        return
    matcher = SequenceMatcher(None, [*map(_skeleton, one)], [*map(_skeleton, other)], autojunk=False)
    for what, i, to_i, j, to_j in matcher.get_opcodes():
        if what == "equal":
            for n in range(to_i - i):
                if not is_same_text(one[i + n], other[j + n], tolerance):
                    yield _words_differ(at, other_at, one, other, (i + n, i + n + 1, j + n, j + n + 1))
        else:
            yield _words_differ(at, other_at, one, other, (i, to_i, j, to_j))


def _words(text: str) -> tuple[list[str], list[str]]:
    """Words with their places; the head of a page is one word."""
    words: list[str] = []
    at: list[str] = []
    place = ""
    for line in text.split("\n"):
        if line.startswith("=== "):
            place = line[4:].partition(",")[0]
            words.append(line)
            at.append(place)
        else:
            found = line.split()
            words += found
            at += [place] * len(found)
    return words, at


def _words_differ(
    at: list[str], other_at: list[str], one: list[str], other: list[str], span: tuple[int, int, int, int]
) -> Difference:
    i, to_i, j, to_j = span
    place = other_at[j] if j < len(other_at) else at[min(i, len(at) - 1)]
    before = " ".join(other[max(0, j - 4) : j])
    return Difference(
        f"{place}, after “{before}”",
        " ".join(one[i:to_i]) if to_i > i else None,
        " ".join(other[j:to_j]) if to_j > j else None,
    )


# What is shown


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]}… ({len(text)} characters)"


def _around(before: str, after: str) -> tuple[str, str]:
    """Both from a little before the first character that differs."""
    first = next((n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
    start = max(0, first - _LONG // 2) if max(len(before), len(after)) > _LONG else 0
    lead = "…" if start else ""
    return lead + _short(before[start:]), lead + _short(after[start:])
