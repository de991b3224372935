"""The first sections: what was asked, and what was found, on one page."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from zebra_core.figures.answer import answer_figure
from zebra_core.figures.figure import Figure, tag_colour
from zebra_core.figures.headline import ladder_figure, scale_figure
from zebra_core.metrics.scales import TagScale
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
from zebra_core.project.items import Entry
from zebra_core.project.report_settings import CONTEXT, Access, ReportSettings, Section
from zebra_core.project.requirements.requirement import FIRST_CONFIDENCE, Requirement
from zebra_core.project.satellites import provenance
from zebra_core.project.verdicts.verdict import Verdict, VerdictOutcome, if_awaited, worst_first
from zebra_core.report.content.attackers import strongest_first, strongest_of_groups
from zebra_core.report.content.comparing import on_first_page
from zebra_core.report.content.evidence_base import strongest_attackers
from zebra_core.report.content.values import WORTH_NAMING, Frame, shown, shown_list, standing
from zebra_core.report.document import (
    Badge,
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
    prose,
)
from zebra_core.report.pairs import group_of
from zebra_core.uncertainty.difference import FEWEST_SPEAKERS, Difference
from zebra_core.wording.texts import (
    after_name,
    as_said,
    begun,
    clauses,
    dated,
    disclosure,
    grouped,
    in_sentence,
    named,
    quoted,
    say,
    shortened,
    with_aside,
    written,
)

MOST_FINDINGS = 9
"""More do not fit on a page: the strongest attackers are in words, and all are in the tables."""


def question(frame: Frame) -> tuple[Block, ...]:
    """The question, the propositions that every comparison weighs, and what the user said of them."""
    asked = prose(frame.settings.question) or (paragraph(say("opening.question")),)
    stated = prose(frame.settings.propositions)
    return (
        *asked,
        Heading(say("opening.propositions-head")),
        *(
            stated
            or (paragraph(say("opening.propositions-same")), paragraph(say("opening.propositions-other")))
        ),
        paragraph(say("opening.propositions-own" if stated else "opening.propositions-note"), quiet=True),
        Heading(say("context.head")),
        *_context(frame.settings),
    )


def _context(settings: ReportSettings) -> tuple[Block, ...]:
    """In which context something is released: a row for each field, also for those that are not stated."""
    unstated = settings.unstated
    if len(unstated) == len(CONTEXT):
        return (paragraph(say("context.nothing")),)
    columns = (TableColumn(say("context.what"), True, 0.36), TableColumn(say("context.stated"), True, 0.64))
    rows = tuple(
        (
            Cell(say(f"context.{name}")),
            Cell(say("context.unstated") if name in unstated else _stated(settings, name)),
        )
        for name in CONTEXT
    )
    return TableBlock(columns, rows, say("context.caption")), *_prior(settings)


def _stated(settings: ReportSettings, name: str) -> str:
    """A field of the context in words; the lines of a text one after the other."""
    value = getattr(settings, name)
    if isinstance(value, Access):
        return str(value)
    if isinstance(value, dt.date):
        return dated(value)
    return grouped(value) if isinstance(value, int) else shown(" ".join(value.split()))


def _prior(settings: ReportSettings) -> tuple[Paragraph, ...]:
    """What follows from the number of people in question."""
    if settings.people is None:
        return ()
    return (paragraph(say("context.prior", people=grouped(settings.people)), quiet=True),)


def findings(frame: Frame) -> tuple[Block, ...]:
    """Every assessment in a sentence, or the strongest attackers where they are many; what figures mean."""
    is_few = len(frame.entries) <= MOST_FINDINGS
    entries = (strongest_first if is_few else strongest_of_groups)(frame.entries)[:MOST_FINDINGS]
    blocks: list[Block] = []
    if len(entries) < len(frame.entries):
        blocks.append(paragraph(say("opening.many", count=len(frame.entries), most=len(entries))))
    for entry in entries:
        result = frame.result(entry)
        blocks.append(FindingLine(result.badge, result.name, result.condition, result.finding))
    return (
        *blocks,
        *_standing(frame, entries),
        *requirements(frame),
        *strongest_attackers(frame, in_table=False),
        Heading(say("report.meaning")),
        paragraph(say("report.meaning-population", full=disclosure(FULL_DISCLOSURE_BITS))),
        paragraph(say("report.meaning-worst-case")),
        paragraph(say("report.meaning-limits")),
        paragraph((say("report.scale") + after_name("")).rstrip(), quiet=True),
        TagLegend(scale_badges(frame.project.tag_scale)),
    )


def attackers_in_full(frame: Frame) -> tuple[Block, ...]:
    """The table of the strongest attackers where they are many: the cards have those who find most."""
    return strongest_attackers(frame, in_table=True)


def _standing(frame: Frame, entries: Sequence[Entry]) -> list[Block]:
    """How the lines above are to be read, each sentence once, with the names of those of which it holds."""
    names: dict[str, list[str]] = {}
    if any(entry.assessment.worst_case_log10_lr >= WORTH_NAMING for entry in entries):
        names[say("report.odds-mean")] = [frame.names[entry.id] for entry in entries]
    for entry in entries:
        for sentence in filter(None, standing(entry)):
            names.setdefault(sentence, []).append(frame.names[entry.id])
    return [
        paragraph(said, quiet=True)
        if len(of) == len(entries)
        else Paragraph((Run(shown_list(of, len(of)), bold=True), Run(after_name(said))), quiet=True)
        for said, of in names.items()
    ]


def scale_badges(scale: TagScale) -> tuple[Badge, ...]:
    """What each tag stands for, in the order of the scale."""
    zero, *tags = scale.tags
    badges = [Badge(scale.shown(zero.letter), tag_colour(scale, zero.letter), say("report.scale-zero"))]
    ends = [*(tag.from_log10_lr for tag in tags[1:]), math.inf]
    for tag, high in zip(tags, ends, strict=True):
        low = tag.from_log10_lr
        if low <= 0.0:
            meaning = say("report.scale-below", bound=written(high, "g"))
        elif math.isinf(high):
            meaning = say("report.scale-above", bound=written(low, "g"))
        else:
            meaning = say("report.scale-between", low=written(low, "g"), high=written(high, "g"))
        badges.append(Badge(scale.shown(tag.letter), tag_colour(scale, tag.letter), meaning))
    return tuple(badges)


def scales_in_words(frame: Frame) -> list[Paragraph]:
    """What the tags of a scale of the project's own mean, and the verbal scale shown beside the tags."""
    scale, verbal = frame.project.tag_scale, frame.project.verbal_scale
    sentences = []
    if scale.is_own:
        tags = [f"{quoted(tag.letter)}, {quoted(tag.words)}" for tag in scale.tags if tag.words]
        sentences += [say("report.scale-words", tags=clauses(tags))] if tags else []
    if verbal is not None:
        levels = [
            with_aside(as_said(level.words, "verbal"), written(level.from_log10_lr, ".3g"))
            for level in verbal.levels
        ]
        name = as_said(verbal.name, "verbal")
        sentences.append(say("report.verbal-scale", name=name, levels=clauses(levels)))
    return [paragraph(shown(text)) for text in sentences]


MOST_PICTURED = 6
"""So many safeguards are in both pictures of the answer."""


def pictures(frame: Frame) -> tuple[ReportPicture, ...]:
    """Scale and ladder of what the answer tells of: the strongest attacks, and the most telling ones."""
    found = frame.material.conclusions[:MOST_PICTURED]
    return (
        _picture(frame, "scale", scale_figure, [one.strongest for one in found]),
        _picture(frame, "ladder", ladder_figure, [one.most_telling for one in found]),
    )


def _picture(
    frame: Frame, name: str, figure_of: Callable[[Sequence[Entry]], Figure], attacks: Sequence[Entry]
) -> ReportPicture:
    """A picture of attacks on the safeguards that are told first, and of what these are measured against."""
    found = frame.material.conclusions[:MOST_PICTURED]
    unprotected = {one.unprotected.id: one.unprotected for one in found if one.unprotected is not None}
    entries = [*attacks, *unprotected.values()] or list(frame.entries[:MOST_PICTURED])
    figure = figure_of(entries)
    return ReportPicture(
        f"headline-{name}",
        figure if len(entries) == 1 else replace(figure, title=""),
        say(f"answer.{name}-caption"),
        "overview",
        entries[0].as_given.id,
    )


# Verdicts in a report: in a line each beside the answer, and with what decided them among the findings.


_MOST_ON_FRONT, _LONGEST_NAME, _LONGEST_DEMAND = 4, 60, 160


def on_front(frame: Frame, answers: Sequence[Conclusion]) -> list[Paragraph]:
    """Which requirement is met that no answer tells of, each in a line; of many how many are, worst first."""
    told = {each.requirement.name for one in answers for each in one.verdicts}
    found = worst_first([each for each in frame.verdicts if each.requirement.name not in told])
    lines = [_line(each) for each in found[:_MOST_ON_FRONT]]
    if len(found) > _MOST_ON_FRONT:
        counts = {outcome: sum(each.outcome is outcome for each in found) for outcome in VerdictOutcome}
        words = {outcome.value.replace("-", "_"): count for outcome, count in counts.items()}
        lines.append(paragraph(say(f"verdict.counts{if_awaited(found)}", count=len(found), **words)))
    return lines


def _line(each: Verdict) -> Paragraph:
    name = shortened(shown(each.requirement.name), _LONGEST_NAME)
    bound = f" {each.bound_in_words}" if each.bound_in_words else ""
    demand = shortened(shown(each.requirement.in_words), _LONGEST_DEMAND)
    said = say("verdict.front", name=name, demand=demand, verdict=each.in_words)
    return Paragraph((Run(said, bold=True), Run(bound)))


def requirements(frame: Frame) -> tuple[Block, ...]:
    """Every requirement with its verdict and what decided it; nothing where there is none."""
    found = frame.verdicts
    if not found:
        return ()
    columns = (
        TableColumn(say("verdict.column-name"), is_text=True, share=1.0),
        TableColumn(say("verdict.column-verdict"), is_text=True),
        TableColumn(say("verdict.column-why"), is_text=True, share=2.0),
    )
    rows = tuple(
        (
            Cell(shown(each.requirement.name), _demand(each.requirement)),
            Cell(each.in_words),
            Cell(shown(each.reason), _origin(each.requirement)),
        )
        for each in found
    )
    return (
        Heading(say("verdict.head")),
        paragraph(say("verdict.explained")),
        TableBlock(columns, rows, say("verdict.caption")),
    )


def _demand(asked: Requirement) -> str:
    return shown(say("verdict.demand", demand=asked.in_words, scope=asked.scope.in_words))


def _origin(asked: Requirement) -> str:
    """Why it was set, by whom, and whether the project shows it before its data."""
    by = say("requirement.set-by", by=asked.set_by) if asked.set_by else ""
    why = " ".join(asked.why.split()).removesuffix(".")
    return shown(clauses((why, by, str(asked.recorded))))


# The answer: on the first page in a sentence, a picture and a box of facts, with the findings in full.


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
            _answer_picture(frame, found),
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


def _answer_picture(frame: Frame, found: Sequence[Conclusion]) -> ReportPicture:
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
