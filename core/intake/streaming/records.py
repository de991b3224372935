"""What a file of counts says of how it came to be: written by whoever counted, and no more than said."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

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

    @classmethod
    def of(cls, said: str, file: str) -> CountRecord:
        """Read from what somebody wrote. Raises InputError where it is nothing of the kind."""
        try:
            found = strict_json.parse(said.encode())
            if not isinstance(found, dict) or set(found) != {field.name for field in fields(cls)}:
                raise ValueError
            values = {field.name: _value(found[field.name], str(field.type)) for field in fields(cls)}
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
