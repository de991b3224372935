"""Takes the data for languages that the window does not speak out of Qt's copy of ICU.

Qt for Linux brings ICU with 30 MB of data: names of currencies and cities in 700 languages, collation of
Chinese, converters for encodings of mainframes. The window speaks English and asks ICU for none of them.
ICU foresees such trimming and falls back to its root locale (userguide/icu_data/buildtool). The file keeps
its size and its places: only the list of contents becomes shorter, and what is no longer listed is zeroed.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

_FORMAT = b"CmnD"  # stands 12 bytes after the beginning of a common data file (icu: ucmndata.h)
_LOCALE = re.compile(r"[a-z]{2,3}(_[A-Za-z0-9]+)*")
_KEPT_LOCALE = re.compile(r"en(_US(_POSIX)?)?")
_UNUSED_FOLDERS = ("translit", "rbnf")
_UNUSED_KINDS = ("cnv", "dict", "cfu", "spp")
_UNUSED_NAMES = ("unames",)


def is_wanted(item: str) -> bool:
    """Whether an item, such as icudt73l/curr/de.res, is needed by a program that speaks English."""
    *folders, name = item.split("/")
    stem, _, kind = name.partition(".")
    if kind in _UNUSED_KINDS or stem in _UNUSED_NAMES or folders[-1] in _UNUSED_FOLDERS:
        return False
    return kind != "res" or not _LOCALE.fullmatch(stem) or bool(_KEPT_LOCALE.fullmatch(stem))


def trimmed(library: bytes) -> bytes:
    """The library with the wanted items only. Raises ValueError where it does not hold ICU's data once."""
    if library.count(_FORMAT) != 1:
        raise ValueError("this is no library with the data of ICU")
    start = library.index(_FORMAT) - 12
    contents = start + struct.unpack_from("<H", library, start)[0]
    (count,) = struct.unpack_from("<I", library, contents)
    places = [struct.unpack_from("<II", library, contents + 4 + 8 * k) for k in range(count)]
    names = [_text(library, contents + name) for name, _ in places]
    kept = [k for k in range(count) if is_wanted(names[k])]
    made = bytearray(library)
    for k in range(count - 1):  # the end of the last item is not known: it stays
        if k not in kept:
            first, end = contents + places[k][1], contents + places[k + 1][1]
            made[first:end] = bytes(end - first)
    head = struct.pack("<I", len(kept)) + b"".join(struct.pack("<II", *places[k]) for k in kept)
    made[contents : contents + len(head)] = head
    return bytes(made)


def trim(path: Path) -> None:
    """Trim the library in its place."""
    path.write_bytes(trimmed(path.read_bytes()))


def _text(library: bytes, place: int) -> str:
    return library[place : library.index(b"\0", place)].decode("ascii")
