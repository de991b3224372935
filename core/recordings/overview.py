"""What would be compared if one went on: pairs, speakers, trials, and all that must be told before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings import remarks
from zebra_core.recordings.dropped import Dropped, Role, Version
from zebra_core.recordings.folder import Recording
from zebra_core.recordings.layout import require_name
from zebra_core.recordings.pairing import Pairing, paired
from zebra_core.recordings.request import Request
from zebra_core.recordings.speakers import RULES, Spoken, read_sex, who_speaks
from zebra_core.recordings.survey import Seen
from zebra_core.recordings.trials import TrialCount, count_apart, count_every_pair
from zebra_core.wording.texts import say

Source = Path | SpeakerRule
_MOST_PAIRS = 1_000_000  # of original with protected recordings, that are compared unasked


@dataclass(frozen=True)
class RecordingChoices:
    """What a user has said of what was dropped."""

    roles: Mapping[Path, Role] = field(default_factory=dict)  # by the folder; else what was found
    names: Mapping[Path, str] = field(default_factory=dict)  # of safeguards, likewise
    divided: Mapping[Path, bool] = field(default_factory=dict)
    speakers: Source | None = None
    with_sex: bool = True
    every_pair: bool = True
    every_attacker: bool = True
    enrol: int = 1
    channel: int | None = None
    model: Path | None = None

    def role_of(self, version: Version) -> Role | None:
        """What the recordings of a folder are."""
        return self.roles.get(version.top, version.role)

    def name_of(self, version: Version) -> str:
        """What the safeguard is called."""
        return self.names.get(version.top, version.name)

    @classmethod
    def first(cls, dropped: Dropped) -> RecordingChoices:
        """Every pair of recordings, unless that would be very many."""
        most = max((len(one.folder.recordings) for one in dropped.versions), default=0)
        return cls(every_pair=most * (most - 1) <= _MOST_PAIRS)


@dataclass(frozen=True)
class Offer:
    """A way to know who speaks, and what comes of it."""

    source: Source
    spoken: Spoken | None
    fault: InputError | None = None

    @property
    def speakers(self) -> int:
        """How many of them there are."""
        return len(set(self.spoken.speaker.values())) if self.spoken else 0

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


@dataclass(frozen=True, eq=False)
class Overview:
    """What the choices come to so far. `lacking` says what must be said before one can go on."""

    choices: RecordingChoices
    original: Version | None
    protected: tuple[Version, ...]
    pairing: Pairing | None
    offers: tuple[Offer, ...]
    source: Source | None  # who speaks, as chosen, or where there is no doubt
    ids: tuple[str, ...]
    channels: int  # the most that a recording has
    rates: Mapping[int, int]  # how many recordings have which
    seconds: float  # of original speech
    speakers: int
    trials: Mapping[str, TrialCount]  # by condition: oo, oa, aa
    told: tuple[str, ...]
    lacking: tuple[str, ...]
    request: Request | None  # where nothing is lacking

    @property
    def recordings(self) -> tuple[Recording, ...]:
        """Everything that would be heard."""
        if self.pairing is None:
            return ()
        of = (self.pairing.originals, *self.pairing.protected.values())
        return tuple(each[name] for name in self.ids for each in of)


def offers(pairing: Pairing, lists: Sequence[Path], given: Collection[Source | None]) -> tuple[Offer, ...]:
    """Every way to know who speaks: of those that nobody has `given` the ones that say it of somebody."""
    recordings = {name: pairing.originals[name] for name in pairing.complete}
    sources: list[Source] = [*lists, *map(SpeakerRule, RULES)]
    sources[:0] = [one for one in given if one is not None and one not in sources]
    found = []
    for source in sources:
        try:
            found.append(Offer(source, who_speaks(recordings, source)))
        except InputError as error:
            if source in given:
                found.append(Offer(source, None, error))
    return tuple(found)


def undoubted(found: Sequence[Offer]) -> Source | None:
    """The first way, where all that may be right say the same: several speakers, one with two recordings."""
    likely = [one for one in found if one.spoken and _is_likely(one.spoken)]
    whole = [one for one in likely if not one.spoken.unknown] or likely  # type: ignore[union-attr]
    same = {_groups(one.spoken) for one in whole if one.spoken}
    by_list = [one for one in whole if not isinstance(one.source, SpeakerRule)]
    if len(by_list) == 1:
        return by_list[0].source
    return whole[0].source if len(same) == 1 else None


def _is_likely(spoken: Spoken) -> bool:
    speakers = Counter(spoken.speaker.values())
    return len(speakers) > 1 and max(speakers.values()) > 1


def _groups(spoken: Spoken) -> frozenset[frozenset[str]]:
    of: dict[str, set[str]] = {}
    for name, speaker in spoken.speaker.items():
        of.setdefault(speaker, set()).add(name)
    return frozenset(map(frozenset, of.values()))


def overview(dropped: Dropped, choices: RecordingChoices, seen: Mapping[Path, Seen]) -> Overview:
    """What the choices come to; raises nothing: whatever is wrong is told."""
    originals = [one for one in dropped.versions if choices.role_of(one) is Role.ORIGINAL]
    protected = tuple(one for one in dropped.versions if choices.role_of(one) is Role.PROTECTED)
    lacking: list[str] = []
    if len(originals) > 1:
        lacking.append(say("recordings.which-original", count=len(originals)))
    elif not originals:
        lacking.append(say("recordings.no-original"))
    if any(choices.role_of(one) is None for one in dropped.versions):
        lacking.append(say("recordings.which-role"))
    lacking += _wrong_names([choices.name_of(one) for one in protected])
    sentences = _of_folders(dropped)
    if len(originals) != 1:
        return Overview(
            choices, None, protected, None, (), None, (), 1, {}, 0.0, 0, {}, sentences, tuple(lacking), None
        )
    return _paired(dropped, choices, seen, originals[0], protected, sentences, lacking)


def _paired(
    dropped: Dropped,
    choices: RecordingChoices,
    seen: Mapping[Path, Seen],
    original: Version,
    protected: tuple[Version, ...],
    sentences: tuple[str, ...],
    lacking: list[str],
) -> Overview:
    by_name = {choices.name_of(one): one for one in protected}
    pairing = paired(
        original.folder.recordings, {name: one.folder.recordings for name, one in by_name.items()}
    )
    sentences = (*sentences, *remarks.of_pairing(pairing))
    if not protected:
        sentences = (*sentences, say("recordings.only-originals"))
    if not pairing.complete:
        count = len(original.folder.recordings)
        lacking.append(str(InputError("recordings-no-pairs", original=original.top.name, count=count)))
    dropped_themselves = [path for path in dropped.lists if path in dropped.paths]
    found = offers(pairing, dropped.lists, (choices.speakers, *dropped_themselves))
    source = choices.speakers or undoubted(found)
    offer = next((one for one in found if one.source == source), None)
    spoken = offer.spoken if offer else None
    if spoken is None and pairing.complete:
        lacking.append(str(offer.fault) if offer else say("recordings.who-speaks"))
    speaker = dict(spoken.speaker) if spoken else {}
    ids = tuple(name for name in pairing.complete if name in speaker or spoken is None)
    if spoken and spoken.unknown:
        sentences = (*sentences, remarks.listed("unknown-speaker", spoken.unknown))
    versions = (pairing.originals, *pairing.protected.values())
    looked_at = {
        of[name].path: seen[of[name].path] for name in ids for of in versions if of[name].path in seen
    }
    channels = max((one.channels for one in looked_at.values()), default=1)
    if channels > 1 and choices.channel is None:
        lacking.append(say("recordings.which-channel", count=channels))
    else:
        ids, more = _usable(pairing, ids, looked_at)
        sentences = (*sentences, *more)
    trials, problem = _trials(
        {name: speaker[name] for name in ids if name in speaker}, dropped, choices, by_name
    )
    if problem and spoken:
        lacking.append(problem)
    request = None
    if not lacking and source is not None:
        request = Request(
            original.top,
            {name: one.top for name, one in by_name.items()},
            source,
            sex=dropped.sex if choices.with_sex else None,
            transcripts=dropped.transcripts,
            every_pair=choices.every_pair,
            every_attacker=choices.every_attacker,
            enrol=1 if choices.every_pair else choices.enrol,
            channel=choices.channel,
            model=choices.model,
        )
    return Overview(
        choices,
        original,
        protected,
        pairing,
        found,
        source,
        ids,
        channels,
        Counter(one.kind.rate_hz for one in looked_at.values() if one.kind),
        sum(looked_at[path].seconds for name in ids if (path := pairing.originals[name].path) in looked_at),
        len({speaker[name] for name in ids if name in speaker}),
        trials,
        sentences,
        tuple(lacking),
        request,
    )


def _of_folders(dropped: Dropped) -> tuple[str, ...]:
    """What is no sound, and what is beside the versions."""
    if not dropped.versions:
        return ()
    first, *rest = (one.folder for one in dropped.versions)
    found = list(remarks.of_folders(first, {str(folder.top): folder for folder in rest}))
    if dropped.others:
        found.append(remarks.listed("others", [path.name for path in dropped.others]))
    return tuple(found)


def _wrong_names(names: Sequence[str]) -> list[str]:
    found = []
    for name in dict.fromkeys(names):
        try:
            require_name(name)
        except InputError as error:
            found.append(str(error))
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    return [*found, *(say("recordings.name-twice", name=name) for name in twice)]


def _usable(
    pairing: Pairing, ids: Sequence[str], seen: Mapping[Path, Seen]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """As after hearing; what was not looked at yet counts as usable."""
    of = (pairing.originals, *pairing.protected.values())
    faults = {path: one.fault for path, one in seen.items() if one.fault}
    measured = {path: one.measured for path, one in seen.items() if one.measured}
    whole = [name for name in ids if all(each[name].path in measured for each in of)]
    broken = {name for name in ids if any(each[name].path in faults for each in of)}
    usable, sentences = remarks.usable(pairing, whole, measured, faults)
    dropped = broken | (set(whole) - set(usable))
    return tuple(name for name in ids if name not in dropped), sentences


def _trials(
    speaker: Mapping[str, str], dropped: Dropped, choices: RecordingChoices, protected: Mapping[str, Version]
) -> tuple[dict[str, TrialCount], str]:
    """By condition; and why none can be made."""
    conditions = ("oo", "oa", "aa") if protected else ("oo",)
    try:
        if choices.every_pair:
            counts = {one: count_every_pair(speaker, across=one == "oa") for one in conditions}
        else:
            sex = read_sex(dropped.sex) if dropped.sex and choices.with_sex else {}
            counts = dict.fromkeys(conditions, count_apart(speaker, choices.enrol, sex))
    except InputError as error:
        return {}, str(error)
    return counts, ""
