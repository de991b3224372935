"""Recordings that can be compared: found, paired, and heard in every version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.recordings import remarks
from zebra_core.recordings.folder import look_into
from zebra_core.recordings.given_recogniser import given
from zebra_core.recordings.hearing import FolderStore, Heard, MemoryStore, Store, hear
from zebra_core.recordings.pairing import Pairing, paired
from zebra_core.recordings.recogniser import Recogniser, shipped
from zebra_core.recordings.request import Lesson, Request
from zebra_core.recordings.speakers import Spoken, read_sex, who_speaks
from zebra_core.recordings.transcripts import beside, is_copy, read_transcripts
from zebra_core.recordings.trials import CONDITIONS, count_trials
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say


@dataclass(frozen=True, eq=False)
class Compared:
    """Recordings that are there in every version, can be heard, and whose speaker is known."""

    recogniser: Recogniser
    pairing: Pairing
    spoken: Spoken
    ids: tuple[str, ...]
    heard: Mapping[Path, Heard] = field(repr=False)
    sentences: tuple[str, ...]
    sex: Mapping[str, str]
    transcripts: Mapping[str, str]
    left_out: Mapping[str, int]  # by why
    understood: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by safeguard
    training: Compared | None = None
    why_not_heard: str = ""  # of the first that cannot be

    @property
    def speaker(self) -> dict[str, str]:
        """Who speaks in each recording that is compared."""
        return {name: self.spoken.speaker[name] for name in self.ids}

    @property
    def hashes(self) -> dict[str, str]:
        """The originals, by their hash."""
        originals = (self.pairing.originals[name] for name in self.ids)
        return {self.heard[one.path].sha256: str(one.place) for one in originals}

    @property
    def seconds(self) -> float:
        """Of original speech."""
        return sum(self.heard[self.pairing.originals[name].path].seconds for name in self.ids)


Begin = Callable[[int, int], object]
"""Told how many recordings will be heard, and how many trials there will be of a condition at most."""


def compare_recordings(
    request: Request,
    on_progress: Progress = no_progress,
    store: Store | None = None,
    on_begin: Begin = lambda _recordings, _trials: None,
) -> Compared:
    """Find, pair and hear, what back ends learn from as well.

    What cannot be done is refused before hours are spent on hearing. Raises InputError where nothing is left
    that could be compared, or where back ends would learn from those who are compared.
    """
    recogniser = given(request.model) if request.model else shipped()
    store = _store(request) if store is None else store
    what = Lesson(request.original, request.protected, request.speakers)
    share = 1.0 if request.training is None else 0.5
    compared = _heard(what, request, recogniser, store, part_of(on_progress, 0.0, share), on_begin)
    if request.model:
        takes = say("recordings.model-takes", takes=recogniser.takes.in_words)
        compared = replace(compared, sentences=(takes, *compared.sentences))
    if request.training is None:
        return compared
    training = _heard(request.training, request, recogniser, store, part_of(on_progress, 0.5, 1.0))
    if both := sorted(set(compared.speaker.values()) & set(training.speaker.values())):
        raise InputError("training-same-speakers", count=len(both), found=both[0])
    if both := sorted(compared.hashes.keys() & training.hashes.keys()):
        names = compared.hashes[both[0]], training.hashes[both[0]]
        raise InputError("training-same-recording", file=names[0], other=names[1])
    return replace(compared, sentences=(*compared.sentences, *training.sentences), training=training)


def _heard(
    what: Lesson,
    request: Request,
    recogniser: Recogniser,
    store: Store,
    on_progress: Progress,
    on_begin: Begin | None = None,
) -> Compared:
    originals = look_into(what.original, part_of(on_progress, 0.0, 0.01))
    folders = {
        name: look_into(path, part_of(on_progress, 0.01, 0.02)) for name, path in what.protected.items()
    }
    pairing = paired(originals.recordings, {name: folder.recordings for name, folder in folders.items()})
    sentences = [*remarks.of_folders(originals, folders), *remarks.of_pairing(pairing)]
    if not pairing.complete:
        raise InputError("recordings-no-pairs", original=what.original.name, count=len(originals.recordings))
    spoken = who_speaks({name: pairing.originals[name] for name in pairing.complete}, what.speakers)
    known = tuple(name for name in pairing.complete if name in spoken.speaker)
    sentences += remarks.of_speakers(spoken, what.speakers)
    sex = read_sex(request.sex) if request.sex else {}
    words = read_transcripts(request.transcripts) if request.transcripts else beside(what.original)
    understood = {name: beside(path) for name, path in what.protected.items()}
    understood = {name: each for name, each in understood.items() if not is_copy(words, each)}
    wanted = [one for name in known for one in pairing.versions(name)]
    if on_begin is not None:
        on_begin(len(wanted), _most_trials(request, {name: spoken.speaker[name] for name in known}, sex))
    heard, faults = hear(wanted, recogniser, store, request.channel, part_of(on_progress, 0.02, 1.0))
    ids, more = remarks.usable(pairing, known, heard, faults)
    if not ids:
        raise next(
            iter(faults.values()), InputError("recordings-no-pairs", original=what.original.name, count=0)
        )
    not_heard = sum(any(one.path not in heard for one in pairing.versions(name)) for name in known)
    left_out = {
        "same_name": len(pairing.twice),
        "without_copy": len(pairing.originals) - len(pairing.complete),
        "unknown_speaker": len(spoken.unknown),
        "not_heard": not_heard,
        "equal": len(known) - not_heard - len(ids),
    }
    told_of_all = (*sentences, *more)
    why = next((str(fault) for fault in faults.values()), "")
    return Compared(
        recogniser,
        pairing,
        spoken,
        ids,
        heard,
        told_of_all,
        sex,
        words,
        left_out,
        understood,
        why_not_heard=why,
    )


def _most_trials(request: Request, speaker: Mapping[str, str], sex: Mapping[str, str]) -> int:
    """Of a condition, if all recordings can be heard. Raises InputError where none can be made."""
    conditions = CONDITIONS if request.protected else CONDITIONS[:1]
    found = count_trials(speaker, sex, conditions, every_pair=request.every_pair, enrol=request.enrol)
    return max(one.trials for one in found.values())


def _store(request: Request) -> Store:
    return FolderStore(request.keep) if request.keep else MemoryStore()
