"""Are the differences real? Every group of a project compared pair by pair, on the trials that are common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.audit import Remark
from zebra_core.evidence.heard_trials import Resamplable
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import Assessment, ScoreMeaning, assess
from zebra_core.metrics.similarity import VoiceSimilarity
from zebra_core.project.comparison.comparison import Comparison, compare, why_not_ranked
from zebra_core.project.comparison.row import ComparisonGroup, ComparisonRow
from zebra_core.project.group_differences import FigureRanking, GroupDifferences
from zebra_core.project.items import Entry, Item, SimilarityEntry, distinct_names
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import voice_trials_of, weighable_of
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import with_people
from zebra_core.speakers.normalisation import Normalisation, normalised_trials, why_not_normalised
from zebra_core.uncertainty.bootstrap import BootstrapSettings, Uncertainty
from zebra_core.uncertainty.difference import (
    STRONGEST,
    TESTED,
    TESTED_OF_VOICES,
    alike_in_order,
    bootstrap_paired,
    ranking,
)
from zebra_core.uncertainty.one_sided import confidence_of_each, one_sided
from zebra_core.uncertainty.resampling import FEWEST_CLUSTERS, FigureDraws
from zebra_core.uncertainty.trust import (
    AssessmentTrust,
    Trust,
    VoicesTrust,
    trust_of,
    voices_trust_of,
    with_normalised,
)
from zebra_core.uncertainty.voices import dealing_order, voices_bootstrap
from zebra_core.wording.texts import say

ReadTrials = Callable[[Entry, Progress], Resamplable]
ReadVoices = Callable[[SimilarityEntry, Progress], Mapping[str, SpeakerTrials]]
_READING = 0.2  # of the work of a group
_VOICES = 0.2


@dataclass(frozen=True, eq=False)
class SafeguardMatrices:
    """The similarity matrices of one safeguard, and the trials of every setting that they were made of."""

    similarity: VoiceSimilarity
    trials: Mapping[str, SpeakerTrials]


@dataclass(frozen=True, eq=False)
class GroupMember:
    """One of those that are compared; `voices` where its matrices are, too."""

    entry_id: str
    assessment: Assessment
    trials: Resamplable
    voices: SafeguardMatrices | None = None


@dataclass(frozen=True, eq=False)
class SettledGroups:
    """What was found in each group, and a sentence for every one that could not be compared.

    `measured` has the intervals of everything that was compared, by the id of the entry. Their draws are in
    the order of the trials that they were paired with: alone, an entry has others.
    """

    settled: tuple[GroupDifferences, ...]
    faults: tuple[str, ...] = ()
    measured: Mapping[str, AssessmentTrust] = field(default_factory=dict)


def settle(
    project: Project,
    read_trials: ReadTrials,
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
    *,
    read_voices: ReadVoices | None = None,
) -> SettledGroups:
    """Compare all entries of each dataset, condition and attacker with each other, with one draw for all.

    Unprotected speech is left out, as it is of ranks. Entries on other trials than the rest are compared
    among themselves, or a sentence tells that they cannot be. With `read_voices`, which reads the trials of
    similarity matrices, DeID and G_VD are compared, too, where matrices are of the same speakers. Stopped
    (Cancelled) it returns what there is, if that is anything.
    """
    comparison = compare(project, only_ticked=False)
    groups = [group for group in comparison.groups if _can_be_ranked(comparison, group)]
    if not groups:
        raise InputError("difference-no-group")
    work = _Work(project, read_trials, read_voices, settings or BootstrapSettings())
    found: list[GroupDifferences] = []
    try:
        for number, group in enumerate(groups):
            part = part_of(on_progress, number / len(groups), (number + 1) / len(groups))
            found += work.of_group(comparison.of(group), part)
    except Cancelled:
        if not found:
            raise
    return SettledGroups(tuple(found), tuple(work.faults), work.measured)


def settle_group(
    members: Sequence[GroupMember], settings: BootstrapSettings, on_progress: Progress = no_progress
) -> tuple[GroupDifferences, tuple[Uncertainty, ...]]:
    """Compare these pair by pair, and give the intervals of each, too; `bootstrap_paired` says how.

    The order of the members decides which draws a seed makes. Stopped (Cancelled) it has fewer replicates;
    those of matrices are as many.
    """
    drawn = _draws_of_voices(members, settings, part_of(on_progress, 0.0, _VOICES))
    assessed = [(member.trials, member.assessment) for member in members]
    others = _normalised(members)
    rest = part_of(on_progress, _VOICES if drawn else 0.0, 1.0)
    everything = bootstrap_paired([*assessed, *others], settings, on_progress=rest)
    measured = everything[: len(members)]
    ids = tuple(member.entry_id for member in members)
    figures = dict(zip(ids, (each.figures for each in measured), strict=True))
    replicates = measured[0].replicates
    voices = {entry_id: _first_of(draws, replicates) for entry_id, draws in drawn.items()}
    made = partial(_compared, settings=settings, has_strongest=bool(others))
    compared = [made(name, figures) for name in TESTED]
    if others:
        by_member = zip(*(iter(everything[len(members) :]),) * len(Normalisation), strict=True)
        readings = zip(ids, measured, by_member, strict=True)
        strongest = {one: {STRONGEST: _strongest([given, *rest])} for one, given, rest in readings}
        compared.append(made(STRONGEST, strongest))
    compared += [made(name, voices) for name in TESTED_OF_VOICES]
    stopped = Remark("uncertainty-stopped", {"replicates": replicates, "wanted": settings.replicates})
    found = GroupDifferences(
        assessments={member.entry_id: member.assessment for member in members},
        voices={member.entry_id: member.voices.similarity for member in members if member.voices},
        compared=tuple(one for one in compared if one is not None),
        settings=settings,
        replicates=replicates,
        remarks=(*_told_once(measured), *([] if measured[0].is_complete else [stopped])),
    )
    return found, measured


def _normalised(members: Sequence[GroupMember]) -> list[tuple[Trials, Assessment]]:
    """The trials of all members with normalised scores, assessed; none where these are not tried."""
    known = [(member.trials, member.assessment) for member in members if isinstance(member.trials, Trials)]
    if len(known) < len(members):
        return []
    try:
        if why_not_normalised(with_people(known[0][0])) is not None:
            return []
    except InputError:
        return []
    return [
        (other, assess(other, replace(given.settings, score_meaning=ScoreMeaning.RAW)))
        for trials, given in known
        for by in Normalisation
        for other in (normalised_trials(trials, by),)
    ]


def _strongest(readings: Sequence[Uncertainty]) -> FigureDraws:
    """D_ECE of the reading of the highest lower end, of ends that hold at once."""
    drawn = [each.figures["d_ece_bits"] for each in readings]
    confidence = confidence_of_each(drawn, (1.0 + readings[0].settings.level) / 2.0)
    return max(drawn, key=lambda draws: one_sided(draws, confidence).low)


def _told_once(measured: Sequence[Uncertainty]) -> Iterator[Remark]:
    """The remarks of all, the first with each code."""
    known: set[str] = set()
    for remark in (remark for one in measured for remark in one.remarks):
        if remark.code not in known:
            known.add(remark.code)
            yield remark


def _can_be_ranked(comparison: Comparison, group: ComparisonGroup) -> bool:
    entries = [row.entry for row in comparison.of(group)]
    return not group.is_of_unprotected and len(entries) > 1 and why_not_ranked(entries) is None


@dataclass(frozen=True, eq=False)
class _Work:
    """How trials are read and resampled, and the faults and intervals found besides the differences."""

    project: Project
    read_trials: ReadTrials
    read_voices: ReadVoices | None
    settings: BootstrapSettings
    faults: list[str] = field(default_factory=list)
    measured: dict[str, AssessmentTrust] = field(default_factory=dict)

    def of_group(self, rows: Sequence[ComparisonRow], on_progress: Progress) -> list[GroupDifferences]:
        """The differences within a group, among the rows that share the same trials."""
        read = self._read(rows, part_of(on_progress, 0.0, _READING))
        alike = [members for members in read if len(members) > 1]
        self.faults.extend(
            say("difference.alone", name=members[0][0].system, group=str(rows[0].group))
            for members in read
            if len(members) == 1
        )
        found = []
        for number, members in enumerate(alike):
            share = (1.0 - _READING) / len(alike)
            part = part_of(on_progress, _READING + share * number, _READING + share * (number + 1))
            try:
                found.append(self._settled(members, part))
            except InputError as error:
                self.faults.append(say("difference.group", group=str(rows[0].group), reason=str(error)))
        return found

    def _read(
        self, rows: Sequence[ComparisonRow], on_progress: Progress
    ) -> list[list[tuple[ComparisonRow, Resamplable]]]:
        read: list[list[tuple[ComparisonRow, Resamplable]]] = []
        for number, row in enumerate(rows):
            part = part_of(on_progress, number / len(rows), (number + 1) / len(rows))
            try:
                _put_to_its_like(read, row, self.read_trials(row.entry, part))
            except InputError as error:
                self.faults.append(
                    say("difference.left-out", name=row.system, group=str(row.group), reason=str(error))
                )
        return read

    def _settled(
        self, alike: Sequence[tuple[ComparisonRow, Resamplable]], on_progress: Progress
    ) -> GroupDifferences:
        voices = self._voices([row for row, _ in alike], part_of(on_progress, 0.0, _READING))
        members = [
            GroupMember(row.entry.id, row.assessment, trials, voices.get(row.entry.id))
            for row, trials in alike
        ]
        rest = part_of(on_progress, _READING if voices else 0.0, 1.0)
        found, measured = settle_group(members, self.settings, rest)
        for member, each in zip(members, measured, strict=True):
            self.measured[member.entry_id] = AssessmentTrust(member.assessment, each)
        return found

    def _voices(self, rows: Sequence[ComparisonRow], on_progress: Progress) -> dict[str, SafeguardMatrices]:
        """The matrices that can be compared, with their trials; none where these cannot be read."""
        if self.read_voices is None:
            return {}
        found: dict[str, SafeguardMatrices] = {}
        chosen = _of_the_same_speakers(rows)
        item_of = {id(item.similarity): item for item in self.project.similarities}
        try:
            for number, (entry_id, similarity) in enumerate(chosen.items()):
                part = part_of(on_progress, number / len(chosen), (number + 1) / len(chosen))
                found[entry_id] = SafeguardMatrices(
                    similarity, self.read_voices(item_of[id(similarity)], part)
                )
        except InputError as error:
            self.faults.append(say("difference.voices", group=str(rows[0].group), reason=str(error)))
            return {}
        return found


def _of_the_same_speakers(rows: Sequence[ComparisonRow]) -> dict[str, VoiceSimilarity]:
    """Matrices that an entry has alone, of the speakers of the first, by entry; fewer than two are none."""
    # Where two entries share their matrices there is nothing to compare.
    voices = [row.similarity for row in rows if row.similarity is not None]
    own = {
        row.entry.id: row.similarity
        for row in rows
        if row.similarity is not None
        and row.similarity.speakers == voices[0].speakers
        and sum(row.similarity.has_cells_of(each) for each in voices) == 1
    }
    return own if len(own) > 1 and len(voices[0].speakers) >= FEWEST_CLUSTERS else {}


def _put_to_its_like(
    read: list[list[tuple[ComparisonRow, Resamplable]]], row: ComparisonRow, trials: Resamplable
) -> None:
    """Add a row to those of the same trials, which are put in their order; else begin a new group with it."""
    if isinstance(trials, Trials) and (trials.enrol is None or trials.test is None):
        raise InputError("difference-without-ids")
    for members in read:
        try:
            members.append((row, alike_in_order(trials, members[0][1])))
        except InputError:
            continue
        return
    read.append([(row, trials)])


def _draws_of_voices(
    members: Sequence[GroupMember], settings: BootstrapSettings, on_progress: Progress
) -> dict[str, Mapping[str, FigureDraws]]:
    """The draws of every figure of those that have matrices. Stopped, it raises Cancelled."""
    drawn: dict[str, Mapping[str, FigureDraws]] = {}
    having = [(member.entry_id, member.voices) for member in members if member.voices is not None]
    order = dealing_order(having[0][1].trials) if having else None  # the same for all: draws are pairs
    for number, (entry_id, voices) in enumerate(having):
        part = part_of(on_progress, number / len(having), (number + 1) / len(having))
        found = voices_bootstrap(voices.similarity, voices.trials, settings, order=order, on_progress=part)
        if not found.is_complete:
            raise Cancelled
        drawn[entry_id] = found.figures
    return drawn


def _first_of(draws: Mapping[str, FigureDraws], replicates: int) -> dict[str, FigureDraws]:
    """The first replicates, as many as there are of what they are shown beside."""
    return {name: replace(each, draws=each.draws[:replicates]) for name, each in draws.items()}


def _compared(
    figure: str,
    draws: Mapping[str, Mapping[str, FigureDraws]],
    *,
    settings: BootstrapSettings,
    has_strongest: bool,
) -> FigureRanking | None:
    """The entries of which the figure is known, by id; None where that are fewer than two."""
    known = {entry_id: figures[figure] for entry_id, figures in draws.items() if figure in figures}
    if len(known) < 2:
        return None
    ranked = ranking(figure, list(known.values()), settings.level, has_strongest=has_strongest)
    ends = [end for each in ranked.differences for end in (each.interval.low, each.interval.high)]
    return FigureRanking(tuple(known), ranked) if np.isfinite(ends).all() else None


# How sure many items are, each drawn alone: for what is in no comparison, too.


DEALS = 199
"""Sets without disclosure, unless somebody asks for more: they tell a share of 5 % to within 3 points."""


@dataclass(frozen=True, eq=False)
class MeasuredItems:
    """What was found, by the id of the item, and a sentence for each that has no intervals."""

    trust: dict[str, Trust] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def measure(
    items: Sequence[Item],
    read_trials: ReadTrials,
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
    *,
    read_voices: ReadVoices | None = None,
    deals: int | None = DEALS,
    on_draws: Callable[[Entry], object] | None = None,
    give_way: Callable[[], object] | None = None,
) -> MeasuredItems:
    """Intervals of each assessment and, with `read_voices`, of all matrices; what no disclosure would show.

    That is shown by `deals` sets; None: by as many as there are replicates. `on_draws` is given the
    assessment under way with the intervals so far; `give_way` is called between draws, where no file is
    held, and may wait. Stopped (Cancelled) it returns what there is, if that is anything.
    """
    made = MeasuredItems()
    try:
        for number, (item, name) in enumerate(zip(items, distinct_names(items), strict=True)):
            part = part_of(on_progress, number / len(items), (number + 1) / len(items))
            reading = part_of(part, 0.0, _READING)
            drawing = _giving_way(part_of(part, _READING, 1.0), give_way)
            try:
                for entry in item.entries:
                    trials = read_trials(entry, reading)
                    trust = entry.trust
                    if trust and trust.uncertainty.is_complete and not trust.tried_normalised:
                        made.trust[item.id] = with_normalised(trust, trials, None, deals, drawing)
                        continue
                    made.trust[item.id] = trust_of(
                        trials,
                        entry.assessment,
                        settings,
                        deals=deals,
                        on_progress=drawing,
                        on_draws=_with_intervals(entry, on_draws),
                    )
                for matrices in item.similarities:
                    if read_voices is None:
                        continue
                    spoken = read_voices(matrices, reading)
                    made.trust[item.id] = _of_voices(matrices, spoken, settings, deals, drawing)
            except InputError as error:
                made.faults.append(say("uncertainty.without", name=name, reason=str(error)))
    except Cancelled:
        if not made.trust:
            raise
    return made


def _giving_way(on_progress: Progress, give_way: Callable[[], object] | None) -> Progress:
    if give_way is None:
        return on_progress

    def progress(share: float) -> None:
        give_way()
        on_progress(share)

    return progress


def _with_intervals(
    entry: Entry, on_draws: Callable[[Entry], object] | None
) -> Callable[[AssessmentTrust], None] | None:
    if on_draws is None:
        return None

    def on_intervals(so_far: AssessmentTrust) -> None:
        on_draws(replace(entry, measured=so_far))

    return on_intervals


def _of_voices(
    item: SimilarityEntry,
    spoken: Mapping[str, SpeakerTrials],
    settings: BootstrapSettings | None,
    deals: int | None,
    on_progress: Progress,
) -> VoicesTrust:
    by_setting = None if deals is None else dict.fromkeys(spoken, deals)
    return voices_trust_of(item.similarity, spoken, settings, deals=by_setting, on_progress=on_progress)


# How sure everything in a project is: intervals where they are missing, and which ranks are settled.


_NOTHING_TO_COMPARE = "difference-no-group"
_TESTING = 0.4  # of the work


def with_certainty(
    project: Project,
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
    *,
    must_compare: bool = False,
) -> tuple[Project, tuple[str, ...]]:
    """The project with intervals of all assessments and matrices, and the differences of each group tested.

    What is there stays as it is. A sentence tells of each for which it could not be had; that there is
    nothing to compare is told only with `must_compare`. Raises Cancelled.
    """
    settings = settings or BootstrapSettings()
    faults: tuple[str, ...] = ()
    if not project.settled:
        part = part_of(on_progress, 0.0, _TESTING)
        found = _settled(project, settings, part, must_compare=must_compare)
        project, faults = replace(project, differences=found.settled), found.faults
    missing = [item for item in project.items if item.lacks_intervals]
    part = part_of(on_progress, _TESTING, 1.0)
    alone = measure(missing, weighable_of, settings, part, read_voices=voice_trials_of)
    on_progress(1.0)
    return project.with_trust(alone.trust), (*faults, *alone.faults)


def _settled(
    project: Project, settings: BootstrapSettings, on_progress: Progress, *, must_compare: bool
) -> SettledGroups:
    try:
        return settle(project, weighable_of, settings, on_progress, read_voices=voice_trials_of)
    except InputError as error:
        is_told = must_compare or error.code != _NOTHING_TO_COMPARE
        return SettledGroups((), (str(error),) if is_told else ())
