"""Languages that nobody speaks: one with longer words full of accents, one with the longest of all languages.

As a catalogue is asked: whatever is said is found, and found to be something else than English.
"""

import gettext
import re
from collections.abc import Iterator
from contextlib import contextmanager

from zebra_core.wording import texts

_ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéíñóúýÁÇÉÍÑÓÚÝ")
_KEPT = re.compile(r"(\{[^{}]*\}|</?[a-z][^>]*>|&\w+;|&|`[^`]*`)")
_WORD = re.compile(r"[^\W\d_]+")
LONGER = 0.4


def lengthened(text: str) -> str:
    """The text with accents, each word 40 % longer; placeholders, markup and letters for keys stay."""
    return "".join(part if _KEPT.fullmatch(part) else _WORD.sub(_longer, part) for part in _KEPT.split(text))


def _longer(word: re.Match[str]) -> str:
    """More of its last letter."""
    accented = word[0].translate(_ACCENTS)
    return accented + accented[-1] * round(LONGER * len(accented))


class PseudoCatalogue(gettext.NullTranslations):
    """Answers everything; `special` has what must be of a certain form, by context."""

    def __init__(self, special: dict[str, str] | None = None) -> None:
        super().__init__()
        self._special = special or {}

    def pgettext(self, context: str, message: str) -> str:
        return self._special.get(context) or lengthened(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.pgettext(context, msgid1 if n == 1 else msgid2)


class LongestCatalogue(PseudoCatalogue):
    """Answers with the longest that any language has for a text; what fits so fits in each of them."""

    def __init__(self, special: dict[str, str]) -> None:
        super().__init__(special)
        self._real = [texts._catalogue(code) for code in texts.languages()]

    def pgettext(self, context: str, message: str) -> str:
        real = (catalogue.pgettext(context, message) for catalogue in self._real)
        return max(super().pgettext(context, message), *real, key=len)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        real = (catalogue.npgettext(context, msgid1, msgid2, n) for catalogue in self._real)
        return max(super().pgettext(context, msgid1 if n == 1 else msgid2), *real, key=len)


@contextmanager
def pseudo_language(
    code: str = "xx", special: dict[str, str] | None = None, kind: type[PseudoCatalogue] = PseudoCatalogue
) -> Iterator[str]:
    """One more language, there for as long as the block lasts."""
    there, catalogue = texts._there, texts._catalogue
    pseudo = kind(special or {})
    texts._there = lambda: (*there(), code)
    texts._catalogue = lambda asked: pseudo if asked == code else catalogue(asked)
    try:
        yield code
    finally:
        texts._there, texts._catalogue = there, catalogue
