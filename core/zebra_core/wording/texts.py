"""The words of the core: codes and values in, sentences out, all of them kept in zebra_resources/texts.

They are said in the language that `languages` names at that moment.
"""

from __future__ import annotations

import re
import string
import sys
import tomllib
from datetime import date, datetime
from functools import cache
from numbers import Integral
from typing import Any

import zebra_resources
from zebra_core.wording.languages import ENGLISH, speaking, translated, translated_for

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
