"""From a request to what can be known of a test before it is made: who hears what, for how long."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.listening.design import (
    QuestionDesign,
    SpeakerRecordings,
    design,
    heard_again,
    same_blocks,
)
from zebra_core.listening.items import UNPROTECTED, UNPROTECTED_FOLDER, ItemTask, ListeningItem, Stimulus
from zebra_core.listening.request import ListeningRequest
from zebra_core.recordings import libraries
from zebra_core.recordings.folder import Recording, look_into, require_some
from zebra_core.recordings.layout import require_name
from zebra_core.recordings.pairing import Pairing, pair
from zebra_core.recordings.remarks import of_faults, of_folders
from zebra_core.recordings.sound import LONGEST_S, SoundHeader, opened
from zebra_core.recordings.speakers import read_sex, who_speaks
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.names import listed
from zebra_core.wording.texts import say, written

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
