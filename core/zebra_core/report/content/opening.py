"""The first sections: what was asked, and what was found, on one page."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from zebra_core.figures.figure import Figure
from zebra_core.figures.headline import ladder_figure, scale_figure
from zebra_core.figures.palette import tag_colour
from zebra_core.metrics.scales import TagScale
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.items import Entry
from zebra_core.project.report_settings import CONTEXT, Access, ReportSettings
from zebra_core.report.content.attackers import strongest_first, strongest_of_groups
from zebra_core.report.content.checking import strongest_attackers
from zebra_core.report.content.frame import WORTH_NAMING, Frame, standing
from zebra_core.report.content.values import shown, shown_list
from zebra_core.report.content.verdicts import requirements
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
)
from zebra_core.report.prose import prose
from zebra_core.wording.names import after_name, clauses, with_aside
from zebra_core.wording.numbers import disclosure
from zebra_core.wording.texts import as_said, dated, grouped, quoted, say, written

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
