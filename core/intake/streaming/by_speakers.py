"""Trials in an engine counted for each pair of speakers: what intervals and exchanges of speakers need."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ibis
import numpy as np

from zebra_core.engine import questions
from zebra_core.engine.embedded import Embedded
from zebra_core.errors import InputError
from zebra_core.evidence.counting import finest_that_fits, rounded_down
from zebra_core.evidence.same_speaker import speakers_of
from zebra_core.evidence.speaker_counts import BYTES, Building, SpeakerCounts
from zebra_core.evidence.trials import Ids, IntArray
from zebra_core.intake.matching.auditing import infinities_just_outside
from zebra_core.intake.streaming.tally import Tally
from zebra_core.runtime import memory

BINS = 1 << 14
"""Of more distinct scores bins are made, as fine as so many allow, or fewer where memory is short."""
_FEWEST_BINS = 1 << 6
_SHARE = 4  # of the memory that is free: the table by class, and arrays on the way, take as much again
_ROWS_AT_ONCE = 1 << 22


def count_by_speakers(
    engine: Embedded, trials: Any, names: Any, tally: Tally, speaker_of: Mapping[str, str] | None
) -> SpeakerCounts:
    """Count the trials of `questions`, whose scores were tallied, by their speakers.

    `names` has the ids behind their codes. Raises InputError where memory does not suffice for coarse bins.
    """
    speakers, n_unknown = _keep_speakers(engine, trials, names, speaker_of or {})
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
            facts = {"needed": f"{needed:.1f}", "free": f"{memory.free_bytes() / 1e9:.1f}"}
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
    building = Building(rounded, count)
    for rows in engine.pieces("cells_in_order", ordered, _ROWS_AT_ONCE):
        building.add(*(rows[column] for column in questions.CELLS))
    engine.forget("cells_in_order")
    width = 0.0 if exponent is None else float(np.ldexp(1.0, -exponent))
    return building.made(speakers, n_unknown, infinities_just_outside(rounded), width)


def _rows(engine: Embedded, name: str) -> int:
    return engine.one(questions.how_many(ibis.table(questions.CELLS, name=name)))["count"]


def _keep_speakers(
    engine: Embedded, trials: Any, names: Any, said: Mapping[str, str]
) -> tuple[tuple[str, ...], int]:
    """Put the speaker of each id into the table `speaker_of`; an id of each, and how many nobody knows."""
    of_target = engine.fetch(questions.targets(trials))
    codes, known = list[IntArray](), list[tuple[str, ...]]()
    for side in questions.PAIR:
        found = engine.fetch(questions.names_of_side(trials, side, names))
        codes.append(found["code"])
        known.append(tuple(found["name"].tolist()))
    sides = [_places(code, of_target[side]) for code, side in zip(codes, questions.PAIR, strict=True)]
    people = People.of((known[0], known[1]), (sides[0], sides[1]), said)
    code, first = np.unique(np.concatenate(codes), return_index=True)
    engine.new("speaker_of", {"name": "int64", "speaker": "int64"})
    given = {"name": code, "speaker": people.speaker[first]}
    engine.add("speaker_of", "SELECT name, speaker FROM given", given=given)
    return people.names, people.n_unknown


def _places(codes: IntArray, wanted: IntArray) -> IntArray:
    """Where each of these stands among distinct codes in any order."""
    order = np.argsort(codes)
    return np.asarray(order[np.searchsorted(codes, wanted, sorter=order)])


@dataclass(frozen=True, eq=False)
class People:
    """Who speaks in which id: `speaker` has a number for each id of the one side, then of the other.

    `names` has an id for each speaker, the least; `n_unknown` are test segments whose speaker nobody knows.
    """

    speaker: IntArray
    names: tuple[str, ...]
    n_unknown: int

    @classmethod
    def of(
        cls,
        ids: tuple[tuple[str, ...], tuple[str, ...]],
        targets: tuple[IntArray, IntArray],
        said: Mapping[str, str],
    ) -> People:
        """By the distinct ids of both sides, the places of those that target trials compare, and a map."""
        n_target, n_enrol, n_test = len(targets[0]), len(ids[0]), len(ids[1])
        # Each id of either side once, beside those of the target trials.
        nobody = np.zeros(max(n_enrol, n_test), np.int64)
        enrol = np.concatenate([targets[0], np.arange(n_enrol), nobody[:n_test]]).astype(np.int32)
        test = np.concatenate([targets[1], nobody[:n_enrol], np.arange(n_test)]).astype(np.int32)
        is_target = np.arange(len(enrol)) < n_target
        of_enrol, of_test = speakers_of(Ids(enrol, ids[0]), Ids(test, ids[1]), is_target, said)
        speaker = np.concatenate([of_enrol[n_target : n_target + n_enrol], of_test[n_target + n_enrol :]])
        least: dict[int, str] = {}
        for one, name in zip(speaker.tolist(), (*ids[0], *ids[1]), strict=True):
            least[one] = min(name, least.get(one, name))
        heard_as_target = {ids[1][place] for place in np.unique(targets[1]).tolist()}
        unknown = set(ids[1]) - heard_as_target - set(ids[0]) - said.keys()
        return cls(speaker, tuple(least[number] for number in range(len(least))), len(unknown))
