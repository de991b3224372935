"""assess(): everything that is computed from one set of trials."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from zebra_core.evidence.audit import Audit
from zebra_core.evidence.counts import CountedTrials, ScoreCounts
from zebra_core.evidence.file_remarks import remarks_on_inputs
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.trials import FloatArray, Trials
from zebra_core.metrics.calibration import PavBlocks, laplace, pav
from zebra_core.metrics.costs import BayesErrorProfile, bayes_error_profile
from zebra_core.metrics.ece import EceProfile, ece_bits, prior_entropy_bits
from zebra_core.metrics.error_rates import ErrorRates, MisleadingEvidence
from zebra_core.metrics.scales import PAPER_SCALE, TagScale, VerbalScale
from zebra_core.metrics.verification import cllr_bits, linkability, recall_at_false_alarm_rates, rocch_eer
from zebra_core.metrics.zebra import (
    FULL_DISCLOSURE_BITS,
    LN10,
    d_ece_bits,
    worst_case_ceiling_log10_lr,
    worst_case_log10_lr,
)
from zebra_core.runtime.progress import Progress, no_progress, part_of


class ScoreMeaning(Enum):
    """What the user says the scores are."""

    RAW = "raw"  # nothing said: actual curves and Cllr judge them as if they were natural-log LLRs
    NATURAL_LLR = "natural-llr"
    LOG10_LR = "log10-lr"


@dataclass(frozen=True)
class Settings:
    """What an assessment depends on beside its trials."""

    tag_scale: TagScale = PAPER_SCALE
    verbal_scale: VerbalScale | None = None  # shown beside the tags where given
    prior_log_odds_limit: float = (
        10.0  # natural log-odds; the grid is for display, the figures are closed form
    )
    prior_points: int = 201
    score_meaning: ScoreMeaning = ScoreMeaning.RAW

    @property
    def prior_log_odds(self) -> FloatArray:
        """The priors that profiles are computed at, as natural log-odds; shape (prior_points,)."""
        return np.linspace(-self.prior_log_odds_limit, self.prior_log_odds_limit, self.prior_points)


@dataclass(frozen=True, eq=False)
class Assessment:
    """Everything computed from one set of trials. Rates are fractions; None means not measurable.

    `counts` and `plain` are what the figures were computed from and what curves are drawn from without a
    second sort: 24 bytes for each distinct score, and little for the PAV blocks.
    """

    n_target: int
    n_nontarget: int
    d_ece_bits: float
    worst_case_log10_lr: float
    worst_case_ceiling_log10_lr: float
    strongest_against_log10_lr: float  # the lowest and the highest oracle LLR under Laplace's rule:
    strongest_for_log10_lr: float  # the worst case is the greater of their magnitudes
    tag: str
    eer: float
    rocch_eer: float
    cllr_bits: float
    min_cllr_bits: float
    linkability: float | None
    recall: dict[float, float | None]  # false-alarm rate to true-positive rate
    misleading: MisleadingEvidence  # of the scores as LLRs
    oracle_misleading: MisleadingEvidence  # of oracle-calibrated LLRs
    profile: EceProfile
    bayes_errors: BayesErrorProfile
    counts: ScoreCounts
    plain: PavBlocks
    settings: Settings
    files: tuple[InputFile, ...]
    remarks_on_files: tuple[Remark, ...]
    audit: Audit | None  # None for trials that were not read from files

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the figures: first of the files, then of the figures."""
        told = [*remarks_on_inputs(self.files), *self.remarks_on_files]
        if self.linkability is None:
            told.append(Remark("linkability-not-measurable", {"count": self.n_target}))
        if self.settings.score_meaning is ScoreMeaning.RAW:
            told.append(Remark("scores-taken-for-llrs"))
        return tuple(told)

    @property
    def has_llrs(self) -> bool:
        """Whether the scores were stated to be LLRs: Cllr of raw scores says nothing about them."""
        return self.settings.score_meaning is not ScoreMeaning.RAW

    @property
    def share_of_full_disclosure(self) -> float:
        """D_ECE as a share of what perfectly separated classes disclose, 0 … 1."""
        return self.d_ece_bits / FULL_DISCLOSURE_BITS

    @property
    def calibration_loss_bits(self) -> float:
        """What Cllr loses by calibration alone: Cllr − min Cllr, at least 0."""
        return self.cllr_bits - self.min_cllr_bits

    @property
    def one_minus_min_cllr(self) -> float:
        """Discrimination as a share, 1 − min Cllr: 0 is none, 1 is perfect separation."""
        return 1.0 - self.min_cllr_bits

    @property
    def strongest_log10_lr(self) -> float:
        """The worst case with its sign; where both directions are as strong, that for one speaker."""
        for_one, for_two = self.strongest_for_log10_lr, self.strongest_against_log10_lr
        return for_one if for_one >= -for_two else for_two

    @property
    def llrs(self) -> ScoreCounts:
        """The scores as natural-log LLRs, with their counts; raw scores are taken for such."""
        return as_llrs(self.counts, self.settings.score_meaning)

    def on_scales(self, tag_scale: TagScale, verbal_scale: VerbalScale | None) -> Assessment:
        """The same figures with the tag that these scales give them."""
        if (tag_scale, verbal_scale) == (self.settings.tag_scale, self.settings.verbal_scale):
            return self
        return replace(
            self,
            tag=tag_scale.tag_of(self.worst_case_log10_lr).letter,
            settings=replace(self.settings, tag_scale=tag_scale, verbal_scale=verbal_scale),
        )


def as_llrs(counts: ScoreCounts, meaning: ScoreMeaning) -> ScoreCounts:
    """The scores as natural-log LLRs; an absurd log10 LR that leaves the range of floats becomes infinite."""
    if meaning is not ScoreMeaning.LOG10_LR:
        return counts
    with np.errstate(over="ignore"):
        return ScoreCounts(counts.score * LN10, counts.n_target, counts.n_nontarget)


def assess(
    trials: Trials | CountedTrials, settings: Settings | None = None, on_progress: Progress = no_progress
) -> Assessment:
    """Compute every figure of one set of trials; O(n log n), one sort.

    The order of the trials is irrelevant; equal scores are pooled. `on_progress` may raise Cancelled.
    """
    on_progress(0.0)
    counts = trials.counts if isinstance(trials, CountedTrials) else ScoreCounts.of_trials(trials)
    on_progress(0.6)
    return assess_counts(
        counts,
        settings,
        files=trials.files,
        remarks_on_files=trials.remarks,
        audit=trials.audit,
        on_progress=part_of(on_progress, 0.7, 1.0),
    )


def reassess(known: Assessment, settings: Settings, on_progress: Progress = no_progress) -> Assessment:
    """The assessment of the same trials under other settings; without another sort."""
    return assess_counts(
        known.counts,
        settings,
        plain=known.plain,
        files=known.files,
        remarks_on_files=known.remarks_on_files,
        audit=known.audit,
        on_progress=on_progress,
    )


def assess_counts(
    counts: ScoreCounts,
    settings: Settings | None = None,
    *,
    plain: PavBlocks | None = None,
    files: tuple[InputFile, ...] = (),
    remarks_on_files: tuple[Remark, ...] = (),
    audit: Audit | None = None,
    on_progress: Progress = no_progress,
) -> Assessment:
    """Compute every figure from counts, which are all that figures rest on; O(m) in distinct scores.

    `plain` is the PAV of these counts where it is known; the other arguments go into the assessment as given.
    """
    on_progress(0.0)
    settings = settings or Settings()
    plain = plain or pav(counts)
    smoothed = laplace(plain)
    oracle = plain.llr, plain.target_share, plain.nontarget_share
    llrs = as_llrs(counts, settings.score_meaning)
    actual = llrs.score, llrs.target_share, llrs.nontarget_share
    worst_case = worst_case_log10_lr(smoothed)

    log_odds = settings.prior_log_odds
    profile = EceProfile(
        prior_log_odds=log_odds,
        default_bits=prior_entropy_bits(log_odds),
        min_bits=ece_bits(log_odds, *oracle),
        actual_bits=ece_bits(log_odds, *actual),
    )
    on_progress(0.6)
    rates = ErrorRates.of(counts)
    result = Assessment(
        n_target=counts.total_target,
        n_nontarget=counts.total_nontarget,
        d_ece_bits=d_ece_bits(*oracle),
        worst_case_log10_lr=worst_case,
        worst_case_ceiling_log10_lr=worst_case_ceiling_log10_lr(counts.total_target, counts.total_nontarget),
        strongest_against_log10_lr=float(smoothed.llr[0] / LN10),
        strongest_for_log10_lr=float(smoothed.llr[-1] / LN10),
        tag=settings.tag_scale.tag_of(worst_case).letter,
        eer=rates.equal(),
        rocch_eer=rocch_eer(plain),
        cllr_bits=cllr_bits(*actual),
        min_cllr_bits=cllr_bits(*oracle),
        linkability=linkability(counts),
        recall=recall_at_false_alarm_rates(rates),
        misleading=MisleadingEvidence.of(*actual),
        oracle_misleading=MisleadingEvidence.of(*oracle),
        profile=profile,
        bayes_errors=bayes_error_profile(log_odds, llrs.score, rates, plain),
        counts=counts,
        plain=plain,
        settings=settings,
        files=files,
        remarks_on_files=remarks_on_files,
        audit=audit,
    )
    on_progress(1.0)
    return result
