"""Spreadsheets (.xlsx): each sheet as lines of text with tabs, values as saved and never formulas."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Finding, Remark, Remarks, Severity
from zebra_core.intake.opening.packing import ArchiveMember, Budget

if TYPE_CHECKING:
    from openpyxl.styles import Color, Font
    from openpyxl.styles.fills import Fill


_WORKBOOK = "xl/workbook.xml"
_ZIP_MAGIC = b"PK\x03\x04"
MOST_CELLS = 20_000_000
"""The most cells of a sheet, empty ones included: more would keep anybody waiting for ever."""
_BREAKS = re.compile(r"[\t\r\n]+")


def is_spreadsheet(content: bytes) -> bool:
    """Whether these bytes are a workbook of Excel (Office Open XML)."""
    if not content.startswith(_ZIP_MAGIC):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _WORKBOOK in archive.namelist()
    except (zipfile.BadZipFile, ValueError, RuntimeError, OSError):
        return False


def sheets(content: bytes, budget: Budget, *, with_dates: bool = False) -> list[ArchiveMember]:
    """The sheets that hold anything, in their order, called as they are; line for row, from the first.

    Numbers are written so that the same numbers are read again; a formula counts as the value that was saved
    with it. Raises InputError for what is broken, unpacks to too much, or holds an error of Excel, or a date,
    unless `with_dates`: ids may have become one.
    """
    # It takes a quarter of a second, and few files are of this kind.
    from openpyxl.reader.excel import ExcelReader

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for info in archive.infolist():
                budget.spend(info.file_size)
            reader = ExcelReader(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
            reader.read()
            links = (link for _, link in reader.parser.find_sheets() if link.target in reader.valid_files)
            parts = [link.target for link in links if "chartsheet" not in link.Type]
            styles, found = styles_of(archive), []
            for sheet, part in zip(reader.wb.worksheets, parts, strict=True):
                sheet.reset_dimensions()  # which are what the file claims
                rows = sheet.iter_rows(values_only=True)
                text = _as_text(sheet.title, rows, budget, with_dates=with_dates)
                facts = {
                    "file": budget.file,
                    "sheet": sheet.title,
                    "is_hidden": sheet.sheet_state != "visible",
                }
                told = finding(archive, part, styles, **facts)
                found.append(ArchiveMember(sheet.title, text, told))
    except InputError:
        raise
    except MemoryError as error:
        raise InputError("file-memory", file=budget.file) from error
    except Exception as error:
        raise InputError(
            "spreadsheet-broken", file=budget.file, reason=str(error) or type(error).__name__
        ) from error
    return [member for member in found if not member.content.isspace() and member.content]


def _as_text(
    sheet: str, rows: Iterable[tuple[object, ...]], budget: Budget, *, with_dates: bool = False
) -> bytes:
    lines: list[str] = []
    cells_left, width = MOST_CELLS, 0  # that of the first row with anything in it
    for number, row in enumerate(rows, 1):
        cells_left -= len(row) + 1
        if cells_left < 0:
            raise InputError("spreadsheet-too-large", file=budget.file, sheet=sheet, most=MOST_CELLS)
        cells = [_text(value, sheet, number, budget, with_dates=with_dates) for value in row]
        while len(cells) > width and not cells[-1]:
            cells.pop()
        if any(cells):
            cells += [""] * (width - len(cells))  # a score that is missing in the end
            width = width or len(cells)
        else:
            cells = []
        lines.append("\t".join(cells) + "\n")
        budget.spend(len(lines[-1]))
    return "".join(lines).encode()


def _text(value: object, sheet: str, row: int, budget: Budget, *, with_dates: bool = False) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))  # as it is shown there: all numbers of a workbook are floats
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dt.datetime | dt.date | dt.time | dt.timedelta) and not with_dates:
        raise InputError("spreadsheet-date", file=budget.file, sheet=sheet, line=row, found=str(value))
    text = str(value)
    if text.startswith("#") and text.rstrip("!?").isupper() and text.endswith(("!", "?")):
        raise InputError("spreadsheet-error", file=budget.file, sheet=sheet, line=row, found=text)
    return _BREAKS.sub(" ", text)


# What a person who opens a spreadsheet sees otherwise than it is read: formulas, hidden rows.


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
