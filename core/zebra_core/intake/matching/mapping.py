"""Ids of two files that differ only in how they are written: found, and mapped when asked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from zebra_core.evidence.decisions import ID_MAPPINGS, Decision
from zebra_core.evidence.trials import Ids

_SUFFIX = re.compile(
    r"(?:\.(?:wav|flac|sph|mp3|ogg|opus|m4a|aac|pcm|raw|npy|pt|ark)|[_-]anon(?:ymi[sz]ed)?)$", re.IGNORECASE
)
_SIDE = re.compile(r":[ab12]$", re.IGNORECASE)
_MOST_LOOKED_AT = 5000


@dataclass(frozen=True)
class IdMapping:
    """A way to compare the ids of two files other than letter by letter."""

    by: frozenset[Decision]
    depth: int = 1  # how many last parts of a path count, where folders are ignored

    def __call__(self, name: str) -> str:
        """The id as it is compared."""
        if Decision.IGNORE_ENCODING in self.by and not name.isascii():
            name = _read_as_utf8(name)
        if Decision.IGNORE_COMPOSITION in self.by:
            name = unicodedata.normalize("NFC", name)
        if Decision.IGNORE_QUOTES in self.by:
            name = name.strip("\"'") or name
        if Decision.IGNORE_SIDES in self.by:
            name = _SIDE.sub("", name) or name
        if Decision.IGNORE_DIRECTORIES in self.by:
            name = "/".join(name.replace("\\", "/").split("/")[-self.depth :])
        if Decision.IGNORE_SUFFIXES in self.by:
            while (shorter := _SUFFIX.sub("", name)) and shorter != name:
                name = shorter
        if Decision.IGNORE_CASE in self.by:
            name = name.casefold()
        if Decision.IGNORE_LEADING_ZEROS in self.by and name.isdecimal():
            name = name.lstrip("0") or "0"
        return name


def _read_as_utf8(name: str) -> str:
    """The name as it was before UTF-8 was taken for Windows-1252, or as it is."""
    try:
        return name.encode("cp1252").decode()
    except UnicodeError:
        return name


def mapping_for(by: Iterable[Decision], *columns: Ids) -> IdMapping:
    """The mapping for one side of two files.

    Of paths as many last parts count as the shortest has; fewer where most are the same only then.
    """
    chosen = frozenset(by) & frozenset(ID_MAPPINGS)
    if Decision.IGNORE_DIRECTORIES not in chosen:
        return IdMapping(chosen)
    paths = (name.replace("\\", "/") for ids in columns for name in ids.names)
    deepest = min((path.count("/") for path in paths), default=0) + 1
    ways = (IdMapping(chosen, depth) for depth in range(deepest, 0, -1))
    return next((way for way in ways if _join(way, columns)), IdMapping(chosen, deepest))


def _join(way: IdMapping, columns: Sequence[Ids]) -> bool:
    """Whether most ids of the shortest column are in every other one, as they are compared."""
    compared = [{way(name) for name in ids.names} for ids in columns]
    return 2 * len(set.intersection(*compared)) > min(map(len, compared))


def mapped(ids: Ids, mapping: Callable[[str], str]) -> tuple[Ids, tuple[str, str] | None]:
    """The column with mapped names, and two ids that the mapping would take for one, if there are such."""
    names = tuple(mapping(name) for name in ids.names)
    first: dict[str, str] = {}
    for old, new in zip(ids.names, names, strict=True):
        if first.setdefault(new, old) != old:
            return ids, (first[new], old)
    return Ids(ids.codes, names), None


def explains(left: Ids, right: Ids) -> tuple[Decision, ...] | None:
    """The fewest mappings under which most ids of `left` that are not among `right` are found there.

    None where there are no such mappings.
    """
    known = set(right.names)
    missing = [name for name in left.names if name not in known][:_MOST_LOOKED_AT]
    if not missing:
        return ()
    some = [*missing, *right.names[:_MOST_LOOKED_AT]]
    telling = [one for one in ID_MAPPINGS if any(IdMapping(frozenset([one]))(name) != name for name in some)]
    for count in range(1, len(telling) + 1):
        for chosen in combinations(telling, count):
            if _explains(missing, left, right, chosen):
                return chosen
    return None


def example(left: Ids, right: Ids, by: Iterable[Decision]) -> tuple[str, str]:
    """An id of each column which the mapping takes for one though they are spelt differently."""
    way = mapping_for(by, left, right)
    there = {way(name): name for name in right.names}
    known = set(right.names)
    mine = next(name for name in left.names if name not in known and way(name) in there)
    return mine, there[way(mine)]


def _explains(missing: Sequence[str], left: Ids, right: Ids, by: Iterable[Decision]) -> bool:
    mapping = mapping_for(by, left, right)
    if mapped(left, mapping)[1] or mapped(right, mapping)[1]:
        return False
    there = {mapping(name) for name in right.names}
    return 2 * sum(mapping(name) in there for name in missing) > len(missing)
