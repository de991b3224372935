"""Two columns: attributes of speakers (age, accent), and what a recogniser said of recordings."""

from __future__ import annotations

from zebra_core.intake.attribute_files import pairs_of
from zebra_core.intake.formats.reading import Reading, TextSample
from zebra_core.intake.tables.columns import Text
from zebra_core.intake.tables.table import FileRole, SpeakerMap
from zebra_core.runtime.progress import Progress

_WIDTH = 2


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
