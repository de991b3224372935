"""The words of the core: codes and values in, sentences out, all of them kept in zebra_resources/texts.

They are said in the language that `languages` names at that moment.
"""

from __future__ import annotations

import gettext
import io
import math
import re
import string
import sys
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import cache, reduce
from numbers import Integral
from typing import Any
from unicodedata import combining, normalize

import zebra_resources

NARROW_NO_BREAK_SPACE = "\u202f"
LONGEST_QUOTE = 60
MANY = 100  # has the form for several, or for many, in every language
_FACT = re.compile(r"\\\{(\w+)(?::(\w+))?\\\}")  # a placeholder in an escaped text
_HEADER = re.compile(r"^\[(.+)\]$", re.MULTILINE)


def say(code: str, /, **facts: object) -> str:
    """The text with this code, with the facts put in.

    `code` is "section.name". A text may have a second form, "section.name-one", which English takes when the
    fact `count` is 1; other languages have as many forms as they need. In a text, `{count:n}` writes a whole
    number with grouped thousands, `{found:q}` a foreign string as `visible` shows it, `{width:w}` a number
    that was kept as text, with a point. Raises KeyError for an unknown code: that is our mistake.
    """
    count = facts.get("count")
    return _FORMATTER.vformat(_form(code, int(count) if isinstance(count, Integral) else MANY), (), facts)


def knows(code: str) -> bool:
    """Whether there is a text with this code."""
    section, _, name = code.partition(".")
    return name in _section(section)


def texts_of(section: str) -> dict[str, str]:
    """Every text of a section by its name, with its placeholders, in the order of the file."""
    return {name: _form(f"{section}.{name}", MANY) for name in _section(section)}


def in_english(code: str) -> str:
    """A text without facts as it is kept in files: in English, whatever language is spoken."""
    section, _, name = code.partition(".")
    return _section(section)[name]


def as_said(kept: str, section: str) -> str:
    """A text of this section that was kept in English, in the current language; any other text stays."""
    texts = _section(section).items()
    return next((say(f"{section}.{name}") for name, text in texts if text == kept), kept)


def kept(code: str, /, **facts: object) -> str:
    """What `say` says, as it is kept in files: in English, whatever language is spoken."""
    with speaking(ENGLISH):
        return say(code, **facts)


def sentence_as_said(sentence: str, section: str) -> str:
    """A text of this section that `kept` kept with its facts, in the current language; any other stays."""
    for name, text in _section(section).items():
        pattern = _FACT.sub(_pattern_of, re.escape(text))
        if found := re.fullmatch(pattern, sentence):
            facts = {fact: _as_number(shown) for fact, shown in found.groupdict().items()}
            return say(f"{section}.{name.removesuffix('-one')}", **({"count": 1} | facts))
    return sentence


def list_as_said(kept: str, section: str) -> str:
    """Texts of this section that were kept in English in one line, in the current language; others stay."""
    names = sorted(_section(section), key=lambda name: -len(_section(section)[name]))
    counted = re.escape("{count:n}")
    patterns = [
        re.escape(_section(section)[name]).replace(counted, rf"[\d{NARROW_NO_BREAK_SPACE}]+")
        for name in names
    ]

    def said(found: re.Match[str]) -> str:
        name = names[next(n for n, pattern in enumerate(patterns) if re.fullmatch(pattern, found[0]))]
        digits = re.sub(r"\D", "", found[0]) if "{count:n}" in _section(section)[name] else ""
        return say(f"{section}.{name.removesuffix('-one')}", count=int(digits or 1))

    return re.sub("|".join(patterns), said, kept)


def as_kept(said: str, section: str) -> str:
    """What `as_said` shows, as it is kept: in English where it is a text of this section; any other stays."""
    shown = texts_of(section).items()
    return next((in_english(f"{section}.{name}") for name, text in shown if text == said), said)


def grouped(number: int) -> str:
    """A whole number as people read it: 9 672, with a space that does not break."""
    return f"{number:,}".replace(",", NARROW_NO_BREAK_SPACE)


def written(value: float, spec: str) -> str:
    """A number for people, formatted by `spec` as ".3f", with the decimal sign of the language."""
    return with_decimal_sign(format(value, spec))


def with_decimal_sign(number: str) -> str:
    """A number that has a point, as Python formats it, with the decimal sign of the language instead."""
    return number.replace(".", translated("language.decimal", "."))


def dated(day: date) -> str:
    """A day as the language writes it: 2026-11-22 in English, 22.11.2026 in German."""
    return date_pattern(year=f"{day.year:04}", month=f"{day.month:02}", day=f"{day.day:02}")


def moment(when: datetime) -> str:
    """A moment as the language writes its day, to the second; `when` is in UTC, and that is said."""
    return f"{dated(when.date())} {when:%H:%M:%S} UTC"


def date_pattern(*, year: str, month: str, day: str) -> str:
    """A date as the language orders it, with these for its parts."""
    return say("language.date", year=year, month=month, day=day)


def quoted(name: str) -> str:
    """A name in the quotation marks of the language, where no sentence has them."""
    return say("language.quoted", name=name)


def visible(text: str, longest: int = LONGEST_QUOTE) -> str:
    """Foreign text made fit to be shown: one line, nothing invisible, not longer than `longest` characters.

    Control, format and unassigned characters (among them marks that turn the reading direction) become
    their escapes, so that what is shown is what is there. The narrow blank that groups our numbers stays.
    """
    is_cut = len(text) > longest
    text = text[:longest]  # of the rest nothing would be shown; looking at megabytes of it takes time
    shown = text
    if not text.isprintable():  # no character of the categories C and Z but the blank: nearly always
        shown = "".join(c if c.isprintable() or c == NARROW_NO_BREAK_SPACE else _escaped(c) for c in text)
    return shown if len(shown) <= longest and not is_cut else shown[: longest - 1] + "…"


def visible_name(name: str, longest: int = LONGEST_QUOTE) -> str:
    """A name as `visible` shows foreign text; one too long loses its middle: names differ at both ends."""
    return shortened(visible(shortened(name, longest), sys.maxsize), longest)


def visible_sentence(text: str, longest: int = sys.maxsize) -> str:
    """A sentence of ours with foreign text in it, as `visible` shows it."""
    shown = visible(text, sys.maxsize)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def _pattern_of(fact: re.Match[str]) -> str:
    return rf"(?P<{fact[1]}>[\d{NARROW_NO_BREAK_SPACE}]+)" if fact[2] == "n" else f"(?P<{fact[1]}>.+)"


def _as_number(shown: str) -> int | str:
    digits = shown.replace(NARROW_NO_BREAK_SPACE, "")
    return int(digits) if digits.isdecimal() else shown


def _form(code: str, count: int) -> str:
    """The text with this code as it is for so many, in the current language."""
    section, _, name = code.partition(".")
    texts = _section(section)
    one = texts.get(f"{name}-one")
    if one is None:
        return translated(code, texts[name])
    return translated_for(code, one, texts[name], count) if name in texts else translated(f"{code}-one", one)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "n":
            return grouped(value)
        if format_spec == "q":
            return visible(str(value))
        if format_spec == "w":
            return with_decimal_sign(str(value))
        shown = str(super().format_field(value, format_spec))
        return with_decimal_sign(shown) if isinstance(value, float) else shown


_FORMATTER = _Formatter()


@cache
def _section(name: str) -> dict[str, str]:
    """The texts of one section; all of them take ten milliseconds, for which `zebra --help` need not wait."""
    return tomllib.loads(_unread_sections().get(name, ""))


@cache
def _unread_sections() -> dict[str, str]:
    """What stands below each header of the file."""
    _before, *parts = _HEADER.split(zebra_resources.read_text("texts/en.toml"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


# The language that sentences are said in, and its catalogue: English in, the translation out.
#
# English is the source and needs no catalogue. Any other language is two files in zebra_resources/texts:
# de.po, which people translate, and de.mo, which `make languages` compiles of it. Only the latter is read
# here, when something is first said in that language. What a catalogue lacks is said in English.


ENGLISH = "en"
_COMPILED = ".mo"
_ENOUGH = 0.9  # of its texts; half a page in another language helps nobody

_everywhere = ENGLISH
_here: ContextVar[str | None] = ContextVar("language", default=None)


def current() -> str:
    """The language in which sentences are said, as "de"."""
    return _here.get() or _everywhere


def use(code: str) -> None:
    """From now on say everything in this language, in all threads. Raises LookupError if it is not there."""
    global _everywhere  # noqa: PLW0603 - what a process speaks is one for all of it
    _everywhere = _known(code)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Within this block say everything in this language, as a report in its own; no other thread notices.

    Raises LookupError for a language that is not there.
    """
    before = _here.set(_known(code))
    try:
        yield
    finally:
        _here.reset(before)


def languages() -> tuple[str, ...]:
    """The languages there are: English, then the others by their codes."""
    return _there()


@cache
def _there() -> tuple[str, ...]:
    catalogues = zebra_resources.path("texts").glob(f"*{_COMPILED}")
    return (ENGLISH, *sorted(path.name.removesuffix(_COMPILED) for path in catalogues))


def language_for(wanted: str) -> str | None:
    """The language that serves somebody who wants "de", "de-AT" or "de_AT.UTF-8"; None where none does."""
    asked = wanted.partition(".")[0].partition("@")[0].replace("_", "-").lower()
    if asked in ("c", "posix"):
        return ENGLISH
    there = {code.replace("_", "-").lower(): code for code in languages()}
    return there.get(asked) or there.get(asked.partition("-")[0])


def translated(context: str, english: str) -> str:
    """The text in the current language, or in English where its catalogue lacks it.

    `context` tells apart what is the same in English: the code of a text ("input.sound-none"), or "window."
    and the class that shows it.
    """
    return _catalogue(current()).pgettext(context, english)


def translated_for(context: str, one: str, several: str, count: int) -> str:
    """The text in the current language, in its form for so many; `one` and `several` are English."""
    return _catalogue(current()).npgettext(context, one, several, count)


def language_tag(code: str) -> str:
    """A language as files name it, by BCP 47: "pt-BR"; our English is British."""
    return "en-GB" if code == ENGLISH else code.replace("_", "-")


def own_name(code: str) -> str:
    """What a language calls itself; its code, until somebody has translated that."""
    name = _catalogue(_known(code)).pgettext("language.own-name", "English")
    return code if name == "English" and code != ENGLISH else name


def translated_texts(code: str) -> tuple[int, int]:
    """How many texts are translated, of how many; both are 0 for English, the source.

    As they were counted when the catalogue was compiled.
    """
    done, _, of = _catalogue(_known(code)).pgettext("catalogue.translated", "of").partition(" ")
    return (int(done), int(of)) if done.isdecimal() and of.isdecimal() else (0, 0)


def is_ready(code: str) -> bool:
    """Whether enough of a language is translated to offer it to people who did not ask for it by name."""
    done, of = translated_texts(code)
    return done >= _ENOUGH * of


def _known(code: str) -> str:
    if code not in languages():
        raise LookupError(f"there is no language {code!r}; there are {', '.join(languages())}")
    return code


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == ENGLISH:
        return gettext.NullTranslations()
    return gettext.GNUTranslations(io.BytesIO(zebra_resources.read_bytes(f"texts/{code}{_COMPILED}")))


# Names in sentences and at ticks: listed while they are few, shortened so that they stay different.


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
    shown = _apart([visible_name(name, longest) for name in names[:most]])
    rest = len(names) - most
    return say("word.and-more", shown=shown, count=rest) if rest > 0 else shown


def in_sentence(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """The names as a part of a sentence: "a, b and c"; beyond `most` "a, b and 3 more"."""
    return joined([visible_name(name) for name in names]) if 0 < len(names) <= most else listed(names, most)


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


# Numbers as people read them: the same digits and the same words on screen, on paper and in the shell.
#
# Where no interval says how many digits a figure bears, its trials do. No digit of a rate, a share or a cost
# in bits is finer than 1/√n, n being the number of trials of the rarer class: a rate of n independent trials
# is not known better, and those of one speaker are not independent. What would leave no digit at all is told
# as less than the smallest number that can be shown. Base-10 LLRs of single comparisons rest on a handful of
# trials: they have one decimal.


MINUS = "−"
_MOST_DECIMALS, _MOST_OF_PERCENT = 3, 2
_HIGHEST_FACTOR_OF_BITS = 1.0
SMALLEST_FIXED = 5e-4  # below it three decimals would show nothing
_ROUNDING = 5e-5  # what two decimals cannot tell from everything, as after a correction for small sets
SMALLEST_LLR = 5e-3
_OF_LEGENDS = 2  # decimals of a base-10 LLR
_ON_A_WHOLE, _MOST_BELOW_WHOLE = 1e-9, 10  # as near as this it is the whole number
_NUMBER = re.compile(r"[+\-−]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def decimals_for(half_width: float, least: int = 0) -> int:
    """How many decimals show its first significant digit, or two where the first is a 1; -1 is tens."""
    exponent = math.floor(math.log10(half_width))
    first_is_one = half_width / 10.0**exponent < 1.95
    return max(least, -exponent + int(first_is_one))


def decimals_of(n: int, factor: float = 1.0) -> int:
    """How many decimals a figure of n trials has after it is multiplied by `factor` (100 for per cent)."""
    most = _MOST_DECIMALS if factor == _HIGHEST_FACTOR_OF_BITS else _MOST_OF_PERCENT
    return min(most, decimals_for(factor / math.sqrt(max(n, 1))))


def rounded(value: float | None, places: int) -> str:
    """A number with so many decimals, or in tens with -1; where there is none, why."""
    if value is None or math.isnan(value):
        return say("word.not-measurable")
    if math.isinf(value):
        return say("word.infinite")
    if value == 0.0:
        return "0"
    fixed = f".{max(places, 0)}f"
    shown = format(round(abs(value), places), fixed)
    if not float(shown):
        least = with_decimal_sign(format(10.0**-places, fixed))
        return with_decimal_sign(shown) if value < 0.0 else say("word.less-than", value=least)
    return with_decimal_sign(f"{MINUS}{shown}" if value < 0.0 else shown)


def strength(log10_lr: float, places: int = 1) -> str:
    """A base-10 LLR; no whole number, where tags begin, is reached by rounding."""
    return rounded(log10_lr, decimals_below_whole(log10_lr, places))


def decimals_below_whole(log10_lr: float, places: int) -> int:
    """As many decimals as are given, or as keep a base-10 LLR on its side of the whole number above it.

    Tags begin at whole numbers, and none is reached by rounding: 1.998 is not shown as 2.0.
    """
    size = abs(log10_lr)
    above = math.ceil(size)
    if not above or above - size < _ON_A_WHOLE:
        return places
    return next(more for more in range(places, _MOST_BELOW_WHOLE + 1) if round(size, more) < above)


def zebra_number(value: float) -> str:
    """A figure as the reference toolkit prints it: three decimals, tiny ones as 2e-05, zero as 0."""
    if value == 0.0:
        return "0"
    return f"{value:.3f}" if value >= SMALLEST_FIXED else f"{value:.0e}"


def disclosure(bits: float) -> str:
    """D_ECE for legends and badges: three decimals, or as small as it is."""
    return with_decimal_sign(zebra_number(bits))


def log10_lr(value: float) -> str:
    """A base-10 LLR for legends and badges: two decimals, more below a whole number, or as small as it is."""
    if value == 0.0:
        return "0"
    fixed = f".{decimals_below_whole(value, _OF_LEGENDS)}f"
    shown = written(abs(value), fixed if abs(value) >= SMALLEST_LLR else ".0e")
    return f"−{shown}" if value < 0.0 else shown


def percent(share: float | None) -> str:
    """A rate as a percentage with two decimals; "not measurable" where it is None."""
    return say("word.not-measurable") if share is None else f"{written(100.0 * share, '.2f')} %"


def percent_as_stated(share: float) -> str:
    """A rate that somebody has set as a percentage, with the digits that it has: 0.1 %."""
    return f"{written(100.0 * share, 'g')} %"


def bits(value: float | None) -> str:
    """A cost in bits, or an index from 0 to 1, with three decimals; where there is no number, why."""
    if value is None or math.isnan(value):
        return say("word.not-measurable")
    return say("word.infinite") if math.isinf(value) else written(value, ".3f")


def share(value: float) -> str:
    """A share in whole per cent, unless that would show nothing or everything where it is neither."""
    per_cent = 100.0 * value
    decimals = 0 if value == 0.0 or 1.0 <= per_cent <= 99.0 or value >= 1.0 - _ROUNDING else 2
    return f"{written(per_cent, f'.{decimals}f')} %"


def signed(value: float) -> str:
    """A figure in bits that may be negative, with three decimals and a true minus sign."""
    return f"−{bits(-value)}" if value < 0.0 else bits(value)


def of_hundred(share: float) -> str:
    """How many of a hundred attempts; a small share that is not 0 keeps a digit."""
    percent = 100.0 * share
    return written(percent, ".0f" if percent >= 0.995 or percent <= 0.0 else ".1g")


def odds_in_words(worst_case: float) -> str:
    """What the worst case |log10 LR| makes of even prior odds, which are named with it."""
    if worst_case == 0.0:
        return say("odds.even")
    return say("odds.exact" if worst_case < 1.0 else "odds.about", odds=odds_to_one(worst_case))


def right_of_hundred(worst_case: float) -> str:
    """In how many of 100 cases the side that |log10 LR| speaks for is right, at even prior odds.

    With as many digits as keep it below 100.
    """
    wrong = 100.0 / (1.0 + 10.0**worst_case)
    places = max(0, -math.floor(math.log10(wrong) + 1e-3))
    return written(100.0 - wrong, f".{places}f")


def odds_to_one(worst_case: float) -> str:
    """How many to one, in as few digits as it bears, without a word."""
    ratio = 10.0**worst_case
    return written(ratio, ".1f") if worst_case < 1.0 else grouped(_about(ratio))


def odds_alone(worst_case: float) -> str:
    """The same without the condition, for where it is said once for many."""
    return say("odds.exact-alone" if worst_case < 1.0 else "odds.about-alone", odds=odds_to_one(worst_case))


def _about(number: float) -> int:
    """The number rounded to two digits: nobody should read more into it."""
    return int(round(number, 1 - math.floor(math.log10(number))))


def decibels(value: float | None) -> str:
    """A gain in dB with two decimals and a true minus sign; "not measurable" where it is None."""
    if value is None:
        return say("word.not-measurable")
    shown = written(abs(value), ".2f")
    return f"−{shown} dB" if round(value, 2) < 0.0 else f"{shown} dB"


def typed_number(text: str) -> float | None:
    """The number, with a point or a comma; None for anything else, `1_0`, `٥`, `nan` and `inf` among it.

    It is infinite where it is too large for a float.
    """
    if not _NUMBER.fullmatch(text):
        return None
    return float(text.replace(",", ".").replace("−", "-"))
