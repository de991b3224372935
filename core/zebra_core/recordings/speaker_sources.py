"""Every way to know who speaks in recordings, with what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.pairing import Pairing
from zebra_core.recordings.speakers import (
    RULES,
    RecordingSpeakers,
    SpeakerColumn,
    SpeakerSource,
    are_no_people,
    columns_of,
    who_speaks,
)
from zebra_core.wording.texts import say

Source = SpeakerSource


@dataclass(frozen=True)
class SpeakerSourceOffer:
    """A way to know who speaks, and what comes of it."""

    source: Source
    spoken: RecordingSpeakers | None
    fault: InputError | None = None

    @property
    def speakers(self) -> int:
        """How many of them there are."""
        return len(set(self.spoken.speaker.values())) if self.spoken else 0

    @property
    def is_likely(self) -> bool:
        """Whether there are several speakers, one of them with several recordings."""
        speakers = Counter(self.spoken.speaker.values()) if self.spoken else {}
        return len(speakers) > 1 and max(speakers.values()) > 1 and not self.names_nobody

    @property
    def names_nobody(self) -> bool:
        """Whether what it takes for people are dates, times or amounts."""
        return self.spoken is not None and are_no_people({*self.spoken.speaker.values()})

    @property
    def in_words(self) -> str:
        """The way, and how many speakers it finds."""
        if isinstance(self.source, SpeakerRule):
            return say(f"recordings.speakers-{self.source.value}", count=self.speakers)
        column = self.source.column if isinstance(self.source, SpeakerColumn) else ""
        code = "speakers-by-column" if column else "speakers-by-list"
        return say(f"recordings.{code}", file=self.source.name, column=column, count=self.speakers)

    @property
    def examples(self) -> str:
        """Some recordings with their speakers; or why there are none."""
        return self.spoken.examples if self.spoken else str(self.fault)


def offers(
    pairing: Pairing, lists: Sequence[Path], given: Collection[Source | None]
) -> tuple[SpeakerSourceOffer, ...]:
    """Every way to know who speaks: of those that nobody has `given` the ones that say it of somebody.

    Dates, times and amounts are nobody.
    """
    recordings = {name: pairing.originals[name] for name in pairing.complete}
    sources: list[Source] = [*lists, *map(SpeakerRule, RULES)]
    sources[:0] = [one for one in given if one is not None and one not in sources]
    found = []
    for source in sources:
        try:
            found.append(SpeakerSourceOffer(source, who_speaks(recordings, source)))
        except InputError as error:
            columns = () if isinstance(source, SpeakerRule | SpeakerColumn) else _columns(source, recordings)
            found += [SpeakerSourceOffer(one, who_speaks(recordings, one)) for one in columns]
            if source in given and not columns:
                found.append(SpeakerSourceOffer(source, None, error))
    each_once = {one.source: one for one in found}  # a column that is given is among those of its table
    return tuple(one for one in each_once.values() if one.source in given or not one.names_nobody)


def _columns(path: Path, recordings: Mapping[str, Recording]) -> tuple[SpeakerColumn, ...]:
    try:
        return columns_of(path, recordings)
    except InputError:
        return ()  # why it cannot be read is told of the list itself


def undoubted(found: Sequence[SpeakerSourceOffer], lists: Collection[Path]) -> Source | None:
    """The first way, where all that may be right say the same: several speakers, one with two recordings.

    Of lists only these `lists` are taken unasked, for others may come with the copies, from whoever made
    them. A column of a table is for the user to choose; a rule is not taken where one contradicts it, with
    several values for recordings that would be of one speaker, and none bears the rule out.
    """
    likely = {one.source: one.spoken.speaker for one in found if one.is_likely and one.spoken}
    columns = [speaker for source, speaker in likely.items() if isinstance(source, SpeakerColumn)]
    spoken = {
        one.source: one.spoken
        for one in found
        if one.source in likely and one.spoken and not isinstance(one.source, SpeakerColumn)
    }
    whole = {one: of for one, of in spoken.items() if not (of.unknown and isinstance(one, SpeakerRule))}
    ways = sorted((whole or spoken).items(), key=lambda way: len(way[1].unknown))
    for source, of in ways:
        if isinstance(source, SpeakerRule) or source in lists:
            agreed = all(_agree(of.speaker, other.speaker) for _, other in ways)
            by_columns = columns if isinstance(source, SpeakerRule) else ()
            return source if agreed and _is_borne_out(of.speaker, by_columns) else None
    return None


def _is_borne_out(speaker: Mapping[str, str], columns: Collection[Mapping[str, str]]) -> bool:
    """Whether a column says the same, or each has one value for a speaker, as their sex is."""
    if any(_agree(speaker, one) for one in columns):
        return True
    both = [{(speaker[name], one[name]) for name in speaker.keys() & one.keys()} for one in columns]
    return all(len(pairs) == len({who for who, _ in pairs}) for pairs in both)


def _agree(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two ways tell the same recordings apart, as far as both know who speaks in them."""
    pairs = {(one[name], other[name]) for name in one.keys() & other.keys()}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
