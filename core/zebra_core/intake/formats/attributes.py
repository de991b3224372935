"""Two columns: attributes of speakers (age, accent), and what a recogniser said of recordings."""

from __future__ import annotations

from collections.abc import Iterable

from zebra_core.errors import InputError
from zebra_core.intake.formats.reading import Reading, TextSample
from zebra_core.intake.tables.columns import Text, TextLine
from zebra_core.intake.tables.table import FileRole, SpeakerMap
from zebra_core.runtime.progress import Progress

_WIDTH = 2


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


def recognise(look: TextSample) -> list[Reading]:
    """An id and a word or a whole number a line, each id once; asked where no other family knows the file."""
    if look.width != _WIDTH or look.is_ragged or look.columns[1].is_real:
        return []
    ids, values = (column.words for column in look.columns)
    return [ATTRIBUTES] if len(ids) == len(look.rows) and 2 * len(values) <= len(ids) else []


def _read(text: Text, reading: Reading, on_progress: Progress) -> SpeakerMap:
    on_progress(0.0)
    found, text = pairs_of(text)
    return SpeakerMap(text.file, reading.format, found, text.dialect)


ATTRIBUTES = Reading(FileRole.ATTRIBUTES.value, FileRole.ATTRIBUTES, by=_read)
PREDICTIONS = Reading(FileRole.PREDICTIONS.value, FileRole.PREDICTIONS, by=_read)
AS_SAID = (ATTRIBUTES, PREDICTIONS)
"""Ways to read any file of two columns that somebody must have chosen: what others it came with settle it."""
