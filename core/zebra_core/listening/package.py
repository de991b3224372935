"""The file that one listener gets (.zebra-listening): recordings under names of no meaning, and what to do.

A zip whose members are stored as they are: nothing in it unpacks to more than its size. What each item is
for, who speaks and which safeguard was at work stand in the experimenter's plan alone.
"""

from __future__ import annotations

import io
import json
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError
from zebra_core.files.access import make_folder, open_regular, write_files
from zebra_core.listening.items import Fields, ItemTask
from zebra_core.recordings.sound import (
    HIGHEST_HZ,
    LOWEST_HZ,
    MOST_SAMPLES,
    Samples,
    SoundHeader,
    blocks_of,
    decoding,
)
from zebra_core.runtime.apart import Fault, NoAnswer, refusal
from zebra_core.runtime.progress import no_progress

SUFFIX = ".zebra-listening"
FORMAT = 1
_TEST = "test.json"
_SOUND = re.compile(r"sound/(s[0-9]{4})\.flac")
_CODE = re.compile(r"[A-Za-z0-9]{1,16}")
_ID = re.compile(r"i[0-9]{4}")
_MOST_BYTES = 2 << 30
MOST_SOUND = _MOST_BYTES - (64 << 20)
"""Bytes of the recordings in one file: what is left is for names and words."""
_MOST_MEMBERS = 10_000
_MOST_TEXT = 8 << 20
_DATE = (1980, 1, 1, 0, 0, 0)  # the first that a zip can hold: the same test makes the same bytes
_MODE = (stat.S_IFREG | 0o644) << 16
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError, OSError)


@dataclass(frozen=True)
class HeardItem:
    """An item as its listener knows it: what is asked, and the recordings, by their names in the file."""

    id: str
    question: ItemTask
    sounds: tuple[str, ...]

    @property
    def saved_names(self) -> list[str]:
        """What its recordings are called where they are saved to be played elsewhere, in their order."""
        return [f"{self.id}-{number}.flac" for number in range(1, len(self.sounds) + 1)]


@dataclass(frozen=True)
class Package:
    """What a listener's file says; `sha256` is that of the file."""

    test: str  # the id of the test
    listener: str  # the code of the listener
    title: str
    introduction: str
    consent: str
    scales: Mapping[ItemTask, tuple[str, str]]  # what 1 and 10 mean, in words
    items: tuple[HeardItem, ...]
    sha256: str = ""

    @property
    def sounds(self) -> tuple[str, ...]:
        """The names of all recordings, in the order in which they are first heard."""
        return tuple(dict.fromkeys(sound for item in self.items for sound in item.sounds))


def packed(package: Package, sounds: Mapping[str, bytes]) -> bytes:
    """The bytes of the file; the same test makes the same bytes."""
    content = {
        "format": FORMAT,
        "test": package.test,
        "listener": package.listener,
        "title": package.title,
        "introduction": package.introduction,
        "consent": package.consent,
        "scales": {asked.value: list(words) for asked, words in package.scales.items()},
        "items": [
            {"id": item.id, "question": item.question.value, "sounds": list(item.sounds)}
            for item in package.items
        ],
    }
    members = {_TEST: (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()}
    members |= {f"sound/{name}.flac": sounds[name] for name in package.sounds}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED, allowZip64=False) as archive:
        for name, bytes_ in members.items():
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system, info.external_attr = 3, _MODE
            archive.writestr(info, bytes_)
    return file.getvalue()


def read_package(path: Path) -> Package:
    """What is asked. Raises InputError for a file that is none, or is damaged."""
    with open_regular(path) as stream:
        content = stream.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise InputError("listening-too-large", file=path.name, most=_MOST_BYTES >> 30)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            sounds = _members(path.name, archive)
            text = archive.read(_TEST)
    except _BROKEN as error:
        raise InputError("listening-no-package", file=path.name) from error
    return _package(Fields.of(path.name, text), sounds, sha256(content).hexdigest())


def read_sounds(path: Path, package: Package, names: Sequence[str] | None = None) -> dict[str, bytes]:
    """Recordings of a package as FLAC files; all where none are named. Raises InputError if it changed."""
    try:
        with open_regular(path) as stream, zipfile.ZipFile(stream) as archive:
            _members(path.name, archive)
            return {name: archive.read(f"sound/{name}.flac") for name in names or package.sounds}
    except (*_BROKEN, KeyError) as error:
        raise InputError("listening-no-package", file=path.name) from error


def _members(file: str, archive: zipfile.ZipFile) -> set[str]:
    """The names of the recordings. Raises InputError for members that no test of ours has."""
    infos = archive.infolist()
    names = [info.filename for info in infos]
    sounds = [found[1] for name in names if (found := _SOUND.fullmatch(name))]
    is_ours = (
        len(infos) <= _MOST_MEMBERS
        and len(set(names)) == len(names)
        and len(sounds) + 1 == len(names)
        and _TEST in names
        and all(info.compress_type == zipfile.ZIP_STORED and not info.flag_bits & 1 for info in infos)
        and all(info.file_size == info.compress_size for info in infos)
        and archive.getinfo(_TEST).file_size <= _MOST_TEXT
    )
    if not is_ours:
        raise InputError("listening-no-package", file=file)
    return set(sounds)


def _package(found: Fields, sounds: set[str], digest: str) -> Package:
    if found.found.get("format") != FORMAT:
        found.whole("format", 1, 1 << 20)  # else it is none of ours
        raise InputError("listening-newer", file=found.file)
    items = tuple(_item(row, sounds) for row in found.objects("items"))
    code, ids = found.text("listener"), [item.id for item in items]
    if not _CODE.fullmatch(code):
        found.refuse("listener")
    if not items or len(set(ids)) < len(ids):
        found.refuse("items")
    return Package(
        found.text("test"),
        code,
        found.text("title", may_be_empty=True),
        found.text("introduction", may_be_empty=True),
        found.text("consent", may_be_empty=True),
        _scales(found.object("scales")),
        items,
        digest,
    )


def _item(row: Fields, sounds: set[str]) -> HeardItem:
    asked = _asked(row, row.text("question"))
    found = row.texts("sounds")
    if not set(found) <= sounds or not asked.takes(len(found)):
        row.refuse("sounds")
    if not _ID.fullmatch(row.text("id")):
        row.refuse("id")
    return HeardItem(row.text("id"), asked, found)


def _scales(found: Fields) -> dict[ItemTask, tuple[str, str]]:
    scales = {}
    for name in found.found:
        words = found.texts(name)
        if len(words) != 2:
            found.refuse("scales")
        scales[_asked(found, name)] = (words[0], words[1])
    return scales


def _asked(found: Fields, name: str) -> ItemTask:
    if name not in {asked.value for asked in ItemTask}:
        found.refuse("question")
    return ItemTask(name)


# The recordings of a listener's file: as samples to be played, or as files for playing them elsewhere.


def samples_of(path: Path, package: Package, item: HeardItem) -> list[tuple[Samples, int]]:
    """The recordings of an item with their rates in hertz, in its order. Raises InputError."""
    content = read_sounds(path, package, item.sounds)
    found: list[tuple[Samples, int]] = []
    room = MOST_SAMPLES  # of all together: silence unpacks from a small file to any size
    for name in item.sounds:
        found.append(_decoded(path.name, content[name], room))
        room -= len(found[-1][0])
    return found


def sound_check() -> tuple[Samples, int]:
    """Two notes, to hear whether anything is played, and how loud; with their rate in hertz."""
    rate_hz = 16_000
    seconds = np.arange(rate_hz // 2) / rate_hz
    notes = [np.sin(2 * np.pi * hertz * seconds) * np.hanning(seconds.size) for hertz in (440.0, 660.0)]
    return (0.2 * np.concatenate(notes)).astype(np.float32), rate_hz


def export_sounds(path: Path, package: Package, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Every item as FLAC files named by its id and place (`i0001-1.flac`). Raises InputError, OutputError."""
    content = read_sounds(path, package)
    make_folder(folder)
    files = {
        folder / saved: content[name]
        for item in package.items
        for saved, name in zip(item.saved_names, item.sounds, strict=True)
    }
    return write_files(files, overwrite=overwrite)


def _decoded(file: str, content: bytes, most: int) -> tuple[Samples, int]:
    try:
        with decoding(content, hashed=False) as sound:
            kind = SoundHeader.of(sound)
            is_ours = (
                kind.format == "FLAC"
                and kind.channels == 1
                and LOWEST_HZ <= kind.rate_hz <= HIGHEST_HZ
                and 0 < kind.frames <= most
            )
            if not is_ours:
                raise InputError("listening-no-package", file=file)
            blocks = list(blocks_of(sound, kind, file, no_progress))
    except (Fault, NoAnswer, ValueError) as error:
        raise refusal(error, "listening-no-package", file) from error
    return np.concatenate(blocks)[:, 0], kind.rate_hz
