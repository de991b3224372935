"""What verdicts need besides the figures: intervals of what is in scope, and paired differences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Remark
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.trials import BoolArray, CodeArray, IntArray, ScoreCounts, Trials
from zebra_core.metrics.chance.seeds import Purpose, drawn_until, generator
from zebra_core.metrics.cross_fitted import FoldCounts, FoldedTrials, strongest_log10_lrs
from zebra_core.project.attackers import attack_groups
from zebra_core.project.checks.checklist import ordered_pairs
from zebra_core.project.checks.excess import excess
from zebra_core.project.comparison.difference_tests import measure, settle
from zebra_core.project.comparison.grouping import entry_of_group
from zebra_core.project.comparison.inference import guesses_of
from zebra_core.project.comparison.linking import candidates_of
from zebra_core.project.items import Entry, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import (
    counts_of,
    is_counted,
    speakers_of_entry,
    trials_of,
    weighable_of,
)
from zebra_core.project.requirements.figures import (
    MOST_LINKED,
    OF_OTHERS,
    PI_LINK,
    PI_SING,
    RANK_DISCLOSURE,
    REQUIRABLE,
    UAR,
)
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import Candidates, PoolScores, with_people
from zebra_core.speakers.inference import unweighted_average_recall_chance
from zebra_core.speakers.singling_out import IsolationScores, singling_out, singling_out_chance
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.inference import recall_draws
from zebra_core.uncertainty.linking_points import linkage_draws, rank_draws, singling_out_draws
from zebra_core.uncertainty.one_sided import PeopleBounds
from zebra_core.uncertainty.reidentification import PoolRanks, of_counts
from zebra_core.uncertainty.resampling import BoundedFigure, Clusters, FigureDraws, ResamplingUnit
from zebra_core.uncertainty.trust import AssessmentTrust, with_normalised
from zebra_core.wording.texts import say

_COMPARING = 0.5  # of the work, where there is something to compare
_PEOPLE = 0.8  # of the work, from where on every single person is looked at
_GROUPS = 0.9  # of the work, from where on groups are assessed
_NOTHING_TO_COMPARE = "difference-no-group"


def without_bounds(project: Project, requirements: Sequence[Requirement]) -> tuple[Entry, ...]:
    """The assessments that need intervals and have none.

    These are those in scope of what is resampled, and pairs of attackers of whom the one who knows more found
    less, where one of them is in any scope: whether that is chance, only intervals say.
    """
    wanted = {
        entry.id
        for each in requirements
        if each.of.is_resampled and not each.no_worse_than
        for entry in each.scope.of(project.entries)
    }
    in_scope = {entry.id for each in requirements for entry in each.scope.of(project.entries)}
    for group in attack_groups(project):
        for less, more in ordered_pairs(group):
            is_doubtful = excess(less, more).bits > 0.0
            ids = {less.as_given.id, more.as_given.id}
            if is_doubtful and in_scope & ids:
                wanted |= ids
    return tuple(entry for entry in project.entries if entry.lacks_intervals and entry.id in wanted)


def without_draws(
    project: Project, requirements: Sequence[Requirement]
) -> dict[str, tuple[Requirement, ...]]:
    """What requires draws that were not made, by the id of the assessment that lacks them."""
    found: dict[str, tuple[Requirement, ...]] = {}
    for entry in project.attacks:
        known = entry.trust.bounded if entry.trust else {}
        lacking = tuple(
            each
            for each in requirements
            if each.of.is_drawn_when_required
            and not each.detail.group
            and each.scope.holds(entry)
            and each.draws_key not in known
        )
        if lacking:
            found[entry.id] = lacking
    return found


def among_how_many(entry: Entry, requirements: Sequence[Requirement], group: str = "") -> set[int]:
    """Among which numbers of people it is required that nobody is linked too often, of all or of a group."""
    return {
        each.detail.people
        for each in requirements
        if each.figure == MOST_LINKED
        and each.detail.people is not None
        and each.detail.group == group
        and each.scope.holds(entry)
    }


def without_groups(
    project: Project, requirements: Sequence[Requirement]
) -> dict[str, tuple[Requirement, ...]]:
    """What is required of groups of people of whom that is not known, by the id of the assessment."""
    found = {
        entry.id: tuple(
            each
            for each in requirements
            if each.detail.group and each.scope.holds(entry) and _lacks_group(entry.trust, each)
        )
        for entry in project.entries
    }
    return {entry_id: lacking for entry_id, lacking in found.items() if lacking}


def _lacks_group(trust: AssessmentTrust | None, asked: Requirement) -> bool:
    found = trust.groups.get(asked.detail.group) if trust else None
    if found is None or isinstance(found, Remark):
        return found is None
    if asked.of.is_drawn_when_required:
        return asked.draws_key not in found.bounded
    among = asked.detail.people
    return asked.of.is_of_people and _lacks_people(found, [] if among is None else [among])


def without_people(project: Project, requirements: Sequence[Requirement]) -> tuple[Entry, ...]:
    """The assessments of which a bound is required, and what every single person discloses is not known.

    Trials that were only counted do not tell who stands out, and are not counted again for a mean.
    """
    wanted = {
        entry.id
        for each in requirements
        if each.of.is_resampled and not each.no_worse_than and not each.detail.group
        for entry in each.scope.of(project.attacks)
        if each.of.is_of_people or each.figure == OF_OTHERS or not is_counted(entry)
    }
    return tuple(
        entry
        for entry in project.attacks
        if entry.id in wanted and _lacks_people(entry.trust, among_how_many(entry, requirements))
    )


def _lacks_people(trust: AssessmentTrust | None, among: Collection[int]) -> bool:
    people = trust.people if trust else None
    if people is None:
        return True
    return any(n < (people.n_enrolled or 0) and people.linkage_among(n) is None for n in among)


def is_to_compare(project: Project, requirements: Sequence[Requirement]) -> bool:
    """Whether paired differences are needed and not there."""
    return not project.settled and any(each.no_worse_than for each in requirements)


def lacks_bounds(project: Project, requirements: Sequence[Requirement]) -> bool:
    """Whether verdicts need anything that `with_bounds` would work out."""
    return (
        is_to_compare(project, requirements)
        or bool(without_bounds(project, requirements))
        or bool(without_draws(project, requirements))
        or bool(without_people(project, requirements))
        or bool(without_groups(project, requirements))
    )


def with_bounds(
    project: Project,
    requirements: Sequence[Requirement],
    settings: BootstrapSettings | None = None,
    on_progress: Progress = no_progress,
) -> tuple[Project, tuple[str, ...]]:
    """The project with what its verdicts need, and a sentence for each that could not be had.

    What is there stays as it is. Files of trials that were let go are read again. Raises Cancelled.
    """
    faults: tuple[str, ...] = ()
    compares = is_to_compare(project, requirements)
    if compares:
        try:
            found = settle(project, weighable_of, settings, part_of(on_progress, 0.0, _COMPARING))
            project, faults = replace(project, differences=found.settled), found.faults
        except InputError as error:
            faults = () if error.code == _NOTHING_TO_COMPARE else (str(error),)
    rest = part_of(on_progress, _COMPARING if compares else 0.0, 1.0)
    is_slow = bool(without_draws(project, requirements))
    part = part_of(rest, 0.0, _COMPARING if is_slow else _PEOPLE)
    alone = measure(without_bounds(project, requirements), weighable_of, settings, part, deals=0)
    project, faults = project.with_trust(alone.trust), (*faults, *alone.faults)
    lacking = without_draws(project, requirements)
    found_of, more = _measured(
        [entry for entry in project.attacks if entry.id in lacking],
        lambda entry, trust, part: _with_draws(entry, trust, lacking[entry.id], part),
        part_of(rest, _COMPARING, _PEOPLE),
    )
    project, faults = project.with_trust(found_of), (*faults, *more)
    found_of, more = _measured(
        without_people(project, requirements),
        lambda entry, trust, part: replace(
            trust, people=people_bounds(entry, part, among=among_how_many(entry, requirements))
        ),
        part_of(rest, _PEOPLE, _GROUPS),
    )
    project, faults = project.with_trust(found_of), (*faults, *more)
    of_groups = without_groups(project, requirements)
    found_of, more = _measured(
        [entry for entry in project.entries if entry.id in of_groups],
        lambda entry, trust, part: with_groups(entry, trust, of_groups[entry.id], part),
        part_of(rest, _GROUPS, 1.0),
    )
    project, faults = project.with_trust(found_of), (*faults, *more)
    on_progress(1.0)
    return project, faults


def people_bounds(
    entry: Entry, on_progress: Progress = no_progress, *, among: Collection[int] = ()
) -> PeopleBounds:
    """The bounds of every single person; of nothing where nobody knows who speaks. Reads trials again.

    Of linkage also `among` these numbers of people. Raises ZebraError where they cannot be read.
    """
    if is_counted(entry):
        counts = counts_of(entry, on_progress, with_ranks=True)
        exposed = SpeakerStudy.of(counts).disclosures
        try:
            linked = of_counts(counts)
        except InputError:  # who is linked cannot be told of these lists
            return PeopleBounds.of(exposed)
        return PeopleBounds.of(exposed, linked.heard[0], linked.n_enrolled, among)
    trials, speakers = trials_of(entry, on_progress), speakers_of_entry(entry)
    try:
        named, sessions = with_people(trials, speakers), entry.sessions
        exposed = SpeakerStudy.of(named).disclosures
        known = exposed if sessions is None else SpeakerStudy.of(named, sessions=sessions).disclosures
    except InputError:
        return PeopleBounds(None, (), None)
    try:
        found = Candidates.of(named, is_one_kind=entry.is_one_kind, sessions=sessions)
        ranks = PoolRanks.of_pools(found.pooled().complete)
        bounds = PeopleBounds.of(known, ranks, found.n_people, among)
    except InputError:
        bounds = PeopleBounds.of(known)
    # A mean may hide somebody whose recordings stand out, be it for their session alone.
    return replace(bounds, bits_apart=PeopleBounds.of(exposed).bits_apart)


def with_groups(
    entry: Entry, trust: AssessmentTrust, asked: Sequence[Requirement], on_progress: Progress = no_progress
) -> AssessmentTrust:
    """The trust with that of the groups that these requirements name, each assessed by itself.

    Raises Cancelled.
    """
    found: dict[str, AssessmentTrust | Remark] = {}
    names = list(dict.fromkeys(each.detail.group for each in asked))
    for number, name in enumerate(names):
        part = part_of(on_progress, number / len(names), (number + 1) / len(names))
        of_group = [each for each in asked if each.detail.group == name]
        try:
            found[name] = _of_group(entry, trust.uncertainty.settings, name, of_group, part)
        except InputError as error:
            found[name] = Remark(error.code, error.facts, section=error.section)
    return replace(trust, groups={**trust.groups, **found})


def _of_group(
    entry: Entry, settings: BootstrapSettings, name: str, asked: Sequence[Requirement], on_progress: Progress
) -> AssessmentTrust:
    group = entry_of_group(entry, name, settings, on_progress=part_of(on_progress, 0.0, 0.5))
    assert group.trust is not None  # noqa: S101 - for the type checker: a group that is judged has intervals
    assert group.trials is not None  # noqa: S101 - for the type checker: they were divided
    speakers, part = speakers_of_entry(entry), part_of(on_progress, 0.5, 0.7)
    trust = with_normalised(group.trust, group.trials, speakers, 0, part)
    drawn = [each for each in asked if each.of.is_drawn_when_required]
    among = among_how_many(entry, asked, name)
    found = {
        one.normalisation: replace(
            one.trust or trust,
            bounded=bounded_figures(one, drawn, settings, part_of(on_progress, 0.7, 1.0)),
            people=people_bounds(one, among=among),
        )
        for one in replace(group, measured=trust).readings
    }
    of_given = found.pop(None)
    return replace(of_given, normalised={by: one for by, one in found.items() if by})


def _with_draws(
    entry: Entry, trust: AssessmentTrust, asked: Sequence[Requirement], on_progress: Progress
) -> AssessmentTrust:
    found = bounded_figures(entry, asked, trust.uncertainty.settings, on_progress)
    return replace(trust, bounded={**trust.bounded, **found})


def _measured(
    lacking: Sequence[Entry],
    measured: Callable[[Entry, AssessmentTrust, Progress], AssessmentTrust],
    on_progress: Progress,
) -> tuple[dict[str, AssessmentTrust], tuple[str, ...]]:
    """What these lack, by the id of the entry; of those without intervals that is told already."""
    found: dict[str, AssessmentTrust] = {}
    faults: list[str] = []
    for number, entry in enumerate(lacking):
        part = part_of(on_progress, number / len(lacking), (number + 1) / len(lacking))
        if entry.trust is None:
            continue
        try:
            found[entry.id] = measured(entry, entry.trust, part)
        except InputError as error:
            faults.append(say("uncertainty.without", name=name_with_dataset(entry), reason=str(error)))
    return found, tuple(faults)


# The draws that bounds of required figures are made of, beyond those that every assessment has.


_READING = 0.2  # of the work of one


def bounded_figures(
    entry: Entry,
    asked: Sequence[Requirement],
    settings: BootstrapSettings,
    on_progress: Progress = no_progress,
) -> dict[str, BoundedFigure]:
    """What these requirements ask of an assessment, by the keys of their draws.

    What cannot be measured is there with its reason. Raises Cancelled.
    """
    found: dict[str, BoundedFigure] = {}
    source = _Source(entry, settings, part_of(on_progress, 0.0, _READING))
    by_key = {each.draws_key: each for each in asked}
    for place, (key, each) in enumerate(by_key.items()):
        begin, end = (_READING + (1.0 - _READING) * n / len(by_key) for n in (place, place + 1))
        source.on_progress = part_of(on_progress, begin, end)
        try:
            found[key] = _FIGURES[each.of.key](source, each)
        except InputError as error:
            found[key] = BoundedFigure(None, None, Remark(error.code, error.facts, section=error.section))
    on_progress(1.0)
    return found


class _Source:
    """An assessment whose trials are read once, whatever is asked of them."""

    def __init__(self, entry: Entry, settings: BootstrapSettings, on_progress: Progress) -> None:
        self.entry, self.settings, self.on_progress = entry, settings, on_progress

    @cached_property
    def trials(self) -> Trials:
        if is_counted(self.entry):
            raise InputError("bound-of-counts")
        return trials_of(self.entry, self.on_progress)

    @cached_property
    def candidates(self) -> Candidates:
        return candidates_of(self.entry, self.trials)

    def pooled(self, asked: Requirement) -> PoolScores:
        """Recordings against all who are enrolled. Raises InputError where there are too few of anything."""
        people, candidates = asked.detail.people, self.candidates
        if people is not None and people > candidates.n_people:
            raise InputError("bound-more-people", count=candidates.n_people, people=people)
        pooled = candidates.pooled(asked.recordings).complete
        if len(set(pooled.own.tolist())) < 2:
            raise InputError("bound-few-recordings", count=asked.recordings)
        return pooled


def _linkage(source: _Source, asked: Requirement) -> BoundedFigure:
    people = asked.detail.people or source.candidates.n_people
    pooled = source.pooled(asked)
    (draws,) = linkage_draws(pooled, [people], source.settings)
    return _of_people(draws, PoolRanks.with_guessing(pooled).chance(len(pooled.score), people))


def _singling_out(source: _Source, asked: Requirement) -> BoundedFigure:
    scores = IsolationScores.of(source.pooled(asked))
    if scores is None:
        raise InputError("bound-no-calibration")
    people = asked.detail.people or scores.n_people
    if people > scores.n_people:
        raise InputError("bound-more-people", count=scores.n_people, people=people)
    estimate = singling_out(scores, people, generator(source.settings.seed, Purpose.SETS, people))
    return _of_people(
        singling_out_draws(scores, people, source.settings, estimate), singling_out_chance(people)
    )


def _ranks(source: _Source, asked: Requirement) -> BoundedFigure:
    return _of_people(rank_draws(source.pooled(asked), source.settings), None)


def _recall(source: _Source, asked: Requirement) -> BoundedFigure:
    guesses = guesses_of(source.entry, asked.detail.attribute, source.trials)
    draws, chance = (
        recall_draws(guesses, source.settings),
        unweighted_average_recall_chance(guesses.confusion()),
    )
    if draws is None:
        raise InputError("bound-few-of-value", found=asked.detail.attribute)
    return BoundedFigure(draws, chance)


def _worst_of_others(source: _Source, _: Requirement) -> BoundedFigure:
    draws = worst_of_others(source.trials, source.settings, source.on_progress)
    if draws is None:
        raise InputError("speakers-unknown")
    return BoundedFigure(draws)


def _of_people(draws: FigureDraws | None, chance: float | None) -> BoundedFigure:
    if draws is None:
        raise InputError("bound-few-people")
    return BoundedFigure(draws, chance)


_FIGURES: Mapping[str, Callable[[_Source, Requirement], BoundedFigure]] = {
    PI_LINK: _linkage,
    PI_SING: _singling_out,
    RANK_DISCLOSURE: _ranks,
    UAR: _recall,
    REQUIRABLE[OF_OTHERS].key: _worst_of_others,
}
"""How the draws of a figure are made, by its key."""


# The worst case that other speakers bear out, drawn again: what a set of so many speakers shows.
#
# Unlike D_ECE it grows with the number of speakers, for the more trials there are the stronger evidence they
# bear out. So its draws speak of sets of as many speakers as there are, and of no more. For each draw the
# calibration is learnt anew, always on other folds of speakers than it is judged on; whoever is drawn twice
# stays in one fold. That takes longer than all other figures together: it is drawn where somebody asks for
# it.


MOST_DRAWN = 200  # replicates; a spread is known to 5 % of itself from so many


def worst_of_others(
    trials: Trials,
    settings: BootstrapSettings,
    on_progress: Progress = no_progress,
) -> FigureDraws | None:
    """The largest |log10 LR| by calibration of others with its draws; None where nobody knows who speaks.

    O(n) a replicate. Folds are dealt as the assessment of these trials deals them. The same seed gives the
    same draws. Raises InputError for fewer than three speakers, and Cancelled.
    """
    trials = in_order(trials)
    folded = FoldedTrials.of(trials, ScoreCounts.of(trials.score, trials.is_target))
    clusters = Clusters.of_trials(trials)
    if folded is None or clusters.unit is not ResamplingUnit.SPEAKER:
        return None
    rng = generator(settings.seed, Purpose.SPEAKERS_DRAWN)
    replicates = min(settings.replicates, MOST_DRAWN)
    work = 1 + clusters.n_left_out + replicates

    def once() -> float | None:
        return _worst(folded, trials, clusters, clusters.draw(rng))

    left_out, draws = [], []
    for weight in clusters.left_out():
        found = _worst(folded, trials, clusters, weight)
        left_out.append(np.nan if found is None else found)
        on_progress(len(left_out) / work)
    for _ in range(replicates):
        found = drawn_until(once)
        draws.append(np.nan if found is None else found)
        on_progress((len(left_out) + len(draws)) / work)
    estimate = _worst(folded, trials, clusters, clusters.all_once)
    assert estimate is not None  # noqa: S101 - for the type checker: trials have both classes
    return FigureDraws(estimate, np.array(draws), np.array(left_out), clusters.n_told, lowest=0.0)


def _worst(folded: FoldedTrials, trials: Trials, clusters: Clusters, weight: CodeArray) -> float | None:
    """The worst case of others under these weights; None where they leave a class without trials."""
    own = weight[clusters.enrol] * weight[clusters.test]
    target, nontarget = (_table(folded, own, chosen) for chosen in (trials.is_target, ~trials.is_target))
    if not (target.any() and nontarget.any()):
        return None
    folds = FoldCounts(folded.counts.borders, target, nontarget, is_by_speaker=True)
    against, for_ = strongest_log10_lrs(folds)
    return max(for_, -against)


def _table(folded: FoldedTrials, own: CodeArray, chosen: BoolArray) -> IntArray:
    shape = folded.counts.n_target.shape
    table = np.bincount(folded.place[chosen], own[chosen], int(np.prod(shape)))
    return table.astype(np.int64).reshape(shape)
