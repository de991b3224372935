"""Remarks: what the user must be told beside a figure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from zebra_core.evidence.files import InputFile, InputState
from zebra_core.wording.names import MOST_NAMES, clauses
from zebra_core.wording.texts import LONGEST_QUOTE, grouped, say, visible, visible_sentence


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
