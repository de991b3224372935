"""Making the answer for each safeguard: grouping attacks, and ranking what protects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zebra_core.project.attackers import AttackGroup, groups_of_attacks
from zebra_core.project.basis import of_one_picture
from zebra_core.project.comparison.comparison import baseline_of
from zebra_core.project.conclusion.conclusion import Conclusion, PeopleFigures, SafeguardRank
from zebra_core.project.group_differences import RANKED_BY, KnownDifference, known_differences
from zebra_core.project.headline import says_nothing
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS


def conclusions(project: Project, people: PeopleFigures | None = None) -> tuple[Conclusion, ...]:
    """The answer for each safeguard: first the one that is asked about, then those that give away least, and
    last those whose figures say nothing: these have no rank, either.

    `people` is what is known of the people of its entries (`conclusion.people`). Without protected speech
    there is no answer.
    """
    entries = of_one_picture(project.entries)
    attacks = _attacks_by_safeguard(entries)
    by_name = {name: _that_tell(found) for name, found in attacks.items()}
    ranked = {name: group for name, group in by_name.items() if not says_nothing(group.strongest)}
    judged = verdicts(project)
    known = known_differences(project.settled, RANKED_BY)
    found = [
        Conclusion(
            name,
            group,
            baseline_of(group.strongest, entries),
            people or PeopleFigures(),
            _rank(name, ranked, known) if name in ranked and len(ranked) > 1 else None,
            tuple(own for each in judged if (own := each.among(_ids(project, name)))),
            is_asked_about=name == project.report.safeguard,
            n_left_out=len(attacks[name]) - len(group.attacks),
        )
        for name, group in by_name.items()
    ]
    order = {one.safeguard: (not one.is_asked_about, one.safeguard not in ranked) for one in found}
    return tuple(sorted(found, key=lambda one: (*order[one.safeguard], one.attacks.bits)))


def _attacks_by_safeguard(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """All attacks on each safeguard, over runs and datasets, in the order of the project."""
    found: dict[str, list[Entry]] = {}
    for group in groups_of_attacks(entries):
        found.setdefault(group.attacks[0].own_name, []).extend(group.attacks)
    return found


def _that_tell(attacks: Sequence[Entry]) -> AttackGroup:
    """The attacks whose figures say something; all where those of none do."""
    told = [entry for entry in attacks if not says_nothing(entry)] or attacks
    return AttackGroup("", attacks[0].name, "", tuple(told), ())


def _ids(project: Project, name: str) -> set[str]:
    return {item.id for item in project.items if item.own_name == name and not item.is_original}


def _rank(
    name: str, groups: Mapping[str, AttackGroup], known: Mapping[tuple[str, str], KnownDifference]
) -> SafeguardRank:
    own, others = groups[name], [group for other, group in groups.items() if other != name]
    rank, count = 1 + sum(other.bits < own.bits for other in others), len(groups)
    is_shared = any(other.bits == own.bits for other in others)
    pairs = [known.get((own.strongest.id, other.strongest.id)) for other in others]
    tested = [pair for pair in pairs if pair is not None and pair[0].is_tested]
    if len(tested) < len(others):
        strongest = [group.strongest for group in groups.values()]
        return SafeguardRank(rank, count, can_be_tested=_can_be_tested(strongest), is_shared=is_shared)
    settled = [sign * each.value for each, sign in tested if each.is_settled]
    low, high = 1 + sum(value > 0.0 for value in settled), count - sum(value < 0.0 for value in settled)
    return SafeguardRank(rank, count, low, high, is_shared=is_shared)


def _can_be_tested(attacks: Sequence[Entry]) -> bool:
    """Whether these are attacks of one kind on enough speakers, as far as is known."""
    enough = all(one.n_speakers is None or one.n_speakers >= FEWEST_SPEAKERS for one in attacks)
    return enough and len({(one.dataset, one.condition, one.attack) for one in attacks}) == 1
