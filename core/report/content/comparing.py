"""The comparison of safeguards: each against speech without protection, on the same data."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.metrics.assessment import Assessment
from zebra_core.project.comparison import baseline_of
from zebra_core.project.items import Entry
from zebra_core.project.settled import RANKED_BY, span_in_words
from zebra_core.report.content.files import shown
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.groups import Group
from zebra_core.report.document import Badge, Block, Cell, Column, Heading, Table, paragraph
from zebra_core.report.pairs import Pair, group_of, heads, pairs_of, rests_on
from zebra_core.wording.texts import say
from zebra_core.wording.wording import disclosure, log10_lr, share, signed

_MOST_PAIRS = 60
_NAMES, _AS_NUMBER = (1, 2), 4


def comparison(frame: Frame) -> tuple[Block, ...]:
    """The protected assessments of every group beside the unprotected speech they belong to.

    The least disclosing comes first. Nothing is said of what has no baseline, see `baseline_of`.
    """
    told: list[Block] = []
    for group in frame.groups:
        compared = [(entry, found) for entry in group.entries if (found := baseline_of(entry, frame.entries))]
        if compared:
            told += [Heading(group.heading)] if group.heading else []
            told.append(_table(frame, group, compared))
    if not told:
        return (paragraph(say("comparison-section.nothing")), *_differences(frame))
    return (
        paragraph(say("comparison-section.intro")),
        *told,
        paragraph(say("comparison-section.note"), quiet=True),
        *_differences(frame),
    )


def _differences(frame: Frame) -> list[Block]:
    """Which ranks are settled, and by how much each differs from each, where somebody asked."""
    told: list[Block] = []
    for one in frame.project.settled:
        ranks = one.ranks_among(list(one.assessments))
        names = {entry_id: shown(_name(frame.project.entry(entry_id))) for entry_id in ranks}
        said = [f"{names[entry_id]} {span_in_words(span)}" for entry_id, span in ranks.items()]
        told += [
            Heading(
                say("comparison-section.differences-head", group=shown(str(group_of(frame.project, one))))
            ),
            paragraph(say("comparison-section.ranks", ranks="; ".join(said))),
            _pairs(pairs_of(frame.project, one)),
            paragraph(" ".join([rests_on(one), *map(str, one.remarks)]), quiet=True),
        ]
    return told


def _pairs(pairs: Sequence[Pair]) -> Table:
    """All of them, or those of the figure of the ranks where they are many."""
    if len(pairs) > _MOST_PAIRS:
        pairs = [pair for pair in pairs if pair.difference.figure == RANKED_BY]
    columns = tuple(
        Column(head, is_text=number != _AS_NUMBER, share=1.0 if number in _NAMES else 0.0)
        for number, head in enumerate(heads())
    )
    rows = tuple(tuple(Cell(text) for text in pair.cells) for pair in pairs)
    return Table(columns, rows, say("comparison-section.differences-caption"))


def _difference(bits: float, before: float) -> str:
    """The difference of both as they are shown beside it, so that the row adds up."""
    return signed(round(float(disclosure(bits)), 3) - round(float(disclosure(before)), 3))


def _name(entry: Entry) -> str:
    return f"{entry.name} {entry.run}" if entry.run else entry.name


def _table(frame: Frame, group: Group, compared: list[tuple[Entry, Assessment]]) -> Table:
    columns = (
        Column(say("table.tag"), is_text=True),
        Column(say("report.assessment-name"), is_text=True, share=1.0),
        Column(say("table.d_ece")),
        Column(say("comparison-section.before")),
        Column(say("comparison-section.change")),
        Column(say("comparison-section.remains")),
        Column(say("table.worst_case")),
    )
    ranked = sorted(compared, key=lambda pair: pair[0].assessment.d_ece_bits)
    rows = []
    for entry, baseline in ranked:
        found, told = entry.assessment, frame.result(entry, group)
        before = baseline.d_ece_bits
        rows.append(
            (
                Cell(badge=Badge(told.tag, told.colour, may_be_chance=told.may_be_chance)),
                Cell(frame.row_name(entry, group)),
                Cell(disclosure(found.d_ece_bits)),
                Cell(disclosure(before)),
                Cell(_difference(found.d_ece_bits, before)),
                Cell(share(found.d_ece_bits / before) if before else "–"),
                Cell(log10_lr(found.worst_case_log10_lr)),
            )
        )
    return Table(columns, tuple(rows), say("comparison-section.caption"))
