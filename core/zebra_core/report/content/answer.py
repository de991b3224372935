"""The answer, which stands on the first page: what was asked, what was found, and both as pictures."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.metrics.assessment import EvidenceReading
from zebra_core.metrics.reading import reading_in_words
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.headline import Individual, Population
from zebra_core.project.items import Attacker, Condition, Entry
from zebra_core.report.content.attackers import strongest_first
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.opening import answered, pictures, pictures_come_first, scale_badges
from zebra_core.report.content.values import shown
from zebra_core.report.content.verdicts import on_front
from zebra_core.report.document import (
    Badge,
    Block,
    FindingLine,
    Heading,
    Paragraph,
    Run,
    TagLegend,
    paragraph,
)
from zebra_core.report.pairs import group_of
from zebra_core.report.prose import prose
from zebra_core.speakers.disclosure import SpeakerDisclosures
from zebra_core.uncertainty.ceiling import ceiling_of
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, Difference
from zebra_core.wording.names import begun, in_sentence, shortened
from zebra_core.wording.numbers import disclosure, log10_lr
from zebra_core.wording.texts import say

LONGEST_QUESTION, LONGEST_NAME, LONGEST_FRONT = 320, 60, 110
_MOST_GROUPS = 3


def least_disclosing(frame: Frame, most: int) -> list[str]:
    """A sentence for each group that was compared, the strongest attacker first; for at most so many.

    The last say how many others there are, and for how many there are too few speakers.
    """
    compared = [one for one in _in_order(frame) if one.ranks_among(list(one.assessments))]
    tested = [one for one in compared if _difference(one).is_tested]
    untested = [one for one in compared if not _difference(one).is_tested]
    sentences = [_sentence(frame, one) for one in tested[:most]]
    if len(tested) > most:
        sentences.append(say("answer.more-groups", count=len(tested) - most))
    if len(untested) == 1:
        sentences.append(_untested(frame, untested[0]))
    elif untested:
        sentences.append(say("answer.groups-untested", count=len(untested), fewest=FEWEST_SPEAKERS))
    return sentences


def _in_order(frame: Frame) -> list[GroupDifferences]:
    first = {frame.project.entry(next(iter(one.assessments))).id: one for one in frame.project.settled}
    return [first[entry.id] for entry in strongest_first([frame.project.entry(each) for each in first])]


def _difference(one: GroupDifferences) -> Difference:
    return one.compared[0].ranking.differences[0]


def _sentence(frame: Frame, one: GroupDifferences) -> str:
    ranks = one.ranks_among(list(one.assessments))
    first = [entry_id for entry_id, (best, _) in ranks.items() if best == 1]
    code = "settled" if len(first) == 1 else "open"
    group = shown(str(group_of(frame.project, one)))
    return say(f"answer.least-{code}", group=group, names=_names(frame, first), count=len(ranks))


def _untested(frame: Frame, one: GroupDifferences) -> str:
    return say(
        "answer.least-untested",
        group=shown(str(group_of(frame.project, one))),
        names=_names(frame, list(one.assessments)),
        count=_difference(one).n_clusters,
        fewest=FEWEST_SPEAKERS,
    )


def _names(frame: Frame, ids: Sequence[str]) -> str:
    entries = [frame.project.entry(entry_id) for entry_id in ids]
    return in_sentence([shown(entry.name_and_run) for entry in entries])


def answer(frame: Frame, *, is_whole: bool = False) -> tuple[Block, ...]:
    """Question, findings and, where there is room for them or `is_whole`, both pictures."""
    entries = answered(frame)
    blocks: list[Block] = [_question(frame), *(_finding(frame, entry) for entry in entries)]
    blocks += [paragraph(text) for text in _person(frame, entries)]
    blocks += [paragraph(text, quiet=True) for text in _beside(frame, entries)]
    blocks += on_front(frame)
    blocks += [paragraph(text) for text in least_disclosing(frame, _MOST_GROUPS)]
    return (*blocks, *pictures(frame)) if is_whole or pictures_come_first(frame) else tuple(blocks)


def summary(frame: Frame) -> tuple[Block, ...]:
    """The answer with its pictures, and what the figures mean: what a summary says."""
    return (
        *answer(frame, is_whole=True),
        Heading(say("report.meaning")),
        paragraph(say("report.meaning-population", full=disclosure(FULL_DISCLOSURE_BITS))),
        paragraph(say("report.meaning-worst-case")),
        paragraph(say("report.meaning-limits")),
        TagLegend(scale_badges(frame.project.tag_scale)),
        paragraph(say("answer.recompute"), quiet=True),
    )


def _question(frame: Frame) -> Paragraph:
    """What was asked, as much of it as there is room for; the section of the question has all of it."""
    blocks = prose(frame.settings.question)
    text = " ".join(block.text for block in blocks if isinstance(block, Paragraph)) or say("opening.question")
    return Paragraph((Run(f"{say('answer.question')} ", bold=True), Run(begun(text, LONGEST_QUESTION))))


def _finding(frame: Frame, entry: Entry) -> FindingLine:
    result = frame.result(entry)
    badge = Badge(result.tag, result.colour, may_be_chance=result.may_be_chance)
    name, condition = shortened(result.name, LONGEST_NAME), shortened(result.condition, LONGEST_NAME)
    return FindingLine(badge, name, condition, brief(entry))


def brief(entry: Entry) -> str:
    """What was found of an assessment in a sentence or two, by the reading that discloses most."""
    found = entry.assessment
    if found.all_scores_equal:
        return say("answer.nothing", ceiling=log10_lr(found.worst_case_ceiling_log10_lr))
    if reading := reading_in_words(found):
        return reading
    population, individual = Population.of(entry), Individual.of(entry)
    direction = "for-one" if individual.log10_lr >= 0.0 else "for-two"
    sentence = say(
        "answer.finding",
        bits=population.in_words,
        share=population.share_in_words,
        worst_case=individual.signed_in_words,
        direction=say(f"headline.{direction}"),
        ceiling=log10_lr(individual.ceiling_log10_lr),
    )
    ceiling = ceiling_of(found)
    return f"{sentence} {ceiling.badge()}." if ceiling.is_reached else sentence


def _person(frame: Frame, entries: Sequence[Entry]) -> list[str]:
    """Who is most exposed of all people under protection, and who is linked most there.

    Nothing where the scores disclose more when they are read otherwise: people are judged as these are given.
    """
    known = [entry for entry in entries if entry.id in frame.material.speakers]
    known = [entry for entry in known if entry.assessment.reading is EvidenceReading.GIVEN]
    protected = [entry for entry in known if entry.condition is not Condition.OO] or known
    if not protected:
        return []
    entry = max(protected, key=lambda one: _exposed(frame, one).most_exposed.estimate_bits)
    linked = frame.material.people.get(entry.id)
    told = [_exposed(frame, entry).highest, *([str(linked.most_linked())] if linked else [])]
    return [say("answer.person", name=frame.row_name(entry), told=" ".join(told))]


def _exposed(frame: Frame, entry: Entry) -> SpeakerDisclosures:
    return frame.material.speakers[entry.id].disclosures


def _beside(frame: Frame, entries: Sequence[Entry]) -> list[str]:
    """What must be known beside these findings, each once."""
    blocks = []
    if len(entries) < len(frame.entries):
        blocks.append(say("answer.many", count=len(frame.entries), most=len(entries)))
    if any(_knows_nothing(entry) for entry in entries):
        blocks.append(say("answer.most-favourable"))
    if any(entry.trust and entry.trust.tag_may_be_chance for entry in entries):
        blocks.append(say("answer.may-be-chance"))
    if not all(item.is_as_read for item in frame.project.items):
        blocks.append(say("answer.counts-unchecked"))
    if not any(entry.trust for entry in entries):
        blocks.append(say("answer.no-intervals"))
    return [" ".join(blocks)] if blocks else []


def _knows_nothing(entry: Entry) -> bool:
    return entry.condition is not Condition.OO and entry.attacker == Attacker.IGNORANT.value
