"""The language that sentences are said in, and its catalogue: English in, the translation out.

English is the source and needs no catalogue. Any other language is two files in zebra_resources/texts:
de.po, which people translate, and de.mo, which `make languages` compiles of it. Only the latter is read here,
when something is first said in that language. What a catalogue lacks is said in English.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

import zebra_resources

ENGLISH = "en"
_COMPILED = ".mo"
_ENOUGH = 0.9  # of its texts; half a page in another language helps nobody

_everywhere = ENGLISH
_here: ContextVar[str | None] = ContextVar("language", default=None)


def current() -> str:
    """The language in which sentences are said, as "de"."""
    return _here.get() or _everywhere


def use(code: str) -> None:
    """From now on say everything in this language, in all threads. Raises LookupError if it is not there."""
    global _everywhere  # noqa: PLW0603 - what a process speaks is one for all of it
    _everywhere = _known(code)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Within this block say everything in this language, as a report in its own; no other thread notices.

    Raises LookupError for a language that is not there.
    """
    before = _here.set(_known(code))
    try:
        yield
    finally:
        _here.reset(before)


def languages() -> tuple[str, ...]:
    """The languages there are: English, then the others by their codes."""
    return _there()


@cache
def _there() -> tuple[str, ...]:
    catalogues = zebra_resources.path("texts").glob(f"*{_COMPILED}")
    return (ENGLISH, *sorted(path.name.removesuffix(_COMPILED) for path in catalogues))


def language_for(wanted: str) -> str | None:
    """The language that serves somebody who wants "de", "de-AT" or "de_AT.UTF-8"; None where none does."""
    asked = wanted.partition(".")[0].partition("@")[0].replace("_", "-").lower()
    if asked in ("c", "posix"):
        return ENGLISH
    there = {code.replace("_", "-").lower(): code for code in languages()}
    return there.get(asked) or there.get(asked.partition("-")[0])


def translated(context: str, english: str) -> str:
    """The text in the current language, or in English where its catalogue lacks it.

    `context` tells apart what is the same in English: the code of a text ("input.sound-none"), or "window."
    and the class that shows it.
    """
    return _catalogue(current()).pgettext(context, english)


def translated_for(context: str, one: str, several: str, count: int) -> str:
    """The text in the current language, in its form for so many; `one` and `several` are English."""
    return _catalogue(current()).npgettext(context, one, several, count)


def language_tag(code: str) -> str:
    """A language as files name it, by BCP 47: "pt-BR"; our English is British."""
    return "en-GB" if code == ENGLISH else code.replace("_", "-")


def own_name(code: str) -> str:
    """What a language calls itself; its code, until somebody has translated that."""
    name = _catalogue(_known(code)).pgettext("language.own-name", "English")
    return code if name == "English" and code != ENGLISH else name


def translated_texts(code: str) -> tuple[int, int]:
    """How many texts are translated, of how many; both are 0 for English, the source.

    As they were counted when the catalogue was compiled.
    """
    done, _, of = _catalogue(_known(code)).pgettext("catalogue.translated", "of").partition(" ")
    return (int(done), int(of)) if done.isdecimal() and of.isdecimal() else (0, 0)


def is_ready(code: str) -> bool:
    """Whether enough of a language is translated to offer it to people who did not ask for it by name."""
    done, of = translated_texts(code)
    return done >= _ENOUGH * of


def _known(code: str) -> str:
    if code not in languages():
        raise LookupError(f"there is no language {code!r}; there are {', '.join(languages())}")
    return code


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == ENGLISH:
        return gettext.NullTranslations()
    return gettext.GNUTranslations(io.BytesIO(zebra_resources.read_bytes(f"texts/{code}{_COMPILED}")))
