"""The most that so many trials can show at all, whatever their scores are."""

from __future__ import annotations

import math


def worst_case_ceiling_log10_lr(n_target: int, n_nontarget: int) -> float:
    """The largest worst case that so many trials can show at all: perfect separation under Laplace's rule."""
    against, for_ = ceilings_log10_lr(n_target, n_nontarget)
    return max(for_, -against)


def ceilings_log10_lr(n_target: int, n_nontarget: int) -> tuple[float, float]:
    """The lowest and highest base-10 LLR that so many trials can show: all targets above all nontargets."""
    for_two = math.log10((n_nontarget + 1) * n_target / n_nontarget)
    return 0.0 - for_two, math.log10((n_target + 1) * n_nontarget / n_target)
