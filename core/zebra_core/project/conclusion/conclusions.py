"""Making the answer for each safeguard: grouping attacks, and ranking what protects."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from zebra_core.project.attackers import AttackGroup, groups_of_attacks
from zebra_core.project.comparison.comparison import repeated_scores
from zebra_core.project.conclusion.conclusion import Conclusion, PeopleFigures, SafeguardRank
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.items import Entry, of_one_picture, says_nothing
from zebra_core.project.project import Project
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS


def conclusions(project: Project, people: PeopleFigures | None = None) -> tuple[Conclusion, ...]:
    """The answer for each safeguard: first the one that is asked about, then those that give away least, and
    last those whose figures say nothing: these have no rank, either. Nor has one with scores that another
    assessment has, too (`repeated_scores`); scores of unprotected speech say nothing of it.

    What is not ticked is left out; but requirements are judged over all of it.

    `people` is what is known of the people of its entries (`conclusion.naming`). Without protected speech
    there is no answer.
    """
    ticked = project.ticked
    entries = of_one_picture(ticked.entries)
    attacks = _attacks_by_safeguard([reading for entry in entries for reading in entry.readings])
    judged = verdicts(project)
    repeated = repeated_scores(ticked.entries)
    of_originals = {one.id for each in repeated for one in each.of_originals}
    with_matrices = {item.name for item in ticked.similarities if "pp" in item.settings}
    told = {name: _that_tell(everything, of_originals) for name, everything in attacks.items()}
    copied = {name for name, group in told.items() if group.strongest.as_given.id in of_originals}
    found = [
        Conclusion(
            name,
            told[name],
            entries,
            people or PeopleFigures(),
            None,
            tuple(own for each in judged if (own := each.among(_ids(project, name)))),
            is_asked_about=name == project.report.safeguard,
            n_left_out=_n_given(everything) - _n_given(told[name].attacks),
            has_matrices=any(entry.name in with_matrices for entry in everything),
            is_of_originals=name in copied,
        )
        for name, everything in attacks.items()
    ]
    tell = [one for one in found if not one.alarm_in_words]
    not_own = {one.own_name for each in repeated for one in each.entries}
    ranked = [one for one in tell if one.safeguard not in not_own]
    placed = _ranks(ticked, ranked) if len(ranked) > 1 else {}
    found = [replace(one, rank=placed.get(one.safeguard)) for one in found]

    def order(one: Conclusion) -> tuple[bool, bool, float]:
        rank = placed.get(one.safeguard)
        return not one.is_asked_about, one not in tell, rank.place if rank else one.attacks.bits

    tell = [one for one in found if not one.alarm_in_words]
    return tuple(sorted(found, key=order))


def _attacks_by_safeguard(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """All attacks on each safeguard, over runs and datasets, in the order of the project."""
    found: dict[str, list[Entry]] = {}
    for group in groups_of_attacks(entries):
        found.setdefault(group.attacks[0].own_name, []).extend(group.attacks)
    return found


def _that_tell(attacks: Sequence[Entry], of_originals: Collection[str]) -> AttackGroup:
    """The attacks whose figures say something, without those that read the originals; all where none is."""
    own = [entry for entry in attacks if entry.as_given.id not in of_originals] or attacks
    told = [entry for entry in own if not says_nothing(entry.as_given)] or own
    return AttackGroup("", attacks[0].name, "", tuple(told), ())


def _n_given(attacks: Sequence[Entry]) -> int:
    """How many of these are of scores as they are given."""
    return sum(one.given is None for one in attacks)


def _ids(project: Project, name: str) -> set[str]:
    return {item.id for item in project.items if item.own_name == name and not item.is_original}


def _ranks(project: Project, found: Sequence[Conclusion]) -> dict[str, SafeguardRank]:
    """The rank of each safeguard by what the strongest reading of its scores discloses.

    Where all were tested on the same recordings, under one attack, by that test; of several such the one of
    most speakers, then the one under which most is disclosed. Else by their strongest attacks, unless a test
    of some of them settled another order: then nobody has a rank.
    """
    by_id = {entry.id: entry.own_name for entry in project.entries}
    names = {one.safeguard for one in found}
    groups = [
        group
        for group in project.settled
        if names <= {by_id[entry_id] for entry_id in group.assessments} and group.is_tested
    ]
    if groups:
        group = max(groups, key=lambda one: (one.n_speakers, max(one.bits_of.values())))
        return _tested(group, names, by_id)
    bits = {one.safeguard: one.attacks.bits for one in found}
    settled = [pair for group in project.settled for pair in group.settled_pairs]
    if any(bits.get(by_id[less], 0.0) > bits.get(by_id[more], math.inf) for less, more in settled):
        return {}
    can_be_tested = _can_be_tested([one.attacks.attacks for one in found])
    return {
        name: SafeguardRank(
            1 + sum(other < own for other in bits.values()),
            len(bits),
            can_be_tested=can_be_tested,
            is_shared=list(bits.values()).count(own) > 1,
        )
        for name, own in bits.items()
    }


def _tested(group: GroupDifferences, names: set[str], by_id: Mapping[str, str]) -> dict[str, SafeguardRank]:
    """Ranks by what was tested, of runs of a safeguard by the one that discloses most."""
    bits: dict[str, tuple[float, str]] = {}
    for entry_id, value in group.bits_of.items():
        name = by_id[entry_id]
        if name in names:
            bits[name] = max(bits.get(name, (-math.inf, "")), (value, entry_id))
    spans = group.ranks_among([entry_id for _, entry_id in bits.values()])
    values = [value for value, _ in bits.values()]
    given = [group.assessments[entry_id].d_ece_bits for _, entry_id in bits.values()]
    return {
        name: SafeguardRank(
            1 + sum(other < value for other in values),
            len(values),
            *spans[entry_id],
            is_shared=values.count(value) > 1,
            speakers=group.n_speakers,
            as_given=1 + sum(other < group.assessments[entry_id].d_ece_bits for other in given),
        )
        for name, (value, entry_id) in bits.items()
    }


def _can_be_tested(attacks: Sequence[Sequence[Entry]]) -> bool:
    """Whether one attack was made on each of these safeguards, with enough speakers, as far as is known."""
    made = [
        {
            (one.dataset, one.condition, one.attack)
            for one in each
            if one.given is None and (one.n_speakers is None or one.n_speakers >= FEWEST_SPEAKERS)
        }
        for each in attacks
    ]
    return bool(set.intersection(*made))
