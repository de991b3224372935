"""The record that a file of counts has: who counted what, and how. Nothing in it is verified."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated

import msgspec
from msgspec import Meta

from zebra_core.errors import InputError
from zebra_core.evidence.value_types import Whole
from zebra_core.files import strict_json

_Text = Annotated[str, Meta(max_length=1000)]
_Width = Annotated[float, Meta(ge=0.0)]


@dataclass(frozen=True)
class CountRecord:
    """Where, when and from what trials were counted, and what the audit there found."""

    engine: _Text
    counted_by: _Text
    on: _Text  # the day, as 2026-11-22
    scores: _Text
    key: _Text
    width: _Width  # of the bins that scores were rounded down to; 0 where they are exact
    n_scores: Whole
    n_key: Whole
    agreeing_repeats: Whole
    scores_without_key: Whole
    key_without_score: Whole
    enrolments: Whole
    tests: Whole
    speakers: Whole = 0  # of whom pairs were counted, too; 0 where they were not
    unknown: Whole = 0  # of them are test segments whose speaker nobody knows
    width_by_speakers: _Width = 0.0  # of the bins of these counts
    self_comparisons: Whole = 0  # of the trials; counted like the others

    @classmethod
    def of(cls, said: str, file: str) -> CountRecord:
        """The record read from what somebody wrote. Raises InputError where it is nothing of the kind."""
        try:
            found = strict_json.parse(said.encode())
            if isinstance(found, dict) and not found.keys() <= {field.name for field in fields(cls)}:
                raise ValueError
            return msgspec.convert(found, cls)
        except (msgspec.ValidationError, ValueError, RecursionError) as error:
            raise InputError("counts-record", file=file) from error
