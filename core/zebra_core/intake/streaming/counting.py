"""From files that are read piece by piece to the counts of their trials, with the audit of all that was seen.

The same as `auditing` makes of tables in memory, and the same findings; where there are ids to be matched, a
database engine does it (see `joined`).

Counts for each pair of speakers in a file of counts: read, and held against the counts of all trials.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from enum import Enum

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Audit, Decision, Severity
from zebra_core.evidence.counting import BinnedCounts, ScoreCounter, merged, rounded_down
from zebra_core.evidence.speaker_trials import CellCountBuilder, SpeakerCounts
from zebra_core.evidence.trials import CountedTrials, FloatArray, IntArray, ScoreCounts
from zebra_core.intake.formats import parquet
from zebra_core.intake.formats.parquet import CountedRows
from zebra_core.intake.matching import findings
from zebra_core.intake.matching.auditing import decimals_of, infinities_just_outside
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.planned import FoundFile, PlannedAssessment, read_found
from zebra_core.intake.streaming.pieces import ParquetPieces, Pieces, TextPieces
from zebra_core.intake.streaming.records import CountRecord
from zebra_core.intake.streaming.tally import Tally
from zebra_core.intake.tables.table import SpeakerMap
from zebra_core.runtime.progress import Progress, no_progress, part_of

STREAMED = "streamed"
"""The code of the finding that trials were only counted."""
COUNTED_ELSEWHERE = "counted-elsewhere"
"""The code of the finding that somebody else counted them."""
PACKED = (".gz", ".bz2", ".xz")
_UNPACKED = 4  # so many times its size a compressed file has as text, about


class CountingDepth(Enum):
    """How much is asked of trials; each takes all that the one before takes."""

    COUNTS = "counts"  # for each distinct score
    PAIRS = "pairs"  # for each pair of speakers, too
    RANKS = "ranks"  # of each recording among all who are enrolled, too


def count_planned(
    planned: PlannedAssessment, allow: Iterable[Decision] = (), on_progress: Progress = no_progress
) -> tuple[CountedTrials | None, Audit]:
    """Read, match, audit and count; None, with the errors in the audit, where that fails.

    Raises InputError for what keeps a file from being read. `on_progress` may raise Cancelled.
    """
    counted, audit, _ = _count(planned, allow, on_progress, CountingDepth.COUNTS)
    return counted, audit


def count_planned_by_speakers(
    planned: PlannedAssessment,
    allow: Iterable[Decision] = (),
    on_progress: Progress = no_progress,
    *,
    with_ranks: bool = False,
) -> tuple[CountedTrials, SpeakerCounts]:
    """Count as `count_planned` does, and each pair of speakers, too; `with_ranks` also ranks recordings.

    Raises InputError, also where the audit fails, and where nobody knows who was compared with whom.
    """
    wanted = CountingDepth.RANKS if with_ranks else CountingDepth.PAIRS
    counted, audit, by_speakers = _count(planned, allow, on_progress, wanted)
    audit.refuse_errors()
    assert counted is not None  # noqa: S101 - an audit without errors comes with counts
    if by_speakers is None:
        raise InputError("counts-alone", file=planned.scores.source.name)
    return counted, by_speakers


def _count(
    planned: PlannedAssessment, allow: Iterable[Decision], on_progress: Progress, wanted: CountingDepth
) -> tuple[CountedTrials | None, Audit, SpeakerCounts | None]:
    log = findings.Log(frozenset(allow), {"n_scores": 0, "n_key": 0, "set_aside": 0})
    scores = _pieces_of(planned.scores)
    others = [_pieces_of(file) for file in (planned.key, planned.nontarget) if file]
    tally, width = Tally(), 0.0
    found: SpeakerCounts | None = None
    if planned.scores.reading.format == parquet.COUNTS.format:
        width, found = _count_counts(planned.scores, scores, tally, log, on_progress, wanted)
    elif planned.nontarget:
        _count_lists((scores, *others), tally, log, on_progress)
    elif planned.key and not (scores.has_ids or others[0].has_ids):
        _count_side_by_side(scores, others[0], tally, log, on_progress)
    elif not planned.key and not scores.has_ids:
        _count_labelled(scores, tally, log, on_progress)
    else:
        key = others[0] if planned.key else None
        found = _count_matched(planned, scores, key, tally, log, on_progress, wanted)
    findings.distance(log, scores, planned.scores.reading.distance, (Decision.LOWER_IS_MORE_ALIKE,))
    labels = others[-1] if planned.key else scores
    counted = _looked_at(scores, labels, tally, width, log, labels_are_beside=not others)
    is_ratio = counted is not None and bool(planned.scores.reading.ratio) and counted.counts.score[0] >= 0.0
    if is_ratio or Decision.LIKELIHOOD_RATIOS in log.allow:
        raise InputError("ratios-in-pieces", file=planned.scores.source.name)
    files = tuple(pieces.record() for pieces in (scores, *others))
    log.findings += [finding for pieces in (scores, *others) for finding in pieces.findings]
    if planned.speakers:
        speakers = read_found(planned.speakers)
        files += speakers.records()
        log.findings += speakers.findings()
    if counted is None or log.has_errors:
        return None, log.audit(files), None
    log.find(STREAMED, Severity.NOTE, None, (), count=tally.total)
    audit = log.audit(files)
    remarks = tuple(finding.as_remark() for finding in audit.findings)
    on_progress(1.0)
    if found and log.decided(Decision.LOWER_IS_MORE_ALIKE):
        found = found.turned_round()
    return CountedTrials(counted.counts, counted.width, files, remarks, audit), audit, found


def _pieces_of(file: FoundFile) -> Pieces:
    return ParquetPieces(file) if file.dialect is None else TextPieces(file)


def size_on_disk(size: int, *, is_packed: bool) -> int:
    """How many bytes an engine may take on disk for a file of this size, about."""
    return size * _UNPACKED if is_packed else size


def _as_text(file: FoundFile) -> int:
    return size_on_disk(file.size, is_packed=file.dialect is None or file.source.path.suffix in PACKED)


# --- without ids -------------------------------------------------------------------------------------------


def _count_counts(
    file: FoundFile,
    scores: Pieces,
    tally: Tally,
    log: findings.Log,
    on_progress: Progress,
    wanted: CountingDepth,
) -> tuple[float, SpeakerCounts | None]:
    """Counts that somebody else made, and those for each pair of speakers where they are there and wanted.

    With the width of the bins of the first, 0 where they are exact.
    """
    opened = OpenedFile(file.source, b"", file.size, "", is_beginning=True)
    pairs: list[parquet.CountedRows] = []
    words: dict[str, int] = {}
    for first, rows in parquet.counts(opened, on_progress):
        tally.add_rows(rows.of_all, first)
        words = {**rows.label_words} | words
        if wanted is not CountingDepth.COUNTS and rows.enrolled is not None:
            pairs.append(rows)
    scores.end(no_progress)
    findings.mixed_labels(log, scores, words, scores.examples)
    log.counts["n_scores"] = tally.total
    if not (said := parquet.record_of(opened)):
        return 0.0, None
    record = CountRecord.of(said, file.source.name)
    of_audit = ("n_scores", "n_key", "agreeing_repeats", "scores_without_key", "key_without_score")
    log.counts |= {name: getattr(record, name) for name in (*of_audit, "enrolments", "tests")}
    log.find(COUNTED_ELSEWHERE, Severity.NOTE, scores, (), **asdict(record) | {"key_file": record.key})
    if record.self_comparisons:
        log.find("self-counted", Severity.WARNING, scores, (), count=record.self_comparisons)
    if not record.speakers:
        return record.width, None
    log.counts["speakers"] = record.speakers - record.unknown
    log.find("counted-by-speakers", Severity.NOTE, scores, (), count=record.speakers - record.unknown)
    found = pairs_in(pairs, record, tally, file.source.name) if pairs else None
    return record.width, found


def _count_lists(lists: Sequence[Pieces], tally: Tally, log: findings.Log, on_progress: Progress) -> None:
    """Scores of targets, then of nontargets."""
    for number, pieces in enumerate(lists):
        part = part_of(on_progress, number / len(lists), (number + 1) / len(lists))
        for first, table in pieces.tables(part):
            assert table.score is not None  # noqa: S101 - by its role
            row = first + np.arange(len(table))
            tally.add(
                table.score, np.full(len(table), not number, np.bool_), log.counts["n_scores"] + row, row
            )
        log.counts["n_scores"] += pieces.record().rows


def _count_side_by_side(
    scores: Pieces, key: Pieces, tally: Tally, log: findings.Log, on_progress: Progress
) -> None:
    """Scores and labels, one a line each."""
    said: list[np.ndarray] = [np.empty(0, np.bool_)]
    words: dict[str, int] = {}
    for first, table in key.tables(part_of(on_progress, 0.0, 0.4)):
        assert table.is_target is not None  # noqa: S101 - by its role
        said.append(table.is_target)
        log.counts["set_aside"] += table.set_aside
        words = {word: first + row for word, row in table.label_words.items()} | words
    is_target = np.concatenate(said)
    findings.mixed_labels(log, key, words, key.examples)
    for first, table in scores.tables(part_of(on_progress, 0.4, 1.0)):
        assert table.score is not None  # noqa: S101 - by its role
        some = is_target[first : first + len(table)]
        row = first + np.arange(len(some))
        tally.add(table.score[: len(some)], some, row, row)
        log.counts["n_scores"] += len(table)
    log.counts["n_key"] = len(is_target)
    findings.side_by_side(log, scores, key, log.counts["n_scores"], len(is_target))


def _count_labelled(scores: Pieces, tally: Tally, log: findings.Log, on_progress: Progress) -> None:
    """Scores with labels, and nothing that could be matched."""
    set_aside = 0
    words: dict[str, int] = {}
    for first, table in scores.tables(on_progress):
        assert table.score is not None  # noqa: S101 - by its role
        assert table.is_target is not None  # noqa: S101 - by its role
        row = first + (np.arange(len(table)) if table.row is None else table.row)
        tally.add(table.score, table.is_target, row, row)
        log.counts["n_scores"] += len(table)
        set_aside += table.set_aside
        words = {word: first + at for word, at in table.label_words.items()} | words
    if set_aside:
        log.counts["set_aside"] += set_aside
        log.find("set-aside", Severity.NOTE, scores, (), count=set_aside)
    findings.mixed_labels(log, scores, words, scores.examples)


# --- with ids ----------------------------------------------------------------------------------------------


def _count_matched(
    planned: PlannedAssessment,
    scores: Pieces,
    key: Pieces | None,
    tally: Tally,
    log: findings.Log,
    on_progress: Progress,
    wanted: CountingDepth,
) -> SpeakerCounts | None:
    from zebra_core.engine.embedded import embedded
    from zebra_core.intake.streaming.matching import MatchedTrials

    speakers = read_found(planned.speakers) if planned.speakers else None
    of = speakers.of if isinstance(speakers, SpeakerMap) and not speakers.is_gender else planned.rule
    with embedded(sum(_as_text(file) for file in planned.files), on_progress) as engine:
        joined = MatchedTrials(engine, scores, key, log, tally, of)
        joined.run(on_progress)
        if wanted is CountingDepth.COUNTS or log.has_errors:
            return None
        return joined.by_speakers(with_ranks=wanted is CountingDepth.RANKS)


# --- scores and classes ------------------------------------------------------------------------------------


def _looked_at(
    scores: Pieces, labels: Pieces, tally: Tally, width: float, log: findings.Log, *, labels_are_beside: bool
) -> BinnedCounts | None:
    """The counts of all trials, looked at as scores in memory are; None where there can be no figures."""
    counted = tally.counter.counted()
    counted = BinnedCounts(counted.counts, max(width, counted.width))
    if tally.infinities.count or tally.nans.count:
        log.counts.update(nan_scores=tally.nans.count, infinite_scores=tally.infinities.count)
    if tally.infinities.count:
        few = tally.infinities
        findings.not_finite(log, scores, few.along, few.count, is_nan=False)
        counted = BinnedCounts(_with_infinities(counted.counts, tally), counted.width)
    if tally.nans.count:
        findings.not_finite(log, scores, tally.nans.along, tally.nans.count, is_nan=True)
    counts = counted.counts
    if not any(finding.code == "nothing-shared" for finding in log.findings):
        findings.classes(log, labels, counts.total_target, counts.total_nontarget)
    if log.has_errors:
        return None
    if log.decided(Decision.LOWER_IS_MORE_ALIKE):
        log.find("lower-is-more-alike", Severity.WARNING, None, ())
        # The lower edge of a bin turned round is the upper one.
        score = -counts.score[::-1] - counted.width
        counts = ScoreCounts(score, counts.n_target[::-1].copy(), counts.n_nontarget[::-1].copy())
        counted = BinnedCounts(counts, counted.width)
    n_trials = counts.n_target + counts.n_nontarget
    tied = int(n_trials[n_trials > 1].sum()) / int(n_trials.sum())
    target, nontarget = (_median(counts.score, of) for of in (counts.n_target, counts.n_nontarget))
    decimals = None if counted.width else decimals_of(counts.score)
    log.counts.update(tied_share=tied, decimals=decimals, median_target=target, median_nontarget=nontarget)
    if Decision.STAND_IN_SCORES in log.allow:
        log.find("stand-ins-counted", Severity.ERROR, scores, ())

    def trials_at(value: float) -> tuple[int, IntArray]:
        return int(counts.n_target[np.searchsorted(counts.score, value)]), np.empty(0, np.int64)

    findings.scores_look(log, scores, counts.score, n_trials, trials_at, (target, nontarget), offer=False)
    if labels_are_beside:
        both = (counts.score[of > 0] for of in (counts.n_target, counts.n_nontarget))
        findings.apart(log, scores, *((float(some[0]), float(some[-1])) for some in both))
    return counted


def _with_infinities(counts: ScoreCounts, tally: Tally) -> ScoreCounts:
    """The counts with the tally's infinite scores just outside the finite ones."""
    ends = counts.score[[0, -1]] if len(counts.score) else np.empty(0)
    *_, low, high = infinities_just_outside(np.concatenate([ends, [-np.inf, np.inf]]))
    apart = np.array([tally.infinite[-np.inf], tally.infinite[np.inf]], np.int64)
    counter = ScoreCounter(len(counts.score) + 2, len(counts.score) + 2)
    counter.add_counts(counts)
    counter.add_counts(ScoreCounts(np.array([low, high]), apart[:, 0], apart[:, 1]))
    return counter.counted().counts


def _median(score: FloatArray, counts: IntArray) -> float:
    """The median of scores that occur so often; halves are added, so that huge ones do not overflow."""
    total = int(counts.sum())
    ends = np.cumsum(counts)
    low, high = (float(score[np.searchsorted(ends, k, side="right")]) for k in ((total - 1) // 2, total // 2))
    return low if total % 2 else 0.5 * low + 0.5 * high


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
