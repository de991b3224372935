"""What a person who opens a spreadsheet sees otherwise than it is read: formulas, hidden rows."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from zebra_core.evidence.audit import Finding
from zebra_core.evidence.remarks import Remark, Remarks, Severity

if TYPE_CHECKING:
    from openpyxl.styles import Color, Font
    from openpyxl.styles.fills import Fill

_STYLES = "xl/styles.xml"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_NO_VALUE = re.compile(r'"[^"]*"|\\.|\[[^\[\]]*\]|[_*].')
_VALUE = re.compile(r"[0#?@a-z]", re.IGNORECASE)
_PLAIN = {("rgb", "FFFFFF"): "white", ("theme", 0): "white", ("indexed", 1): "white", ("indexed", 9): "white"}
_PLAIN |= {
    ("rgb", "000000"): "black",
    ("theme", 1): "black",
    ("indexed", 0): "black",
    ("indexed", 8): "black",
}
_CELL, _FORMULA, _ROW, _COLUMN, *_VALUES = (f"{_MAIN} {tag}" for tag in ("c", "f", "row", "col", "v", "is"))
_MOST_COLUMNS = 18_278  # ZZZ

Styles = dict[str, tuple[str, ...]]
"""The styles of cells, by their numbers, that strike out a value or let nobody see it."""


def styles_of(archive: zipfile.ZipFile) -> Styles:
    """The styles of a workbook that hide values. Raises what openpyxl raises for broken ones."""
    from openpyxl.styles import Font
    from openpyxl.styles.numbers import BUILTIN_FORMATS
    from openpyxl.styles.stylesheet import Stylesheet
    from openpyxl.xml.functions import fromstring

    if _STYLES not in archive.namelist():
        return {}
    node: Any = fromstring(archive.read(_STYLES))
    sheet = Stylesheet.from_tree(node)
    formats = {**BUILTIN_FORMATS, **sheet.custom_formats}
    fonts, fills = dict(enumerate(sheet.fonts)), dict(enumerate(sheet.fills))
    found = {}
    for number, style in enumerate(sheet.cellXfs.xf):
        font, fill = fonts.get(style.fontId, Font()), fills.get(style.fillId)
        shows = any(map(_VALUE.search, _NO_VALUE.sub("", formats.get(style.numFmtId, "0")).split(";")[:2]))
        is_odd = {"struck": bool(font.strike), "invisible": not shows or _is_invisible(font, fill)}
        found[str(number)] = tuple(kind for kind, is_so in is_odd.items() if is_so)
    return {number: kinds for number, kinds in found.items() if kinds}


def _is_invisible(font: Font, fill: Fill | None) -> bool:
    """Whether a text has the colour of what is behind it."""
    from openpyxl.styles import PatternFill

    behind = _shown(fill.fgColor) if isinstance(fill, PatternFill) and fill.fill_type == "solid" else "white"
    return (_shown(font.color) if font.color else "black") == behind


def _shown(color: Color) -> object:
    value = str(color.value)[-6:].upper() if color.type == "rgb" else color.value
    colour = color.type, value
    return _PLAIN.get(colour, colour) if not color.tint else (*colour, color.tint)


def finding(archive: zipfile.ZipFile, part: str, styles: Styles, **facts: object) -> tuple[Finding, ...]:
    """What of this part of a workbook is seen otherwise than it is read; nothing where nothing is.

    `facts` name the file and its sheet. Raises expat.ExpatError for what is no XML.
    """
    looks = _Looks(styles)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = looks.start
    with archive.open(part) as sheet:
        parser.ParseFile(sheet)
    told = looks.remarks()
    if facts.pop("is_hidden"):
        told.insert(0, Remark("sheet-hidden", {}, section="word"))
    if not told:
        return ()
    return (Finding("sheet-unseen", Severity.WARNING, {**facts, "what": Remarks(tuple(told))}),)


@dataclass
class _Looks:
    """The cells of a sheet with a value, one after the other as an XML parser meets them."""

    styles: Styles
    rows: dict[str, list[int]] = field(default_factory=dict)  # of each kind: how many, the first, the last
    hidden: bytearray = field(default_factory=bytearray)  # 1 for a column, from 1, that is hidden
    columns: set[int] = field(default_factory=set)  # those of them with values
    row = column = 0
    is_hidden = False
    style = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if name == _CELL:
            self.style = attributes.get("s", "0")
            if self.hidden:
                self.column = _column(attributes["r"]) if "r" in attributes else self.column + 1
        elif name in _VALUES:
            if self.is_hidden:
                self._note("hidden-rows")
            for kind in self.styles.get(self.style, ()):
                self._note(kind)
            if self.hidden and self.hidden[self.column]:
                self.columns.add(self.column)
        elif name == _FORMULA:
            self._note("formulas")
        elif name == _ROW:
            self.row, self.column = int(attributes.get("r", self.row + 1)), 0
            self.is_hidden = _is_hidden(attributes, "ht")
        elif name == _COLUMN and _is_hidden(attributes, "width"):
            self.hidden = self.hidden or bytearray(_MOST_COLUMNS + 1)
            first, last = int(attributes["min"]), min(int(attributes["max"]), _MOST_COLUMNS)
            self.hidden[first : last + 1] = b"\1" * (last + 1 - first)

    def _note(self, kind: str) -> None:
        found = self.rows.setdefault(kind, [0, self.row, 0])
        if found[2] != self.row:
            found[0], found[2] = found[0] + 1, self.row

    def remarks(self) -> list[Remark]:
        """What was found, in words."""
        from openpyxl.utils import get_column_letter

        found = [
            Remark(f"sheet-{kind}", {"count": count, "line": first}, section="word")
            for kind, (count, first, _) in self.rows.items()
        ]
        if self.columns:
            facts = {"count": len(self.columns), "column": get_column_letter(min(self.columns))}
            found.append(Remark("sheet-hidden-columns", facts, section="word"))
        return found


def _is_hidden(attributes: dict[str, str], size: str) -> bool:
    return attributes.get("hidden") in ("1", "true") or float(attributes.get(size, 1)) == 0


def _column(place: str) -> int:
    """The number of the column, from 1, of a place such as B7."""
    from openpyxl.utils import column_index_from_string

    return column_index_from_string(place.rstrip("0123456789"))
