"""Random codes for names, the same everywhere, and the key that leads back to the names."""

from __future__ import annotations

import json
import re
import secrets
import unicodedata
from collections.abc import Collection, Iterable, Sequence

_LETTERS = "bcdfghjkmnpqrstvwxyz"  # no digits, which a score could have, too; no vowels, no words
_LENGTH = 12  # 51 bits


class Codes:
    """Codes for all names that were asked for; their order, length and list reveal nothing of the names.

    Only the codes of one person are in the order of their ids, since recordings are pooled in that order.
    """

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}
        self._words: dict[str, str] = {}
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

    def of_words(self, words: Iterable[str]) -> None:
        """Give codes to words that are no ids, such as values of attributes; in the order of the words."""
        words = sorted(set(words))
        self._words = dict(zip(words, sorted(self.new() for _ in words), strict=True))

    def word(self, word: str) -> str:
        """The code of a word, or the word where it needs none."""
        return self._words.get(word, word)

    def new(self) -> str:
        """A new code, which stands for nothing yet."""
        while True:
            code = "".join(_LETTERS[secrets.randbelow(len(_LETTERS))] for _ in range(_LENGTH))
            if code not in self._used:
                self._used.add(code)
                return code

    def names(self) -> dict[str, str]:
        """The names by their codes, which ascend."""
        known = (*self._codes.items(), *self._words.items())
        return dict(sorted((code, name) for name, code in known))

    def as_file(self, **about: object) -> bytes:
        """The key to the codes, as JSON, with what else only its owner should know."""
        return (json.dumps({"names": self.names(), **about}, indent=1) + "\n").encode("ascii")


class HiddenNames:
    """Names that must not be read anywhere: looked for as whole words, in capitals or not, however composed.

    A name of one character would be found in every text; where it may be, `may_be_in` says so.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._folded = frozenset(_folded(name) for name in names if len(name) > 1)
        self._words = frozenset(name for name in self._folded if _PLAIN.fullmatch(name))
        self._others = tuple(self._folded - self._words)  # with marks in them, that cut texts into words
        self._short = frozenset(_folded(name) for name in names if len(name) == 1)

    def is_in(self, text: str) -> bool:
        """Whether one of the names is in a text."""
        folded = _folded(text)
        if not self._words.isdisjoint(_PLAIN.findall(folded)):
            return True
        return any(name in folded for name in self._others)

    def found_in(self, text: str) -> set[str]:
        """The names that are whole words of a text which anybody wrote, of those long enough to be no chance.

        A name with a letter is, from four characters on; one without, from twelve on.
        """
        folded = _folded(text)
        words = frozenset(_PLAIN.findall(folded))
        found = {name for name in self._words & words if _is_telling(name)}
        for name in self._others:
            if _is_telling(name) and words.issuperset(_PLAIN.findall(name)):
                found |= {name} if re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", folded) else set()
        return found

    def may_be_in(self, text: str) -> bool:
        """Whether a name of one character is a word of a text; it may be nobody's name there."""
        return not self._short.isdisjoint(_PLAIN.findall(_folded(text)))


_PLAIN = re.compile(r"[^\W_]+")  # what stands before _ in the name of a file is a word


def _is_telling(name: str) -> bool:
    return len(name) >= 12 or (len(name) >= 4 and any(map(str.isalpha, name)))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text.casefold())


def people_in(ids: Iterable[str], same: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The ids of each person, of whom pairs are known to be the same; an id by itself is one, too."""
    first: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := first.setdefault(name, name)) != name:
            first[name] = first[above]
            name = above
        return name

    for name in ids:
        root(name)
    for one, other in same:
        first[root(one)] = root(other)
    found: dict[str, list[str]] = {}
    for name in list(first):
        found.setdefault(root(name), []).append(name)
    return list(found.values())
