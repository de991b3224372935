"""A folder that back ends are to learn from: originals, their copies and who speaks, as a drop is read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.recordings.folder_roles import FolderRole, find_versions
from zebra_core.recordings.pairing import pair
from zebra_core.recordings.request import BackgroundSpeech
from zebra_core.recordings.speaker_sources import offers, undoubted
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import say


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
