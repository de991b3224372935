"""What hashes and lengths say against copies: that they do not protect, or are those of other originals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Version = tuple[str, float]
"""The SHA-256 of a file of sound, and how long it lasts in seconds."""
_ENOUGH_LENGTHS, _DIFFERENT_LENGTHS = 8, 1.2  # recordings; the longest to the shortest
_ALIKE_LENGTHS = 0.5  # the rank correlation of lengths from which on they are said to agree


def doubts(
    originals: Mapping[str, Version], protected: Mapping[str, Mapping[str, Version]]
) -> Iterator[tuple[str, str, list[str]]]:
    """What is to be told (a code of texts), of which safeguard, and of which recordings.

    Both arguments are by id, and copies by safeguard first; each original has a copy under every safeguard.
    """
    of_original = {sha256: name for name, (sha256, _) in originals.items()}
    of_copy: dict[str, set[str]] = defaultdict(set)
    for of in protected.values():
        for name, (sha256, _) in of.items():
            of_copy[sha256].add(name)
    for safeguard, of in protected.items():
        hashes = {name: sha256 for name, (sha256, _) in of.items()}
        found = {
            "not-protected": [name for name, one in hashes.items() if one == originals[name][0]],
            "others-original": [
                name
                for name, one in hashes.items()
                if one != originals[name][0] and of_original.get(one, name) != name
            ],
            "same-copies": [name for name, one in hashes.items() if len(of_copy[one]) > 1],
        }
        yield from ((code, safeguard, names) for code, names in found.items() if names)
        lengths = [(originals[name][1], seconds) for name, (_, seconds) in of.items()]
        if _are_unlike(*zip(*lengths, strict=True)) if lengths else False:
            yield "lengths-unlike", safeguard, [*of]


def _are_unlike(originals: Sequence[float], copies: Sequence[float]) -> bool:
    """Whether copies are not as long or as short as their originals: the pairs may be wrong.

    Of copies dealt out at random among 8 originals that are all of different lengths, one case in nine passes
    unseen; among 20, one in eighty; more where many are equally long.
    """
    if len(originals) < _ENOUGH_LENGTHS or max(originals) < _DIFFERENT_LENGTHS * min(originals):
        return False
    if min(copies) == max(copies):
        return True
    return bool(np.corrcoef(_ranks(originals), _ranks(copies))[0, 1] < _ALIKE_LENGTHS)


def _ranks(lengths: Sequence[float]) -> NDArray[np.float64]:
    """Ranks, the mean of theirs for equal lengths."""
    _values, which, count = np.unique(lengths, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[which]
