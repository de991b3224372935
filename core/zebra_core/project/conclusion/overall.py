"""The answer for a whole project: the sentence that is read first, a box of facts, and all of it as text."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from zebra_core.evidence.audit import Decision
from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.metrics.scales import PAPER_SCALE
from zebra_core.project.comparison.comparison import repeated_scores
from zebra_core.project.comparison.row import AnsweredCell
from zebra_core.project.conclusion.conclusion import Conclusion, LeadingNaming, share_of_one
from zebra_core.project.items import (
    Condition,
    Entry,
    Individual,
    Item,
    Population,
    distinct_names,
    says_nothing,
    tag_in_words,
)
from zebra_core.project.project import Project
from zebra_core.project.verdicts.deciding import verdicts
from zebra_core.project.verdicts.verdict import VerdictOutcome, worst_first
from zebra_core.speakers.study import MostExposed
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.wording.texts import (
    alternatives,
    clauses,
    disclosure,
    in_sentence,
    listed,
    named,
    odds_to_one,
    of_hundred,
    say,
    shortened,
    visible,
    visible_name,
    visible_sentence,
    with_aside,
    written,
)

_LONGEST_NAME, _LONGEST_HEAD = 40, 80  # characters, in the sentence and above a column; above lines
_LONGEST_DEMAND = 160
_MOST_LEFT_OUT = 4
_MOST_FIRST = 3  # safeguards that are named where several may protect best
MOST_COLUMNS = 4
"""Of more safeguards each has a row of the box."""


def in_one_sentence(found: Sequence[Conclusion], project: Project) -> str:
    """What is concluded of all safeguards: what is settled, on how many speakers, and what is open.

    It names how often the right person is named under the safeguard that protects best and under the one that
    protects least; where nobody can be named, what the attacker learns on average.
    """
    if not found:
        if project.entries and not project.ticked.entries:
            return say("conclusion.nothing-ticked")
        return say("conclusion.only-unprotected" if project.entries else "conclusion.no-assessment")
    telling = [one for one in found if not one.alarm_in_words]
    silent = [_name(one) for one in found if one.alarm_in_words]
    if not telling:
        alarm = found[0].alarm_in_words
        return alarm if len(found) == 1 else say("answer.all-silent", count=len(found), why=alarm)
    head = _order_in_words(telling) if len(telling) > 1 else ""
    rates = _rates_in_words(telling)
    aside = say("answer.silent", names=in_sentence(silent, _MOST_FIRST)) if silent else ""
    told = f"{say('answer.both', order=head, rates=rates) if head else rates}{aside}."
    return f"{told[0].upper()}{told[1:]}"


def _order_in_words(telling: Sequence[Conclusion]) -> str:
    """Which safeguard protects best, and whether that is settled."""
    ranks = [one.rank for one in telling if one.rank is not None]
    facts: dict[str, object] = {"count": len(telling)}
    if len(ranks) < len(telling):
        return say("answer.order-unknown", **facts)
    if ranks[0].low is None:
        can_be = all(rank.can_be_tested for rank in ranks)
        return say("answer.order-untested" if can_be else "answer.order-untestable", **facts)
    facts["speakers"] = ranks[0].speakers
    first = _perhaps_best(telling)
    if len(first) > _MOST_FIRST or len(first) == len(telling):
        return say("answer.order-open", **facts)
    facts["name"] = alternatives([_name(one) for one in first])
    if len(first) > 1:
        return say("answer.order-among", **facts)
    rates = [one.naming.rate.probability for one in telling if one.naming]
    is_named_least = first[0].naming is None or first[0].naming.rate.probability <= min(rates)
    return say("answer.order-settled" if is_named_least else "answer.order-settled-on-average", **facts)


def _perhaps_best(telling: Sequence[Conclusion]) -> list[Conclusion]:
    """Those whose rank may be the first by what was tested, the likeliest first."""
    first = [(one.rank.place, n, one) for n, one in enumerate(telling) if one.rank and one.rank.low == 1]
    return [one for _, _, one in sorted(first, key=lambda each: each[:2])]


def order_is(found: Sequence[Conclusion]) -> str:
    """How far ranks are settled by tests: "settled", also of one safeguard alone; "partly"; or "open"."""
    settled = [
        one.rank is not None and one.rank.low is not None and one.rank.low == one.rank.high for one in found
    ]
    if len(found) == 1 or all(settled):
        return "settled"
    return "partly" if any(settled) else "open"


def _rates_in_words(telling: Sequence[Conclusion]) -> str:
    """How often the right one is named under the best safeguard and most often, with who is every time.

    The best is what a test says, else what is named least often.
    """
    named = sorted((one for one in telling if one.naming), key=_rate_of)
    if not named:
        learnt = sorted(telling, key=lambda one: Population.of(one.strongest).by_reading_bits)
        least, most = (
            (_name(one), share_of_one(Population.of(one.strongest).by_reading_bits))
            for one in (learnt[0], learnt[-1])
        )
        if len(learnt) == 1:
            return say("answer.learnt", name=least[0], share=least[1])
        return say("answer.learnt-two", name=least[0], share=least[1], other=most[0], other_share=most[1])
    settled = (
        [one for one in _perhaps_best(telling) if one.naming] if len(_perhaps_best(telling)) == 1 else []
    )
    best, worst = (settled or named)[0], named[-1]
    best = named[0] if best is worst else best
    assert best.naming is not None  # noqa: S101 - for the type checker: those that are not known are left out
    rate = best.naming.rate
    facts: dict[str, object] = {"people": rate.people, "guessing": of_hundred(rate.chance)}
    if best is not worst:
        facts |= {"name": _name_with_aside(best), "share": _share_of(best, rate.people)}
        facts |= {"other": _name_with_aside(worst), "other_share": _share_of(worst, rate.people)}
        return say("answer.named-two", **facts)
    facts |= {"name": _name(best), "rate": str(rate_cell(best.naming))}
    if (before := best.naming_before) is None:
        return say("answer.named-alone", **facts)
    return say("answer.named-one", **facts, before=of_hundred(before.rate.probability))


def _rate_of(one: Conclusion) -> float:
    return one.naming.rate.probability if one.naming else math.inf


def is_measured(found: Sequence[Conclusion]) -> bool:
    """Whether it is known of any safeguard how often people are named."""
    return any(one.naming is not None for one in found)


def _share_of(one: Conclusion, people: int) -> str:
    """How often the right one is named, and among how many if among others."""
    assert one.naming is not None  # noqa: S101 - for the type checker
    share = of_hundred(one.naming.rate.probability)
    if one.naming.rate.people == people:
        return share
    return say("answer.share-among", share=share, people=one.naming.rate.people)


def _name_with_aside(one: Conclusion) -> str:
    """The name of a safeguard, and how many people its strongest attack names every time, if several."""
    most = one.naming.rate.most(1) if one.naming else None
    if most is None or most.probability < 1.0 or most.tied < 2:
        return _name(one)
    return say("answer.name-every-time", name=_name(one), tied=most.tied, all=len(most.each))


def _name(one: Conclusion) -> str:
    return shortened(visible(one.safeguard, sys.maxsize), _LONGEST_NAME)


@dataclass(frozen=True)
class FactCell:
    """A cell of the box; what is `beside` it stands below it, as its interval does."""

    text: str
    beside: str = ""

    def __str__(self) -> str:
        return with_aside(self.text, self.beside) if self.beside else self.text


_EMPTY = FactCell("")


@dataclass(frozen=True)
class FactBox:
    """The facts beside the picture: of guessing, of each safeguard, and of speech without protection.

    `rows` have a label and a cell for each of the `columns` after the first. Of more than `MOST_COLUMNS`
    safeguards each has a row, and what is told is in columns.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[FactCell, ...]], ...]

    @classmethod
    def of(cls, found: Sequence[Conclusion]) -> FactBox:
        """The facts of these answers; an empty box of none."""
        if not found:
            return cls((), ())
        numbers = {rate.rate.people for one in found for rate in (one.naming, one.naming_before) if rate}
        people = numbers.pop() if len(numbers) == 1 else None
        facts = [
            (say("answer.fact-guessing"), _of_guessing(found, people)),
            *((_name(one), _of_safeguard(one, people)) for one in found),
            _of_unprotected(found, people),
        ]
        labels = tuple(dict.fromkeys(label for _, told in facts for label in told))
        if len(found) > MOST_COLUMNS:
            by_name = [(name, tuple(told.get(label, _EMPTY) for label in labels)) for name, told in facts]
            return cls((say("answer.fact-safeguard"), *labels), tuple(by_name))
        rows = [(label, tuple(told.get(label, _EMPTY) for _, told in facts)) for label in labels]
        return cls((say("answer.fact-what"), *(name for name, _ in facts)), tuple(rows))

    def __str__(self) -> str:
        """A line for each row, with what stands above its cells."""
        heads = self.columns[1:]
        return "\n".join(
            named(
                label,
                clauses(named(head, str(cell)) for head, cell in zip(heads, cells, strict=True) if cell.text),
            )
            for label, cells in self.rows
        )


def _facts(
    named: FactCell, exposed: FactCell, single: FactCell, tag: FactCell, people: int | None
) -> dict[str, FactCell]:
    """What is told of a column, by what it is."""
    label = say("answer.fact-named", people=people) if people else say("answer.fact-named-among")
    return {
        label: named,
        say("answer.fact-exposed"): exposed,
        say("answer.fact-single"): single,
        say("answer.fact-tag"): tag,
    }


def _of_guessing(found: Sequence[Conclusion], people: int | None) -> dict[str, FactCell]:
    chance = {of_hundred(one.naming.rate.chance) for one in found if one.naming}
    named = FactCell(chance.pop()) if len(chance) == 1 else _EMPTY
    nothing = FactCell(say("answer.fact-share", share=share_of_one(0.0)))
    return _facts(named, nothing, FactCell(say("tag.even")), _EMPTY, people)


def _of_safeguard(one: Conclusion, people: int | None) -> dict[str, FactCell]:
    if one.alarm_in_words:
        return _facts(FactCell(say("answer.fact-nothing")), *3 * (_EMPTY,), people) | _verdicts(one)
    exposed = _exposed(one.most_exposed[1] if one.most_exposed else None)
    entry = one.most_telling
    return _facts(_named(one.naming, people), exposed, _single(entry), _tag(entry), people) | _verdicts(one)


def _of_unprotected(found: Sequence[Conclusion], people: int | None) -> tuple[str, dict[str, FactCell]]:
    """Of what the first safeguard that has it is measured against; with its dataset where there are more."""
    measured = {one.unprotected.id: (one, one.unprotected) for one in found if one.unprotected is not None}
    if not measured:
        return say("answer.fact-unprotected"), _facts(*3 * (_missing(),), _EMPTY, people)
    one, entry = next(iter(measured.values()))
    several = "-in" if len(measured) > 1 else ""
    disclosures = one.people.disclosures
    exposed = MostExposed.of([disclosures[each.id] for each in entry.readings if each.id in disclosures])
    head = say(f"answer.fact-unprotected{several}", dataset=entry.own_dataset)
    cells = _named(one.naming_before, people), _exposed(exposed), _single(entry), _tag(entry)
    return head, _facts(*cells, people)


def _missing() -> FactCell:
    return FactCell(say("answer.fact-not-measured"))


def _named(found: LeadingNaming | None, people: int | None) -> FactCell:
    if found is None:
        return _missing()
    cell = rate_cell(found)
    if people:
        return cell
    return FactCell(say("answer.share-among", share=cell.text, people=found.rate.people), cell.beside)


def rate_cell(found: LeadingNaming) -> FactCell:
    """How often the right one is named in 100 attempts, and its interval or that there is none."""
    rate = of_hundred(found.rate.probability)
    if (ends := found.interval) is None:
        return FactCell(rate, say("answer.fact-unsure"))
    return FactCell(rate, say("answer.fact-between", low=of_hundred(ends.low), high=of_hundred(ends.high)))


def _exposed(found: MostExposed | None) -> FactCell:
    if found is None:
        return _missing()
    if not found.has_interval:
        share = say("answer.fact-share", share=share_of_one(found.row.estimate_bits))
        return FactCell(share, say("answer.fact-unsure"))
    low, high = share_of_one(found.low_bits), share_of_one(found.high_bits)
    return FactCell(say("answer.fact-share", share=say("answer.fact-between", low=low, high=high)))


def _single(entry: Entry) -> FactCell:
    """How strong the most telling comparison is, and what other speakers bear out of it."""
    found = entry.assessment
    if found.all_scores_equal or found.reading is EvidenceReading.UNORDERED:
        return _missing()
    odds = odds_to_one(abs(Individual.of(entry).log10_lr))
    others = odds_to_one(abs(found.cross_fitted.worst_case_log10_lr))
    return FactCell(say("answer.fact-odds", odds=odds), say("answer.fact-others", odds=others))


def _tag(entry: Entry) -> FactCell:
    """The tag with what it means in odds."""
    scale, letter = entry.assessment.settings.tag_scale, entry.assessment.reading_tag
    return FactCell(tag_in_words(entry), scale.odds_of(letter))


def _verdicts(one: Conclusion) -> dict[str, FactCell]:
    """What came of each requirement on this safeguard, with its bound, by what it demands."""
    return {
        shortened(
            visible_sentence(say("answer.fact-required", name=asked.name, demand=asked.in_words)),
            _LONGEST_DEMAND,
        ): FactCell(each.in_words, each.bound_in_words)
        for each in one.verdicts
        if (asked := each.requirement)
    }


@dataclass(frozen=True, eq=False)
class ProjectAnswer:
    """The answer for a project: a conclusion about each safeguard, and of all in a sentence and a box.

    `left_out` says what it is without; empty where everything is ticked. `cells` have what each attack alone
    learns on "average", how often somebody is "named" by it and what is "exposed" most, by its id.
    """

    conclusions: tuple[Conclusion, ...] = ()
    sentence: str = ""
    left_out: str = ""
    box: FactBox = FactBox((), ())
    cells: Mapping[str, Mapping[str, AnsweredCell]] = field(default_factory=dict)

    @classmethod
    def of(cls, found: tuple[Conclusion, ...], project: Project) -> ProjectAnswer:
        """All of it worked out, so that whoever shows it computes nothing."""
        for one in found:
            _ = one.sentences
        sentence, left_out = in_one_sentence(found, project), left_out_in_words(project)
        return cls(found, sentence, left_out, FactBox.of(found), _answered_cells(found))

    def __str__(self) -> str:
        """All of it, in paragraphs."""
        return "\n\n".join(
            filter(None, (self.sentence, self.left_out, str(self.box), as_text(self.conclusions)))
        )


_DOUBTFUL = {
    *("stand-in-lowest", "stand-in-highest", "stand-in-between", "matrix-one-sided", "sum-below"),
    *("points-lost", "points-lost-in-some", "points-between-thousands", "leading-zeros"),
    *("ids-as-decimals", "scores-sorted-alone", "labels-sorted-alone"),
}
"""Remarks on files by which scores may be none, or those of other trials."""
_MOST_DOUBTS = 3  # all of them stand beside the figures


def on_the_whole(project: Project) -> tuple[str, ...]:
    """What must be told above all answers: that there is none about what was asked; what scores may not be.

    They may be those of others, or none at all.
    """
    repeated = [visible_sentence(str(one.remark)) for one in repeated_scores(project.entries)]
    remarks = (one for entry in project.entries for one in entry.assessment.remarks)
    doubtful = dict.fromkeys(visible_sentence(str(one)) for one in remarks if one.code in _DOUBTFUL)
    repeated += [*doubtful][:_MOST_DOUBTS]
    protected = {entry.own_name for entry in project.entries if entry.condition is not Condition.OO}
    asked = project.report.safeguard
    if asked and protected and asked not in protected:
        repeated.insert(
            0, say("conclusion.not-there", name=visible_name(asked), names=listed(sorted(protected)))
        )
    return (*repeated, *own_settings(project))


def own_settings(project: Project) -> tuple[str, ...]:
    """What the project decides of its figures itself, where others would read something else in them."""
    told = list[str]()
    entries = [one for one in project.entries if one.condition is not Condition.OO] or project.entries
    if project.tag_scale.is_own and entries:
        worst = max(abs(Individual.of(one).log10_lr) for entry in entries for one in entry.readings)
        all_equal = all(one.assessment.all_scores_equal for one in entries)
        standard = PAPER_SCALE.tag_of_scores(worst, are_equal=all_equal).letter
        told.append(say("conclusion.own-scale", standard=standard))
    if project.verbal_scale is not None and project.verbal_scale.is_own:
        told.append(say("conclusion.own-words", name=project.verbal_scale.name))
    lower = [
        one for one in project.entries if one.audit and Decision.LOWER_IS_MORE_ALIKE in one.audit.decisions
    ]
    if lower:
        most = max((one.assessment.reversed for one in lower), key=lambda one: one.d_ece_bits)
        names = in_sentence([visible_name(one.name, _LONGEST_NAME) for one in lower], _MOST_FIRST)
        tag = project.tag_scale.shown(most.tag)
        told.append(say("conclusion.lower-first", names=names, bits=disclosure(most.d_ece_bits), tag=tag))
    levels = {one.trust.uncertainty.settings.level for one in project.entries if one.trust}
    levels.discard(BootstrapSettings.level)
    if levels:
        told.append(say("conclusion.own-level", level=written(100.0 * min(levels), "g")))
    return tuple(told)


def _answered_cells(found: Sequence[Conclusion]) -> dict[str, dict[str, AnsweredCell]]:
    """In the words of the box, whose ends hold for all attacks at once and may lie further apart."""
    cells: dict[str, dict[str, AnsweredCell]] = {"average": {}, "named": {}, "exposed": {}}
    if not found:
        return cells
    people, numbers = found[0].people, {rate.people for rate in found[0].people.naming.values()}
    for entry in found[0].entries:
        cells["average"][entry.id] = _average(entry)
        read = [one for one in entry.readings if one.assessment.reading is EvidenceReading.GIVEN]
        if says_nothing(entry) or not read:
            continue
        naming = LeadingNaming.of([(one, people.naming[one.id]) for one in read if one.id in people.naming])
        if naming is not None:
            cell = _named(naming, min(numbers) if len(numbers) == 1 else None)
            told = cell.text if naming.interval is None else str(cell)
            cells["named"][entry.id] = naming.rate.probability, told
        known = [people.disclosures[one.id] for one in read if one.id in people.disclosures]
        if (exposed := MostExposed.of(known)) is not None:
            cells["exposed"][entry.id] = exposed.row.estimate_bits, _exposed(exposed).text
    return cells


def _average(entry: Entry) -> AnsweredCell:
    """What is learnt on average, of what one comparison can tell, with its interval where it is of that."""
    found = Population.of(entry)
    share = say("answer.fact-share", share=share_of_one(found.by_reading_bits))
    if (ends := found.interval) is None or found.by_reading_bits != found.bits:
        return found.by_reading_bits, share
    between = say("answer.fact-between", low=share_of_one(ends.low), high=share_of_one(ends.high))
    return found.by_reading_bits, str(FactCell(share, between))


def left_out_in_words(project: Project) -> str:
    """What the answer is without, because it is not ticked; and what is required and not met there.

    Datasets with how many speakers they have, safeguards, and what is left of these by itself.
    """
    gone = {item.id: item for item in project.items if not item.is_ticked}
    if not gone:
        return ""
    judged = [own for each in verdicts(project) if (own := each.among(gone))]
    told = [
        named(
            visible_name(each.requirement.name, _LONGEST_NAME), with_aside(each.in_words, each.bound_in_words)
        )
        for each in worst_first(judged)
        if each.outcome is not VerdictOutcome.MET
    ]
    names, left = [], project.items
    for whole in ("own_dataset", "own_name"):
        for name in dict.fromkeys(getattr(item, whole) for item in left):
            alike = [item for item in left if getattr(item, whole) == name]
            if name and all(item.id in gone for item in alike):
                names.append(with_aside(visible_name(name, _LONGEST_NAME), _speakers(alike, whole)))
                left = tuple(item for item in left if item not in alike)
    distinct = zip(project.items, distinct_names(project.items), strict=True)
    names += [
        visible_name(name, _LONGEST_HEAD) for item, name in distinct if item in left and item.id in gone
    ]
    facts = {"names": in_sentence(names, _MOST_LEFT_OUT)}
    if not told:
        return say("answer.left-out", **facts)
    return say("answer.left-out-judged", **facts, verdicts=clauses(told))


def _speakers(items: Sequence[Item], whole: str) -> str:
    """How many speakers a dataset has, as far as it is known."""
    counts = [entry.n_speakers for item in items for entry in item.entries if entry.n_speakers is not None]
    return say("similarity.speakers", count=max(counts)) if counts and whole == "own_dataset" else ""


def missing_in_all(found: Sequence[Conclusion]) -> tuple[str, ...]:
    """What all of these answers lack, each once: to be told below them."""
    lacking = [one.missing for one in found]
    return tuple(each for each in dict.fromkeys(sum(lacking, ())) if all(each in one for one in lacking))


def in_a_line(one: Conclusion) -> str:
    """The name, the tag and the first sentence of an answer."""
    return named(_head(one), next(iter(one.sentences), ""))


def _head(one: Conclusion) -> str:
    name, tag = shortened(visible(one.safeguard, sys.maxsize), _LONGEST_HEAD), one.tag_in_words
    return f"{name} [{tag}]" if tag else name


def as_text(found: Sequence[Conclusion]) -> str:
    """The answers as lines, a paragraph for each safeguard, and below them what all of them lack."""
    in_all = missing_in_all(found)
    parts = []
    for one in found:
        lacks = [each for each in one.missing if each not in in_all]
        parts.append("\n".join([_head(one), one.attack_in_words, *one.sentences, *lacks]))
    below = "\n".join([*in_all, say("conclusion.limits")]) if found else ""
    return "\n\n".join(filter(None, [*parts, below]))
