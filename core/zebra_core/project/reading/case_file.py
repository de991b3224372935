"""The words of a report about its case, from a TOML file: who asks whom, what, and of which attacker."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from zebra_core.errors import InputError
from zebra_core.evidence.attack import ATTACK
from zebra_core.evidence.speaker_names import Sessions
from zebra_core.evidence.value_types import hints_of
from zebra_core.files.toml_file import read_toml
from zebra_core.intake.drop import sessions_named
from zebra_core.project.attackers import AttackWords
from zebra_core.project.project import Project
from zebra_core.project.report_settings import (
    CONTEXT,
    FEWEST_PEOPLE,
    LONGEST_TEXT,
    MOST_PEOPLE,
    MOST_SIGNERS,
    TEXTS,
    ReportSettings,
)

_SIGNATORIES = "signatories"
_STATED = (*(name for name in TEXTS if name not in CONTEXT), *CONTEXT)
_SESSIONS = "sessions"
KEYS = (*_STATED, *ATTACK, _SIGNATORIES, _SESSIONS)
_WRONG = {"access": "case-not-access", "people": "case-not-people", "review_on": "case-not-date"}
"""What is said of a value that is not as `ReportSettings` has it, but for texts."""


@dataclass(frozen=True)
class CaseWords:
    """What the file says, by the names in `ReportSettings`; what it does not say is not there, or empty."""

    stated: Mapping[str, Any]
    attack: AttackWords = field(default_factory=AttackWords)  # where nobody has said it
    sessions: Sessions | None = None  # of all recordings

    def said_of(self, project: Project) -> Project:
        """The project with these words; what it said of the same is replaced, but for attacks."""
        said = replace(self.attack.said_in(project), report=replace(project.report, **self.stated))
        said = said if self.sessions is None else said.in_sessions(self.sessions)
        people = self.stated.get("people")
        return said if people is None else said.among(people)


def read_case(path: Path) -> CaseWords:
    """Read the words. Raises InputError with file and line for what is no TOML or nothing a report says."""
    found = read_toml(path, no_toml="case-not-toml", too_large="case-too-large")
    read: dict[str, Any] = {}
    for name, value in found.values.items():
        at = {"file": path.name, "line": found.lines.of_key(name)}
        if name not in KEYS:
            raise InputError("case-unknown", **at, found=name, known=", ".join(KEYS))
        read[name] = _signatories(value, at) if name == _SIGNATORIES else _read(name, value, at)
    stated = {name: read[name] for name in _STATED if name in read}
    if _SIGNATORIES in read:
        stated["signers"] = read[_SIGNATORIES]
    sessions = sessions_named(read[_SESSIONS], path.parent) if _SESSIONS in read else None
    return CaseWords(stated, AttackWords(**{name: read[name] for name in ATTACK if name in read}), sessions)


def _read(name: str, value: object, at: Mapping[str, Any]) -> object:
    """A value of the type that its field has. Raises InputError."""
    if isinstance(value, str) and len(value) > (most := TEXTS.get(name, LONGEST_TEXT)):
        raise InputError("case-too-long", **at, name=name, most=most)
    try:
        if isinstance(value, dt.datetime):  # which is a date, too
            raise msgspec.ValidationError(name)
        return msgspec.convert(value, hints_of(ReportSettings).get(name, str))
    except msgspec.ValidationError as error:
        facts = {"fewest": FEWEST_PEOPLE, "most": MOST_PEOPLE} if name == "people" else {}
        raise InputError(_WRONG.get(name, "case-not-text"), **at, name=name, **facts) from error


def _signatories(value: object, at: Mapping[str, Any]) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError("case-not-texts", **at, name=_SIGNATORIES)
    if len(value) > MOST_SIGNERS:
        raise InputError("case-too-many", **at, most=MOST_SIGNERS)
    return tuple(str(_read(_SIGNATORIES, one, at)) for one in value)
