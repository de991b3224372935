"""Folders of recordings among what was dropped: which are originals, which protected versions of them."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import combinations, count, islice
from pathlib import Path, PurePosixPath

from zebra_core.errors import InputError
from zebra_core.files.access import is_folder, is_hidden, walk
from zebra_core.recordings.folder import Recording, SoundFolder, count_packed, look_into
from zebra_core.recordings.layout import require_name
from zebra_core.recordings.pairing_offers import pair
from zebra_core.recordings.protecting import RECORD as PROTECTED_RECORD
from zebra_core.recordings.request import BackgroundSpeech
from zebra_core.recordings.sound import is_sound, is_unread_sound
from zebra_core.recordings.speakers import offers, undoubted
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import in_sentence, say

MOST_LOOKED_AT = 1000
"""Files of a folder of which one must be sound for it to be taken for recordings."""
_ORIGINAL = re.compile(
    r"(?:^|[ _.-])(?:orig(?:inals?)?|unprotected)(?:$|[ _.-])|^(?:clean|raw|source)$", re.IGNORECASE
)
_PROTECTED = re.compile(
    r"(?:^|[ _.-])(?:anon\w*|protect\w*|pseudonym\w*|mcadams|b[1-9]\w?)(?:$|[ _.-])", re.IGNORECASE
)
_SPEAKERS = frozenset({"utt2spk", "spk2utt"})
_TABLES = frozenset({".csv", ".tsv", ".xlsx"})
_SEX, _TRANSCRIPTS = "spk2gender", "text"
_IN_TWO_LETTERS = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "ß": "ss",
        "æ": "ae",
        "ø": "oe",
        "å": "aa",
    }
)
_MOST_COMPARED = 20  # folders of one
_FEW_FOLDERS = 3  # that may as well be versions of the same recordings as speakers
_MOST_BESIDE, _MOST_TABLES = 1000, 10  # files beside a folder that are looked at; tables of these
_ALIKE = 0.5  # the share of a folder's recordings that are in another for both to be versions of the same


class FolderRole(Enum):
    """What the recordings of a folder are."""

    ORIGINAL = "original"
    PROTECTED = "protected"
    UNUSED = "unused"


@dataclass(frozen=True)
class RecordingsFolder:
    """A folder of recordings; `role` is None where nothing says what they are."""

    folder: SoundFolder
    role: FolderRole | None
    name: str  # what to call the safeguard

    @property
    def top(self) -> Path:
        """Where it lies."""
        return self.folder.top


@dataclass(frozen=True)
class DroppedFolders:
    """Everything that was found, before anybody has said anything of it."""

    paths: tuple[Path, ...]
    versions: tuple[RecordingsFolder, ...]
    lists: tuple[Path, ...] = ()  # that may say who speaks
    sex: Path | None = None
    transcripts: Path | None = None
    divisible: tuple[Path, ...] = ()  # folders whose own folders may be versions of the same recordings
    divided: frozenset[Path] = frozenset()  # of these, what is taken as a folder of versions
    undecided: tuple[Path, ...] = ()  # of these, what nothing says of
    others: tuple[Path, ...] = ()  # what is no sound, or lies beside the versions of such a folder
    packed: Mapping[Path, int] = field(default_factory=dict)  # archives, with how many recordings are in them

    def is_of_originals(self, path: Path, original: Path) -> bool:
        """Whether a list was given, or lies in the folder of originals or in one that this lies in.

        Others come with the copies: whoever made them would say who speaks.
        """
        return path in self.paths or original.is_relative_to(path.parent)


def hold_recordings(paths: Iterable[Path]) -> bool:
    """Whether there is a folder among these that has sound among its first files, by content, read or not."""
    return any(
        is_sound(file) or is_unread_sound(file)
        for path in paths
        if is_folder(path)
        for file in _some_files(path)
    )


def find_versions(
    paths: Sequence[Path], divided: Mapping[Path, bool] | None = None, on_progress: Progress = no_progress
) -> DroppedFolders:
    """The folders of recordings in what was dropped; `divided` is what a user has said of a folder's folders.

    A folder whose own folders hold recordings of the same names, or are few, is taken as a folder of versions
    where one of them is called as originals or protected ones are, and so is one whose folders are called as
    both are. Where nobody can know whether they are versions or speakers, it is not decided. Tables that lie
    beside dropped folders are among the lists.

    Raises InputError as `look_into` does.
    """
    folders: list[SoundFolder] = []
    lists: list[Path] = []
    divisible: list[Path] = []
    undecided: list[Path] = []
    taken: set[Path] = set()
    others: list[Path] = []
    for number, path in enumerate(paths):
        if not is_folder(path):
            lists.append(path)
            continue
        found = look_into(path, part_of(on_progress, number / len(paths), (number + 1) / len(paths)))
        lists += [path / place for place in found.others if len(place.parts) == 1]
        others += [path / place for place in found.others]
        is_alone = sum(map(is_folder, paths)) == 1 and role_by_name(path.name) is None
        parts = _parts(found, with_few=is_alone)
        if parts:
            divisible.append(path)
            are_versions = (divided or {}).get(path, _are_versions(parts, is_alone=is_alone))
            if are_versions is None:
                undecided.append(path)
            if are_versions:
                taken.add(path)
                folders += parts
                inside = {one.path for part in parts for one in part.recordings}
                others += [one.path for one in found.recordings if one.path not in inside]
                lists += [one.top / place for one in parts for place in one.others if len(place.parts) == 1]
                continue
        if found.recordings or found.unread:
            folders.append(found)
    beside = _files_beside(paths)
    lists += [path for path in beside if path.suffix.lower() in _TABLES][:_MOST_TABLES]
    packed = {
        path: number for path in dict.fromkeys((*others, *beside, *paths)) if (number := count_packed(path))
    }
    versions = _with_roles(list({one.top: one for one in folders}.values()))  # one may be given twice
    of_copies = {one.top for one in versions if one.role is FolderRole.PROTECTED}
    sexes = sorted((path for path in lists if path.name == _SEX), key=lambda path: path.parent in of_copies)
    sex = next(iter(sexes), None)
    tops = {one.top for one in folders}  # `text` in one of them has the words of its own recordings
    transcripts = next(
        (path for path in lists if path.name == _TRANSCRIPTS and path.parent not in tops), None
    )
    speaking = tuple(
        dict.fromkeys(
            path for path in lists if path not in packed and _may_say_who_speaks(path, is_given=path in paths)
        )
    )
    known = {*packed, *speaking, sex, transcripts, *(top / _TRANSCRIPTS for top in tops)}
    return DroppedFolders(
        tuple(paths),
        versions,
        speaking,
        sex,
        transcripts,
        tuple(divisible),
        frozenset(taken),
        tuple(undecided),
        tuple(path for path in others if path not in known and path.name != PROTECTED_RECORD),
        packed,
    )


def _files_beside(paths: Sequence[Path]) -> list[Path]:
    """Some files in the folders that dropped folders lie in, which are told and never taken unasked."""
    found: list[Path] = []
    for above in dict.fromkeys(path.parent for path in paths if is_folder(path)):
        try:
            with os.scandir(above) as entries:
                some = [Path(one.path) for one in islice(entries, _MOST_BESIDE) if one.is_file()]
        except OSError:
            continue  # it was not given
        found += sorted(path for path in some if not is_hidden(path.name))
    return found


def safeguard_name(folder: str, taken: Iterable[str] = ()) -> str:
    """What a safeguard may be called after its folder, unlike those that are taken."""
    marked = unicodedata.normalize("NFC", " ".join(folder.split())).translate(_IN_TWO_LETTERS)
    letters = "".join(one for one in unicodedata.normalize("NFD", marked) if not unicodedata.combining(one))
    plain = re.sub(r" *[^A-Za-z0-9. ]+ *", "-", letters).strip("-. ")[:40].strip("-. ")
    name = next(one for one in (plain, f"safeguard-{plain}", "safeguard") if _is_name(one))
    if name not in taken:
        return name
    return next(one for number in count(2) if (one := f"{name}-{number}") not in taken)


def _is_name(name: str) -> bool:
    try:
        require_name(name)
    except InputError:
        return False
    return True


def _some_files(top: Path) -> Iterable[Path]:
    seen = 0
    for folder, folders, names in walk(top):
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        for name in sorted(names):
            if not is_hidden(name):
                seen += 1
                yield Path(folder, name)
        if seen > MOST_LOOKED_AT:
            return


def _are_versions(parts: Sequence[SoundFolder], *, is_alone: bool) -> bool | None:
    """Whether folders in a folder are versions of the same recordings, and not speakers, by their names.

    None where nobody can know: all are called as protected ones are; or nothing else was dropped, no name
    says it, and they are few, or hold folders themselves.
    """
    roles = [_known_role(one) for one in parts]
    if any(roles):
        return True if None in roles or FolderRole.ORIGINAL in roles else None
    hold_folders = all(len(one.place.parts) > 1 for part in parts for one in part.recordings)
    return None if is_alone and (len(parts) <= _FEW_FOLDERS or hold_folders) else False


def _parts(whole: SoundFolder, *, with_few: bool) -> list[SoundFolder]:
    """The folders in a folder, where some of them hold recordings of the same names, or are called as
    originals and protected ones are, or `with_few` are few; else none.
    """
    above = _common_folder(whole.recordings)
    depth = len(above) + 1
    recordings: dict[str, list[Recording]] = defaultdict(list)
    for one in whole.recordings:
        if len(one.place.parts) > depth:
            recordings[one.place.parts[depth - 1]].append(one)
    compared = islice(recordings.values(), _MOST_COMPARED)
    places = [{(*one.place.parts[depth:-1], one.stem) for one in inside} for inside in compared]
    are_alike = any(len(a & b) >= _ALIKE * min(len(a), len(b)) for a, b in combinations(places, 2))
    are_few = with_few and 1 < len(recordings) <= _FEW_FOLDERS
    is_named = {FolderRole.ORIGINAL, FolderRole.PROTECTED} <= set(map(role_by_name, recordings))
    if not (are_alike or are_few or is_named):
        return []
    pretenders, others, unread = (
        _by_folder(places, above) for places in (whole.pretenders, whole.others, whole.unread)
    )
    return [
        SoundFolder(
            top := whole.top.joinpath(*above, name),
            tuple(replace(one, place=PurePosixPath(*one.place.parts[depth:])) for one in inside),
            tuple(pretenders[name]),
            tuple(others[name]),
            tuple(closed for closed in whole.closed if Path(closed).is_relative_to(top)),
            tuple(unread[name]),
        )
        for name, inside in recordings.items()
    ]


def _by_folder(places: Iterable[PurePosixPath], above: tuple[str, ...]) -> dict[str, list[PurePosixPath]]:
    """What lies in each folder of a folder, with its place there."""
    depth = len(above) + 1
    found: dict[str, list[PurePosixPath]] = defaultdict(list)
    for place in places:
        if len(place.parts) > depth and place.parts[: depth - 1] == above:
            found[place.parts[depth - 1]].append(PurePosixPath(*place.parts[depth:]))
    return found


def _common_folder(recordings: Sequence[Recording]) -> tuple[str, ...]:
    """The folders that all of them are in."""
    folders = [one.place.parent.parts for one in recordings]
    if not folders:
        return ()
    first, last = min(folders), max(folders)
    same = next(
        (n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
    )
    return first[:same]


def _known_role(folder: SoundFolder) -> FolderRole | None:
    """What its name says, or a record of ours in it."""
    if PurePosixPath(PROTECTED_RECORD) in folder.others:
        return FolderRole.PROTECTED
    return role_by_name(folder.top.name)


def role_by_name(name: str) -> FolderRole | None:
    """What a folder, or a file, is by its name; None where that says nothing, or both."""
    is_original, is_protected = bool(_ORIGINAL.search(name)), bool(_PROTECTED.search(name))
    if is_original == is_protected:
        return None
    return FolderRole.ORIGINAL if is_original else FolderRole.PROTECTED


def _with_roles(folders: Sequence[SoundFolder]) -> tuple[RecordingsFolder, ...]:
    """Each with its role: where one is known to be the originals, or all others to be protected, all are."""
    folders = sorted(folders, key=lambda one: _known_role(one) is not FolderRole.ORIGINAL)
    roles = [_known_role(folder) for folder in folders]
    if roles.count(FolderRole.ORIGINAL) == 0 and roles.count(None) == 1:
        roles[roles.index(None)] = FolderRole.ORIGINAL
    elif roles.count(FolderRole.ORIGINAL) == 1:
        roles = [role or FolderRole.PROTECTED for role in roles]
    elif roles.count(FolderRole.ORIGINAL) > 1:
        roles = [None if role is FolderRole.ORIGINAL else role for role in roles]
    found: list[RecordingsFolder] = []
    for folder, role in zip(folders, roles, strict=True):
        found.append(
            RecordingsFolder(folder, role, safeguard_name(folder.top.name, [one.name for one in found]))
        )
    return tuple(found)


def _may_say_who_speaks(path: Path, *, is_given: bool) -> bool:
    is_known = path.name in _SPEAKERS or path.suffix.lower() in _TABLES
    return is_known or (is_given and path.name not in (_SEX, _TRANSCRIPTS))


# A folder that back ends are to learn from: originals, their copies and who speaks, as a drop is read.


@dataclass(frozen=True)
class BackgroundFolders:
    """The content of a background folder, with safeguards under the names of its own folders."""

    folder: Path
    lesson: BackgroundSpeech
    count: int  # of recordings that are there in every version
    in_words: str

    def for_safeguards(self, names: Collection[str]) -> BackgroundSpeech:
        """Background speech with copies under only those safeguards that are compared."""
        protected = self.lesson.protected
        return replace(self.lesson, protected={name: protected[name] for name in names if name in protected})

    def summary(self, names: Collection[str]) -> str:
        """What the folder holds, and which copies are not used, because nothing is compared with them."""
        known = sorted(self.for_safeguards(names).protected)
        strange = sorted(self.lesson.protected.keys() - set(names))
        return " ".join(
            filter(
                None,
                [
                    self.in_words,
                    say("recordings.lesson-copies", names=in_sentence(known)) if known else "",
                    say("recordings.lesson-strange", names=in_sentence(strange)) if strange else "",
                ],
            )
        )


def find_lesson(folder: Path, on_progress: Progress = no_progress) -> BackgroundFolders:
    """Background speech in a folder. Raises InputError where it is not clear what is what."""
    dropped = find_versions([folder], None, on_progress)
    originals = [one for one in dropped.versions if one.role is FolderRole.ORIGINAL]
    if len(originals) != 1 or any(one.role is None for one in dropped.versions):
        raise InputError("lesson-original", folder=folder.name)
    original = originals[0]
    protected: Mapping[str, Path] = {
        one.name: one.top for one in dropped.versions if one.role is FolderRole.PROTECTED
    }
    pairing = pair(
        original.folder.recordings,
        {one.name: one.folder.recordings for one in dropped.versions if one.name in protected},
    )
    given = {name: (source,) for name, source in pairing.sources.items()}
    own = [path for path in dropped.lists if dropped.is_of_originals(path, original.top)]
    found = offers(pairing, own, ())
    by_list = [one for one in found if one.source in own and one.is_likely]  # the folder is the user's own
    source = undoubted(by_list or found, own)
    offer = next((one for one in found if one.source == source), None)
    if offer is None or offer.spoken is None:
        raise InputError("lesson-speakers", folder=folder.name)
    sentence = say(
        "recordings.lesson",
        folder=folder.name,
        count=len(pairing.complete),
        speakers=offer.in_words,
        examples=offer.examples,
    )
    return BackgroundFolders(
        folder,
        BackgroundSpeech(original.top, protected, offer.source, given),
        len(pairing.complete),
        sentence,
    )
