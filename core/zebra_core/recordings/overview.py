"""The comparison that is ahead: pairs, speakers, trials, and all that must be told before it starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from zebra_core.attackers.fusion import PAIRS_OF_FOLDS
from zebra_core.errors import InputError
from zebra_core.recordings import doubtful_copies
from zebra_core.recordings.attacks import MOST_LEARNT, SHRINKAGES, Attack, AttackerChoice, BackEndKind
from zebra_core.recordings.embedding import SurveyedRecording
from zebra_core.recordings.folder import Recording, named, require_some
from zebra_core.recordings.folder_roles import (
    BackgroundFolders,
    DroppedFolders,
    FolderRole,
    RecordingsFolder,
    role_by_name,
)
from zebra_core.recordings.layout import require_name
from zebra_core.recordings.pairing_offers import (
    Pairing,
    PairingOffer,
    offers as offers_of_pairs,
    paired,
    undoubted as undoubted_pairs,
)
from zebra_core.recordings.pairing_rules import SAME_NAME, PairingSource, PairingTable
from zebra_core.recordings.request import Request
from zebra_core.recordings.small_tables import file_beside, read_transcripts
from zebra_core.recordings.sound import opened
from zebra_core.recordings.speakers import (
    OnePerson,
    RecordingSpeakers,
    Source,
    SpeakerSourceOffer,
    as_one_person,
    offers,
    read_sex,
    undoubted,
)
from zebra_core.recordings.trial_list import CONDITIONS, TrialCount, count_trials
from zebra_core.runtime.parallel import threads_for
from zebra_core.wording.texts import say

_MOST_PAIRS = 1_000_000  # of original with protected recordings, that are compared unasked


@dataclass(frozen=True)
class RecordingChoices:
    """The user's choices about folders that were dropped."""

    roles: Mapping[Path, FolderRole] = field(default_factory=dict)  # by the folder; else what was found
    names: Mapping[Path, str] = field(default_factory=dict)  # of safeguards, likewise
    divided: Mapping[Path, bool] = field(default_factory=dict)
    speakers: Source | None = None
    pairs: Mapping[Path, PairingSource] = field(default_factory=dict)  # by the folder of the copies
    tables: tuple[PairingTable, ...] = ()  # of originals and copies, that the user gave
    one_person: OnePerson = ()
    with_sex: bool | None = None  # else where the list of that lies with the originals
    every_pair: bool = True
    attacker: AttackerChoice = AttackerChoice.ALL
    enrol: int = 1
    channel: int | None = None
    model: Path | None = None
    training: BackgroundFolders | None = None  # else back ends learn in folds
    transcripts: Path | None = None  # else those that were dropped, or lie in the folder of originals
    without_transcripts: bool = False  # not even these

    @property
    def learns(self) -> bool:
        """Whether an attacker learns from other speakers' recordings: not the cosine, nor who hears words."""
        return self.attacker not in (AttackerChoice.COSINE, AttackerChoice.WORDS)

    def role_of(self, version: RecordingsFolder) -> FolderRole | None:
        """What the recordings of a folder are."""
        return self.roles.get(version.top, version.role)

    def name_of(self, version: RecordingsFolder) -> str:
        """What the safeguard is called."""
        return self.names.get(version.top, version.name)

    def sex_of(self, dropped: DroppedFolders) -> Path | None:
        """The list of the sex of speakers that is used."""
        originals = [one.top for one in dropped.versions if self.role_of(one) is FolderRole.ORIGINAL]
        path, said = dropped.sex, self.with_sex
        if path and said is None:
            said = any(dropped.is_of_originals(path, original) for original in originals)
        return path if said else None

    @classmethod
    def first(cls, dropped: DroppedFolders) -> RecordingChoices:
        """Every pair of recordings, unless that would be very many."""
        most = max((len(one.folder.recordings) for one in dropped.versions), default=0)
        return cls(every_pair=most * (most - 1) <= _MOST_PAIRS)


@dataclass(frozen=True, eq=False)
class Overview:
    """The outcome of the choices so far. `lacking` says what must be said before one can go on."""

    choices: RecordingChoices
    original: RecordingsFolder | None
    protected: tuple[RecordingsFolder, ...]
    pairing: Pairing | None
    pairs: Mapping[str, tuple[PairingOffer, ...]]  # by safeguard, the ways to pair its copies with originals
    chosen_pairs: Mapping[str, PairingSource]  # of these, what was chosen, or is beyond doubt
    offers: tuple[SpeakerSourceOffer, ...]
    source: Source | None  # who speaks, as chosen, or where there is no doubt
    spoken: RecordingSpeakers | None  # and by that, where names count as one person
    ids: tuple[str, ...]
    channels: int  # the most that a recording has
    rates: Mapping[int, int]  # how many recordings have which
    seconds: float  # of original speech
    speakers: int
    trials: Mapping[str, TrialCount]  # by condition: oo, oa, aa
    sentences: tuple[str, ...]
    lacking: tuple[str, ...]
    request: Request | None  # where nothing is lacking

    def asks_for_pairs(self, protected: RecordingsFolder) -> bool:
        """Whether there is anything to choose: its copies are not simply called like the originals."""
        found = self.pairs.get(self.choices.name_of(protected), ())
        return self.original is not None and [one.source for one in found] != [SAME_NAME]

    @property
    def count_heard(self) -> int:
        """How many recordings would be heard, those that back ends learn from among them."""
        lesson, request = self.choices.training, self.request
        versions = 1 + len(request.training.protected) if request and request.training else 0
        return self._count + (lesson.count * versions if lesson else 0)

    @property
    def _count(self) -> int:
        """The number of recordings that are compared, in all versions."""
        return len(self.ids) * (1 + len(self.pairing.protected)) if self.pairing else 0


def overview(
    dropped: DroppedFolders, choices: RecordingChoices, seen: Mapping[Path, SurveyedRecording]
) -> Overview:
    """The outcome of the choices; raises nothing: whatever is wrong is told."""
    originals = [one for one in dropped.versions if choices.role_of(one) is FolderRole.ORIGINAL]
    protected = tuple(one for one in dropped.versions if choices.role_of(one) is FolderRole.PROTECTED)
    lacking: list[str] = []
    if len(originals) > 1:
        lacking.append(say("recordings.which-original", count=len(originals)))
    elif not originals:
        lacking.append(say("recordings.no-original"))
    lacking += [say("recordings.which-division", folder=path.name) for path in dropped.undecided]
    if any(choices.role_of(one) is None for one in dropped.versions):
        lacking.append(say("recordings.which-role"))
    lacking += _wrong_names([choices.name_of(one) for one in protected])
    sentences = _of_folders(dropped)
    if len(originals) != 1:
        return Overview(
            choices,
            None,
            protected,
            None,
            {},
            {},
            (),
            None,
            None,
            (),
            1,
            {},
            0.0,
            0,
            {},
            sentences,
            tuple(lacking),
            None,
        )
    return _paired(dropped, choices, seen, originals[0], protected, sentences, lacking)


def _paired(
    dropped: DroppedFolders,
    choices: RecordingChoices,
    seen: Mapping[Path, SurveyedRecording],
    original: RecordingsFolder,
    protected: tuple[RecordingsFolder, ...],
    sentences: tuple[str, ...],
    lacking: list[str],
) -> Overview:
    by_name = {choices.name_of(one): one for one in protected}
    pairs, chosen_pairs, why = _ways_to_pair(dropped, choices, original, by_name)
    lacking += why
    settled = {name: one for name, one in by_name.items() if name in chosen_pairs or not pairs[name]}
    copies = {name: one.folder.recordings for name, one in settled.items()}
    pairing = paired(original.folder.recordings, copies, chosen_pairs)
    sentences = (*sentences, *doubtful_copies.of_pairing(pairing))
    if not protected and (marked := _copies_among(original.folder.recordings)):
        lacking.append(doubtful_copies.listed("copies-among-originals", [one.place for one in marked]))
    if not protected:
        sentences = (*sentences, say("recordings.only-originals"))
    if not pairing.complete and not lacking:
        lacking += _without_pairs(original, protected)
    dropped_themselves = [path for path in dropped.lists if path in dropped.paths]
    found = offers(pairing, dropped.lists, (choices.speakers, *dropped_themselves))
    own = [path for path in dropped.lists if dropped.is_of_originals(path, original.top)]
    source = choices.speakers or (None if dropped.undecided else undoubted(found, own))
    offer = next((one for one in found if one.source == source), None)
    spoken = _together(offer, choices.one_person, lacking)
    if spoken is None and pairing.complete:
        ask = "who-speaks" if not found or any(one.is_likely for one in found) else "nobody-twice"
        lacking.append(str(offer.fault) if offer else say(f"recordings.{ask}"))
    speaker = dict(spoken.speaker) if spoken else {}
    ids = tuple(name for name in pairing.complete if name in speaker or spoken is None)
    if spoken:
        told = doubtful_copies.of_one_person(choices.one_person)
        sentences = (*sentences, *doubtful_copies.of_nobody(spoken), *told)
    versions = (pairing.originals, *pairing.protected.values())
    looked_at = {
        of[name].path: seen[of[name].path] for name in ids for of in versions if of[name].path in seen
    }
    channels = max((one.channels for one in looked_at.values()), default=1)
    if channels > 1 and choices.channel is None:
        every = [one for name in ids for one in pairing.versions(name) if one.path in looked_at]
        several = [one.place_and_folder for one in every if looked_at[one.path].channels > 1]
        lacking.append(doubtful_copies.listed("several-channels", several, most=channels))
    else:
        ids, more = _usable(pairing, ids, looked_at)
        sentences = (*sentences, *more, *_coarse(pairing, ids, looked_at))
    trials, problem = _trials(
        {name: speaker[name] for name in ids if name in speaker}, dropped, choices, by_name
    )
    if problem and spoken:
        lacking.append(problem)
    if trials:
        sentences = (*sentences, *_with_few([speaker[name] for name in ids if name in speaker], choices))
    transcripts, said, faults = _transcripts(dropped, choices, original, ids)
    training = choices.training if choices.learns else None
    learnt = [training.summary(by_name)] if training else []
    sentences = (*sentences, *said, *learnt)
    lacking += faults
    request = None
    if not lacking and source is not None:
        request = Request(
            original.top,
            {name: one.top for name, one in by_name.items()},
            source,
            sex=choices.sex_of(dropped),
            transcripts=transcripts,
            every_pair=choices.every_pair,
            attacker=choices.attacker,
            enrol=1 if choices.every_pair else choices.enrol,
            channel=choices.channel,
            model=choices.model,
            training=training.for_safeguards(by_name) if training else None,
            pairs={name: (chosen,) for name, chosen in chosen_pairs.items()},
            one_person=choices.one_person,
            without_transcripts=choices.without_transcripts and file_beside(original.top) is not None,
        )
    return Overview(
        choices,
        original,
        protected,
        pairing,
        pairs,
        chosen_pairs,
        found,
        source,
        spoken,
        ids,
        channels,
        _rates([one for name in ids for one in pairing.versions(name)], looked_at),
        sum(looked_at[path].seconds for name in ids if (path := pairing.originals[name].path) in looked_at),
        len({speaker[name] for name in ids if name in speaker}),
        trials,
        sentences,
        tuple(lacking),
        request,
    )


def _ways_to_pair(
    dropped: DroppedFolders,
    choices: RecordingChoices,
    original: RecordingsFolder,
    protected: Mapping[str, RecordingsFolder],
) -> tuple[dict[str, tuple[PairingOffer, ...]], dict[str, PairingSource], list[str]]:
    """The ways to pair the copies of each safeguard; the one that was chosen, else the one beyond doubt; and
    what must be said where there is none.
    """
    recordings = tuple(named(original.folder.recordings)[0].values())
    ways: dict[str, tuple[PairingOffer, ...]] = {}
    chosen: dict[str, PairingSource] = {}
    lacking = []
    for name, version in protected.items():
        copies = version.folder.recordings
        tables = [table for table in map(PairingTable, dropped.lists) if table.pairs_any(recordings, copies)]
        ways[name] = found = offers_of_pairs(recordings, copies, dict.fromkeys((*choices.tables, *tables)))
        given = [table for table in tables if table.path in dropped.paths]
        said = choices.pairs.get(version.top, given[0] if len(given) == 1 else None)
        if said is None:
            best = undoubted_pairs(found, len(recordings), len(copies))
        else:
            best = next((one for one in found if one.source == said), None)
        if best is not None and best.fault is None:
            chosen[name] = best.source
        elif found:
            lacking.append(
                str(best.fault) if best and best.fault else say("recordings.which-pairs", safeguard=name)
            )
    return ways, chosen, lacking


def _together(
    offer: SpeakerSourceOffer | None, together: OnePerson, lacking: list[str]
) -> RecordingSpeakers | None:
    """Who speaks, where names count as those of one person; why they cannot is told of what is lacking."""
    spoken = offer.spoken if offer else None
    try:
        return as_one_person(spoken, together) if spoken else None
    except InputError as error:
        lacking.append(str(error))
        return spoken


def _copies_among(recordings: Sequence[Recording]) -> Sequence[Recording]:
    """Recordings that are called as copies of others in the same folder; none where there are no pairs."""
    marked = [one for one in recordings if role_by_name(one.stem) is FolderRole.PROTECTED]
    others = [one for one in recordings if role_by_name(one.stem) is not FolderRole.PROTECTED]
    found = offers_of_pairs(others, marked) if marked and others else ()
    return marked if undoubted_pairs(found, len(others), len(marked)) else ()


def _without_pairs(original: RecordingsFolder, protected: Sequence[RecordingsFolder]) -> list[str]:
    """Why there is nothing to compare: folders that hold nothing that is read, else names."""
    found = []
    for one in (original, *protected):
        try:
            require_some(one.folder)
        except InputError as error:
            found.append(str(error))
    count = len(original.folder.recordings)
    return found or [str(InputError("recordings-no-pairs", original=original.top.name, count=count))]


def _transcripts(
    dropped: DroppedFolders, choices: RecordingChoices, original: RecordingsFolder, ids: Sequence[str]
) -> tuple[Path | None, list[str], list[str]]:
    """The file, of how many of these recordings it has the words, and why it cannot be read."""
    path = choices.transcripts or dropped.transcripts or file_beside(original.top)
    if path is None or choices.without_transcripts:
        return None, [], []
    try:
        words = read_transcripts(path)
    except InputError as error:
        return path, [], [str(error)]
    count = sum(name in words for name in ids)
    return path, [say("recordings.transcripts", file=path.name, count=count, all=len(ids))], []


def _of_folders(dropped: DroppedFolders) -> tuple[str, ...]:
    """What is no sound, and what is beside the versions."""
    if not dropped.versions:
        return ()
    first, *rest = (one.folder for one in dropped.versions)
    found = list(doubtful_copies.of_folders(first, {str(folder.top): folder for folder in rest}))
    for path, count in dropped.packed.items():
        found.append(say("recordings.in-zip", file=path.name, count=count))
    if dropped.others:
        found.append(doubtful_copies.listed("others", [path.name for path in dropped.others]))
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
    pairing: Pairing, ids: Sequence[str], seen: Mapping[Path, SurveyedRecording]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids that remain after hearing, with remarks; recordings not yet looked at count as usable."""
    of = (pairing.originals, *pairing.protected.values())
    faults = {path: one.fault for path, one in seen.items() if one.fault}
    measured = {path: one.measured for path, one in seen.items() if one.measured}
    whole = [name for name in ids if all(each[name].path in measured for each in of)]
    broken = {name for name in ids if any(each[name].path in faults for each in of)}
    usable, sentences = doubtful_copies.usable(pairing, whole, measured, faults)
    dropped = broken | (set(whole) - set(usable))
    return tuple(name for name in ids if name not in dropped), sentences


def _with_few(who: Sequence[str], choices: RecordingChoices) -> list[str]:
    """A remark on speakers with too few recordings to be recognised again."""
    few = sorted(one for one, n in Counter(who).items() if n <= (1 if choices.every_pair else choices.enrol))
    code = "lone-speakers" if choices.every_pair else "left-out-speakers"
    return [doubtful_copies.listed(code, few)] if few else []


def _coarse(pairing: Pairing, ids: Sequence[str], seen: Mapping[Path, SurveyedRecording]) -> list[str]:
    """A remark on recordings that have only 8 bits a sample."""
    every = [one for name in ids for one in pairing.versions(name)]
    kinds = ((one, seen[one.path].kind) for one in every if one.path in seen)
    found = [one.place_and_folder for one, kind in kinds if kind and kind.is_coarse]
    return [doubtful_copies.listed("coarse", found)] if found else []


def _rates(recordings: Sequence[Recording], seen: Mapping[Path, SurveyedRecording]) -> Mapping[int, int]:
    """How many recordings have which sampling rate."""
    kinds = (seen[one.path].kind for one in recordings if one.path in seen)
    return Counter(kind.rate_hz for kind in kinds if kind)


def _trials(
    speaker: Mapping[str, str],
    dropped: DroppedFolders,
    choices: RecordingChoices,
    protected: Mapping[str, RecordingsFolder],
) -> tuple[dict[str, TrialCount], str]:
    """The number of trials by condition, and why none can be made."""
    conditions = CONDITIONS if protected else CONDITIONS[:1]
    every_pair, enrol = choices.every_pair, choices.enrol
    try:
        path = choices.sex_of(dropped)
        sex = read_sex(path) if path and not every_pair else {}
        return count_trials(speaker, sex, conditions, every_pair=every_pair, enrol=enrol), ""
    except InputError as error:
        return {}, str(error)


# Expected duration of hearing, attacking and assessing: progress and time left are shared out by it.
#
# Durations are seconds of a 2.5 GHz processor, as measured; only their ratios matter.


_OF_RECORDING = 0.02  # read, and heard begun
_OF_SECOND = 0.027  # of speech; of these 0.0025 for its pitch
_OF_TRIAL = 9e-7  # scored
_TIMES = {BackEndKind.NGRAMS: 20.0, BackEndKind.NORMALISED: 3.0, BackEndKind.FUSED: 20.0}
"""As long as scoring a trial of two embeddings takes."""
_OF_LINE = 2e-6  # written: who is compared, and the score
_OF_LABEL = 1.2e-6  # written into the key
_OF_LEARNING = 0.015  # axes of a covariance, and a map for each shrinkage
_OF_PAIR = 1.5e-7  # scored and put in order, to judge a shrinkage by
_OF_FILE = 0.014  # recognised, read and assessed
_OF_READ_TRIAL = 1e-6  # read and assessed
_SAMPLED = 16


@dataclass(frozen=True)
class ExpectedWork:
    """The work ahead: recordings to hear, the most trials of a condition, and the duration of each part."""

    recordings: int
    trials: int
    hearing_s: float
    attacking_s: float  # with all that is written
    assessing_s: float = 0.0  # of what was written, by whoever does it

    @property
    def share_of_hearing(self) -> float:
        """The share of hearing in the time for making scores; the rest is attacking."""
        return self.hearing_s / (self.hearing_s + self.attacking_s)

    @property
    def share_of_scores(self) -> float:
        """The share of making scores in the total time; the rest is assessing them."""
        scores = self.hearing_s + self.attacking_s
        return scores / (scores + self.assessing_s)

    @property
    def attacking_as_recordings(self) -> float:
        """How many more recordings could be heard in the time that attacking takes."""
        return self.attacking_s / self.hearing_s * self.recordings

    @property
    def assessing_as_recordings(self) -> float:
        """How many more recordings could be heard in the time that assessing takes."""
        return self.assessing_s / self.hearing_s * self.recordings


def of_hearing(count: int, seconds: float) -> float:
    """Seconds for hearing `count` recordings that last `seconds` altogether; several are heard at once."""
    return (_OF_RECORDING * count + _OF_SECOND * seconds) / max(1, threads_for(count))


def of_attack(attack: Attack, trials: int, recordings: int, *, in_folds: bool) -> float:
    """Seconds for one attack: scoring `trials`, and learning from `recordings`; writing is not included.

    In folds back ends learn from four fifths of the recordings. Each shrinkage is judged by
    the pairs of either half of the recordings learnt from.
    """
    scoring = _OF_TRIAL * trials * _TIMES.get(attack.kind, 1.0)
    if attack.kind is not BackEndKind.WITHIN or not attack.learns_first:
        return scoring
    half = min(MOST_LEARNT, recordings / (2.5 if in_folds else 2))
    judging = _OF_PAIR * len(SHRINKAGES) * half**2
    return scoring + (PAIRS_OF_FOLDS if in_folds else 1) * (_OF_LEARNING + judging)


def of_steps(
    attacks: Sequence[Attack], trials: Mapping[str, int], listed: int, recordings: int, *, in_folds: bool
) -> Iterator[float]:
    """Seconds for each step of attacking: keys, each attack and the writing of its scores, similarity lists.

    `trials` are counted by condition, `listed` in all similarity lists together.
    """
    keys = {trials["oo"], trials["oa"]} if "oa" in trials else {trials["oo"]}  # two folders, or one
    yield _OF_LABEL * sum(keys)
    for attack in attacks:
        count = trials[attack.condition]
        yield of_attack(attack, count, recordings, in_folds=in_folds)
        yield _OF_LINE * count
    yield (_OF_TRIAL + _OF_LINE) * listed


def of_assessing(attacks: Sequence[Attack], trials: Mapping[str, int], listed: int) -> float:
    """Seconds for reading the written files again and assessing them."""
    counts = [*(trials[attack.condition] for attack in attacks), listed]
    return sum(_OF_FILE + _OF_READ_TRIAL * count for count in counts)


def seconds_of(recordings: Sequence[Recording]) -> float:
    """Total duration of recordings, estimated from the headers of some of them."""
    some = recordings[:: max(1, len(recordings) // _SAMPLED)]
    known = [length for one in some if (length := _length(one)) is not None]
    return len(recordings) * sum(known) / len(known) if known else 0.0


def _length(recording: Recording) -> float | None:
    try:
        with opened(recording.path, hashed=False) as (_digest, _file, kind):
            return kind.frames / kind.rate_hz
    except InputError:
        return None
