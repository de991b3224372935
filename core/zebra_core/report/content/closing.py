"""The last sections: what all this does not show, words, sources, and how to compute it again.

The validation matrix of Meuwly, Ramos and Haraksim (2017), filled with what was measured here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from zebra_core.metrics.cross_fitted import FOLDS
from zebra_core.metrics.registry import NOTHING
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.checks.checklist import checklist
from zebra_core.project.checks.outcome import Check, CheckOutcome
from zebra_core.project.comparison.spans import FigureRange, spans_in_words
from zebra_core.project.items import WITHOUT_NETWORK, Entry
from zebra_core.project.satellites import provenance
from zebra_core.project.verdicts.verdict import Verdict
from zebra_core.report import document
from zebra_core.report.content.evidence_base import checking
from zebra_core.report.content.opening import scale_badges, scales_in_words
from zebra_core.report.content.speakers import is_pictured, speakers_one_by_one
from zebra_core.report.content.values import Frame, shown, shown_list
from zebra_core.report.document import (
    Block,
    Bullets,
    Cell,
    ExplainedFigure,
    Formula,
    Heading,
    Run,
    TableBlock,
    TableColumn,
    TagLegend,
    Terms,
    paragraph,
)
from zebra_core.uncertainty.intervals import figure_name
from zebra_core.uncertainty.shown import fewer, with_unit
from zebra_core.uncertainty.weighted import HEADLINES, LeftOutUnit, Robustness
from zebra_core.wording.texts import (
    ENGLISH,
    after_name,
    clauses,
    current,
    disclosure,
    grouped,
    in_english,
    joined,
    named,
    own_name,
    say,
    written,
)

EVIDENCE_FILE = "evidence.json"
_LIMITS = ("attacker", "oracle", "data", "ceiling", "recogniser", "content", "identity", "validation")
_TERMS = (
    "target",
    "llr",
    "prior",
    "ece",
    "d-ece",
    "worst-case",
    "ceiling",
    "tag",
    "oracle",
    "calibration",
    "condition",
    "attacker",
    "check-list",
    "requirement",
    "robustness",
    "safeguard",
    "eer",
    "hits",
    "cllr",
    "linkability",
    "linkage",
    "singling-out",
    "rank-disclosure",
    "inference",
    "average-recall",
    "mutual-information",
    "sha256",
)
_SOURCES = (
    "zebra",
    "csl",
    "brummer",
    "ramos",
    "gomez",
    "vpc",
    "yager",
    "meuwly",
    "enfsi",
    "enfsi-speaker",
    "iso",
    "gelman",
    "opinion",
    "vauquier",
    "baeckstroem",
    "voxguard",
    "iso-19795-1",
    "iso-19795-10",
    "iso-30136",
)


def robust(frame: Frame) -> tuple[Block, ...]:
    """A table of ranges, and who moves a figure most; nothing where nobody asked."""
    found = frame.project.robust
    if not found:
        return ()
    columns = (
        TableColumn(say("report.assessment-name"), is_text=True, share=1.0),
        TableColumn(say("robustness.part"), is_text=True, share=0.8),
        *(TableColumn(figure_name(figure), is_text=True, share=1.0) for figure in HEADLINES),
    )
    rows = [
        row
        for entry in frame.entries
        if entry.id in found
        for row in _rows(frame.row_name(entry), entry, found[entry.id])
    ]
    return (
        Heading(say("robustness.head")),
        paragraph(say("robustness.intro")),
        TableBlock(columns, tuple(rows), say("robustness.caption")),
    )


def _rows(name: str, entry: Entry, found: Robustness) -> list[tuple[Cell, ...]]:
    by_part: dict[LeftOutUnit, dict[str, FigureRange]] = {}
    for moved in spans_in_words(entry, found):
        by_part.setdefault(moved.part, {})[moved.figure] = moved
    return [
        (
            Cell(name),
            Cell(say(f"robustness.each-{part.value}")),
            *(
                Cell(by_figure[figure].span, shown(by_figure[figure].mover))
                if figure in by_figure
                else Cell("–")
                for figure in HEADLINES
            ),
        )
        for part, by_figure in by_part.items()
    ]


def limitations(frame: Frame) -> tuple[Block, ...]:
    """What the figures do not show."""
    items = [say(f"limitation.{_measured_by(frame) if name == 'recogniser' else name}") for name in _LIMITS]
    if any(entry.condition is None for entry in frame.entries):
        items.append(say("limitation.condition"))
    items += provenance().limits(frame) if frame.material.records else ()
    return (
        *checking(frame),
        *validation(frame),
        *robust(frame),
        Heading(say("check.others-head")),
        paragraph(say("limitation.intro")),
        Bullets(tuple((Run(text),) for text in items)),
    )


def _measured_by(frame: Frame) -> str:
    """Whose limits hold: of a recogniser of voices, of what is said, or of both."""
    kinds = {WITHOUT_NETWORK.get(entry.recogniser, "network") for entry in frame.entries}
    if not kinds & {"words", "together"}:
        return "recogniser"
    return "words" if kinds == {"words"} else "recogniser-and-words"


def glossary(_frame: Frame) -> tuple[Block, ...]:
    """The words of the report."""
    return (Terms(tuple((say(f"glossary.{term}"), say(f"glossary.{term}-means")) for term in _TERMS)),)


def references(_frame: Frame) -> tuple[Block, ...]:
    """Where the metrics and the form of the report come from."""
    return (Bullets(tuple(_reference(f"reference.{source}") for source in _SOURCES), numbered=True),)


def _reference(code: str) -> tuple[Run, ...]:
    """A source, of which what is said as in English is marked as English: most titles are."""
    text, english = say(code), in_english(code)
    if current() == ENGLISH:
        return (Run(text),)
    if text == english:
        return (Run(text, language=ENGLISH),)
    names, colon, title = text.partition(": ")
    is_english = bool(title) and english.endswith(title)
    return (Run(names + colon), Run(title, language=ENGLISH)) if is_english else (Run(text),)


def appendix(frame: Frame) -> tuple[Block, ...]:
    """Settings, decisions, versions, and how to compute every figure again."""
    versions = joined(
        [say("report.version", name=name, version=version) for name, version in frame.versions.items()]
    )
    return (
        Heading(say("report.recompute")),
        paragraph(say("appendix.recompute", file=EVIDENCE_FILE)),
        *(provenance().appendix(frame) if frame.material.records else ()),
        paragraph(say("appendix.by-hand")),
        Heading(say("appendix.settings-head")),
        *_settings(frame),
        Heading(say("appendix.decisions-head")),
        *_decisions(frame),
        Heading(say("appendix.versions-head")),
        paragraph(say("report.versions", versions=versions)),
        paragraph(say("appendix.language", language=own_name(current()))),
    )


def single_speakers(frame: Frame) -> tuple[Block, ...]:
    """The pictures of single speakers, which stand last: nobody has asked for them by name."""
    if not is_pictured(frame):
        return ()
    return Heading(say("appendix.speakers-head")), *speakers_one_by_one(frame)


def _settings(frame: Frame) -> list[Block]:
    if not frame.entries:
        return [paragraph(say("appendix.no-settings"))]
    settings = frame.entries[0].assessment.settings
    of = settings.tag_scale
    scale = clauses(f"{of.shown(tag.letter)} {written(tag.from_log10_lr, 'g')}" for tag in of.tags)
    items = [
        say("appendix.scale", scale=scale),
        say("appendix.grid", limit=written(settings.prior_log_odds_limit, "g"), points=settings.prior_points),
        say("appendix.prior", one_in=grouped(settings.prior_one_in)),
    ]
    meanings = dict.fromkeys(entry.assessment.settings.score_meaning.value for entry in frame.entries)
    items += [say("appendix.meaning", meaning=say(f"appendix.meaning-{meaning}")) for meaning in meanings]
    return [Bullets(tuple((Run(text),) for text in items))]


def _decisions(frame: Frame) -> list[Block]:
    """The user's own decisions and how files were read, each with the assessments it holds for."""
    by_text: dict[str, list[str]] = {}
    for entry in frame.entries:
        for decision in entry.audit.decisions if entry.audit else ():
            by_text.setdefault(f"{decision} (--allow {decision.value})", []).append(frame.names[entry.id])
    if not by_text:
        return [paragraph(say("appendix.no-decisions"))]
    items = tuple(
        (Run(shown_list(names, len(names)), bold=True), Run(after_name(text)))
        for text, names in by_text.items()
    )
    return [Bullets(items)]


_MOST_CRITERIA = 4


def validation(frame: Frame) -> tuple[Block, ...]:
    """Six characteristics, by which figures and pictures, and what came out or that nobody looked."""
    results = {
        "accuracy": _of_llrs(frame, "cllr_bits"),
        "discrimination": say(
            "validation.two", one=_range(frame.entries, "eer"), two=_range(frame.entries, "min_cllr_bits")
        ),
        "calibration": _of_llrs(frame, "calibration_loss_bits"),
        "robustness": _robustness(frame),
        "coherence": _coherence(frame),
        "generalisation": _generalisation(frame),
    }
    criteria = _criteria(frame)
    columns = (
        TableColumn(say("validation.characteristic"), is_text=True, share=1.0),
        TableColumn(say("validation.metric"), is_text=True, share=1.5),
        TableColumn(say("validation.picture"), is_text=True, share=1.0),
        TableColumn(say("validation.result"), is_text=True, share=2.0),
        TableColumn(say("validation.decision"), is_text=True, share=1.0),
    )
    rows = tuple(
        (
            Cell(say(f"validation.{name}")),
            Cell(say(f"validation.{name}-metric")),
            Cell(say(f"validation.{name}-picture")),
            Cell(shown(result or say("validation.not-examined"))),
            Cell(shown(criteria.get(name) or say("validation.no-criterion"))),
        )
        for name, result in results.items()
    )
    return (
        Heading(say("validation.head")),
        paragraph(say("validation.intro")),
        TableBlock(columns, rows, say("validation.caption")),
    )


def _criteria(frame: Frame) -> dict[str, str]:
    """What the project requires, with its verdicts, by characteristic.

    All figures that may be required tell how well speakers are told apart; what is required of several
    datasets is a criterion of generalisation as well.
    """
    found = frame.verdicts
    datasets = {item.id: item.dataset for item in frame.material.project.items}
    several = [one for one in found if len({datasets[row.entry_id] for row in one.rows}) > 1]
    return {"discrimination": _listed(found), "generalisation": _listed(several)}


def _listed(found: Sequence[Verdict]) -> str:
    """The first of them by name, and how many others there are; empty for none."""
    items = [
        say("validation.criterion", name=one.requirement.name, outcome=one.in_words)
        for one in found[:_MOST_CRITERIA]
    ]
    others = len(found) - len(items)
    return clauses([*items, say("validation.criteria-others", count=others) if others else ""])


def _range(entries: Iterable[Entry], figure: str) -> str:
    """The smallest and largest value of a figure over the assessments."""
    found = [
        (value, fewer(entry.assessment))
        for entry in entries
        if (value := getattr(entry.assessment, figure)) is not None
    ]
    if not found:
        return NOTHING
    key = "cllr_bits" if figure == "calibration_loss_bits" else figure
    low, high = (with_unit(key, *end) for end in (min(found), max(found)))
    return low if low == high else say("robustness.range", low=low, high=high)


def _of_llrs(frame: Frame, figure: str) -> str:
    """The range of a figure over assessments of declared LLRs alone: raw scores claim no calibration."""
    entries = [entry for entry in frame.entries if entry.assessment.has_llrs]
    return _range(entries, figure) if entries else ""


def _robustness(frame: Frame) -> str:
    """How far D_ECE moves at most when one speaker is left out."""
    moved = [
        (max(span.high - found.figures["d_ece_bits"], found.figures["d_ece_bits"] - span.low), entry)
        for entry in frame.entries
        if (found := frame.project.robust.get(entry.id))
        and (span := found.span("d_ece_bits", LeftOutUnit.SPEAKER)) is not None
    ]
    if not moved:
        return ""
    most, entry = max(moved, key=lambda one: one[0])
    bits = with_unit("d_ece_bits", most, fewer(entry.assessment))
    return say("validation.robustness-result", bits=bits, name=frame.row_name(entry))


def _coherence(frame: Frame) -> str:
    """Whether who knows more finds no less, as far as that can be told."""
    line = next(one for one in checklist(frame.project) if one.check is Check.ATTACKERS)
    if line.outcome is CheckOutcome.CANNOT_TELL:
        return ""
    return named(str(line.check), f"{line.outcome}. {line.sentences(1)[0]}")


def _generalisation(frame: Frame) -> str:
    """What one safeguard gives away in several datasets, where it was tried in several."""
    by_safeguard: dict[tuple[object, ...], list[Entry]] = {}
    for entry in frame.entries:
        key = (entry.name, entry.run, entry.condition, entry.attack)
        by_safeguard.setdefault(key, []).append(entry)
    several = [entries for entries in by_safeguard.values() if len({one.dataset for one in entries}) > 1]
    if not several:
        return ""
    widest = max(several, key=_spread)
    facts = {"name": widest[0].full_name, "count": len({one.dataset for one in widest})}
    return say("validation.generalisation-result", range=_range(widest, "d_ece_bits"), **facts)


def _spread(entries: list[Entry]) -> float:
    bits = [entry.assessment.d_ece_bits for entry in entries]
    return max(bits) - min(bits)


# The method: every metric in a paragraph with its formula, and what holds for all of them.


def method(frame: Frame) -> tuple[Block, ...]:
    """How the figures were computed."""
    settings = frame.entries[0].assessment.settings if frame.entries else None
    blocks: list[Block] = [paragraph(say("method.notation")), paragraph(say("method.calibration"))]
    blocks += [paragraph(say("method.ties"))]
    if any(entry.recogniser == in_english("attack.words") for entry in frame.entries):
        blocks.append(paragraph(say("method.words")))
    if settings is not None:
        limit, points = written(settings.prior_log_odds_limit, "g"), settings.prior_points
        blocks.append(paragraph(say("method.grid", limit=limit, points=points)))
        blocks.append(paragraph(say(f"method.scores-{_meaning(frame)}")))
        one_in = grouped(settings.prior_one_in)
        blocks += [_metric(*each, one_in=one_in) for each in document.OF_SCORES.items()]
    if any(entry.assessment.has_llrs for entry in frame.entries):
        blocks += [_metric(*each) for each in document.OF_STATED_LLRS.items()]
    if frame.material.speakers:
        blocks += [_metric("speakers", None), _metric("zoo", None)]
    if frame.project.similarities:
        blocks += [_metric(*each) for each in document.OF_SIMILARITY.items()]
    blocks.append(paragraph(say("method.standards")))
    blocks += [Heading(say("method.scale-head")), TagLegend(scale_badges(frame.project.tag_scale))]
    return (
        *blocks,
        paragraph(say("method.scale")),
        *scales_in_words(frame),
        *_from_satellites(frame),
    )


def _from_satellites(frame: Frame) -> Iterator[Block]:
    if frame.material.records or frame.material.records.missing:
        yield from provenance().section(frame)
    for number, study in enumerate(frame.project.studies, start=1):
        yield from study.satellite.section(study, number)


def _meaning(frame: Frame) -> str:
    """What the scores were said to be, where it is the same for all."""
    meanings = {entry.assessment.settings.score_meaning.value for entry in frame.entries}
    return meanings.pop() if len(meanings) == 1 else "mixed"


def _metric(name: str, formula: Formula | None, **facts: str) -> ExplainedFigure:
    text = say(f"method.{name}", full=disclosure(FULL_DISCLOSURE_BITS), folds=FOLDS, **facts)
    return ExplainedFigure(say(f"method.{name}-name", **facts), formula, text)
