"""The answer: on the first page in a sentence, a picture and a box of facts, with the findings in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zebra_core.figures.answer import answer_figure
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.checks.checklist import design_line
from zebra_core.project.checks.outcome import CheckOutcome
from zebra_core.project.conclusion.conclusion import Conclusion
from zebra_core.project.conclusion.overall import (
    FactBox,
    in_one_sentence,
    is_measured,
    left_out_in_words,
    missing_in_all,
    on_the_whole,
)
from zebra_core.project.group_differences import GroupDifferences
from zebra_core.project.report_settings import Section
from zebra_core.project.requirements.requirement import FIRST_CONFIDENCE
from zebra_core.project.satellites import provenance
from zebra_core.report.content.attackers import strongest_first
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.opening import pictures, scale_badges
from zebra_core.report.content.since import on_first_page
from zebra_core.report.content.values import shown
from zebra_core.report.content.verdicts import on_front
from zebra_core.report.document import (
    Block,
    Cell,
    FindingLine,
    Heading,
    Paragraph,
    ReportPicture,
    Run,
    TableBlock,
    TableColumn,
    TagLegend,
    paragraph,
)
from zebra_core.report.pairs import group_of
from zebra_core.report.prose import prose
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, Difference
from zebra_core.wording.names import begun, in_sentence, named, shortened
from zebra_core.wording.numbers import disclosure
from zebra_core.wording.texts import say, written

LONGEST_QUESTION, LONGEST_NAME, LONGEST_FRONT = 320, 60, 110
MOST_VERDICTS = 3
MOST_ANSWERS = 4
"""Of more safeguards only these are told in sentences; the box has all."""
MOST_IN_BOX = 12
"""Of more safeguards the box stands with the findings."""
_MOST_GROUPS, _MOST_MISSING, _MOST_NAMES = 3, 2, 3


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


def answer(frame: Frame, *, is_whole: bool = True) -> tuple[Block, ...]:
    """The first page: the question, the answer in a sentence, what is wrong, a picture and a box of facts."""
    found = frame.material.conclusions
    sentence = Run(shown(in_one_sentence(found, frame.material.project)), bold=True)
    blocks: list[Block] = [_question(frame), Paragraph((sentence,)), *_alarms(frame, is_whole=is_whole)]
    if left_out := left_out_in_words(frame.material.project):
        blocks.append(paragraph(shown(left_out)))
    blocks += on_first_page(frame)
    if found:
        blocks += [
            _picture(frame, found),
            *(_box(found) if len(found) <= MOST_IN_BOX else ()),
        ]
        blocks += on_front(frame, found)
        blocks += [paragraph(" ".join([*missing_in_all(found)[:_MOST_MISSING], say("answer.limits")]))]
    elif frame.entries:
        blocks += pictures(frame)[:1]
    return tuple(blocks)


def in_full(frame: Frame) -> tuple[Block, ...]:
    """Why: the answer for each safeguard in sentences, which discloses least, and both headline pictures."""
    found = frame.material.conclusions
    if not found:
        return pictures(frame)[1:] if frame.entries else ()
    told = found[:MOST_ANSWERS]
    in_all = missing_in_all(told)
    blocks: list[Block] = [_card(frame, one, in_all) for one in told]
    if len(found) > MOST_IN_BOX:
        blocks += _box(found)
    blocks += [paragraph(text, quiet=True) for text in (*in_all, _beside(frame)) if text]
    blocks += [paragraph(text) for text in (say("conclusion.limits"), *least_disclosing(frame, _MOST_GROUPS))]
    scale, ladder = pictures(frame)
    return (*blocks, *([scale] if is_measured(found) else []), ladder)


def _picture(frame: Frame, found: Sequence[Conclusion]) -> ReportPicture:
    """How often the right person is named; what is disclosed on average where nobody knows that."""
    if not is_measured(found):
        return pictures(frame)[0]
    figure = answer_figure(found)
    caption = say("answer.caption", title=figure.title, level=_level(found))
    return ReportPicture("answer", replace(figure, title=""), caption, "answer")


def _level(found: Sequence[Conclusion]) -> str:
    """At which confidence the ends of rates hold, in per cent."""
    level = next((one.naming.rate.level for one in found if one.naming), FIRST_CONFIDENCE)
    return written(100.0 * level, "g")


def _alarms(frame: Frame, *, is_whole: bool) -> list[Paragraph]:
    """What keeps the figures from being what they seem, a line each, with the section that explains it."""
    lines: list[tuple[str, Section | None]] = [(text, None) for text in on_the_whole(frame.project)]
    if frame.material.records:
        lines += [(text, Section.METHOD) for text in provenance().alarms(frame)]
    lines += [(text, Section.LIMITATIONS) for text in _decided_already(frame)]
    if not all(item.is_as_read for item in frame.project.items):
        lines.append((say("answer.counts-unchecked"), None))
    found, by_alarm = frame.material.conclusions, dict[str, list[str]]()
    for one in found:
        if one.alarm_in_words and not one.is_of_originals:  # else it is among the lines
            by_alarm.setdefault(one.alarm_in_words, []).append(shortened(shown(one.safeguard), LONGEST_NAME))
    if len(by_alarm) > 1 or len(found) > sum(map(len, by_alarm.values())):  # else the sentence says it
        told = (named(in_sentence(names, _MOST_NAMES), alarm) for alarm, names in by_alarm.items())
        lines += [(text, Section.FINDINGS) for text in told]
    return [_alarm(frame, text, where, is_whole=is_whole) for text, where in lines]


def _alarm(frame: Frame, text: str, where: Section | None, *, is_whole: bool) -> Paragraph:
    """A line with the section that explains it, where the report has that."""
    runs = [Run(shown(text), bold=True)]
    if is_whole and where in frame.settings.sections:
        runs.append(Run(f" {say('answer.explained-in', where=where.heading)}"))
    return Paragraph(tuple(runs))


def _box(found: Sequence[Conclusion]) -> list[Block]:
    """The facts as a table."""
    box = FactBox.of(found)
    columns = tuple(TableColumn(shown(head), True, 1.0 if k else 1.6) for k, head in enumerate(box.columns))
    rows = tuple(
        (Cell(shown(label)), *(Cell(shown(one.text), shown(one.beside)) for one in cells))
        for label, cells in box.rows
    )
    return [TableBlock(columns, rows, say("answer.box-caption", level=_level(found)))]


def _card(frame: Frame, one: Conclusion, in_all: Sequence[str]) -> FindingLine:
    """The answer for one safeguard: people in the first sentences, figures in quiet ones below."""
    first = " ".join(filter(None, (one.alarm_in_words, one.naming_in_words, one.person_in_words)))
    figures = (one.average_in_words, one.single_in_words, str(one.rank or ""))
    verdicts = list(one.verdicts_in_words[:MOST_VERDICTS])
    if (rest := len(one.verdicts) - MOST_VERDICTS) > 0:
        verdicts.append(say("conclusion.more-verdicts", count=rest))
    lacks = " ".join(each for each in one.missing if each not in in_all)
    more = (" ".join(filter(None, figures)), *verdicts, lacks)
    badge = frame.result(one.most_telling).badge
    return FindingLine(
        replace(badge, tag="–") if one.is_of_originals else badge,
        shortened(shown(one.safeguard), LONGEST_NAME),
        shown(one.attack_in_words),
        shown(first) or say("conclusion.no-naming"),
        tuple(map(shown, filter(None, more))),
    )


def summary(frame: Frame) -> tuple[Block, ...]:
    """The first page, and what the figures mean: what a summary says."""
    return (
        *answer(frame, is_whole=False),
        Heading(say("report.meaning")),
        paragraph(say("report.meaning-population", full=disclosure(FULL_DISCLOSURE_BITS))),
        paragraph(say("report.meaning-worst-case")),
        paragraph(say("report.meaning-limits")),
        TagLegend(scale_badges(frame.project.tag_scale)),
        paragraph(say("answer.recompute"), quiet=True),
    )


def _decided_already(frame: Frame) -> tuple[str, ...]:
    """That something beside any voice tells targets from nontargets; what it is stands further below.

    Nothing where nothing does, or nobody knows.
    """
    line = design_line(frame.project, frame.material.designs)
    if line.outcome is not CheckOutcome.FAILED:
        return ()
    told = {entry_id for case in line.deciding for entry_id in case.entry_ids}
    return (say("answer.decided-already", count=len(told)),)


def _question(frame: Frame) -> Paragraph:
    """What was asked, as much of it as there is room for; the section of the question has all of it."""
    blocks = prose(frame.settings.question)
    text = " ".join(block.text for block in blocks if isinstance(block, Paragraph)) or say("opening.question")
    return Paragraph((Run(f"{say('answer.question')} ", bold=True), Run(begun(text, LONGEST_QUESTION))))


def _beside(frame: Frame) -> str:
    """What a dashed frame means, where a tag has one."""
    tagged = [one.most_telling for one in frame.material.conclusions]
    is_open = any(entry.trust and entry.trust.tag_may_be_chance for entry in tagged)
    return say("answer.may-be-chance") if is_open else ""
