"""Score files of bob: four and five columns, and its CSV; a trial is target when the two speakers are one."""

from __future__ import annotations

from zebra_core.intake.formats.headed import SIDES
from zebra_core.intake.formats.reading import ColumnMeaning, Reading, TextSample
from zebra_core.intake.tables.table import FileRole

FOUR = Reading(
    "bob-4",
    FileRole.BOTH,
    (ColumnMeaning.CLAIMED, ColumnMeaning.REAL, ColumnMeaning.TEST, ColumnMeaning.SCORE),
)
FIVE = Reading(
    "bob-5",
    FileRole.BOTH,
    (ColumnMeaning.CLAIMED, ColumnMeaning.ENROL, ColumnMeaning.REAL, ColumnMeaning.TEST, ColumnMeaning.SCORE),
)
WITH_SIDE = Reading(
    "nist-with-side",
    FileRole.SCORES,
    (ColumnMeaning.ENROL, ColumnMeaning.TEST, ColumnMeaning.SIDE, ColumnMeaning.SCORE),
)


def recognise(look: TextSample) -> list[Reading]:
    """Four columns may also be a NIST list with the side of the telephone call in the third."""
    *ids, score = look.columns or (None,)
    if score is None or not score.is_number or any(column.is_real for column in ids):
        return []
    if look.width == 4 and not look.columns[2].is_label:
        same = any(claimed == real for claimed, real, *_ in look.rows)
        side = set(look.columns[2].words) <= SIDES
        return [FOUR] if same and not side else [WITH_SIDE] if side and not same else [FOUR, WITH_SIDE]
    return [FIVE] if look.width == 5 else []
