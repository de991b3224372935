"""Originals and their protected copies, paired by a rule or a table of names; what has no partner is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from zebra_core.errors import InputError
from zebra_core.files.opening import size_of
from zebra_core.recordings.folder import Recording, named
from zebra_core.recordings.pairing_offers import in_examples, offers, undoubted
from zebra_core.recordings.pairing_rules import (
    SAME_NAME,
    GivenPairs,
    PairingSource,
    PairingTable,
    match,
    repeated_rows,
)
from zebra_core.recordings.sound import hash_of

_MOST_WAYS = 8  # that are told
_MOST_HASHED = 100  # copies without a partner


@dataclass(frozen=True)
class RepeatedCopy:
    """A copy that a later line of a table names of an original whose copy an earlier line has named."""

    copy: Recording
    line: int
    name: str  # the id of the original
    first_line: int


@dataclass(frozen=True)
class Pairing:
    """Recordings by id, and the protected copies of each safeguard that belong to them."""

    originals: Mapping[str, Recording]
    protected: Mapping[str, Mapping[str, Recording]]  # safeguard, id
    twice: tuple[Recording, ...]  # originals whose name another has in the same folder
    unpaired: Mapping[str, tuple[str, ...]]  # safeguard: ids of originals without a copy
    strangers: Mapping[str, tuple[Recording, ...]]  # safeguard: copies of no original
    ambiguous: Mapping[
        str, tuple[str, ...]
    ]  # safeguard: ids of originals that fit several copies, or share one
    sources: Mapping[str, PairingSource]  # safeguard: how its copies were paired
    competing: Mapping[str, tuple[Recording, ...]]  # safeguard: copies that may be of an ambiguous original
    repeated: Mapping[str, tuple[RepeatedCopy, ...]] = field(default_factory=dict)  # safeguard

    @property
    def complete(self) -> tuple[str, ...]:
        """Ids of the originals with a copy of every safeguard, in order: these are compared."""
        return tuple(
            sorted(name for name in self.originals if all(name in of for of in self.protected.values()))
        )

    def examples(self, safeguard: str) -> str:
        """Some pairs, so that the way they were found can be judged: “a/call_1.wav ↔ call_1_anon.mp3”."""
        pairs = [(self.originals[name], copy) for name, copy in self.protected[safeguard].items()]
        return in_examples(pairs)

    def named_otherwise(self, safeguard: str) -> tuple[Recording, ...]:
        """Copies of no original whose names do not follow the rule by which the others are paired."""
        source = self.sources[safeguard]
        if isinstance(source, PairingTable):
            return ()
        return tuple(one for one in self.strangers[safeguard] if source.of_copy(one) is None)

    def delivered_twice(self, safeguard: str) -> dict[Recording, str]:
        """Copies without a partner that are byte by byte a copy that has one, with the id of its original."""
        of = {copy: name for name, copy in self.protected[safeguard].items()}
        sizes: dict[int | None, list[Recording]] = defaultdict(list)
        for copy in of:
            sizes[size_of(copy.path)].append(copy)
        lost = [one.copy for one in self.repeated.get(safeguard, ()) if one.copy not in of]
        lost += [*self.strangers[safeguard], *self.competing[safeguard]]
        found = {}
        for one in islice((one for one in lost if size_of(one.path) in sizes), _MOST_HASHED):
            with suppress(InputError):  # told where it is heard
                same = (copy for copy in sizes[size_of(one.path)] if hash_of(copy.path) == hash_of(one.path))
                if (like := next(same, None)) is not None:
                    found[one] = of[like]
        return found

    def versions(self, name: str) -> list[Recording]:
        """A recording that is complete, and its protected copies."""
        return [self.originals[name], *(of[name] for of in self.protected.values())]


def paired(
    originals: Iterable[Recording],
    protected: Mapping[str, Sequence[Recording]],
    sources: Mapping[str, PairingSource] | None = None,
) -> Pairing:
    """Pair each safeguard's copies by its rule or table; without one, by equal names.

    Raises InputError for a table that cannot be read.
    """
    by_id, twice = named(originals)
    names, recordings = tuple(by_id), tuple(by_id.values())
    namesakes = {one.stem for one in twice}  # nobody knows of which of two originals their copies are
    sources = {safeguard: (sources or {}).get(safeguard, SAME_NAME) for safeguard in protected}
    pairs: dict[str, dict[str, Recording]] = {}
    unpaired, strangers, ambiguous, competing, repeated = {}, {}, {}, {}, {}
    for safeguard, copies in protected.items():
        source = sources[safeguard]
        found, doubtful, rivals = match(source, recordings, copies)
        again = repeated_rows(source, recordings, copies) if isinstance(source, PairingTable) else ()
        repeated[safeguard] = tuple(
            RepeatedCopy(copies[one.copy], one.line, names[one.original], one.first_line) for one in again
        )
        pairs[safeguard] = {names[mine]: copies[other] for mine, other in found.items()}
        of_namesakes = {number for number, one in enumerate(copies) if one.stem in namesakes}
        rivals = (rivals | of_namesakes) - {*found.values()}
        taken = {*found.values(), *rivals, *(one.copy for one in again)}
        competing[safeguard] = tuple(copies[number] for number in sorted(rivals))
        strangers[safeguard] = tuple(one for number, one in enumerate(copies) if number not in taken)
        ambiguous[safeguard] = tuple(name for number, name in enumerate(names) if number in doubtful)
        missing = doubtful | found.keys()
        unpaired[safeguard] = tuple(name for number, name in enumerate(names) if number not in missing)
    return Pairing(by_id, pairs, twice, unpaired, strangers, ambiguous, sources, competing, repeated)


def pair(
    originals: Iterable[Recording],
    protected: Mapping[str, Sequence[Recording]],
    given: GivenPairs | None = None,
) -> Pairing:
    """Pair as `known_sources` says. Raises InputError as it does."""
    recordings = tuple(originals)
    return paired(recordings, protected, known_sources(recordings, protected, given))


def known_sources(
    originals: Iterable[Recording],
    protected: Mapping[str, Sequence[Recording]],
    given: GivenPairs | None = None,
) -> dict[str, PairingSource]:
    """How the copies of each safeguard are paired: by the one of the given ways that pairs most of them, else
    by the one that is beyond doubt.

    Raises InputError where there are ways of which none is, with what a user may give of each.
    """
    recordings = tuple(named(originals)[0].values())
    sources: dict[str, PairingSource] = {}
    for safeguard, copies in protected.items():
        if ways := (given or {}).get(safeguard):
            sources[safeguard] = _most_fitting(safeguard, ways, recordings, copies)
            continue
        found = offers(recordings, copies)
        best = undoubted(found, len(recordings), len(copies))
        if found and best is None:
            known = tuple((str(one.source), one.examples) for one in found[:_MOST_WAYS])
            raise InputError("pairs-ambiguous", safeguard=safeguard, ways=known)
        sources[safeguard] = best.source if best else SAME_NAME
    return sources


def _most_fitting(
    safeguard: str,
    ways: Sequence[PairingSource],
    originals: Sequence[Recording],
    copies: Sequence[Recording],
) -> PairingSource:
    """The way that pairs most. Raises InputError where none pairs any, or two pair as many otherwise."""
    pairs = [match(one, originals, copies)[0] for one in ways]
    best = max(pairs, key=len)
    if not best:
        raise InputError("pairs-nothing", safeguard=safeguard, found=", ".join(map(str, ways)))
    if any(len(other) == len(best) and other != best for other in pairs):
        raise InputError("pairs-tie", safeguard=safeguard, found=", ".join(map(str, ways)))
    return ways[pairs.index(best)]
