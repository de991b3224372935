"""Names in sentences and at ticks: listed while they are few, shortened so that they stay different."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from unicodedata import combining, normalize

from zebra_core.wording.languages import translated
from zebra_core.wording.texts import LONGEST_QUOTE, say, visible

MOST_NAMES = 20
ELLIPSIS = "…"
_FORMULA_STARTS = "=+-@＝＋－＠\t\r\n"
_AFTER_ALL = "\U0010ffff"
_MADE_OF = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"}  # which Unicode does not take apart
_BEGINNING = 8  # characters in common, from which on names are of one family
_WORD = re.compile(r"(?<![\w.])[\w.]*\Z")
_END_OF_SENTENCE = re.compile(r"(?<=[.!?])(?<!\b[^\W\d]\.)(?=\s+[A-ZÀ-Þ0-9“„«¿¡])")  # but for “z. B. Ärzte”
_END_OF_WORD = re.compile(r"(?<=[\w)\]])(?=[\s,;:-])")


def listed(names: Sequence[str], most: int = MOST_NAMES, longest: int = LONGEST_QUOTE) -> str:
    """The names with commas between them, or semicolons where one has commas; beyond `most` their number."""
    shown = _apart([visible(name, longest) for name in names[:most]])
    rest = len(names) - most
    return say("word.and-more", shown=shown, count=rest) if rest > 0 else shown


def in_sentence(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """The names as a part of a sentence: "a, b and c"; beyond `most` "a, b and 3 more"."""
    return joined([visible(name) for name in names]) if 0 < len(names) <= most else listed(names, most)


def joined(names: Sequence[str]) -> str:
    """All of these: "a, b and c", as they are."""
    return _joined(names, "language.and", "language.and-before-some")


def alternatives(names: Sequence[str]) -> str:
    """One of these: "a, b or c", as they are."""
    return _joined(names, "language.or", "language.or-before-some")


def named(name: str, text: str) -> str:
    """A name with what is said of it behind a colon."""
    return say("language.named", name=name, text=text)


def after_name(text: str) -> str:
    """What is said of a name, with the colon before it, for a name that is set apart, as in bold."""
    return named("", text)


def with_aside(text: str, aside: str) -> str:
    """A text with what is said by the way, in brackets; alone where nothing is."""
    return say("language.with-aside", text=text, aside=aside) if aside else text


def clauses(parts: Iterable[str]) -> str:
    """Several clauses in one line, with semicolons between them; those without a word are left out."""
    filled = [part for part in parts if part]
    return reduce(lambda before, after: say("language.clauses", before=before, after=after), filled or [""])


def alphabetical(text: str) -> tuple[str, str]:
    """A key that sorts words as dictionaries of the language do.

    Accents and capitals count only between words that are the same without them. A letter of its own, as ñ in
    Spanish, comes after all words with the letter that it is made of.
    """
    if text.isascii():
        return text.casefold(), text
    own = translated("language.own-letters", "none")
    return "".join(_as_sorted(letter, own) for letter in text.casefold()), text


def differing_from(names: Sequence[str]) -> list[int]:
    """For each name the place of the word in which its family, the names that begin like it, first differs.

    0 where there is no other that begins like it: there is nothing that may be left out before others.
    """
    families: dict[str, set[str]] = {}
    for name in names:
        families.setdefault(name[:_BEGINNING], set()).add(name)
    places = {beginning: _place(tuple(family)) for beginning, family in families.items()}
    return [places[name[:_BEGINNING]] for name in names]


def shortened(text: str, longest: int) -> str:
    """At most `longest` characters, the middle left out: names differ at both ends, and figures come last."""
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    head = longest - 1 - tail
    return text[:head].rstrip() + ELLIPSIS + text[len(text) - tail :].lstrip()


def begun(text: str, longest: int) -> str:
    """The beginning of a text that is longer than this: whole sentences of it, or words of a longer one."""
    if len(text) <= longest:
        return text
    ends = [end.start() for end in _END_OF_SENTENCE.finditer(text, 0, longest)]
    if ends and ends[-1] < longest - 1:
        return f"{text[: ends[-1]]} {ELLIPSIS}"
    return (_whole_words(text, longest - 1) or text[: longest - 1].rstrip()) + ELLIPSIS


def shortened_apart(names: Sequence[str], longest: int) -> list[str]:
    """These names, each at most `longest` characters, so that what tells them apart is seen if it can be.

    Of several, one too long ends after a whole word where what is left stands in no other name; else what it
    has in common with its family is left out first.
    """
    taken = set(names)
    return [
        _shortened_among(taken, name, place, longest)
        for name, place in zip(names, differing_from(names), strict=True)
    ]


def fitted_apart(
    name: str, place: int, width: Callable[[str], int], room: int, shorten: Callable[[str, int], str]
) -> str:
    """A name in the room there is, what is left out taken from before `place` first.

    `width` measures a text in the units of `room`; `shorten` leaves out some of one.
    """
    if width(name) <= room or not place:
        return shorten(name, room)
    rest = name[place:]
    left = room - width(ELLIPSIS + rest)
    if left < 0:
        return ELLIPSIS + shorten(rest, room - width(ELLIPSIS))
    head = bisect_right(range(1, place + 1), left, key=lambda end: width(name[:end]))
    return name[:head].rstrip() + ELLIPSIS + rest


def _joined(names: Sequence[str], code: str, before_some: str) -> str:
    *before, last = names
    if not before:
        return last
    some = translated(f"{before_some}-are", "none")
    is_one = some != "none" and re.match(rf"\W*(?:{some})", last, re.IGNORECASE)
    return say(before_some if is_one else code, before=_apart(before), last=last)


def _apart(names: Sequence[str]) -> str:
    return clauses(names) if any(", " in name for name in names) else ", ".join(names)


def _place(family: tuple[str, ...]) -> int:
    """Where the word begins in which these distinct names first differ; 0 for a single one."""
    if len(family) == 1:
        return 0
    first, last = min(family), max(family)
    pairs = enumerate(zip(first, last, strict=False))
    common = next((at for at, (one, other) in pairs if one != other), len(first))
    found = _WORD.search(first, 0, common)
    return found.start() if found else common


def _shortened_among(names: set[str], name: str, place: int, longest: int) -> str:
    if len(name) <= longest or len(names) == 1:
        return shortened(name, longest)
    begun = _whole_words(name, longest - 1)
    if _is_in_one(begun, names):
        return begun + ELLIPSIS
    rest = name[place:]
    differing = _whole_words(rest, longest - 2)
    if place and len(rest) >= longest and _is_in_one(differing, names):
        return ELLIPSIS + differing + ELLIPSIS
    return fitted_apart(name, place, len, longest, shortened)


def _whole_words(text: str, longest: int) -> str:
    """The whole words at the beginning that are at most `longest` characters; "" if there are none."""
    return max(
        (text[: end.start()] for end in _END_OF_WORD.finditer(text, 0, longest + 1)), default="", key=len
    )


def _is_in_one(part: str, names: set[str]) -> bool:
    return bool(part) and sum(part in name for name in names) == 1


def _as_sorted(letter: str, own: str) -> str:
    if letter.isascii():
        return letter
    base = _MADE_OF.get(letter) or "".join(part for part in normalize("NFKD", letter) if not combining(part))
    return base + _AFTER_ALL if letter in own else base


def harmless_cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip(" ")[:1] and text.lstrip(" ")[0] in _FORMULA_STARTS else text
