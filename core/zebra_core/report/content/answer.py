"""The answer, which stands on the first page: what was asked, what was found, and both as pictures."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.checks.checklist import design_line
from zebra_core.project.checks.outcome import CheckOutcome
from zebra_core.project.conclusion.conclusion import Conclusion, missing_in_all, on_the_whole
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.headline import Population
from zebra_core.report.content.attackers import strongest_first
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.opening import pictures, scale_badges
from zebra_core.report.content.values import shown
from zebra_core.report.content.verdicts import on_front
from zebra_core.report.document import (
    Block,
    Cell,
    FindingLine,
    Heading,
    Paragraph,
    Run,
    TableBlock,
    TableColumn,
    TagLegend,
    paragraph,
)
from zebra_core.report.pairs import group_of
from zebra_core.report.prose import prose
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, Difference
from zebra_core.wording.names import begun, in_sentence, shortened
from zebra_core.wording.numbers import disclosure, of_hundred
from zebra_core.wording.texts import say

LONGEST_QUESTION, LONGEST_NAME, LONGEST_FRONT = 320, 60, 110
LONGEST_VERDICT, MOST_VERDICTS = 300, 3
MOST_ANSWERS = 4
"""More safeguards have a row in a table."""
MOST_ROWS, _MOST_GROUPS = 3, 3


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
    has_runs = any(frame.project.entry(entry_id).run for entry_id in ranks)
    code = ("settled-of-runs" if has_runs else "settled") if len(first) == 1 else "open"
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


def answer(frame: Frame, most_rows: int = MOST_ROWS) -> tuple[Block, ...]:
    """Question, the answer for each safeguard, what it lacks, and both pictures: two pages at most.

    Beyond the first safeguards so many have a row in a table.
    """
    found = frame.material.conclusions
    told, others = found[:MOST_ANSWERS], found[MOST_ANSWERS:]
    blocks: list[Block] = [_question(frame)]
    blocks += [paragraph(text) for text in (*on_the_whole(frame.project), *_decided_already(frame))]
    in_all = missing_in_all(told)
    blocks += [_card(frame, one, in_all) for one in told]
    blocks += _others(frame, others, most_rows)
    blocks += [paragraph(" ".join(in_all), quiet=True)] if in_all else []
    blocks += [paragraph(say("conclusion.limits"))] if told else []
    blocks += on_front(frame, found)
    blocks += [paragraph(text) for text in least_disclosing(frame, _MOST_GROUPS)]
    if beside := _beside(frame):
        blocks.append(paragraph(beside, quiet=True))
    return (*blocks, *pictures(frame))


def _card(frame: Frame, one: Conclusion, in_all: Sequence[str]) -> FindingLine:
    """The answer for one safeguard: people in the first sentences, figures in quiet ones below."""
    first = " ".join(filter(None, (one.alarm_in_words, one.naming_in_words, one.person_in_words)))
    figures = (one.average_in_words, one.single_in_words, str(one.rank or ""))
    verdicts = [begun(each, LONGEST_VERDICT) for each in one.verdicts_in_words[:MOST_VERDICTS]]
    if (rest := len(one.verdicts) - MOST_VERDICTS) > 0:
        verdicts.append(say("conclusion.more-verdicts", count=rest))
    lacks = " ".join(each for each in one.missing if each not in in_all)
    more = (" ".join(filter(None, figures)), *verdicts, lacks)
    return FindingLine(
        frame.result(one.most_telling).badge,
        shortened(shown(one.safeguard), LONGEST_NAME),
        shown(one.attack_in_words),
        shown(first) or say("conclusion.no-naming"),
        tuple(map(shown, filter(None, more))),
    )


def _others(frame: Frame, found: Sequence[Conclusion], most: int) -> list[Block]:
    """The answers for further safeguards, a row each; of very many the first, and how many more there are."""
    if not found:
        return []
    heads = ("safeguard", "named", "guessing", "before", "average", "rank")
    columns = tuple(
        TableColumn(say(f"conclusion.head-{code}"), code == "safeguard", 1.0 if code == "safeguard" else 0.0)
        for code in heads
    )
    rows, more = tuple(_row(frame, one) for one in found[:most]), len(found) - most
    table = [TableBlock(columns, rows, say("conclusion.others"))] if rows else []
    return [*table, *([paragraph(say("conclusion.more", count=more))] if more > 0 else [])]


def _row(frame: Frame, one: Conclusion) -> tuple[Cell, ...]:
    naming = one.naming.rate if one.naming else None
    before = one.naming_before.rate if one.naming_before else None
    name = shortened(shown(one.safeguard), LONGEST_NAME)
    return (
        Cell(name, "", frame.result(one.most_telling).badge),
        Cell(of_hundred(naming.probability) if naming else ""),
        Cell(of_hundred(naming.chance) if naming else ""),
        Cell(of_hundred(before.probability) if before else ""),
        Cell(Population.of(one.strongest).in_words),
        Cell(str(one.rank.place) if one.rank else ""),
    )


def summary(frame: Frame) -> tuple[Block, ...]:
    """The answer with its pictures, and what the figures mean: what a summary says."""
    return (
        *answer(frame, most_rows=0),
        Heading(say("report.meaning")),
        paragraph(say("report.meaning-population", full=disclosure(FULL_DISCLOSURE_BITS))),
        paragraph(say("report.meaning-worst-case")),
        paragraph(say("report.meaning-limits")),
        TagLegend(scale_badges(frame.project.tag_scale)),
        paragraph(say("answer.recompute"), quiet=True),
    )


def _decided_already(frame: Frame) -> tuple[str, ...]:
    """What tells targets from nontargets without any voice; nothing where nothing does, or nobody knows."""
    line = design_line(frame.project, frame.material.designs)
    if line.outcome is not CheckOutcome.FAILED:
        return ()
    return (shown(" ".join([say("answer.decided-already"), *line.sentences(1)])),)


def _question(frame: Frame) -> Paragraph:
    """What was asked, as much of it as there is room for; the section of the question has all of it."""
    blocks = prose(frame.settings.question)
    text = " ".join(block.text for block in blocks if isinstance(block, Paragraph)) or say("opening.question")
    return Paragraph((Run(f"{say('answer.question')} ", bold=True), Run(begun(text, LONGEST_QUESTION))))


def _beside(frame: Frame) -> str:
    """What must be known beside these answers, each once."""
    said = []
    tagged = [one.most_telling for one in frame.material.conclusions]
    if any(entry.trust and entry.trust.tag_may_be_chance for entry in tagged):
        said.append(say("answer.may-be-chance"))
    if not all(item.is_as_read for item in frame.project.items):
        said.append(say("answer.counts-unchecked"))
    return " ".join(said)
