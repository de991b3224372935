"""assess(): everything that is computed from one set of trials."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from msgspec import Meta

from zebra_core.evidence.audit import BESIDE_TRIALS, Audit, InputFile, Remark, Severity, remarks_on_inputs
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.trials import CountedTrials, FloatArray, ScoreCounts, Trials
from zebra_core.metrics.cross_fitted import CrossFitted
from zebra_core.metrics.ece import EceProfile, PavBlocks, ece_bits, laplace, pav, prior_entropy_bits
from zebra_core.metrics.error_rates import (
    DecisionErrors,
    ErrorRates,
    InvarianceBounds,
    MisleadingEvidence,
    cllr_bits,
    dev_pav_log10,
    hits_at_false_alarm_rates,
    linkability,
    linkability_by_chance,
    oracle_decision_errors,
    rocch_eer,
    told_of_rounding,
)
from zebra_core.metrics.scales import PAPER_SCALE, TagScale, VerbalScale
from zebra_core.metrics.zebra import (
    FULL_DISCLOSURE_BITS,
    LN10,
    ReversedFigures,
    ceilings_log10_lr,
    d_ece_bits,
    strongest_log10_lrs,
    worst_case_ceiling_log10_lr,
    worst_case_log10_lr,
)
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.wording.texts import disclosure, log10_lr, say

if TYPE_CHECKING:
    import pandas as pd


FIRST_PRIOR = 100
"""The prior at which decisions are judged unless the user considers another, as 1 in so many."""
HIGHEST_PRIOR = 10**9


class ScoreMeaning(Enum):
    """What the user says the scores are: `RAW` (nothing is said), `NATURAL_LLR` or `LOG10_LR`.

    Cllr, the actual curves and misleading evidence judge raw scores as if they were natural-log LLRs.

    Examples
    --------
    >>> from zebra_core import ScoreMeaning, Settings, Trials, assess
    >>> trials = Trials.from_scores(target=[1.0, 2.0], nontarget=[-1.0, -2.0])
    >>> for meaning in ScoreMeaning:
    ...     found = assess(trials, Settings(score_meaning=meaning))
    ...     print(meaning.name, round(found.cllr_bits, 3))
    RAW 0.318
    NATURAL_LLR 0.318
    LOG10_LR 0.076
    """

    RAW = "raw"
    NATURAL_LLR = "natural-llr"
    LOG10_LR = "log10-lr"


NEVER_NEGATIVE = "llrs-never-negative"
"""The remark at which a user may decide that scores are likelihood ratios, not their logarithms."""
REVERSED_DISCLOSES_MORE = "reversed-discloses-more"
"""The remark at which a user may decide that lower means more alike."""
UNORDERED_DISCLOSES_MORE = "unordered-discloses-more"
CROSS_FITTED_BY_TRIALS = "cross-fitted-by-trials"


class EvidenceReading(Enum):
    """Which way scores are turned into evidence."""

    GIVEN = "given"  # higher is more alike, or as the user decided
    REVERSED = "reversed"
    UNORDERED = "unordered"  # learnt from the scores, without any order


@dataclass(frozen=True)
class Settings:
    """What an assessment depends on beside its trials.

    Attributes
    ----------
    `tag_scale`
        From which worst case on a tag is given.
    `verbal_scale`
        Which words are shown beside it; None for none.
    `prior_log_odds_limit`, `prior_points`
        Profiles have so many priors between ± that limit (natural log-odds); D_ECE does not depend on them.
    `score_meaning`
        What the scores are.
    `prior_one_in`
        At which prior decisions are judged: 1 in so many, from 2 on.

    Examples
    --------
    >>> from zebra_core import Settings, Trials, assess
    >>> settings = Settings(prior_log_odds_limit=2.0, prior_points=5)
    >>> settings.prior_log_odds
    array([-2., -1.,  0.,  1.,  2.])
    >>> found = assess(Trials.from_scores([2.0, 1.0], [1.0, 0.0]), settings)
    >>> found.profile.min_bits.round(2)
    array([0.26, 0.42, 0.5 , 0.42, 0.26])
    """

    tag_scale: TagScale = PAPER_SCALE
    verbal_scale: VerbalScale | None = None
    prior_log_odds_limit: Annotated[float, Meta(ge=1e-3, le=1e3)] = 10.0
    prior_points: Annotated[int, Meta(ge=2, le=10_001)] = 201
    score_meaning: ScoreMeaning = ScoreMeaning.RAW
    prior_one_in: int = FIRST_PRIOR

    @property
    def prior_log_odds(self) -> FloatArray:
        """The priors that profiles are computed at, as natural log-odds; shape (prior_points,)."""
        return np.linspace(-self.prior_log_odds_limit, self.prior_log_odds_limit, self.prior_points)


@dataclass(frozen=True, eq=False, repr=False)
class Assessment:
    """Everything computed from one set of trials. Rates are fractions; None means not measurable.

    Trials with equal scores stay together: they are one step of the ROC and lie in one block of the oracle
    calibration (PAV). The papers are those of the manual's glossary.

    Attributes
    ----------
    `n_target`, `n_nontarget`
        How many trials there are of each class.
    `d_ece_bits`
        Population disclosure D_ECE as computed, in bits: 0 … 0.7213, which is 1/(2 ln 2); from plain PAV, in
        closed form (ZEBRA paper, eq. 6).
    `worst_case_log10_lr`
        The largest |LLR| that a trial got from PAV under Laplace's rule, base 10 (ZEBRA paper, eq. 8); 0
        where all scores are equal.
    `worst_case_ceiling_log10_lr`
        The most that so many trials can show, base 10.
    `strongest_against_log10_lr`, `strongest_for_log10_lr`
        The outermost of these LLRs with their signs, base 10: the first is at most 0, the second at least 0.
    `tag`
        The letter of the worst case on the scale of the settings; "0" only where all scores are equal.
    `eer`
        Equal error rate over the distinct scores, read along the line between two thresholds where none makes
        the rates equal.
    `rocch_eer`
        The equal error rate on the convex hull of the ROC.
    `cllr_bits`
        The cost of the scores as LLRs, in bits, 1 where they say nothing.
    `min_cllr_bits`
        `cllr_bits` after plain PAV (Brümmer and du Preez 2006).
    `linkability`
        D_sys, 0 … 1, by histograms (Gomez-Barrero et al. 2018); None below 20 target trials, with one
        distinct score, and with all target trials in the outermost bins.
    `linkability_by_chance`
        What the same recipe gives on average where nothing is linkable.
    `hits_at`
        For each false-alarm rate the largest true-positive rate at a threshold of the scores; None where the
        rate is below one in all nontarget trials.
    `reversed`
        D_ECE, worst case and tag if lower scores meant more alike.
    `cross_fitted`
        What calibration learnt on other speakers bears out.
    `misleading`, `oracle_misleading`
        How often LLRs support the wrong side: those of the scores as they are, and oracle-calibrated ones. An
        LLR of 0 supports neither.
    `dev_pav_log10`
        devPAV in powers of ten: how far plain PAV lies from the LLRs on the mean (Vergeer et al. 2021); None
        for raw scores, and where no LLR is finite.
    `invariance`
        The lowest and the highest log10 LR that so many trials bear out (Alberink et al. 2025); None for raw
        scores.
    `profile`
        ECE in bits over the priors of the settings.
    `counts`, `plain`
        Trials for each distinct score, and the PAV blocks: what all of this follows from.
    `settings`, `files`
        What it depends on.
    `remarks_on_files`, `audit`
        What reading the files showed; `audit` is None for trials that were not read from files.

    Examples
    --------
    >>> from zebra_core import Trials, assess
    >>> found = assess(Trials.from_scores([3.0, 2.0, 0.5], [1.0, 0.0, -1.0, -2.0]))
    >>> found.n_target, found.n_nontarget
    (3, 4)
    >>> round(found.d_ece_bits, 3), round(found.worst_case_log10_lr, 3), found.tag
    (0.514, 0.602, 'A')
    >>> print(found.linkability)  # with fewer than 20 target trials
    None
    """

    n_target: int
    n_nontarget: int
    d_ece_bits: float
    worst_case_log10_lr: float
    worst_case_ceiling_log10_lr: float
    strongest_against_log10_lr: float
    strongest_for_log10_lr: float
    tag: str
    eer: float
    rocch_eer: float
    cllr_bits: float
    min_cllr_bits: float
    linkability: float | None
    linkability_by_chance: float | None
    hits_at: dict[float, float | None]
    reversed: ReversedFigures
    cross_fitted: CrossFitted
    misleading: MisleadingEvidence
    oracle_misleading: MisleadingEvidence
    dev_pav_log10: float | None
    invariance: InvarianceBounds | None
    profile: EceProfile
    counts: ScoreCounts
    plain: PavBlocks
    settings: Settings
    files: tuple[InputFile, ...]
    remarks_on_files: tuple[Remark, ...]
    audit: Audit | None

    def __repr__(self) -> str:
        return (
            f"<Assessment: D_ECE {self.d_ece_bits:.3f} bit, worst case {self.worst_case_log10_lr:.2f}, "
            f"tag {self.tag}; {self.n_target} target, {self.n_nontarget} nontarget>"
        )

    # Words and pictures of figures lie above them, and are loaded when somebody looks.

    def _repr_html_(self) -> str:
        """For notebooks: the tag, the figures of the report's tables, and the ECE profile."""
        return str(import_module("zebra_core.paper").assessment_html(self))

    def to_dict(self) -> dict[str, Any]:
        """What `zebra assess --json` prints, as plain values."""
        return dict(import_module("zebra_core.uncertainty.trust").assessment_as_json("", self))

    def to_frame(self) -> pd.DataFrame:
        """One row of every figure unrounded, as pandas has it, under the keys of `zebra compare --json`.

        NaN stands for what is not measurable.
        """
        import pandas as pd

        values = {
            each.key: each.as_json(self) for each in import_module("zebra_core.metrics.registry").METRICS
        }
        return pd.DataFrame([{key: math.nan if of is None else of for key, of in values.items()}])

    @property
    def rests_on(self) -> tuple[object, ...]:
        """The version of this assessment: equal for the same counts from the same files, taken for the same.

        Tags and scales are no part of it, nor are attributes of speakers. Files count by their content,
        wherever they lie.
        """
        return (
            self.counts.digest,
            self.settings.score_meaning,
            tuple((file.role, file.sha256) for file in self.files if file.role not in BESIDE_TRIALS),
        )

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told beside the figures: first of the files, then of the figures."""
        remarks = [*remarks_on_inputs(self.files), *self.remarks_on_files]
        if self.linkability is None:
            remarks.append(Remark("linkability-not-measurable", {"count": self.n_target}))
        if self.settings.score_meaning is ScoreMeaning.RAW:
            remarks.append(Remark("scores-taken-for-llrs"))
        elif self.counts.score[0] >= 0.0 and not self.all_scores_equal:
            remarks.append(Remark(NEVER_NEGATIVE, severity=Severity.WARNING))
        if not self.cross_fitted.is_by_speaker:
            remarks.append(Remark(CROSS_FITTED_BY_TRIALS))
        return (*self._remarks_on_the_reading, *remarks)

    @property
    def _remarks_on_the_reading(self) -> tuple[Remark, ...]:
        """A remark that another reading discloses more than the given, where it does by more than chance."""
        if self.reading is EvidenceReading.GIVEN:
            return ()
        facts = {
            "bits": self.disclosed_by_reading_bits,
            "given": self.d_ece_bits,
            "worst_case": self.reversed.worst_case_log10_lr,
            "tag": self.settings.tag_scale.shown(self.reversed.tag),
        }
        is_reversed = self.reading is EvidenceReading.REVERSED
        code = REVERSED_DISCLOSES_MORE if is_reversed else UNORDERED_DISCLOSES_MORE
        return (Remark(code, facts, Severity.WARNING),)

    @property
    def reading(self) -> EvidenceReading:
        """The reading by which these scores disclose most, as far as more than chance says so.

        Another one than the given is told of wherever a figure is: the smaller figure alone would mislead.
        """
        if not self.cross_fitted.unordered_exceeds:
            return EvidenceReading.GIVEN
        unordered = self.cross_fitted.d_ece_unordered_bits
        return (
            EvidenceReading.REVERSED if self.reversed.d_ece_bits >= unordered else EvidenceReading.UNORDERED
        )

    @property
    def reading_tag(self) -> str:
        """The tag of the given or, where that discloses more, of the reversed scores."""
        return self.reversed.tag if self.reading is EvidenceReading.REVERSED else self.tag

    @property
    def disclosed_by_reading_bits(self) -> float:
        """D_ECE by that reading, in bits: of the oracle for an order, cross-fitted without one."""
        return {
            EvidenceReading.GIVEN: self.d_ece_bits,
            EvidenceReading.REVERSED: self.reversed.d_ece_bits,
            EvidenceReading.UNORDERED: self.cross_fitted.d_ece_unordered_bits,
        }[self.reading]

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
    def wrong_decisions(self) -> DecisionErrors:
        """What an oracle-calibrated attacker decides wrongly at the prior of the settings."""
        return oracle_decision_errors(-math.log(self.settings.prior_one_in - 1), self.plain)

    @property
    def strongest_log10_lr(self) -> float:
        """The worst case with its sign; where both directions are as strong, that for one speaker."""
        for_one, for_two = self.strongest_for_log10_lr, self.strongest_against_log10_lr
        return for_one if for_one >= -for_two else for_two

    @property
    def strongest_ceiling_log10_lr(self) -> float:
        """The most that so many trials can show in the direction of the worst case, base 10, signed."""
        against, for_ = self.ceilings_log10_lr
        return for_ if self.strongest_log10_lr >= 0.0 else against

    @property
    def ceilings_log10_lr(self) -> tuple[float, float]:
        """The lowest and the highest base-10 LLR that so many trials can show."""
        return ceilings_log10_lr(self.n_target, self.n_nontarget)

    @property
    def all_scores_equal(self) -> bool:
        """Whether the scores tell nothing at all: there, and only there, the tag is 0."""
        return len(self.counts.score) == 1

    @property
    def cross_fitted_tag(self) -> str:
        """The tag of the cross-fitted worst case."""
        return self._tag_of(self.cross_fitted.worst_case_log10_lr, self.settings.tag_scale)

    def _tag_of(self, log10_lr: float, scale: TagScale) -> str:
        return scale.tag_of_scores(log10_lr, are_equal=self.all_scores_equal).letter

    @property
    def llrs(self) -> ScoreCounts:
        """The scores as natural-log LLRs, with their counts; raw scores are taken for such."""
        return as_llrs(self.counts, self.settings.score_meaning)

    def on_scales(self, tag_scale: TagScale, verbal_scale: VerbalScale | None) -> Assessment:
        """This assessment with the tags that these scales give; its figures stay the same."""
        if (tag_scale, verbal_scale) == (self.settings.tag_scale, self.settings.verbal_scale):
            return self
        return replace(
            self,
            tag=self._tag_of(self.worst_case_log10_lr, tag_scale),
            reversed=replace(self.reversed, tag=self._tag_of(self.reversed.worst_case_log10_lr, tag_scale)),
            settings=replace(self.settings, tag_scale=tag_scale, verbal_scale=verbal_scale),
        )

    def at_prior(self, one_in: int) -> Assessment:
        """This assessment with decisions judged at a prior of 1 in `one_in`, at least 2; the rest stays."""
        if one_in == self.settings.prior_one_in:
            return self
        return replace(self, settings=replace(self.settings, prior_one_in=one_in))


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

    Parameters
    ----------
    `trials`
        From `read_trials`, from arrays (`Trials`) or as counts; their order is irrelevant, and equal scores
        are pooled.
    `settings`
        The usual ones where none are given.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.

    Returns
    -------
    Assessment
        Every figure, whose unit, tie rule and source are in its help.

    Examples
    --------
    >>> from zebra_core import Trials, assess
    >>> trials = Trials.from_arrays(
    ...     score=[3.0, 2.0, 1.0, 0.0, -1.0, -2.0], is_target=[1, 1, 0, 1, 0, 0]
    ... )
    >>> found = assess(trials)
    >>> round(found.d_ece_bits, 3), found.tag, round(found.rocch_eer, 3)
    (0.481, 'A', 0.167)
    """
    on_progress(0.0)
    trials = in_order(trials) if isinstance(trials, Trials) else told_of_rounding(trials)
    counts = trials.counts if isinstance(trials, CountedTrials) else ScoreCounts.of_trials(trials)
    on_progress(0.5)
    plain = pav(counts)
    cross_fitted = None if isinstance(trials, CountedTrials) else CrossFitted.of_trials(trials, counts, plain)
    on_progress(0.7)
    return assess_counts(
        counts,
        settings,
        plain=plain,
        cross_fitted=cross_fitted,
        files=trials.files,
        remarks_on_files=trials.remarks,
        audit=trials.audit,
        on_progress=part_of(on_progress, 0.7, 1.0),
    )


def reassess(assessment: Assessment, settings: Settings, on_progress: Progress = no_progress) -> Assessment:
    """The assessment of the same trials under other settings; without another sort."""
    return assess_counts(
        assessment.counts,
        settings,
        plain=assessment.plain,
        cross_fitted=assessment.cross_fitted,
        files=assessment.files,
        remarks_on_files=assessment.remarks_on_files,
        audit=assessment.audit,
        on_progress=on_progress,
    )


def assess_counts(
    counts: ScoreCounts,
    settings: Settings | None = None,
    *,
    plain: PavBlocks | None = None,
    cross_fitted: CrossFitted | None = None,
    files: tuple[InputFile, ...] = (),
    remarks_on_files: tuple[Remark, ...] = (),
    audit: Audit | None = None,
    on_progress: Progress = no_progress,
) -> Assessment:
    """Compute every figure from counts, which are all that figures rest on; O(m) in distinct scores.

    `plain` is the PAV of these counts where it is known, `cross_fitted` what was learnt with the speakers
    held apart: without it single trials are. The other arguments go into the assessment as given.
    """
    on_progress(0.0)
    settings = settings or Settings()
    plain = plain or pav(counts)
    smoothed = laplace(plain)
    oracle = plain.llr, plain.target_share, plain.nontarget_share
    llrs = as_llrs(counts, settings.score_meaning)
    actual = llrs.score, llrs.target_share, llrs.nontarget_share
    worst_case = worst_case_log10_lr(smoothed)
    against, for_ = strongest_log10_lrs(smoothed)
    are_equal = len(counts.score) == 1
    claims_llrs = settings.score_meaning is not ScoreMeaning.RAW

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
        strongest_against_log10_lr=against,
        strongest_for_log10_lr=for_,
        tag=settings.tag_scale.tag_of_scores(worst_case, are_equal=are_equal).letter,
        eer=rates.equal(),
        rocch_eer=rocch_eer(plain),
        cllr_bits=cllr_bits(*actual),
        min_cllr_bits=cllr_bits(*oracle),
        linkability=linkability(counts),
        linkability_by_chance=linkability_by_chance(counts),
        hits_at=hits_at_false_alarm_rates(rates),
        reversed=ReversedFigures.of(counts, settings.tag_scale),
        cross_fitted=cross_fitted or CrossFitted.of_counts(counts, plain),
        misleading=MisleadingEvidence.of(*actual),
        oracle_misleading=MisleadingEvidence.of(*oracle),
        dev_pav_log10=dev_pav_log10(llrs, plain) if claims_llrs else None,
        invariance=InvarianceBounds.of(llrs) if claims_llrs else None,
        profile=profile,
        counts=counts.digested(),
        plain=plain,
        settings=settings,
        files=files,
        remarks_on_files=remarks_on_files,
        audit=audit,
    )
    on_progress(1.0)
    return result


# What is said where another reading of the scores discloses more than the one that was given.


def shown_tag(assessment: Assessment) -> str:
    """The tag, with that of the reversed reading where it discloses more: "A / C"; without an order "A!"."""
    given = assessment.settings.tag_scale.shown(assessment.tag)
    return by_reading(assessment, "tags-reversed", "tag-unordered", given=given) or given


def reading_in_words(assessment: Assessment) -> str:
    """A sentence that another reading of the scores discloses more, and how much; empty where none does."""
    return by_reading(assessment, "reversed", "unordered", given=disclosure(assessment.d_ece_bits))


def reading_in_short(assessment: Assessment) -> str:
    """The name of the reading that a figure is of, to stand below it; empty for the one that was given."""
    return by_reading(assessment, "short-reversed", "short-unordered")


def reading_in_a_cell(assessment: Assessment) -> str:
    """How much another reading discloses, beside the figure of the given one; empty where none does."""
    return by_reading(assessment, "cell-reversed", "cell-unordered")


def by_reading(assessment: Assessment, if_reversed: str, if_unordered: str, **facts: str) -> str:
    """One of two texts about the reading that discloses more, with its figures; empty where none does."""
    code = {"reversed": if_reversed, "unordered": if_unordered}.get(assessment.reading.value)
    if code is None:
        return ""
    other = assessment.reversed
    return say(
        f"reading.{code}",
        bits=disclosure(assessment.disclosed_by_reading_bits),
        tag=assessment.settings.tag_scale.shown(other.tag),
        worst_case=log10_lr(other.worst_case_log10_lr),
        **facts,
    )
