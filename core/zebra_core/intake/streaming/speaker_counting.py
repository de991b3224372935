"""Trials in an engine counted for each pair of speakers: what intervals and exchanges of speakers need."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ibis
import numpy as np

from zebra_core.engine import questions
from zebra_core.engine.embedded import EmbeddedEngine
from zebra_core.errors import InputError
from zebra_core.evidence.counting import finest_that_fits, rounded_down
from zebra_core.evidence.speaker_names import SpeakerRule, Speakers
from zebra_core.evidence.speaker_trials import (
    BYTES,
    CellCountBuilder,
    RankedTests,
    SpeakerCounts,
    TargetTrials,
    speakers_of,
)
from zebra_core.evidence.trials import FloatArray, Ids, IntArray
from zebra_core.intake.matching.auditing import infinities_just_outside
from zebra_core.intake.streaming.tally import Tally
from zebra_core.runtime import memory
from zebra_core.wording.texts import written

BINS = 1 << 14
"""More distinct scores are put into bins, as fine as so many allow, or fewer where memory is short."""
_FEWEST_BINS = 1 << 6
_SHARE = 4  # of the memory that is free: the table by class, and arrays on the way, take as much again
_ROWS_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class WantedRanks:
    """A request to rank recordings, too; it says whether lower scores mean more alike."""

    lower_is_more_alike: bool = False


def count_by_speakers(
    engine: EmbeddedEngine,
    trials: Any,
    names: Any,
    tally: Tally,
    speaker_of: Speakers | None,
    ranks: WantedRanks | None = None,
) -> SpeakerCounts:
    """Count the trials of `questions`, whose scores were tallied, by their speakers.

    `names` has the ids behind their codes. Raises InputError where memory does not suffice for coarse bins.
    """
    people, codes = _keep_speakers(engine, trials, names, speaker_of or {})
    ranked = _ranked(engine, trials, people, ranks) if ranks else None
    table = ibis.table({"name": "int64", "speaker": "int64"}, name="speaker_of")
    counted, bins, name = tally.counter.counted(), BINS, "cells"
    score = counted.counts.score
    exponent = -round(math.log2(counted.width)) if counted.width else None
    if len(score) > bins:
        exponent = finest_that_fits(score, bins)
    cells = engine.keep(name, questions.counts_by_speakers(trials, table, exponent))
    while BYTES * (count := _rows(engine, name)) > memory.free_bytes() // _SHARE:
        bins //= 4
        if bins < _FEWEST_BINS:
            needed = BYTES * _SHARE * count / 1e9
            facts = {"needed": written(needed, ".1f"), "free": written(memory.free_bytes() / 1e9, ".1f")}
            raise InputError("speaker-counts-memory", **facts)
        if len(score) > bins:
            exponent = finest_that_fits(score, bins)
            coarser = engine.keep(f"{name}_again", questions.coarser_by_speakers(cells, exponent))
            engine.forget(name)
            cells, name = coarser, f"{name}_again"
    ordered = engine.keep("cells_in_order", cells.order_by("enrolled", "heard", "label", "score"))
    engine.forget(name)
    rounded = score if exponent is None else np.unique(rounded_down(score, exponent))
    low, high = ([end] if any(tally.infinite[end]) else [] for end in (-np.inf, np.inf))
    rounded = np.concatenate([low, rounded, high])
    building = CellCountBuilder(rounded, count)
    for rows in engine.pieces("cells_in_order", ordered, _ROWS_AT_ONCE):
        building.add(*(rows[column] for column in questions.CELLS))
    engine.forget("cells_in_order")
    width = 0.0 if exponent is None else float(np.ldexp(1.0, -exponent))
    targets = _target_trials(engine, trials, (codes, people.speaker), rounded, exponent)
    finite = infinities_just_outside(rounded)
    return building.made(people.names, people.n_unknown, finite, width, targets, ranked)


def _ranked(engine: EmbeddedEngine, trials: Any, people: SpeakerCodes, wanted: WantedRanks) -> RankedTests:
    """Every recording of an enrolled speaker against all who are enrolled."""
    table = ibis.table({"name": "int64", "speaker": "int64"}, name="speaker_of")
    of_enrol, of_test = np.split(people.speaker, [people.n_enrol])
    enrolled = np.unique(of_enrol)
    is_single = len(enrolled) == len(of_enrol)
    asked = questions.best_by_speaker(
        trials, table, enrolled_once=is_single, lower_is_more_alike=wanted.lower_is_more_alike
    )
    found = engine.fetch(questions.ranks(engine.keep("best", asked)))
    engine.forget("best")
    return RankedTests(
        speaker=found["heard"],
        n_higher=found["above"],
        n_tied=found["tied"],
        n_compared=found["candidates"],
        n_enrolled=len(enrolled),
        n_listed=int(np.count_nonzero(np.isin(of_test, enrolled))),
        n_tests=len(of_test),
        is_single=is_single,
    )


def _target_trials(
    engine: EmbeddedEngine,
    trials: Any,
    speaker_of: tuple[IntArray, IntArray],
    score: FloatArray,
    exponent: int | None,
) -> TargetTrials:
    """The target trials one by one; `speaker_of` has codes of ids and the speaker of each."""
    kept = engine.keep("target_trials", questions.target_trials(trials))
    found = list(engine.pieces("target_trials", kept, _ROWS_AT_ONCE))
    engine.forget("target_trials")
    test, of = (np.concatenate([rows[name] for rows in found]) for name in (questions.TEST, questions.SCORE))
    codes, first = np.unique(speaker_of[0], return_index=True)
    segments, segment = np.unique(test, return_inverse=True)
    speaker = speaker_of[1][first][np.searchsorted(codes, segments)]
    is_finite = np.isfinite(of)
    if exponent is not None:
        of[is_finite] = rounded_down(of[is_finite], exponent)
    return TargetTrials(segment, speaker[segment], np.searchsorted(score, of))


def _rows(engine: EmbeddedEngine, name: str) -> int:
    return engine.one(questions.how_many(ibis.table(questions.CELLS, name=name)))["count"]


def _keep_speakers(
    engine: EmbeddedEngine, trials: Any, names: Any, said: Speakers
) -> tuple[SpeakerCodes, IntArray]:
    """Put the speaker of each id into the table `speaker_of`; who they are, and the codes of their ids."""
    of_target = engine.fetch(questions.targets(trials))
    codes, known = list[IntArray](), list[tuple[str, ...]]()
    for side in questions.PAIR:
        found = engine.fetch(questions.names_of_side(trials, side, names))
        codes.append(found["code"])
        known.append(tuple(found["name"].tolist()))
    sides = [_places(code, of_target[side]) for code, side in zip(codes, questions.PAIR, strict=True)]
    if isinstance(said, SpeakerRule):
        said = {name: said.speaker_of(name) for side in known for name in side}
    people = SpeakerCodes.of((known[0], known[1]), (sides[0], sides[1]), said)
    code, first = np.unique(np.concatenate(codes), return_index=True)
    engine.new("speaker_of", {"name": "int64", "speaker": "int64"})
    given = {"name": code, "speaker": people.speaker[first]}
    engine.add("speaker_of", "SELECT name, speaker FROM given", given=given)
    return people, np.concatenate(codes)


def _places(codes: IntArray, wanted: IntArray) -> IntArray:
    """Where each of these stands among distinct codes in any order."""
    order = np.argsort(codes)
    return np.asarray(order[np.searchsorted(codes, wanted, sorter=order)])


@dataclass(frozen=True, eq=False)
class SpeakerCodes:
    """Who speaks in which id: `speaker` has a number for each id of the one side, then of the other.

    `names` has a name for each speaker, the least that a map gives to enrolments, or their ids; test segments
    name who is not enrolled. `n_unknown` are test segments whose speaker nobody knows.
    """

    speaker: IntArray
    names: tuple[str, ...]
    n_unknown: int
    n_enrol: int  # how many ids the first side has

    @classmethod
    def of(
        cls,
        ids: tuple[tuple[str, ...], tuple[str, ...]],
        targets: tuple[IntArray, IntArray],
        said: Mapping[str, str],
    ) -> SpeakerCodes:
        """The speakers of the ids of both sides, from a map and from the places of ids in target trials."""
        n_target, n_enrol, n_test = len(targets[0]), len(ids[0]), len(ids[1])
        # Each id of either side once, beside those of the target trials.
        nobody = np.zeros(max(n_enrol, n_test), np.int64)
        enrol = np.concatenate([targets[0], np.arange(n_enrol), nobody[:n_test]]).astype(np.int32)
        test = np.concatenate([targets[1], nobody[:n_enrol], np.arange(n_test)]).astype(np.int32)
        is_target = np.arange(len(enrol)) < n_target
        of_enrol, of_test = speakers_of(Ids(enrol, ids[0]), Ids(test, ids[1]), is_target, said)
        speaker = np.concatenate([of_enrol[n_target : n_target + n_enrol], of_test[n_target + n_enrol :]])
        least: dict[int, str] = {}
        for side, numbers in zip(ids, np.split(speaker, [n_enrol]), strict=True):
            of_side: dict[int, str] = {}
            for one, name in zip(numbers.tolist(), side, strict=True):
                called = said.get(name, name)
                of_side[one] = min(called, of_side.get(one, called))
            least = of_side | least
        heard_as_target = {ids[1][place] for place in np.unique(targets[1]).tolist()}
        unknown = set(ids[1]) - heard_as_target - set(ids[0]) - said.keys()
        return cls(speaker, tuple(least[number] for number in range(len(least))), len(unknown), n_enrol)
