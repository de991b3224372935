"""The results, group by group: tables, profiles, calibration; then speakers and similarity of voices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zebra_core.figures.calibration import calibration_figure
from zebra_core.figures.ece import ece_figure
from zebra_core.figures.uncertainty import with_bands
from zebra_core.metrics.assessment import ScoreMeaning
from zebra_core.metrics.metric import NOTHING, Metric, ReportTable
from zebra_core.metrics.registry import METRICS
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.groups import EntryGroup, parts
from zebra_core.report.content.similarities import similarities
from zebra_core.report.content.speakers import speakers_of
from zebra_core.report.content.trusting import trusting
from zebra_core.report.document import Badge, Block, Cell, Heading, ReportPicture, TableBlock, TableColumn
from zebra_core.uncertainty.shown import fewer, rounded
from zebra_core.wording.texts import say

# Inches of the axes, by the number of assessments: the legend below takes the rest of the room.
_HEIGHTS = {1: 3.0, 2: 2.8, 3: 2.6, 4: 2.5}
_HEIGHT = 2.4


def results(frame: Frame) -> tuple[Block, ...]:
    """Every group with its table and pictures, the speakers, and the similarity matrices."""
    blocks: list[Block] = []
    for number, group in enumerate(frame.groups, start=1):
        blocks += [Heading(group.heading)] if group.heading else []
        blocks.append(_table(frame, group))
        blocks += _profiles(group, number)
        blocks += _calibration(frame, group, number)
    blocks += [Heading(say("results.speakers-head")), *speakers_of(frame)] if frame.entries else []
    if frame.project.similarities:
        blocks.append(Heading(say("results.similarity-head")))
        blocks += similarities(frame)
    blocks += [Heading(say("results.uncertainty-head")), *trusting(frame)]
    return tuple(blocks)


def _table(frame: Frame, group: EntryGroup) -> TableBlock:
    shown = _figures(ReportTable.DISCLOSURE, group)
    is_asked = any(entry.trust is not None for entry in group.entries)
    columns = (
        TableColumn(say("table.tag"), is_text=True),
        TableColumn(say("report.assessment-head"), is_text=True, share=1.0),
        *([TableColumn(say("table.d_ece_corrected"))] if is_asked else []),
        *_heads(shown),
    )
    rows = []
    for entry in group.entries:
        found = frame.result(entry, group)
        rows.append(
            (
                Cell(badge=Badge(found.tag, found.colour, may_be_chance=found.may_be_chance)),
                Cell(frame.row_name(entry, group), found.counts),
                *([Cell(*found.corrected)] if is_asked else []),
                *(Cell(*found.figures[metric.code]) for metric in shown),
            )
        )
    caption = say("results.table-caption")
    if is_asked:
        caption = f"{caption} {say('results.table-corrected')}"
    return TableBlock(columns, tuple(rows), caption)


def _figures(table: ReportTable, group: EntryGroup) -> tuple[Metric, ...]:
    """The figures of a table, as far as they say something of any assessment of the group."""
    return tuple(
        metric
        for metric in METRICS
        if metric.table is table
        and any(metric.says_something_of(entry.assessment) for entry in group.entries)
    )


def _heads(shown: Sequence[Metric]) -> list[TableColumn]:
    return [TableColumn(say(f"table.{metric.code}")) for metric in shown]


def _profiles(group: EntryGroup, number: int) -> list[Block]:
    pictures: list[Block] = []
    for part, entries in enumerate(parts(group.entries), start=1):
        figure = replace(with_bands(ece_figure(entries), entries), title="")
        caption = say("results.ece-caption-bands" if figure.areas else "results.ece-caption")
        height = _HEIGHTS.get(len(entries), _HEIGHT)
        pictures.append(ReportPicture(f"ece-{number}-{part}", figure, caption, "ece", entries[0].id, height))
    return pictures


def _calibration(frame: Frame, group: EntryGroup, number: int) -> list[Block]:
    has_llrs = any(entry.assessment.has_llrs for entry in group.entries)  # of raw scores no loss is told
    shown = _figures(ReportTable.CALIBRATION, group)
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        *_heads(shown),
        *([TableColumn(say("results.calibration-loss"))] if has_llrs else []),
        TableColumn(say("results.misleading-target")),
        TableColumn(say("results.misleading-nontarget")),
    )
    rows = []
    for entry in group.entries:
        found, result = entry.assessment, frame.result(entry, group)
        n = fewer(found)
        loss = rounded("cllr_bits", found.calibration_loss_bits, n) if found.has_llrs else NOTHING
        misleading = found.oracle_misleading
        rows.append(
            (
                Cell(frame.row_name(entry, group)),
                *(Cell(*result.figures[metric.code]) for metric in shown),
                *([Cell(loss)] if has_llrs else []),
                Cell(rounded("eer", misleading.of_target, n)),
                Cell(rounded("eer", misleading.of_nontarget, n)),
            )
        )
    shown_as_llrs = [
        entry for entry in group.entries if entry.assessment.settings.score_meaning is not ScoreMeaning.RAW
    ]
    pictures: list[Block] = []
    for part, entries in enumerate(parts(shown_as_llrs) if shown_as_llrs else (), start=1):
        figure = replace(calibration_figure(entries), title="")
        caption = say("results.calibration-caption")
        pictures.append(
            ReportPicture(f"calibration-{number}-{part}", figure, caption, "calibration", entries[0].id)
        )
    caption = say("results.calibration-table-caption" if has_llrs else "results.no-llrs-caption")
    if any(entry.trust is not None for entry in group.entries):
        caption = f"{caption} {say('results.table-intervals')}"
    return [TableBlock(columns, tuple(rows), caption), *pictures]
