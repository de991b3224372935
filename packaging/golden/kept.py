"""What was made, in the form in which it is kept: text that says the same on every day and every machine.

Version, commit, today's date, folders, and hashes and ids that hang on those are masked, each as narrowly as
can be; whatever is binary is told as text; many numbers are told by their sums and by some of them.
"""

import datetime as dt
import hashlib
import io
import json
import math
import platform
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from golden.running import CHECKOUT

GOLDEN = CHECKOUT / "tests" / "data" / "golden"
FEW = 40  # numbers that are kept one by one
PLACES = 5  # of more, this many are kept beside their sums
WIDTH = 160
NUMBERS, TABLE = "~numbers", "~table"
_MANY_ROWS = 6
_LARGE_TABLE = 300  # lines
_HEAD = 12

_PICTURES = (".png", ".svg")
_HASH = re.compile(r"\b[0-9a-f]{64}\b")
_ID = re.compile(r"\b[0-9a-f]{32}\b")
_BREAK = r"(?:\\allowbreak\{\})?"
_REPORT = re.compile(
    r"ZEBRA(?:\s*[-\u2010\u2011]\s*[0-9A-F]{4}){3}\b|"
    + _BREAK.join(["Z", "E", "B", "R", "A", "-", *(["[0-9A-F]"] * 4 + ["-"]) * 3]).removesuffix(_BREAK + "-")
)
_SIZE = re.compile(r"\d[\d\xa0\u202f ]*(?= bytes, made twice)")  # grows with the name of a version
_ROW = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


class Masks:
    """What differs from run to run though nothing changed, and what is written in its place."""

    def __init__(self, folder: Path, days: tuple[dt.date, ...], inputs: Path) -> None:
        self._inputs = _hashes(
            (CHECKOUT / "tests" / "data", CHECKOUT / "resources" / "zebra_resources", inputs)
        )
        self._literal = {str(folder): "<folder>", str(CHECKOUT): "<checkout>"}
        self._literal |= {
            platform.platform(): "<machine>",
            tempfile.gettempdir(): "<temporary>",
            sys.executable: "<python>",
        }
        for day in days:
            self._literal |= dict.fromkeys(_spelled(day), "<today>")
        self._versions = _versions()
        self._ids: dict[str, str] = {}
        names = "|".join(map(re.escape, self._versions))
        self._named = re.compile(
            rf"\b(?P<name>{names})(?P<between>[ /=\xa0]+)(?P<version>\d[\w.+]*)", re.IGNORECASE
        )
        today = "|".join(sorted({day.isoformat() for day in days}))
        self._time = re.compile(rf"\b(?:{today})T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
        self._clock = re.compile(rf"\b(?:{today})(?:\s+)\d\d:\d\d(?::\d\d)?\b")
        self._pdf_time = re.compile(rf"D:(?:{today.replace('-', '')})\d{{0,6}}(?:Z|[+-]\d\d'?\d\d'?)?")

    def fresh(self) -> "Masks":
        """For another file: ids are numbered anew."""
        self._ids = {}
        return self

    def text(self, text: str) -> str:
        """Of any text."""
        text = self._clock.sub("<today> <time>", self._time.sub("<time>", text))
        text = self._pdf_time.sub("<time>", text)
        for literal in sorted(self._literal, key=len, reverse=True):
            text = text.replace(literal, self._literal[literal])
        text = self._named.sub(self._version, text)
        text = _SIZE.sub("<size>", _REPORT.sub("<report>", text))
        text = _HASH.sub(lambda found: found[0] if found[0] in self._inputs else "<sha256>", text)
        return _ID.sub(lambda found: self._ids.setdefault(found[0], f"<id {len(self._ids) + 1}>"), text)

    def value(self, value: Any) -> Any:
        """Of plain values."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if isinstance(value, dict):
            return {self.text(key): self._keyed(key, one) for key, one in value.items()}
        return value

    def _keyed(self, key: str, value: Any) -> Any:
        is_version = isinstance(value, str) and value and self._versions.get(key.lower()) == value
        return "<version>" if is_version else self.value(value)

    def _version(self, found: re.Match[str]) -> str:
        if self._versions[found["name"].lower()] != found["version"].rstrip("."):
            return found[0]
        end = "." if found["version"].endswith(".") else ""
        return f"{found['name']}{found['between']}<version>{end}"


@cache
def _versions() -> dict[str, str]:
    from importlib.metadata import distributions

    from zebra_core import __version__

    found = {one.name.lower(): one.version for one in distributions()}
    return found | {"zebra": __version__, "python": platform.python_version()}


def _hashes(folders: tuple[Path, ...]) -> frozenset[str]:
    """Hashes of input files say which input it was, and stay."""
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return frozenset(
        hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if not file.is_relative_to(GOLDEN) and file.suffix != ".pyc"
    )


def _spelled(day: dt.date) -> Iterator[str]:
    yield day.isoformat()
    yield day.strftime("%Y%m%d")
    for month in (day.strftime("%B"), day.strftime("%b")):
        yield f"{day.day} {month} {day.year}"
        yield f"{day.day}\xa0{month}\xa0{day.year}"


# Each kind of file


def kept_forms(file: Path, name: str, masks: Masks) -> Iterator[tuple[str, str, str]]:
    """What is kept of a file: for each text its name, what it is, and the text (empty where that is all)."""
    yield from _forms(name, file.read_bytes(), masks)


Forms = Iterator[tuple[str, str, str]]


def _forms(name: str, content: bytes, masks: Masks) -> Forms:
    ending = next((one for one in _KINDS if name.endswith(one)), "")
    yield from _KINDS.get(ending, _plain)(name, content, masks.fresh())


def _json(name: str, content: bytes, masks: Masks) -> Forms:
    text = content.decode()
    try:
        value = json.loads(text)
    except ValueError:
        yield from _plain(f"{name}.txt", content, masks)
        return
    yield name, f"JSON, {_layout(text, value)}", dumped(few(masks.value(value)))


def _layout(text: str, value: object) -> str:
    """How a JSON file is laid out, in words."""
    for indent in (None, 1, 2, 4):
        for ascii_only in (False, True):
            for apart in ((", ", ": ") if indent is None else None, (",", ":")):
                made = json.dumps(value, indent=indent, ensure_ascii=ascii_only, separators=apart)
                if text.rstrip("\n") == made:
                    tight = ", tight" if apart == (",", ":") else ""
                    letters = "ASCII" if ascii_only and not made.isascii() else "UTF-8"
                    return f"indent {indent}, {letters}{tight}, {len(text) - len(made)} line ends"
    return "laid out by hand"


def _plain(name: str, content: bytes, masks: Masks) -> Forms:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        yield name, f"{len(content)} bytes", ""
        return
    ends = "CRLF, " if "\r\n" in text else ""
    text = masks.text(text.replace("\r\n", "\n"))
    lines = text.count("\n")
    if lines > _LARGE_TABLE and (told := _table(text)) is not None:
        yield name, f"table, {ends}{lines} lines", told
    else:
        yield name, f"text, {ends}{lines} lines", _few_rows(text)


def _lines_of_json(name: str, content: bytes, masks: Masks) -> Forms:
    rows = [masks.value(json.loads(line)) for line in content.decode().splitlines()]
    yield name + ".json", "lines of JSON", dumped(few(rows))


def _table(text: str) -> str | None:
    """Many rows of as many columns: some of them, and sums of a last column of numbers."""
    rows = [line.split() for line in text.splitlines()]
    if len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        return None
    try:
        last: list[float] | None = [float(row[-1]) for row in rows]
    except ValueError:
        last = None
    words = [row if last is None else row[:-1] for row in rows]
    step = max(1, len(rows) // _HEAD)
    said = {
        "rows": len(rows),
        "some": [" ".join(row) for row in rows[::step]],
        "words": hashlib.sha256("\n".join(map(" ".join, words)).encode()).hexdigest(),
        "last column": few(last),
    }
    return dumped(said)


def _few_rows(text: str) -> str:
    """Long runs of lines with nothing but numbers in one mould are told by their sums."""
    found: list[str] = []
    run: list[str] = []
    mould = ""

    def end() -> None:
        if len(run) <= FEW:
            found.extend(run)
        else:
            columns = zip(*(_ROW.findall(line) for line in run), strict=True)
            found.append(run[0])
            for number, column in enumerate(columns, 1):
                told = json.dumps(_summary(np.array(column, dtype=float), (len(run),), "float"))
                found.append(f"~ column {number} of {len(run)} rows: {told}")
            found.append(run[-1])
        run.clear()

    for line in text.split("\n"):
        now = _ROW.sub("#", line)
        is_row = "#" in now and not re.search(r"\w", now)
        if not is_row or now != mould:
            end()
            mould = now
        if is_row:
            run.append(line)
        else:
            found.append(line)
    end()
    return "\n".join(found)


def _pdf(name: str, content: bytes, masks: Masks) -> Forms:
    import pikepdf
    import pypdfium2

    lines: list[str] = []
    document = pypdfium2.PdfDocument(content)
    for number in range(len(document)):
        page = document[number]
        width, height = page.get_size()
        lines.append(f"=== page {number + 1}, {width:.0f} × {height:.0f}")
        lines += _page_lines(page.get_textpage().get_text_range())
    with pikepdf.open(io.BytesIO(content)) as pdf:
        lines.append("=== about it")
        lines += sorted(f"{key}: {value}" for key, value in pdf.docinfo.items())
        lines.append(f"language: {pdf.Root.get('/Lang', '')}")
        with pdf.open_outline() as outline:
            lines += ["=== outline", *_titles(outline.root, 0)]
        lines.append("=== alternative texts")
        lines += [
            str(one["/Alt"]) for one in pdf.objects if isinstance(one, pikepdf.Dictionary) and "/Alt" in one
        ]
        attached = {key: bytes(value.get_file().read_bytes()) for key, value in pdf.attachments.items()}
    lines += ["=== attached", *attached]
    yield f"{name}.txt", f"PDF, {len(document)} pages", masks.text(_hashes_whole("\n".join(lines) + "\n"))
    for key, inside in attached.items():
        if not key.endswith(".schema.json"):
            yield from _forms(f"{name}/{key}", inside, masks)


def _page_lines(text: str) -> list[str]:
    """Lines with words whole, and without the dots that lead to page numbers."""
    text = text.replace("\r\n", "\n").replace("\ufffe\n", "").replace("\ufffe", "")
    text = re.sub(r"\s*\n(?=[-\u2010\u2011][0-9A-F]{4}\b)", "", text)  # the number of the report
    return [line.rstrip() for line in text.split("\n") if line.strip(" .")]


def _hashes_whole(text: str) -> str:
    """Hashes that a narrow column breaks, in one piece."""
    words = re.split(r"(\s+)", text)
    for first, word in enumerate(words):
        whole, last = word, first
        while 0 < len(whole) < 64 and re.fullmatch(r"[0-9a-f]{8,}", whole) and last + 2 < len(words):
            last += 2
            whole += words[last]
        if last > first and re.fullmatch(r"[0-9a-f]{64}", whole):
            words[first : last + 1] = [whole, *[""] * (last - first)]
    return "".join(words)


def _titles(items: Any, depth: int) -> Iterator[str]:
    for item in items:
        yield "  " * depth + str(item.title)
        yield from _titles(item.children, depth + 1)


def _zip(name: str, content: bytes, masks: Masks) -> Forms:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        said: dict[str, Any] = {"members": [masks.text(one) for one in names]}
        for one in names:
            inside = archive.read(one)
            if one.endswith(".json"):
                text = inside.decode()
                value = json.loads(text)
                said[one] = {"layout": _layout(text, value), "content": few(masks.value(value))}
            elif one.endswith(".npy"):
                said[one] = _array(np.load(io.BytesIO(inside), allow_pickle=False))
            elif one.endswith((".xml", ".txt")):
                said[one] = masks.text(inside.decode()).splitlines()
            else:
                said[masks.text(one)] = f"{len(inside)} bytes"
    yield f"{name}.json", f"ZIP, {len(names)} members", dumped(said)


def _array(array: np.ndarray) -> Any:
    if array.dtype.names:
        return {field: _array(array[field]) for field in array.dtype.names}
    about = {"dtype": array.dtype.str, "shape": list(array.shape)}
    if array.dtype.kind not in "fiub":
        return {**about, "values": [str(one) for one in array.ravel()[:FEW]]}
    if array.size <= FEW:
        return {**about, "values": array.tolist()}
    return _summary(array.astype(float).ravel(), array.shape, array.dtype.str)


def _npy(name: str, content: bytes, _masks: Masks) -> Forms:
    yield f"{name}.json", "NumPy array", dumped(_array(np.load(io.BytesIO(content), allow_pickle=False)))


def _parquet(name: str, content: bytes, masks: Masks) -> Forms:
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(content))
    about = {
        key.decode(): masks.value(_loaded(value.decode(errors="replace")))
        for key, value in (table.schema.metadata or {}).items()
        if key != b"ARROW:schema"
    }
    said: dict[str, Any] = {"rows": table.num_rows, "about": few(about)}
    for column in table.schema:
        values = table[column.name].to_pylist()
        said[f"{column.name}: {column.type}"] = few([masks.value(one) for one in values])
    yield f"{name}.json", f"Parquet, {table.num_rows} rows", dumped(said)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _picture(name: str, content: bytes, masks: Masks) -> Forms:
    if name.endswith(".png"):
        from PIL import Image

        with Image.open(io.BytesIO(content)) as picture:
            width, height = picture.size
            said = [
                f"{key}: {value}" for key, value in sorted(picture.info.items()) if isinstance(value, str)
            ]
        yield from _words_of_picture(name, f"PNG, {width} × {height}", said, masks)
        return
    text = content.decode()
    words = re.findall(r"<(title|desc|text|dc:title|dc:date|dc:format)\b[^>]*>([^<]+)<", text)
    size = re.search(r"<svg[^>]*?\bviewBox=\"([^\"]+)\"", text)
    said = [f"{tag}: {word.strip()}" for tag, word in words if word.strip()]
    about = f"SVG, {size[1]}" if size else "SVG"
    yield from _words_of_picture(name, about, said, masks)


def _words_of_picture(name: str, about: str, said: list[str], masks: Masks) -> Forms:
    if said:
        yield f"{name}.txt", about, masks.text("\n".join(said) + "\n")
    else:
        yield name, about, ""


_KINDS: dict[str, Callable[[str, bytes, Masks], Forms]] = {
    ".json": _json,
    ".pdf": _pdf,
    ".zebra": _zip,
    ".zebra-listening": _zip,
    ".zebra-answers": _lines_of_json,
    ".npz": _zip,
    ".zip": _zip,
    ".npy": _npy,
    ".parquet": _parquet,
    ".png": _picture,
    ".svg": _picture,
}


# Many numbers


def few(value: Any) -> Any:
    """Lists of many numbers, of one shape in all depths, are told by their sums and by some of them."""
    if isinstance(value, dict):
        return {key: few(one) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    if (shape := _shape(value)) is not None and math.prod(shape) > FEW:
        flat = list(_flat(value))
        kind = "int" if all(isinstance(one, int) for one in flat) else "float"
        return _summary(np.array([math.nan if one is None else one for one in flat], float), shape, kind)
    rows = [few(one) for one in value]
    if len(rows) >= _MANY_ROWS and all(isinstance(row, dict) for row in rows):
        [*heads] = {tuple(row) for row in rows}
        if len(heads) == 1 and heads[0] and NUMBERS not in heads[0]:
            return {TABLE: [[*heads[0]], *([*row.values()] for row in rows)]}
    return rows


def whole(value: Any) -> Any:
    """What `few` wrote as tables, as objects again."""
    if isinstance(value, list):
        return [whole(one) for one in value]
    if isinstance(value, dict):
        if TABLE in value:
            head, *rows = value[TABLE]
            return [dict(zip(head, map(whole, row), strict=True)) for row in rows]
        return {key: whole(one) for key, one in value.items()}
    return value


def _shape(value: Any) -> tuple[int, ...] | None:
    """Of nested lists of numbers; () of a number; None of anything else."""
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return ()
    if not isinstance(value, list) or not value:
        return None
    shapes = {_shape(one) for one in value}
    if len(shapes) != 1 or (inner := shapes.pop()) is None:
        return None
    return (len(value), *inner)


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for one in value:
            yield from _flat(one)
    else:
        yield value


def _summary(flat: np.ndarray, shape: tuple[int, ...], dtype: str) -> dict[str, Any]:
    told = flat[np.isfinite(flat)]
    place = np.arange(1, len(told) + 1) / max(1, len(told))
    at = np.unique(np.linspace(0, flat.size - 1, PLACES).astype(int))
    numbers: dict[str, Any] = {"shape": list(shape), "dtype": dtype}
    if len(told) < flat.size:
        numbers["not finite"] = int(flat.size - len(told))
    if len(told):
        numbers |= {
            "least": _rounded(told.min()),
            "most": _rounded(told.max()),
            "sum": _rounded(told.sum()),
            "sum by place": _rounded((told * place).sum()),
            "sum of magnitudes": _rounded(np.abs(told).sum()),
            "norm": _rounded(np.sqrt((told * told).sum())),
        }
    numbers["at"] = {str(int(n)): _rounded(flat[n]) if np.isfinite(flat[n]) else str(flat[n]) for n in at}
    return {NUMBERS: numbers}


def _rounded(value: float) -> float:
    """To more digits than are compared."""
    return float(f"{value:.13g}")


# JSON as it is kept


def dumped(value: Any) -> str:
    """JSON with a line for whatever fits on one, so that versions of it are compared easily."""
    text = _dumped(value, 0) + "\n"
    return text.encode("utf-8", "backslashreplace").decode()  # half of a pair, as JSON writes it


def _dumped(value: Any, depth: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or len(line) + depth <= WIDTH or NUMBERS in value:
        return line
    if isinstance(value, list) and not any(isinstance(one, dict | list) and one for one in value):
        return line if len(line) < 2 * WIDTH else _one_a_line(value, depth)
    pad, end = " " * (depth + 1), " " * depth
    if isinstance(value, dict):
        rows = [
            f"{pad}{json.dumps(key, ensure_ascii=False)}: {_dumped(one, depth + 1)}"
            for key, one in value.items()
        ]
        return "{\n" + ",\n".join(rows) + f"\n{end}}}"
    return _one_a_line(value, depth)


def _one_a_line(value: list[Any], depth: int) -> str:
    pad = " " * (depth + 1)
    return "[\n" + ",\n".join(pad + _dumped(one, depth + 1) for one in value) + f"\n{pad[1:]}]"
