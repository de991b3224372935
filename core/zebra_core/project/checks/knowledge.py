"""Does an attacker who knows more find no less? Else the attack was badly trained, or is broken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.project.attackers import AttackGroup, attack_groups, knows
from zebra_core.project.checks.excess import Excess, excess
from zebra_core.project.checks.outcome import CheckedCase, CheckOutcome, called
from zebra_core.project.headline import Population
from zebra_core.project.items import Condition, Entry, name_with_dataset
from zebra_core.project.project import Project
from zebra_core.wording.names import in_sentence
from zebra_core.wording.texts import written

LEVEL = 0.95


def knowing_more_finds_no_less(project: Project) -> Iterator[CheckedCase]:
    """For each pair of attackers on one safeguard of whom one knows more: do they find clearly less?

    They can do all that the other can, with any back end, so they found less because their attack is worse:
    badly trained, or broken. One-sided tests on D_ECE without the optimism of small sets, corrected for all
    pairs of the project (Bonferroni). Attackers whose recognisers were said to differ are no such pair. Where
    figures are in order there is nothing to test. Ref: Panariello et al. 2025, arXiv 2507.22534.
    """
    groups = attack_groups(project)
    pairs = [pair for group in groups for pair in ordered_pairs(group)]
    family = Family(max(1, len(pairs)), LEVEL)
    compared = {entry.id for pair in pairs for entry in pair}
    for less, more in pairs:
        yield _case(less, more, excess(less, more), family)
    alone = [group for group in groups if not compared.intersection(entry.id for entry in group.attacks)]
    for is_said in (False, True):
        entries = [entry for group in alone if _is_said(group) is is_said for entry in group.attacks]
        if entries:
            code = "attackers-alone" if is_said else "attackers-not-stated"
            words = {"names": in_sentence([name_with_dataset(entry) for entry in entries])}
            yield CheckedCase(CheckOutcome.CANNOT_TELL, code, tuple(entry.id for entry in entries), words)


def ordered_pairs(group: AttackGroup) -> list[tuple[Entry, Entry]]:
    """Pairs of attackers of whom the second is known to know more than the first.

    Of those who know the same, under one condition and with one recogniser, the one is taken who finds most,
    with whatever back end. Under OP nobody is held against one who protects the enrolments, too (PP).
    """
    known = [entry for entry in group.attacks if knows(entry) is not None]
    best = {
        (entry.condition, entry.recogniser, knows(entry)): entry
        for entry in sorted(known, key=group.bits_of)  # the last one stays
    }
    return [
        (less, more)
        for less, more in combinations(sorted(best.values(), key=lambda entry: knows(entry) or 0), 2)
        if knows(less) != knows(more)
        and (less.condition, more.condition) != (Condition.PP, Condition.OP)
        and _may_be_alike(less.recogniser, more.recogniser)
    ]


def _may_be_alike(one: str, other: str) -> bool:
    return not one or not other or one == other


def _case(less: Entry, more: Entry, found: Excess, family: Family) -> CheckedCase:
    words = {
        "less": called(less),
        "more": called(more),
        "less_bits": Population.of(less).lead_in_words,
        "more_bits": Population.of(more).lead_in_words,
    }
    adjusted = family.adjusted(found.p_value)
    figures = {"excess_bits": found.bits, "p_value": found.p_value, "p_adjusted": adjusted}
    if found.bits <= 0.0:
        outcome, code = CheckOutcome.PASSED, "attackers-in-order"
    elif found.p_value != found.p_value:
        outcome, code = CheckOutcome.CANNOT_TELL, "attackers-untested"
    elif found.p_value <= family.settled_up_to:
        outcome, code = CheckOutcome.FAILED, "attackers-badly-trained"
    else:
        outcome, code = CheckOutcome.PASSED, "attackers-within-chance"
    words["p"] = written(adjusted, ".3f") if adjusted >= 0.001 else written(0.001, "g")
    margin = found.bits if outcome is not CheckOutcome.FAILED else -found.bits
    return CheckedCase(outcome, code, (less.id, more.id), words, figures, -abs(margin))


def _is_said(group: AttackGroup) -> bool:
    """Whether of all attackers somebody said what they know."""
    return all(entry.attacker for entry in group.attacks)
