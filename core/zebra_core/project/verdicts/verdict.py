"""A verdict: whether a requirement is met, by which row, by which bound, and what keeps it open."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from zebra_core.evidence.value_types import NumberOrNone, array_of, json_object, note, object_as_json
from zebra_core.project.requirements.requirement import RecordedWhen, Requirement, Sense
from zebra_core.uncertainty.one_sided import MOST_TIMES
from zebra_core.wording.texts import say, visible, visible_sentence


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
