"""How ZEBRA is cited, and the sources of the methods of a report, as BibTeX."""

from __future__ import annotations

import re
import unicodedata

import zebra_resources
from zebra_core.version import VERSION, YEAR
from zebra_core.wording.texts import say

BIBLIOGRAPHY = "references.bib"
"""What it is called as a file."""

_BY_AUTHOR = "\n% Those that are cited by author and year."  # reports list what stands above it
_ENTRY = re.compile(r"^@\w+\{.*?^\}$", re.MULTILINE | re.DOTALL)
_AUTHOR = re.compile(r"^  author *= \{(?P<surname>[^,]+),", re.MULTILINE)
_YEAR = re.compile(r"^  year *= \{(?P<year>\d+)\}", re.MULTILINE)
_ACCENT = re.compile(r"\{?\\(?P<mark>[\"'`v])\{?(?P<letter>\w)\}?\}?")
_MARKS = {'"': "\N{COMBINING DIAERESIS}", "'": "\N{COMBINING ACUTE ACCENT}", "v": "\N{COMBINING CARON}"}
_FROM_AUTHOR_TO_YEAR = r"(?:[^\d.]|\.(?! [A-Z])){0,60}"  # in one sentence


def bibtex(text: str | None = None) -> str:
    """The program in this version, then the sources of its methods.

    Parameters
    ----------
    `text`
        Of a report with this text these are all that its references list, and those that the text cites by
        author and year; without a text all there are.

    Returns
    -------
    str
        A bibliography for BibTeX.

    Examples
    --------
    >>> from zebra_core import bibtex
    >>> bibtex().splitlines()[0]
    '@misc{zebra-program,'
    """
    listed, _, others = zebra_resources.read_text(BIBLIOGRAPHY).partition(_BY_AUTHOR)
    program = (
        "@misc{zebra-program,\n"
        "  author  = {{The ZEBRA maintainers}},\n"
        "  title   = {{ZEBRA}: How much does protected speech still give away about who is speaking?},\n"
        f"  year    = {{{YEAR}}},\n"
        f"  note    = {{version {VERSION}}}\n"
        "}"
    )
    cited = [entry for entry in _ENTRY.findall(others) if text is None or _is_cited(entry, text)]
    return "\n\n".join((program, *_ENTRY.findall(listed), *cited)) + "\n"


def citation() -> str:
    """How to cite it, in words, and below them the same as BibTeX."""
    lines = (say("cite.program", version=VERSION, year=YEAR), say("reference.zebra"), say("cite.why"))
    return "\n\n".join((*lines, bibtex()))


def _is_cited(entry: str, text: str) -> bool:
    author, year = _AUTHOR.search(entry), _YEAR.search(entry)
    if author is None or year is None:
        return False
    surname = _ACCENT.sub(
        lambda accent: unicodedata.normalize("NFC", accent["letter"] + _MARKS.get(accent["mark"], "")),
        author["surname"],
    )
    return bool(re.search(rf"{re.escape(surname)}{_FROM_AUTHOR_TO_YEAR}{year['year']}", text))
