"""JSON from somebody else: bounded before it is taken apart, each field once, every number finite."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

from zebra_core.wording.texts import say

MOST_CONTAINERS = 2_000_000
"""Objects and lists: each takes up to a hundred times the two bytes in which it can be written."""
MOST_VALUES = 20_000_000


def parse(content: bytes, parse_int: Callable[[str], int] = int) -> object:
    """The value that is written there, in UTF-8 or what else JSON may be written in.

    Raises ValueError where it is no JSON, holds a field twice (readers differ in which of them counts), a
    number that is not finite, or more values than anything of ours; RecursionError where it is too deep.
    """
    containers = content.count(b"{") + content.count(b"[")  # those in texts too: there are few
    if containers > MOST_CONTAINERS or content.count(b",") > MOST_VALUES:
        raise ValueError(say("saved.too-many"))
    return json.loads(
        content,
        object_pairs_hook=_each_once,
        parse_int=parse_int,
        parse_float=_finite,
        parse_constant=_finite,
    )


def parse_or_none(content: bytes) -> object:
    """The value that is written there; None where `parse` would raise."""
    try:
        return parse(content)
    except (ValueError, RecursionError):
        return None


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(say("saved.twice"))
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(say("saved.not-finite", found=text))
    return value
