"""The parts of a PDF as digests: what two of them differ in, whatever numbers their objects have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from zebra_core.errors import InputError
from zebra_core.wording.texts import say, visible

_OF_THE_FILE = frozenset(
    {"/Size", "/Prev", "/ID", "/XRefStm", "/Type", "/W", "/Index", "/Length", "/Filter", "/DecodeParms"}
)
"""Of a trailer: how the file is laid out, which is other wherever somebody saves it again."""
_OF_A_STREAM = frozenset({"/Length", "/Filter", "/DecodeParms"})
_LONGEST = 60  # of a key that nobody knows


def different_parts(reader: Any, other: Any, name: str) -> list[str]:
    """What of two PDFs is not the same, in words: pages, bookmarks, layers, actions, attachments …

    Everything that can be reached from the trailer is compared, seen or not. Raises InputError for a file
    that cannot be read.
    """
    try:
        one, two = _parts(reader), _parts(other)
        files, others = _attached(reader), _attached(other)
    except MemoryError:
        raise
    except Exception as error:  # what its reader raises at a file that is broken has no end
        raise InputError("report-broken", file=name) from error
    keys = [key for key in dict.fromkeys((*one, *two)) if one.get(key) != two.get(key)]
    names = sorted({attached for attached, _ in files ^ others})
    return list(
        dict.fromkeys([*(say("pages.attachment", name=each) for each in names), *map(_in_words, keys)])
    )


def _attached(reader: Any) -> set[tuple[str, str]]:
    return {(one.name, sha256(one.content).hexdigest()) for one in reader.attachment_list}


def _parts(reader: Any) -> dict[tuple[str, ...], str]:
    """Each part by where it hangs: key of the trailer or of the catalogue, key of a page."""
    pages = list(reader.pages)
    numbers = {
        page.indirect_reference.idnum: number
        for number, page in enumerate(pages, start=1)
        if page.indirect_reference is not None
    }
    trailer = {key: reader.trailer.raw_get(key) for key in reader.trailer if key not in _OF_THE_FILE}
    root = trailer.pop("/Root").get_object()
    found: dict[tuple[str, ...], str] = {
        ("file", key): _digest(value, numbers) for key, value in trailer.items()
    }
    found |= {("file", key): _digest(root.raw_get(key), numbers) for key in root if key != "/Pages"}
    for number, page in enumerate(pages, start=1):
        keys = [key for key in page if key != "/Parent"]
        found |= {("page", key, str(number)): _digest(page.raw_get(key), numbers) for key in keys}
    return found


def _digest(value: Any, pages: Mapping[int, int]) -> str:
    """SHA-256 of everything that can be reached from a value; a page is its number, and nothing more."""
    made, left = sha256(), [value]
    seen: dict[int, int] = {}
    while left:
        one: Any = left.pop()
        if hasattr(one, "idnum"):
            if one.idnum in pages:
                made.update(b"page %d\n" % pages[one.idnum])
                continue
            if one.idnum in seen:
                made.update(b"object %d\n" % seen[one.idnum])
                continue
            seen[one.idnum] = len(seen)
            one = one.get_object()
        if isinstance(one, dict):
            is_stream, entry = hasattr(one, "get_data"), getattr(one, "raw_get", one.get)
            keys = sorted(key for key in one if not (is_stream and key in _OF_A_STREAM))
            made.update(f"dictionary {keys}\n".encode("utf-8", "backslashreplace"))
            left += [entry(key) for key in reversed(keys)]
            if is_stream:
                made.update(_content(one))
        elif isinstance(one, list):
            made.update(b"array %d\n" % len(one))
            left += reversed(list(one))
        else:
            made.update(f"{_plain(one)}\n".encode("utf-8", "backslashreplace"))
    return made.hexdigest()


def _content(stream: Any) -> bytes:
    """What a stream holds; one that cannot be unpacked is known by that, for ours all can."""
    try:
        return sha256(stream.get_data()).digest()
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        return type(error).__name__.encode()


def _plain(value: Any) -> str:
    """A number, word or text; bytes of a text are the same however they are written down."""
    if isinstance(value, str) and hasattr(value, "original_bytes"):
        return f"text {value.original_bytes!r}"
    if isinstance(value, bytes):
        return f"text {bytes(value)!r}"
    if isinstance(value, str):
        return f"name {str(value)!r}"
    return (
        f"{float(value):.6g}"
        if isinstance(value, int | float) or hasattr(value, "as_numeric")
        else repr(value)
    )


_KNOWN = {
    "/Info": "description",
    "/Metadata": "description",
    "/Lang": "language",
    "/Outlines": "bookmarks",
    "/Names": "names",
    "/Dests": "names",
    "/AF": "names",
    "/OpenAction": "actions",
    "/AA": "actions",
    "/AcroForm": "fields",
    "/OCProperties": "layers",
    "/Collection": "portfolio",
    "/StructTreeRoot": "tags",
    "/MarkInfo": "tags",
    "/PageLabels": "labels",
    "/ViewerPreferences": "view",
    "/PageMode": "view",
    "/PageLayout": "view",
    "/Annots": "annotations",
    "/Contents": "drawing",
    "/Resources": "drawing",
}


def _in_words(part: Iterable[str]) -> str:
    where, key, *number = part
    code = _KNOWN.get(key)
    what = say(f"pages.{code}") if code else say("pages.entry", name=visible(key, _LONGEST))
    return say("pages.of-page", number=int(number[0]), what=what) if where == "page" else what
