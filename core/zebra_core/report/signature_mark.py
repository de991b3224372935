"""What a visible signature looks like on paper: who signed, when and why, as a small page in our own font."""

from __future__ import annotations

import datetime as dt
import json

import typst

from zebra_core.figures.fonts import fonts_folder
from zebra_core.figures.lettering import FAMILY, in_inter
from zebra_core.wording.texts import moment, say, visible

WIDTH, HEIGHT = 226, 34  # points
_LONGEST = 70  # characters of a line

_TEMPLATE = b"""
#let data = json("mark.json")
#set page(width: data.width * 1pt, height: data.height * 1pt, margin: (x: 4pt, y: 2pt))
#set text(font: data.font, fallback: false, size: 6.2pt, fill: rgb("#14181f"))
#set par(leading: 0.45em)
#if data.lines.len() > 0 {
  // Its stroke as a whole within the page, so that all edges are as thick.
  place(top + left, dx: -3.5pt, dy: -1.5pt, rect(
    width: (data.width - 1) * 1pt, height: (data.height - 1) * 1pt,
    radius: 1.5pt, stroke: 0.5pt + rgb("#4a5361"),
  ))
  pdf.artifact(align(horizon, stack(spacing: 2pt, ..data.lines.map(line => text(line)))))
}
"""


def mark_pdf(who: str, when: dt.datetime, reason: str, *, is_self_made: bool = False) -> bytes:
    """A page of the size of a field; without a name it is blank."""
    lines = []
    if who:
        lines.append(_fitted(say("sign.by", name=who)))
        lines += [say("sign.self-made")] if is_self_made else []
        lines.append(say("sign.when", when=moment(when)))
        lines += [_fitted(say("sign.why", reason=reason))] if reason else []
    values = {"font": FAMILY, "width": WIDTH, "height": HEIGHT, "lines": lines}
    files = {"main.typ": _TEMPLATE, "mark.json": json.dumps(values).encode("ascii")}
    # As in pdf.py: the binding's annotations forget files in memory.
    made = typst.compile(  # type: ignore[call-overload]
        files, font_paths=[str(fonts_folder())], ignore_system_fonts=True, format="pdf", timestamp=when
    )
    return bytes(made)


def _fitted(text: str) -> str:
    """The beginning of a text, as long as a line of a field, in letters that the font has."""
    return in_inter(visible(text, _LONGEST))
