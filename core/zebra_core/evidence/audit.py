"""The audit: what was found in the files of one assessment before any figure is made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import Meta

from zebra_core.errors import InputError
from zebra_core.evidence.decisions import Decision
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.remarks import Remark, Severity
from zebra_core.evidence.value_types import Whole
from zebra_core.wording.names import joined
from zebra_core.wording.texts import say

"""Other names that are understood: what remarks on the reading of scores call it."""


MOST_EXAMPLES = 5
Decisions = Annotated[tuple[Decision, ...], Meta(max_length=100)]


@dataclass(frozen=True)
class Example:
    """One line of a file, to be shown: its number, counted from 1, and its text."""

    file: str
    line: Whole
    text: str


@dataclass(frozen=True)
class Finding:
    """One thing that was found: its text as code and facts, some lines, and what the user may decide."""

    code: str
    severity: Severity
    facts: dict[str, Any] = field(default_factory=dict)
    examples: Annotated[tuple[Example, ...], Meta(max_length=100)] = ()
    lifted_by: Annotated[
        tuple[Decision, ...], Meta(max_length=100)
    ] = ()  # the decisions that would lift an error, or that a warning offers

    def __str__(self) -> str:
        return str(self.as_remark())

    @property
    def offer(self) -> str:
        """What the user may decide, in a sentence; empty where there is nothing."""
        if not self.lifted_by:
            return ""
        words = joined([str(decision) for decision in self.lifted_by])
        flags = " ".join(f"--allow {decision.value}" for decision in self.lifted_by)
        return say("finding.offer", words=words, flags=flags)

    def as_remark(self) -> Remark:
        """The finding as it stands beside the figures."""
        return Remark(self.code, self.facts, self.severity, section="finding")

    def as_error(self) -> AuditError:
        """The finding as the reason why there are no figures."""
        return AuditError(self.code, **self.facts, offer=self.offer)


class AuditError(InputError):
    """The audit failed: there are no figures, until files are mended or the user decides."""

    section = "finding"
    audit: Audit | None = None  # not kept on the way from a worker process

    def __str__(self) -> str:
        return " ".join(filter(None, (super().__str__(), str(self.facts["offer"]))))


@dataclass(frozen=True)
class Audit:
    """All counts and findings of one assessment. Numbers of rows, unless a name says otherwise."""

    files: tuple[InputFile, ...] = ()
    n_scores: Whole = 0  # rows read, before repeats were removed
    n_key: Whole = 0
    matched: Whole = 0  # trials that the figures are made of
    n_target: Whole = 0
    n_nontarget: Whole = 0
    scores_without_key: Whole = 0
    key_without_score: Whole = 0
    agreeing_repeats: Whole = 0
    contradicting_repeats: Whole = 0
    symmetric_repeats: Whole = 0
    nan_scores: Whole = 0
    infinite_scores: Whole = 0
    set_aside: Whole = 0  # spoof trials and other attacks
    tied_share: float = 0.0  # share of trials whose score another trial has, too
    decimals: Whole | None = None  # most digits behind the decimal sign; None: not told by text
    enrolments: Whole | None = None  # distinct ids; None where the files name none
    tests: Whole | None = None
    speakers: Whole | None = None  # by a speaker map
    median_target: float | None = None
    median_nontarget: float | None = None
    findings: tuple[Finding, ...] = ()
    decisions: Annotated[
        tuple[Decision, ...], Meta(max_length=100)
    ] = ()  # those of the user that changed something

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings for which there are no figures."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)

    def refuse_errors(self) -> None:
        """Raise AuditError for the first error, if there is one."""
        for finding in self.errors:
            error = finding.as_error()
            error.audit = self
            raise error
