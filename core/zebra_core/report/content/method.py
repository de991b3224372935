"""The method: every metric in a paragraph with its formula, and what holds for all of them."""

from __future__ import annotations

from collections.abc import Iterator

from zebra_core.metrics.cross_fitting import FOLDS
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.satellites import provenance
from zebra_core.report import formulas
from zebra_core.report.content.frame import Frame
from zebra_core.report.content.opening import scale_badges, scales_in_words
from zebra_core.report.document import Block, ExplainedFigure, Heading, TagLegend, paragraph
from zebra_core.report.formulas import Formula
from zebra_core.wording.numbers import disclosure
from zebra_core.wording.texts import grouped, in_english, say, written


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
        blocks += [_metric(*each, one_in=one_in) for each in formulas.OF_SCORES.items()]
    if any(entry.assessment.has_llrs for entry in frame.entries):
        blocks += [_metric(*each) for each in formulas.OF_STATED_LLRS.items()]
    if frame.material.speakers:
        blocks += [_metric("speakers", None), _metric("zoo", None)]
    if frame.project.similarities:
        blocks += [_metric(*each) for each in formulas.OF_SIMILARITY.items()]
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
