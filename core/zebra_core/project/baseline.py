"""An earlier assessment that a project is held against: what it was of, and what it stated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from zebra_core.evidence.value_types import Count, Name, Positive, Sha256
from zebra_core.project.items import Condition
from zebra_core.wording.texts import as_said, date_pattern, say, visible

_MOST_ATTACKS, _MOST_VERDICTS, _MOST_TOLD = 10_000, 200, 50
_Number = Annotated[float, Meta(ge=-1e9, le=1e9)]


@dataclass(frozen=True)
class EarlierFigure:
    """A figure of then with its interval, and how many speakers it rests on."""

    value: _Number
    low: _Number
    high: _Number
    speakers: Positive
    level: Annotated[float, Meta(gt=0.0, lt=1.0)] = 0.95


@dataclass(frozen=True)
class PairedChange:
    """By how much the figure is another now, with everybody drawn for both, and the p-value of that alone."""

    value: _Number
    p_value: Annotated[float, Meta(ge=0.0, le=1.0)]
    shared: Count  # speakers who are in both


@dataclass(frozen=True)
class EarlierAttack:
    """An assessment of then: what it was of, what it found; `figure` is None where it had no interval."""

    name: Name
    dataset: Name
    run: Name
    condition: Condition | None
    attacker: Name
    recogniser: Name
    back_end: Name
    figure: EarlierFigure | None = None
    paired: PairedChange | None = None
    is_computed: bool = False  # anew, by this version, from its scores

    @property
    def of(self) -> tuple[object, ...]:
        """What it shares with the assessment of the same attack on the same speech."""
        stated = self.attacker, self.recogniser, self.back_end
        return self.name, self.dataset, self.run, self.condition, stated


@dataclass(frozen=True)
class EarlierVerdict:
    """A verdict of then on a requirement, with the figure that decided it, in its unit."""

    name: Name
    figure: str
    verdict: Literal["met", "not-met", "not-decided"]
    value: _Number | None = None
    low: _Number | None = None
    high: _Number | None = None


@dataclass(frozen=True)
class EarlierAnswer:
    """How often the right one of so many people was named then, by the strongest attack on a safeguard."""

    safeguard: Name
    people: Annotated[int, Meta(ge=2)]
    named: _Number
    low: _Number | None = None
    high: _Number | None = None


@dataclass(frozen=True)
class Baseline:
    """An earlier assessment, as far as it is needed to say what has changed.

    `told` says what was checked of it, in sentences; `looks` counts how often anybody has looked for changes
    since the first of its line; `is_same_people`: the user says that the same ids are the same people.
    """

    file: Name
    sha256: Sha256
    title: Name
    version: Name  # of ZEBRA, that stated its figures
    date: Name = ""
    looks: Positive = 1
    is_same_people: bool = False
    attacks: Annotated[tuple[EarlierAttack, ...], Meta(max_length=_MOST_ATTACKS)] = ()
    verdicts: Annotated[tuple[EarlierVerdict, ...], Meta(max_length=_MOST_VERDICTS)] = ()
    answers: Annotated[tuple[EarlierAnswer, ...], Meta(max_length=_MOST_ATTACKS)] = ()
    told: Annotated[tuple[Name, ...], Meta(max_length=_MOST_TOLD)] = ()

    @property
    def in_words(self) -> str:
        """Which one it is."""
        title = visible(as_said(self.title, "demo") or self.file)
        match self.date.split("-"):
            case [year, month, day]:
                written = date_pattern(year=year, month=month, day=day)
                return say("since.baseline-of", title=title, date=written)
        return title
