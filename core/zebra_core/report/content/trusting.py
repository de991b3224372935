"""How sure the figures are, where somebody asked: intervals, and what no disclosure would show."""

from __future__ import annotations

from collections.abc import Sequence

from zebra_core.metrics.metric import BIT
from zebra_core.project.items import Entry
from zebra_core.report.content.files import shown_list
from zebra_core.report.content.frame import Frame
from zebra_core.report.document import Block, Bullets, Cell, Run, TableBlock, TableColumn, paragraph
from zebra_core.uncertainty.ceiling import ceiling_of
from zebra_core.uncertainty.no_disclosure import NULL_FIGURES, NoDisclosure
from zebra_core.uncertainty.precision import UNITS, figure_name
from zebra_core.uncertainty.resampling import ResamplingUnit
from zebra_core.uncertainty.shown import in_a_cell
from zebra_core.uncertainty.trust import AssessmentTrust, coverage_in_words
from zebra_core.wording.names import after_name, with_aside
from zebra_core.wording.numbers import log10_lr
from zebra_core.wording.texts import say, written

_Asked = Sequence[tuple[Entry, AssessmentTrust]]


def trusting(frame: Frame) -> tuple[Block, ...]:
    """Tables of intervals and of what no disclosure would show, each sentence once; or that nobody asked."""
    asked = [(entry, entry.trust) for entry in frame.entries if entry.trust is not None]
    blocks: list[Block] = []
    if asked:
        settings = asked[0][1].uncertainty.settings
        blocks.append(paragraph(say("trusting.intro", level=written(100.0 * settings.level, "g"))))
        blocks.append(_table(frame, asked))
        blocks += _by_chance(frame, asked)
        blocks.append(Bullets(_each_once(frame, asked)))
    if len(asked) < len(frame.entries):
        blocks.append(paragraph(say("results.no-uncertainty" if not asked else "trusting.others")))
    return tuple(blocks)


def _each_once(frame: Frame, asked: _Asked) -> tuple[tuple[Run, ...], ...]:
    """What holds of several assessments, with their names; what follows from the tables without."""
    names: dict[str, list[str]] = {}
    for entry, trust in asked:
        for sentence in filter(None, _words(trust)):
            names.setdefault(sentence, []).append(frame.names[entry.id])
    freed = [say("trusting.freed")] if any(map(_is_freed, (trust for _, trust in asked))) else []
    reach = dict.fromkeys(_reach(trust) for _, trust in asked)
    return (
        *((Run(sentence),) for sentence in freed),
        *((Run(shown_list(of, len(of)), bold=True), Run(after_name(said))) for said, of in names.items()),
        *((Run(sentence),) for sentence in reach if sentence),
    )


def _words(trust: AssessmentTrust) -> tuple[str, ...]:
    """Why D_ECE leads as it was computed, how well intervals hold, and why nothing is said of chance."""
    null = trust.null
    leads = "" if _is_freed(trust) else say("trusting.as-computed", count=trust.uncertainty.n_fewest)
    why = trust.against_chance("d_ece_bits") if null and not null.exchange.has_p_value else ""
    return leads, coverage_in_words(trust.uncertainty), why


def _is_freed(trust: AssessmentTrust) -> bool:
    """Whether D_ECE stands beside its interval without the optimism of small sets."""
    return trust.uncertainty.shown("d_ece_bits") == trust.uncertainty.d_ece_corrected_bits


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
        ceiling = ceiling_of(entry.assessment)
        reached = round((trust.null_tag_share or 0.0) * null.replicates)
        rows.append(
            (
                Cell(frame.row_name(entry)),
                Cell(trust.plain("d_ece_bits").removesuffix(" bit")),
                Cell(_of(null.n_as_disclosing("d_ece_bits"), null)),
                Cell(trust.plain("worst_case_log10_lr")),
                Cell(_of(null.n_as_disclosing("worst_case_log10_lr"), null)),
                Cell(entry.assessment.tag + after_name(_of(reached, null))),
                Cell(with_aside(log10_lr(ceiling.log10_lr), ceiling.tag.letter)),
            )
        )
    return [TableBlock(columns, tuple(rows), say("trusting.chance-caption"))]


def _of(count: int, null: NoDisclosure) -> str:
    return say("trusting.of", count=count, all=null.replicates)


def _table(frame: Frame, asked: _Asked) -> TableBlock:
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
    return with_aside(figure_name(figure), "bit") if UNITS[figure] == BIT else figure_name(figure)
