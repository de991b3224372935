"""What targets may share that nontargets do not: what rules look at that hear no voice, trial by trial.

A comparison is decided already where such a rule tells targets from nontargets: then the scores may show the
rule, and not the voice. Whatever belongs to a person alone is no fault of the design, so the part of an id
that names its speaker is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from zebra_core.evidence.trials import FloatArray, Ids, IntArray, Trials

MOST_PARTS = 3
"""Of so many parts of an id each is a rule; of more the first."""
_MARK = re.compile(r"[-_/\\.\s]+")


class Clue(Enum):
    """What a rule looks at; the same on both sides, or close, speaks for one speaker."""

    RECORDING = "recording"
    SESSION = "session"  # a part of the id
    TEXT = "text"
    CHANNEL = "channel"  # sampling rate and number of channels
    LENGTH = "length"
    LEVEL = "level"

    @property
    def is_shared(self) -> bool:
        """Whether both sides have it or have it not; else they are closer or farther."""
        return self not in (Clue.LENGTH, Clue.LEVEL)


@dataclass(frozen=True, eq=False)
class TrivialRule:
    """What a rule says of each trial, (n,): the more, the rather one speaker; NaN where it cannot say."""

    clue: Clue
    value: FloatArray


Members = Mapping[str, Sequence[str]]
"""The recordings that an enrolment is made of; one that is not listed is a recording itself."""


def shared(clue: Clue, trials: Trials, of: Mapping[str, Hashable], members: Members) -> TrivialRule:
    """1 where a recording of the enrolment has the same as the test segment, else 0; by recording."""
    enrol, test = _sides(trials)
    code = {value: number for number, value in enumerate(dict.fromkeys(of.values()))}
    heard = np.array([code[of[name]] if name in of else -1 for name in test.names], dtype=np.int64)
    enrolled = [[code[of[each]] for each in members.get(name, (name,)) if each in of] for name in enrol.names]
    cells = [number * len(code) + value for number, values in enumerate(enrolled) for value in values]
    cell = enrol.codes.astype(np.int64) * len(code) + heard[test.codes]
    value = np.isin(cell, np.array(cells, dtype=np.int64)).astype(np.float64)
    is_known = np.array([bool(values) for values in enrolled])
    value[(heard < 0)[test.codes] | ~is_known[enrol.codes]] = np.nan
    return TrivialRule(clue, value)


def closer(
    clue: Clue, trials: Trials, enrolled: Mapping[str, float], heard: Mapping[str, float], members: Members
) -> TrivialRule:
    """Minus the distance of the test segment from the mean of the enrolment's recordings."""
    enrol, test = _sides(trials)
    found = [
        [enrolled[each] for each in members.get(name, (name,)) if each in enrolled] for name in enrol.names
    ]
    first = np.array([np.mean(values) if values else np.nan for values in found])
    second = np.array([heard.get(name, np.nan) for name in test.names])
    return TrivialRule(clue, -np.abs(first[enrol.codes] - second[test.codes]))


def same_recording(trials: Trials, members: Members) -> TrivialRule:
    """Whether the test segment is itself in the enrolment, by its id."""
    enrol, test = _sides(trials)
    names = [each for name in enrol.names for each in members.get(name, (name,))]
    return shared(Clue.RECORDING, trials, {name: name for name in (*names, *test.names)}, members)


@dataclass(frozen=True)
class IdParts:
    """The parts of ids that may be a session: for each, what every id has there.

    `is_one_session`: each speaker has one value of a further part alone, and nobody else has it: whether it
    is a session, or their name once more, ids do not tell.
    """

    parts: tuple[Mapping[str, str], ...] = ()
    is_one_session: bool = False


def id_parts(speaker: Mapping[str, int]) -> IdParts:
    """The parts of these ids, between hyphens, underscores, slashes, dots and blanks; each with its speaker.

    What is the same in all ids tells nothing, what is the same in all of each speaker is theirs (a name, a
    sex), and the last part numbers the recording. 1272-128104-0000 is left with 128104.
    """
    varying = [column for column in _columns(speaker) if len(set(column.values())) > 1]
    n_speakers, names = len(set(speaker.values())), 0
    sessions: list[Mapping[str, str]] = []
    for column in varying[:-1]:
        n_values = len(set(column.values()))
        if len({(speaker[name], value) for name, value in column.items()}) > n_speakers:
            sessions.append(column)
        elif n_values == n_speakers:
            names += 1
    return IdParts(tuple(sessions[:MOST_PARTS]), names > 1 and not sessions)


def share_more_than_a_speaker(speaker: Mapping[str, int]) -> bool:
    """Whether ids of several recordings of one speaker have a part in common that may be a session."""
    found = id_parts(speaker)
    return found.is_one_session or any(
        len({(speaker[name], value) for name, value in part.items()}) < len(part) for part in found.parts
    )


def speakers_named(trials: Trials) -> Mapping[str, str]:
    """The speaker of each id where a part names them: the first that targets share and nontargets never do.

    Targets that stay within a session do not say that it is one speaker who speaks in several; this does.
    Empty where there is no such part.
    """
    enrol, test = _sides(trials)
    for column in _columns((*enrol.names, *test.names)):
        code = {value: number for number, value in enumerate(dict.fromkeys(column.values()))}
        first, second = (
            np.array([code[column[name]] for name in ids.names])[ids.codes] for ids in (enrol, test)
        )
        if np.array_equal(first == second, trials.is_target):
            return column
    return {}


def _columns(names: Iterable[str]) -> list[dict[str, str]]:
    """What each id has at each place that all of them have."""
    parts = {name: _MARK.split(name) for name in names}
    depth = min(map(len, parts.values()), default=0)
    return [{name: found[at] for name, found in parts.items()} for at in range(depth)]


def speaker_by_id(trials: Trials, enrolled: IntArray, heard: IntArray, members: Members) -> dict[str, int]:
    """The speaker of each recording of the trials, by the codes of both sides, (n,) each."""
    enrol, test = _sides(trials)
    found: dict[str, int] = {}
    for ids, speaker, made_of in ((enrol, enrolled, members), (test, heard, {})):
        codes, first = np.unique(ids.codes, return_index=True)
        for code, at in zip(codes.tolist(), first.tolist(), strict=True):
            name = ids.names[code]
            found |= dict.fromkeys(made_of.get(name, (name,)), int(speaker[at]))
    return found


def _sides(trials: Trials) -> tuple[Ids, Ids]:
    assert trials.enrol is not None  # noqa: S101 - only asked of trials with ids
    assert trials.test is not None  # noqa: S101
    return trials.enrol, trials.test
