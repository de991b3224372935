"""The audit: what was found in the files of one assessment before any figure is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path, PurePath
from typing import Annotated, Any

from msgspec import Meta

from zebra_core.errors import InputError
from zebra_core.evidence.value_types import Sha256, Whole
from zebra_core.wording.texts import (
    LONGEST_QUOTE,
    MOST_NAMES,
    clauses,
    grouped,
    joined,
    say,
    visible,
    visible_sentence,
)

# What is a matter of judgement: the user's own decisions, each with a name that is stored and typed.


class Decision(Enum):
    """Something that is done only when the user says so; the value is its name for `--allow`."""

    KEY_LINES_WITHOUT_SCORE = "key-lines-without-score"
    INFINITE_SCORES = "infinite-scores"
    NAN_SCORES = "nan-scores"
    LOWER_IS_MORE_ALIKE = "lower-is-more-alike"
    LIKELIHOOD_RATIOS = "likelihood-ratios"
    IGNORE_CASE = "ignore-case"
    IGNORE_LEADING_ZEROS = "ignore-leading-zeros"
    IGNORE_DIRECTORIES = "ignore-directories"
    IGNORE_SUFFIXES = "ignore-suffixes"
    IGNORE_SIDES = "ignore-sides"
    IGNORE_QUOTES = "ignore-quotes"
    IGNORE_COMPOSITION = "ignore-composition"
    IGNORE_ENCODING = "ignore-encoding"
    SWAPPED_COLUMNS = "swapped-columns"
    SELF_COMPARISONS = "self-comparisons"
    STAND_IN_SCORES = "stand-in-scores"

    def __str__(self) -> str:
        """What it does, in words."""
        return say(f"decision.{self.value}")


ID_MAPPINGS = (
    Decision.IGNORE_CASE,
    Decision.IGNORE_LEADING_ZEROS,
    Decision.IGNORE_DIRECTORIES,
    Decision.IGNORE_SUFFIXES,
    Decision.IGNORE_SIDES,
    Decision.IGNORE_QUOTES,
    Decision.IGNORE_COMPOSITION,
    Decision.IGNORE_ENCODING,
)


ALSO = {"reversed": Decision.LOWER_IS_MORE_ALIKE.value}
"""Other names that are understood: what remarks on the reading of scores call it."""


def decisions(allow: Iterable[str | Decision]) -> frozenset[Decision]:
    """The decisions of these names. Raises InputError for a name that is none."""
    found = set()
    for name in allow:
        try:
            found.add(Decision(ALSO.get(name, name) if isinstance(name, str) else name))
        except ValueError as error:
            known = ", ".join(decision.value for decision in Decision)
            raise InputError("no-such-decision", found=name, known=known) from error
    return frozenset(found)


# Files that evidence was read from: as they were when read, and how it stands with them today.


BESIDE_TRIALS = frozenset({"attributes", "predictions"})
"""Roles of files that no figure of the trials rests on."""


class InputState(Enum):
    """How it stands today with a file that evidence was read from."""

    AS_READ = "as-read"
    MISSING = "missing"
    CHANGED = "changed"


@dataclass(frozen=True)
class ReplacementFile:
    """What lies today in the place of a file that has changed; None for what nobody knows."""

    size: int
    sha256: str | None = None
    rows: int | None = None
    path: Path | None = None  # its place, where the file that was read has been found in another


@dataclass(frozen=True)
class InputFile:
    """A file that evidence was read from, as it was when it was read, and how it stands with it today."""

    path: Path
    role: str  # a value of intake.tables.Role, "scores" or "key" for most
    size: Whole  # bytes
    sha256: Sha256  # of the file as it lies on disk
    rows: Whole  # lines that carry data
    member: str = ""  # which file of an archive
    format: str = ""  # code of what it was read as
    dialect: str = ""  # how it is written, in words
    state: InputState = InputState.AS_READ
    instead: ReplacementFile | None = None  # of a file that has changed, also where its bytes lie elsewhere

    @property
    def name(self) -> str:
        """The name shown to the user."""
        return f"{self.path.name} › {self.member}" if self.member else self.path.name


def distinguishing_names(paths: Sequence[PurePath]) -> list[str]:
    """For each path its file name, with as many folders before it as tell it from its namesakes.

    Folders above those are nobody's business, and differ from machine to machine.
    """
    depth = {}
    for name in {path.name for path in paths}:
        namesakes = {path.parts for path in paths if path.name == name}
        longest = max(len(parts) for parts in namesakes)
        depth[name] = next(
            n for n in range(1, longest + 1) if len({p[-n:] for p in namesakes}) == len(namesakes)
        )
    return ["/".join(part.strip("/\\") for part in path.parts[-depth[path.name] :]) for path in paths]


# Remarks: what the user must be told beside a figure.


class Severity(Enum):
    """How much a remark weighs."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"  # there are no figures for it to stand beside


@dataclass(frozen=True)
class Remark:
    """One thing to be told: `str()` is the sentence.

    Attributes
    ----------
    `code`
        Names its text in the section.
    `facts`
        The values in it. A fact that is said in words is a remark itself, or several: it is then said in the
        language of this one.
    `severity`
        How much it weighs.
    `section`
        The part of the texts where its code stands.

    Examples
    --------
    >>> from zebra_core import Remark, Trials, assess
    >>> [remark.code for remark in assess(Trials.from_scores([1.0, 2.0], [0.0])).remarks]
    ['linkability-not-measurable', 'scores-taken-for-llrs', 'cross-fitted-by-trials']
    >>> print(Remark("files-unused", {"count": 2}))
    2 files belong to no assessment and were left out.
    """

    code: str
    facts: dict[str, object] = field(default_factory=dict)
    severity: Severity = Severity.NOTE
    section: str = "remark"

    def __str__(self) -> str:
        # Its facts may come from a project that somebody else made.
        return visible_sentence(say(f"{self.section}.{self.code}", **self.facts))


@dataclass(frozen=True)
class Remarks:
    """Several remarks as a fact of another: `str()` is one line of clauses."""

    parts: tuple[Remark, ...]

    def __str__(self) -> str:
        return clauses(map(str, self.parts))


def and_more(names: Sequence[str], most: int = MOST_NAMES, longest: int = LONGEST_QUOTE) -> str | Remark:
    """The first names, each of up to so many characters, as a fact that says how many more there are."""
    shown = ", ".join(visible(name, longest) for name in names[:most])
    facts: dict[str, object] = {"shown": shown, "count": len(names) - most}
    return Remark("and-more", facts, section="word") if len(names) > most else shown


OF_INPUTS = frozenset(f"input-{state.value}" for state in InputState)
"""The codes of the remarks that are made here."""

_SHORT_HASH = 12
_LONGEST_PATH = 1000  # characters


def remarks_on_inputs(files: Iterable[InputFile]) -> tuple[Remark, ...]:
    """One remark for each file that is missing or has changed; files packed in one archive share theirs."""
    remarks = {
        (file.path, file.state): _remark(file) for file in files if file.state is not InputState.AS_READ
    }
    return tuple(remarks.values())


def replaced_files(files: Iterable[InputFile]) -> dict[Path, str]:
    """A sentence for each file that has changed, while the bytes that were read were found elsewhere.

    By the places of the files that have changed.
    """
    return {
        file.instead.path: say(
            "input-change.replaced",
            file=file.instead.path.name,
            place=visible(str(file.instead.path), _LONGEST_PATH),
            found=visible(str(file.path), _LONGEST_PATH),
        )
        for file in files
        if file.state is InputState.AS_READ and file.instead and file.instead.path
    }


def _remark(file: InputFile) -> Remark:
    facts: dict[str, object] = {"file": file.path.name, "folder": str(file.path.parent)}
    if file.state is InputState.CHANGED:
        facts["what"] = what_changed(file)
    return Remark(f"input-{file.state.value}", facts, Severity.WARNING)


def what_changed(file: InputFile) -> str:
    """Size, hash and rows as they were and as they are, as far as they differ and are known."""
    now = file.instead
    if now is None:
        return say("input-change.something")
    changes = []
    if now.size != file.size:
        changes.append(say("input-change.size", before=grouped(file.size), now=grouped(now.size)))
    if now.rows is not None and now.rows != file.rows:
        changes.append(say("input-change.rows", before=grouped(file.rows), now=grouped(now.rows)))
    if now.sha256 is not None and now.sha256 != file.sha256:
        before, after = file.sha256[:_SHORT_HASH], now.sha256[:_SHORT_HASH]
        changes.append(say("input-change.sha256", before=before, now=after))
    return ", ".join(changes) or say("input-change.something")


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


# What the user said about files: plain values that a project keeps, so that nobody is asked twice.


@dataclass(frozen=True)
class Answers:
    """Choices by the id of their question; names of decisions by the place of the score file they are for."""

    choices: Mapping[str, str] = field(default_factory=dict)
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def choosing(self, question_id: str, choice: str) -> Answers:
        """These answers with this choice for a question, in place of any earlier one."""
        return replace(self, choices={**self.choices, question_id: choice})

    def deciding(self, places: Iterable[str], decision: Decision, *, holds: bool) -> Answers:
        """These answers with a decision made, or taken back, for the score files at these places."""
        allowed = dict(self.allowed)
        for place in places:
            others = tuple(name for name in allowed.get(place, ()) if name != decision.value)
            allowed[place] = (*others, decision.value) if holds else others
        return replace(self, allowed=allowed)

    def decisions_for(self, place: str) -> frozenset[Decision]:
        """The decisions for the score file at this place."""
        return decisions(self.allowed.get(place, ()))

    def and_then(self, later: Answers) -> Answers:
        """These answers, where no later ones say otherwise."""
        return Answers({**self.choices, **later.choices}, {**self.allowed, **later.allowed})
