"""What protection costs: DeID over distinctiveness, disclosure over utility, and what listeners hear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from zebra_core.figures.distributions import det_figure
from zebra_core.figures.figure import Axis, Figure, Line, Marker, NamedPoints
from zebra_core.figures.series import alt_text_of, colour_of, guide
from zebra_core.metrics.assessment import assess_counts
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.project.comparison.row import ComparisonRow
from zebra_core.project.items import SafeguardLabels, basis_in_words, distinct_names, of_one_picture
from zebra_core.uncertainty.shown import in_a_legend, leading_bits
from zebra_core.utility.listening import RatingQuestion
from zebra_core.wording.texts import decibels, percent, say, written

_MARKERS = tuple(Marker)

EMOTIONS: Literal["uar"] = "uar"
"""What the utility of a trade-off is where it is neither words nor what listeners say."""
Kept = RatingQuestion | Literal["uar"] | None
"""What was kept of speech: answers to a question, emotions, or words (None)."""


def with_matrices(rows: Sequence[ComparisonRow]) -> list[ComparisonRow]:
    """The rows that have both DeID and G_VD, one for each set of matrices."""
    found: dict[int, ComparisonRow] = {}
    for row in rows:
        if row.de_id is not None and row.g_vd_db is not None:
            found.setdefault(id(row.similarity), row)
    return list(found.values())


def with_utility(rows: Sequence[ComparisonRow], question: Kept = None) -> list[ComparisonRow]:
    """The rows whose word error rate, recall of emotions, or answers to a question, are known.

    No axis is right for words and characters, nor for two scales of ratings: rows of characters are there
    where none has words, and those of the scale that the first has.
    Unprotected speech, which lies in the folder of every safeguard, is there once.
    """
    found: dict[object, ComparisonRow] = {}
    rate = _rate_of(rows, question)
    heard = (
        [row.utility.listening[question] for row in rows if question in row.utility.listening]
        if isinstance(question, RatingQuestion)
        else []
    )
    for row in rows:
        if not isinstance(question, RatingQuestion):
            known = getattr(row.utility, rate) is not None
        else:
            ratings = row.utility.listening.get(question)
            known = ratings is not None and ratings.highest == heard[0].highest
        if known:
            own = row.entry.id if not row.group.is_of_unprotected else row.assessment.d_ece_bits
            found.setdefault((row.group, own), row)
    return list(found.values())


def distinctiveness_figure(rows: Sequence[ComparisonRow], selected: str | None = None) -> Figure:
    """DeID over G_VD of every safeguard (csl2022, section 5.1): up is protected, right keeps voices apart.

    Colours are the safeguards', shapes tell datasets apart. `rows` are those of `with_matrices`, not none.
    """
    gains = [row.g_vd_db or 0.0 for row in rows]
    shares = [100.0 * (row.de_id or 0.0) for row in rows]
    low, high = min(0.0, *gains), max(0.0, *gains)
    margin = 0.08 * (high - low) or 1.0
    x = Axis(say("compare.g-vd"), low - margin, high + margin)
    y = Axis(say("compare.de-id"), min(0.0, *shares), 105.0)
    labels = [
        say(
            "compare.distinctiveness-label",
            name=name,
            de_id=percent(row.de_id).replace("-", "−"),
            g_vd=decibels(row.g_vd_db),
        )
        for row, name in zip(rows, _speech_names(rows), strict=True)
    ]
    return Figure(
        title=say("compare.distinctiveness-title"),
        x=x,
        y=y,
        lines=(guide((0.0, 0.0), (y.low, y.high)), guide((x.low, x.high), (100.0, 100.0))),
        alt_text=alt_text_of(say("compare.distinctiveness-alt"), labels),
        points=_points(rows, [row.group.dataset for row in rows], (gains, shares), labels, selected),
    )


def utility_figure(
    rows: Sequence[ComparisonRow], selected: str | None = None, *, question: Kept = None
) -> Figure:
    """Population disclosure over the word (or character) error rate, the recall of emotions, or ratings.

    Colours are the safeguards', shapes tell groups apart; a bar is the interval of a rate over speakers,
    where these are known. `rows` are those of `with_utility`, at least one.
    """
    rate = _rate_of(rows, question)
    across = [_utility(row, question, rate) for row in rows]
    ends = [None if isinstance(question, RatingQuestion) else row.utility_interval(rate) for row in rows]
    together = of_one_picture([row.entry for row in rows])
    rows = [replace(row, entry=entry) for row, entry in zip(rows, together, strict=True)]
    up = [leading_bits(row.assessment, row.entry.trust) for row in rows]
    if not isinstance(question, RatingQuestion):
        most = max([*across, *(100.0 * each.high for each in ends if each)])
        x = Axis(say(f"compare.{rate}"), 0.0, 100.0 if question else max(10.0, 1.08 * most))
    else:
        highest = rows[0].utility.listening[question].highest
        x = Axis(say(f"compare.{question.value}", highest=highest), 1.0, float(highest))
    y = Axis(say("compare.population", basis=basis_in_words(together)), 0.0, 1.05 * FULL_DISCLOSURE_BITS)
    names = distinct_names([row.entry for row in rows])
    labels = [
        say(
            "compare.utility-label",
            name=name,
            utility=_utility_in_words(value, question, rate),
            d_ece=in_a_legend("d_ece_bits", row.assessment, row.entry.trust),
        )
        for name, value, row in zip(names, across, rows, strict=True)
    ]
    return Figure(
        title=say("compare.utility-title"),
        x=x,
        y=y,
        lines=(
            guide((x.low, x.high), (FULL_DISCLOSURE_BITS, FULL_DISCLOSURE_BITS)),
            *(
                Line(100.0 * np.array([each.low, each.high]), np.full(2, bits), None, colour_of(row.entry))
                for each, bits, row in zip(ends, up, rows, strict=True)
                if each
            ),
        ),
        alt_text=alt_text_of(say("compare.utility-alt"), labels),
        points=_points(rows, [row.group for row in rows], (across, up), labels, selected),
    )


def listening_figure(
    rows: Sequence[ComparisonRow], question: RatingQuestion, selected: str | None = None
) -> Figure:
    """DET curves of listeners (VoicePrivacy 2020 evaluation plan, 6.2), one for each speech that was rated.

    Their ratings are the scores; the classes are targets and nontargets, or clean and protected speech.
    `rows` are those of `with_utility`, at least one.
    """
    heard = {row.entry.speech: row for row in reversed(rows)}
    of_each = [row for row in rows if heard[row.entry.speech] is row]
    entries = [
        replace(row.entry, trials=None, assessment=assess_counts(row.utility.listening[question].counts))
        for row in of_each
    ]
    figure = det_figure(entries, selected)
    # The curves are of speech, whatever condition it is heard in.
    names = iter(_speech_names(of_each))
    eers = iter(percent(entry.assessment.rocch_eer) for entry in entries)
    lines = tuple(
        line
        if line.label is None
        else replace(line, label=say("figure.with-eer", name=next(names), eer=next(eers)))
        for line in figure.lines
    )
    return replace(
        figure,
        title=say(f"compare.listening-{question.value}-title"),
        lines=lines,
        alt_text=alt_text_of(say("figure.det-alt"), [line.label for line in lines if line.label]),
    )


def _points(
    rows: Sequence[ComparisonRow],
    shapes: Sequence[object],
    places: tuple[Sequence[float], Sequence[float]],
    labels: Sequence[str],
    selected: str | None,
) -> tuple[NamedPoints, ...]:
    """One point for each row; rows of equal `shapes` have one marker."""
    kinds, (x, y) = list(dict.fromkeys(shapes)), places
    return tuple(
        NamedPoints(
            np.array([x[k]]),
            np.array([y[k]]),
            colour_of(row.entry),
            labels[k],
            _MARKERS[kinds.index(shapes[k]) % len(_MARKERS)],
            names=(labels[k],),
            emphasised=frozenset({labels[k]} if row.entry.id == selected else ()),
        )
        for k, row in enumerate(rows)
    )


def _speech_names(rows: Sequence[ComparisonRow]) -> list[str]:
    """The names of safeguards with their datasets, without the condition, which plays no part."""
    return distinct_names(
        [SafeguardLabels(row.entry.name, dataset=row.group.dataset, run=row.entry.run) for row in rows]
    )


def _rate_of(rows: Sequence[ComparisonRow], question: Kept) -> str:
    """The rate that the rows are compared by: of emotions if asked; of words, where any has it."""
    if question == EMOTIONS:
        return EMOTIONS
    return "wer" if any(row.utility.wer is not None for row in rows) else "cer"


def _utility(row: ComparisonRow, question: Kept, rate: str) -> float:
    if not isinstance(question, RatingQuestion):
        return 100.0 * float(getattr(row.utility, rate) or 0.0)
    ratings = row.utility.listening[question]
    return (
        ratings.lower_mean
        if row.group.condition is None or not row.group.is_of_unprotected
        else ratings.upper_mean
    )


def _utility_in_words(value: float, question: Kept, rate: str) -> str:
    told = question.value if isinstance(question, RatingQuestion) else rate
    return say(f"compare.told-{told}", value=written(value, ".2f"))
