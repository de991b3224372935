"""The user's own words: a small part of Markdown, made into plain values; anything else stays as typed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from zebra_core.report.document import Block, Bullets, Paragraph, Run
from zebra_core.wording.texts import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Every command loads this module: the parser is loaded where somebody has written something.


def prose(markdown: str) -> tuple[Block, ...]:
    """Paragraphs and lists with emphasis, strong emphasis and code; links become their words and address.

    HTML, pictures, headings, tables and whatever else Markdown knows are no markup here: they are shown as
    they were typed. Nothing invisible is left in the text.
    """
    return tuple(_blocks(_parser().parse(markdown))) if markdown.strip() else ()


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # From nothing upwards, so that a new rule of the parser cannot come in by itself.
    parser = MarkdownIt("zero", {"html": False, "maxNesting": 12})
    return parser.enable(["list", "emphasis", "backticks", "escape", "link", "newline"])


def _blocks(tokens: Sequence[Token]) -> Iterator[Block]:
    """Nested lists become flat ones: their items follow each other."""
    items: list[tuple[Run, ...]] = []
    depth, numbered = 0, False
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            numbered = numbered if depth else token.type.startswith("ordered")
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
            if not depth:
                yield Bullets(tuple(items), numbered)
                items = []
        elif token.type == "inline":
            runs = _merged(_runs(token.children or ()))
            if depth and runs:
                items.append(runs)
            elif runs:
                yield Paragraph(runs)


def _runs(tokens: Sequence[Token]) -> Iterator[Run]:
    bold = italic = 0
    address = ""
    for token in tokens:
        if token.type in ("strong_open", "strong_close"):
            bold += token.nesting
        elif token.type in ("em_open", "em_close"):
            italic += token.nesting
        elif token.type == "link_open":
            address = str(token.attrGet("href") or "")
        elif token.type == "link_close":
            yield Run(f" ({_shown(address)})")
        elif token.type in ("softbreak", "hardbreak"):
            yield Run(" ")
        else:
            yield Run(_shown(token.content), bold > 0, italic > 0, token.type == "code_inline")


def _merged(runs: Iterator[Run]) -> tuple[Run, ...]:
    """Neighbours of one style as one; without empty ones."""
    merged: list[Run] = []
    for run in runs:
        last = merged[-1] if merged else None
        if last and (last.bold, last.italic, last.mono) == (run.bold, run.italic, run.mono):
            merged[-1] = Run(last.text + run.text, run.bold, run.italic, run.mono)
        elif run.text:
            merged.append(run)
    return tuple(merged)


def _shown(text: str) -> str:
    return visible(text, sys.maxsize)
