"""A page of the manual as HTML that Qt's browser of texts can show; links lead to its headings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

_NO_WORD = re.compile(r"[^a-z0-9]+")


def anchor(heading: str) -> str:
    """What a link to a heading ends in: ``#zebra-assess`` for "`zebra assess`"."""
    return _NO_WORD.sub("-", heading.casefold()).strip("-")


def parser() -> MarkdownIt:
    """The Markdown of the manual: CommonMark with tables; HTML is shown as it is typed."""
    return MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")


def html_of(text: str, picture_widths: Mapping[str, int]) -> str:
    """The page; `picture_widths` in pixels of the screen, of the pictures it shows."""
    return str(parser().render(text, {"widths": picture_widths}))


def headings(text: str) -> tuple[str, ...]:
    """The anchors of a page, in their order."""
    tokens = parser().parse(text)
    return tuple(
        anchor(_plain(inline)) for opening, inline in pairwise(tokens) if opening.type == "heading_open"
    )


def links(text: str) -> tuple[str, ...]:
    """Where the links of a page lead, and the pictures it shows."""
    inside = [child for token in parser().parse(text) for child in token.children or ()]
    ways = [child.attrGet("href") or child.attrGet("src") for child in inside]
    return tuple(str(way) for way in ways if way)


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or ())


class _Renderer(RendererHTML):
    """Headings carry anchors, tables have room in their cells, pictures are as wide as on the screen."""

    def heading_open(self, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
        token = tokens[index]
        return f'<{token.tag}><a name="{anchor(_plain(tokens[index + 1]))}"></a>'

    def table_open(self, _tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType) -> str:
        return '<table border="1" cellspacing="0" cellpadding="5" style="border-collapse: collapse">\n'

    def image(self, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
        token = tokens[index]
        source = str(token.attrGet("src"))
        width = env["widths"].get(source)
        wide = f' width="{width}"' if width else ""
        words = escape(_plain(token))
        # What stands for a picture is read by nobody here: Qt tells screen readers no alternative texts.
        return f'<img src="{escape(source)}" alt="{words}"{wide}><br><small>{words}</small>'
