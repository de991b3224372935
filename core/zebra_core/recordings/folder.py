"""What lies in a folder of recordings, by content; each recording with the name by which it is paired."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from zebra_core.errors import InputError
from zebra_core.files.access import is_folder, is_hidden, refuse_missing, size_of, walk
from zebra_core.intake.opening.packing import zip_names
from zebra_core.recordings.sound import SUFFIXES, is_sound, is_unread_sound
from zebra_core.runtime.progress import Progress, no_progress

MOST_FILES = 100_000
_PACKED = frozenset({".zip", ".7z", ".rar", ".tar", ".tgz", ".gz", ".bz2", ".xz"})
_UNFIT = r"^ | $|[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"  # the last: bytes of a name that is no UTF-8
_ESCAPE = re.compile(rf"{_UNFIT}|%")
_LOOKS_ESCAPED = re.compile(
    rf"{_UNFIT}|^%20|%20$|%(?:[01][0-9A-F]|7F|25|C2%[89]|E2%80%A[89]|ED%[AB])"
)  # for no other name may look like one that is escaped


@dataclass(frozen=True)
class Recording:
    """A file of sound: where it is, and what it is called."""

    path: Path
    place: PurePosixPath  # below its folder

    @property
    def stem(self) -> str:
        """The name of the file without its ending."""
        return self.place.name.rpartition(".")[0] or self.place.name

    @property
    def place_without_ending(self) -> str:
        """Folders and name, without the ending."""
        return (self.place.parent / self.stem).as_posix()

    @property
    def place_and_folder(self) -> str:
        """The place in the folder, after the folder's name: it tells a recording from its copies."""
        depth = len(self.place.parts)
        if self.path.parts[-depth:] != self.place.parts:  # found elsewhere, by its hash
            return str(self.place)
        return (PurePosixPath(self.path.parents[depth - 1].name) / self.place).as_posix()


@dataclass(frozen=True)
class SoundFolder:
    """Everything in a folder, sorted into what is sound and what is not, in the order of the names."""

    top: Path
    recordings: tuple[Recording, ...]
    pretenders: tuple[PurePosixPath, ...]  # called like sound, and none
    others: tuple[PurePosixPath, ...]
    closed: tuple[str, ...]  # folders that may not be looked into
    unread: tuple[PurePosixPath, ...] = ()  # sound in formats that are not read, such as AAC


def look_into(top: Path, on_progress: Progress = no_progress) -> SoundFolder:
    """What is in a folder and all below it; links to folders are not followed, hidden files left alone.

    Raises InputError where it is no folder, or holds more than `MOST_FILES`.
    """
    refuse_missing(top)
    if not is_folder(top):
        if count := count_packed(top):
            raise InputError("recordings-in-zip", file=top.name, count=count)
        code = "recordings-packed" if top.suffix.lower() in _PACKED else "recordings-no-folder"
        raise InputError(code, file=top.name or str(top))
    paths, closed = _paths(top)
    recordings: list[Recording] = []
    pretenders: list[PurePosixPath] = []
    others: list[PurePosixPath] = []
    unread: list[PurePosixPath] = []
    for number, path in enumerate(paths):
        on_progress(number / len(paths))
        place = PurePosixPath(path.relative_to(top).as_posix())
        if is_sound(path):
            recordings.append(Recording(path, place))
        elif is_unread_sound(path):
            unread.append(place)
        else:
            (pretenders if path.suffix.lower() in SUFFIXES else others).append(place)
    return SoundFolder(top, tuple(recordings), tuple(pretenders), tuple(others), tuple(closed), tuple(unread))


def count_packed(path: Path) -> int:
    """How many recordings there are in a zip, as far as their names tell; none in what is no regular file."""
    if path.suffix.lower() != ".zip" or size_of(path) is None:
        return 0
    names = map(PurePosixPath, zip_names(path))
    return sum(one.suffix.lower() in SUFFIXES and not is_hidden(str(one)) for one in names)


def require_some(found: SoundFolder) -> SoundFolder:
    """The folder itself. Raises InputError where there is no recording in it, or none that is read."""
    name = found.top.name or str(found.top)
    if not found.recordings and found.unread:
        raise InputError("recordings-unread", file=name, count=len(found.unread), example=found.unread[0])
    if not found.recordings:
        raise InputError("recordings-none", file=name)
    return found


def _paths(top: Path) -> tuple[list[Path], list[str]]:
    found: list[Path] = []
    closed: list[str] = []
    for folder, folders, names in walk(top, lambda error: closed.append(str(error.filename))):
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        found += [Path(folder, name) for name in names if not is_hidden(name)]
        if len(found) > MOST_FILES:
            raise InputError("recordings-too-many", file=top.name or str(top), most=MOST_FILES)
    return sorted(found), closed


def named(recordings: Iterable[Recording]) -> tuple[dict[str, Recording], tuple[Recording, ...]]:
    """Recordings by the names of their files without endings; where two are called alike, with folders.

    The second are those whose name another has, with another ending, in the same folder: which is meant
    nobody knows.
    """
    all_of_them = tuple(recordings)
    stems = Counter(one.stem for one in all_of_them)
    by_stem = all(count == 1 for count in stems.values())
    names = [one.stem if by_stem else one.place_without_ending for one in all_of_them]
    times = Counter(names)
    found = {as_id(name): one for name, one in zip(names, all_of_them, strict=True) if times[name] == 1}
    twice = tuple(one for name, one in zip(names, all_of_them, strict=True) if times[name] > 1)
    return found, twice


def as_id(name: str) -> str:
    """A name as an id of a list: itself, unless no line of text can hold it, and never like another's.

    Control characters, bytes that are no UTF-8 and blanks at either end are written as %09 and the like.
    """
    if not _LOOKS_ESCAPED.search(name):
        return name
    return _ESCAPE.sub(
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass")), name
    )


def is_below(place: str) -> bool:
    """Whether a place that a record names lies below its folder, on every system."""
    path = PurePosixPath(place)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in place and ":" not in place
