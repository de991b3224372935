"""How ZEBRA is cited, and the sources of the methods of a report, as BibTeX."""

from __future__ import annotations

import zebra_resources
from zebra_core.version import VERSION
from zebra_core.wording.texts import say

BIBLIOGRAPHY = "references.bib"
"""What it is called as a file."""


def bibtex() -> str:
    """The program in this version, then every source that the references of a report name, in their order."""
    program = (
        "@misc{zebra-program,\n"
        "  author  = {{The ZEBRA maintainers}},\n"
        "  title   = {{ZEBRA}: How much does protected speech still give away about who is speaking?},\n"
        f"  note    = {{version {VERSION}}}\n"
        "}\n"
    )
    _, _, sources = zebra_resources.read_text(BIBLIOGRAPHY).partition("\n\n")
    return f"{program}\n{sources}"


def citation() -> str:
    """How to cite it, in words, and below them the same as BibTeX."""
    lines = (say("cite.program", version=VERSION), say("reference.zebra"), say("cite.why"))
    return "\n\n".join((*lines, bibtex()))
