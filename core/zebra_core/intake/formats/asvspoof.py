"""ASVspoof 2019 and 2021: scores of the recogniser and metadata; spoof trials are set aside and counted."""

from __future__ import annotations

from zebra_core.intake.formats.reading import ColumnMeaning, ColumnSample, Reading, TextSample
from zebra_core.intake.tables import labels
from zebra_core.intake.tables.table import FileRole

SCORES_2019 = Reading(
    "asvspoof-scores", FileRole.BOTH, (ColumnMeaning.OTHER, ColumnMeaning.LABEL, ColumnMeaning.SCORE)
)
KEY_2019 = Reading(
    "asvspoof-2019-key",
    FileRole.KEY,
    (ColumnMeaning.ENROL, ColumnMeaning.TEST, ColumnMeaning.OTHER, ColumnMeaning.LABEL),
)
METADATA = Reading(
    "asvspoof-2021-metadata",
    FileRole.KEY,
    (
        ColumnMeaning.ENROL,
        ColumnMeaning.TEST,
        ColumnMeaning.OTHER,
        ColumnMeaning.OTHER,
        ColumnMeaning.OTHER,
        ColumnMeaning.LABEL,
        ColumnMeaning.OTHER,
        ColumnMeaning.OTHER,
    ),
)

_BONAFIDE = "bonafide"


def recognise(look: TextSample) -> list[Reading]:
    """Recognise files by the words of these challenges: bonafide, and spoof where a key says target."""
    columns = look.columns
    if (
        look.width == 3
        and columns[2].is_number
        and _is_label(columns[1])
        and _is_source(columns[0], columns[1])
    ):
        return [SCORES_2019]
    if look.width == 4 and _is_label(columns[3]) and _is_source(columns[2], columns[3]):
        return [KEY_2019]
    if look.width == 8 and _is_label(columns[5]) and _is_source(columns[4], columns[5]):
        return [METADATA]
    return []


def _is_label(column: ColumnSample) -> bool:
    return column.is_label and not column.is_number


def _is_source(source: ColumnSample, label: ColumnSample) -> bool:
    """Whether a column says where the speech came from: bona fide, or the name of an attack."""
    return _BONAFIDE in source.words or all(labels.is_spoof(word) for word in label.words)
