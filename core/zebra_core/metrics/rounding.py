"""What rounding scores down to bins can have done to figures: computed from the counts, not guessed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from zebra_core.evidence.audit import Finding
from zebra_core.evidence.counting import BinnedCounts
from zebra_core.evidence.counts import CountedTrials, ScoreCounts
from zebra_core.evidence.remarks import Severity
from zebra_core.metrics.calibration import laplace, pav
from zebra_core.metrics.error_rates import ErrorRates
from zebra_core.metrics.verification import cllr_bits
from zebra_core.metrics.zebra import d_ece_bits, worst_case_log10_lr

ROUNDED = "rounded"
"""The code of the finding that scores were rounded."""
FIGURES = ("d_ece_bits", "min_cllr_bits", "eer", "worst_case_log10_lr")


def bounds(counted: BinnedCounts) -> dict[str, tuple[float, float]]:
    """Between which values each of `FIGURES` lies without rounding, lower end first; see `Extremes`."""
    extremes = counted.extremes()
    ends = [_figures(counts) for counts in (extremes.least, extremes.most)]
    return {name: (min(values), max(values)) for name, *values in zip(FIGURES, *ends, strict=True)}


def told_of_rounding(trials: CountedTrials) -> CountedTrials:
    """Trials with the warning that their scores were rounded, if they were, before what is only noted."""
    if not trials.width:
        return trials
    found = Finding(ROUNDED, Severity.WARNING, rounding_facts(BinnedCounts(trials.counts, trials.width)))
    audit = trials.audit and replace(trials.audit, findings=_before_notes(found, trials.audit.findings))
    return replace(trials, remarks=_before_notes(found.as_remark(), trials.remarks), audit=audit)


def rounding_facts(counted: BinnedCounts) -> dict[str, object]:
    """The facts of the finding that scores were rounded."""
    facts: dict[str, object] = {"power": round(-math.log2(counted.width)), "width": f"{counted.width:.2g}"}
    for name, (low, high) in bounds(counted).items():
        facts[name] = f"{low:.7g} … {high:.7g}"
    return facts


def _before_notes(one: Any, others: tuple[Any, ...]) -> tuple[Any, ...]:
    if any(other.code == one.code for other in others):
        return others
    is_noted = [other.severity is Severity.NOTE for other in others]
    at = [*is_noted, True].index(True)
    return (*others[:at], one, *others[at:])


def _figures(counts: ScoreCounts) -> tuple[float, float, float, float]:
    plain = pav(counts)
    oracle = plain.llr, plain.target_share, plain.nontarget_share
    eer = ErrorRates.of(counts).equal()
    return d_ece_bits(*oracle), cllr_bits(*oracle), eer, worst_case_log10_lr(laplace(plain))
