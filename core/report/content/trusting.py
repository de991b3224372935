"""How sure the figures are, where somebody asked: intervals, and what no disclosure would show."""

from __future__ import annotations

from zebra_core.metrics.metric import BIT
from zebra_core.project.items import Entry
from zebra_core.report.content.frame import Frame
from zebra_core.report.document import Block, Bullets, Cell, Column, Run, Table, paragraph
from zebra_core.uncertainty.ceiling import ceiling_of
from zebra_core.uncertainty.no_disclosure import NULL_FIGURES
from zebra_core.uncertainty.precision import UNITS, figure_name
from zebra_core.uncertainty.resampling import Unit
from zebra_core.uncertainty.shown import in_a_cell
from zebra_core.uncertainty.trust import Trust
from zebra_core.wording.texts import say


def trusting(frame: Frame) -> tuple[Block, ...]:
    """A table of intervals, and a sentence for each assessment about no disclosure; or that nobody asked."""
    asked = [(entry, entry.trust) for entry in frame.entries if entry.trust is not None]
    told: list[Block] = []
    if asked:
        settings = asked[0][1].uncertainty.settings
        told.append(paragraph(say("trusting.intro", level=f"{100.0 * settings.level:g}")))
        told.append(_table(frame, asked))
        sentences = [
            (Run(frame.names[entry.id], bold=True), Run(f": {' '.join(filter(None, _words(trust)))}"))
            for entry, trust in asked
        ]
        told.append(Bullets(tuple(sentences)))
    if len(asked) < len(frame.entries):
        told.append(paragraph(say("results.no-uncertainty" if not asked else "trusting.others")))
    return tuple(told)


def _words(trust: Trust) -> tuple[str, ...]:
    """As it was computed, what no disclosure would show, and how far these data reach."""
    _, as_it_is, *of_chance = trust.sentences
    chance = f"{trust.against_chance('worst_case_log10_lr')} {trust.tag_by_chance}" if trust.null else ""
    ceiling = ceiling_of(trust.assessment)
    limit = ceiling.badge()
    return as_it_is, *of_chance, chance, f"{limit[:1].upper()}{limit[1:]}.", ceiling.sentence()


def _table(frame: Frame, asked: list[tuple[Entry, Trust]]) -> Table:
    columns = (
        Column(say("report.assessment-name"), is_text=True, share=1.0),
        *(Column(_head(name)) for name in NULL_FIGURES),
    )
    rows = []
    for entry, trust in asked:
        found = trust.uncertainty
        cells = [Cell(in_a_cell(name, entry.assessment, trust)) for name in NULL_FIGURES]
        unit = "speakers" if found.unit is Unit.SPEAKER else "trials"
        drawn = say(f"trusting.of-{unit}", replicates=found.replicates, count=found.n_clusters)
        rows.append((Cell(frame.row_name(entry), drawn), *cells))
    return Table(columns, tuple(rows), say("trusting.caption"))


def _head(figure: str) -> str:
    return f"{figure_name(figure)} (bit)" if UNITS[figure] == BIT else figure_name(figure)
