"""TOML that somebody else wrote: read whole and bounded, with the lines in which things stand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.files.access import read_bounded

MOST_BYTES = 1 << 20
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_ENDS = ('"""', "'''")
_MOST_PARTS = 8  # of a name; nothing that is read here has more than two
# Texts and comments, also those that never end: each is matched, so that nothing is looked through twice.
_NO_NAMES = re.compile(
    r"""
    \"{3} (?:\\.|[^\\]|\\\Z)*? (?:\"{3}|\Z)
    | '{3} .*? (?:'{3}|\Z)
    | " (?:\\.|[^"\\\n])* "?
    | ' [^'\n]* '?
    | \# [^\n]*
    """,
    re.DOTALL | re.VERBOSE,
)
_DEEP = re.compile(rf'(?:\.[ \t]*[\w"-]+[ \t]*){{{_MOST_PARTS}}}')


@dataclass(frozen=True)
class TomlFile:
    """What a file says, and where."""

    values: Mapping[str, Any]
    lines: TomlLines


def read_toml(path: Path, *, no_toml: str, too_large: str) -> TomlFile:
    """Read a file in UTF-8. Raises InputError with file and line, the first two faults under these codes.

    `no_toml` is said with a line and a reason, `too_large` with the most megabytes. Names of many parts are
    refused before they are parsed: tomllib takes time and memory as the square of their number.
    """
    text = _text(path, too_large)
    if deep := _DEEP.search(without := _NO_NAMES.sub(lambda one: '"' + "\n" * one[0].count("\n"), text)):
        line = without.count("\n", 0, deep.start()) + 1
        raise InputError("toml-too-deep", file=path.name, line=line, most=_MOST_PARTS)
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: numbers that are too long have no other
        at = _AT_LINE.search(str(error))
        line = int(at[1]) if at else text.count("\n") + 1
        reason = _AT_LINE.sub("", str(error))
        raise InputError(no_toml, file=path.name, line=line, reason=reason) from error
    return TomlFile(values, TomlLines(text))


def _text(path: Path, too_large: str) -> str:
    refusal = InputError(too_large, file=path.name, most=MOST_BYTES >> 20)
    content = read_bounded(path, MOST_BYTES, refusal)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        found = f"0x{content[error.start]:02X}"
        raise InputError("case-not-utf8", file=path.name, line=line, found=found) from error


class TomlLines:
    """In which line of a text what stands; texts of several lines are not looked into."""

    def __init__(self, text: str) -> None:
        self._lines: list[tuple[int, str]] = []
        inside = ""
        for number, line in enumerate(text.split("\n"), start=1):
            if inside:
                inside = "" if inside in line else inside
                continue
            self._lines.append((number, line))
            inside = next((end for end in _ENDS if line.count(end) % 2), "")

    def of_key(self, key: str) -> int:
        """The first line that gives a key or a table of this name; 1 where it is written in another way."""
        return _first(key, self._lines) or 1

    def of_row(self, table: str, place: int, key: str = "") -> int:
        """The line of a key in the table of an array at this place, from 0, or of its head."""
        head = re.compile(rf"[ \t]*\[\[[ \t]*[\"']?{re.escape(table)}[\"']?[ \t]*\]\]")
        heads = [n for n, (_, line) in enumerate(self._lines) if head.match(line)]
        if place >= len(heads):
            return self.of_key(table)
        end = heads[place + 1] if place + 1 < len(heads) else len(self._lines)
        below = self._lines[heads[place] + 1 : end]
        return (key and _first(key, below)) or self._lines[heads[place]][0]


def _first(key: str, lines: Sequence[tuple[int, str]]) -> int:
    given = re.compile(rf"[ \t]*(?:\[+[ \t]*)?[\"']?{re.escape(key)}[\"']?[ \t]*[=.\]]")
    return next((number for number, line in lines if given.match(line)), 0)
