"""What click says itself ("Usage:", "Missing option"), in the language of the program.

Click asks gettext for its words, as translations installed with the system would have them; there are none.
Ours stand beside all others, in `[click]`.
"""

from __future__ import annotations

import click
import click.core
import click.decorators
import click.exceptions
import click.formatting
import click.parser
import click.termui
import click.types

from zebra_core.wording.texts import ENGLISH, current, in_english, named, texts_of, translated, translated_for

_SPEAK = (
    click.core,
    click.decorators,
    click.exceptions,
    click.formatting,
    click.parser,
    click.termui,
    click.types,
)


def translate_click() -> None:
    """From now on click says its words in the language of the moment."""
    for module in _SPEAK:
        for name, ours in (("_", _said), ("ngettext", _said_for)):
            if hasattr(module, name):
                setattr(module, name, ours)
    click.Context.formatter_class = _HelpFormatter


class _HelpFormatter(click.HelpFormatter):
    """Formats help as click does, except that French has a space before the colon of a heading."""

    def write_heading(self, heading: str) -> None:
        self.write(f"{'':>{self.current_indent}}{named(heading, '').rstrip()}\n")


def _said(english: str) -> str:
    return english if current() == ENGLISH else translated(_code(english), english)


def _said_for(one: str, several: str, count: int) -> str:
    if current() == ENGLISH:
        return one if count == 1 else several
    return translated_for(_code(several), one, several, count)


def _code(english: str) -> str:
    """The code of a text; what is not there is found in no catalogue, and said in English."""
    codes = (f"click.{name}" for name in texts_of("click"))
    return next((code for code in codes if in_english(code) == english), "click")
