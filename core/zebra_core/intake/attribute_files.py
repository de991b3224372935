"""Attributes of speakers or recordings, two columns: spk2gender, spk2age, accents, what a recogniser said."""

from __future__ import annotations

from collections.abc import Iterable

from zebra_core.errors import InputError
from zebra_core.intake.tables.columns import Text, TextLine

_IDS = frozenset({"speaker", "speaker_id", "spk", "id", "utt", "utterance", "segment", "recording", "file"})


def pairs_of(text: Text) -> tuple[dict[str, str], Text]:
    """Each id and its value as it is written, and the text; a first line that names the column is a header.

    An id may stand in several lines if they say the same, and 41 is a word like others. Raises InputError,
    whose text names file and line.
    """
    if text.sample[0].cells[0].lower() in _IDS:
        text = text.with_header()
    name = text.file.name
    found: dict[str, tuple[str, int]] = {}
    for line in text.all_lines():
        one, value = _pair(text, line)
        known, first = found.setdefault(one, (value, line.number))
        if known != value:
            raise InputError(
                "two-attributes",
                file=name,
                line=line.number,
                found=one,
                value=value,
                first_line=first,
                first_value=known,
            )
    if not found:
        raise InputError("empty", file=name)
    refuse_cases(name, found.values())
    return {one: value for one, (value, _) in found.items()}, text


def refuse_cases(file: str, said: Iterable[tuple[str, int]]) -> None:
    """Raise InputError where two values, given with their lines, differ in case alone, as F and f do."""
    known: dict[str, tuple[str, int]] = {}
    for value, line in said:
        first, first_line = known.setdefault(value.casefold(), (value, line))
        if value != first:
            facts = {"found": value, "first_line": first_line, "first_value": first}
            raise InputError("attribute-case", file=file, line=line, **facts)


def _pair(text: Text, line: TextLine) -> tuple[str, str]:
    facts = {"file": text.file.name, "line": line.number, "found": line.text}
    if len(line.cells) != 2:
        raise InputError("attribute-columns", count=len(line.cells), **facts)
    one, value = line.cells
    if not (one and value):
        raise InputError("attribute-missing", **facts)
    return one, value
