"""A verdict: whether a requirement is met, by which row, by which bound, and what keeps it open."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from zebra_core.evidence.value_types import NumberOrNone, array_of, json_object, note, object_as_json
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.project.items import Entry, name_with_dataset
from zebra_core.project.requirements.figures import D_ECE, MOST_EXPOSED
from zebra_core.project.requirements.requirement import RecordedWhen, Requirement, Sense
from zebra_core.speakers.disclosure import FEWEST_SEGMENTS
from zebra_core.speakers.exposure import FEWEST_SPEAKERS
from zebra_core.uncertainty.one_sided import (
    MOST_TIMES,
    EverybodysBounds,
    ExposureBounds,
    LinkageBounds,
    PeopleBounds,
)
from zebra_core.uncertainty.resampling import ResamplingUnit
from zebra_core.uncertainty.trust import AssessmentTrust
from zebra_core.wording.texts import say, visible, visible_sentence, written


class VerdictOutcome(Enum):
    """What came of a requirement; the values are those of --json."""

    MET = "met"
    NOT_MET = "not-met"
    NOT_DECIDED = "not-decided"


VERDICT_ROW = json_object(
    "VerdictRow",
    name=str,
    verdict=VerdictOutcome,
    value=note(
        float | str | None,
        "without the optimism of small sets where it is resampled; a difference where it is compared",
    ),
    low=note(
        NumberOrNone,
        "one-sided bounds: that which must lie within at the confidence, the other at that corrected for the "
        "number of rows",
    ),
    high=NumberOrNone,
    speakers=int | None,
    more_speakers=note(
        int | None,
        "so many more would decide it in four of five simulated continuations; null where it is decided, or "
        "32 times as many would not",
    ),
    reason=str,
)
VERDICT = json_object(
    "Verdict",
    name=str,
    figure=str,
    sense=Sense,
    bound=note(
        float | str, "in the unit of the figure, or the letter of a tag; the margin where it compares"
    ),
    no_worse_than=str,
    tag=str,
    detail=note(
        json_object(
            "RequirementDetail",
            people=int | None,
            recordings=int | None,
            false_alarms=NumberOrNone,
            attribute=str,
            question=str,
            group=str,
        ),
        "which figure of its kind; null or empty where it takes none",
    ),
    confidence=NumberOrNone,
    scope=json_object(
        "Scope",
        **dict.fromkeys(("datasets", "conditions", "attackers", "safeguards"), list[str]),
    ),
    why=str,
    set_by=str,
    recorded=note(
        RecordedWhen,
        "whether the project shows it before data in its scope were assessed in it",
    ),
    demand=str,
    verdict=VerdictOutcome,
    on_these_trials=bool,
    reason=str,
    rows=array_of(VERDICT_ROW),
)


@dataclass(frozen=True)
class RowVerdict:
    """What one assessment in scope says, beside `against` where it is compared.

    `low` and `high` are one-sided bounds: the one that must lie within at the confidence of the requirement,
    the other at that corrected for the number of rows; None without bounds. `excess` is by how much the
    deciding one lies beyond the bound, below 0 where it lies within, in the unit of the figure; for tags in
    places of the scale. `more` is how many more speakers would decide, None where 32 times as many would not
    or nobody asked. `reasons` say in sentences why it is not decided.
    """

    entry_id: str
    name: str
    outcome: VerdictOutcome
    finding: str  # its figure with the deciding bound, in words
    value: float | str | None = None
    low: float | None = None
    high: float | None = None
    excess: float = math.nan
    n_speakers: int | None = None
    more: int | None = None
    is_open: bool = False  # not decided by the bounds themselves
    is_awaited: bool = False  # what decides it has not been computed
    reasons: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All of it in words, without its name."""
        told = _ended(self.finding) if self.finding else ""
        return " ".join(filter(None, [told, *self.reasons, self.on_more if self.is_open else ""]))

    def not_by_more(self, *why: str) -> RowVerdict:
        """The row of which more speakers would not decide that it is met, for these reasons."""
        return replace(self, is_open=False, more=None, reasons=(*self.reasons, *why))

    @property
    def on_more(self) -> str:
        """How many more speakers would decide it."""
        if self.more is None:
            return say("verdict.more-never", times=MOST_TIMES)
        return say("verdict.more", count=self.more)

    def as_json(self) -> dict[str, object]:
        """Plain values; None where there is none."""
        said = visible(self.value) if isinstance(self.value, str) else self.value
        known = {"speakers": self.n_speakers, "more_speakers": self.more, "reason": self.sentence}
        return object_as_json(VERDICT_ROW, self, verdict=self.outcome, value=said, **known)


@dataclass(frozen=True)
class Verdict:
    """What came of a requirement over all rows in its scope."""

    requirement: Requirement
    rows: tuple[RowVerdict, ...]

    def among(self, ids: Collection[str]) -> Verdict | None:
        """The verdict of these assessments or matrices alone, by their ids; None where none is in scope.

        What is not met stays corrected for all rows that were judged together.
        """
        rows = tuple(row for row in self.rows if row.entry_id in ids)
        return replace(self, rows=rows) if rows else None

    @property
    def outcome(self) -> VerdictOutcome:
        """Not met where any row is not; met where all are; else, and without rows, not decided."""
        outcomes = {row.outcome for row in self.rows}
        if VerdictOutcome.NOT_MET in outcomes:
            return VerdictOutcome.NOT_MET
        return VerdictOutcome.MET if outcomes == {VerdictOutcome.MET} else VerdictOutcome.NOT_DECIDED

    @property
    def is_on_these_trials(self) -> bool:
        """Whether it holds of these trials alone, without a confidence."""
        return self.requirement.confidence is None

    @property
    def is_awaited(self) -> bool:
        """Whether nothing is decided, and some of what would decide it has not been computed."""
        return self.outcome is VerdictOutcome.NOT_DECIDED and any(row.is_awaited for row in self.rows)

    @property
    def in_words(self) -> str:
        """The outcome: "met", "not yet judged", "not decided by these data", "not met on these trials"."""
        if self.is_awaited:
            return say("verdict.awaited")
        if self.is_on_these_trials:
            return say(f"verdict.{self.outcome.value}-on-these")
        return say(f"verdict.{self.outcome.value}")

    @property
    def deciding(self) -> RowVerdict | None:
        """The row that the reason names: of those that made the outcome the one farthest beyond the bound.

        Where it is not decided that is the one with the worst figure, whether or not there is a bound of it:
        what lies near the bound is not why the others are open.
        """
        of_it = [row for row in self.rows if row.outcome is self.outcome]
        if self.outcome is VerdictOutcome.NOT_DECIDED:
            sign = 1.0 if self.requirement.is_upper else -1.0
            found = [(sign * row.value, row) for row in of_it if isinstance(row.value, float)]
            if found:
                return max(found, key=lambda one: one[0])[1]
        known = [row for row in of_it if not math.isnan(row.excess)]
        if known:
            return max(known, key=lambda row: row.excess)
        return of_it[0] if of_it else None

    @property
    def reason(self) -> str:
        """Why, with the deciding row and its bound, in a sentence or two."""
        row = self.deciding
        if row is None:
            of_what = "no-matrices" if self.requirement.of.is_of_matrices else "nothing"
            return say(f"verdict.reason-{of_what}")
        if self.is_awaited:
            return say("verdict.reason-awaited", count=sum(each.is_awaited for each in self.rows))
        made, total = sum(each.outcome is self.outcome for each in self.rows), len(self.rows)
        code = self.outcome.value if total > 1 else "alone"
        facts: dict[str, object] = {"count": made, "total": total, "row": row.name, "told": row.sentence}
        return visible_sentence(say(f"verdict.reason-{code}", **facts))

    @property
    def bound_in_words(self) -> str:
        """The bound that decides it, "at least 24 %", or the figure itself; empty where nothing is known."""
        row, asked = self.deciding, self.requirement
        if row is None or row.value is None or self.is_awaited:
            return ""
        in_words = asked.of.difference_in_words if asked.no_worse_than else asked.of.in_words
        is_above = asked.is_upper == (self.outcome is VerdictOutcome.NOT_MET)
        end = row.low if is_above else row.high
        if isinstance(row.value, str) or end is None or self.outcome is VerdictOutcome.NOT_DECIDED:
            return visible(row.value) if isinstance(row.value, str) else in_words(row.value)
        return say("verdict.with-least" if is_above else "verdict.with-most", value=in_words(end))

    @property
    def line(self) -> str:
        """Name, demand, outcome and reason in a line."""
        facts = {"name": self.requirement.name, "demand": self.requirement.in_words}
        return visible_sentence(say("verdict.line", **facts, verdict=self.in_words, reason=self.reason))

    def as_json(self) -> dict[str, object]:
        """What --json and the evidence print of it."""
        return object_as_json(
            VERDICT,
            self.requirement,
            demand=visible_sentence(self.requirement.in_words),
            verdict=self.outcome,
            on_these_trials=self.is_on_these_trials,
            reason=self.reason,
            rows=[row.as_json() for row in self.rows],
        )


def in_short(verdicts: Sequence[Verdict]) -> str:
    """How many of them came to what, in a sentence; empty where there are none."""
    if not verdicts:
        return ""
    counts = {outcome: sum(each.outcome is outcome for each in verdicts) for outcome in VerdictOutcome}
    words = {outcome.value.replace("-", "_"): count for outcome, count in counts.items()}
    return say(f"verdict.short{if_awaited(verdicts)}", count=len(verdicts), **words)


def worst_first(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Those that are not met, then those that are not decided, then the others, each in their order."""
    order = (VerdictOutcome.NOT_MET, VerdictOutcome.NOT_DECIDED, VerdictOutcome.MET)
    return sorted(verdicts, key=lambda each: order.index(each.outcome))


def worst_of(verdicts: Sequence[Verdict]) -> VerdictOutcome:
    """What comes of all together: not met before not decided before met."""
    outcomes = {each.outcome for each in verdicts}
    return next(
        (each for each in (VerdictOutcome.NOT_MET, VerdictOutcome.NOT_DECIDED) if each in outcomes),
        VerdictOutcome.MET,
    )


def if_awaited(verdicts: Sequence[Verdict]) -> str:
    """The end of the code of a sentence where all that is not decided has not been judged yet."""
    open_ones = [each for each in verdicts if each.outcome is VerdictOutcome.NOT_DECIDED]
    return "-awaited" if open_ones and all(each.is_awaited for each in open_ones) else ""


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


# What a requirement comes to for every single person, not for the mean: exposure, and being linked.


def row_of_everybody(asked: Requirement, entry: Entry, count: int) -> RowVerdict:
    """Met where the bound of each person holds, and not met where somebody lies beyond.

    `count` rows are tested together. Nothing is met while of somebody too little is known to say.
    """
    name, people = name_with_dataset(entry), entry.trust.people if entry.trust else None
    found = _bounds(asked, people)
    if found is None or (isinstance(found, ExposureBounds) and not found.are_enough.any()):
        told, why = "" if people is None else say("word.not-measurable"), _why_unknown(asked, entry, people)
        outcome = VerdictOutcome.NOT_DECIDED
        return RowVerdict(entry.id, name, outcome, told, reasons=(why,), is_awaited=people is None)
    assert asked.confidence is not None  # noqa: S101 - for the type checker: it has bounds
    bound, n = float(asked.bound), len(found.recordings)
    of_linking = isinstance(found, LinkageBounds)
    each = Family(n * count if of_linking else count, asked.confidence).level_of_each
    value, high, low = (
        float(one.max()) for one in (found.value, found.upper(asked.confidence), found.lower(each))
    )
    words = asked.of.in_words
    facts = {"value": words(value), "confidence": written(100.0 * asked.confidence, "g"), "people": n}
    row = RowVerdict(
        entry.id, name, VerdictOutcome.NOT_DECIDED, "", value, low, high, high - bound, n_speakers=n
    )
    if high <= bound:
        row = replace(row, finding=say("verdict.everybody", **facts, bound=words(high)))
        lacks = _too_little(found, entry)
        return replace(row, reasons=lacks) if lacks else replace(row, outcome=VerdictOutcome.MET)
    if low > bound:
        code = "somebody" if of_linking else "most-exposed-beyond"
        beyond = _n_beyond(found, bound, asked.confidence, count) if isinstance(found, LinkageBounds) else 1
        finding = say(f"verdict.{code}", **facts, count=beyond, bound=words(low))
        return replace(row, outcome=VerdictOutcome.NOT_MET, finding=finding, excess=low - bound)
    finding = say("verdict.highest-open", **facts, low=words(low), high=words(high))
    reasons = _too_little(found, entry)
    open_ones = (found.upper(asked.confidence) > bound) & (found.lower(each) <= bound)
    if isinstance(found, ExposureBounds):
        open_ones &= found.are_enough
    if open_ones.any():
        needed = float(found.recordings_needed(bound, asked.confidence, each)[open_ones].max())
        code = f"verdict.{_unit(entry)}"
        is_known = math.isfinite(needed)
        reasons += (say(code, count=int(needed)) if is_known else say(f"{code}-never", times=MOST_TIMES),)
    return replace(row, finding=finding, reasons=reasons)


def _unit(entry: Entry) -> str:
    """What is counted of each person."""
    return "recordings" if entry.sessions is None else "sessions"


def _too_little(found: EverybodysBounds, entry: Entry) -> tuple[str, ...]:
    """Of how many people too little is known to say, and what would tell it; nothing of nobody."""
    if isinstance(found, LinkageBounds):
        return (say("verdict.incomplete", count=found.n_unknown),) if found.n_unknown else ()
    few = int(np.count_nonzero(~found.are_enough))
    facts = {"count": few, "people": len(found.recordings), "fewest": FEWEST_SEGMENTS}
    return (say(f"verdict.few-{_unit(entry)}", **facts),) if few else ()


def _bounds(asked: Requirement, people: PeopleBounds | None) -> EverybodysBounds | None:
    if people is None:
        return None
    return people.exposure if asked.figure == MOST_EXPOSED else people.linkage_among(asked.detail.people)


def _why_unknown(asked: Requirement, entry: Entry, people: PeopleBounds | None) -> str:
    among, enrolled = asked.detail.people, people.n_enrolled if people else None
    if people is None or (among is not None and enrolled is not None and among <= enrolled):
        return say("verdict.no-people")
    if among is not None and enrolled is not None:
        return say("verdict.more-people", count=enrolled, people=among)
    drawn = entry.trust.uncertainty if entry.trust else None
    if drawn and drawn.unit is not ResamplingUnit.SPEAKER:
        return say("verdict.speakers-unknown")
    if asked.figure != MOST_EXPOSED:
        return say("verdict.linkage-unknown")
    if drawn and drawn.n_clusters < FEWEST_SPEAKERS:
        return say("verdict.few-of-everybody", count=drawn.n_clusters, fewest=FEWEST_SPEAKERS)
    code = "unknown" if entry.sessions is None else "of-sessions"
    return say(f"verdict.people-{code}", fewest=FEWEST_SEGMENTS)


def _n_beyond(found: LinkageBounds, bound: float, confidence: float, count: int) -> int:
    """How many people lie beyond the bound, step by step (Holm 1979)."""
    p = np.sort(found.p_above(bound))
    level = (1.0 - confidence) / count / np.arange(len(p), 0, -1)
    return int(np.argmax(np.append(p > level, True)))


def held_against_each(found: RowVerdict, entry: Entry, trust: AssessmentTrust) -> RowVerdict:
    """What others bear out: not met while somebody stands out, and never met where nobody can tell.

    Others can bear out nothing about somebody unlike them: the bound holds whatever becomes of that person.
    """
    people = trust.people
    apart = people.n_apart if people else None
    if not apart:
        is_open = [say("verdict.standing-out-open")] if apart is None else []
        few = _too_little(people.exposure, entry) if people and people.exposure else ()
        but = " ".join([*is_open, *few])
        if not but or found.outcome is not VerdictOutcome.MET:
            return found
        told = say("verdict.but", told=found.finding, objection=but)
        return replace(found, outcome=VerdictOutcome.NOT_DECIDED, finding=told)
    sentence = say("verdict.standing-out", count=apart, all=trust.uncertainty.n_clusters)
    return replace(
        found, outcome=VerdictOutcome.NOT_MET, finding=sentence, excess=math.inf, is_open=False, reasons=()
    )


def held_against_means(found: RowVerdict, asked: Requirement, people: PeopleBounds | None) -> RowVerdict:
    """A mean that would be met: not decided while it hides somebody who stands out, or where nobody can tell.

    More speakers do not change that. Of D_ECE, which has the scale of exposure, only where somebody who
    stands out lies beyond its bound.
    """
    if found.outcome is not VerdictOutcome.MET and not (found.is_open and people):
        return found
    if people is None or people.bits_apart is None:
        but = say("verdict.no-people" if people is None else "verdict.mean-may-hide")
    elif not len(people.bits_apart) or (
        asked.figure == D_ECE and asked.is_upper and people.bits_apart.max() <= float(asked.bound)
    ):
        return found
    else:
        facts = {"all": found.n_speakers, "bits": written(float(people.bits_apart.max()), ".2f")}
        but = say("verdict.mean-hides", count=len(people.bits_apart), **facts)
    if found.is_open:
        return found.not_by_more(but)
    told = say("verdict.but", told=found.finding, objection=but)
    return replace(found, outcome=VerdictOutcome.NOT_DECIDED, finding=told, is_awaited=people is None)
