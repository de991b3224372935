"""Empirical calibration: what was believed against what was so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.figures.figure import Axis, Figure, Points
from zebra_core.figures.llrs import ShownScores
from zebra_core.figures.series import alt_text_of, colour_of, drawn_together, guide, line_of
from zebra_core.metrics.distributions import EmpiricalCalibration, empirical_calibration
from zebra_core.metrics.zebra import LN10
from zebra_core.project.items import Entry
from zebra_core.wording.texts import say, written

BINS = 10


def calibration_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    shown: ShownScores = ShownScores.SCORES_AS_LLRS,
    bins: int = BINS,
    prior_log_odds: float | None = None,
) -> Figure:
    """Observed share of targets over the mean posterior of each bin (csl2022, Fig. 4).

    The prior is each entry's share of targets unless `prior_log_odds` is given. Beside the points of a single
    entry stand the counts of their bins. `selected` is the id of the entry to emphasise. Raises
    ValueError where bare scores are to be shown.
    """
    x = Axis(say("figure.posterior"), 0.0, 1.0)
    y = Axis(say("figure.observed"), 0.0, 1.0)
    entries = drawn_together(entries)
    lines = [guide((0.0, 1.0), (0.0, 1.0))]
    points, labels = [], []
    for entry in entries:
        values = shown.llrs_of(entry)
        natural = ScoreCounts(values.score * LN10, values.n_target, values.n_nontarget)
        found = empirical_calibration(natural, bins, prior_log_odds)
        labels.append(_label(entry, found))
        lines.append(line_of(entry, (found.posterior, found.observed), (x, y), labels[-1], selected=selected))
        texts = _counts(found) if len(entries) == 1 else ()
        points.append(Points(found.posterior, found.observed, colour_of(entry), texts=texts))
    return Figure(
        title=say("figure.calibration-title"),
        x=x,
        y=y,
        lines=tuple(lines),
        alt_text=alt_text_of(say("figure.calibration-alt"), labels, entries),
        points=tuple(points),
    )


def _counts(found: EmpiricalCalibration) -> tuple[str, ...]:
    return tuple(str(count) for count in found.n_target + found.n_nontarget)


def _label(entry: Entry, found: EmpiricalCalibration) -> str:
    prior = 1.0 / (1.0 + np.exp(-found.prior_log_odds))
    return say("figure.at-prior", name=entry.full_name, prior=written(prior, ".2g"))
