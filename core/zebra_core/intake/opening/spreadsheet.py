"""Spreadsheets (.xlsx): each sheet as lines of text with tabs, values as saved and never formulas."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterable

from zebra_core.errors import InputError
from zebra_core.intake.opening import unseen
from zebra_core.intake.opening.packing import ArchiveMember, Budget

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
            styles, found = unseen.styles_of(archive), []
            for sheet, part in zip(reader.wb.worksheets, parts, strict=True):
                sheet.reset_dimensions()  # which are what the file claims
                rows = sheet.iter_rows(values_only=True)
                text = _as_text(sheet.title, rows, budget, with_dates=with_dates)
                facts = {
                    "file": budget.file,
                    "sheet": sheet.title,
                    "is_hidden": sheet.sheet_state != "visible",
                }
                told = unseen.finding(archive, part, styles, **facts)
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
