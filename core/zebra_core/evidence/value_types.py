"""Types of values that files of somebody else may hold, each with its bounds: stated once, beside a field."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

LONGEST_NAME, LONGEST_NOTES = 100_000, 1_000_000
"""In characters: a window that shows millions of them stands still."""

MOST_ROWS = 100_000

ITEM_ID, SHA256 = r"\A[0-9A-Za-z_-]{1,64}\Z", r"\A[0-9a-f]{64}\Z"

Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Notes = Annotated[str, Meta(max_length=LONGEST_NOTES)]
ItemId = Annotated[str, Meta(pattern=ITEM_ID)]
Sha256 = Annotated[str, Meta(pattern=SHA256)]
Whole = Annotated[int, Meta(ge=0, le=1 << 62)]
Seconds = Annotated[float, Meta(ge=0.0, le=1e6)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
