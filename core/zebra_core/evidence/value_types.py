"""Types of values with their bounds, stated once beside a field, and what JSON says of values."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

_LONGEST_NAME, _LONGEST_NOTES = 100_000, 1_000_000
"""In characters: a window that shows millions of them stands still."""

MOST_ROWS = 100_000

ITEM_ID, SHA256 = r"\A[0-9A-Za-z_-]{1,64}\Z", r"\A[0-9a-f]{64}\Z"

Name = Annotated[str, Meta(max_length=_LONGEST_NAME)]
Notes = Annotated[str, Meta(max_length=_LONGEST_NOTES)]
ItemId = Annotated[str, Meta(pattern=ITEM_ID)]
Sha256 = Annotated[str, Meta(pattern=SHA256)]
Whole = Annotated[int, Meta(ge=0, le=1 << 62)]
Seconds = Annotated[float, Meta(ge=0.0, le=1e6)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]


def as_json(value: object) -> Any:
    """The plain values of a value: objects in the order of fields, lists, enumerations by value."""
    return _with_lists(msgspec.to_builtins(value, enc_hook=lambda other: other.item()))


def _with_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_lists(inside) for name, inside in value.items()}
    return [_with_lists(inside) for inside in value] if isinstance(value, list | tuple) else value
