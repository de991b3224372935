"""From files to entries of the project."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from zebra_core.errors import InputError, ZebraError
from zebra_core.evidence.audit import Audit, AuditError, Decision, Finding, InputFile, Remark, decisions
from zebra_core.evidence.heard_trials import Resamplable
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.segments import SegmentEvidence
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerCounts, SpeakerTrials
from zebra_core.evidence.trials import CountedTrials, ScoreCounts, Trials
from zebra_core.files.access import is_folder
from zebra_core.intake.drop import read_evidence, read_planned_similarity, read_trials
from zebra_core.intake.formats.others import ENROLLED, TESTED
from zebra_core.intake.formats.recognising import recognise
from zebra_core.intake.opening.opening import Source, open_source
from zebra_core.intake.planned import (
    YES,
    Choices,
    Plan,
    Planned,
    PlannedAssessment,
    PlannedSimilarity,
    reading_id,
    speakers_id,
    unasked,
    unpacking_answer,
)
from zebra_core.intake.sorting.naming import BY_FOLDERS, OF_THE_DROP, name_of
from zebra_core.intake.sorting.plan import audit_planned, plan
from zebra_core.intake.sorting.segment_plan import as_chosen
from zebra_core.intake.sorting.sorter import KeyTables
from zebra_core.intake.streaming.counting import (
    COUNTED_ELSEWHERE,
    PACKED,
    STREAMED,
    count_planned_by_speakers,
    size_on_disk,
)
from zebra_core.intake.tables.table import FileRole, SpeakerMap
from zebra_core.intake.transcript_files import KALDI
from zebra_core.metrics.assessment import Settings, assess
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.metrics.similarity import Mean, VoiceSimilarity, similarity_of
from zebra_core.project.items import OTHER_COUNTS, Condition, Entry, Item, SimilarityEntry
from zebra_core.project.satellites import satellite_of
from zebra_core.runtime.progress import LastUsed, Progress, no_progress, part_of
from zebra_core.speakers.candidates import with_people
from zebra_core.speakers.disclosure import SpeakerDisclosures
from zebra_core.speakers.normalisation import normalised_trials
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.speakers.zoo import ZooScale
from zebra_core.wording.texts import say

Kind = TypeVar("Kind", PlannedAssessment, PlannedSimilarity)
Made_co = TypeVar("Made_co", bound=Item, covariant=True)


def assess_files(
    scores: Path,
    key: Path | None = None,
    *,
    name: str | None = None,
    condition: Condition | None = None,
    settings: Settings | None = None,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
) -> Entry:
    """Read, match and assess scores with their key, which may be inside. Raises InputError.

    See `intake.drop.read_trials` for `allow` and `choices`.
    """
    trials = read_trials(scores, key, part_of(on_progress, 0.0, 0.6), allow=allow, choices=choices)
    trials = _in_order(trials)
    assessment = assess(trials, settings, part_of(on_progress, 0.6, 1.0))
    return Entry(name or name_from(scores), _held(trials), assessment, condition)


def assess_words(
    transcripts: Sequence[Path],
    key: Path,
    speakers: Path | SpeakerRule,
    *,
    name: str | None = None,
    settings: Settings | None = None,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
) -> Entry:
    """Compare what is said by the trials of a key, and assess it. Raises InputError.

    One transcript has both sides; of two the first is of the enrolled, the second of what is tested. A folder
    stands for the file `text` in it. `speakers` is a map of all recordings, or the rule of their ids.
    """
    files = [path / KALDI if is_folder(path) else path for path in transcripts]
    readings = (TESTED,) if len(files) == 1 else (ENROLLED, TESTED)
    given = {reading_id(Source(file)): one.choice for file, one in zip(files, readings, strict=True)}
    if isinstance(speakers, SpeakerRule):
        given[speakers_id(Source(files[-1]))] = speakers.value
    paths = (*files, key, *(() if isinstance(speakers, SpeakerRule) else (speakers,)))
    made = plan(paths, unasked({**(choices or {}), **given}), part_of(on_progress, 0.0, 0.1))
    if made.problems:
        raise made.problems[0].error
    if len(made.assessments) != 1:
        raise InputError("words-not-planned", file=files[-1].name, key=key.name)
    tried = try_planned(
        made.assessments[0], allow, settings=settings, on_progress=part_of(on_progress, 0.1, 1.0)
    )
    return replace(tried.made, name=name) if name else tried.made


def _in_order(trials: Trials | CountedTrials) -> Trials | CountedTrials:
    """The trials in the order in which chance is dealt, found once for all that is dealt."""
    return in_order(trials) if isinstance(trials, Trials) else trials


def _held(trials: Trials | CountedTrials) -> Trials | None:
    """The trials, where they are more than counted."""
    return trials if isinstance(trials, Trials) else None


@dataclass(frozen=True, eq=False)
class Attempt(Generic[Made_co]):
    """What came of a plan: an item, or what the audit found, or why a file cannot be read."""

    planned: Planned
    allow: frozenset[Decision] = frozenset()
    entry: Made_co | None = None
    audit: Audit | None = None
    error: ZebraError | None = None

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings for which there is no entry."""
        return self.audit.errors if self.audit else ()

    @property
    def failure(self) -> ZebraError | None:
        """The first reason why there is no entry."""
        return self.error or next((finding.as_error() for finding in self.errors), None)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The assessment that came of it, if one did."""
        return self.entry.entries if self.entry is not None else ()

    @property
    def made(self) -> Made_co:
        """The item. Raises ZebraError where there is none: the first reason."""
        if self.entry is None:
            raise self.failure or InputError("not-as-before", file=self.planned.name)
        return self.entry

    def is_of(self, planned: Planned, allow: frozenset[Decision]) -> bool:
        """Whether this is what would come of the same files, read the same way, with the same decisions."""
        mine = self.planned, self.planned.choices, self.allow
        return mine == (planned, planned.choices, allow)

    def rows(self) -> dict[Source, int]:
        """How many rows its files have, as far as they were read."""
        files = self.audit.files if self.audit else self.entry.files if self.entry else ()
        return {Source(file.path, file.member): file.rows for file in files}


def try_planned(
    planned: PlannedAssessment,
    allow: Iterable[str | Decision] = (),
    *,
    settings: Settings | None = None,
    on_progress: Progress = no_progress,
    keys: KeyTables | None = None,
) -> Attempt[Entry]:
    """Read, match, audit and assess what a drop was planned to come to; what is wrong is in the answer.

    Keys that others of the drop needed, too, are taken from `keys`.
    """
    chosen = decisions(allow)
    try:
        trials, audit = audit_planned(planned, chosen, part_of(on_progress, 0.0, 0.6), keys)
    except ZebraError as error:
        return Attempt(planned, chosen, error=error)
    audit = replace(audit, findings=(*audit.findings, *planned.findings))
    if trials is None:
        return Attempt(planned, chosen, audit=audit)
    trials = replace(trials, audit=audit, remarks=(*trials.remarks, *remarks_on_sorting(planned)))
    trials = _in_order(trials)
    assessment = assess(trials, settings, part_of(on_progress, 0.6, 1.0))
    entry = Entry(trials=_held(trials), assessment=assessment, **labels_of(planned))
    return Attempt(planned, chosen, entry, assessment.audit)


def try_planned_similarity(
    planned: PlannedSimilarity,
    allow: Iterable[str | Decision] = (),
    *,
    on_progress: Progress = no_progress,
) -> Attempt[SimilarityEntry]:
    """Read segment scores and compare all speakers, as a drop was planned; what is wrong is in the answer."""
    chosen = decisions(allow)
    try:
        evidence = read_planned_similarity(planned, chosen, part_of(on_progress, 0.0, 0.7))
        similarity = similarity_of(evidence, on_progress=part_of(on_progress, 0.7, 1.0))
    except AuditError as error:
        return Attempt(planned, chosen, audit=error.audit, error=None if error.audit else error)
    except ZebraError as error:
        return Attempt(planned, chosen, error=error)
    similarity = replace(
        similarity, remarks_on_files=(*similarity.remarks_on_files, *remarks_on_sorting(planned))
    )
    entry = SimilarityEntry(similarity=similarity, allowed=chosen, **labels_of(planned))
    return Attempt(planned, chosen, entry)


def read_similarity(
    *,
    oo: str | Path | None = None,
    op: str | Path | None = None,
    pp: str | Path | None = None,
    speakers: str | Path | SpeakerRule = SpeakerRule.BEFORE_HYPHEN,
    mean: Mean = Mean.GEOMETRIC,
    allow: Iterable[str | Decision] = (),
    choices: Choices | None = None,
    on_progress: Progress = no_progress,
) -> VoiceSimilarity:
    """Read up to three score files and the map of segments to speakers, or use a rule on the ids.

    Labels in the files play no part: who speaks decides.

    Parameters
    ----------
    `oo`, `op`, `pp`
        They compare originals with originals, originals with protected segments, and these with one another;
        one is enough.
    `speakers`
        A map (utt2spk) or a rule.
    `mean`
        How the LLRs of a cell become one similarity.
    `allow`
        Decisions of the user on scores that are not finite.
    `choices`
        By the name of a file, how to read one that can be read in several ways.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.

    Returns
    -------
    VoiceSimilarity
        The matrices of the settings that were given, and their figures.

    Raises
    ------
    InputError
        Its text names file and line; see `voice_similarity`.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import read_similarity
    >>> folder = zebra_resources.path("demo/similarity/libri_test_trials_f")
    >>> utt2spk = zebra_resources.path("demo/data/libri_test_trials_f/utt2spk")
    >>> found = read_similarity(
    ...     oo=folder / "scores_oo.txt.gz",
    ...     op=folder / "B2/scores_op.txt.gz",
    ...     pp=folder / "B2/scores_pp.txt.gz",
    ...     speakers=utt2spk,
    ... )
    >>> round(found.de_id, 2), round(found.g_vd_db, 1)
    (0.63, -0.9)
    """
    found = read_evidence(
        oo=None if oo is None else Path(oo),
        op=None if op is None else Path(op),
        pp=None if pp is None else Path(pp),
        speakers=speakers if isinstance(speakers, SpeakerRule) else Path(speakers),
        allow=allow,
        choices=choices,
        on_progress=part_of(on_progress, 0.0, 0.8),
    )
    return similarity_of(found, mean, part_of(on_progress, 0.8, 1.0))


def remarks_on_sorting(planned: Planned) -> tuple[Remark, ...]:
    """What is told beside the figures of that which was found when files were sorted out."""
    is_assessment = isinstance(planned, PlannedAssessment)
    return tuple(
        finding.as_remark()
        for finding in planned.findings
        if not (is_assessment and finding.code == BY_FOLDERS)
    )


def labels_of(planned: Planned) -> dict[str, Any]:
    """What an item is called, and the choices it was made by, as far as its files and folders say so."""
    labels: dict[str, Any] = {
        "name": planned.name,
        "dataset": planned.dataset,
        "run": planned.run,
        "choices": planned.choices,
    }
    if isinstance(planned, PlannedAssessment):
        labels["condition"] = Condition(planned.condition) if planned.condition else None
        labels |= planned.attacked_by
    return labels


def read_again(
    entry: Entry,
    allow: Iterable[str | Decision],
    on_progress: Progress = no_progress,
    *,
    may_have_changed: bool = False,
) -> Entry:
    """The entry with other decisions, read anew from its files.

    Raises InputError when the audit fails, or when the files are no longer what they were, unless they may
    have changed.
    """
    if (satellite := satellite_of(entry.files)) is not None:
        return satellite.read(entry, on_progress)
    made = planned_again(entry, part_of(on_progress, 0.0, 0.2))
    of_files = made_of_its_files if may_have_changed else _same_files
    planned = of_files(entry, made, made.assessments)
    known = entry.audit.findings if entry.audit else ()
    # Said of the whole drop that it came with, of which these files are only a part.
    planned = replace(planned, findings=tuple(one for one in known if one.code in OF_THE_DROP))
    tried = try_planned(
        planned, allow, settings=entry.assessment.settings, on_progress=part_of(on_progress, 0.2, 1.0)
    )
    if not may_have_changed:
        _refuse_changed(entry, tried.made.files)
    return replace(entry, trials=tried.made.trials, assessment=tried.made.assessment)


def evidence_of(entry: SimilarityEntry, on_progress: Progress = no_progress) -> SegmentEvidence:
    """The segment scores of an entry, read again from its files, with the decisions made then.

    Raises InputError when the files are no longer what they were.
    """
    made = planned_again(entry, part_of(on_progress, 0.0, 0.2))
    planned = _same_files(entry, made, matrices_of(entry, made))
    return read_planned_similarity(planned, entry.allowed, part_of(on_progress, 0.2, 1.0))


def voice_trials_of(entry: SimilarityEntry, on_progress: Progress = no_progress) -> dict[str, SpeakerTrials]:
    """The trials of every setting between the speakers of the matrices, read again; raises as above."""
    return evidence_of(entry, on_progress).all_trials(entry.similarity.speakers)


def planned_again(entry: Item, on_progress: Progress) -> Plan:
    """What is made of the files of an item as they are today, read as they were then."""
    return plan(dict.fromkeys(file.path for file in entry.files), unasked(entry.choices), on_progress)


def matrices_of(entry: SimilarityEntry, made: Plan) -> tuple[PlannedSimilarity, ...]:
    """What may be the matrices of an entry: what its files make by their names, or else by its choices."""
    chosen = as_chosen(made.files, entry.choices)
    return (*made.similarities, chosen) if chosen else made.similarities


def made_of_its_files(entry: Item, made: Plan, candidates: Iterable[Kind]) -> Kind:
    """What is made of files in the places of those of an item. Raises InputError where nothing is."""
    sources = {Source(file.path, file.member) for file in entry.files}
    for planned in candidates:
        if {file.source for file in planned.files} == sources:
            return planned
    if made.problems:
        raise made.problems[0].error
    raise InputError("not-as-before", file=entry.name)


def _same_files(entry: Item, made: Plan, candidates: Iterable[Kind]) -> Kind:
    """What is made of the very files of an entry. Raises InputError when they are not what they were."""
    files = {Source(file.path, file.member): file for file in entry.files}
    planned = made_of_its_files(entry, made, candidates)
    for file in planned.files:
        if not file.in_pieces and file.sha256 != files[file.source].sha256:
            raise InputError("changed", file=file.source.name)
    return planned


def trials_of(entry: Entry, on_progress: Progress = no_progress) -> Trials:
    """The trials of an entry, read again where they were let go.

    Raises InputError as `read_again` does, for trials that were only counted, and where they are not those
    that the figures of the entry were computed from.
    """
    if entry.trials is not None:
        return entry.trials
    if entry.given is not None and entry.normalisation is not None:
        made = normalised_trials(trials_of(entry.given, on_progress), entry.normalisation)
        _refuse_other_counts(entry, ScoreCounts.of(made.score, made.is_target))
        return made
    if is_counted(entry):
        raise InputError("counts-alone", file=entry.name)
    read = read_again(entry, entry.audit.decisions if entry.audit else (), on_progress)
    assert read.trials is not None  # noqa: S101 - they have just been read
    _refuse_other_counts(entry, read.assessment.counts)
    return read.trials


def is_counted(entry: Entry) -> bool:
    """Whether its trials were counted, not held in memory."""
    return any(remark.code == STREAMED for remark in entry.assessment.remarks_on_files)


def is_counted_here(entry: Entry) -> bool:
    """Whether its trials were counted by this program, which must count them again for pairs of speakers."""
    codes = [remark.code for remark in entry.assessment.remarks_on_files]
    return STREAMED in codes and COUNTED_ELSEWHERE not in codes


def counting_again_in_words(*entries: Entry) -> str:
    """What it takes to count trials for each pair of speakers, of one entry after the other.

    Empty where nothing has to be counted.
    """
    sizes, rooms = list[int](), list[int]()
    for entry in filter(is_counted_here, entries):
        lists = [file for file in entry.files if file.role != FileRole.SPEAKERS.value]
        packed = (".parquet", *PACKED)
        rooms.append(sum(size_on_disk(file.size, is_packed=file.path.suffix in packed) for file in lists))
        sizes.append(sum(file.size for file in lists))
    if not sizes:
        return ""
    return say("people.count-again", size=_megabytes(sum(sizes)), room=_megabytes(max(rooms)))


def _megabytes(size: int) -> int:
    return math.ceil(size / 1e6)


def weighable_of(entry: Entry, on_progress: Progress = no_progress) -> Resamplable:
    """The trials of an entry, or what draws need of those that were only counted, or judged by people.

    These are counted again, for each pair of speakers. Raises InputError as `trials_of` does.
    """
    if is_counted(entry):
        return counts_of(entry, on_progress)
    satellite = satellite_of(entry.files)
    return satellite.weighable(entry, on_progress) if satellite else trials_of(entry, on_progress)


def counts_of(
    entry: Entry, on_progress: Progress = no_progress, *, with_ranks: bool = False
) -> SpeakerCounts:
    """The trials of an entry counted again, for each pair of speakers, with ranks of recordings if wanted.

    Raises InputError as `trials_of` does. Where somebody else counted them there are no ranks.
    """
    made = planned_again(entry, part_of(on_progress, 0.0, 0.05))
    planned = _same_files(entry, made, made.assessments)
    allow = entry.audit.decisions if entry.audit else ()
    part = part_of(on_progress, 0.05, 1.0)
    counted, by_speakers = count_planned_by_speakers(planned, allow, part, with_ranks=with_ranks)
    _refuse_changed(entry, counted.files)
    _refuse_other_counts(entry, counted.counts)
    return by_speakers


def as_in_its_files(item: Item, on_progress: Progress = no_progress) -> Item:
    """The item with its trials, where its files are there as they were read, and have what it has.

    What was only counted stays as it is: counting takes its time, and `counts_of` compares. Raises InputError
    where the counts, or the sums in similarity matrices, are not those of the files.
    """
    if not item.files or not item.is_as_read:
        return item
    for entry in item.entries:
        return entry if is_counted(entry) else replace(entry, trials=trials_of(entry, on_progress))
    for matrices in item.similarities:
        read = evidence_of(matrices, part_of(on_progress, 0.0, 0.7))
        if not matrices.similarity.is_close_to(
            similarity_of(read, on_progress=part_of(on_progress, 0.7, 1.0))
        ):
            raise InputError(OTHER_COUNTS, name=item.full_name)
    return item


def _refuse_other_counts(entry: Entry, counts: ScoreCounts) -> None:
    """Raise InputError for counts that somebody has put in the place of those of the files."""
    if entry.assessment.counts.digest != counts.digest:
        raise InputError(OTHER_COUNTS, name=entry.full_name)


def _refuse_changed(entry: Entry, files: Iterable[InputFile]) -> None:
    """Raise InputError if a file that is read piece by piece has another hash than it had for this entry."""
    before = {(file.path, file.member): file.sha256 for file in entry.files}
    for file in files:
        if before.get((file.path, file.member)) != file.sha256:
            raise InputError("changed", file=file.name)


def name_from(scores: Path) -> str:
    """What to call an assessment until the user says better: the file, or its folder where that says more."""
    return name_of(Source(scores.absolute()))


# Reading the comparisons of an item again, to study their speakers: of an assessment or of matrices.


_known = LastUsed[SpeakerDisclosures](256)


def study_of(
    item: Item,
    setting: str | None = None,
    *,
    tag_scale: TagScale = PAPER_SCALE,
    on_progress: Progress = no_progress,
) -> SpeakerStudy:
    """Study an assessment, or one setting ("oo", "op" or "pp") of similarity matrices.

    Trials that are not in memory are read again from their files; those that were only counted are counted
    again, for each pair of speakers. Disclosures, the most exposed, zoo and ranks are made. Raises
    InputError as `trials_of` and `SpeakerTrials.of_trials` do.
    """
    sessions = next((entry.sessions for entry in item.entries), None)
    study = SpeakerStudy.of(_comparisons(item, setting, part_of(on_progress, 0.0, 0.7)), tag_scale, sessions)
    on_progress(0.8)
    _ = study.most_exposed
    on_progress(0.85)
    study.tests(ZooScale.LLR, part_of(on_progress, 0.85, 0.9))
    study.tests(ZooScale.SCORE, part_of(on_progress, 0.9, 0.95))
    _ = study.mean_ranks
    on_progress(1.0)
    return study


def _comparisons(item: Item, setting: str | None, on_progress: Progress) -> SpeakerTrials | SpeakerCounts:
    """The trials of an assessment, or those of one setting of matrices."""
    for entry in item.entries:
        return named_trials_of(entry, on_progress)
    for matrices in item.similarities:
        if setting in matrices.settings:
            return evidence_of(matrices, on_progress).trials(setting, matrices.similarity.speakers)
    raise InputError("no-such-setting", name=item.full_name, setting=(setting or "").upper())


def named_trials_of(
    entry: Entry, on_progress: Progress = no_progress, trials: Trials | SpeakerCounts | None = None
) -> SpeakerTrials | SpeakerCounts:
    """The trials of an assessment between its speakers, or their counts; raises as above.

    They are read again unless they are given.
    """
    if trials is None:
        is_few = not is_counted(entry)
        trials = trials_of(entry, on_progress) if is_few else counts_of(entry, on_progress, with_ranks=True)
    if isinstance(trials, SpeakerCounts):
        return trials
    return SpeakerTrials.of_trials(trials, speakers_of_entry(entry))


def disclosures_of(entry: Entry, trials: Trials, tag_scale: TagScale = PAPER_SCALE) -> SpeakerDisclosures:
    """What every speaker of an assessment discloses, from its trials.

    What the same scores of the same speakers came to is known as long as the program runs. Raises InputError
    as `SpeakerTrials.of_trials` does, and where nobody has trials of both classes.
    """
    named, sessions = SpeakerTrials.of_trials(trials, speakers_of_entry(entry)), entry.sessions
    named = named if sessions is None else named.in_sessions(sessions)
    found = _known.of((named.digest, tag_scale), lambda: SpeakerStudy.of(named, tag_scale).disclosures)
    if not len(found):
        raise InputError("speakers-unknown")
    return found


def speakers_of_entry(entry: Entry) -> dict[str, str] | None:
    """Who speaks, by the map among the files of an assessment, or else by the rule that was given for it.

    Raises InputError where the map has changed.
    """
    if (satellite := satellite_of(entry.files)) is not None:
        return satellite.speakers(entry)
    for file in entry.files:
        if file.role == FileRole.SPEAKERS.value:
            may = unpacking_answer(file.path, entry.choices) == YES
            opened = open_source(Source(file.path, file.member, may))
            if opened.sha256 != file.sha256:
                raise InputError("changed", file=file.name)
            found = recognise(opened).read()
            if isinstance(found, SpeakerMap) and not found.is_gender:
                return dict(found.of)
    rules = {entry.choices.get(speakers_id(Source(file.path, file.member))) for file in entry.files}
    rule = next((one for one in SpeakerRule if one.value in rules), None)
    if rule is None or is_counted(entry):
        return None
    trials = trials_of(entry)
    sides = [side for side in (trials.enrol, trials.test) if side is not None]
    return {name: rule.speaker_of(name) for side in sides for name in side.names}


def spoken_by(named: SpeakerTrials, speakers: Mapping[str, str] | None) -> dict[str, str]:
    """Who speaks in each recording, as far as the map or the trials say."""
    known = dict(speakers or {})
    for code, name in enumerate(named.test.names):
        who = named.speaker_of_test[code]
        if who != NOBODY_KNOWN:
            known.setdefault(name, named.speakers[int(who)])
    return known


def speakers_of_recordings(entry: Entry) -> dict[str, str]:
    """Who speaks in each recording of an assessment, as far as its map or the trials in memory say."""
    try:
        speakers = speakers_of_entry(entry)
        if entry.trials is None:
            return speakers or {}
        return spoken_by(with_people(entry.trials, speakers), speakers)
    except InputError:  # what the utterances come to is then known without their speakers
        return {}
