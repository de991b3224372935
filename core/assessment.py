"""assess(): everything that is computed from one set of trials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.calibration import laplace, pav
from core.counts import ScoreCounts
from core.ece import EceProfile, ece_bits, prior_entropy_bits
from core.progress import Progress, no_progress
from core.remarks import Remark
from core.trials import InputFile, Trials
from core.verification import cllr_bits, eer, linkability, rocch_eer
from core.zebra import (
    FULL_DISCLOSURE_BITS,
    PAPER_SCALE,
    TagScale,
    d_ece_bits,
    worst_case_ceiling_log10_lr,
    worst_case_log10_lr,
)


@dataclass(frozen=True)
class Settings:
    """What an assessment depends on beside its trials."""

    tag_scale: TagScale = PAPER_SCALE
    prior_log_odds_limit: float = (
        10.0  # natural log-odds; the grid is for display, the figures are closed form
    )
    prior_points: int = 201
    scores_are_llrs: bool = False  # the user says that the scores are natural-log LLRs


@dataclass(frozen=True, eq=False)
class Assessment:
    """Everything computed from one set of trials. Rates are fractions; None means not measurable."""

    n_target: int
    n_nontarget: int
    d_ece_bits: float
    worst_case_log10_lr: float
    worst_case_ceiling_log10_lr: float
    tag: str
    eer: float
    rocch_eer: float
    cllr_bits: float
    min_cllr_bits: float
    linkability: float | None
    profile: EceProfile
    settings: Settings
    files: tuple[InputFile, ...]
    remarks: tuple[Remark, ...]

    @property
    def share_of_full_disclosure(self) -> float:
        """D_ECE as a share of what perfectly separated classes disclose, 0 … 1."""
        return self.d_ece_bits / FULL_DISCLOSURE_BITS


def assess(
    trials: Trials, settings: Settings | None = None, on_progress: Progress = no_progress
) -> Assessment:
    """Compute every figure of one set of trials; O(n log n), one sort.

    The order of the trials is irrelevant; equal scores are pooled. `on_progress` may raise Cancelled.
    """
    settings = settings or Settings()
    on_progress(0.0)
    counts = ScoreCounts.of_trials(trials)
    on_progress(0.3)
    plain = pav(counts)
    oracle = plain.llr, plain.target_share, plain.nontarget_share
    as_llrs = counts.score, counts.target_share, counts.nontarget_share
    worst_case = worst_case_log10_lr(laplace(plain))
    on_progress(0.4)

    log_odds = np.linspace(
        -settings.prior_log_odds_limit, settings.prior_log_odds_limit, settings.prior_points
    )
    profile = EceProfile(
        prior_log_odds=log_odds,
        default_bits=prior_entropy_bits(log_odds),
        min_bits=ece_bits(log_odds, *oracle),
        actual_bits=ece_bits(log_odds, *as_llrs),
    )
    on_progress(0.9)
    linkable = linkability(counts)
    remarks = list(trials.remarks)
    if linkable is None:
        remarks.append(Remark("linkability-not-measurable", {"count": trials.n_target}))
    if not settings.scores_are_llrs:
        remarks.append(Remark("scores-taken-for-llrs"))
    result = Assessment(
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
        d_ece_bits=d_ece_bits(*oracle),
        worst_case_log10_lr=worst_case,
        worst_case_ceiling_log10_lr=worst_case_ceiling_log10_lr(counts.total_target, counts.total_nontarget),
        tag=settings.tag_scale.tag_of(worst_case).letter,
        eer=eer(counts),
        rocch_eer=rocch_eer(plain),
        cllr_bits=cllr_bits(*as_llrs),
        min_cllr_bits=cllr_bits(*oracle),
        linkability=linkable,
        profile=profile,
        settings=settings,
        files=trials.files,
        remarks=tuple(remarks),
    )
    on_progress(1.0)
    return result
