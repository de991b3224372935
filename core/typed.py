"""Numbers as people type them: what only Python takes for a number is none."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[+\-−]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def typed_number(text: str) -> float | None:
    """The number, with a point or a comma; None for anything else, `1_0`, `٥`, `nan` and `inf` among it.

    It is infinite where it is too large for a float.
    """
    if not _NUMBER.fullmatch(text):
        return None
    return float(text.replace(",", ".").replace("−", "-"))
