"""APE and NBER: the Bayes error over the prior, absolute and as a share of deciding by the prior alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.evidence.trials import FloatArray
from zebra_core.figures.figure import Axis, Figure, Ink, Line, Points
from zebra_core.figures.series import alt_text_of, colour_of, drawn_together, line_of, prior_marks, reduced
from zebra_core.metrics.error_rates import BayesErrorProfile, ErrorRates, bayes_error_profile
from zebra_core.project.items import Entry
from zebra_core.wording.texts import percent, say

SHOWN_LOG_ODDS = 8.0
_STEPS = 1601  # one for every pixel and more: actual curves jump wherever a score is a threshold
_MOST_NORMALISED = 1.5  # worse than without LLRs; how much worse is not drawn


def ape_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    actual: bool = False,
    prior_log_odds: float | None = None,
) -> Figure:
    """The least Bayes error of every entry over the prior log-odds, with the ROCCH-EER at its peak.

    `selected` is the id of the entry to emphasise. With `actual` the error of the scores taken for LLRs is
    drawn, too; `prior_log_odds` marks a prior. Ref: Brümmer and de Villiers 2011.
    """
    x = Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS)
    y = Axis(say("figure.bayes-error"), 0.0, 0.55)
    entries = drawn_together(entries)
    profiles = [_fine_profile(entry) for entry in entries]
    by_prior = reduced(profiles[0].prior_log_odds, profiles[0].default, x, y)
    lines = [Line(*by_prior, say("figure.by-prior"), Ink.FOREGROUND)]
    for entry, profile in zip(entries, profiles, strict=True):
        curve = profile.prior_log_odds, profile.minimum
        lines.append(line_of(entry, curve, (x, y), _label(entry), selected=selected))
        if actual:
            curve = profile.prior_log_odds, profile.actual
            lines.append(line_of(entry, curve, (x, y), _actual(entry), second=True, selected=selected))
    return Figure(
        title=say("figure.ape-title"),
        x=x,
        y=y,
        lines=(*prior_marks(prior_log_odds, y), *lines),
        alt_text=alt_text_of(
            say("figure.ape-alt"), [_label(entry) for entry in entries], entries, pairs=actual
        ),
        points=tuple(_peak(entry) for entry in entries),
    )


def nber_figure(
    entries: Sequence[Entry],
    selected: str | None = None,
    *,
    actual: bool = False,
    prior_log_odds: float | None = None,
) -> Figure:
    """The normalised Bayes error: a share of the error of deciding by the prior alone.

    Arguments are those of `ape_figure`.
    """
    x = Axis(say("figure.prior-log-odds"), -SHOWN_LOG_ODDS, SHOWN_LOG_ODDS)
    y = Axis(say("figure.nber"), 0.0, _MOST_NORMALISED if actual else 1.1)
    ends = np.array([x.low, x.high])
    entries = drawn_together(entries)
    lines = [Line(ends, np.ones(2), say("figure.by-prior"), Ink.FOREGROUND)]
    for entry in entries:
        profile = _fine_profile(entry)
        curve = profile.prior_log_odds, profile.normalised_minimum
        lines.append(line_of(entry, curve, (x, y), _label(entry), selected=selected))
        if actual:
            # Far above the frame only the way out matters.
            above = np.minimum(profile.normalised_actual, 2.0 * y.high)
            curve = profile.prior_log_odds, above
            lines.append(line_of(entry, curve, (x, y), _actual(entry), second=True, selected=selected))
    return Figure(
        title=say("figure.nber-title"),
        x=x,
        y=y,
        lines=(*prior_marks(prior_log_odds, y), *lines),
        alt_text=alt_text_of(
            say("figure.nber-alt"), [_label(entry) for entry in entries], entries, pairs=actual
        ),
    )


def _fine_profile(entry: Entry) -> BayesErrorProfile:
    """The profile at many priors, among them every corner of the least error."""
    found = entry.assessment
    llrs = found.llrs
    return bayes_error_profile(_priors(found.plain.llr), llrs.score, ErrorRates.of(llrs), found.plain)


def _priors(oracle_llr: FloatArray) -> FloatArray:
    corners = -oracle_llr[np.abs(oracle_llr) < SHOWN_LOG_ODDS]
    return np.union1d(np.linspace(-SHOWN_LOG_ODDS, SHOWN_LOG_ODDS, _STEPS), corners)


def _peak(entry: Entry) -> Points:
    """Where the least error is greatest: where the oracle LLR of the crossing leads to even odds."""
    found = entry.assessment
    llr = found.plain.llr[ErrorRates.of(found.plain).crossing]
    place = -llr if np.isfinite(llr) else 0.0
    return Points(np.array([place]), np.array([found.rocch_eer]), colour_of(entry))


def _label(entry: Entry) -> str:
    return say("figure.with-eer", name=entry.full_name, eer=percent(entry.assessment.rocch_eer))


def _actual(entry: Entry) -> str:
    return say("figure.as-they-are", name=entry.full_name)
