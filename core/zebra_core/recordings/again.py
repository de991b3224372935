"""The same asked of another delivery: the choices of a record on other folders, and what does not fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.access import is_folder, is_hidden, walk
from zebra_core.intake.recordings_file import ScoringRecord
from zebra_core.recordings.attacks import AttackerChoice
from zebra_core.recordings.embedding import SurveyedRecording, glance
from zebra_core.recordings.folder_roles import DroppedFolders, FolderRole, find_versions, hold_recordings
from zebra_core.recordings.overview import Overview, RecordingChoices, overview
from zebra_core.recordings.pairing_rules import PairingRule, PairingSource, PairingTable
from zebra_core.recordings.request import Request
from zebra_core.recordings.speakers import Source, SpeakerColumn
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import in_sentence, say, visible

_MOST_FOLDERS = 2000  # that are looked through for one of a name


@dataclass(frozen=True, eq=False)
class SameAgain:
    """What a delivery holds, with the choices of last time; sentences on what is not as it was then."""

    dropped: DroppedFolders
    choices: RecordingChoices
    seen: Mapping[Path, SurveyedRecording]
    differences: tuple[str, ...]

    def request(self) -> Request:
        """What is asked. Raises InputError, which says all that is not as it was, where that is not clear."""
        found = overview(self.dropped, self.choices, self.seen)
        if found.request is None:
            raise InputError("again-unlike", reasons=" ".join((*self.differences, *found.lacking)))
        return found.request


def same_again(record: ScoringRecord, delivery: Path, on_progress: Progress = no_progress) -> SameAgain:
    """The choices that a record was made with, for another delivery of the same make.

    Folders are looked for at the places where they were in that delivery, then by their names; lists by
    their names. A record of earlier versions does not say where folders were: then names alone say what they
    hold. Raises InputError as `find_versions` does.
    """
    values = record.values
    asked: Mapping[str, Any] = values.get("asked", {})
    placed = {"": asked["original"], **asked["protected"]} if asked else {}
    found = {name: _folder(delivery, place) for name, place in placed.items()}
    tops = {name: top for name, top in found.items() if top is not None}
    lists = {name: _file(delivery, name) for name in dict.fromkeys(_lists(values, asked))}
    differences = [
        say("again.no-folder", folder=placed[name], delivery=delivery.name)
        for name in placed
        if name not in tops
    ]
    differences += [
        say("again.no-list", file=name, delivery=delivery.name) for name, at in lists.items() if at is None
    ]
    paths = [*tops.values(), *filter(None, lists.values())] if tops else [delivery]
    divided = dict.fromkeys(tops.values(), False) if tops else {delivery: True}
    dropped = find_versions(paths, divided, part_of(on_progress, 0.0, 0.5))
    tops = tops or {version.name: version.top for version in dropped.versions}
    choices = RecordingChoices(
        roles={top: FolderRole.PROTECTED if name else FolderRole.ORIGINAL for name, top in tops.items()}
        if placed
        else {},
        names={top: name for name, top in tops.items() if name} if placed else {},
        speakers=_speakers(values["speakers_by"], lists),
        pairs={tops[name]: way for name, way in _pairs(values, lists) if name in tops},
        every_pair=values["trials"] == "all",
        attacker=AttackerChoice(asked.get("attacker", AttackerChoice.ALL.value)),
        enrol=values["enrol"],
        channel=values["channel"],
        transcripts=lists.get(asked.get("transcripts") or ""),
    )
    recordings = [one for version in dropped.versions for one in version.folder.recordings]
    seen = glance(recordings, {}, part_of(on_progress, 0.5, 1.0))
    choices = replace(choices, one_person=_together(values, overview(dropped, choices, seen)))
    differences += [*_new_folders(delivery, tops.values()), *_other_kinds(values, dropped, tops)]
    if values["training"]:
        differences.append(say("again.training"))
    if asked.get("model"):
        differences.append(
            say("again.model", file=asked["model"], sha256=values["recogniser"]["sha256"][:12])
        )
    return SameAgain(dropped, choices, seen, tuple(differences))


def _lists(values: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[str]:
    """The names of all files that said something of recordings."""
    by = (values["speakers_by"], *values.get("pairs_by", {}).values())
    yield from filter(None, [*(one["file"] for one in by), asked.get("sex"), asked.get("transcripts")])


def _folder(delivery: Path, place: str) -> Path | None:
    """The folder at a place in a delivery, else the only one of its name."""
    parts = [part for part in PurePosixPath(place).parts if part not in ("..", "/")]
    if parts and is_folder(there := delivery.joinpath(*parts)):
        return there
    named = [
        Path(top, name) for top, folders, _ in _some(delivery) for name in folders if [name] == parts[-1:]
    ]
    return named[0] if len(named) == 1 else None


def _file(delivery: Path, name: str) -> Path | None:
    """The first file of a name in a delivery, those in it before those deeper inside."""
    return next((Path(top, name) for top, _, names in _some(delivery) if name in names), None)


def _some(delivery: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    for _, (top, folders, names) in zip(range(_MOST_FOLDERS), walk(delivery), strict=False):
        folders[:] = sorted(name for name in folders if not is_hidden(name))
        yield top, folders, names


def _speakers(by: Mapping[str, Any], lists: Mapping[str, Path | None]) -> Source | None:
    if by["rule"]:
        return SpeakerRule(by["rule"])
    path = lists[by["file"]]
    return SpeakerColumn(path, by["column"]) if path and "column" in by else path


def _pairs(
    values: Mapping[str, Any], lists: Mapping[str, Path | None]
) -> Iterator[tuple[str, PairingSource]]:
    """How the copies under each safeguard were paired, where the same can be asked again."""
    for safeguard, by in values.get("pairs_by", {}).items():
        if by["rule"]:
            yield safeguard, PairingRule.parse(by["rule"])
        elif (path := lists[by["file"]]) is not None:
            yield safeguard, PairingTable(path)


def _together(values: Mapping[str, Any], found: Overview) -> tuple[tuple[str, str], ...]:
    """Names of one person that both come again."""
    known = set(found.spoken.speaker.values()) if found.spoken else set()
    return tuple((one, other) for one, other in values.get("one_person", ()) if {one, other} <= known)


def _new_folders(delivery: Path, tops: Collection[Path]) -> Iterator[str]:
    """Folders of recordings that were not there."""
    used = {path for top in tops for path in (top, *top.parents)}
    _, folders, _ = next(_some(delivery), ("", [], []))
    new = [one for name in folders if (one := delivery / name) not in used and hold_recordings([one])]
    if new:
        yield say("again.new-folders", names=in_sentence([visible(one.name) for one in new]), count=len(new))


def _other_kinds(
    values: Mapping[str, Any], dropped: DroppedFolders, tops: Mapping[str, Path]
) -> Iterator[str]:
    """Folders whose files have another ending than they had."""
    for version in dropped.versions:
        name = next((name for name, top in tops.items() if top == version.top), None)
        if name is None:
            continue
        rows = [row["original"] if not name else row["protected"].get(name) for row in values["recordings"]]
        before = {PurePosixPath(row["file"]).suffix.lower() for row in rows if row}
        now = {one.place.suffix.lower() for one in version.folder.recordings}
        if before and now - before:
            both = {"before": ", ".join(sorted(before)), "now": ", ".join(sorted(now))}
            yield say("again.other-kind", folder=version.top.name, **both)
