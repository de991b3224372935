"""Groups of people within an assessment, by an attribute of theirs: each is an assessment of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.speaker_names import Sessions
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, Ids, IntArray, Trials
from zebra_core.metrics.assessment import Settings, assess
from zebra_core.project.by_group import (
    FEWEST_PEOPLE,
    MOST_AMONG,
    TESTED,
    GroupsOfPeople,
    PeopleGroup,
    attribute_name,
)
from zebra_core.project.comparison.inference import NamedLabels, attribute_called, attributes_of
from zebra_core.project.items import Entry
from zebra_core.project.reading.reading import speakers_of_entry, trials_of
from zebra_core.runtime.progress import LastUsed, Progress, no_progress, part_of
from zebra_core.speakers.candidates import Candidates, PoolScores, with_people
from zebra_core.speakers.study import MostExposed, SpeakerStudy
from zebra_core.uncertainty.bootstrap import OPTIMISTIC, BootstrapSettings, bootstrap_together
from zebra_core.uncertainty.difference import independent_differences
from zebra_core.uncertainty.linking_points import linkage_draws
from zebra_core.uncertainty.one_sided import PeopleBounds
from zebra_core.uncertainty.reidentification import PoolRanks
from zebra_core.uncertainty.resampling import Clusters, FigureDraws
from zebra_core.uncertainty.trust import AssessmentTrust
from zebra_core.wording.texts import listed

_MOST_NAMED = 10
_READING = 0.1  # of the work
_OF_GROUP = 0.8  # of the work of one group goes into its intervals
_MOST_KEPT = 20_000_000  # trials of groups that are kept
_known = LastUsed[GroupsOfPeople](_MOST_KEPT)


def groups_of_people(
    entry: Entry,
    attribute: NamedLabels,
    settings: BootstrapSettings | None = None,
    *,
    trials: Trials | None = None,
    utt2spk: Mapping[str, str] | None = None,
    on_progress: Progress = no_progress,
) -> GroupsOfPeople:
    """The groups of people in an assessment by an attribute, each assessed as the whole is, and compared.

    A group's trials are those in which both people have its value; where a group has no nontarget trials of
    its own, those against others are taken for all groups alike. Fewer than `FEWEST_PEOPLE` are not judged,
    nor is a group that has nobody to be compared with. Intervals draw the people of each group by itself,
    with the usual settings where none are given. Trials that are not given are read again, and so is the map
    of speakers. What the same scores and values came to is known as long as the program runs. Raises
    InputError as `trials_of` and `with_people` do, and Cancelled where `on_progress` does.
    """
    name, labels = attribute
    drawn = settings or BootstrapSettings()
    read = trials_of(entry, part_of(on_progress, 0.0, _READING)) if trials is None else trials
    named = with_people(read, speakers_of_entry(entry) if utt2spk is None else utt2spk)
    values = tuple(labels.of.get(person, "") for person in named.speakers)
    asked = named.digest, values, entry.assessment.settings, drawn, entry.is_one_kind, repr(entry.sessions)
    rest = part_of(on_progress, _READING, 1.0)
    found = _known.find(asked)
    if found is None:
        found = _DividedTrials(
            named, values, entry.assessment.settings, drawn, entry.sessions, is_one_kind=entry.is_one_kind
        ).groups(rest)
        _known.keep(asked, found, len(named))
    rest(1.0)
    return replace(found, attribute=attribute_name(name))


def entry_of_group(
    entry: Entry,
    group: str,
    settings: BootstrapSettings | None = None,
    *,
    given: Sequence[NamedLabels] = (),
    on_progress: Progress = no_progress,
) -> Entry:
    """The assessment of a group alone, as "sex=female" names it: with its trials, figures and intervals.

    Of a sex the usual words are understood, "female" for "f". It has the id and the labels of the whole, and
    the bounds of every single person of the group, so that whatever is said of the whole can be said of it.
    Raises InputError where there is no such attribute or value, with those there are, or where the group is
    too small to be judged.
    """
    attribute, _, value = group.partition("=")
    chosen = attribute_called(attribute.strip(), attributes_of(entry, given), [entry])
    found = groups_of_people(entry, chosen, settings, on_progress=on_progress)
    one = found.group(value.strip())
    if one is None:
        known = listed([each.value for each in found.groups], _MOST_NAMED)
        raise InputError("by-group-value", found=value.strip(), attribute=found.attribute, known=known)
    if not one.is_judged:
        facts = {"group": one.value, "count": one.n_speakers, "fewest": FEWEST_PEOPLE}
        raise InputError("by-group-few", attribute=found.attribute, **facts)
    return one.entry_of(entry)


@dataclass(frozen=True, eq=False)
class _DividedTrials:
    """The trials of one assessment; `values` are those of its speakers, empty where there is none."""

    named: SpeakerTrials
    values: tuple[str, ...]
    settings: Settings
    drawn: BootstrapSettings
    sessions: Sessions | None
    is_one_kind: bool

    def groups(self, on_progress: Progress) -> GroupsOfPeople:
        """All groups, and what was compared."""
        codes = {value: code for code, value in enumerate(sorted({*self.values} - {""}))}
        of_speaker = np.array([codes.get(value, -1) for value in self.values], dtype=np.int64)
        present = np.union1d(self.named.enrolled, self.named.heard)
        present = present[present != NOBODY_KNOWN]
        speaking = np.unique(self.named.enrolled[self.named.is_target])
        here = {value: code for value, code in codes.items() if (of_speaker[present] == code).any()}
        size = {value: int(np.count_nonzero(of_speaker[speaking] == code)) for value, code in here.items()}
        enough = {value: code for value, code in here.items() if size[value] >= FEWEST_PEOPLE}
        kept, of_own = self._kept(of_speaker, enough)
        groups, pools = [], {}
        for number, value in enumerate(here):
            if value not in kept:
                groups.append(PeopleGroup(value, size[value]))
                continue
            part = part_of(on_progress, number / len(here), (number + 1) / len(here))
            trials = self._trials(kept[value])
            people = with_people(trials, self._utt2spk)
            pools[value] = _pools(people, self.sessions, is_one_kind=self.is_one_kind)
            groups.append(self._group(value, size[value], trials, people, pools[value], part))
        reason = next((each for each in pools.values() if isinstance(each, InputError)), None)
        among = None
        if pools and reason is None:
            linked = {value: each for value, each in pools.items() if not isinstance(each, InputError)}
            among = min(MOST_AMONG, *(one.n_enrolled for one in linked.values()))
            groups = [
                replace(each, linkage=linked[each.value].linkage(among, self.drawn))
                if each.is_judged
                else each
                for each in groups
            ]
        groups = _on_one_basis(groups)
        places = [place for place, each in enumerate(groups) if each.is_judged]
        compared = [groups[place].figures for place in places]
        return GroupsOfPeople(
            "",
            tuple(groups),
            n_without=int(np.count_nonzero(of_speaker[present] < 0)),
            n_people=len(present),
            differences=tuple(
                replace(one, first=places[one.first], second=places[one.second])
                for one in independent_differences(compared, TESTED, self.drawn.level)
            ),
            settings=self.drawn,
            among=among,
            of_own=of_own,
            without_linkage=reason,
        )

    def _kept(self, of_speaker: IntArray, codes: Mapping[str, int]) -> tuple[dict[str, BoolArray], bool]:
        """The trials of each group that can be judged, (n,), and whether its nontargets are its own.

        Targets are of its people, nontargets between two of them; or, where any group has none such, between
        one of them and somebody of another value.
        """
        enrolled, is_target = of_speaker[self.named.enrolled], self.named.is_target
        heard = np.where(self.named.heard == NOBODY_KNOWN, -1, of_speaker[self.named.heard])
        both = {value: (enrolled == code) & (heard == code) for value, code in codes.items()}
        of_own = all((kept & ~is_target).any() for kept in both.values())
        if not of_own:
            known = (enrolled >= 0) & (heard >= 0)
            one = {value: known & ((enrolled == code) | (heard == code)) for value, code in codes.items()}
            both = {value: np.where(is_target, kept, one[value]) for value, kept in both.items()}
        return {value: kept for value, kept in both.items() if (kept & ~is_target).any()}, of_own

    def _trials(self, kept: BoolArray) -> Trials:
        named = self.named
        return Trials(
            named.score[kept], named.is_target[kept], _ids(named.enrol, kept), _ids(named.test, kept)
        )

    def _group(
        self,
        value: str,
        size: int,
        trials: Trials,
        people: SpeakerTrials,
        pools: _GroupPools | InputError,
        on_progress: Progress,
    ) -> PeopleGroup:
        found = assess(trials, self.settings)
        drawing = part_of(on_progress, 0.0, _OF_GROUP)
        clusters = Clusters.of_trials(trials).of_people
        (drawn,) = bootstrap_together([(trials, found)], clusters, self.drawn, drawing)
        if not drawn.is_complete:
            raise Cancelled
        own = {name for name, each in zip(self.named.speakers, self.values, strict=True) if each == value}
        disclosures = SpeakerStudy.of(people, self.settings.tag_scale, self.sessions).disclosures
        linked = () if isinstance(pools, InputError) else (pools.ranks, pools.n_enrolled)
        on_progress(1.0)
        return PeopleGroup(
            value,
            size,
            trials,
            found,
            AssessmentTrust(found, drawn, people=PeopleBounds.of(disclosures, *linked)),
            most_exposed=MostExposed.of([disclosures], own),
        )

    @cached_property
    def _utt2spk(self) -> dict[str, str]:
        """Who is who, as it was found of all trials."""
        named = self.named
        sides = ((named.enrol, named.speaker_of_enrol), (named.test, named.speaker_of_test))
        return {
            name: named.speakers[code]
            for ids, who in sides
            for name, code in zip(ids.names, who.tolist(), strict=True)
            if code != NOBODY_KNOWN
        }


@dataclass(frozen=True, eq=False)
class _GroupPools:
    """The single recordings of a group, against so many of its people who are enrolled."""

    scores: PoolScores
    n_enrolled: int

    @property
    def ranks(self) -> PoolRanks:
        return PoolRanks.of_pools(self.scores)

    def linkage(self, among: int, settings: BootstrapSettings) -> FigureDraws | None:
        return linkage_draws(self.scores, [among], settings, of_people=True)[0]


def _pools(
    people: SpeakerTrials, sessions: Sessions | None, *, is_one_kind: bool
) -> _GroupPools | InputError:
    """The recordings that were compared with everybody, or why there are none."""
    try:
        found = Candidates.of(people, is_one_kind=is_one_kind, sessions=sessions)
    except InputError as error:
        return error
    return _GroupPools(found.pooled(1).complete, found.n_people)


def _ids(ids: Ids, kept: BoolArray) -> Ids:
    """The ids of some trials, without the names that occur in none of them."""
    codes, place = np.unique(ids.codes[kept], return_inverse=True)
    return Ids(place.astype(np.int32), tuple(ids.names[code] for code in codes.tolist()))


def _on_one_basis(groups: Sequence[PeopleGroup]) -> list[PeopleGroup]:
    """The groups with every figure corrected for small sets in all of them, or in none."""
    drawn = [each.trust.uncertainty for each in groups if each.trust is not None]
    plain = {figure for figure in OPTIMISTIC if not all(figure in one.bear_correction for one in drawn)}
    return [
        replace(
            each, trust=replace(each.trust, uncertainty=each.trust.uncertainty.leading_as_computed(plain))
        )
        if each.trust is not None
        else each
        for each in groups
    ]
