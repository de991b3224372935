"""A row of a verdict by its one-sided bounds: whether they lie within what is required."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from zebra_core.metrics.chance.multiple_testing import Family
from zebra_core.project.requirements.figures import INFERENCE, OF_OTHERS, PI_SING
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.verdicts.verdict import RowVerdict, VerdictOutcome
from zebra_core.uncertainty.bounded import BoundedFigure
from zebra_core.uncertainty.intervals import Interval
from zebra_core.uncertainty.linking_points import above_guessing
from zebra_core.uncertainty.one_sided import Spread, more_speakers, one_sided
from zebra_core.wording.texts import say, written


@dataclass(frozen=True)
class BoundedRow:
    """One row that has bounds: the figure or difference, and what is said and simulated of it."""

    entry_id: str
    name: str
    value: float
    within: Interval  # at the confidence
    beyond: Interval  # at that corrected for the rows
    spread: Spread
    n_speakers: int
    limit: float  # the bound on the scale of the draws


def decided(asked: Requirement, row: BoundedRow, count: float) -> RowVerdict:
    """Met, not met, or open; the level is that of `count` tests together, as far as they are not alike."""
    assert asked.confidence is not None  # noqa: S101 - for the type checker: it has bounds
    bound, is_upper = float(asked.bound), asked.is_upper
    nearest, farthest = (row.within.high, row.beyond.low) if is_upper else (row.within.low, row.beyond.high)
    side = 1.0 if is_upper else -1.0
    nearest_excess, farthest_excess = side * (nearest - bound), side * (farthest - bound)
    words = asked.of.difference_in_words if asked.no_worse_than else asked.of.in_words
    facts = {"value": words(row.value), "confidence": written(100.0 * asked.confidence, "g")}
    made = RowVerdict(
        row.entry_id,
        row.name,
        VerdictOutcome.NOT_DECIDED,
        "",
        row.value,
        row.beyond.low if is_upper else row.within.low,
        row.within.high if is_upper else row.beyond.high,
        n_speakers=row.n_speakers,
    )
    if nearest_excess <= 0.0:
        sentence = say(f"verdict.bound-{'upper' if is_upper else 'lower'}", **facts, bound=words(nearest))
        return replace(made, outcome=VerdictOutcome.MET, finding=sentence, excess=nearest_excess)
    if farthest_excess > 0.0:
        code = f"verdict.bound-{'lower' if is_upper else 'upper'}{'-corrected' if count > 1 else ''}"
        sentence = say(code, **facts, bound=words(farthest))
        return replace(made, outcome=VerdictOutcome.NOT_MET, finding=sentence, excess=farthest_excess)
    low, high = row.within.low, row.within.high
    sentence = say("verdict.open", **facts, low=words(low), high=words(high))
    if asked.figure == OF_OTHERS:  # it grows with the number of speakers: more of them decide nothing
        return replace(made, finding=sentence, excess=nearest_excess, reasons=(say("verdict.more-grows"),))
    more = more_speakers(
        row.spread,
        row.limit,
        met_at=asked.confidence,
        missed_at=Family(max(1, count), asked.confidence).level_of_each,
        is_upper=is_upper,
    )
    return replace(made, finding=sentence, excess=nearest_excess, is_open=True, more=more)


def bounded_row(
    asked: Requirement, row_id: str, name: str, figure: BoundedFigure, count: float
) -> BoundedRow:
    """A row whose bounds are made of these draws, on the scale of what is required."""
    draws, confidence = figure.draws, asked.confidence
    assert draws is not None and confidence is not None  # noqa: S101, PT018 - for the type checker
    within = one_sided(draws, confidence)
    beyond = one_sided(draws, Family(max(1, count), confidence).level_of_each)
    value = min(max(draws.corrected, within.low), within.high)
    shown = partial(_as_required, asked, chance=figure.chance)
    limit, chance = float(asked.bound), figure.chance
    if asked.figure == INFERENCE and chance is not None:
        limit = chance + limit * (1.0 - chance)
    return BoundedRow(
        row_id,
        name,
        shown(value),
        Interval(shown(within.low), shown(within.high)),
        Interval(shown(beyond.low), shown(beyond.high)),
        Spread.of(draws),
        draws.n_clusters,
        limit,
    )


def _as_required(asked: Requirement, value: float, chance: float | None) -> float:
    """A value as it is required: an inference above guessing, singling out from guessing upwards.

    An attacker may ignore the scores: less than guessing reaches is no protection.
    """
    if chance is None or asked.figure not in (INFERENCE, PI_SING):
        return value
    return above_guessing(value, chance) if asked.figure == INFERENCE else max(value, chance)
