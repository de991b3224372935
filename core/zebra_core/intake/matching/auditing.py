"""From the tables of one assessment to its trials, with the audit of everything that was seen on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from zebra_core.evidence.audit import (
    ID_MAPPINGS,
    MOST_EXAMPLES,
    Audit,
    Decision,
    Finding,
    InputFile,
    Severity,
)
from zebra_core.evidence.speaker_names import SpeakerRule, speaker_in
from zebra_core.evidence.trials import (
    BoolArray,
    FloatArray,
    Ids,
    IntArray,
    Trials,
    are_numbered_apart,
    equal_names,
)
from zebra_core.intake.matching import findings, matching
from zebra_core.intake.tables.columns import frozen
from zebra_core.intake.tables.table import FileRole, SpeakerMap, Table
from zebra_core.runtime.progress import Progress, no_progress

MOST_DECIMALS_LOOKED_FOR = 8
_FEWEST_SUMMED = 10
_AT_ONCE = 1 << 16  # scores, which stay in the processor's cache


@dataclass(frozen=True, eq=False)
class _Columns:
    """The trials on their way."""

    score: FloatArray
    is_target: BoolArray
    enrol: Ids | None
    test: Ids | None
    score_row: matching.Rows | None  # row of each trial in the score file; None: the same
    key_row: matching.Rows | None

    def some(self, kept: BoolArray) -> _Columns:
        """Only these trials."""
        rows = np.flatnonzero(kept)
        return _Columns(
            self.score[rows],
            self.is_target[rows],
            _taken(self.enrol, rows),
            _taken(self.test, rows),
            rows if self.score_row is None else self.score_row[rows],
            rows if self.key_row is None else self.key_row[rows],
        )


def make_trials(
    scores: Table,
    key: Table | None = None,
    *,
    allow: frozenset[Decision] = frozenset(),
    speakers: SpeakerMap | SpeakerRule | None = None,
    beside: Sequence[InputFile] = (),
    told: Sequence[Finding] = (),
    on_progress: Progress = no_progress,
) -> tuple[Trials | None, Audit]:
    """Match, look at everything, and make the trials; None, with the errors in the audit, where that fails.

    Without a key the labels are those of the score file; in a matrix of recordings `speakers` say it.
    `beside` are files that belong to the trials and say nothing of their scores and labels, `told` what was
    found in them.
    """
    spoken = speakers if isinstance(speakers, SpeakerMap) else None
    read = [part for part in (scores, key, spoken) if part is not None]
    log = findings.Log(allow, findings=[*(one for part in read for one in part.findings()), *told])
    files = (*(file for part in read for file in part.records()), *beside)
    log.counts.update(n_scores=len(scores), n_key=len(key) if key is not None else 0)
    log.counts["set_aside"] = sum(table.set_aside for table in (scores, key) if table is not None)
    for table in (scores, key):
        if table is not None and table.set_aside:
            log.find("set-aside", Severity.NOTE, table, (), count=table.set_aside)
        if table is not None:
            findings.mixed_labels(log, table, table.label_words, table.find)
            _look_at_rows(table, log)
    if any(finding.code == "ids-as-numbers" for finding in log.findings):
        return None, log.audit(files)

    scores = _relabelled(scores, speakers, log) if key is None else scores
    findings.distance(log, scores, scores.distance, (Decision.LOWER_IS_MORE_ALIKE,))
    scores, key = _without_self_comparisons(scores, key, log)
    key_once = None if key is None else _each_pair_once(key, log)
    scores_once = _each_pair_once(scores, log)
    on_progress(0.2)
    columns = _alone(scores_once) if key_once is None else _matched(scores_once, key_once, log)
    on_progress(0.5)
    if columns is not None:
        columns = _logarithms(columns, scores_once, log)
        columns = _without_stand_ins(_finite(columns, scores_once, log), scores_once, log)
        _look_at_classes(columns, scores if key is None else key, log)
    if columns is None or log.has_errors:
        return None, log.audit(files)
    columns = _turned_round(columns, log)
    are_beside = key is None and not (scores.labels_are_guessed or scores.made_of)
    again = _look_at_ids(columns, scores_once if key_once is None else key_once, speakers, log)
    _look_at_scores(columns, again, scores_once, log, labels_are_beside=are_beside)
    on_progress(0.9)
    audit = log.audit(files)
    trials = Trials(
        score=frozen(columns.score),
        is_target=frozen(columns.is_target),
        enrol=columns.enrol,
        test=columns.test,
        files=files,
        remarks=tuple(finding.as_remark() for finding in audit.findings),
        audit=audit,
    )
    on_progress(1.0)
    return trials, audit


def audited_scores(
    scores: Table, *, allow: frozenset[Decision] = frozenset()
) -> tuple[Ids, Ids, FloatArray, Audit]:
    """Both sides and the score of every pair of a file that needs no labels, each pair once, all finite.

    Raises AuditError for what is wrong and was not decided otherwise.
    """
    log = findings.Log(allow, {"n_scores": len(scores), "set_aside": scores.set_aside}, [*scores.findings()])
    if scores.set_aside:
        log.find("set-aside", Severity.NOTE, scores, (), count=scores.set_aside)
    findings.distance(log, scores, scores.distance)
    once = _each_pair_once(scores, log)
    assert once.score is not None  # noqa: S101 - by their role
    columns = _Columns(once.score, np.zeros(len(once), np.bool_), once.enrol, once.test, None, None)
    columns = _finite(columns, once, log)
    if columns.enrol is None or columns.test is None:
        log.find("no-ids", Severity.ERROR, scores, ())
    audit = log.audit(scores.records())
    audit.refuse_errors()
    assert columns.enrol is not None  # noqa: S101 - refused above
    assert columns.test is not None  # noqa: S101 - refused above
    return columns.enrol, columns.test, columns.score, audit


def _look_at_rows(table: Table, log: findings.Log) -> None:
    """What the rows of a file say together: ids that are numbers, a column or a sum that does not belong."""
    if table.enrol is None:
        score = table.score
        if score is not None and len(score) > _FEWEST_SUMMED:
            rest, last = score[:-1], score[-1]
            with np.errstate(over="ignore", invalid="ignore"):
                is_sum = np.isclose(last, [rest.sum(), rest.mean()], rtol=1e-7, atol=0.0).any()
            if is_sum and not (rest == last).any():
                log.find("sum-below", Severity.WARNING, table, [len(score) - 1])
        return
    sides = [ids for ids in (table.enrol, table.test) if ids is not None]
    if findings.ids_as_numbers(log, table, sides) or table.format == "matrix":
        return
    findings.ids_as_decimals(log, table, sides)
    columns = {"scores": table.score, "labels": table.is_target}
    findings.sorted_alone(
        log, table, table.enrol, {name: of for name, of in columns.items() if of is not None and len(of) > 1}
    )


# --- repeats -----------------------------------------------------------------------------------------------


def _each_pair_once(table: Table, log: findings.Log) -> Table:
    """The table without repeats: those that agree are counted, those that contradict are an error."""
    found = matching.repeats(table)
    for name, rows in (("agreeing", found.agreeing), ("contradicting", found.contradicting)):
        log.counts[f"{name}_repeats"] = log.counts.get(f"{name}_repeats", 0) + len(rows)
    findings.repeats(log, table, found.agreeing, len(found.agreeing))
    if len(found.contradicting):
        first = int(found.first_of_contradicting[0])
        findings.contradictions(log, table, found.contradicting, first, len(found.contradicting))
    kept = matching.without(table, np.concatenate([found.agreeing, found.contradicting]))
    return table if kept is None else _rows_of(table, np.flatnonzero(kept))


def _rows_of(table: Table, rows: IntArray) -> Table:
    return replace(
        table,
        enrol=_taken(table.enrol, rows),
        test=_taken(table.test, rows),
        score=None if table.score is None else table.score[rows],
        is_target=None if table.is_target is None else table.is_target[rows],
        row=rows if table.row is None else table.row[rows],
    )


def _taken(ids: Ids | None, rows: matching.Rows) -> Ids | None:
    return None if ids is None else Ids(frozen(ids.codes[rows]), ids.names)


# --- matching ----------------------------------------------------------------------------------------------


def _relabelled(scores: Table, speakers: SpeakerMap | SpeakerRule | None, log: findings.Log) -> Table:
    """The diagonal of a matrix is target where its ids are people; else who speaks says what is."""
    if not scores.labels_are_guessed:
        return scores
    if isinstance(speakers, SpeakerMap) and speakers.is_gender:
        speakers = None
    if speakers is None or speakers is SpeakerRule.WHOLE_ID or scores.sides is None:
        code = "diagonal-is-target" if scores.format == "matrix" else "equal-is-target"
        log.find(code, Severity.NOTE, scores, ())
        return scores
    names = (*scores.sides[0].names, *scores.sides[1].names)
    if isinstance(speakers, SpeakerRule):
        of: Mapping[str, str] = {name: speakers.speaker_of(name) for name in names}
        log.find("speakers-by-rule", Severity.NOTE, scores, (), rule=speakers.value)
    else:
        of = speakers.of
    unknown = [name for name in names if name not in of]
    if unknown:
        log.find(
            "not-in-map",
            Severity.ERROR,
            scores,
            (),
            found=unknown[0],
            map=speakers.file.name if isinstance(speakers, SpeakerMap) else "",
            count=len(unknown),
        )
        return scores
    codes: dict[str, int] = {}
    by_side = [
        np.array([codes.setdefault(of[name], len(codes)) for name in ids.names])[ids.codes]
        for ids in scores.sides
    ]
    return replace(scores, is_target=by_side[0] == by_side[1], labels_are_guessed=False)


def _without_self_comparisons(
    scores: Table, key: Table | None, log: findings.Log
) -> tuple[Table, Table | None]:
    """Both tables without comparisons of a recording with itself; see `findings.SelfComparisons`."""
    labelled = scores if key is None else key
    if labelled.sides is None or labelled.is_target is None:
        return scores, key
    rows = np.flatnonzero(equal_names(*labelled.sides))
    if not len(rows) or labelled.labels_are_guessed:
        return scores, key
    targets, of_all = (int(np.count_nonzero(some)) for some in (labelled.is_target[rows], labelled.is_target))
    numbered = are_numbered_apart(labelled.sides)
    if findings.SelfComparisons(len(rows), targets, of_all, numbered).are_kept(log, labelled, rows):
        return scores, key
    kept = [
        table and (_rows_of(table, np.flatnonzero(~equal_names(*table.sides))) if table.sides else table)
        for table in (scores, key)
    ]
    return kept[0] or scores, kept[1]


def _alone(table: Table) -> _Columns:
    assert table.score is not None  # noqa: S101 - by their roles
    assert table.is_target is not None  # noqa: S101 - by their roles
    return _Columns(table.score, table.is_target, table.enrol, table.test, None, None)


def _matched(scores: Table, key: Table, log: findings.Log) -> _Columns | None:
    """The trials of the key with their scores; None when there is nothing to go on with."""
    assert scores.score is not None  # noqa: S101 - by their roles
    assert key.is_target is not None  # noqa: S101 - by their roles
    if scores.sides is None or key.sides is None:
        return _side_by_side(scores, key, log)
    key_sides = key.sides[::-1] if findings.are_swapped(log, scores, key) else key.sides
    scores_by, key_by = mapped_sides(scores, key, scores.sides, key_sides, log)
    found = matching.match(scores_by, key_by)
    log.counts["scores_without_key"] = len(found.extra_scores)
    row = found.score_row
    missing = np.empty(0, np.int64) if row is None else np.flatnonzero(row < 0)
    log.counts["key_without_score"] = len(missing)
    if len(missing) == len(key):
        explain_spelling(scores, key, scores_by, key_by, log, nothing_shared=True)
        findings.nothing_shared(log, scores, key)
        return None
    if len(missing):
        if Decision.KEY_LINES_WITHOUT_SCORE not in log.allow:
            explain_spelling(scores, key, scores_by, key_by, log)
        by_words = scores.role is FileRole.TRANSCRIPT
        findings.missing_scores(log, key, missing, len(missing), scores.name, by_words=by_words)
    if len(found.extra_scores):
        count = len(found.extra_scores)
        log.find("scores-outside-key", Severity.NOTE, scores, found.extra_scores, count=count, key=key.name)
    columns = _Columns(scores.score if row is None else scores.score[row], key.is_target, *key_by, row, None)
    columns = columns.some(row >= 0) if row is not None and len(missing) else columns
    _compare_labels(scores, columns, key, log)
    return columns


def _side_by_side(scores: Table, key: Table, log: findings.Log) -> _Columns | None:
    """A matrix has its ids in a file of its own, of the same shape.

    Two lists without ids belong together row by row, and there is no other way to read them.
    """
    assert scores.score is not None  # noqa: S101 - by their roles
    assert key.is_target is not None  # noqa: S101 - by their roles
    if scores.shape and key.shape:
        if scores.shape != key.shape:
            found, expected = (" × ".join(map(str, shape)) for shape in (scores.shape, key.shape))
            log.find(
                "shapes-differ", Severity.ERROR, scores, (), found=found, expected=expected, key=key.name
            )
            return None
        return _Columns(scores.score, key.is_target, key.enrol, key.test, None, None)
    if scores.shape or any(ids is not None for ids in (scores.enrol, scores.test, key.enrol, key.test)):
        without = scores if scores.enrol is None else key
        log.find("no-ids", Severity.ERROR, without, ())
        return None
    findings.side_by_side(log, scores, key, len(scores), len(key))
    if len(scores) != len(key):
        return None
    return _Columns(scores.score, key.is_target, None, None, None, None)


def mapped_sides(
    scores: findings.ShownFile,
    key: findings.ShownFile,
    of_scores: matching.Sides,
    of_key: matching.Sides,
    log: findings.Log,
) -> tuple[matching.Sides, matching.Sides]:
    """The ids of both files, mapped as the user decided."""
    by = [decision for decision in ID_MAPPINGS if decision in log.allow]
    if not by:
        return of_scores, of_key
    sides = []
    for ours, theirs in zip(of_scores, of_key, strict=True):
        way = matching.mapping_for(by, ours, theirs)
        for table, ids in ((scores, ours), (key, theirs)):
            new, merged = matching.mapped(ids, way)
            if merged:
                log.find("mapping-merges", Severity.ERROR, table, (), found=merged[0], other=merged[1])
                return of_scores, of_key
            sides.append(new)
    for decision in by:
        log.decided(decision)
        log.find(f"mapped-{decision.value}", Severity.NOTE, None, (), scores=scores.name, key=key.name)
    return (sides[0], sides[2]), (sides[1], sides[3])


def explain_spelling(
    scores: findings.ShownFile,
    key: findings.ShownFile,
    scores_by: matching.Sides,
    key_by: matching.Sides,
    log: findings.Log,
    *,
    nothing_shared: bool = False,
) -> None:
    """Say so when the ids differ only in their spelling, or both columns stand the other way round."""
    names = {"scores": scores.name, "key": key.name}
    sides = list(zip(key_by, scores_by, strict=True))
    ways = [matching.explains(*side) for side in sides]
    turned = [matching.explains(*side) for side in zip(key_by[::-1], scores_by, strict=True)]
    if nothing_shared and None in ways and None not in turned:
        by = (
            Decision.SWAPPED_COLUMNS,
            *(one for one in ID_MAPPINGS if any(one in (way or ()) for way in turned)),
        )
        facts = {"found": key_by[1].names[0], "lifted_by": by}
        log.find("columns-swapped", Severity.ERROR, None, (), **names, **facts)
        return
    for side, chosen in zip(sides, ways, strict=True):
        if chosen:
            mine, other = matching.example(*side, chosen)
            all_of = tuple(one for one in ID_MAPPINGS if any(one in (way or ()) for way in ways))
            facts = {"found": mine, "other": other, "lifted_by": all_of}
            log.find("ids-spelt-differently", Severity.ERROR, None, (), **names, **facts)
            return


def _compare_labels(scores: Table, columns: _Columns, key: Table, log: findings.Log) -> None:
    """Labels inside the score file may not contradict the key, unless they were a guess."""
    if scores.is_target is None or scores.labels_are_guessed:
        return
    row = columns.score_row
    said = scores.is_target if row is None else scores.is_target[row]
    wrong = np.flatnonzero(said != columns.is_target)
    if len(wrong):
        first = wrong[:MOST_EXAMPLES]
        rows = first if row is None else np.asarray(row[first], dtype=np.int64)
        log.find("labels-contradict-key", Severity.ERROR, scores, rows, count=len(wrong), key=key.name)


# --- scores and classes ------------------------------------------------------------------------------------


def _logarithms(columns: _Columns, scores: Table, log: findings.Log) -> _Columns:
    """Natural logarithms of scores where the user decided that they are likelihood ratios."""
    negative = np.flatnonzero(columns.score < 0.0)
    if not log.decided(Decision.LIKELIHOOD_RATIOS):
        if scores.ratio and not len(negative):
            offer = (Decision.LIKELIHOOD_RATIOS,)
            log.find("column-is-ratio", Severity.ERROR, scores, (), column=scores.ratio, lifted_by=offer)
        return columns
    if len(negative):
        rows = negative if columns.score_row is None else np.asarray(columns.score_row[negative], np.int64)
        log.find("ratio-negative", Severity.ERROR, scores, rows, count=len(negative))
        return columns
    log.find("likelihood-ratios", Severity.NOTE, None, ())
    with np.errstate(divide="ignore"):
        return replace(columns, score=np.log(columns.score))


def _finite(columns: _Columns, scores: Table, log: findings.Log) -> _Columns:
    """The trials without NaN, infinities moved just outside the finite scores.

    Either is logged, as an error until the user decides on it.
    """
    if np.isfinite(columns.score).all():
        return columns
    is_nan, is_infinite = np.isnan(columns.score), np.isinf(columns.score)
    log.counts.update(nan_scores=int(is_nan.sum()), infinite_scores=int(is_infinite.sum()))

    row = np.arange(len(is_nan)) if columns.score_row is None else columns.score_row
    if is_infinite.any():
        findings.not_finite(log, scores, row[is_infinite], int(is_infinite.sum()), is_nan=False)
        columns = replace(columns, score=infinities_just_outside(columns.score))
    if is_nan.any():
        findings.not_finite(log, scores, row[is_nan], int(is_nan.sum()), is_nan=True)
        columns = columns.some(~is_nan)
    return columns


def _without_stand_ins(columns: _Columns, scores: Table, log: findings.Log) -> _Columns:
    """The trials without scores that stand in for others, where the user decided that they do."""
    if Decision.STAND_IN_SCORES not in log.allow:
        return columns
    values, count = np.unique(columns.score, return_counts=True)
    kept = ~np.isin(columns.score, values[findings.standing_in(values, count)])
    if not kept.all() and log.decided(Decision.STAND_IN_SCORES):
        log.find("stand-ins-left-out", Severity.WARNING, scores, (), count=int((~kept).sum()))
    return columns.some(kept)


def infinities_just_outside(score: FloatArray) -> FloatArray:
    """Scores with infinities moved to one beyond the most extreme finite scores, so that the order stays."""
    finite = score[np.isfinite(score)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    with np.errstate(over="ignore"):
        replaced = np.where(score == np.inf, high + 1.0, np.where(score == -np.inf, low - 1.0, score))
    # Where one is less than the spacing of such large numbers, the next number it is.
    replaced = np.where((score == np.inf) & (replaced <= high), np.nextafter(high, np.inf), replaced)
    replaced = np.where((score == -np.inf) & (replaced >= low), np.nextafter(low, -np.inf), replaced)
    largest = np.finfo(np.float64).max
    return np.asarray(np.clip(replaced, -largest, largest))


def _look_at_classes(columns: _Columns, labels: Table, log: findings.Log) -> None:
    target = int(np.count_nonzero(columns.is_target))
    findings.classes(log, labels, target, len(columns.score) - target)


def _turned_round(columns: _Columns, log: findings.Log) -> _Columns:
    """Scores with their sign changed, where the user decided that lower means more alike."""
    if not log.decided(Decision.LOWER_IS_MORE_ALIKE):
        return columns
    log.find("lower-is-more-alike", Severity.WARNING, None, ())
    return replace(columns, score=-columns.score)


def _look_at_scores(
    columns: _Columns, again: IntArray, scores: Table, log: findings.Log, *, labels_are_beside: bool
) -> None:
    """Polarity, ties, constant scores and the digits there are; `again` are trials the other way round."""
    score = columns.score
    ordered = np.sort(score)
    fresh = np.ones(len(ordered) + 1, np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:-1])
    tied = len(ordered) - int(np.count_nonzero(fresh[:-1] & fresh[1:]))
    share = tied / len(ordered)
    of_targets = np.sort(score[columns.is_target])
    target, nontarget = _median(of_targets, of_targets[:0]), _median(ordered, of_targets)
    log.counts.update(
        tied_share=share, decimals=decimals_of(score), median_target=target, median_nontarget=nontarget
    )
    if len(again):  # of both ways round, one tells whether scores are shared
        values, count = np.unique(np.delete(score, again), return_counts=True)
    else:
        values, count = ordered[fresh[:-1]], np.diff(np.flatnonzero(fresh))

    def trials_at(value: float) -> tuple[int, IntArray]:
        at = np.flatnonzero(score == value)
        rows = at if columns.score_row is None else np.asarray(columns.score_row[at], np.int64)
        return int(np.count_nonzero(columns.is_target[at])), rows

    findings.scores_look(log, scores, values, count, trials_at, (target, nontarget))
    if labels_are_beside:
        both = score[columns.is_target], score[~columns.is_target]
        findings.apart(log, scores, *((float(some.min()), float(some.max())) for some in both))


def _median(ordered: FloatArray, others: FloatArray) -> float:
    """The median of ascending scores without those of some others, which are among them and ascend, too.

    Unlike np.median it does not overflow where two very large scores are in the middle.
    """
    count = len(ordered) - len(others)
    low, high = (_at_rank(ordered, others, rank) for rank in ((count - 1) // 2, count // 2))
    return 0.5 * low + 0.5 * high if low < high else low


def _at_rank(ordered: FloatArray, others: FloatArray, rank: int) -> float:
    """The score that has this rank, from 0, where the others are left out."""
    low, high = rank, rank + len(others)  # among all
    while low < high:
        middle = (low + high) // 2
        left = np.searchsorted(ordered, ordered[middle], "right") - np.searchsorted(
            others, ordered[middle], "right"
        )
        low, high = (low, middle) if left > rank else (middle + 1, high)
    return float(ordered[low])


def decimals_of(score: FloatArray) -> int | None:
    """The fewest decimals that write every score exactly; None when more than anybody rounds to."""
    with np.errstate(over="ignore"):  # rounding multiplies, and very large numbers have no decimals to lose
        for decimals in range(MOST_DECIMALS_LOOKED_FOR + 1):
            # A few scores say no at once, nearly always.
            parts = (score[start : start + _AT_ONCE] for start in range(0, len(score), _AT_ONCE))
            if all(np.array_equal(np.round(some, decimals), some) for some in (score[:1000], *parts)):
                return decimals
    return None


def _look_at_ids(
    columns: _Columns, table: Table, speakers: SpeakerMap | SpeakerRule | None, log: findings.Log
) -> IntArray:
    """How many ids and speakers there are, and which trials are listed the other way round, too."""
    if columns.enrol is not None:
        log.counts["enrolments"] = _distinct(columns.enrol)
    if columns.test is not None:
        log.counts["tests"] = _distinct(columns.test)
    if isinstance(speakers, SpeakerMap):
        speakers = None if speakers.is_gender else speakers
    if speakers is not None and columns.test is not None:
        of = speakers.of if isinstance(speakers, SpeakerMap) else speakers
        known = {speaker_in(of, name) for name in columns.test.names} - {None}
        log.counts["speakers"] = len(known) or None
    if columns.enrol is None or columns.test is None:
        return np.empty(0, np.int64)
    again = matching.symmetric_repeats(columns.enrol, columns.test)
    log.counts["symmetric_repeats"] = len(again)
    if len(again):
        rows = again if columns.key_row is None else np.asarray(columns.key_row[again], dtype=np.int64)
        log.find("symmetric-repeats", Severity.NOTE, table, rows, count=len(again))
    return again


def _distinct(ids: Ids) -> int:
    return int(np.count_nonzero(np.bincount(ids.codes, minlength=1)))
