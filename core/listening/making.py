"""From recordings and a request to a plan and one file for each listener."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from zebra_core.errors import InputError, OutputError
from zebra_core.files.writing import make_folder, write_files
from zebra_core.listening.design import Voices, Wanted, design, same_blocks
from zebra_core.listening.items import UNPROTECTED, UNPROTECTED_FOLDER, Asked, Item, Stimulus
from zebra_core.listening.package import SUFFIX, Package, packed
from zebra_core.listening.plan import NAME, ListenerPlan, Plan, as_heard, id_of, names_of, plan_as_json
from zebra_core.listening.request import Request
from zebra_core.recordings import libraries
from zebra_core.recordings.folder import Recording, look_into
from zebra_core.recordings.layout import require_name
from zebra_core.recordings.pairing import Pairing, paired
from zebra_core.recordings.sound import hash_of, read_sound
from zebra_core.recordings.speakers import read_sex, who_speaks
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.names import listed
from zebra_core.wording.texts import say


@dataclass(frozen=True)
class Made:
    """A test that was made: its plan, the files, and what is to be told."""

    plan: Plan
    files: tuple[Path, ...]  # the plan first
    told: tuple[str, ...]


def make_test(
    request: Request, out: Path, *, overwrite: bool = False, on_progress: Progress = no_progress
) -> Made:
    """Plan, pack and write, nothing before all is made. Raises InputError, OutputError."""
    for name in request.protected:
        require_name(name)
        if name.casefold() == UNPROTECTED_FOLDER:
            raise InputError("listening-safeguard-taken", found=name)
    libraries.soundfile()
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not overwrite)):
        raise OutputError("exists", file=out.name, folder=str(out.parent))
    pairing, speaker, told = _recordings(request)
    of: dict[str, list[str]] = defaultdict(list)
    for name, who in speaker.items():
        of[who].append(name)
    sex = read_sex(request.sex) if request.sex else {}
    safeguards = (*([UNPROTECTED] if request.unprotected else []), *request.protected)
    if not safeguards:
        raise InputError("listening-no-safeguard")
    heard = design(request.wanted, Voices(of, sex), safeguards, request.listeners, request.seed)
    sounds = _Sounds(
        pairing, request.channel, {one for items in heard for each in items for one in each.stimuli}
    )
    sounds.read(part_of(on_progress, 0.0, 0.8))
    hashes = {name: sounds.hashes[name] for name in sorted(sounds.hashes)}
    test = id_of(request.title, request.seed, heard, hashes)
    width = max(2, len(str(request.listeners)))
    packages: dict[str, bytes] = {}
    listeners = []
    for number, items in enumerate(heard, start=1):
        on_progress(0.8 + 0.2 * number / len(heard))
        code = f"L{number:0{width}}"
        packages[code] = _package(request, test, code, items, sounds)
        listeners.append(ListenerPlan(code, tuple(items), sha256(packages[code]).hexdigest()))
    plan = Plan(
        test,
        request.title,
        request.seed,
        safeguards,
        any(one.enrol_protected for one in request.wanted),
        _hash(request.introduction),
        _hash(request.consent),
        {name: speaker[name] for name in hashes},
        hashes,
        tuple(listeners),
    )
    files = {make_folder(out) / NAME: plan_as_json(plan)}
    files |= {out / f"{code}{SUFFIX}": content for code, content in packages.items()}
    written = write_files(files, overwrite=overwrite)
    return Made(plan, tuple(written), (*told, *sounds.told(), *_told(request, safeguards)))


def _recordings(request: Request) -> tuple[Pairing, dict[str, str], list[str]]:
    """Originals with all their copies, and who speaks in them."""
    originals = look_into(request.original).recordings
    copies = {name: look_into(path).recordings for name, path in request.protected.items()}
    pairing = paired(originals, copies)
    if not pairing.complete:
        raise InputError("recordings-no-pairs", original=request.original.name, count=len(originals))
    spoken = who_speaks({name: pairing.originals[name] for name in pairing.complete}, request.speakers)
    told = []
    if missing := len(pairing.originals) - len(pairing.complete):
        told.append(say("listening.without-copies", count=missing))
    if spoken.unknown:
        told.append(
            say("listening.unknown-speakers", count=len(spoken.unknown), names=listed(spoken.unknown))
        )
    return pairing, dict(spoken.speaker), told


class _Sounds:
    """The recordings that are heard, each read once, as FLAC without any name in it."""

    def __init__(self, pairing: Pairing, channel: int | None, wanted: set[Stimulus]) -> None:
        self._pairing, self._channel = pairing, channel
        self._wanted = sorted(wanted, key=lambda one: (one.recording, one.safeguard))
        self._clipped: list[str] = []
        self.of: dict[Stimulus, bytes] = {}
        self.hashes: dict[str, dict[str, str]] = defaultdict(dict)

    def read(self, on_progress: Progress) -> None:
        """Raises InputError for what is no sound."""
        for number, one in enumerate(self._wanted):
            on_progress(number / len(self._wanted))
            path = self._file(one).path
            sound = read_sound(path, self._channel)
            samples = sound.samples
            if float(np.abs(samples).max()) > 1.0:
                self._clipped.append(path.name)
                samples = np.clip(samples, -1.0, 1.0)
            self.of[one] = _as_flac(samples, sound.kind.rate_hz, sound.kind.subtype)
            self.hashes[one.recording][one.safeguard] = hash_of(path)

    def _file(self, one: Stimulus) -> Recording:
        if one.safeguard == UNPROTECTED:
            return self._pairing.originals[one.recording]
        return self._pairing.protected[one.safeguard][one.recording]

    def told(self) -> list[str]:
        """What was changed."""
        if not self._clipped:
            return []
        return [say("listening.clipped", count=len(self._clipped), names=listed(self._clipped))]


def _as_flac(samples: np.ndarray, rate_hz: int, subtype: str) -> bytes:
    """With 16 bits where the recording has so many, else with 24."""
    file = io.BytesIO()
    bits = "PCM_16" if subtype in ("PCM_16", "PCM_S8", "PCM_U8", "ULAW", "ALAW") else "PCM_24"
    libraries.soundfile().write(file, samples, rate_hz, format="FLAC", subtype=bits)
    return file.getvalue()


def _package(request: Request, test: str, code: str, items: Sequence[Item], sounds: _Sounds) -> bytes:
    names = names_of(items)
    package = Package(
        test,
        code,
        request.title,
        request.introduction,
        request.consent,
        {one.question: _scale(request.scales, one.question) for one in request.wanted},
        tuple(as_heard(item, names) for item in items),
    )
    return packed(package, {name: sounds.of[one] for one, name in names.items()})


def _scale(scales: Mapping[Asked, tuple[str, str]], asked: Asked) -> tuple[str, str]:
    low, high = (say(f"listening.{asked.value}-{end}") for end in ("low", "high"))
    return scales.get(asked, (low, high))


def _told(request: Request, safeguards: Sequence[str]) -> list[str]:
    """What does not come out even, and what listeners must be told."""
    told = []
    if request.listeners % len(safeguards):
        told.append(say("listening.listeners-uneven", count=request.listeners, safeguards=len(safeguards)))
    for one in request.wanted:
        if one.question is Asked.SAME:
            told += _told_of_share(one, len(safeguards))
        if one.repeats:
            told.append(say(f"listening.repeats-{one.question.value}", count=one.repeats))
    return told


def _told_of_share(one: Wanted, safeguards: int) -> list[str]:
    share = same_blocks(one, safeguards) * safeguards / one.items
    if abs(share - one.same_share) < 1e-9:
        return []
    return [say("listening.share", wanted=f"{one.same_share:.0%}", found=f"{share:.1%}")]


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
