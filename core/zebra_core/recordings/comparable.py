"""Recordings that can be compared: found, paired, and heard in every version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.recordings import doubtful_copies
from zebra_core.recordings.attacks import Attack, AttackerChoice, attacks_on
from zebra_core.recordings.embedding import EmbeddedRecording, FolderStore, MemoryStore, Store, hear
from zebra_core.recordings.folder import Recording, SoundFolder, look_into, require_some
from zebra_core.recordings.layout import count_listed
from zebra_core.recordings.onnx_recogniser import given
from zebra_core.recordings.overview import ExpectedWork, of_assessing, of_hearing, of_steps, seconds_of
from zebra_core.recordings.pairing_offers import Pairing, pair
from zebra_core.recordings.recogniser import Recogniser, shipped
from zebra_core.recordings.request import BackgroundSpeech, Request
from zebra_core.recordings.small_tables import beside, file_beside, is_copy, read_transcripts
from zebra_core.recordings.sound import hash_of
from zebra_core.recordings.speakers import RecordingSpeakers, as_one_person, read_sex, who_speaks
from zebra_core.recordings.trial_list import CONDITIONS, TrialCount, count_trials
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import say


@dataclass(frozen=True)
class LeftOutFile:
    """A file, or a closed folder, of which nothing is compared; it is none that merely lacks a partner."""

    safeguard: str  # "" for originals
    place: str  # below its folder
    why: str  # not-sound, unread, closed, same-name, unknown-speaker, equal; else the code of its fault


@dataclass(frozen=True, eq=False)
class ComparableRecordings:
    """Recordings that are there in every version, can be heard, and whose speaker is known."""

    recogniser: Recogniser
    pairing: Pairing
    spoken: RecordingSpeakers
    ids: tuple[str, ...]
    heard: Mapping[Path, EmbeddedRecording] = field(repr=False)
    sentences: tuple[str, ...]
    sex: Mapping[str, str]
    transcripts: Mapping[str, str]
    left_out: Mapping[str, int]  # by why
    understood: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by safeguard
    training: ComparableRecordings | None = None
    left_out_files: tuple[LeftOutFile, ...] = ()
    words_from: Mapping[str, str] = field(default_factory=dict)  # by safeguard, SHA-256 of what is understood
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
        """How long the original speech lasts, in seconds."""
        return sum(self.heard[self.pairing.originals[name].path].seconds for name in self.ids)


@dataclass(frozen=True, eq=False)
class _FoundRecordings:
    """Recordings that are there in every version, before they are heard."""

    original: str  # the name of their folder
    pairing: Pairing
    spoken: RecordingSpeakers
    ids: tuple[str, ...]  # whose speaker is known
    sentences: tuple[str, ...]
    transcripts: Mapping[str, str]
    understood: Mapping[str, Mapping[str, str]]
    words_from: Mapping[str, str]  # by safeguard, SHA-256 of the file
    left_out: tuple[LeftOutFile, ...]

    @property
    def recordings(self) -> list[Recording]:
        """The recordings in every version."""
        return [one for name in self.ids for one in self.pairing.versions(name)]

    @property
    def speaker(self) -> dict[str, str]:
        """Who speaks in each."""
        return {name: self.spoken.speaker[name] for name in self.ids}


Begin = Callable[[ExpectedWork], object]
"""Told what lies ahead, before anything is heard."""


def compare_recordings(
    request: Request,
    on_progress: Progress = no_progress,
    store: Store | None = None,
    on_begin: Begin = lambda _expected: None,
) -> ComparableRecordings:
    """Find, pair and hear, what back ends learn from as well.

    What cannot be done is refused before hours are spent on hearing. Raises InputError where nothing is left
    that could be compared, or where back ends would learn from those who are compared.
    """
    recogniser = given(request.model) if request.model else shipped()
    store = _store(request) if store is None else store
    looking = part_of(on_progress, 0.0, 0.0)  # takes no time beside hearing, but may be stopped
    what = BackgroundSpeech(
        request.original, request.protected, request.speakers, request.pairs, request.one_person
    )
    found = _found(what, request.transcripts, looking)
    if request.without_transcripts:
        found = replace(found, transcripts={})
    sex = read_sex(request.sex) if request.sex else {}
    taught = _found(request.training, None, looking) if request.training else None
    if taught and (both := sorted({*found.speaker.values()} & {*taught.speaker.values()})):
        raise InputError("training-same-speakers", count=len(both), found=both[0])
    everything = [*found.recordings, *(taught.recordings if taught else ())]
    on_begin(_expected(request, found, sex, everything, taught))
    share = len(found.recordings) / len(everything)
    hearing = partial(_heard, recogniser, store, request.channel)
    compared = replace(hearing(found, part_of(on_progress, 0.0, share)), sex=sex)
    if request.model:
        takes = say("recordings.model-takes", takes=recogniser.takes.in_words)
        compared = replace(compared, sentences=(takes, *compared.sentences))
    if taught is None:
        return compared
    training = hearing(taught, part_of(on_progress, share, 1.0))
    if both := sorted(compared.hashes.keys() & training.hashes.keys()):
        names = compared.hashes[both[0]], training.hashes[both[0]]
        raise InputError("training-same-recording", file=names[0], other=names[1])
    return replace(compared, sentences=(*compared.sentences, *training.sentences), training=training)


def _found(what: BackgroundSpeech, transcripts: Path | None, on_progress: Progress) -> _FoundRecordings:
    originals = require_some(look_into(what.original, on_progress))
    folders = {name: require_some(look_into(path, on_progress)) for name, path in what.protected.items()}
    copies = {name: folder.recordings for name, folder in folders.items()}
    pairing = pair(originals.recordings, copies, what.pairs)
    sentences = [
        *doubtful_copies.of_folders(originals, folders),
        *doubtful_copies.of_pairs(pairing),
        *doubtful_copies.of_pairing(pairing),
    ]
    if not pairing.complete:
        raise InputError("recordings-no-pairs", original=what.original.name, count=len(originals.recordings))
    spoken = who_speaks({name: pairing.originals[name] for name in pairing.complete}, what.speakers)
    spoken = as_one_person(spoken, what.one_person)
    known = tuple(name for name in pairing.complete if name in spoken.speaker)
    sentences += [
        *doubtful_copies.of_speakers(spoken, what.speakers),
        *doubtful_copies.of_one_person(what.one_person),
    ]
    words = read_transcripts(transcripts) if transcripts else beside(what.original)
    understood = {name: beside(path) for name, path in what.protected.items()}
    understood = {name: each for name, each in understood.items() if not is_copy(words, each)}
    sentences += doubtful_copies.of_words(understood, what.protected, known)
    words_from = {name: hash_of(path) for name in understood if (path := file_beside(what.protected[name]))}
    lost = [
        *(one for name, folder in {"": originals, **folders}.items() for one in _unused(name, folder)),
        *(LeftOutFile("", str(one.place), "same-name") for one in pairing.twice),
        *_of_originals(pairing, spoken.unknown, "unknown-speaker"),
    ]
    return _FoundRecordings(
        what.original.name,
        pairing,
        spoken,
        known,
        tuple(sentences),
        words,
        understood,
        words_from,
        tuple(lost),
    )


def _unused(safeguard: str, folder: SoundFolder) -> Iterator[LeftOutFile]:
    """What is called like sound, sound that is not read, and what cannot be looked into."""
    paths = map(Path, folder.closed)  # no folder of this machine is told
    closed = (
        path.relative_to(folder.top).as_posix() if path.is_relative_to(folder.top) else path.name
        for path in paths
    )
    found = {"not-sound": folder.pretenders, "unread": folder.unread, "closed": closed}
    return (LeftOutFile(safeguard, str(place), why) for why, places in found.items() for place in places)


def _of_originals(pairing: Pairing, ids: Iterable[str], why: str) -> Iterator[LeftOutFile]:
    return (LeftOutFile("", str(pairing.originals[name].place), why) for name in ids)


def _not_heard(found: _FoundRecordings, faults: Mapping[Path, InputError]) -> Iterator[LeftOutFile]:
    versions = {"": found.pairing.originals, **found.pairing.protected}
    for safeguard, of in versions.items():
        for one in map(of.__getitem__, found.ids):
            if fault := faults.get(one.path):
                yield LeftOutFile(safeguard, str(one.place), fault.code)


def _heard(
    recogniser: Recogniser, store: Store, channel: int | None, found: _FoundRecordings, on_progress: Progress
) -> ComparableRecordings:
    pairing, known = found.pairing, found.ids
    heard, faults = hear(found.recordings, recogniser, store, channel, on_progress)
    ids, more = doubtful_copies.usable(pairing, known, heard, faults, found.speaker)
    if not ids:
        raise next(iter(faults.values()), InputError("recordings-no-pairs", original=found.original, count=0))
    whole = [name for name in known if all(one.path in heard for one in pairing.versions(name))]
    equal = sorted({*whole} - {*ids})
    left_out = {
        "same_name": len(pairing.twice),
        "without_copy": len(pairing.originals) - len(pairing.complete),
        "unknown_speaker": len(found.spoken.unknown),
        "not_heard": len(known) - len(whole),
        "equal": len(equal),
    }
    return ComparableRecordings(
        recogniser,
        pairing,
        found.spoken,
        ids,
        heard,
        (*found.sentences, *more),
        {},
        found.transcripts,
        left_out,
        found.understood,
        left_out_files=(*found.left_out, *_not_heard(found, faults), *_of_originals(pairing, equal, "equal")),
        words_from=found.words_from,
        why_not_heard=next((str(fault) for fault in faults.values()), ""),
    )


def _expected(
    request: Request,
    found: _FoundRecordings,
    sex: Mapping[str, str],
    everything: Sequence[Recording],
    taught: _FoundRecordings | None,
) -> ExpectedWork:
    """The expected work, if all recordings can be heard. Raises InputError where no trials can be made."""
    counts = _counted(request, found.speaker, sex)
    trials = {condition: one.trials for condition, one in counts.items()}
    voices = len(found.ids) if request.every_pair else counts["oo"].targets  # of test recordings as many
    listed = count_listed(voices, len(request.protected))
    learnt_from = len((taught or found).ids)
    attacks = planned_attacks(request, found.ids, found.transcripts, found.understood)
    attacking = sum(of_steps(attacks, trials, listed, learnt_from, in_folds=taught is None))
    assessing = of_assessing(attacks, trials, listed)
    hearing = of_hearing(len(everything), seconds_of(everything))
    return ExpectedWork(len(everything), max(trials.values()), hearing, attacking, assessing)


def planned_attacks(
    request: Request,
    ids: Sequence[str],
    transcripts: Mapping[str, str],
    understood: Mapping[str, Mapping[str, str]],
) -> tuple[Attack, ...]:
    """What is tried on these recordings: words where it is known of each of them what is said.

    Raises InputError where nothing but words is to be compared, and it is not known.
    """
    has_words = all(one in transcripts for one in ids)
    if request.attacker is AttackerChoice.WORDS and not has_words:
        lacking = [one for one in ids if one not in transcripts]
        raise InputError("words-not-known", count=len(lacking), found=lacking[0])
    by_safeguard = [name for name, words in understood.items() if all(one in words for one in ids)]
    names = tuple(request.protected)
    return attacks_on(names, request.attacker, has_words=has_words, understood=by_safeguard)


def _counted(request: Request, speaker: Mapping[str, str], sex: Mapping[str, str]) -> dict[str, TrialCount]:
    """The number of trials of each condition. Raises InputError where none can be made."""
    conditions = CONDITIONS if request.protected else CONDITIONS[:1]
    return count_trials(speaker, sex, conditions, every_pair=request.every_pair, enrol=request.enrol)


def _store(request: Request) -> Store:
    return FolderStore(request.keep) if request.keep else MemoryStore()
