"""Catalogues of translations (gettext): brought up to date with the English, written, and compiled."""

from __future__ import annotations

import io
import string
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from english import TEXTS, WINDOW, Text

_MADE_OF = "Translated when the English was: "
_ALIKE = 0.6  # as difflib measures it: a sentence of which so much stayed is the same sentence, changed
_BEGUN = datetime(
    2026, 11, 23, tzinfo=UTC
)  # a catalogue has such a date; one of today would change it every time


def codes() -> list[str]:
    """The languages that have a catalogue."""
    return sorted(path.stem for path in TEXTS.glob("*.po"))


def is_known(code: str) -> bool:
    """Whether there is such a language: its forms for numbers and its name are known."""
    try:
        Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return False
    return True


def place(code: str) -> Path:
    """Where the catalogue of a language is."""
    return TEXTS / f"{code}.po"


def compiled(code: str) -> Path:
    """Where its compiled form is."""
    return TEXTS / f"{code}.mo"


def read(code: str) -> Catalog:
    """The catalogue of a language, as it is."""
    return read_po(io.BytesIO(place(code).read_bytes()), locale=code)


def updated(code: str, before: Catalog, texts: Iterable[Text]) -> Catalog:
    """The catalogue with these texts and no others.

    Where the English has changed the translation stays, marked as old ("fuzzy"), with the English that it was
    made of: a text of the core is known by its code, one of the window by what stayed of it.
    """
    catalog = _empty(code, before)
    old = {(message.context, _first(message.id)): message for message in before if message.id}
    new = list(texts)
    gone = set(old) - {text.key for text in new}
    for text in new:
        kept = old.get(text.key)
        changed = None if kept else _earlier(text, gone)
        message = kept or (old[changed] if changed else None)
        _add(catalog, text, message, is_old=kept is None or kept.id != text.id)
    return catalog


def as_po(catalog: Catalog) -> bytes:
    """As a file that people edit: each text a line, and no line numbers, which change with the code."""
    file = io.BytesIO()
    write_po(file, catalog, width=0, ignore_obsolete=True, include_lineno=False)
    return file.getvalue().rstrip() + b"\n"


def as_mo(catalog: Catalog) -> bytes:
    """As the file that the program reads: without what is missing, old, or lacks a form."""
    whole = _empty(str(catalog.locale), catalog)
    for message in catalog:
        if message.id and is_translated(message):
            whole[message.id] = message
    done, of = progress(catalog)
    whole.add("of", f"{done} {of}", context="catalogue.translated")
    file = io.BytesIO()
    write_mo(file, whole)
    return file.getvalue()


def progress(catalog: Catalog) -> tuple[int, int]:
    """How many texts are translated, of how many."""
    messages = [message for message in catalog if message.id]
    return sum(map(is_translated, messages)), len(messages)


def is_translated(message: Message) -> bool:
    """Whether every form of it is there, made of today's English, and can be said: with its placeholders."""
    english = [message.id] if isinstance(message.id, str) else list(message.id)
    forms = forms_of(message)
    return all(forms) and not message.fuzzy and all(has_placeholders(each, english) for each in forms)


def has_placeholders(translation: str, english: Sequence[str]) -> bool:
    """Whether a translation has the placeholders of a form that the English has."""
    return any(placeholders(translation) == placeholders(one) for one in english)


def placeholders(text: str) -> frozenset[str]:
    """The placeholders of a text with their formats, as {"count:n"}; {"?"} where a brace is broken."""
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return frozenset("?")
    return frozenset(f"{name}:{spec}" for _before, name, spec, _conversion in parts if name is not None)


def _empty(code: str, before: Catalog) -> Catalog:
    """A catalogue with the heading of another; the dates in it are the translators', not ours."""
    name = Locale.parse(code).english_name
    catalog = Catalog(
        locale=code,
        project="ZEBRA",
        version="1",
        header_comment=f"# {name} of ZEBRA; the terms to take, and what to leave as it is, are in terms.md.",
        creation_date=_BEGUN,
        revision_date=before.revision_date if before.locale else _BEGUN,
        charset="utf-8",
        fuzzy=False,
    )
    for of_translators in ("last_translator", "language_team", "msgid_bugs_address"):
        setattr(catalog, of_translators, getattr(before, of_translators) if before.locale else "")
    return catalog


def _add(catalog: Catalog, text: Text, message: Message | None, *, is_old: bool) -> None:
    kept = () if message is None else forms_of(message)
    earlier = () if message is None or not is_old or not any(kept) else (_MADE_OF + _english_of(message),)
    forms = (*kept, *[""] * catalog.num_plurals)[: catalog.num_plurals]
    new = catalog.add(
        text.id,
        forms[0] if text.one is None else forms,
        locations=[(text.file, 0)] if text.file else (),
        flags={"fuzzy"} if earlier else () if message is None else message.flags,
        auto_comments=[*filter(None, [text.comment]), *earlier],
        user_comments=() if message is None else message.user_comments,
        context=text.context,
    )
    new.flags -= {"python-format", "python-brace-format"}  # guessed of per cent signs and braces


def _english_of(message: Message) -> str:
    """The English that a translation was made of; where that was old already, the first."""
    told = [line.removeprefix(_MADE_OF) for line in message.auto_comments if line.startswith(_MADE_OF)]
    return told[0] if told else message.id if isinstance(message.id, str) else message.id[-1]


def forms_of(message: Message) -> tuple[str, ...]:
    """The translation in each form; a text without numbers has one."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def _earlier(text: Text, gone: set[tuple[str, str]]) -> tuple[str, str] | None:
    """Which text that is there no more this one was."""
    same = {english: (context, english) for context, english in gone if context == text.context}
    if not text.context.startswith(WINDOW):
        return next(iter(same.values()), None)
    alike = get_close_matches(text.one or text.english, same, 1, _ALIKE)
    return same[alike[0]] if alike else None


def _first(id: str | Sequence[str]) -> str:  # noqa: A002 - what Babel calls it
    return id if isinstance(id, str) else id[0]
