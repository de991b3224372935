"""What is wrong with a translation: missing, old, a form or a placeholder that lacks, a wrong term."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache

from babel.messages.catalog import Catalog, Message
from catalogues import forms_of, has_placeholders, placeholders
from english import TEXTS, WINDOW

_MARKUP = re.compile(r"</?[a-z]+[^>]*>|\*\*|`")
_MNEMONIC = re.compile(r"&(?=[^\s&])")
_NO_LANGUAGE = re.compile(
    r"\{[^{}]*\}|\bzebra [a-z]+|--[a-z-]+( [a-z]+-[a-z-]+)?|\w*_\w+|\w+\.[a-z]+\b|\[\[?\w+\]\]?|\b[A-Z]{3,}\b"
)
_TITLES = "reference."
NO_FORMS = ", "


class What(Enum):
    """Kinds of complaints, in the order in which they matter."""

    MISSING = "not translated"
    OLD = "translated from an earlier English sentence"
    FORMS = "a form for some number is missing"
    PLACEHOLDERS = "other placeholders than in English"
    MARKUP = "other markup than in English"
    MNEMONIC = "with a letter for the keyboard where English has none, or without one"
    SPACE = "begins or ends with other blanks than English"
    BLANK = "with lines of its own, or a blank that is shown as \\xa0: U+202F is the one that does not break"
    TERM = "a word that zebra_resources/texts/terms.md rules out"
    OTHER_TERM = "without the word that zebra_resources/texts/terms.md has for a term"


@dataclass(frozen=True)
class Complaint:
    """One thing that is wrong with one translation."""

    what: What
    context: str
    english: str
    why: str = ""

    def __str__(self) -> str:
        return (
            f"{self.context}: {self.what.value}{f' ({self.why})' if self.why else ''}: {self.english[:80]!r}"
        )


@dataclass(frozen=True)
class Term:
    """A term of the field: English, what it is in each language, and what it is not."""

    english: str
    words: Mapping[str, tuple[str, ...]]
    not_words: Mapping[str, tuple[str, ...]]
    elsewhere: tuple[str, ...] = ()  # the texts in which the English word means something else


def terms(page: str | None = None) -> tuple[Term, ...]:
    """The rows of those tables of terms.md that begin with `en`; a `;` parts words of a cell."""
    page = (TEXTS / "terms.md").read_text(encoding="utf-8") if page is None else page
    found: list[Term] = []
    elsewhere: dict[str, tuple[str, ...]] = {}
    heads: list[str] = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            heads = []
        elif not heads:
            heads = cells
        elif heads[0] == "en" and not set(cells[0]) <= set("-: "):
            row = dict(zip(heads, cells, strict=True))
            words = {code: _words(row[code]) for code in heads if re.fullmatch(r"[a-z]{2}(_[A-Z]{2})?", code)}
            nots = {code.removeprefix("not "): _words(row[code]) for code in heads if code.startswith("not ")}
            found.append(Term(words.pop("en")[0], words, nots))
        elif heads[0] == "no term":
            elsewhere[cells[0]] = _words(cells[1])
    return tuple(replace(term, elsewhere=elsewhere.get(term.english, ())) for term in found)


def complaints_about(catalog: Catalog, known: Sequence[Term]) -> Iterator[Complaint]:
    """Everything that is wrong with a catalogue, text by text."""
    for message in catalog:
        if message.id:
            yield from _about(message, str(catalog.locale), catalog.num_plurals, known)


def _about(message: Message, code: str, forms: int, known: Sequence[Term]) -> Iterator[Complaint]:
    english = [message.id] if isinstance(message.id, str) else list(message.id)
    strings = forms_of(message)
    context = message.context or ""

    def complaint(what: What, why: str = "") -> Complaint:
        return Complaint(what, context, english[-1], why)

    if not any(strings):
        yield complaint(What.MISSING)
        return
    if message.fuzzy:
        yield complaint(What.OLD)
        return
    if not all(strings) or (len(english) > 1 and len(strings) != forms):
        yield complaint(What.FORMS, NO_FORMS.join(str(n) for n, each in enumerate(strings) if not each))
    for each in filter(None, strings):
        if not has_placeholders(each, english):
            differ = placeholders(each) ^ placeholders(english[-1])
            yield complaint(What.PLACEHOLDERS, " ".join(sorted(differ)) or "one of them broken")
        if not any(_markup(each) == _markup(one) for one in english):
            yield complaint(What.MARKUP)
        if context.startswith(WINDOW) and len(_MNEMONIC.findall(each)) != len(_MNEMONIC.findall(english[-1])):
            yield complaint(What.MNEMONIC)
        yield from map(complaint, _blanks(each, english))
    yield from (complaint(what, why) for what, why in _terms(context, english, strings, code, known))


def _terms(
    context: str, english: Sequence[str], strings: Sequence[str], code: str, known: Sequence[Term]
) -> Iterator[tuple[What, str]]:
    """Terms that are ruled out, and terms of the English that the translation has no word for."""
    if context.startswith(_TITLES):
        return  # what others have written keeps its title
    said = " ".join(strings)
    yield from ((What.TERM, word) for word in _ruled_out(said, code, known))
    meant = [term for term in known if context not in term.elsewhere]
    yield from ((What.OTHER_TERM, why) for why in _not_used(" ".join(english), said, code, meant))


def _markup(text: str) -> Counter[str]:
    return Counter(_MARKUP.findall(text))


def _blanks(said: str, english: Sequence[str]) -> Iterator[What]:
    if not any(_ends(said) == _ends(one) for one in english):
        yield What.SPACE
    if any(blank in said and blank not in "".join(english) for blank in "\n\xa0"):
        yield What.BLANK


def _ends(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def _words(cell: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in cell.split(";") if word.strip())


def _ruled_out(text: str, code: str, known: Sequence[Term]) -> Iterator[str]:
    for term in known:
        yield from (word for word in term.not_words.get(code, ()) if _has(word, text))


def _not_used(english: str, text: str, code: str, known: Sequence[Term]) -> Iterator[str]:
    for term in known:
        words = term.words.get(code, ())
        if words and _stands_in(term.english, english) and not any(_has(word, text) for word in words):
            yield f"{term.english}: {' or '.join(words)}"


def _has(term: str, text: str) -> bool:
    """Whether the term stands in a text, with whatever ending each of its words has; or within a compound."""
    return re.search(_any_ending(term), _spoken(text), re.IGNORECASE) is not None


def _stands_in(term: str, english: str) -> bool:
    """The same in English, where a term is whole words: there is no tag in a percentage."""
    return re.search(rf"\b{re.escape(term)}s?\b", _spoken(english), re.IGNORECASE) is not None


@cache
def _any_ending(term: str) -> str:
    return r"\w*[\s-]+".join(re.escape(word) for word in re.split(r"[\s-]+", term))


@lru_cache(maxsize=2)  # an English text and its translation are looked through for every term
def _spoken(text: str) -> str:
    """A text without placeholders, commands, options and names of files, which are of no language."""
    return _MNEMONIC.sub("", _NO_LANGUAGE.sub(" ", text))
