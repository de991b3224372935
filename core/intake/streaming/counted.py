"""From files that are read piece by piece to the counts of their trials, with the audit of all that was seen.

The same as `auditing` makes of tables in memory, and the same findings: both files are read once and their
trials spread over files on disk by their pair of ids; what lies in one of these is matched in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import MOST_EXAMPLES, Audit
from zebra_core.evidence.counting import Counted, ScoreCounter
from zebra_core.evidence.counts import CountedTrials, ScoreCounts
from zebra_core.evidence.decisions import ID_MAPPINGS, Decision
from zebra_core.evidence.remarks import Severity
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray
from zebra_core.intake.contents import read_found
from zebra_core.intake.formats import parquet
from zebra_core.intake.matching import findings
from zebra_core.intake.matching.auditing import decimals_of, infinities_just_outside
from zebra_core.intake.matching.findings import Log
from zebra_core.intake.opening.opening import OpenedFile
from zebra_core.intake.planned import FoundFile, PlannedAssessment
from zebra_core.intake.streaming import spilling
from zebra_core.intake.streaming.pieces import ParquetPieces, Pieces, TextPieces
from zebra_core.intake.streaming.spilling import PairArray, Rows, Spill
from zebra_core.intake.tables.table import SpeakerMap, Table
from zebra_core.metrics.rounding import rounding_facts
from zebra_core.runtime.progress import Progress, no_progress, part_of

STREAMED = "streamed"
"""The code of the finding that trials were only counted."""
MOST_IDS = 20_000_000
_UNPACKED = 4  # so many times its size a compressed file has as text, about


def count_planned(
    planned: PlannedAssessment, allow: Iterable[Decision] = (), on_progress: Progress = no_progress
) -> tuple[CountedTrials | None, Audit]:
    """Read, match, audit and count; None, with the errors in the audit, where that fails.

    Raises InputError for what keeps a file from being read. `on_progress` may raise Cancelled.
    """
    log = Log(frozenset(allow), {"n_scores": 0, "n_key": 0, "set_aside": 0})
    if any(decision in log.allow for decision in ID_MAPPINGS):
        raise InputError("counted-by-their-ids", file=planned.scores.source.name)
    scores = _pieces_of(planned.scores)
    others = [_pieces_of(file) for file in (planned.key, planned.nontarget) if file]
    tally = _Tally()
    if planned.scores.reading.format == parquet.COUNTS.format:
        _count_counts(planned.scores, scores, tally, log, on_progress)
    elif planned.nontarget:
        _count_lists((scores, *others), tally, log, on_progress)
    else:
        size = sum(_as_text(file) for file in planned.files)
        key = others[0] if planned.key else None
        with spilling.room_for(size) as folder:
            _Matching(scores, key, log, tally, planned.speakers).run(folder, size, on_progress)
    counted = _looked_at(scores, others[-1] if planned.key else scores, tally, log)
    files = tuple(pieces.record() for pieces in (scores, *others))
    if planned.speakers:
        files += read_found(planned.speakers).records()
    if counted is None or log.has_errors:
        return None, log.audit(files)
    log.find(STREAMED, Severity.NOTE, None, (), count=tally.total)
    if counted.width:
        log.find("rounded", Severity.WARNING, None, (), **rounding_facts(counted))
    audit = log.audit(files)
    remarks = tuple(finding.as_remark() for finding in audit.findings)
    on_progress(1.0)
    return CountedTrials(counted.counts, counted.width, files, remarks, audit), audit


def _pieces_of(file: FoundFile) -> Pieces:
    return ParquetPieces(file) if file.dialect is None else TextPieces(file)


def _as_text(file: FoundFile) -> int:
    is_packed = file.dialect is None or file.source.path.suffix in (".gz", ".bz2", ".xz")
    return file.size * _UNPACKED if is_packed else file.size


@dataclass
class _Few:
    """How many rows there are of a kind, and the first of them with another number that goes along."""

    count: int = 0
    first: list[tuple[int, int]] = field(default_factory=list)

    def add(self, rows: np.ndarray, along: np.ndarray | None = None) -> None:
        """Note these rows."""
        self.count += len(rows)
        if len(rows):
            few = np.argsort(rows, kind="stable")[:MOST_EXAMPLES]
            others = rows if along is None else along
            found = [(int(rows[n]), int(others[n])) for n in few]
            self.first = sorted([*self.first, *found])[:MOST_EXAMPLES]

    @property
    def rows(self) -> list[int]:
        return [row for row, _ in self.first]

    @property
    def along(self) -> list[int]:
        return [other for _, other in self.first]


@dataclass
class _Tally:
    """Trials on their way: finite scores are counted, others are kept apart."""

    counter: ScoreCounter = field(default_factory=ScoreCounter)
    infinite: dict[float, list[int]] = field(default_factory=lambda: {-np.inf: [0, 0], np.inf: [0, 0]})
    nans: _Few = field(default_factory=_Few)
    infinities: _Few = field(default_factory=_Few)
    total: int = 0

    def add(self, score: FloatArray, is_target: BoolArray, order: IntArray, row: IntArray) -> None:
        """Count trials; the two last are their place among all and their row in the file of the scores."""
        finite = np.isfinite(score)
        if not finite.all():
            self._apart(score, is_target.astype(np.int64), (~is_target).astype(np.int64))
            self.nans.add(order[np.isnan(score)], row[np.isnan(score)])
            self.infinities.add(order[np.isinf(score)], row[np.isinf(score)])
            score, is_target = score[finite], is_target[finite]
        self._more(len(score))
        self.counter.add(score, is_target)

    def add_rows(self, rows: parquet.CountedRows, first: int) -> None:
        """Count trials that are counted already."""
        occupied = rows.n_target + rows.n_nontarget > 0
        score, target, nontarget = rows.score[occupied], rows.n_target[occupied], rows.n_nontarget[occupied]
        row, finite = first + np.flatnonzero(occupied), np.isfinite(score)
        self._apart(score, target, nontarget)
        for few, bad in ((self.nans, np.isnan(score)), (self.infinities, np.isinf(score))):
            few.add(row[bad])
            few.count += int((target + nontarget)[bad].sum()) - int(np.count_nonzero(bad))
        self._more(int(target.sum()) + int(nontarget.sum()))
        self.counter.add_counts(ScoreCounts(score[finite], target[finite], nontarget[finite]))

    def _apart(self, score: FloatArray, target: IntArray, nontarget: IntArray) -> None:
        for value, counts in self.infinite.items():
            counts[0] += int(target[score == value].sum())
            counts[1] += int(nontarget[score == value].sum())

    def _more(self, trials: int) -> None:
        self.total += trials
        if self.total > parquet.MOST_TRIALS:
            raise InputError("too-many-trials", most=parquet.MOST_TRIALS)


# --- without ids -------------------------------------------------------------------------------------------


def _count_counts(file: FoundFile, scores: Pieces, tally: _Tally, log: Log, on_progress: Progress) -> None:
    opened = OpenedFile(file.source, b"", file.size, "", is_beginning=True)
    for first, rows in parquet.counts(opened, on_progress):
        tally.add_rows(rows, first)
    scores.end(no_progress)
    log.counts["n_scores"] = tally.total


def _count_lists(lists: Sequence[Pieces], tally: _Tally, log: Log, on_progress: Progress) -> None:
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


# --- with ids ----------------------------------------------------------------------------------------------


class _Codes:
    """One code for each distinct id of all files."""

    def __init__(self, file: str) -> None:
        self._of: dict[str, int] = {}
        self._file = file

    @property
    def names(self) -> list[str]:
        return list(self._of)

    def of(self, ids: Ids) -> np.ndarray:
        """The codes of a column."""
        known = self._of
        found = np.fromiter(
            (known.setdefault(name, len(known)) for name in ids.names), np.uint32, len(ids.names)
        )
        if len(known) > MOST_IDS:
            raise InputError("too-many-ids", file=self._file, most=MOST_IDS)
        return found[ids.codes] if len(ids.codes) else np.empty(0, np.uint32)


class _Seen:
    """Which codes have occurred."""

    def __init__(self) -> None:
        self._seen = np.zeros(1024, np.bool_)

    def add(self, codes: np.ndarray) -> None:
        if len(codes) and int(codes.max()) >= len(self._seen):
            self._seen = np.pad(self._seen, (0, 2 * int(codes.max()) - len(self._seen)))
        self._seen[codes] = True

    @property
    def codes(self) -> np.ndarray:
        return np.flatnonzero(self._seen)


class _Matching:
    """Scores and key, or scores with labels, by their ids."""

    def __init__(
        self, scores: Pieces, key: Pieces | None, log: Log, tally: _Tally, speakers: FoundFile | None
    ) -> None:
        self._scores, self._key, self._log, self._tally = scores, key, log, tally
        self._speakers = speakers
        self._codes = _Codes(scores.name)
        self._agreeing = {True: _Few(), False: _Few()}  # of the key, of the scores
        self._contradicting = {True: _Few(), False: _Few()}
        self._missing, self._extra, self._labels, self._round = _Few(), _Few(), _Few(), _Few()
        self._enrol, self._test = _Seen(), _Seen()
        self._no_ids = False

    def run(self, folder: Any, size: int, on_progress: Progress) -> None:
        """Read both, then match what lies in each file."""
        files = spilling.files_for(size)
        scored = Spill(folder, "scores", files, spilling.SCORED)
        self._log.counts["n_scores"] = self._spread(self._scores, scored, part_of(on_progress, 0.0, 0.45))
        listed = None
        if self._key is not None:
            listed = Spill(folder, "key", files, spilling.LABELLED)
            self._log.counts["n_key"] = self._spread(self._key, listed, part_of(on_progress, 0.45, 0.8))
        for number in range(files):
            on_progress(0.8 + 0.2 * number / files)
            key = None if listed is None else self._once(listed.parts(number), of_key=True)
            self._match(self._once(scored.parts(number), of_key=False), key)
        self._tell()

    def _spread(self, pieces: Pieces, spill: Spill, on_progress: Progress) -> int:
        rows = set_aside = 0
        with spill:
            for first, table in pieces.tables(on_progress):
                if first + len(table) + table.set_aside > parquet.MOST_TRIALS:
                    raise InputError("too-many-trials", most=parquet.MOST_TRIALS)
                self._add(table, first, pieces, spill)
                rows, set_aside = rows + len(table), set_aside + table.set_aside
        if set_aside:
            self._log.counts["set_aside"] += set_aside
            self._log.find("set-aside", Severity.NOTE, pieces, (), count=set_aside)
        return rows

    def _add(self, table: Table, first: int, pieces: Pieces, spill: Spill) -> None:
        row = first + (np.arange(len(table)) if table.row is None else table.row)
        if table.sides is None:
            if self._key is not None:
                raise InputError("no-ids", file=pieces.name)
            assert table.score is not None  # noqa: S101 - by its role
            assert table.is_target is not None  # noqa: S101 - by its role
            self._no_ids = True
            self._tally.add(table.score, table.is_target, row, row)
            return
        enrol, test = (self._codes.of(ids) for ids in table.sides)
        columns: dict[str, Any] = {"pair": spilling.pair_of(enrol, test), "row": row}
        columns["label"] = -1 if table.is_target is None else table.is_target
        if pieces is self._scores:
            columns["score"] = table.score
        spill.add(**columns)

    def _match(self, scores: Rows, key: Rows | None) -> None:
        if key is None:
            order = row = scores["row"].astype(np.int64)
            self._keep(scores["pair"], scores["score"], scores["label"] == 1, order, row)
            return
        place = np.searchsorted(scores["pair"], key["pair"])
        found = np.zeros(len(key), np.bool_)
        within = place < len(scores)
        found[within] = scores["pair"][place[within]] == key["pair"][within]
        self._missing.add(key["row"][~found])
        used = np.zeros(len(scores), np.bool_)
        used[place[found]] = True
        self._extra.add(scores["row"][~used])
        key, scores = key[found], scores[place[found]]
        wrong = (scores["label"] >= 0) & (scores["label"] != key["label"])
        order, row = key["row"].astype(np.int64), scores["row"].astype(np.int64)
        self._labels.add(order[wrong], row[wrong])
        self._keep(key["pair"], scores["score"], key["label"] == 1, order, row)

    def _once(self, parts: Iterable[Rows], *, of_key: bool) -> Rows:
        """The first row of each pair, by ascending pair; what the others are is noted.

        Part by part, so that a file which lists one pair over and over takes no more room than one pair.
        """
        known = np.empty(0, spilling.LABELLED if of_key else spilling.SCORED)
        for rows in parts:
            known = self._firsts(np.concatenate([known, rows]) if len(known) else rows, of_key=of_key)
        return known

    def _firsts(self, rows: Rows, *, of_key: bool) -> Rows:
        rows = rows[np.argsort(rows["pair"], kind="stable")]  # what is known already stays in front
        fresh = np.ones(len(rows), np.bool_)
        fresh[1:] = rows["pair"][1:] != rows["pair"][:-1]
        if fresh.all():
            return rows
        starts = np.flatnonzero(fresh)
        first = rows[starts[np.cumsum(fresh) - 1]][~fresh]
        again = rows[~fresh]
        same = again["label"] == first["label"]
        if not of_key:
            same &= (again["score"] == first["score"]) | (np.isnan(again["score"]) & np.isnan(first["score"]))
        self._agreeing[of_key].add(again["row"][same])
        self._contradicting[of_key].add(again["row"][~same], first["row"][~same])
        return rows[fresh]

    def _keep(
        self, pair: PairArray, score: FloatArray, is_target: BoolArray, order: IntArray, row: IntArray
    ) -> None:
        self._tally.add(score, is_target, order, row)
        if np.isnan(score).any():
            pair, order = pair[~np.isnan(score)], order[~np.isnan(score)]
        left, right = spilling.sides_of(pair)
        self._enrol.add(left)
        self._test.add(right)
        either = spilling.pair_of(np.minimum(left, right), np.maximum(left, right))
        by = np.lexsort((order, either))
        twice = np.flatnonzero(either[by][1:] == either[by][:-1]) + 1
        self._round.add(order[by][twice])

    def _tell(self) -> None:
        """The findings, in the order in which tables in memory are looked at."""
        log, labels = self._log, self._key or self._scores
        sources = ((True, self._key), (False, self._scores))
        log.counts["agreeing_repeats"] = sum(few.count for few in self._agreeing.values())
        log.counts["contradicting_repeats"] = sum(few.count for few in self._contradicting.values())
        for of_key, pieces in sources:
            if pieces is None:
                continue
            findings.repeats(log, pieces, self._agreeing[of_key].rows, self._agreeing[of_key].count)
            few = self._contradicting[of_key]
            if few.count:
                findings.contradictions(log, pieces, few.rows, few.along[0], few.count)
        if self._key is not None:
            self._tell_of_matching(self._key)
        if self._no_ids:
            return
        log.counts["enrolments"], log.counts["tests"] = len(self._enrol.codes), len(self._test.codes)
        log.counts["symmetric_repeats"] = self._round.count
        if self._round.count:
            log.find("symmetric-repeats", Severity.NOTE, labels, self._round.rows, count=self._round.count)
        speakers = read_found(self._speakers) if self._speakers else None
        if isinstance(speakers, SpeakerMap) and not speakers.is_gender:
            names = self._codes.names
            known = {speakers.of.get(names[code]) for code in self._test.codes} - {None}
            log.counts["speakers"] = len(known) or None

    def _tell_of_matching(self, key: Pieces) -> None:
        log, scores = self._log, self._scores
        log.counts["scores_without_key"] = self._extra.count
        log.counts["key_without_score"] = self._missing.count
        if self._missing.count and not self._enrol.codes.size and not self._tally.nans.count:
            log.find("nothing-shared", Severity.ERROR, key, self._missing.rows, scores=scores.name)
            return
        if self._missing.count:
            findings.missing_scores(log, key, self._missing.rows, self._missing.count, scores.name)
        if self._extra.count:
            rows, count = self._extra.rows, self._extra.count
            log.find("scores-outside-key", Severity.NOTE, scores, rows, count=count, key=key.name)
        if self._labels.count:
            rows, count = self._labels.along, self._labels.count
            log.find("labels-contradict-key", Severity.ERROR, scores, rows, count=count, key=key.name)


# --- scores and classes ------------------------------------------------------------------------------------


def _looked_at(scores: Pieces, labels: Pieces, tally: _Tally, log: Log) -> Counted | None:
    """The counts of all trials, looked at as scores in memory are; None where there can be no figures."""
    counted = tally.counter.counted()
    if tally.infinities.count or tally.nans.count:
        log.counts.update(nan_scores=tally.nans.count, infinite_scores=tally.infinities.count)
    if tally.infinities.count:
        few = tally.infinities
        findings.not_finite(log, scores, few.along, few.count, is_nan=False)
        counted = Counted(_with_infinities(counted.counts, tally), counted.width)
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
        counted = Counted(counts, counted.width)
    n_trials = counts.n_target + counts.n_nontarget
    tied = int(n_trials[n_trials > 1].sum()) / int(n_trials.sum())
    target, nontarget = (_median(counts.score, of) for of in (counts.n_target, counts.n_nontarget))
    decimals = None if counted.width else decimals_of(counts.score)
    log.counts.update(tied_share=tied, decimals=decimals, median_target=target, median_nontarget=nontarget)
    only_score = float(counts.score[0]) if len(counts.score) == 1 else None
    findings.scores_look(log, scores, only_score, tied, target, nontarget)
    return counted


def _with_infinities(counts: ScoreCounts, tally: _Tally) -> ScoreCounts:
    """With infinite scores just outside the finite ones."""
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
