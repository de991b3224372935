"""Fuzzed, too: Parquet, whose footer and page headers stay Thrift while they are changed."""

from __future__ import annotations

import copy
import io
import random
import struct
from collections.abc import Callable, Iterator
from typing import Any

from fuzz import thrift

_MAGIC = b"PAR1"
_END = 8  # bytes: the length of the footer, and the magic again
_ODD = (
    *(0, 1, -1, 2, 3, 7, 8, 127, 128, 255, 256, 65535, 65536, 10**6),
    *(1 << 24, (1 << 31) - 1, 1 << 31, -(1 << 31), 1 << 32, (1 << 63) - 1, -(1 << 63)),
)
_STRIKES = (
    *(b"\0", b"\1", b"\x7f", b"\x80", b"\xff", bytes(4), b"\xff" * 4),
    *(b"\xff\xff\xff\x7f", b"\xff" * 9 + b"\1"),
)
# Fields of the footer and below it that say where something lies, or how long it is.
_ROW_GROUPS, _COLUMNS, _META, _COMPRESSED = 4, 1, 3, 7
_PLACES = (9, 10, 11)
_SIZE_OF_PAGE = 3


def mutated(content: bytes, most: int, seed: int, otherwise: Callable[[bytes, int], bytes]) -> bytes:
    """Footer, page headers or pages changed, the rest made to fit; one time in six as the fuzzer likes it."""
    rng = random.Random(seed)  # noqa: S311 - to be repeated, not to be secret
    try:
        if rng.random() < 1 / 6:
            return otherwise(content, most)
        body, footer = _parts(content)
        for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
            body, footer = rng.choice(_ACTS)(body, footer, rng)
        length = len(footer) if rng.random() < 0.97 else rng.choice(_ODD) & 0xFFFFFFFF
        found = body + footer + struct.pack("<I", length) + _MAGIC
    except (thrift.Broken, struct.error, OverflowError, ValueError):
        return otherwise(content, most)
    return found if len(found) <= most else otherwise(content, most)


def _parts(content: bytes) -> tuple[bytes, bytes]:
    """What lies before the footer, and the footer. Raises Broken."""
    if len(content) < _END + 4 or not content.endswith(_MAGIC):
        raise thrift.Broken
    (length,) = struct.unpack("<I", content[-_END:-4])
    start = len(content) - _END - length
    if start < 4:
        raise thrift.Broken
    return content[:start], content[start:-_END]


def _change_footer(body: bytes, footer: bytes, rng: random.Random) -> tuple[bytes, bytes]:
    fields, _ = thrift.parse(footer)
    _change_one(fields, rng)
    return body, thrift.made(fields)


def _change_header(body: bytes, footer: bytes, rng: random.Random) -> tuple[bytes, bytes]:
    """A page header; what lies behind it moves, and the footer says so."""
    fields, _ = thrift.parse(footer)
    starts = list(_pages(body, fields))
    if not starts:
        raise thrift.Broken
    start = rng.choice(starts)
    header, end = thrift.parse(body, start)
    _change_one(header, rng)
    changed = thrift.made(header)
    _move(fields, start, len(changed) - (end - start))
    return body[:start] + changed + body[end:], thrift.made(fields)


def _change_pages(body: bytes, footer: bytes, rng: random.Random) -> tuple[bytes, bytes]:
    """Some bytes of a page, behind its header."""
    fields, _ = thrift.parse(footer)
    starts = list(_pages(body, fields))
    if not starts:
        raise thrift.Broken
    header, start = thrift.parse(body, rng.choice(starts))
    size = thrift.field(header, _SIZE_OF_PAGE)
    size = size if isinstance(size, int) and 0 < size <= len(body) - start else 16
    # What counts most stands first: lengths, widths of bits, levels.
    at = start + (rng.randrange(size) if rng.random() < 0.5 else rng.randrange(min(size, 12)))
    return _struck(body, at, rng), footer


def _blur(body: bytes, footer: bytes, rng: random.Random) -> tuple[bytes, bytes]:
    """Some bytes anywhere."""
    if rng.random() < 0.5:
        return body, _struck(footer, rng.randrange(len(footer)), rng)
    return _struck(body, 4 + rng.randrange(max(1, len(body) - 4)), rng), footer


def _struck(content: bytes, at: int, rng: random.Random) -> bytes:
    if rng.random() < 0.4:
        changed = bytes([content[at] ^ 1 << rng.randrange(8)]) if at < len(content) else b"\0"
    else:
        changed = rng.choice((*_STRIKES, rng.randbytes(1), rng.randbytes(4)))
    return content[:at] + changed + content[at + len(changed) :]


def _pages(body: bytes, fields: list[Any]) -> Iterator[int]:
    """Where pages begin, as far as footer and headers are to be believed."""
    for chunk in _chunks(fields):
        places = [place for number in _PLACES if isinstance(place := thrift.field(chunk, number), int)]
        at = min((place for place in places if 0 < place < len(body)), default=len(body))
        for _ in range(4):
            try:
                header, end = thrift.parse(body, at)
            except thrift.Broken:
                break
            yield at
            size = thrift.field(header, _SIZE_OF_PAGE)
            if not isinstance(size, int) or not 0 <= size < len(body) - end:
                break
            at = end + size


def _move(fields: list[Any], start: int, by: int) -> None:
    """Tell the footer that what lies behind `start` lies elsewhere now."""
    for chunk in _chunks(fields):
        places = [one for one in chunk if one[0] in _PLACES and isinstance(one[2], int)]
        size = next((one for one in chunk if one[0] == _COMPRESSED and isinstance(one[2], int)), None)
        first = min((place[2] for place in places), default=0)
        if size and first <= start < first + size[2]:
            size[2] += by
        for place in places:
            place[2] += by if place[2] > start else 0


def _chunks(fields: list[Any]) -> Iterator[list[Any]]:
    for group in _structs(thrift.field(fields, _ROW_GROUPS)):
        for column in _structs(thrift.field(group, _COLUMNS)):
            meta = thrift.field(column, _META)
            if isinstance(meta, list) and all(isinstance(one, list) and len(one) == 3 for one in meta):
                yield meta


def _structs(value: Any) -> list[Any]:
    is_list = isinstance(value, list) and len(value) == 2 and value[0] == thrift.STRUCT
    return value[1] if is_list else []


def _change_one(fields: list[Any], rng: random.Random) -> None:
    """One field changed, removed, doubled, renumbered or put into the place of another; anywhere inside."""
    places = list(_fields(fields))
    if not places:
        raise thrift.Broken
    holder, at = rng.choice(places)
    number, kind, value = holder[at]
    act = rng.randrange(20)  # the first three mostly end at the first look
    if act == 0:
        del holder[at]
    elif act == 1:
        holder[at] = [rng.randrange(1, 16), kind, value]
    elif act == 2:
        other, other_at = rng.choice(places)
        holder[at] = copy.deepcopy([number, *other[other_at][1:]])
    elif kind in (thrift.TRUE, thrift.FALSE):
        holder[at] = [number, thrift.TRUE + thrift.FALSE - kind, b""]
    elif kind in thrift.WHOLE:
        changed = rng.choice((*_ODD, value + 1, value - 1, value * 2, -value, value ^ 1 << rng.randrange(32)))
        holder[at] = [number, kind, thrift.fitting(kind, changed)]
    elif kind == thrift.BINARY:
        struck = _struck(value, rng.randrange(len(value)), rng) if value else b"\0"
        holder[at] = [number, kind, rng.choice((struck, value * 2, value[:-1], b"", b"score", b"a.b.c"))]
    elif kind == thrift.LIST:
        _change_list(value, rng)
    elif kind == thrift.STRUCT:
        _ = value and _change_one(value, rng)


def _change_list(value: list[Any], rng: random.Random) -> None:
    kind, values = value
    if values:
        at, act = rng.randrange(len(values)), rng.randrange(4)
        if act == 0:
            del values[at]
        elif act == 1:
            values.insert(at, copy.deepcopy(values[at]))
        elif act == 2:
            values += copy.deepcopy(values * rng.choice((1, 1, 3, 30)))
        elif kind in thrift.WHOLE:
            values[at] = thrift.fitting(kind, rng.choice(_ODD))
        else:
            values[at] = copy.deepcopy(rng.choice(values))


def _fields(fields: list[Any], depth: int = 0) -> Iterator[tuple[list[Any], int]]:
    """Every field inside, as its struct and its place there."""
    for at, (_, kind, value) in enumerate(fields):
        yield fields, at
        if kind == thrift.STRUCT:
            yield from _fields(value, depth + 1)
        elif kind == thrift.LIST:
            for one in _structs(value):
                yield from _fields(one, depth + 1)


_ACTS = (_change_footer, *2 * (_change_header,), *2 * (_change_pages,), _blur)


def good() -> Iterator[bytes]:
    """Everything that is read, and every way to write it that pyarrow has; the first is a file of scores."""
    for options in _options():
        for columns in _columns():
            yield _written(columns, options)
    for columns in _odd_columns():
        yield _written(columns, {"compression": "NONE"})


def _written(columns: dict[str, Any], options: dict[str, Any]) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pa.table(columns), file, **options)
    return file.getvalue()


def _options() -> Iterator[dict[str, Any]]:
    """Ways to write the same."""
    import pyarrow as pa

    plain = {"compression": "NONE", "use_dictionary": False}
    yield {"compression": "NONE"}
    yield {**plain, "data_page_version": "2.0", "write_page_index": True}
    yield {"compression": "NONE", "row_group_size": 5, "data_page_size": 8, "write_batch_size": 2}
    yield {"compression": "NONE", "version": "1.0", "write_page_checksum": True, "write_statistics": False}
    yield {"compression": "NONE", "store_schema": False, "data_page_version": "2.0"}
    for codec in ("snappy", "gzip", "brotli", "zstd", "lz4"):
        if pa.Codec.is_available(codec):
            yield {"compression": codec, "data_page_version": "2.0" if codec == "zstd" else "1.0"}
    texts = {"enrol": "DELTA_BYTE_ARRAY", "test": "DELTA_LENGTH_BYTE_ARRAY", "score": "BYTE_STREAM_SPLIT"}
    yield {**plain, "column_encoding": texts}
    yield {**plain, "column_encoding": {"count": "DELTA_BINARY_PACKED", "score": "BYTE_STREAM_SPLIT"}}


def _columns() -> Iterator[dict[str, Any]]:
    """Scores, a key, a table of both, and counts."""
    import numpy as np

    enrol, test = [f"s{n // 4}" for n in range(12)], [f"s{n % 4}-{n % 3}" for n in range(12)]
    score, labels = np.arange(12) / 8 - 0.5, ["target", "nontarget", "nontarget"] * 4
    counts = np.arange(12)
    yield {"enrol": enrol, "test": test, "score": score}
    yield {"enrol": enrol, "test": test, "label": labels}
    yield {"enrol": enrol, "test": test, "score": score, "label": labels}
    yield {"score": score, "count": counts, "label": labels}


def _odd_columns() -> Iterator[dict[str, Any]]:
    """Other kinds of numbers and texts, gaps, and columns beside that nobody reads."""
    import numpy as np
    import pyarrow as pa

    whole, texts = np.arange(6), pa.array(["a", "b", "a", "c", "c", "a"])
    for kind in ("i1", "u2", "i4", "u8", "f4", "f2"):
        yield {"score": whole.astype(kind), "targets": whole.astype("u1"), "nontargets": whole.astype("i8")}
    yield {"enrol": whole, "test": whole.astype("i2"), "score": whole / 2, "label": whole % 2 == 0}
    yield {"enrol": texts.dictionary_encode(), "test": texts.cast("large_string"), "score": whole / 4}
    yield {"enrol": texts.cast("string_view"), "test": texts, "score": whole / 4}
    yield {"enrol": texts, "test": texts, "score": [0.5, None, 1.0, None, 2.0, None]}
    beside = {"list": [[1, 2], [], [3], None, [4], [5]], "struct": [{"a": n, "b": "x"} for n in range(6)]}
    yield {"enrol": texts, "test": texts, "score": whole / 4, **beside}
    yield {"enrol": beside["list"], "test": beside["struct"], "score": beside["list"], "label": texts}
    yield {"enrol": texts.cast("binary"), "test": texts, "score": pa.array(whole).cast(pa.decimal128(21, 2))}
