"""Codes for names: drawn by lot, the same at every place, and the key that leads back to the names."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterable, Mapping, Sequence

from zebra_core.evidence.trials import Trials

_LETTERS = "bcdfghjkmnpqrstvwxyz"  # no digits, which a score could have, too; no vowels, no words
_LENGTH = 12  # 51 bits


class Codes:
    """Of all names that were asked for. Neither order nor length nor a list of the names tells them.

    But the codes of one person are in the order of his or her ids, for recordings are pooled in that order.
    """

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._used: set[str] = set()

    def of(self, name: str) -> str:
        """The code of a name."""
        if name not in self._codes:
            self._codes[name] = self.new()
        return self._codes[name]

    def of_people(self, people: Iterable[Sequence[str]]) -> None:
        """Give codes to the ids of each of these people, none of which has one yet."""
        for ids in people:
            codes = sorted(self.new() for _ in ids)
            self._codes |= dict(zip(sorted(ids), codes, strict=True))

    def new(self) -> str:
        """A code of nothing yet."""
        while True:
            code = "".join(_LETTERS[secrets.randbelow(len(_LETTERS))] for _ in range(_LENGTH))
            if code not in self._used:
                self._used.add(code)
                return code

    def names(self) -> dict[str, str]:
        """The names by their codes, which ascend."""
        return dict(sorted((code, name) for name, code in self._codes.items()))

    def as_file(self, **told: object) -> bytes:
        """The key to the codes, as JSON, with what else only its owner should know."""
        return (json.dumps({"names": self.names(), **told}, indent=1) + "\n").encode("ascii")


class Hidden:
    """Names that must not be read anywhere: looked for as whole words, in capitals or not.

    A name of one character is in every text, and tells nobody anything there.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._folded = frozenset(name.casefold() for name in names if len(name) > 1)
        self._words = frozenset(name for name in self._folded if _PLAIN.fullmatch(name))
        self._others = tuple(self._folded - self._words)  # with marks in them, that cut texts into words

    def is_in(self, text: str) -> bool:
        """Whether one of the names is in a text."""
        folded = text.casefold()
        if not self._words.isdisjoint(_PLAIN.findall(folded)):
            return True
        return any(name in folded for name in self._others)


_PLAIN = re.compile(r"\w+")


def people_in(trials: Iterable[Trials], speakers: Iterable[Mapping[str, str]]) -> list[list[str]]:
    """The ids of each person, as target trials and maps of speakers tell; an id by itself is one, too."""
    first: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := first.setdefault(name, name)) != name:
            first[name] = first[above]
            name = above
        return name

    for each in trials:
        assert each.enrol is not None and each.test is not None  # noqa: PT018, S101 - the caller has looked
        of_target = each.is_target
        pairs = set(
            zip(each.enrol.codes[of_target].tolist(), each.test.codes[of_target].tolist(), strict=True)
        )
        for name in (*each.enrol.names, *each.test.names):
            root(name)
        for one, other in pairs:
            first[root(each.enrol.names[one])] = root(each.test.names[other])
    for of in speakers:
        for segment, speaker in of.items():
            first[root(segment)] = root(speaker)
    found: dict[str, list[str]] = {}
    for name in list(first):
        found.setdefault(root(name), []).append(name)
    return list(found.values())
