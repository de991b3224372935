"""What verdicts need besides the figures: intervals of what is in scope, and paired differences."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from zebra_core.errors import InputError
from zebra_core.evidence.remarks import Remark
from zebra_core.project.attackers import attack_groups
from zebra_core.project.checks.checklist import ordered_pairs
from zebra_core.project.checks.excess import excess
from zebra_core.project.comparison.difference_tests import settle
from zebra_core.project.comparison.grouping import entry_of_group
from zebra_core.project.comparison.intervals import measure
from zebra_core.project.items import Entry, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.project.reading.reading import counts_of, is_counted, trials_of, weighable_of
from zebra_core.project.reading.speaker_study import speakers_of_entry
from zebra_core.project.requirements.figures import MOST_LINKED, OF_OTHERS
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.verdicts.bounded import bounded_figures
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.speakers.candidates import Candidates, with_people
from zebra_core.speakers.study import SpeakerStudy
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.everybody_bounds import PeopleBounds
from zebra_core.uncertainty.reidentification import PoolRanks, of_counts
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
