"""What the user says about the attack on several assessments at once, where nothing was known before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from zebra_core.errors import InputError
from zebra_core.evidence.attack import ATTACK, StatedAttack
from zebra_core.project.items import Attacker, Item
from zebra_core.project.project import Project

LONGEST = 200  # characters of each
_BETWEEN = re.compile(r"[-_\s]+")


@dataclass(frozen=True)
class AttackWords(StatedAttack):
    """The user's words about an attack; empty where nothing is said.

    What the attacker knows is said of protected speech alone, all else of unprotected speech as well.
    """

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return bool(self.attack)

    @classmethod
    def typed(cls, **words: str) -> AttackWords:
        """Words that a user typed: "Lazy informed" becomes "lazy-informed". Raises InputError if too long."""
        plain = {name: " ".join(text.split()) for name, text in words.items()}
        for name, text in plain.items():
            if len(text) > LONGEST:
                raise InputError("attack-too-long", name=name.replace("_", " "), most=LONGEST)
        said = cls(**plain)
        return replace(said, attacker=_as_evaluations_say(said.attacker))

    def said_in(self, project: Project) -> Project:
        """The project with these words wherever it has none."""
        return replace(project, items=tuple(map(self.said_of, project.items))) if self else project

    def said_of(self, item: Item) -> Item:
        """The item with these words where it has none of its own; matrices have no attacker."""
        for entry in item.entries:
            words = replace(self, attacker="") if entry.is_original else self
            said = {name: text or words.attacked_by[name] for name, text in entry.attacked_by.items()}
            if said != entry.attacked_by:
                return entry.attacked_as(said)
        return item


def lacking(items: Iterable[Item]) -> dict[str, int]:
    """Of how many assessments nobody stated each part of `ATTACK`; OO needs no attacker's knowledge."""
    entries = [entry for item in items for entry in item.entries]
    counts = {name: sum(not entry.attacked_by[name] for entry in entries) for name in ATTACK}
    return counts | {"attacker": sum(not (entry.is_original or entry.attacker) for entry in entries)}


def _as_evaluations_say(attacker: str) -> str:
    """The value of Attacker that is meant; any other words unchanged."""
    known = {_BETWEEN.sub(" ", each.value): each.value for each in Attacker}
    return known.get(_BETWEEN.sub(" ", attacker.lower()), attacker)
