"""Score files of bob: four and five columns, and its CSV; a trial is target when the two speakers are one."""

from __future__ import annotations

from zebra_core.intake.formats.reading import Look, Part, Reading
from zebra_core.intake.tables.table import Role

FOUR = Reading("bob-4", Role.BOTH, (Part.CLAIMED, Part.REAL, Part.TEST, Part.SCORE))
FIVE = Reading("bob-5", Role.BOTH, (Part.CLAIMED, Part.ENROL, Part.REAL, Part.TEST, Part.SCORE))
WITH_SIDE = Reading("nist-with-side", Role.SCORES, (Part.ENROL, Part.TEST, Part.OTHER, Part.SCORE))

_SIDES = frozenset({"a", "b", "A", "B"})


def recognise(look: Look) -> list[Reading]:
    """Four columns may also be a NIST list with the side of the telephone call in the third."""
    *ids, score = look.columns or (None,)
    if score is None or not score.is_number or any(column.is_real for column in ids):
        return []
    if look.width == 4 and not look.columns[2].is_label:
        same = any(claimed == real for claimed, real, *_ in look.rows)
        side = set(look.columns[2].words) <= _SIDES
        return [FOUR] if same and not side else [WITH_SIDE] if side and not same else [FOUR, WITH_SIDE]
    return [FIVE] if look.width == 5 else []
