"""What must be told of folders of recordings before anything is made of them: a sentence each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.opening import size_of
from zebra_core.recordings.embedding import EmbeddedRecording
from zebra_core.recordings.folder import SoundFolder
from zebra_core.recordings.pairing import Pairing
from zebra_core.recordings.pairing_rules import SAME_NAME, PairingTable
from zebra_core.recordings.speakers import RecordingSpeakers, SpeakerColumn, SpeakerSource
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import say, visible

_MOST_NAMED = 4
_MOST_FAULTS = 8
_ENOUGH_LENGTHS, _DIFFERENT_LENGTHS = 8, 1.2  # recordings; the longest to the shortest
_ALIKE_LENGTHS = 0.5  # the rank correlation of lengths from which on they are said to agree


def listed(code: str, names: Sequence[object], **facts: object) -> str:
    """A sentence about several things, of which the first are named."""
    shown = ", ".join(visible(str(name)) for name in names[:_MOST_NAMED])
    if len(names) > _MOST_NAMED:
        shown = say("word.and-more", shown=shown, count=len(names) - _MOST_NAMED)
    return say(f"recordings.{code}", count=len(names), names=shown, **facts)


def of_folders(originals: SoundFolder, protected: Mapping[str, SoundFolder]) -> Iterator[str]:
    """Sound that is not read, what is called like sound and is none, and folders that are closed."""
    for folder in (originals, *protected.values()):
        name = folder.top.name or str(folder.top)
        if folder.unread:
            yield listed("unread", folder.unread, folder=name)
        if folder.pretenders:
            yield listed(
                "pretenders", [_with_emptiness(folder.top, one) for one in folder.pretenders], folder=name
            )
        if folder.closed:
            yield listed("closed", folder.closed, folder=name)


def _with_emptiness(top: Path, place: PurePosixPath) -> str:
    """A place, and whether nothing is there."""
    return say("recordings.empty-file", file=place) if size_of(top / place) == 0 else str(place)


def of_pairs(pairing: Pairing) -> Iterator[str]:
    """By which rule or table copies are paired, with examples, where they are not called like originals."""
    for safeguard, source in pairing.sources.items():
        if source != SAME_NAME:
            kind = "table" if isinstance(source, PairingTable) else "rule"
            facts = {"safeguard": safeguard, "rule": source, "examples": pairing.examples(safeguard)}
            yield say(f"recordings.paired-by-{kind}", **facts)


def of_pairing(pairing: Pairing) -> Iterator[str]:
    """What has no partner, or more than one."""
    if pairing.twice:
        yield listed("twice", [one.place for one in pairing.twice])
    for safeguard in pairing.protected:
        if names := pairing.unpaired[safeguard]:
            yield listed("unpaired", names, safeguard=safeguard)
        if names := pairing.ambiguous[safeguard]:
            yield listed("ambiguous", names, safeguard=safeguard)
        otherwise = pairing.named_otherwise(safeguard)
        if copies := [one.place for one in pairing.strangers[safeguard] if one not in otherwise]:
            yield listed("strangers", copies, safeguard=safeguard)
        if otherwise:
            yield listed("named-otherwise", [one.place for one in otherwise], safeguard=safeguard)


def of_speakers(spoken: RecordingSpeakers, source: SpeakerSource) -> Iterator[str]:
    """By which rule or column it is known who speaks, with examples, and of which recordings nobody knows."""
    if isinstance(source, SpeakerRule):
        yield say("recordings.by-rule", rule=source.value, examples=spoken.examples)
    elif isinstance(source, SpeakerColumn):
        facts = {"file": source.path.name, "column": source.column, "examples": spoken.examples}
        yield say("recordings.by-column", **facts)
    if spoken.unknown:
        yield listed("unknown-speaker", spoken.unknown)


def of_alike(pairs: Sequence[tuple[str, str]] | None) -> Iterator[str]:
    """Speakers who sound alike in the originals, and why that matters; or that nobody could tell."""
    if pairs is None:
        yield say("recordings.alike-not-checked")
    elif pairs:
        yield listed("sound-alike", [in_sentence(pair) for pair in pairs])


def of_faults(pairing: Pairing, faults: Mapping[Path, InputError]) -> Iterator[str]:
    """Why recordings cannot be read; of many only some say why, whether they have a partner or not."""
    yield from map(str, list(faults.values())[:_MOST_FAULTS])
    if len(faults) > _MOST_FAULTS:
        every = (one for of in (pairing.originals, *pairing.protected.values()) for one in of.values())
        places = {one.path: one.place_and_folder for one in every}
        rest = list(faults)[_MOST_FAULTS:]
        yield listed("more-faults", [places.get(path, path.name) for path in rest])


def usable(
    pairing: Pairing,
    ids: Sequence[str],
    heard: Mapping[Path, EmbeddedRecording],
    faults: Mapping[Path, InputError],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids that are compared, and what is told of the others and of recordings that say little.

    Left out is what cannot be heard in some version, and of originals that are equal all but the first.
    """
    sentences = [*of_faults(pairing, faults)]
    whole = [name for name in ids if all(one.path in heard for one in pairing.versions(name))]
    by_content: dict[str, list[str]] = defaultdict(list)
    for name in whole:
        by_content[heard[pairing.originals[name].path].sha256].append(name)
    copies = {other: None for _first, *others in by_content.values() for other in others}
    if copies:
        sentences.append(listed("equal", list(copies)))
    kept = tuple(name for name in whole if name not in copies)
    sentences += _little(pairing, kept, heard)
    sentences += _lengths_unlike(pairing, kept, heard)
    return kept, tuple(sentences)


def _lengths_unlike(
    pairing: Pairing, ids: Sequence[str], heard: Mapping[Path, EmbeddedRecording]
) -> Iterator[str]:
    """Safeguards whose copies are not as long or as short as their originals: the pairs may be wrong.

    Copies that were dealt out at random among 8 originals pass unseen in one of ten cases, among 20 in one of
    a hundred.
    """
    originals = [heard[pairing.originals[name].path].seconds for name in ids]
    if len(ids) < _ENOUGH_LENGTHS or max(originals) < _DIFFERENT_LENGTHS * min(originals):
        return
    for safeguard, of in pairing.protected.items():
        copies = [heard[of[name].path].seconds for name in ids]
        if (
            min(copies) == max(copies)
            or np.corrcoef(_ranks(originals), _ranks(copies))[0, 1] < _ALIKE_LENGTHS
        ):
            yield say("recordings.lengths-unlike", safeguard=safeguard, examples=pairing.examples(safeguard))


def _ranks(lengths: Sequence[float]) -> NDArray[np.int64]:
    return np.argsort(np.argsort(lengths))


def _little(pairing: Pairing, ids: Sequence[str], heard: Mapping[Path, EmbeddedRecording]) -> Iterator[str]:
    """Recordings that are short or clipped, and copies that are no protection."""
    originals = {name: heard[pairing.originals[name].path] for name in ids}
    short = {name: None for name, one in originals.items() if one.loudness.is_short}
    if short:
        yield listed("short", list(short))
    if clipped := [name for name, one in originals.items() if one.loudness.is_clipped]:
        yield listed("clipped", clipped)
    for safeguard, of in pairing.protected.items():
        copies = {name: heard[of[name].path] for name in ids}
        if same := [name for name, one in copies.items() if one.sha256 == originals[name].sha256]:
            yield listed("not-protected", same, safeguard=safeguard)
        if only := [name for name, one in copies.items() if one.loudness.is_short and name not in short]:
            yield listed("short-copies", only, safeguard=safeguard)
