"""From recordings and a request to a plan and one file for each listener."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from zebra_core.errors import InputError, OutputError
from zebra_core.files.access import Content, folder_of, make_folder, temporary_folder, write_files
from zebra_core.files.toml_file import TomlFile, read_toml
from zebra_core.listening.design import (
    QuestionDesign,
    SpeakerRecordings,
    design,
    heard_again,
    same_blocks,
)
from zebra_core.listening.items import (
    UNPROTECTED,
    UNPROTECTED_FOLDER,
    ItemPurpose,
    ItemTask,
    ListeningItem,
    Stimulus,
)
from zebra_core.listening.package import MOST_SOUND, SUFFIX, Package, packed
from zebra_core.listening.plan import (
    NAME,
    ListenerPlan,
    ListeningPlan,
    as_heard,
    id_of,
    names_of,
    plan_as_json,
)
from zebra_core.recordings import libraries
from zebra_core.recordings.doubtful_copies import of_faults, of_folders
from zebra_core.recordings.folder import Recording, look_into, require_some
from zebra_core.recordings.layout import require_name
from zebra_core.recordings.pairing_offers import Pairing, pair
from zebra_core.recordings.pairing_rules import PairingSource, PairingTable, rule_or_table
from zebra_core.recordings.sound import LONGEST_S, SoundHeader, opened, read_sound
from zebra_core.recordings.speakers import SpeakerSource, read_sex, rule_or_file, who_speaks
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import alternatives, listed, say, written


@dataclass(frozen=True)
class ListeningTest:
    """A test that was made: its plan, the files, and what is to be told."""

    plan: ListeningPlan
    files: tuple[Path, ...]  # the plan first
    sentences: tuple[str, ...]


def make_test(
    request: ListeningRequest, out: Path, *, overwrite: bool = False, on_progress: Progress = no_progress
) -> ListeningTest:
    """Plan, pack and write; no file has its name before all are made. Raises InputError, OutputError."""
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not overwrite)):
        raise OutputError("exists", file=out.name, folder=folder_of(out))
    with temporary_folder() as folder:
        sounds = _Sounds(Path(folder), request.channel, part_of(on_progress, 0.1, 0.7))
        prepared = prepare_readable(request, sounds.read, part_of(on_progress, 0.0, 0.1))
        making = _TestWriter(prepared, sounds, part_of(on_progress, 0.7, 1.0))
        make_folder(out)
        files: dict[Path, Content] = {
            out / f"{code}{SUFFIX}": partial(making.package, code, items)
            for code, items in making.by_code.items()
        }
        *packages, plan = write_files(
            {**files, out / NAME: making.plan_file}, overwrite=overwrite, private=[out / NAME]
        )
        return ListeningTest(
            making.plan, (plan, *packages), (*prepared.sentences, *sounds.remarks_on_clipping())
        )


class _TestWriter:
    """The listeners' files, one after the other, and at the end the plan, which names their hashes."""

    def __init__(self, prepared: PreparedTest, sounds: _Sounds, on_progress: Progress) -> None:
        self._prepared, self._sounds, self._on_progress = prepared, sounds, on_progress
        width = max(2, len(str(len(prepared.heard))))
        self.by_code = {f"L{number:0{width}}": items for number, items in enumerate(prepared.heard, start=1)}
        for code, items in self.by_code.items():
            size = sounds.size_of(items)
            if size > MOST_SOUND:
                facts = {
                    "listener": code,
                    "found": written(size / 2**30, ".1f"),
                    "most": written(MOST_SOUND / 2**30, ".1f"),
                }
                raise InputError("listening-package-too-large", **facts)
        self._packed: dict[str, str] = {}
        self._id = ""
        self._id = id_of(self.plan)

    @property
    def _introduction(self) -> str:
        """In the user's words, and a sentence where something comes twice."""
        first, *_ = self._prepared.heard
        twice = any(item.kind is ItemPurpose.REPEAT for item in first)
        words = self._prepared.request.introduction
        return f"{words}\n\n{say('listening.announced')}" if twice else words

    def package(self, code: str, items: Sequence[ListeningItem]) -> bytes:
        """A listener's file."""
        self._on_progress(len(self._packed) / len(self.by_code))
        request, names = self._prepared.request, names_of(items)
        package = Package(
            self._id,
            code,
            request.title,
            self._introduction,
            request.consent,
            {one.question: _scale(request.scales, one.question) for one in request.wanted},
            tuple(as_heard(item, names) for item in items),
        )
        content = packed(package, {name: self._sounds.content(one) for one, name in names.items()})
        self._packed[code] = sha256(content).hexdigest()
        return content

    @property
    def plan(self) -> ListeningPlan:
        """The plan, complete once every file was made."""
        prepared, request = self._prepared, self._prepared.request
        hashes = self._sounds.hashes
        return ListeningPlan(
            self._id,
            request.title,
            request.seed,
            prepared.safeguards,
            any(one.enrol_protected for one in request.wanted),
            _hash(self._introduction),
            _hash(request.consent),
            {name: prepared.speaker[name] for name in hashes},
            hashes,
            tuple(
                ListenerPlan(code, items, self._packed.get(code, "")) for code, items in self.by_code.items()
            ),
        )

    def plan_file(self) -> bytes:
        """The content of the plan's file."""
        return plan_as_json(self.plan)


class _Sounds:
    """The recordings, each read once, as FLAC without any name in it, on the disk."""

    def __init__(self, folder: Path, channel: int | None, on_progress: Progress) -> None:
        self._folder, self._channel, self._on_progress = folder, channel, on_progress
        self._number: dict[Stimulus, int] = {}
        self._size: dict[Stimulus, int] = {}
        self._clipped: dict[Stimulus, str] = {}
        self._sha256: dict[Stimulus, str] = {}
        self.hashes: Mapping[str, Mapping[str, str]] = {}

    def read(self, prepared: PreparedTest) -> dict[Path, InputError]:
        """Read what is heard, and return what cannot be. Raises OutputError where there is no room."""
        faults: dict[Path, InputError] = {}
        hashes: dict[str, dict[str, str]] = defaultdict(dict)
        for number, one in enumerate(prepared.stimuli):
            self._on_progress(number / len(prepared.stimuli))
            recording = prepared.file(one)
            try:
                if one not in self._number:
                    self._read(one, recording)
                hashes[one.recording][one.safeguard] = self._sha256[one]
            except InputError as error:
                faults[recording.path] = error
        self._clipped = {one: name for one, name in self._clipped.items() if one in prepared.stimuli}
        self.hashes = {name: hashes[name] for name in sorted(hashes)}
        return faults

    def _read(self, one: Stimulus, recording: Recording) -> None:
        sound = read_sound(recording.path, self._channel, name=recording.place_and_folder)
        samples = sound.samples
        if float(np.abs(samples).max()) > 1.0:
            self._clipped[one] = recording.path.name
            samples = np.clip(samples, -1.0, 1.0)
        content = _as_flac(samples, sound.kind.rate_hz, sound.kind.subtype)
        number = len(self._number)
        write_files({self._folder / str(number): content})
        self._number[one], self._size[one], self._sha256[one] = number, len(content), sound.sha256

    def content(self, one: Stimulus) -> bytes:
        """A recording as FLAC."""
        return (self._folder / str(self._number[one])).read_bytes()

    def size_of(self, items: Sequence[ListeningItem]) -> int:
        """The bytes of all recordings of these items."""
        return sum(self._size[one] for one in {one for item in items for one in item.stimuli})

    def remarks_on_clipping(self) -> list[str]:
        """What was changed."""
        if not self._clipped:
            return []
        return [say("listening.clipped", count=len(self._clipped), names=listed([*self._clipped.values()]))]


def _as_flac(samples: np.ndarray, rate_hz: int, subtype: str) -> bytes:
    """The samples as FLAC: with 16 bits if the recording has no more, else with 24."""
    file = io.BytesIO()
    bits = "PCM_16" if subtype in ("PCM_16", "PCM_S8", "PCM_U8", "ULAW", "ALAW") else "PCM_24"
    libraries.soundfile().write(file, samples, rate_hz, format="FLAC", subtype=bits)
    return file.getvalue()


def _scale(scales: Mapping[ItemTask, tuple[str, str]], asked: ItemTask) -> tuple[str, str]:
    low, high = (say(f"listening.{asked.value}-{end}") for end in ("low", "high"))
    return scales.get(asked, (low, high))


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


# What the experimenter asks for, in a TOML file: recordings, questions, numbers and words.


LONGEST_TEXT = 20_000
_TEXTS = ("title", "introduction", "consent")
_TOP = (
    *_TEXTS,
    "original",
    "protected",
    "speakers",
    "pairs",
    "sex",
    "channel",
    "listeners",
    "seed",
    "unprotected",
    *(asked.value for asked in ItemTask),
)
_OF_EACH = ("items", "anchors", "repeats", "low", "high")
_KEYS = {
    ItemTask.SAME: (*_OF_EACH, "same_share", "enrolment"),
    ItemTask.PLACEMENT: (*_OF_EACH, "speakers", "recordings"),
    ItemTask.INTELLIGIBILITY: _OF_EACH,
    ItemTask.NATURALNESS: _OF_EACH,
}


@dataclass(frozen=True)
class ListeningRequest:
    """A test as it was asked for. Paths are those in the file, from where the file is."""

    title: str
    introduction: str
    consent: str
    original: Path
    protected: Mapping[str, Path]
    speakers: SpeakerSource
    listeners: int
    seed: int
    wanted: tuple[QuestionDesign, ...]
    scales: Mapping[ItemTask, tuple[str, str]]  # what 1 and 10 mean; empty where the program says it
    sex: Path | None = None
    channel: int | None = None
    unprotected: bool = True  # whether unprotected speech is judged as well, beside the anchors
    pairs: tuple[PairingSource, ...] = ()  # how copies belong to originals, where their names differ


def read_request(path: Path) -> ListeningRequest:
    """Read the file. Raises InputError with file and line."""
    file = _File(path, read_toml(path, no_toml="case-not-toml", too_large="case-too-large"))
    values = file.toml.values
    for name in values:
        if name not in _TOP:
            file.refuse(name, "listening-key", known=", ".join(_TOP))
    texts = {name: file.text(values, name, "") for name in _TEXTS}
    protected = file.table(values, "protected")
    for name in ("original", "speakers", "introduction", "consent"):
        if name not in values:
            file.refuse(name, "listening-missing")
    wanted, scales = [], {}
    for asked in ItemTask:
        if asked.value in values:
            table = file.table(values, asked.value)
            wanted.append(_wanted(file, asked, table))
            words = file.text(table, "low", ""), file.text(table, "high", "")
            if all(words):
                scales[asked] = words
    if not wanted:
        file.refuse(
            ItemTask.SAME.value,
            "listening-no-question",
            known=alternatives([each.value for each in ItemTask]),
        )
    speakers = rule_or_file(file.text(values, "speakers"))
    return ListeningRequest(
        texts["title"],
        texts["introduction"],
        texts["consent"],
        path.parent / file.text(values, "original"),
        {str(name): path.parent / file.text(protected, name) for name in protected},
        path.parent / speakers if isinstance(speakers, Path) else speakers,
        file.whole(values, "listeners", 12),
        file.whole(values, "seed", 0),
        tuple(wanted),
        scales,
        path.parent / file.text(values, "sex") if "sex" in values else None,
        file.whole(values, "channel", 1) if "channel" in values else None,
        file.yes(values, "unprotected"),
        (_pairs(path.parent, file.text(values, "pairs")),) if "pairs" in values else (),
    )


def _pairs(folder: Path, text: str) -> PairingSource:
    source = rule_or_table(text)
    return PairingTable(folder / source.path) if isinstance(source, PairingTable) else source


def _wanted(file: _File, asked: ItemTask, table: Mapping[str, Any]) -> QuestionDesign:
    for name in table:
        if name not in _KEYS[asked]:
            file.refuse(name, "listening-key", known=", ".join(_KEYS[asked]))
    if "items" not in table:
        file.refuse(asked.value, "listening-missing", found=f"{asked.value}.items")
    usual = QuestionDesign(asked, 0)
    side = file.text(table, "enrolment", "original")
    if side not in ("original", "protected"):
        file.refuse("enrolment", "listening-enrolment", value=side)
    return QuestionDesign(
        asked,
        file.whole(table, "items"),
        file.whole(table, "anchors", 0),
        file.whole(table, "repeats", 0),
        file.share(table, "same_share", usual.same_share),
        side == "protected",
        file.whole(table, "speakers", usual.speakers),
        file.whole(table, "recordings", usual.recordings),
    )


@dataclass(frozen=True)
class _File:
    """The file, whose values are asked for one by one."""

    path: Path
    toml: TomlFile

    def text(self, table: Mapping[str, Any], name: str, usual: str | None = None) -> str:
        value = table.get(name, usual)
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            self.refuse(name, "listening-no-text", most=LONGEST_TEXT)
        return value

    def whole(self, table: Mapping[str, Any], name: str, usual: int | None = None) -> int:
        value = table.get(name, usual)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
            self.refuse(name, "listening-no-number")
        return value

    def share(self, table: Mapping[str, Any], name: str, usual: float) -> float:
        value = table.get(name, usual)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
            self.refuse(name, "listening-no-share")
        return float(value)

    def yes(self, table: Mapping[str, Any], name: str) -> bool:
        value = table.get(name, True)
        if not isinstance(value, bool):
            self.refuse(name, "listening-no-truth")
        return value

    def table(self, table: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        value = table.get(name, {})
        if not isinstance(value, dict):
            self.refuse(name, "listening-no-table")
        return value

    def refuse(self, name: str, code: str, **facts: object) -> NoReturn:
        line = self.toml.lines.of_key(name)
        raise InputError(code, **{"file": self.path.name, "line": line, "found": name, **facts})


# From a request to what can be known of a test before it is made: who hears what, for how long.


MOST_IN_A_FILE = 9999
"""Items, and recordings, of one listener: more cannot be named in the listener's file."""


@dataclass(frozen=True, eq=False)
class PreparedTest:
    """A test that can be made: what each listener hears, and where the recordings are."""

    request: ListeningRequest
    pairing: Pairing
    speaker: Mapping[str, str]  # of each recording
    safeguards: tuple[str, ...]  # the conditions
    heard: tuple[tuple[ListeningItem, ...], ...]  # by each listener, in order
    sentences: tuple[str, ...]

    @cached_property
    def stimuli(self) -> list[Stimulus]:
        """Every recording that somebody hears, once."""
        found = {one for items in self.heard for each in items for one in each.stimuli}
        return sorted(found, key=lambda one: (one.recording, one.safeguard))

    def file(self, one: Stimulus) -> Recording:
        """Where a recording lies."""
        if one.safeguard == UNPROTECTED:
            return self.pairing.originals[one.recording]
        return self.pairing.protected[one.safeguard][one.recording]


@dataclass(frozen=True)
class Outlook:
    """What making a test will come to."""

    listeners: int
    conditions: int
    recordings: int  # files that somebody hears
    items: Mapping[ItemTask, int]  # of each listener, anchors and repeats included
    sound_s: float  # of the listener who hears most, each item once through
    channels: int  # of the recording with most
    sentences: tuple[str, ...]

    @property
    def in_words(self) -> str:
        """In a sentence or two."""
        minutes = max(1, round(self.sound_s / 60.0))
        facts = {"listeners": self.listeners, "items": sum(self.items.values()), "minutes": minutes}
        return say("listening.outlook", count=self.recordings, conditions=self.conditions, **facts)


def prepare_readable(
    request: ListeningRequest,
    faults_of: Callable[[PreparedTest], Mapping[Path, InputError]],
    on_progress: Progress = no_progress,
) -> PreparedTest:
    """Prepare again without the recordings that turn out to be unreadable, until there are none.

    Raises InputError for what no test can be made of: the first fault, where one could be made otherwise.
    """
    faults: dict[Path, InputError] = {}
    made = prepare(request, on_progress)
    while new := faults_of(made):
        faults |= new
        try:
            made = prepare(request, part_of(on_progress, 1.0, 1.0), faults)
        except InputError as error:
            raise next(iter(faults.values())) from error
    return made


def prepare(
    request: ListeningRequest,
    on_progress: Progress = no_progress,
    faults: Mapping[Path, InputError] | None = None,
) -> PreparedTest:
    """Find the recordings and deal them out, but for those with faults, which are told.

    Raises InputError for what no test can be made of.
    """
    _refuse_names(request)
    libraries.soundfile()
    pairing, speaker, remarks = _recordings(request, on_progress)
    if faults:
        remarks += of_faults(pairing, faults)
        broken = {name for name in speaker if any(one.path in faults for one in pairing.versions(name))}
        speaker = {name: who for name, who in speaker.items() if name not in broken}
    of: dict[str, list[str]] = defaultdict(list)
    for name, who in speaker.items():
        of[who].append(name)
    sex = read_sex(request.sex) if request.sex else {}
    safeguards = (*([UNPROTECTED] if request.unprotected else []), *request.protected)
    if not safeguards:
        raise InputError("listening-no-safeguard")
    heard = design(request.wanted, SpeakerRecordings(of, sex), safeguards, request.listeners, request.seed)
    most = max(max(len(items), len({one for each in items for one in each.stimuli})) for items in heard)
    if most > MOST_IN_A_FILE:
        raise InputError("listening-too-long", found=most, most=MOST_IN_A_FILE)
    remarks += _remarks_on_design(request, safeguards)
    again, times = heard_again(heard[0])
    if again:
        remarks.append(say("listening.heard-again", count=again, most=times))
    return PreparedTest(request, pairing, speaker, safeguards, tuple(map(tuple, heard)), tuple(remarks))


def foresee(request: ListeningRequest, on_progress: Progress = no_progress) -> Outlook:
    """What a request comes to, before anything is written. Raises InputError, as making it would."""
    kinds: dict[Path, SoundHeader] = {}

    def faults_of(made: PreparedTest) -> dict[Path, InputError]:
        faults: dict[Path, InputError] = {}
        for number, one in enumerate(map(made.file, made.stimuli)):
            on_progress(0.5 + 0.5 * number / len(made.stimuli))
            try:
                with opened(one.path, name=one.place_and_folder, hashed=False) as (_, _, kind):
                    kinds[one.path] = kind
            except InputError as error:
                faults[one.path] = error
        return faults

    made = prepare_readable(request, faults_of, part_of(on_progress, 0.0, 0.5))
    heard = {one: kinds[made.file(one).path] for one in made.stimuli}
    # Not every file says its length.
    seconds = {one: min(kind.frames / kind.rate_hz, LONGEST_S) for one, kind in heard.items()}
    sound = max(sum(seconds[one] for item in items for one in item.stimuli) for items in made.heard)
    return Outlook(
        request.listeners,
        len(made.safeguards),
        len(made.stimuli),
        Counter(item.question for item in made.heard[0]),
        sound,
        max(kind.channels for kind in heard.values()),
        made.sentences,
    )


def _refuse_names(request: ListeningRequest) -> None:
    """Raise InputError for names of safeguards that cannot be folders, or are one folder to some systems."""
    known: dict[str, str] = {}
    for name in request.protected:
        require_name(name)
        folded = name.casefold()
        if folded == UNPROTECTED_FOLDER:
            raise InputError("listening-safeguard-taken", found=name)
        if folded in known:
            raise InputError("listening-safeguards-alike", found=known[folded], other=name)
        known[folded] = name


def _recordings(
    request: ListeningRequest, on_progress: Progress
) -> tuple[Pairing, dict[str, str], list[str]]:
    """Originals with all their copies, and who speaks in them."""
    share = 1.0 / (1 + len(request.protected))
    originals = require_some(look_into(request.original, part_of(on_progress, 0.0, share)))
    copies = {
        name: require_some(look_into(path, part_of(on_progress, number * share, (number + 1) * share)))
        for number, (name, path) in enumerate(request.protected.items(), start=1)
    }
    found = {name: one.recordings for name, one in copies.items()}
    pairing = pair(originals.recordings, found, dict.fromkeys(copies, request.pairs))
    if not pairing.complete:
        count = len(originals.recordings)
        raise InputError("recordings-no-pairs", original=request.original.name, count=count)
    spoken = who_speaks({name: pairing.originals[name] for name in pairing.complete}, request.speakers)
    remarks = [*of_folders(originals, copies)]
    if missing := len(pairing.originals) - len(pairing.complete):
        remarks.append(say("listening.without-copies", count=missing))
    if spoken.unknown:
        remarks.append(
            say("listening.unknown-speakers", count=len(spoken.unknown), names=listed(spoken.unknown))
        )
    return pairing, dict(spoken.speaker), remarks


def _remarks_on_design(request: ListeningRequest, safeguards: Sequence[str]) -> list[str]:
    """What does not come out even, and what listeners must be told."""
    remarks = []
    if request.listeners % len(safeguards):
        remarks.append(say("listening.listeners-uneven", count=request.listeners, safeguards=len(safeguards)))
    for one in request.wanted:
        if one.question is ItemTask.SAME:
            remarks += _told_of_share(one, len(safeguards))
        if one.repeats:
            remarks.append(say(f"listening.repeats-{one.question.value}", count=one.repeats))
    return remarks


def _told_of_share(one: QuestionDesign, safeguards: int) -> list[str]:
    share = same_blocks(one, safeguards) * safeguards / one.items
    if abs(share - one.same_share) < 1e-9:
        return []
    return [say("listening.share", wanted=written(one.same_share, ".0%"), found=written(share, ".1%"))]
