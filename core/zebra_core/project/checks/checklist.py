"""The check list of a project: is this assessment to be trusted?"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from zebra_core.metrics.assessment import EvidenceReading, reading_in_words
from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.attackers import (
    AttackGroup,
    attack_groups,
    groups_of_attacks,
    knows,
    strongest_reading,
    unprotected_of,
)
from zebra_core.project.checks.design import Design, comparison_is_open
from zebra_core.project.checks.excess import Excess, excess
from zebra_core.project.checks.outcome import BY_CHANCE, Check, CheckedCase, CheckLine, CheckOutcome, called
from zebra_core.project.items import (
    WITHOUT_NETWORK,
    Condition,
    Entry,
    Population,
    dataset_as_said,
    may_be_alike,
    name_with_dataset,
)
from zebra_core.project.project import Project
from zebra_core.project.reading.published import compare_published
from zebra_core.speakers.normalisation import Normalisation
from zebra_core.uncertainty.resampling import FEW_CLUSTERS
from zebra_core.wording.texts import disclosure, in_english, in_sentence, visible, written

# Checks of what there is: enough speakers and target trials, both sexes, all conditions, printed figures.


FEWEST_SPEAKERS = FEW_CLUSTERS
"""With fewer no interval was measured to hold."""
FEWEST_TARGETS = 100
"""With fewer a single target trial moves an error rate by more than one in a hundred."""

_SEXES = {"f": "f", "female": "f", "m": "m", "male": "m"}
_BOTH = frozenset({"all", "mixed"})
_PART = re.compile(r"[_.\-/ ]+")


def enough_was_compared(project: Project) -> Iterator[CheckedCase]:
    """For each assessment: are there speakers and target trials enough for its intervals to hold?"""
    for entry in project.entries:
        speakers, targets = entry.n_speakers, entry.assessment.n_target
        words = {"name": called(entry), "count": targets, "speakers": speakers or 0}
        words |= {"fewest": FEWEST_TARGETS, "fewest_speakers": FEWEST_SPEAKERS}
        figures = {"speakers": speakers, "n_target": targets}
        margin = min(targets / FEWEST_TARGETS, (speakers or FEWEST_SPEAKERS) / FEWEST_SPEAKERS)
        if targets < FEWEST_TARGETS or (speakers is not None and speakers < FEWEST_SPEAKERS):
            code = "enough-too-few" if speakers is not None else "enough-too-few-trials"
            yield CheckedCase(CheckOutcome.FAILED, code, (entry.id,), words, figures, margin)
        elif speakers is None:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, "enough-unknown", (entry.id,), words, figures, margin)
        else:
            yield CheckedCase(CheckOutcome.PASSED, "enough-there", (entry.id,), words, figures, margin)


def all_is_there(project: Project) -> Iterator[CheckedCase]:
    """For each safeguard in a dataset the conditions, for each dataset the sexes."""
    for group in groups_of_attacks(project.entries):
        ids = tuple(entry.id for entry in (*group.attacks, *group.power_checks))
        stated = {entry.condition for entry in (*group.attacks, *group.power_checks)}
        lacking = [condition.value for condition in Condition if condition not in stated]
        name = f"{group.safeguard} {group.run}".strip()
        words = {"name": visible(name), "lacking": in_sentence(lacking)}
        words["dataset"] = visible(dataset_as_said(group.dataset))
        of = "-of" if group.dataset else ""
        if None in stated:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, f"complete-not-stated{of}", ids, words)
        elif lacking:
            yield CheckedCase(
                CheckOutcome.FAILED, f"complete-lacking{of}", ids, words, {"lacking": len(lacking)}
            )
        else:
            yield CheckedCase(CheckOutcome.PASSED, f"complete-conditions{of}", ids, words, margin=1.0)
    yield from _sexes(project)


def _sexes(project: Project) -> Iterator[CheckedCase]:
    """Datasets that differ in nothing but a part of their names that says the sex belong together."""
    together: dict[str, set[str]] = {}
    members: dict[str, list[str]] = {}
    for entry in project.entries:
        stem, sexes = sex_of(entry.dataset)
        sexes = sexes or _mapped(project, entry.dataset)
        together.setdefault(stem, set()).update(sexes)
        members.setdefault(stem, []).append(entry.id)
    for stem, sexes in together.items():
        words, ids = {"dataset": visible(stem)}, tuple(members[stem])
        figures = {"sexes": len(sexes)}
        of = "-of" if stem else ""
        if not sexes:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, f"complete-sex-unknown{of}", ids, words, figures)
        elif len(sexes) == 1:
            code = "complete-only-female" if "f" in sexes else "complete-only-male"
            yield CheckedCase(CheckOutcome.FAILED, f"{code}{of}", ids, words, figures)
        else:
            yield CheckedCase(CheckOutcome.PASSED, f"complete-sexes{of}", ids, words, figures)


def sex_of(dataset: str) -> tuple[str, set[str]]:
    """The name of a dataset without the parts that say the sex, and what these say: libri_f is libri, f."""
    parts = _PART.split(dataset)
    said: set[str] = set()
    kept = []
    for part in parts:
        if sex := _SEXES.get(part.lower()):
            said.add(sex)
        elif part.lower() in _BOTH:
            said |= {"f", "m"}
        else:
            kept.append(part)
    return "_".join(kept), said


def _mapped(project: Project, dataset: str) -> set[str]:
    """The sexes that maps of the dataset's speakers have."""
    maps = [item.similarity.sex for item in project.similarities if item.dataset == dataset]
    return {_SEXES.get(sex.lower(), sex) for one in maps for sex in one.values()}


def printed_figures_agree(project: Project) -> Iterator[CheckedCase]:
    """For every figure that a result file prints of an assessment here: is it what comes out?"""
    compared = [one for one in compare_published(project, project.published) if one.agrees is not None]
    differing = [one for one in compared if not one.agrees]
    for one in differing:
        yield CheckedCase(CheckOutcome.FAILED, "printed-differs", (one.entry_id or "",), {"told": str(one)})
    if compared and not differing:
        ids = tuple(dict.fromkeys(one.entry_id for one in compared if one.entry_id))
        figures = {"figures": len(compared)}
        yield CheckedCase(CheckOutcome.PASSED, "printed-agree", ids, {"count": len(compared)}, figures)


MAY_BE_CHANCE = 0.05


LEVEL = 0.95


WORKS_FROM_BITS = FULL_DISCLOSURE_BITS / 2.0
"""What unprotected speech discloses to a recogniser that works, in bits: half of what perfect separation
does. Scores of normal classes of equal spread disclose as much at an EER of 15 %."""

NORMALISED = "direction-normalised"
"""Normalised scores disclose more: judged themselves, as further attacks, they speak against no verdict."""

APART = 0.05  # the p-value up to which one figure is called larger than another
HALF = 0.5


def recogniser_works(project: Project) -> Iterator[CheckedCase]:
    """For each dataset and recogniser that attacks: does it tell speakers apart where nothing is protected?

    Of several assessments of unprotected speech the one that discloses most counts: it shows what is there
    to be found. A recogniser that nobody named is taken for any other network. Words, pitch, and attackers
    taken together are not asked where a network attacks as well.
    """
    unprotected = unprotected_of(project.entries)
    attacks: dict[tuple[str, str], list[Entry]] = {}
    for entry in project.entries:
        if entry.condition is not Condition.OO:
            attacks.setdefault((entry.dataset, entry.recogniser), []).append(entry)
    with_network = {dataset for dataset, recogniser in attacks if recogniser not in WITHOUT_NETWORK}
    for (dataset, recogniser), entries in attacks.items():
        if recogniser in WITHOUT_NETWORK and dataset in with_network:
            continue
        ids = tuple(entry.id for entry in entries)
        names = {"dataset": visible(dataset_as_said(dataset)), "recogniser": visible(recogniser)}
        found = of_recogniser(unprotected.get(dataset, ()), recogniser)
        if not found:
            code = "recogniser-unknown-of" if recogniser else "recogniser-unknown"
            yield CheckedCase(CheckOutcome.CANNOT_TELL, _of(code, dataset), ids, names)
        else:
            yield _power(found, dataset, ids, names)


def pseudo_speakers_differ(project: Project) -> Iterator[CheckedCase]:
    """For each assessment with both sides protected: do its sides share pseudo-speakers?

    Score files do not say. But where a speaker has one pseudo-speaker on both sides, and others have others,
    pseudo-speakers are recognised as well as speakers: then more is disclosed than by unprotected speech, or
    about as much. Clearly more fails; clearly less than half of it passes.
    """
    unprotected = unprotected_of(project.entries)
    for entry in project.entries:
        if entry.condition is not Condition.PP or entry.recogniser == in_english("attack.words"):
            continue  # words have no pseudo-speaker
        name = {"name": called(entry), "bits": Population.of(entry).lead_in_words}
        found = of_recogniser(unprotected.get(entry.dataset, ()), entry.recogniser)
        if not found:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, "pseudo-speakers-no-original", (entry.id,), name)
            continue
        original = max(found, key=_bits)
        figures = {"d_ece_bits": _bits(entry), "unprotected_bits": _bits(original)}
        words = {**name, "unprotected": Population.of(original).lead_in_words}
        more, less = excess(entry, original), excess(original, entry, 1.0 / HALF)
        if _bits(original) < WORKS_FROM_BITS:  # it is the recogniser then
            outcome, code = CheckOutcome.CANNOT_TELL, "pseudo-speakers-open"
        elif more.p_value <= APART:
            outcome, code = CheckOutcome.FAILED, "pseudo-speakers-shared"
        elif less.p_value <= APART:
            outcome, code = CheckOutcome.PASSED, "pseudo-speakers-apart"
        else:
            outcome, code = CheckOutcome.CANNOT_TELL, "pseudo-speakers-open"
        yield CheckedCase(outcome, code, (entry.id,), words, figures, _bits(original) - _bits(entry))


def of_recogniser(entries: Sequence[Entry], recogniser: str) -> list[Entry]:
    """The entries whose recogniser may be this one."""
    return [entry for entry in entries if may_be_alike(entry.recogniser, recogniser)]


def _power(found: Sequence[Entry], dataset: str, ids: tuple[str, ...], names: dict[str, str]) -> CheckedCase:
    best = max(found, key=_bits)
    bits, shown = _bits(best), Population.of(best)
    interval = shown.interval if shown.by_reading_bits == shown.bits else None
    low, high = (interval.low, interval.high) if interval else (bits, bits)
    outcome = CheckOutcome.CANNOT_TELL
    if low >= WORKS_FROM_BITS:
        outcome = CheckOutcome.PASSED
    elif high < WORKS_FROM_BITS:
        outcome = CheckOutcome.FAILED
    code = {
        CheckOutcome.PASSED: "recogniser-works",
        CheckOutcome.FAILED: "recogniser-fails",
        CheckOutcome.CANNOT_TELL: "recogniser-open",
    }[outcome]
    words = {**names, "bits": shown.lead_in_words, "bound": disclosure(WORKS_FROM_BITS)}
    figures = {"d_ece_bits": bits, "bound_bits": WORKS_FROM_BITS}
    away = low - WORKS_FROM_BITS if outcome is CheckOutcome.PASSED else high - WORKS_FROM_BITS
    return CheckedCase(outcome, _of(code, dataset), (*ids, best.id), words, figures, away)


def _of(code: str, dataset: str) -> str:
    return code if dataset else f"{code}-here"


def _bits(entry: Entry) -> float:
    return Population.of(entry).by_reading_bits


def knowing_more_finds_no_less(project: Project) -> Iterator[CheckedCase]:
    """For each pair of attackers on one safeguard of whom one knows more: do they find clearly less?

    They can do all that the other can, with any back end, so they found less because their attack is worse:
    badly trained, or broken. One-sided tests on D_ECE without the optimism of small sets, corrected for all
    pairs of the project (Bonferroni). Attackers whose recognisers were said to differ are no such pair. Where
    figures are in order there is nothing to test. Ref: Panariello et al. 2025, arXiv 2507.22534.
    """
    groups = attack_groups(project)
    pairs = [pair for group in groups for pair in ordered_pairs(group)]
    family = family_of(groups)
    compared = {entry.as_given.id for pair in pairs for entry in pair}
    for less, more in pairs:
        yield _case(less, more, excess(less, more), family)
    alone = [group for group in groups if not compared.intersection(entry.id for entry in group.attacks)]
    for is_said in (False, True):
        entries = [
            entry
            for group in alone
            if _is_said(group) is is_said
            for entry in group.attacks
            if entry.given is None
        ]
        if entries:
            code = "attackers-alone" if is_said else "attackers-not-stated"
            words = {"names": in_sentence([name_with_dataset(entry) for entry in entries])}
            yield CheckedCase(CheckOutcome.CANNOT_TELL, code, tuple(entry.id for entry in entries), words)


def family_of(groups: Iterable[AttackGroup]) -> Family:
    """The tests that are made together: one for each pair of attackers of whom one knows more."""
    return Family(max(1, sum(len(ordered_pairs(group)) for group in groups)), LEVEL)


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
        and may_be_alike(less.recogniser, more.recogniser)
    ]


def _case(less: Entry, more: Entry, found: Excess, family: Family) -> CheckedCase:
    words = {
        "less": called(less),
        "more": called(more),
        "less_bits": Population.of(less).lead_in_words,
        "more_bits": Population.of(more).lead_in_words,
    }
    adjusted = family.adjusted(found.p_value)
    figures = {"excess_bits": found.bits, "p_value": found.p_value, "p_adjusted": adjusted}
    if found.bits <= 0.0 or _bits(more) >= _bits(less):
        outcome, code = CheckOutcome.PASSED, "attackers-in-order"
    elif found.p_value != found.p_value:
        outcome, code = CheckOutcome.CANNOT_TELL, "attackers-untested"
    elif found.p_value <= family.settled_up_to:
        outcome, code = CheckOutcome.FAILED, "attackers-badly-trained"
    else:
        outcome, code = CheckOutcome.PASSED, "attackers-within-chance"
    words["p"] = written(adjusted, ".3f") if adjusted >= 0.001 else written(0.001, "g")
    margin = found.bits if outcome is not CheckOutcome.FAILED else -found.bits
    ids = less.as_given.id, more.as_given.id
    return CheckedCase(outcome, code, ids, words, figures, -abs(margin))


def _is_said(group: AttackGroup) -> bool:
    """Whether of all attackers somebody said what they know."""
    return all(entry.attacker for entry in group.attacks)


def scores_run_the_right_way(project: Project) -> Iterator[CheckedCase]:
    """For each assessment: does no other reading of its scores disclose more, by more than chance?"""
    for entry in project.entries:
        found, name = entry.assessment, called(entry)
        if found.all_scores_equal:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, "direction-none", (entry.id,), {"name": name})
            continue
        figures = {
            "d_ece_bits": found.d_ece_bits,
            "reversed_bits": found.reversed.d_ece_bits,
            "unordered_bits": found.cross_fitted.d_ece_unordered_bits,
        }
        other = max(found.reversed.d_ece_bits, found.cross_fitted.d_ece_unordered_bits, 0.0)
        words = {"name": name, "bits": Population.of(entry).in_words, "other": disclosure(other)}
        words["told"] = reading_in_words(found)
        is_given = found.reading is EvidenceReading.GIVEN
        outcome, code = (
            (CheckOutcome.PASSED, "direction-right") if is_given else (CheckOutcome.FAILED, "direction-wrong")
        )
        yield CheckedCase(outcome, code, (entry.id,), words, figures, found.d_ece_bits - other)
        best = strongest_reading(entry)
        more = excess(best, entry)
        if is_given and more.p_value * len(Normalisation) <= APART:
            words = {"name": name, "bits": words["bits"], "other": Population.of(best).lead_in_words}
            words["how"] = best.attack_in_words
            figures = {"excess_bits": more.bits, "p_value": more.p_value}
            yield CheckedCase(CheckOutcome.FAILED, NORMALISED, (entry.id,), words, figures, -more.bits)


def tag_is_beyond_chance(project: Project) -> Iterator[CheckedCase]:
    """For each assessment: do at most one in twenty sets without disclosure show such a worst case?

    Where more do it may be chance, which is no failure: the better a safeguard, the surer it is so.
    """
    for entry in project.entries:
        share = chance_of_worst_case(entry)
        found = entry.assessment
        tag = found.settings.tag_scale.shown(found.tag)
        words: dict[str, object] = {"name": called(entry), "tag": tag}
        if share is None:
            yield CheckedCase(CheckOutcome.CANNOT_TELL, "tag-unknown", (entry.id,), words)
            continue
        words["share"] = written(100.0 * share, f".{0 if share >= 0.095 else 1}f")
        outcome, code = (
            (CheckOutcome.PASSED, "tag-beyond")
            if share <= MAY_BE_CHANCE
            else (CheckOutcome.CANNOT_TELL, BY_CHANCE)
        )
        margin = MAY_BE_CHANCE - share
        yield CheckedCase(outcome, code, (entry.id,), words, {"p_value": share}, margin)


def chance_of_worst_case(entry: Entry) -> float | None:
    """Which share of sets without disclosure show such a worst case or more; None where nobody knows."""
    null = entry.trust.null if entry.trust else None
    if null is None or not null.exchange.has_p_value:
        return None
    found = null.p_value("worst_case_log10_lr")
    return None if math.isnan(found) else found


_CHECKS: Mapping[Check, Callable[[Project], Iterator[CheckedCase]]] = {
    Check.RECOGNISER: recogniser_works,
    Check.ATTACKERS: knowing_more_finds_no_less,
    Check.ENOUGH: enough_was_compared,
    Check.DIRECTION: scores_run_the_right_way,
    Check.COMPLETE: all_is_there,
    Check.PRINTED: printed_figures_agree,
    Check.TAG: tag_is_beyond_chance,
    Check.PSEUDO_SPEAKERS: pseudo_speakers_differ,
}

REFUSING = (Check.RECOGNISER, Check.ATTACKERS, Check.DIRECTION)
"""Where one of these failed, figures are too favourable: nothing may be called protected by them."""


def checklist(
    project: Project, printed: CheckLine | None = None, designs: Mapping[str, Design] | None = None
) -> tuple[CheckLine, ...]:
    """Every check, in the order of `Check`; a pure function of the project, without reading a file.

    `printed` takes the place of the line on printed figures; `designs` has what was gathered for that on the
    design, by the id of the entry. Figures are compared with their intervals as far as these are known: asked
    again, more can be told.
    """
    found = {check: CheckLine(check, tuple(of(project))) for check, of in _CHECKS.items()}
    found |= {
        Check.DESIGN: design_line(project, designs or {}),
        **({printed.check: printed} if printed else {}),
    }
    return tuple(found[check] for check in Check)


def design_line(project: Project, designs: Mapping[str, Design]) -> CheckLine:
    """Whether the comparison is decided already."""
    return CheckLine(Check.DESIGN, tuple(comparison_is_open(project, designs)))
