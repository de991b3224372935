"""The words of the core: codes and values in, sentences out, all of them kept in resources/texts."""

from __future__ import annotations

import re
import string
import sys
import tomllib
from functools import cache
from typing import Any

import zebra_resources

NARROW_NO_BREAK_SPACE = "\u202f"
LONGEST_QUOTE = 60
_HEADER = re.compile(r"^\[(.+)\]$", re.MULTILINE)


def say(code: str, /, **facts: object) -> str:
    """The text with this code, with the facts put in.

    `code` is "section.name". A text may have a second form, "section.name-one", which is taken when the
    fact `count` is 1. In a text, `{count:n}` writes a whole number with grouped thousands and `{found:q}`
    a foreign string as `visible` shows it. Raises KeyError for an unknown code: that is our mistake.
    """
    section, _, name = code.partition(".")
    texts = _section(section)
    form = f"{name}-one" if facts.get("count") == 1 and f"{name}-one" in texts else name
    return _FORMATTER.vformat(texts[form], (), facts)


def knows(code: str) -> bool:
    """Whether there is a text with this code."""
    section, _, name = code.partition(".")
    return name in _section(section)


def texts_of(section: str) -> dict[str, str]:
    """Every text of a section by its name, with its placeholders, in the order of the file."""
    return dict(_section(section))


def grouped(number: int) -> str:
    """A whole number as people read it: 9 672, with a space that does not break."""
    return f"{number:,}".replace(",", NARROW_NO_BREAK_SPACE)


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


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "n":
            return grouped(value)
        if format_spec == "q":
            return visible(str(value))
        return str(super().format_field(value, format_spec))


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
