"""The record that a file of counts has: who counted what, and how. Nothing in it is verified."""

from __future__ import annotations

import math
from dataclasses import MISSING, dataclass, fields

from zebra_core.errors import InputError
from zebra_core.files import strict_json

_LONGEST = 1000


@dataclass(frozen=True)
class CountRecord:
    """Where, when and from what trials were counted, and what the audit there found."""

    engine: str
    counted_by: str
    on: str  # the day, as 2026-11-22
    scores: str
    key: str
    width: float  # of the bins that scores were rounded down to; 0 where they are exact
    n_scores: int
    n_key: int
    agreeing_repeats: int
    scores_without_key: int
    key_without_score: int
    enrolments: int
    tests: int
    speakers: int = 0  # of whom pairs were counted, too; 0 where they were not
    unknown: int = 0  # of them are test segments whose speaker nobody knows
    width_by_speakers: float = 0.0  # of the bins of these counts
    self_comparisons: int = 0  # of the trials; counted like the others

    @classmethod
    def of(cls, said: str, file: str) -> CountRecord:
        """The record read from what somebody wrote. Raises InputError where it is nothing of the kind."""
        try:
            found = strict_json.parse(said.encode())
            known = {field.name: field for field in fields(cls)}
            least = {name for name, field in known.items() if field.default is MISSING}
            if not isinstance(found, dict) or not least <= set(found) <= set(known):
                raise ValueError
            values = {name: _value(value, str(known[name].type)) for name, value in found.items()}
            return cls(**values)  # type: ignore[arg-type]
        except (ValueError, RecursionError) as error:
            raise InputError("counts-record", file=file) from error


def _value(found: object, kind: str) -> str | int | float:
    if kind == "str" and isinstance(found, str) and len(found) <= _LONGEST:
        return found
    if kind == "int" and isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 1 << 62:
        return found
    if kind == "float" and isinstance(found, (int, float)) and math.isfinite(found) and found >= 0:
        return float(found)
    raise ValueError(kind)
