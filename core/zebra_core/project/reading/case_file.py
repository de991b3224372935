"""The words of a report about its case, from a TOML file: who asks whom, what, and of which attacker."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.evidence.attack import ATTACK
from zebra_core.files.toml_file import read_toml
from zebra_core.project.attack_words import AttackWords
from zebra_core.project.project import Project
from zebra_core.project.report_settings import (
    CONTEXT_TEXTS,
    FEWEST_PEOPLE,
    LONGEST_CONTEXT,
    LONGEST_TEXT,
    MOST_PEOPLE,
    MOST_SIGNERS,
    Access,
)

TEXTS = (
    "case",
    "author",
    "organisation",
    "requester",
    "report_id",
    "question",
    "propositions",
    "relevance",
    "safeguard",
    *CONTEXT_TEXTS,
)
PEOPLE, ACCESS, REVIEW_ON, SIGNATORIES = "people", "access", "review_on", "signatories"
KEYS = (*TEXTS, PEOPLE, ACCESS, REVIEW_ON, *ATTACK, SIGNATORIES)


@dataclass(frozen=True)
class CaseWords:
    """What the file says; what it does not say is not in `texts`, empty or None."""

    texts: Mapping[str, str]
    attack: AttackWords = field(default_factory=AttackWords)  # where nobody has said it
    signatories: tuple[str, ...] | None = None
    people: int | None = None
    access: Access | None = None
    review_on: dt.date | None = None

    def said_of(self, project: Project) -> Project:
        """The project with these words; what it said of the same is replaced, but for attacks."""
        stated: dict[str, Any] = dict(self.texts)
        others = {"signers": self.signatories, ACCESS: self.access, REVIEW_ON: self.review_on}
        stated |= {name: value for name, value in others.items() if value is not None}
        said = replace(self.attack.said_in(project), report=replace(project.report, **stated))
        return said if self.people is None else said.among(self.people)


def read_case(path: Path) -> CaseWords:
    """Read the words. Raises InputError with file and line for what is no TOML or nothing a report says."""
    found = read_toml(path, no_toml="case-not-toml", too_large="case-too-large")
    values = found.values
    for name, value in values.items():
        _check(name, value, path.name, found.lines.of_key(name))
    return CaseWords(
        {name: values[name] for name in TEXTS if name in values},
        AttackWords(**{name: values[name] for name in ATTACK if name in values}),
        tuple(values[SIGNATORIES]) if SIGNATORIES in values else None,
        values.get(PEOPLE),
        Access(values[ACCESS]) if ACCESS in values else None,
        _date(values[REVIEW_ON]) if REVIEW_ON in values else None,
    )


def _date(value: object) -> dt.date | None:
    """A date of TOML, or as text; None for anything else, also for a date with a time."""
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        try:
            return dt.date.fromisoformat(value)
        except ValueError:
            return None
    return value if type(value) is dt.date else None


def _check(name: str, value: object, file: str, line: int) -> None:
    if name not in KEYS:
        raise InputError("case-unknown", file=file, line=line, found=name, known=", ".join(KEYS))
    if name == PEOPLE:
        if type(value) is not int or not FEWEST_PEOPLE <= value <= MOST_PEOPLE:
            facts = {"fewest": FEWEST_PEOPLE, "most": MOST_PEOPLE}
            raise InputError("case-not-people", file=file, line=line, name=name, **facts)
    elif name == ACCESS:
        if value not in [one.value for one in Access]:
            raise InputError("case-not-access", file=file, line=line)
    elif name == REVIEW_ON:
        if _date(value) is None:
            raise InputError("case-not-date", file=file, line=line, name=name)
    else:
        _check_texts(name, value, file, line)


def _check_texts(name: str, value: object, file: str, line: int) -> None:
    texts: list[Any] = value if isinstance(value, list) else [value]
    wanted = "case-not-texts" if name == SIGNATORIES else "case-not-text"
    if (name == SIGNATORIES) is not isinstance(value, list) or not all(isinstance(one, str) for one in texts):
        raise InputError(wanted, file=file, line=line, name=name)
    if len(texts) > MOST_SIGNERS:
        raise InputError("case-too-many", file=file, line=line, most=MOST_SIGNERS)
    most = LONGEST_CONTEXT if name in CONTEXT_TEXTS else LONGEST_TEXT
    if any(len(one) > most for one in texts):
        raise InputError("case-too-long", file=file, line=line, name=name, most=most)
