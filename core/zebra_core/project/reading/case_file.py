"""The words of a report about its case, from a TOML file: who asks whom, what, and of which attacker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from zebra_core.errors import InputError
from zebra_core.files.toml_file import read_toml
from zebra_core.project.attack_words import AttackWords
from zebra_core.project.project import Project
from zebra_core.project.report_settings import FEWEST_PEOPLE, LONGEST_TEXT, MOST_SIGNERS

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
)
ATTACKER, RECOGNISER, BACK_END, SIGNATORIES = "attacker", "recogniser", "back_end", "signatories"
PEOPLE = "people"
KEYS = (*TEXTS, PEOPLE, ATTACKER, RECOGNISER, BACK_END, SIGNATORIES)


@dataclass(frozen=True)
class CaseWords:
    """What the file says; what it does not say is not in `texts`, empty or None."""

    texts: Mapping[str, str]
    attack: AttackWords = field(default_factory=AttackWords)  # where nobody has said it
    signatories: tuple[str, ...] | None = None
    people: int | None = None

    def said_of(self, project: Project) -> Project:
        """The project with these words; what it said of the same is replaced, but for attacks."""
        stated: dict[str, Any] = dict(self.texts)
        if self.signatories is not None:
            stated["signers"] = self.signatories
        if self.people is not None:
            stated["people"] = self.people
        return replace(self.attack.said_in(project), report=replace(project.report, **stated))


def read_case(path: Path) -> CaseWords:
    """Read the words. Raises InputError with file and line for what is no TOML or nothing a report says."""
    found = read_toml(path, no_toml="case-not-toml", too_large="case-too-large")
    values = found.values
    for name, value in values.items():
        _check(name, value, path.name, found.lines.of_key(name))
    return CaseWords(
        {name: values[name] for name in TEXTS if name in values},
        AttackWords(*(values.get(name, "") for name in (ATTACKER, RECOGNISER, BACK_END))),
        tuple(values[SIGNATORIES]) if SIGNATORIES in values else None,
        values.get(PEOPLE),
    )


def _check(name: str, value: object, file: str, line: int) -> None:
    if name not in KEYS:
        raise InputError("case-unknown", file=file, line=line, found=name, known=", ".join(KEYS))
    if name == PEOPLE:
        if type(value) is not int or value < FEWEST_PEOPLE:
            raise InputError("case-not-people", file=file, line=line, name=name, fewest=FEWEST_PEOPLE)
        return
    texts: list[Any] = value if isinstance(value, list) else [value]
    wanted = "case-not-texts" if name == SIGNATORIES else "case-not-text"
    if (name == SIGNATORIES) is not isinstance(value, list) or not all(isinstance(one, str) for one in texts):
        raise InputError(wanted, file=file, line=line, name=name)
    if len(texts) > MOST_SIGNERS:
        raise InputError("case-too-many", file=file, line=line, most=MOST_SIGNERS)
    if any(len(one) > LONGEST_TEXT for one in texts):
        raise InputError("case-too-long", file=file, line=line, name=name, most=LONGEST_TEXT)
