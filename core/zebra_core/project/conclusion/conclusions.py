"""Making the answer for each safeguard: grouping attacks, and ranking what protects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zebra_core.project.attackers import AttackGroup, groups_of_attacks, unprotected_of
from zebra_core.project.conclusion.conclusion import Conclusion, PeopleFigures, SafeguardRank
from zebra_core.project.group_differences import RANKED_BY, KnownDifference, known_differences
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.verdicts.deciding import verdicts


def conclusions(project: Project, people: PeopleFigures | None = None) -> tuple[Conclusion, ...]:
    """The answer for each safeguard: first the one that is asked about, then those that give away least.

    `people` is what is known of the people of its entries (`conclusion.people`). Without protected speech
    there is no answer.
    """
    by_name = _attacks_by_safeguard(project)
    unprotected = unprotected_of(project.entries)
    judged = verdicts(project)
    known = known_differences(project.settled, RANKED_BY)
    found = [
        Conclusion(
            name,
            group,
            _measured_against(group.strongest, unprotected.get(group.strongest.dataset, ())),
            people or PeopleFigures(),
            _rank(name, by_name, known) if len(by_name) > 1 else None,
            tuple(own for each in judged if (own := each.among(_ids(project, name)))),
            is_asked_about=name == project.report.safeguard,
        )
        for name, group in by_name.items()
    ]
    return tuple(sorted(found, key=lambda one: (not one.is_asked_about, one.attacks.bits)))


def _attacks_by_safeguard(project: Project) -> dict[str, AttackGroup]:
    """All attacks on each safeguard, over runs and datasets, in the order of the project."""
    found: dict[str, AttackGroup] = {}
    for group in groups_of_attacks(project.entries):
        name = group.attacks[0].own_name
        attacks = (*(found[name].attacks if name in found else ()), *group.attacks)
        found[name] = AttackGroup("", name, "", attacks, group.power_checks)
    return found


def _measured_against(entry: Entry, unprotected: Sequence[Entry]) -> Entry | None:
    """The unprotected speech that the same recogniser heard; else that which discloses most."""
    return max(
        unprotected,
        key=lambda one: (
            (one.recogniser, one.back_end) == (entry.recogniser, entry.back_end),
            one.assessment.disclosed_by_reading_bits,
        ),
        default=None,
    )


def _ids(project: Project, name: str) -> set[str]:
    return {item.id for item in project.items if item.own_name == name and not item.is_original}


def _rank(
    name: str, groups: Mapping[str, AttackGroup], known: Mapping[tuple[str, str], KnownDifference]
) -> SafeguardRank:
    own, others = groups[name], [group for other, group in groups.items() if other != name]
    rank, count = 1 + sum(other.bits < own.bits for other in others), len(groups)
    pairs = [known.get((own.strongest.id, other.strongest.id)) for other in others]
    tested = [pair for pair in pairs if pair is not None and pair[0].is_tested]
    if len(tested) < len(others):
        return SafeguardRank(rank, count)
    settled = [sign * each.value for each, sign in tested if each.is_settled]
    return SafeguardRank(
        rank, count, 1 + sum(value > 0.0 for value in settled), count - sum(value < 0.0 for value in settled)
    )
