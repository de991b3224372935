"""What the user says about the attack on several assessments at once, where nothing was known before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from zebra_core.errors import InputError
from zebra_core.project.items import Attacker, Item
from zebra_core.project.project import Project

LONGEST = 200  # characters of each
_BETWEEN = re.compile(r"[-_\s]+")


@dataclass(frozen=True)
class AttackWords:
    """The user's words about an attack; empty where nothing is said.

    `attacker` is what the attacker knows, a value of Attacker or other words, and is said of protected speech
    alone; recogniser and back end are said of unprotected speech as well.
    """

    attacker: str = ""
    recogniser: str = ""
    back_end: str = ""

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return bool(self.attacker or self.recogniser or self.back_end)

    @classmethod
    def typed(cls, attacker: str = "", recogniser: str = "", back_end: str = "") -> AttackWords:
        """Words that a user typed: "Lazy informed" becomes "lazy-informed". Raises InputError if too long."""
        words = [" ".join(text.split()) for text in (attacker, recogniser, back_end)]
        for name, text in zip(("attacker", "recogniser", "back end"), words, strict=True):
            if len(text) > LONGEST:
                raise InputError("attack-too-long", name=name, most=LONGEST)
        return cls(_as_evaluations_say(words[0]), words[1], words[2])

    def said_in(self, project: Project) -> Project:
        """The project with these words wherever it has none."""
        return replace(project, items=tuple(map(self.said_of, project.items))) if self else project

    def said_of(self, item: Item) -> Item:
        """The item with these words where it has none of its own; matrices have no attacker."""
        for entry in item.entries:
            knowledge = "" if entry.is_original else self.attacker
            said = (
                entry.attacker or knowledge,
                entry.recogniser or self.recogniser,
                entry.back_end or self.back_end,
            )
            if said != (entry.attacker, entry.recogniser, entry.back_end):
                return replace(entry, attacker=said[0], recogniser=said[1], back_end=said[2])
        return item


def lacking(items: Iterable[Item]) -> tuple[int, int, int]:
    """How many assessments lack the attacker's knowledge (OO needs none), the recogniser and the back end."""
    entries = [entry for item in items for entry in item.entries]
    return (
        sum(not (entry.is_original or entry.attacker) for entry in entries),
        sum(not entry.recogniser for entry in entries),
        sum(not entry.back_end for entry in entries),
    )


def _as_evaluations_say(attacker: str) -> str:
    """The value of Attacker that is meant; any other words unchanged."""
    known = {_BETWEEN.sub(" ", each.value): each.value for each in Attacker}
    return known.get(_BETWEEN.sub(" ", attacker.lower()), attacker)
