"""What is found while the files of one assessment are looked through, and what it is called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from zebra_core.evidence.audit import (
    MOST_EXAMPLES,
    Audit,
    Decision,
    Example,
    Finding,
    InputFile,
    Remark,
    Remarks,
    Severity,
)
from zebra_core.evidence.trials import BoolArray, FloatArray, Ids, IntArray
from zebra_core.intake.tables import table as labels

MANY_TIES = 0.05
_MOST_STAND_INS, _FEWEST_STAND_INS, _FEWEST_VALUES = 2, 4, 10  # values; trials of one; distinct scores
_FEWEST_AT_END, _FAR = 3, 0.3  # trials; of the range of all other scores
_SHOWN_NUMBER = re.compile(r"\d(?:[.,]\d+)?[Ee][+-]\d\d+", re.ASCII)
_DECIMAL = re.compile(r"[='\"]*[+−-]?\d+[.,]\d+\"?", re.ASCII)
_FEWEST_ENROLLED = 3
_LARGE, _SIZES = 100, 3  # whole numbers that may have lost a point; of how many different lengths they are


class ShownFile(Protocol):
    """A file whose lines can be shown."""

    @property
    def name(self) -> str:
        """The name of the file."""

    def examples(self, rows: Sequence[int] | NDArray[np.integer]) -> tuple[Example, ...]:
        """The lines behind these rows."""


@dataclass
class Log:
    """What is found while the files of one assessment are looked through."""

    allow: frozenset[Decision]
    counts: dict[str, Any] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    used: list[Decision] = field(default_factory=list)

    @property
    def has_errors(self) -> bool:
        """Whether there can be no figures."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def find(
        self,
        code: str,
        severity: Severity,
        file: ShownFile | None,
        rows: NDArray[np.integer] | Sequence[int],
        **facts: Any,
    ) -> None:
        """Write down a finding with its first lines; facts about the first of them are added."""
        examples = file.examples(rows[:MOST_EXAMPLES]) if file is not None and len(rows) else ()
        if file is not None:
            facts.setdefault("file", file.name)
        if examples:
            facts = {"line": examples[0].line, "found": examples[0].text, **facts}
        lifted_by = facts.pop("lifted_by", ())
        self.findings.append(Finding(code, severity, facts, examples, lifted_by))

    def decided(self, decision: Decision) -> bool:
        """Whether the user made this decision; then it is recorded as one that changed something."""
        if decision in self.allow and decision not in self.used:
            self.used.append(decision)
        return decision in self.allow

    def audit(self, files: tuple[InputFile, ...]) -> Audit:
        """Everything that was found, the worst first."""
        order = [Severity.ERROR, Severity.WARNING, Severity.NOTE]
        findings = sorted(self.findings, key=lambda finding: order.index(finding.severity))
        return Audit(files=files, **self.counts, findings=tuple(findings), decisions=tuple(self.used))


# What several ways to the trials find, each in its own manner.


def ids_as_numbers(log: Log, file: ShownFile, sides: Iterable[Ids]) -> bool:
    """Whether ids are numbers as spreadsheets show them, 1.00E+03 say, of which digits are lost."""
    for ids in sides:
        found = [n for n, name in enumerate(ids.names) if _SHOWN_NUMBER.fullmatch(name)]
        if found:
            rows = [int(np.argmax(ids.codes == found[0]))]
            log.find("ids-as-numbers", Severity.ERROR, file, rows, id=ids.names[found[0]])
            return True
    return False


def ids_as_decimals(log: Log, file: ShownFile, sides: Iterable[Ids]) -> None:
    """Ids most of which are numbers with decimals: they may be scores."""
    for ids in sides:
        found = [n for n, name in enumerate(ids.names) if _DECIMAL.fullmatch(name)]
        if 2 * len(found) > len(ids.names):
            rows = [int(np.argmax(ids.codes == found[0]))]
            log.find("ids-as-decimals", Severity.WARNING, file, rows, id=ids.names[found[0]])


def sorted_alone(log: Log, file: ShownFile, ids: Ids, columns: Mapping[str, FloatArray | BoolArray]) -> None:
    """A column that ascends or descends while enrolments stand together: it was sorted without the others."""
    starts = int(np.count_nonzero(np.diff(ids.codes))) + 1
    n_ids = int(np.count_nonzero(np.bincount(ids.codes, minlength=1)))
    if starts != n_ids or not _FEWEST_ENROLLED <= n_ids < len(ids) / 2:
        return
    for name, column in columns.items():
        before, after = column[:-1], column[1:]
        if (after >= before).all() != (after <= before).all():
            log.find(f"{name}-sorted-alone", Severity.WARNING, file, ())


def mixed_labels(
    log: Log, file: ShownFile, words: Mapping[str, int], lines: Callable[[Sequence[int]], Sequence[Example]]
) -> None:
    """Labels of several vocabularies in one file: words with the row of the file that has them first."""
    if not labels.are_mixed(words):
        return
    first: dict[str, int] = {}
    for word, row in sorted(words.items(), key=itemgetter(1)):
        if labels.is_label(word):
            first.setdefault(word.casefold(), row)
    told = [
        Remark("label-target" if labels.meaning(word) else "label-nontarget", facts, section="word")
        for word, line in zip(first, lines(list(first.values())), strict=True)
        for facts in [{"word": word, "line": line.line}]
    ]
    log.find("labels-mixed", Severity.WARNING, file, (), words=Remarks(tuple(told)))


def distance(log: Log, scores: ShownFile, column: str, offer: tuple[Decision, ...] = ()) -> None:
    """A column of scores that is called a distance: an error, until the user decides."""
    if column and not set(offer) & log.allow:
        log.find("column-is-distance", Severity.ERROR, scores, (), column=column, lifted_by=offer)


@dataclass(frozen=True)
class SelfComparisons:
    """Trials whose two ids are equal: how many, how many of them are target, and of all trials."""

    count: int
    targets: int
    targets_of_all: int
    are_numbered: bool  # whether ids count the lines of two lists, see `are_numbered_apart`

    def are_kept(self, log: Log, file: ShownFile, rows: Sequence[int] | NDArray[np.integer]) -> bool:
        """Whether they are trials like others; it is told either way.

        They are where equal ids need not be the same recording: nothing else is target, so that they are ids
        of speakers; most are nontarget; or they are numbers of lines. Else the user decides.
        """
        kept_as = {
            "self-speakers": self.targets == self.targets_of_all,
            "self-nontarget": 2 * self.targets < self.count,
            "self-numbered": self.are_numbered,
        }
        for code, is_so in kept_as.items():
            if is_so:
                log.find(code, Severity.NOTE, file, rows, count=self.count)
                return True
        kept = log.decided(Decision.SELF_COMPARISONS)
        code, offer = ("self-kept", ()) if kept else ("self-left-out", (Decision.SELF_COMPARISONS,))
        log.find(code, Severity.WARNING, file, rows, count=self.count, lifted_by=offer)
        return kept


def are_swapped(log: Log, scores: ShownFile, key: ShownFile) -> bool:
    """Whether the user decided that the columns of the key stand the other way round; it is told."""
    if log.decided(Decision.SWAPPED_COLUMNS):
        log.find("mapped-swapped-columns", Severity.NOTE, None, (), scores=scores.name, key=key.name)
    return Decision.SWAPPED_COLUMNS in log.allow


def side_by_side(log: Log, scores: ShownFile, key: ShownFile, n_scores: int, n_labels: int) -> None:
    """Scores and labels without ids belong together line by line, if there are as many of both."""
    if n_scores != n_labels:
        facts = {"scores": n_scores, "labels": n_labels, "key": key.name}
        log.find("lengths-differ", Severity.ERROR, scores, (), **facts)
    else:
        log.find("matched-by-position", Severity.WARNING, scores, (), key=key.name)


def nothing_shared(log: Log, scores: ShownFile, key: ShownFile) -> None:
    """Scores and a key of other trials: the first of both are shown."""
    [other] = scores.examples([0])
    facts = {"scores": scores.name, "other_line": other.line, "other": other.text}
    log.find("nothing-shared", Severity.ERROR, key, [0], **facts)


def apart(log: Log, scores: ShownFile, target: tuple[float, float], nontarget: tuple[float, float]) -> None:
    """Labels beside the scores that comparing with a threshold would give: least and largest of each."""
    if target[0] > nontarget[1] or target[1] < nontarget[0]:
        log.find("labels-apart", Severity.WARNING, scores, ())


def _points(log: Log, scores: ShownFile, values: FloatArray, *, is_shared: bool) -> None:
    """Distinct scores that are whole numbers of very different sizes: decimal points may have been lost."""
    ends = values[[0, -1]] if len(values) else values
    large = ends[(np.abs(ends) >= _LARGE) & (ends == np.round(ends))]
    is_whole = values == np.round(values)
    if is_whole.all() and len(large):
        sizes = {len(f"{abs(value):.0f}") for value in values[:: max(1, len(values) // 500)].tolist()}
        if len(sizes) >= (_SIZES if np.abs(large).max() < 10 * _LARGE else 2) and not is_shared:
            log.find("points-lost", Severity.WARNING, scores, (), found=f"{large[-1]:.15g}")
    elif _are_thousands(values, is_whole):
        found = f"{values[~is_whole][0]:.3f}"
        log.find("points-between-thousands", Severity.WARNING, scores, (), found=found)
    elif (
        len(large)
        and (count := int(np.count_nonzero(np.abs(values[is_whole]) > 10 * np.abs(values[~is_whole]).max())))
        > 0
    ):
        facts = {"found": f"{large[-1]:.15g}", "count": count}
        log.find("points-lost-in-some", Severity.WARNING, scores, (), **facts)


def _are_thousands(values: FloatArray, is_whole: BoolArray) -> bool:
    """Whether points stand between thousands: three digits behind each, and whole numbers beside."""
    parts, whole = values[~is_whole], values[is_whole]
    if not 0.02 * len(values) <= len(whole) < len(values) or len(whole) < 2:
        return False
    digits = [np.allclose(parts * 10.0**n, np.round(parts * 10.0**n), atol=1e-6) for n in (2, 3)]
    are_groups = np.abs(parts).min() >= 1.0 and digits == [False, True]
    return bool(are_groups and _LARGE <= np.abs(whole).max() < 1e3)


def repeats(log: Log, file: ShownFile, agreeing: Sequence[int] | NDArray[np.integer], count: int) -> None:
    """Lines that repeat an earlier one."""
    if count:
        log.find("repeats-agree", Severity.NOTE, file, agreeing, count=count)


def contradictions(
    log: Log, file: ShownFile, rows: Sequence[int] | NDArray[np.integer], first: int, count: int
) -> None:
    """Lines that contradict an earlier one; `first` is that of the first of them."""
    [earlier] = file.examples([first])
    facts = {"count": count, "first_line": earlier.line, "first_found": earlier.text}
    log.find("repeats-contradict", Severity.ERROR, file, rows, **facts)


def missing_scores(
    log: Log,
    key: ShownFile,
    rows: Sequence[int] | NDArray[np.integer],
    count: int,
    scores: str,
    *,
    by_words: bool = False,
) -> None:
    """Trials of the key without a score, or without words: an error, until the user decides."""
    codes = (
        ("key-lines-without-words", "trial-without-words")
        if by_words
        else ("key-lines-left-out", "trial-without-score")
    )
    if log.decided(Decision.KEY_LINES_WITHOUT_SCORE):
        log.find(codes[0], Severity.WARNING, key, rows, count=count, scores=scores)
    else:
        offer = (Decision.KEY_LINES_WITHOUT_SCORE,)
        log.find(codes[1], Severity.ERROR, key, rows, count=count, scores=scores, lifted_by=offer)


def not_finite(
    log: Log, scores: ShownFile, rows: Sequence[int] | NDArray[np.integer], count: int, *, is_nan: bool
) -> None:
    """NaN or infinite scores: an error, until the user decides."""
    decision = Decision.NAN_SCORES if is_nan else Decision.INFINITE_SCORES
    codes = ("nan-left-out", "nan-scores") if is_nan else ("infinities-replaced", "infinite-scores")
    decided = log.decided(decision)
    code, severity = (codes[0], Severity.WARNING) if decided else (codes[1], Severity.ERROR)
    log.find(code, severity, scores, rows, count=count, lifted_by=() if decided else (decision,))


def classes(log: Log, labels: ShownFile, n_target: int, n_nontarget: int) -> None:
    """Both classes must be there."""
    log.counts.update(matched=n_target + n_nontarget, n_target=n_target, n_nontarget=n_nontarget)
    if not n_target:
        log.find("no-targets", Severity.ERROR, labels, ())
    if not n_nontarget:
        log.find("no-nontargets", Severity.ERROR, labels, ())


def standing_in(values: FloatArray, count: IntArray) -> IntArray:
    """Which of distinct scores, at most two, are there so much oftener than any other that they may stand in.

    They stand for scores that are missing, or come from a cache: rounded scores are shared evenly. It takes
    twice the third of all counts, and three deviations of such a count more; or at an end, far from the rest,
    three trials.
    """
    if len(values) < _FEWEST_VALUES:
        return np.empty(0, np.int64)
    most = np.argpartition(count, -_MOST_STAND_INS - 1)[-_MOST_STAND_INS - 1 :]
    usual = int(count[most].min())
    least = max(_FEWEST_STAND_INS, 2 * usual, usual + 3.0 * usual**0.5)
    half = 0.5 * values  # the largest numbers there are lie within range of each other then
    ends = [
        at
        for at, next_to, other in ((0, 1, -1), (len(values) - 1, -2, 0))
        if count[at] >= _FEWEST_AT_END
        and abs(half[at] - half[next_to]) > _FAR * abs(half[next_to] - half[other])
    ]
    return np.union1d(most[count[most] >= least], ends).astype(np.int64)


def scores_look(
    log: Log,
    scores: ShownFile,
    values: FloatArray,
    count: IntArray,
    trials_at: Callable[[float], tuple[int, IntArray]],
    medians: tuple[float, float],
    *,
    offer: bool = True,
) -> None:
    """What is odd about scores: distinct `values` in ascending order, and how often each is there.

    Scores that are constant, shared, stand for missing ones or lost their decimal points; targets that score
    lower by the medians of both classes. `trials_at` gives, of one score, how many trials are target, and
    rows of the file.
    """
    total, target, nontarget = int(count.sum()), *medians
    if len(values) == 1:
        log.find("constant-scores", Severity.WARNING, scores, (), found=f"{values[0]:g}")
    odd = standing_in(values, count)
    for at in odd.tolist():
        value, (targets, rows) = float(values[at]), trials_at(float(values[at]))
        place = {0: "lowest", len(values) - 1: "highest"}.get(at, "between")
        facts: dict[str, Any] = {
            "value": f"{value:.6g}",
            "count": int(count[at]),
            "of": total,
            "targets": targets,
        }
        if offer and Decision.STAND_IN_SCORES not in log.allow:
            facts["lifted_by"] = (Decision.STAND_IN_SCORES,)
        log.find(f"stand-in-{place}", Severity.WARNING, scores, rows, **facts)
    tied = int(count[count > 1].sum() - count[odd][count[odd] > 1].sum())
    if tied >= MANY_TIES * total and len(values) > 1:
        most = int(np.delete(count, odd).argmax())
        facts = {"percent": f"{100 * tied / total:.0f}", "value": f"{np.delete(values, odd)[most]:.6g}"}
        log.find("many-ties", Severity.WARNING, scores, (), **facts, count=int(np.delete(count, odd)[most]))
    _points(log, scores, np.delete(values, odd), is_shared=tied > total / 2)
    if target < nontarget:
        turned = () if Decision.LOWER_IS_MORE_ALIKE in log.allow else (Decision.LOWER_IS_MORE_ALIKE,)
        facts = {"target": f"{target:.4g}", "nontarget": f"{nontarget:.4g}", "lifted_by": turned}
        log.find("targets-score-lower", Severity.WARNING, scores, (), **facts)
