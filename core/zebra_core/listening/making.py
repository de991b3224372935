"""From recordings and a request to a plan and one file for each listener."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError, OutputError
from zebra_core.files.opening import folder_of
from zebra_core.files.writing import Content, make_folder, temporary_folder, write_files
from zebra_core.listening.items import ItemPurpose, ItemTask, ListeningItem, Stimulus
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
from zebra_core.listening.preparing import PreparedTest, prepare_readable
from zebra_core.listening.request import ListeningRequest
from zebra_core.recordings import libraries
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.sound import read_sound
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.names import listed
from zebra_core.wording.texts import say, written


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
