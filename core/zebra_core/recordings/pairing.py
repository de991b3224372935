"""Original recordings and their protected copies, paired by their names; what has no partner is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from zebra_core.recordings.folder import Recording, named


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

    @property
    def complete(self) -> tuple[str, ...]:
        """Ids of the originals with a copy of every safeguard, in order: these are compared."""
        return tuple(
            sorted(name for name in self.originals if all(name in of for of in self.protected.values()))
        )

    def versions(self, name: str) -> list[Recording]:
        """A recording that is complete, and its protected copies."""
        return [self.originals[name], *(of[name] for of in self.protected.values())]


def paired(originals: Iterable[Recording], protected: Mapping[str, Iterable[Recording]]) -> Pairing:
    """Pair by place below the folder, without endings; else by the name of the file, where it is unique."""
    by_id, twice = named(originals)
    of_each = {name: _Copies(recordings) for name, recordings in protected.items()}
    stems: dict[str, list[str]] = defaultdict(list)
    for name, recording in by_id.items():
        stems[recording.stem].append(name)
    pairs: dict[str, dict[str, Recording]] = {}
    ambiguous: dict[str, tuple[str, ...]] = {}
    for safeguard, copies in of_each.items():
        found = {name: copies.of(one, only=len(stems[one.stem]) == 1) for name, one in by_id.items()}
        pairs[safeguard] = {name: hits[0] for name, hits in found.items() if len(hits) == 1}
        ambiguous[safeguard] = tuple(name for name, hits in found.items() if len(hits) > 1)
    taken = {safeguard: {one.path for one in of.values()} for safeguard, of in pairs.items()}
    return Pairing(
        by_id,
        pairs,
        twice,
        {s: tuple(n for n in by_id if n not in pairs[s] and n not in ambiguous[s]) for s in pairs},
        {s: tuple(one for one in of_each[s].recordings if one.path not in taken[s]) for s in pairs},
        ambiguous,
    )


class _Copies:
    """The recordings of a safeguard, by place and by name."""

    def __init__(self, recordings: Iterable[Recording]) -> None:
        self.recordings = tuple(recordings)
        self._by_place: dict[str, list[Recording]] = defaultdict(list)
        self._by_stem: dict[str, list[Recording]] = defaultdict(list)
        for one in self.recordings:
            self._by_place[one.place_without_ending].append(one)
            self._by_stem[one.stem].append(one)

    def of(self, original: Recording, *, only: bool) -> list[Recording]:
        """Copies that may be those of an original; `only` says whether no other original is called so."""
        at_its_place = self._by_place.get(original.place_without_ending, [])
        by_name = self._by_stem.get(original.stem, [])
        if at_its_place or only:
            return at_its_place or by_name
        return [*by_name, *by_name]  # whose they are nobody knows
