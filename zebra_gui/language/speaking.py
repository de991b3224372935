"""The language that the program speaks: as somebody asked for, or else that of the system. Without Qt."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Mapping, Sequence

from zebra_core.wording.texts import ENGLISH, is_ready, language_for, use

VARIABLE = "ZEBRA_LANGUAGE"
OPTION = "--language"
_OF_THE_SYSTEM = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that says anything, as POSIX has it


def speak(wanted: str | None = None) -> None:
    """Say everything from now on in the language that `wanted` or ZEBRA_LANGUAGE ask for, or the system's.

    Raises LookupError if what was asked for is not there. Programs started from here on speak it, too.
    """
    asked = wanted or os.environ.get(VARIABLE)
    if asked:
        code = language_for(asked)
        if code is None:
            raise LookupError(asked)
        os.environ[VARIABLE] = code
        use(code)
    else:
        use(best_of(of_the_system(os.environ)))


def is_asked_for() -> bool:
    """Whether somebody asked for a language as the program was started."""
    return bool(os.environ.get(VARIABLE))


def best_of(wanted: Sequence[str]) -> str:
    """The first of the wanted languages that is ready; English where none is."""
    return next((code for each in wanted if (code := language_for(each)) and is_ready(code)), ENGLISH)


def of_the_system(variables: Mapping[str, str]) -> list[str]:
    """The languages in which somebody has their system, the best first."""
    said = next((variables[name] for name in _OF_THE_SYSTEM if variables.get(name)), "")
    if said.partition(".")[0] in ("C", "POSIX"):
        return [ENGLISH]
    if said:
        return [*filter(None, variables.get("LANGUAGE", "").split(":")), said]
    if sys.platform == "win32":
        import ctypes

        return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), ENGLISH)]
    return [ENGLISH]


def without_language(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """What was typed without a `--language CODE` before everything else, and that code."""
    first, *rest = arguments or [""]
    if first == OPTION and rest:
        return rest[1:], rest[0]
    if first.startswith(f"{OPTION}="):
        return rest, first.partition("=")[2]
    return list(arguments), None
