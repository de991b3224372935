"""What must be told of folders of recordings before anything is made of them: a sentence each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.opening import size_of
from zebra_core.recordings.doubtful_copies import Version, doubts, likeness_of_one_person
from zebra_core.recordings.embedding import EmbeddedRecording
from zebra_core.recordings.folder import SoundFolder
from zebra_core.recordings.pairing import Pairing
from zebra_core.recordings.pairing_rules import SAME_NAME, PairingTable
from zebra_core.recordings.speakers import (
    AlikeSpeakers,
    OnePerson,
    RecordingSpeakers,
    SpeakerColumn,
    SpeakerSource,
    are_no_people,
)
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import say, visible

_MOST_NAMED, _LONGEST = 4, 300
_MOST_FAULTS = 8


def listed(code: str, names: Sequence[object], **facts: object) -> str:
    """A sentence about several things, of which the first are named."""
    shown = ", ".join(visible(str(name), _LONGEST) for name in names[:_MOST_NAMED])
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
        if copies := [one.place for one in pairing.competing[safeguard]]:
            yield listed("competing", copies, safeguard=safeguard)
        yield from _of_repeated(pairing, safeguard)
        otherwise = pairing.named_otherwise(safeguard)
        same = pairing.delivered_twice(safeguard)
        for copy, name in same.items():
            facts = {"name": name, "copy": copy.place, "used": pairing.protected[safeguard][name].place}
            yield say("recordings.delivered-twice", safeguard=safeguard, **facts)
        otherwise = tuple(one for one in otherwise if one not in same)
        known = {*otherwise, *same}
        if copies := [one.place for one in pairing.strangers[safeguard] if one not in known]:
            yield listed("strangers", copies, safeguard=safeguard)
        if otherwise:
            yield listed("named-otherwise", [one.place for one in otherwise], safeguard=safeguard)


def _of_repeated(pairing: Pairing, safeguard: str) -> Iterator[str]:
    """Lines of a table that are not used, because an earlier one names another copy of the same original."""
    if repeated := pairing.repeated.get(safeguard):
        used = pairing.protected[safeguard]
        rows = [
            say(
                "recordings.repeated-row",
                line=one.line,
                name=one.name,
                copy=one.copy.place,
                first=one.first_line,
                used=used[one.name].place if one.name in used else "–",
            )
            for one in repeated
        ]
        yield listed("repeated", rows, file=str(pairing.sources[safeguard]))


def of_speakers(spoken: RecordingSpeakers, source: SpeakerSource) -> Iterator[str]:
    """By which rule or column it is known who speaks, with examples, and of which recordings nobody knows."""
    if isinstance(source, SpeakerRule):
        yield say("recordings.by-rule", rule=source.value, examples=spoken.examples)
    elif isinstance(source, SpeakerColumn):
        facts = {"file": source.path.name, "column": source.column, "examples": spoken.examples}
        yield say("recordings.by-column", **facts)
    yield from of_nobody(spoken)


def of_nobody(spoken: RecordingSpeakers) -> Iterator[str]:
    """Of which recordings nobody knows who speaks; or that those who do are dates and the like."""
    if are_no_people({*spoken.speaker.values()}):
        yield say("recordings.no-people", examples=spoken.examples)
    if spoken.unknown:
        yield listed("unknown-speaker", spoken.unknown)


def of_alike(pairs: Sequence[AlikeSpeakers] | None) -> Iterator[str]:
    """Speakers who sound alike in the originals, and why that matters; or that nobody could tell."""
    if pairs is None:
        yield say("recordings.alike-not-checked")
    elif pairs:
        yield listed("sound-alike", [pair.in_words for pair in pairs])


def of_one_person(together: OnePerson) -> Iterator[str]:
    """Names that count as those of one person, as the user says."""
    yield from (say("recordings.one-person", names=in_sentence([*map(visible, pair)])) for pair in together)


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
    speaker: Mapping[str, str] | None = None,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids that are compared, and what is told of the others and of recordings that say little.

    Left out is what cannot be heard in some version, and of originals that are equal all but the first.
    `speaker` says who speaks, by which it is judged whether copies are like their originals.
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
    sentences += _doubts(pairing, kept, heard, speaker or {})
    return kept, tuple(sentences)


def _little(pairing: Pairing, ids: Sequence[str], heard: Mapping[Path, EmbeddedRecording]) -> Iterator[str]:
    """Recordings that are short or clipped."""
    originals = {name: heard[pairing.originals[name].path] for name in ids}
    short = {name: None for name, one in originals.items() if one.loudness.is_short}
    if short:
        yield listed("short", list(short))
    if clipped := [name for name, one in originals.items() if one.loudness.is_clipped]:
        yield listed("clipped", clipped)
    for safeguard, of in pairing.protected.items():
        copies = {name: heard[of[name].path] for name in ids}
        if only := [name for name, one in copies.items() if one.loudness.is_short and name not in short]:
            yield listed("short-copies", only, safeguard=safeguard)


def _doubts(
    pairing: Pairing,
    ids: Sequence[str],
    heard: Mapping[Path, EmbeddedRecording],
    speaker: Mapping[str, str],
) -> Iterator[str]:
    """Copies that do not protect, are those of others, or differ from their originals as others do not."""
    originals = {name: heard[pairing.originals[name].path] for name in ids}
    copies = {
        safeguard: {name: Version.of(heard[of[name].path], originals[name]) for name in ids}
        for safeguard, of in pairing.protected.items()
    }
    whole = {name: Version.of(one) for name, one in originals.items()}
    for one in doubts(whole, copies, likeness_of_one_person(originals, speaker)):
        facts = {"safeguard": one.safeguard, "examples": pairing.examples(one.safeguard)}
        yield listed(one.code, one.names, **facts, **one.facts)


def of_words(
    understood: Mapping[str, Mapping[str, str]], folders: Mapping[str, Path], ids: Sequence[str]
) -> Iterator[str]:
    """Of which recordings a file that lies with the copies says what is understood."""
    for safeguard, words in understood.items():
        if count := len(words.keys() & set(ids)):
            facts = {"safeguard": safeguard, "folder": folders[safeguard].name, "all": len(ids)}
            yield say("recordings.understood", count=count, **facts)
