"""The results, group by group: tables, profiles, calibration; then speakers and similarity of voices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from zebra_core.figures.calibration import calibration_figure, over_estimation_figure
from zebra_core.figures.distributions import pav_figure
from zebra_core.figures.series import ece_figure
from zebra_core.figures.similarity import mosaic_figure
from zebra_core.figures.uncertainty import with_bands
from zebra_core.metrics.registry import BIT, METRICS, NOTHING, Metric, ReportTable
from zebra_core.metrics.similarity import SETTINGS
from zebra_core.project.items import Entry, SimilarityEntry
from zebra_core.report.content.speakers import all_speakers, speakers_of
from zebra_core.report.content.values import EntryGroup, Frame, parts, shown_list
from zebra_core.report.document import (
    Block,
    Bullets,
    Cell,
    Heading,
    ReportPicture,
    Run,
    TableBlock,
    TableColumn,
    paragraph,
)
from zebra_core.uncertainty.bootstrap import Uncertainty
from zebra_core.uncertainty.intervals import UNITS, figure_name
from zebra_core.uncertainty.no_disclosure import NULL_FIGURES, NoDisclosure, ceiling_of
from zebra_core.uncertainty.over_estimation import over_estimation
from zebra_core.uncertainty.resampling import ResamplingUnit
from zebra_core.uncertainty.shown import as_printed, fewer, in_a_cell, rounded
from zebra_core.uncertainty.trust import AssessmentTrust, VoicesTrust, coverage_in_words
from zebra_core.uncertainty.voices import figure_of
from zebra_core.wording.texts import after_name, log10_lr, say, with_aside, written

# Inches of the axes, by the number of assessments: the legend below takes the rest of the room.
_HEIGHTS = {1: 3.0, 2: 2.8, 3: 2.6, 4: 2.5}
_HEIGHT = 2.1


def results(frame: Frame) -> tuple[Block, ...]:
    """Every group with its table and pictures, the speakers, and the similarity matrices."""
    blocks: list[Block] = []
    for number, group in enumerate(frame.groups, start=1):
        blocks += [Heading(group.heading)] if group.heading else []
        blocks.append(_table(frame, group))
        blocks += _profiles(group, number)
    blocks += [Heading(say("results.speakers-head")), *speakers_of(frame)] if frame.entries else []
    if frame.project.similarities:
        blocks.append(Heading(say("results.similarity-head")))
        blocks += similarities(frame)
    blocks += [Heading(say("results.uncertainty-head")), *trusting(frame)]
    return tuple(blocks)


def results_in_full(frame: Frame) -> tuple[Block, ...]:
    """What errors and costs come to, intervals, chance, the speakers of all, and the other matrices."""
    blocks: list[Block] = [Heading(say("results.costs-head"))] if frame.groups else []
    for number, group in enumerate(frame.groups, start=1):
        blocks += _calibration(frame, group, number)
    asked = _asked(frame)
    if asked:
        blocks += [Heading(say("results.intervals-head")), _trust_table(frame, asked)]
        blocks += [*_by_chance(frame, asked), Bullets(_each_once(frame, asked))]
    blocks += all_speakers(frame)
    if frame.project.similarities:
        blocks += [Heading(say("results.all-similar-head")), *_all_similar(frame)]
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
                Cell(badge=found.badge),
                Cell(frame.row_name(entry, group), found.trials),
                *([Cell(*found.corrected)] if is_asked else []),
                *(Cell(*found.figures[metric.code]) for metric in shown),
            )
        )
    if group is not frame.groups[0]:
        return TableBlock(columns, tuple(rows), say("results.table-caption-again"))
    caption = say("results.table-caption")
    if is_asked:
        caption = f"{caption} {say('results.table-corrected')}"
    if any(frame.result(entry, group).is_open for entry in group.entries):
        caption = f"{caption} {say('results.table-open')}"
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
                Cell(frame.row_name(entry, group), result.from_files),
                *(Cell(*result.figures[metric.code]) for metric in shown),
                *([Cell(loss)] if has_llrs else []),
                Cell(rounded("eer", misleading.of_target, n)),
                Cell(rounded("eer", misleading.of_nontarget, n)),
            )
        )
    caption = say("results.calibration-table-caption" if has_llrs else "results.no-llrs-caption")
    if any(entry.trust is not None for entry in group.entries):
        caption = f"{caption} {say('results.table-intervals')}"
    return [
        TableBlock(columns, tuple(rows), caption),
        _few_false_alarms(frame, group),
        *_of_stated_llrs(frame, group, number),
    ]


def _of_stated_llrs(frame: Frame, group: EntryGroup, number: int) -> Iterator[ReportPicture]:
    """Whether scores that were stated to be LLRs mean what they say, in three pictures."""
    stated = [entry for entry in group.entries if entry.assessment.has_llrs]
    for part, entries in enumerate(parts(stated) if stated else (), start=1):
        known = {
            one.id: frame.material.over_estimation.get(one.id) or over_estimation(None, one.assessment)
            for one in entries
        }
        for name, topic, figure in (
            ("calibration", "calibration", calibration_figure(entries)),
            ("over-estimation", "calibration", over_estimation_figure(entries, known)),
            ("pav", "strength", pav_figure(entries)),
        ):
            caption = say(f"results.{name}-caption")
            stem = f"{name}-{number}-{part}"
            yield ReportPicture(stem, replace(figure, title=""), caption, topic, entries[0].id)


def _few_false_alarms(frame: Frame, group: EntryGroup) -> TableBlock:
    """The hits at few false alarms of each assessment."""
    shown = _figures(ReportTable.FEW_FALSE_ALARMS, group)
    columns = (TableColumn(say("report.assessment-name"), is_text=True, share=1.0), *_heads(shown))
    rows = [
        (
            Cell(frame.row_name(entry, group), frame.result(entry, group).trials),
            *(Cell(*frame.result(entry, group).figures[metric.code]) for metric in shown),
        )
        for entry in group.entries
    ]
    caption = say("results.hits-caption")
    if any(entry.trust is not None for entry in group.entries):
        caption = f"{caption} {say('results.hits-intervals')}"
    return TableBlock(columns, tuple(rows), f"{caption} {say('results.dcf-caption')}")


_GAINS = ("d_ece_op_oo", "min_cllr_op_oo", "g_d_ece_db", "g_cllr_db")
_NEEDED = {"de_id": "op", "d_ece_op_oo": "op", "min_cllr_op_oo": "op"}  # the others need PP


def similarities(frame: Frame) -> list[Block]:
    """How far diagonals stand out, with intervals where somebody asked, and the most telling picture."""
    items = frame.project.similarities
    return [_dominances(frame, items), *_how_sure(frame, items), _mosaic(frame, _most_alike(items))]


def _all_similar(frame: Frame) -> list[Block]:
    """What gains come to, and the pictures of the other matrices."""
    items = frame.project.similarities
    most = _most_alike(items)
    return [_gains(frame, items), *(_mosaic(frame, item) for item in items if item is not most)]


def _most_alike(items: Sequence[SimilarityEntry]) -> SimilarityEntry:
    """The one in which protected voices are told apart best, by whoever has the original ones."""

    def dominance(item: SimilarityEntry) -> tuple[float, float]:
        found = item.similarity
        op, pp = (found.d_diag(one) if one in found.matrices else None for one in ("op", "pp"))
        return -1.0 if op is None else op, -1.0 if pp is None else pp

    return max(items, key=dominance)


def _mosaic(frame: Frame, item: SimilarityEntry) -> ReportPicture:
    name, number = frame.names[item.id], frame.project.similarities.index(item) + 1
    figure = replace(mosaic_figure(item.similarity, name, trust=item.trust, in_a_row=True), title="")
    caption = say("results.mosaic-caption", name=name)
    return ReportPicture(f"similarity-{number}", figure, caption, "similarity", item.id)


def _dominances(frame: Frame, items: tuple[SimilarityEntry, ...]) -> TableBlock:
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        *(TableColumn(f"{say('similarity.d-diag')} {setting.upper()}") for setting in SETTINGS),
        TableColumn(say("results.de-id")),
        TableColumn(say("results.g-vd")),
    )
    rows = tuple(
        (
            Cell(frame.names[item.id]),
            *(_dominance(item, setting) for setting in SETTINGS),
            _cell(item, "de_id"),
            _cell(item, "g_vd_db"),
        )
        for item in items
    )
    return TableBlock(columns, rows, say("results.similarity-caption"))


def _gains(frame: Frame, items: tuple[SimilarityEntry, ...]) -> TableBlock:
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        *(TableColumn(say(f"uncertainty.{name.replace('_', '-')}")) for name in _GAINS),
    )
    rows = tuple((Cell(frame.names[item.id]), *(_cell(item, name) for name in _GAINS)) for item in items)
    return TableBlock(columns, rows, say("results.gains-caption"))


def _how_sure(frame: Frame, items: tuple[SimilarityEntry, ...]) -> list[Block]:
    """What the intervals rest on, in a sentence for each; that nobody asked, where nobody did."""
    asked = [(frame.names[item.id], item.trust) for item in items if item.trust is not None]
    if not asked:
        return [paragraph(say("results.similarity-not-asked"))]
    alike: dict[tuple[str, str], list[tuple[str, VoicesTrust]]] = {}
    for name, trust in asked:
        beyond = trust.beyond_chance
        alike.setdefault((trust.rests_on, beyond or name), []).append((name, trust))
    blocks: list[Block] = []
    for (rests_on, beyond), members in alike.items():
        names = shown_list([name for name, _ in members], len(members))
        said = beyond if len(members) > 1 else " ".join(members[0][1].sentences)
        blocks.append(paragraph(names + after_name(f"{rests_on} {said}".rstrip())))
    return blocks


def _dominance(item: SimilarityEntry, setting: str) -> Cell:
    """D_diag; below it what chance alone would show."""
    if setting not in item.similarity.matrices:
        return Cell("–")
    chance = item.trust.chance(setting) if item.trust else ""
    note = say("results.by-chance", value=chance) if chance else ""
    return replace(_cell(item, f"d_diag_{setting}"), note=note)


def _cell(item: SimilarityEntry, figure: str) -> Cell:
    """A figure with its interval; a dash where the setting that it needs was not given."""
    value, voices = figure_of(item.similarity, figure), item.similarity
    if not figure.startswith("d_diag") and _NEEDED.get(figure, "pp") not in voices.matrices:
        return Cell("–")
    sure = item.trust.with_interval(figure, is_in_column=True) if item.trust else ""
    return Cell(sure or rounded(figure, value, len(voices.speakers)))


_Asked = Sequence[tuple[Entry, AssessmentTrust]]


def trusting(frame: Frame) -> tuple[Block, ...]:
    """How intervals are to be read, each sentence once; or that nobody asked. The appendix has the tables."""
    asked = _asked(frame)
    blocks: list[Block] = []
    if asked:
        settings = asked[0][1].uncertainty.settings
        blocks.append(paragraph(say("trusting.intro", level=written(100.0 * settings.level, "g"))))
        if any(_is_freed(trust) for _, trust in asked):
            blocks.append(paragraph(say("trusting.freed")))
    if len(asked) < len(frame.entries):
        blocks.append(paragraph(say("results.no-uncertainty" if not asked else "trusting.others")))
    return tuple(blocks)


def _asked(frame: Frame) -> _Asked:
    return [(entry, entry.trust) for entry in frame.entries if entry.trust is not None]


def _each_once(frame: Frame, asked: _Asked) -> tuple[tuple[Run, ...], ...]:
    """What holds of several assessments, with their names; what follows from the tables without."""
    names: dict[str, list[str]] = {}
    for entry, trust in asked:
        for sentence in filter(None, _words(trust)):
            names.setdefault(sentence, []).append(frame.names[entry.id])
    reach = dict.fromkeys(_reach(trust) for _, trust in asked)
    return (
        *((Run(shown_list(of, len(of)), bold=True), Run(after_name(said))) for said, of in names.items()),
        *((Run(sentence),) for sentence in reach if sentence),
    )


def _words(trust: AssessmentTrust) -> tuple[str, ...]:
    """Why D_ECE leads as it was computed, how well intervals hold, and why nothing is said of chance."""
    null = trust.null
    leads = "" if _is_freed(trust) else _why_as_computed(trust.uncertainty)
    why = trust.against_chance("d_ece_bits") if null and not null.exchange.has_p_value else ""
    return leads, coverage_in_words(trust.uncertainty), why


def _is_freed(trust: AssessmentTrust) -> bool:
    """Whether D_ECE stands beside its interval without the optimism of small sets."""
    return trust.uncertainty.is_corrected("d_ece_bits")


def _why_as_computed(found: Uncertainty) -> str:
    if "d_ece_bits" in found.bear_correction:
        return say("trusting.as-computed-for-all")
    by_ear = "-by-ear" if found.is_by_ear else ""
    return say(f"trusting.as-computed{by_ear}", count=found.n_fewest)


def _reach(trust: AssessmentTrust) -> str:
    """How many trials worse tags would take, with those that there are; empty where there is none."""
    found, needed = trust.figures, ceiling_of(trust.figures).sentence()
    facts = {"target": found.n_target, "nontarget": found.n_nontarget, "needed": needed}
    return say("trusting.reach", **facts) if needed else ""


def _by_chance(frame: Frame, asked: _Asked) -> list[Block]:
    """How many sets without disclosure show as much, of those of whom it can be said."""
    known = [(entry, t, t.null) for entry, t in asked if t.null and t.null.exchange.has_p_value]
    if not known:
        return []
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        *(
            TableColumn(say(f"trusting.head-{code}"))
            for code in ("d-ece", "as-much", "worst", "as-much", "tag", "most")
        ),
    )
    rows = []
    for entry, trust, null in known:
        ceiling, shown = ceiling_of(entry.assessment), entry.assessment.settings.tag_scale.shown
        reached = round((trust.null_tag_share or 0.0) * null.replicates)
        rows.append(
            (
                Cell(frame.row_name(entry)),
                Cell(as_printed("d_ece_bits", entry.assessment)),
                Cell(_of(null.n_as_disclosing("d_ece_bits"), null)),
                Cell(trust.plain("worst_case_log10_lr")),
                Cell(_of(null.n_as_disclosing("worst_case_log10_lr"), null)),
                Cell(shown(entry.assessment.tag) + after_name(_of(reached, null))),
                Cell(with_aside(log10_lr(ceiling.log10_lr), ceiling.tag.letter)),
            )
        )
    return [TableBlock(columns, tuple(rows), say("trusting.chance-caption"))]


def _of(count: int, null: NoDisclosure) -> str:
    return say("trusting.of", count=count, all=null.replicates)


def _trust_table(frame: Frame, asked: _Asked) -> TableBlock:
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        *(TableColumn(_head(name)) for name in NULL_FIGURES),
    )
    rows = []
    for entry, trust in asked:
        found = trust.uncertainty
        cells = [Cell(in_a_cell(name, entry.assessment, trust)) for name in NULL_FIGURES]
        unit = "speakers" if found.unit is ResamplingUnit.SPEAKER else "trials"
        drawn = say(f"trusting.of-{unit}", replicates=found.replicates, count=found.n_clusters)
        rows.append((Cell(frame.row_name(entry), drawn), *cells))
    return TableBlock(columns, tuple(rows), say("trusting.caption"))


def _head(figure: str) -> str:
    return with_aside(figure_name(figure), say("word.bit")) if UNITS[figure] == BIT else figure_name(figure)
