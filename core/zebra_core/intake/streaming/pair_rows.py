"""Counts for each pair of speakers in a file of counts: read, and held against the counts of all trials."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.counting import merged, rounded_down
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.speaker_counts import CellCountBuilder, SpeakerCounts
from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.intake.formats.parquet import CountedRows
from zebra_core.intake.matching.auditing import infinities_just_outside
from zebra_core.intake.streaming.records import CountRecord
from zebra_core.intake.streaming.tally import Tally


def pairs_in(rows: Sequence[CountedRows], record: CountRecord, tally: Tally, name: str) -> SpeakerCounts:
    """The pairs of all rows that are of two speakers.

    Raises InputError where they are not of the same trials as the other rows.
    """
    score, target, nontarget, enrolled, heard = _columns(rows)
    of_class = [np.flatnonzero(target), np.flatnonzero(nontarget)]
    at = np.concatenate(of_class)
    label = np.repeat([1, 0], [len(one) for one in of_class])
    times = np.concatenate([target[of_class[0]], nontarget[of_class[1]]])
    codes, number = np.unique(np.concatenate([enrolled[at], heard[at]]), return_inverse=True)
    sides = number[: len(at)], number[len(at) :]
    order = np.lexsort((score[at], label, sides[1], sides[0]))
    distinct = np.unique(score[at])
    if len(codes) != record.speakers or record.unknown > record.speakers or np.isnan(distinct).any():
        raise InputError("counts-of-pairs", file=name)
    building = CellCountBuilder(distinct, len(at))
    pair = sides[0][order], sides[1][order]
    building.add(*pair, label[order], score[at][order], times[order])
    names = tuple(str(code) for code in codes.tolist())
    found = building.made(names, record.unknown, infinities_just_outside(distinct), record.width_by_speakers)
    _refuse_others(found, record.width_by_speakers, tally, name)
    return found


def _columns(rows: Sequence[CountedRows]) -> tuple[FloatArray, IntArray, IntArray, IntArray, IntArray]:
    parts = []
    for one in rows:
        assert one.enrolled is not None  # noqa: S101 - by whoever calls
        assert one.heard is not None  # noqa: S101
        chosen = one.enrolled > 0
        columns = one.score, one.n_target, one.n_nontarget, one.enrolled, one.heard
        parts.append([column[chosen] for column in columns])
    score, target, nontarget, enrolled, heard = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    return score, target, nontarget, enrolled, heard


def _refuse_others(found: SpeakerCounts, width: float, tally: Tally, name: str) -> None:
    """Bin by bin there are as many trials; infinite ones are at the ends."""
    all_of = tally.counter.counted().counts
    score = rounded_down(all_of.score, -round(np.log2(width))) if width else all_of.score
    low, high = (len(found.score) and any(tally.infinite[end]) for end in (-np.inf, np.inf))
    ends = [(found.score[0], tally.infinite[-np.inf])] * bool(low) + [
        (found.score[-1], tally.infinite[np.inf])
    ] * bool(high)
    apart = [ScoreCounts(np.array([at]), *(np.array([of]) for of in both)) for at, both in ends]
    expected = merged([ScoreCounts(score, all_of.n_target, all_of.n_nontarget), *apart])
    given = found.counted.counts
    pairs = (
        (given.score, expected.score),
        (given.n_target, expected.n_target),
        (given.n_nontarget, expected.n_nontarget),
    )
    if not all(np.array_equal(one, other) for one, other in pairs):
        raise InputError("counts-of-pairs", file=name)
