"""What is known of copies and speaks against them: they do not protect, are not whole, or the wrong ones.

What concerns all copies of a safeguard is told of their median, what concerns one of how it stands out: by
more than `_STANDS_OUT` robust deviations (1.4826 times the median absolute deviation) and more than a bound
below which nobody would call it wrong. The bounds hold the false alarms down where deviations are small or
have long tails, as those of speech have.

* Length: a line through the medians of short and of long originals (Tukey's resistant line) tells what the
  safeguard does to all: its slope a tempo or a sampling rate, its intercept a constant offset. A copy stands
  out that is a quarter longer or shorter than the line says.
* Speech: a copy stands out that has half, or twice, as much of it as the others have of their originals.
* Likeness: a copy was never changed that is as high as its original, within a quarter of a semitone, and
  stands out by Fisher's z of its likeness, by the deviation of those below the median: many that were not
  changed do not hide each other. Three deviations are enough where it is more like its original than 99 of
  100 pairs of two originals of one person, and one where the safeguard changes pitch, and alike for all, and
  it stands out in that: formats that differ make likeness low. Where the change of pitch varies, a draw may
  have left a copy as it was, which is told as such. Where most copies are more like their originals than 99
  of 100 of those pairs, or than half of them and nearly all have exactly the pitch of their originals (within
  a tenth of a semitone, which is what packing leaves of it), all are told.

Of n copies all of these deviations are larger by 10/n, for few tell little of what is usual. Over five
safeguards (McAdams fixed and drawn, pitch up with a tempo, down, up with an offset) on 388 recordings of 58
speakers, in sets of 20 to 155, fewer than 1 clean copy in 1000 was named.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log, log2, nan
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.files.access import size_of
from zebra_core.recordings.embedding import LEAST_S, EmbeddedRecording
from zebra_core.recordings.folder import SoundFolder
from zebra_core.recordings.pairing_offers import Pairing
from zebra_core.recordings.pairing_rules import SAME_NAME, PairingTable
from zebra_core.recordings.recogniser import unit
from zebra_core.recordings.speakers import (
    AlikeSpeakers,
    OnePerson,
    RecordingSpeakers,
    SpeakerColumn,
    SpeakerSource,
    are_no_people,
)
from zebra_core.wording.texts import in_sentence, say, visible, written

_Values = NDArray[np.float64]
_Which = NDArray[np.bool_]
_MOST_OF_ONE = 50  # recordings of a person whose likeness is looked at
_ENOUGH_LENGTHS, _DIFFERENT_LENGTHS = 8, 1.2  # recordings; the longest to the shortest
_ALIKE_LENGTHS = 0.5  # the rank correlation of lengths from which on they are said to agree
ONE_PERSON = (0.5, 0.99)
"""The shares of pairs of originals of one person that are less alike than copies that nobody changed."""
Likenesses = tuple[float, float]
"""Those that these shares of pairs do not reach, as cosines; not numbers where they are not known."""
_UNKNOWN = (nan, nan)
_STANDS_OUT = 5.0  # robust deviations
_LENGTH, _SPEECH = log(1.25), log(2.0)  # of ratios
_LIKE_BY_ITSELF, _ALIKE_TOO = 3.0, 1.0  # robust deviations
_FEW = 10  # copies, among which as many deviations more stand out
_LEAST_DEVIATION = 0.06  # of Fisher's z
_KEPT_PITCH, _AS_HIGH, _SAME_PITCH, _OTHER_PITCH = 0.1 / 12, 0.25 / 12, 0.5 / 12, 0.75 / 12  # octaves
_MOST_ALIKE = 0.9999  # a cosine, for Fisher's z of 1 is infinite
_LINE = 0.02  # the deviation of logarithms from the line, up to which it holds for all copies
_TEMPO, _FAR, _ALONG, _OFFSET_S = 0.02, log(1.3), 0.05, 0.1  # the third: octaves
_LESS_SPEECH, _QUIETER_DB = 0.2, 10.0

UNPROTECTED = (
    "not-protected",
    "others-original",
    "never-changed",
    "pitch-unchanged",
    "hardly-changed",
    "all-unchanged",
)
"""Doubts by which a real voice is among the copies."""


@dataclass(frozen=True)
class Version:
    """What is known of a file of sound; `likeness` is that of a copy to its original, a cosine."""

    sha256: str
    seconds: float
    speech_s: float = nan
    pitch_hz: float | None = None
    level_db: float | None = None
    is_clipped: bool = False
    likeness: float = nan

    @classmethod
    def of(cls, heard: EmbeddedRecording, original: EmbeddedRecording | None = None) -> Version:
        """What was heard of a file; of a copy, beside its original."""
        loud, pitch = heard.loudness, heard.pitch
        return cls(
            heard.sha256,
            heard.seconds,
            loud.speech_s,
            pitch.median_hz if pitch.is_known else None,
            loud.level_db,
            loud.is_clipped,
            likeness(heard, original) if original and heard.embedding.size else nan,
        )


@dataclass(frozen=True)
class Doubt:
    """What is to be told (a code of texts), of which safeguard and recordings, and with which numbers."""

    code: str
    safeguard: str
    names: Sequence[str]
    facts: Mapping[str, str] = field(default_factory=dict)


def doubts(
    originals: Mapping[str, Version],
    protected: Mapping[str, Mapping[str, Version]],
    one_person: Likenesses = _UNKNOWN,
) -> Iterator[Doubt]:
    """What is to be told of the copies of each safeguard, by the rule above.

    Both arguments are by id, and copies by safeguard first; each original has a copy under every safeguard.
    `one_person` is how like two originals of one person are.
    """
    of_original = {one.sha256: name for name, one in originals.items()}
    of_copy: dict[str, set[str]] = defaultdict(set)
    for of in protected.values():
        for name, copy in of.items():
            of_copy[copy.sha256].add(name)
    for safeguard, of in protected.items():
        hashes = {name: copy.sha256 for name, copy in of.items()}
        found = {
            "not-protected": [name for name, one in hashes.items() if one == originals[name].sha256],
            "others-original": [
                name
                for name, one in hashes.items()
                if one != originals[name].sha256 and of_original.get(one, name) != name
            ],
            "same-copies": [name for name, one in hashes.items() if len(of_copy[one]) > 1],
            "clipped-copies": [
                name for name, copy in of.items() if copy.is_clipped and not originals[name].is_clipped
            ],
        }
        yield from (Doubt(code, safeguard, names) for code, names in found.items() if names)
        if of:
            told = {*found["not-protected"], *found["others-original"]}
            yield from _CopyMeasurements.of(originals, of).doubts(safeguard, told, one_person)


def likeness(one: EmbeddedRecording, other: EmbeddedRecording) -> float:
    """The cosine of two embeddings."""
    return float(unit(one.embedding.astype(np.float64)) @ unit(other.embedding.astype(np.float64)))


def likeness_of_one_person(
    originals: Mapping[str, EmbeddedRecording], speaker: Mapping[str, str]
) -> Likenesses:
    """The likenesses that `ONE_PERSON` of the pairs of originals of one person do not reach.

    Of those with several recordings, and of each with many the first; not numbers where there are none.
    """
    of: dict[str, list[_Values]] = defaultdict(list)
    for name, one in originals.items():
        if one.embedding.size and len(of[speaker.get(name, name)]) < _MOST_OF_ONE:
            of[speaker.get(name, name)].append(unit(one.embedding.astype(np.float64)))
    alike = [np.stack(one) @ np.stack(one).T for one in of.values() if len(one) > 1]
    pairs = [one[np.triu_indices(len(one), 1)] for one in alike]
    if not pairs:
        return _UNKNOWN
    half, nearly_all = np.quantile(np.concatenate(pairs), ONE_PERSON)
    return float(half), float(nearly_all)


@dataclass(frozen=True)
class _CopyMeasurements:
    """What was measured of copies beside their originals, an element for each; not a number where unknown."""

    names: Sequence[str]
    before_s: _Values
    after_s: _Values
    speech: _Values  # logarithms of ratios, of copies to originals
    octaves: _Values  # by which the pitch is higher
    louder_db: _Values
    likeness: _Values

    @classmethod
    def of(cls, originals: Mapping[str, Version], copies: Mapping[str, Version]) -> _CopyMeasurements:
        pairs = [(originals[name], copy) for name, copy in copies.items()]
        seconds, speech, pitch, level = (
            np.array(
                [[nan if (value := getattr(one, key)) is None else value for one in pair] for pair in pairs]
            ).T
            for key in ("seconds", "speech_s", "pitch_hz", "level_db")
        )
        with np.errstate(divide="ignore"):  # of no speech at all
            return cls(
                [*copies],
                seconds[0],
                seconds[1],
                np.log(speech[1] / speech[0]),
                np.log2(pitch[1] / pitch[0]),
                level[1] - level[0],
                np.array([copy.likeness for _, copy in pairs]),
            )

    def doubts(self, safeguard: str, told: Collection[str], one_person: Likenesses) -> Iterator[Doubt]:
        """What holds of all, and what stands out but was told already."""
        slope, offset_s = self._line()
        off = self._off(slope, offset_s)
        tempo, higher = float(np.median(self.after_s / self.before_s)), _median(self.octaves)
        if _deviation(off) > _LINE:
            if _are_unlike(self.before_s, self.after_s):
                yield Doubt("lengths-unlike", safeguard, self.names)
        else:
            is_rate = abs(log2(slope) + higher) < _ALONG and abs(slope - 1.0) > _TEMPO
            if is_rate or abs(log(slope)) > _FAR:
                yield Doubt("rate-wrong", safeguard, self.names, {"times": written(slope, ".2f")})
            elif abs(slope - 1.0) > _TEMPO:
                yield Doubt("tempo", safeguard, self.names, {"times": written(slope, ".2f")})
            if abs(offset_s) >= _OFFSET_S:
                code = "longer-by" if offset_s > 0 else "shorter-by"
                yield Doubt(code, safeguard, self.names, {"seconds": written(abs(offset_s), ".2f")})
        less = 1.0 - exp(_median(self.speech)) / tempo
        if less > _LESS_SPEECH:
            yield Doubt("silent-copies", safeguard, self.names, {"share": written(100 * less, ".0f")})
        if (quieter_db := -_median(self.louder_db)) > _QUIETER_DB:
            yield Doubt("quieter-copies", safeguard, self.names, {"level": written(quieter_db, ".0f")})
        lengths = _stand_out(off, _LENGTH)
        yield from self._outside("other-length", safeguard, lengths, off)
        speech = self.speech - _median(self.speech)
        yield from self._outside("other-speech", safeguard, _stand_out(speech, _SPEECH) & ~lengths, speech)
        yield from self._unchanged(safeguard, told, one_person, higher)

    def _outside(self, code: str, safeguard: str, which: _Which, ratios: _Values) -> Iterator[Doubt]:
        if which.any():
            low, high = (written(exp(end), ".2f") for end in (ratios[which].min(), ratios[which].max()))
            names = [self.names[n] for n in np.flatnonzero(which).tolist()]
            yield Doubt(code, safeguard, names, {"least": low, "most": high})

    def _unchanged(
        self, safeguard: str, told: Collection[str], one_person: Likenesses, higher: float
    ) -> Iterator[Doubt]:
        """Copies that were never changed: of those that nobody has told yet; or all of them."""
        like = np.arctanh(np.clip(self.likeness, -_MOST_ALIKE, _MOST_ALIKE))
        is_like = (self.likeness > one_person[1]) & ~(abs(self.octaves) > _SAME_PITCH)
        is_high = abs(self.octaves) < _AS_HIGH
        varying, usual = _deviation(self.octaves), _median(self.likeness)
        share, bound = max(zip(ONE_PERSON, one_person, strict=True), key=lambda one: (usual > one[1], one[0]))
        keeps_pitch = max(abs(higher), varying) < _KEPT_PITCH and usual > bound
        is_more = (is_high & _above(like, _STANDS_OUT)) | (is_like & _above(like, _LIKE_BY_ITSELF))
        found = {"never-changed": is_more}
        if abs(higher) > _OTHER_PITCH and varying <= _OTHER_PITCH:
            stands_out = _stand_out(self.octaves, _OTHER_PITCH) & _above(like, _ALIKE_TOO)
            found = {"pitch-unchanged": (is_high | is_like) & stands_out}
        elif keeps_pitch or is_like.mean() > 0.5:
            found = {"all-unchanged": self.likeness > bound}
        elif varying > _OTHER_PITCH:
            found = {"hardly-changed": is_more}
        for code, which in found.items():
            if names := [name for n in np.flatnonzero(which).tolist() if (name := self.names[n]) not in told]:
                values = _median(self.likeness[which]), usual, bound, 2.0**higher
                facts = zip(("likeness", "usual", "bound", "times"), values, strict=True)
                in_words = {key: written(one, ".2f") for key, one in facts}
                yield Doubt(code, safeguard, names, {"share": written(100 * share, ".0f"), **in_words})

    def _line(self) -> tuple[float, float]:
        """What the length of a copy is to that of its original: times so much, and so many seconds more.

        None more where a line without them holds as well.
        """
        before, after = self.before_s, self.after_s
        if len(before) >= _ENOUGH_LENGTHS and before.max() >= _DIFFERENT_LENGTHS * before.min():
            order, third = np.argsort(before), len(before) // 3
            short, long = order[:third], order[-third:]
            rise, run = (np.median(side[long]) - np.median(side[short]) for side in (after, before))
            slope = float(rise / run) if run > 0.0 else 0.0
            line = slope, float(np.median(after - slope * before))
            if slope > 0.0 and 2.0 * _deviation(self._off(*line)) < _deviation(np.log(after / before)):
                return line
        return float(np.median(after / before)), 0.0

    def _off(self, slope: float, offset_s: float) -> _Values:
        """How far lengths are off a line: logarithms of ratios."""
        return np.log(self.after_s / np.maximum(slope * self.before_s + offset_s, LEAST_S))


def _median(values: _Values) -> float:
    """Of those that are known; not a number where none is."""
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else nan


def _deviation(values: _Values) -> float:
    """The robust one: for normal values as large as the standard deviation."""
    return 1.4826 * _median(abs(values - _median(values)))


def _stand_out(values: _Values, least: float) -> _Which:
    """Which do, on either side."""
    deviations = _STANDS_OUT * (1.0 + _FEW / len(values))
    return abs(values - _median(values)) > max(deviations * _deviation(values), least)


def _above(values: _Values, deviations: float) -> _Which:
    """Which are so far above the median, by the deviation of those below it: others may be many."""
    away, deviations = values - _median(values), deviations * (1.0 + _FEW / len(values))
    return away > deviations * max(1.4826 * _median(-away[away <= 0.0]), _LEAST_DEVIATION)


def _are_unlike(originals: _Values, copies: _Values) -> bool:
    """Whether copies are not as long or as short as their originals: the pairs may be wrong.

    Of copies dealt out at random among 8 originals that are all of different lengths, one case in nine passes
    unseen; among 20, one in eighty; more where many are equally long.
    """
    if len(originals) < _ENOUGH_LENGTHS or max(originals) < _DIFFERENT_LENGTHS * min(originals):
        return False
    if min(copies) == max(copies):
        return True
    return bool(np.corrcoef(_ranks(originals), _ranks(copies))[0, 1] < _ALIKE_LENGTHS)


def _ranks(lengths: _Values) -> _Values:
    """Ranks, the mean of theirs for equal lengths."""
    _unique, which, count = np.unique(lengths, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[which]


# What must be told of folders of recordings before anything is made of them: a sentence each.


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
