"""The usual folders of evaluations: what a score file's folder says about its key, system and condition.

VoicePrivacy 2020 and 2022: `exp/SYSTEM/[results-DATE/]ASV-ENROLS[_anon]-TRIALS[_anon]/scores`; from 2024 on:
`exp/asv_anon_SUFFIX/ENROLS[SUFFIX]-TRIALS[SUFFIX]/scores`; the key is `data/TRIALS/trials` for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.intake.opening import Source

_PREFIX = "ASV-"
_DATED = re.compile(r"results-.*")


@dataclass(frozen=True)
class Place:
    """What the folders of a score file say, given the folder of its key."""

    system: str
    enrolment_is_protected: bool
    test_is_protected: bool

    @property
    def condition(self) -> str | None:
        """OO, OP or PP; None for the enrolment alone protected, which is none of them."""
        code = ("P" if self.enrolment_is_protected else "O") + ("P" if self.test_is_protected else "O")
        return code if code != "PO" else None


def place_of(scores: Source, key: Source) -> Place | None:
    """What the folder of a score file says if it is called after the folder of this key; else None."""
    if len(scores.folders) < 3 or len(key.folders) < 2:
        return None
    *above, folder, _ = scores.folders
    trials = key.folders[-2]
    enrols, dash, tested = folder.removeprefix(_PREFIX).partition("-")
    if not dash or not tested.startswith(trials):
        return None
    suffix = tested[len(trials) :]
    if suffix and suffix[0] not in "_-.":
        return None  # `trials_f` is not the key of `trials_foo`
    enrolment_is_protected = enrols.endswith(suffix) if suffix else enrols.endswith("_anon")
    named = [part for part in above if not _DATED.fullmatch(part)]
    return Place(named[-1] if named else folder, enrolment_is_protected, bool(suffix))


def keys_by_layout(scores: Source, keys: Iterable[Source]) -> list[Source]:
    """The keys whose folder the folder of the scores is called after, the longest names only."""
    fitting = [key for key in keys if place_of(scores, key)]
    longest = max((len(key.folders[-2]) for key in fitting), default=0)
    return [key for key in fitting if len(key.folders[-2]) == longest]


def nearest(source: Source, others: Iterable[Source]) -> list[Source]:
    """Those of the others that share the most leading folders with a file."""
    distances = [(_shared(source, other), other) for other in others]
    most = max((shared for shared, _ in distances), default=0)
    return [other for shared, other in distances if shared == most]


def _shared(left: Source, right: Source) -> int:
    count = 0
    for a, b in zip(left.folders[:-1], right.folders[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count
