"""Every way to know who speaks in recordings, with what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.pairing import Pairing
from zebra_core.recordings.speakers import RULES, RecordingSpeakers, who_speaks
from zebra_core.wording.texts import say

Source = Path | SpeakerRule


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
        return len(speakers) > 1 and max(speakers.values()) > 1

    @property
    def in_words(self) -> str:
        """The way, and how many speakers it finds."""
        code = f"speakers-{self.source.value}" if isinstance(self.source, SpeakerRule) else "speakers-by-list"
        name = "" if isinstance(self.source, SpeakerRule) else self.source.name
        return say(f"recordings.{code}", file=name, count=self.speakers)

    @property
    def examples(self) -> str:
        """Some recordings with their speakers; or why there are none."""
        return self.spoken.examples if self.spoken else str(self.fault)


def offers(
    pairing: Pairing, lists: Sequence[Path], given: Collection[Source | None]
) -> tuple[SpeakerSourceOffer, ...]:
    """Every way to know who speaks: of those that nobody has `given` the ones that say it of somebody."""
    recordings = {name: pairing.originals[name] for name in pairing.complete}
    sources: list[Source] = [*lists, *map(SpeakerRule, RULES)]
    sources[:0] = [one for one in given if one is not None and one not in sources]
    found = []
    for source in sources:
        try:
            found.append(SpeakerSourceOffer(source, who_speaks(recordings, source)))
        except InputError as error:
            if source in given:
                found.append(SpeakerSourceOffer(source, None, error))
    return tuple(found)


def undoubted(found: Sequence[SpeakerSourceOffer]) -> Source | None:
    """The first way, where all that may be right say the same: several speakers, one with two recordings."""
    likely = [one for one in found if one.is_likely]
    whole = [one for one in likely if not one.spoken.unknown] or likely  # type: ignore[union-attr]
    same = {_groups(one.spoken) for one in whole if one.spoken}
    by_list = [one for one in whole if not isinstance(one.source, SpeakerRule)]
    if len(by_list) == 1:
        return by_list[0].source
    return whole[0].source if len(same) == 1 else None


def _groups(spoken: RecordingSpeakers) -> frozenset[frozenset[str]]:
    of: dict[str, set[str]] = {}
    for name, speaker in spoken.speaker.items():
        of.setdefault(speaker, set()).add(name)
    return frozenset(map(frozenset, of.values()))
