"""How far the figures of an assessment can be trusted: intervals over its speakers, by the bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise
from numbers import Integral
from typing import Annotated, Any
from uuid import uuid4

import numpy as np
from msgspec import Meta

from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.audit import Remark
from zebra_core.evidence.heard_trials import HeardTrials, Resamplable
from zebra_core.evidence.speaker_names import Speakers
from zebra_core.evidence.speaker_trials import SpeakerCounts
from zebra_core.evidence.trials import CodeArray, CountedTrials, FloatArray, IntArray, Trials
from zebra_core.evidence.value_types import Whole
from zebra_core.metrics.assessment import Assessment, ScoreMeaning
from zebra_core.metrics.chance.seeds import REDRAWS, Purpose, generator
from zebra_core.metrics.ece import prior_entropy_bits
from zebra_core.metrics.registry import DRAWN, HITS, METRICS, drawn_values
from zebra_core.metrics.scales import TagScale
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS, LN10
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.intervals import (
    AT_ERROR,
    Interval,
    IntervalScale,
    corrected,
    is_perfect,
    moved_to,
)
from zebra_core.uncertainty.resampling import (
    FEW_CLUSTERS,
    FEWEST_CLUSTERS,
    VOICE_FIGURES,
    Clusters,
    FigureDraws,
    ResamplingUnit,
)
from zebra_core.uncertainty.weighted import (
    FIGURES,
    DrawnFigures,
    WeightedCounts,
    WeightedHeard,
    WeightedTrials,
    are_there,
    at_once_of,
    each_once,
)

RANGES = {key: (drawn.lowest, drawn.highest) for key, drawn in DRAWN.items()}
"""The range of each figure, which no interval leaves."""


OPTIMISTIC = frozenset(key for key, drawn in DRAWN.items() if drawn.is_optimistic)
"""What the plain PAV makes look better for the attacker than it is, the more so the fewer the trials."""

SCALES = {
    "d_ece_bits": IntervalScale.LEFT,
    "eer": IntervalScale.LOGIT,
    "rocch_eer": IntervalScale.LOG,
    "min_cllr_bits": IntervalScale.LOG,
    **dict.fromkeys(HITS, IntervalScale.LOGIT),
}
"""On which scale the intervals of these figures are worked out."""

LISTENERS = "listeners-drawn"
"""The remark on assessments by ear, of which intervals say who was drawn."""

BY_EAR = "drawn-by"
"""How remarks begin that say who was drawn of those who judged."""

LEVELS = (0.5, 0.999)  # of intervals: below, most of what is meant lies outside
FEWEST_REPLICATES = 20  # fewer say nothing about an interval
MOST_REPLICATES = 1_000_000  # more are not believed in a file that somebody else has written


def range_of(figure: str, assessment: Assessment) -> tuple[float, float]:
    """Between which values the figure lies: a worst case is bounded by what so many trials can show."""
    low, high = RANGES[figure]
    return (low, assessment.worst_case_ceiling_log10_lr) if figure == "worst_case_log10_lr" else (low, high)


@dataclass(frozen=True)
class BootstrapSettings:
    """What intervals depend on beside the trials.

    Attributes
    ----------
    `replicates`
        How often speakers are drawn, 20 at least.
    `level`
        The share that intervals are to cover, between 0.5 and 0.999: others are none to rely on.
    `seed`
        A whole number from 0 on: the same gives the same draws.

    Raises
    ------
    InputError
        For fewer replicates, another level, or what is no whole number.

    Examples
    --------
    >>> from zebra_core import BootstrapSettings, InputError
    >>> BootstrapSettings(replicates=200, level=0.9)
    BootstrapSettings(replicates=200, level=0.9, seed=0)
    >>> try:
    ...     BootstrapSettings(replicates=5)
    ... except InputError as error:
    ...     print(error)
    5 replicates are too few for an interval. Ask for at least 20, better 1000.
    """

    replicates: Annotated[int, Meta(ge=FEWEST_REPLICATES, le=MOST_REPLICATES)] = 1000
    level: Annotated[float, Meta(ge=LEVELS[0], le=LEVELS[1])] = 0.95
    seed: Whole = 0

    def __post_init__(self) -> None:
        for name in ("replicates", "seed"):
            value: Any = getattr(self, name)  # whatever a notebook gives
            if type(value) is bool or not isinstance(value, Integral) or value < 0:
                raise InputError("bootstrap-whole", name=name, found=str(value))
            object.__setattr__(self, name, int(value))
        if self.replicates < FEWEST_REPLICATES:
            raise InputError("bootstrap-few-replicates", found=self.replicates, fewest=FEWEST_REPLICATES)
        if not LEVELS[0] <= self.level <= LEVELS[1]:
            raise InputError("bootstrap-level", found=self.level)


@dataclass(frozen=True, eq=False, repr=False)
class Uncertainty:
    """The draws of a bootstrap over speakers, and the intervals that follow from them.

    Attributes
    ----------
    `settings`
        How often and from which seed was drawn, and the level of intervals.
    `replicates`
        How many draws there are, below the number of the settings where somebody stopped it.
    `figures`
        The draws of those that are measurable, of FIGURES or, of similarity matrices, of VOICE_FIGURES.
    `n_clusters`, `unit`
        How many of which unit were drawn; test segments of unknown speakers are drawn, too, but not counted.
    `remarks`
        What must be told beside intervals.
    `prior_log_odds`
        The priors of the band, (p,), as natural log-odds; p is 0 for matrices.
    `band_low`, `band_high`
        The band of the minimum ECE in bits at these priors, (p,); its draws are not kept.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import BootstrapSettings, Trials, assess, bootstrap
    >>> enrol, test = np.divmod(np.arange(144), 12)  # 12 speakers, each against each
    >>> is_target = enrol == test
    >>> score = np.random.default_rng(0).normal(size=144) + 2.0 * is_target
    >>> trials = Trials.from_arrays(score=score, is_target=is_target, enrol=enrol, test=test)
    >>> found = bootstrap(trials, assess(trials), BootstrapSettings(replicates=200))
    >>> found.n_clusters, found.replicates, found.is_complete
    (12, 200, True)
    >>> round(found.shown("d_ece_bits"), 2)  # without the optimism of small sets
    0.42
    >>> between = found.interval("d_ece_bits")
    >>> round(between.low, 2), round(between.high, 2)
    (0.13, 0.66)
    """

    settings: BootstrapSettings
    replicates: int
    figures: Mapping[str, FigureDraws]
    n_clusters: int
    unit: ResamplingUnit = ResamplingUnit.SPEAKER
    remarks: tuple[Remark, ...] = ()
    prior_log_odds: FloatArray = field(default_factory=lambda: np.zeros(0))
    band_low: FloatArray = field(default_factory=lambda: np.zeros(0))
    band_high: FloatArray = field(default_factory=lambda: np.zeros(0))

    def __repr__(self) -> str:
        return f"<Uncertainty: {self.replicates} draws of {self.n_clusters} {self.unit.value}s>"

    @property
    def n_fewest(self) -> int:
        """The number of units drawn, of the kind with the fewest; mostly the number of speakers."""
        return next(iter(self.figures.values())).n_clusters

    @property
    def is_by_ear(self) -> bool:
        """Whether the listeners who judged the trials were drawn, too, or the canvases."""
        return any(remark.code.startswith(BY_EAR) for remark in self.remarks)

    @property
    def has_listeners(self) -> bool:
        """Whether several listeners were drawn, not one who is always there."""
        return any(remark.code.startswith(f"{BY_EAR}-ear-listeners") for remark in self.remarks)

    @property
    def is_complete(self) -> bool:
        """Whether the bootstrap was not stopped before its end."""
        return self.replicates == self.settings.replicates

    def interval(self, figure: str, *, first: int | None = None) -> Interval | None:
        """The interval of a figure at the level of the settings.

        `first` takes so many replicates only. None where the figure is not measurable. The worst case is a
        maximum: it has no value in the population, and no bootstrap is consistent for it. Its interval says
        how it varies between sets of this size, no more. Raises InputError for a name that no figure has.
        """
        if figure not in self.figures:
            if figure not in {*RANGES, *VOICE_FIGURES, *(metric.key for metric in METRICS)}:
                raise InputError("no-such-figure", found=figure, known=", ".join(self.figures))
            return None
        return self.figures[figure].interval(self.settings.level, first)

    @property
    def intervals(self) -> dict[str, Interval]:
        """The intervals of all measurable figures, in the order of `figures`."""
        return {name: draws.interval(self.settings.level) for name, draws in self.figures.items()}

    def shown(self, figure: str) -> float:
        """The value to show beside the interval of a figure: without optimism where that lies inside."""
        draws = self.figures[figure]
        found = self.interval(figure)
        return draws.estimate if found is None else draws.beside(found)

    def is_corrected(self, figure: str) -> bool:
        """Whether an optimistic figure is shown without the optimism of small sets."""
        return figure in self.bear_correction and not self.figures[figure].leads_as_computed

    @cached_property
    def bear_correction(self) -> frozenset[str]:
        """The optimistic figures that may stand beside their intervals without optimism."""
        return frozenset(
            name
            for name, draws in self.figures.items()
            if draws.optimistic and draws.bears_correction(draws.interval(self.settings.level))
        )

    def leading_as_computed(self, figures: Collection[str]) -> Uncertainty:
        """The same draws, with these of the optimistic figures shown as they were computed."""
        changed = {
            name: replace(draws, leads_as_computed=name in figures)
            for name, draws in self.figures.items()
            if draws.optimistic and draws.leads_as_computed is not (name in figures)
        }
        return replace(self, figures={**self.figures, **changed}) if changed else self

    @property
    def d_ece_corrected_bits(self) -> float:
        """D_ECE without the optimism of small sets, by the method of the settings."""
        return self.figures["d_ece_bits"].corrected

    def profile_band(self) -> tuple[FloatArray, FloatArray]:
        """Lower and upper minimum ECE in bits at each prior, one by one: not a band for all at once; (p,)."""
        return self.band_low, self.band_high

    @property
    def is_perfect(self) -> bool:
        """Whether the trials are perfectly separated, so that no draw of them can show an error."""
        found = self.figures["d_ece_bits"]
        return is_perfect(found.estimate, found.draws, FULL_DISCLOSURE_BITS)

    def tag_shares(self, scale: TagScale, *, are_equal: bool = False) -> dict[str, float]:
        """In what share of the replicates the worst case got each tag; tags that never came are left out.

        `are_equal`: whether all scores are, so that nothing is disclosed.
        """
        return scale.shares(self.figures["worst_case_log10_lr"].draws.tolist(), are_equal=are_equal)

    def convergence(self, figure: str, steps: int = 40) -> tuple[IntArray, FloatArray, FloatArray]:
        """How the interval settled: numbers of replicates, both ends after so many; three of shape (k,)."""
        at = _steps(self.replicates, steps)
        found = [self.interval(figure, first=int(number)) for number in at]
        ends = np.array([(np.nan, np.nan) if each is None else (each.low, each.high) for each in found])
        return at, ends[:, 0], ends[:, 1]


OnDraws = Callable[[Uncertainty], None]
"""Called TOLD times with what there is so far, the more seldom the more there is."""

TOLD = 15  # each costs quantiles of all draws so far


def bootstrap(
    trials: Resamplable | CountedTrials,
    known: Assessment,
    settings: BootstrapSettings | None = None,
    *,
    speakers: Speakers | None = None,
    on_progress: Progress = no_progress,
    on_draws: OnDraws | None = None,
) -> Uncertainty:
    """Draw the speakers of these trials again and again, and compute every figure each time.

    One sort; then O(n) a replicate, with memory for one.

    Parameters
    ----------
    `trials`
        With ids speakers are drawn; without, single trials, and a remark says that this is too narrow. Counts
        for each pair of speakers know who speaks.
    `known`
        Their assessment.
    `settings`
        How often to draw, and from which seed: the same seed gives the same draws.
    `speakers`
        Who speaks: a map from segment to speaker, or a rule on ids.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.
    `on_draws`
        Is told of the draws as they come.

    Returns
    -------
    Uncertainty
        The draws and their intervals. Stopped by `on_progress` there is what was drawn by then, if that is at
        least 20 replicates.

    Raises
    ------
    InputError
        Where the assessment is of other trials, or `speakers` says nothing of them.
    Cancelled
        Where it was stopped before there were 20 replicates.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import BootstrapSettings, Trials, assess, bootstrap
    >>> enrol, test = np.divmod(np.arange(144), 12)  # 12 speakers, each against each
    >>> is_target = enrol == test
    >>> score = np.random.default_rng(0).normal(size=144) + 2.0 * is_target
    >>> trials = Trials.from_arrays(score=score, is_target=is_target, enrol=enrol, test=test)
    >>> known = assess(trials)
    >>> found = bootstrap(trials, known, BootstrapSettings(replicates=200))
    >>> between = found.interval("rocch_eer")
    >>> round(known.rocch_eer, 2), round(between.low, 2), round(between.high, 2)
    (0.1, 0.02, 0.38)
    """
    on_progress(0.0)
    if isinstance(trials, CountedTrials):
        raise InputError("only-counted")
    if isinstance(trials, Trials) and (trials.n_target, trials.n_nontarget) != (
        known.n_target,
        known.n_nontarget,
    ):
        facts = {"targets": trials.n_target, "nontargets": trials.n_nontarget}
        of_known = {"known_targets": known.n_target, "known_nontargets": known.n_nontarget}
        raise InputError("bootstrap-other-trials", **facts, **of_known)
    clusters = clusters_of(trials, speakers)
    settings = settings or BootstrapSettings()
    return bootstrap_together([(trials, known)], clusters, settings, on_progress, on_draws)[0]


def clusters_of(trials: Resamplable, speakers: Speakers | None = None) -> Clusters:
    """What is drawn of trials, counts or answers. Raises InputError where fewer than three speakers are."""
    if isinstance(trials, HeardTrials):
        return Clusters.of_heard(trials)
    if isinstance(trials, SpeakerCounts):
        return Clusters.of_counts(trials)
    return Clusters.of_trials(trials, speakers)


def bootstrap_together(
    assessed: Sequence[tuple[Resamplable, Assessment]],
    clusters: Clusters,
    settings: BootstrapSettings,
    on_progress: Progress = no_progress,
    on_draws: OnDraws | None = None,
    *,
    own: Sequence[Clusters] = (),
) -> tuple[Uncertainty, ...]:
    """Bootstrap several assessments whose trials have one order, with the same draws for all of them.

    Replicate k of one stands beside replicate k of another: their differences are those of pairs. A draw
    that leaves a class without trials is drawn again. Ends as `bootstrap` does when it is stopped.
    `on_draws` gets the draws of the first assessment. Where trials are others, `own` has the same clusters
    for each of them.
    """
    of_each = own or [clusters] * len(assessed)
    samples = [_Sample.of(*one, each) for one, each in zip(assessed, of_each, strict=True)]
    size = max(clusters.n, *(sample.ordered.size for sample in samples))
    at_once = at_once_of(size, settings.replicates)
    work, done = clusters.n_left_out + settings.replicates, 0
    left_out = clusters.left_out()
    while block := list(islice(left_out, at_once)):
        for sample in samples:
            sample.left_out.append(sample.measured(np.array(block)))
        done += len(block)
        on_progress(done / work)
    rng = generator(settings.seed, Purpose.SPEAKERS_DRAWN)
    told_at = _steps(settings.replicates, TOLD).tolist() if on_draws else []
    ends = sorted({*told_at, *range(at_once, settings.replicates, at_once), settings.replicates})
    try:
        for begin, end in pairwise([0, *ends]):
            on_progress((clusters.n_left_out + begin) / work)
            weights = _drawn(samples, clusters, rng, end - begin)
            if clusters.n_listeners > 1:
                for sample in samples:
                    sample.beside.append(sample.measured(clusters.of_speakers_alone(weights)))
            if on_draws and end in told_at:
                on_draws(samples[0].uncertainty(clusters, settings))
        on_progress(1.0)
    except Cancelled:
        if samples[0].n_drawn < FEWEST_REPLICATES:
            raise
    set_of_draws = uuid4().hex
    return tuple(sample.uncertainty(clusters, settings, set_of_draws) for sample in samples)


def _steps(replicates: int, steps: int) -> IntArray:
    """Numbers of replicates after which an interval is looked at, up to all of them."""
    return np.unique(np.geomspace(FEWEST_REPLICATES, replicates, steps).round().astype(np.int64))


@dataclass(frozen=True, eq=False)
class _Sample:
    """One assessment while its speakers are drawn."""

    known: Assessment
    ordered: WeightedTrials | WeightedCounts | WeightedHeard
    priors: FloatArray
    plain: DrawnFigures  # of one draw, in which everybody is there once
    moved: FloatArray  # what rounding did to the figures: the draws are moved back by as much
    left_out: list[DrawnFigures] = field(default_factory=list)
    draws: list[DrawnFigures] = field(default_factory=list)
    beside: list[DrawnFigures] = field(default_factory=list)  # the same draws with every listener once
    met: dict[bytes, FloatArray] = field(default_factory=dict)  # draws of few, which come again

    @classmethod
    def of(cls, trials: Resamplable, assessment: Assessment, clusters: Clusters) -> _Sample:
        unit = LN10 if assessment.settings.score_meaning is ScoreMeaning.LOG10_LR else 1.0
        ordered: WeightedTrials | WeightedCounts | WeightedHeard
        if isinstance(trials, HeardTrials):
            ordered = WeightedHeard(trials, clusters, unit)
        elif isinstance(trials, SpeakerCounts):
            ordered = WeightedCounts(trials, clusters, unit)
        else:
            ordered = WeightedTrials.of(trials, clusters, unit)
        priors = assessment.profile.prior_log_odds
        values, profiles = ordered.figures(clusters.all_once[np.newaxis], priors)
        moved = np.zeros(len(FIGURES))
        if isinstance(trials, SpeakerCounts) and trials.width:
            moved = values[0] - np.array(list(drawn_values(assessment).values()))
            moved[~np.isfinite(moved)] = 0.0
        return cls(assessment, ordered, priors, (values - moved, profiles), moved)

    @property
    def n_drawn(self) -> int:
        """How many draws there are."""
        return sum(len(values) for values, _ in self.draws)

    def measured(self, weights: CodeArray) -> DrawnFigures:
        """The figures under these weights, (w, clusters + 1)."""
        if weights.shape[1] > FEW_CLUSTERS:
            table = self._measured_now(weights)
        else:
            table = each_once(weights, self.met, self._measured_now)
        return table[:, : len(FIGURES)], table[:, len(FIGURES) :]

    def _measured_now(self, weights: CodeArray) -> FloatArray:
        values, profiles = self.ordered.figures(weights, self.priors)
        if self.moved.any():
            ends = np.array([range_of(name, self.known) for name in FIGURES])
            values = np.clip(values - self.moved, ends[:, 0], ends[:, 1])
        return np.concatenate([values, profiles], axis=1)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What must be told of what the draws rest on: listeners who are not drawn, counts in bins."""
        if isinstance(self.ordered, WeightedHeard):
            return self.ordered.remarks
        by_ear = tuple(
            Remark("speakers-drawn-alone") for one in self.known.remarks_on_files if one.code == LISTENERS
        )
        if not isinstance(self.ordered, WeightedCounts) or not self.ordered.counts.width:
            return by_ear
        # The draws lie within their bounds, and so does what they are moved by; a twentieth, for two digits.
        moved = 2.0 * 1.05 * self.ordered.most_moved_bits
        facts: dict[str, object] = {"width": f"{self.ordered.counts.width:.2g}", "moved": f"{moved:.2g}"}
        return (Remark("uncertainty-rounded", facts),)

    def uncertainty(
        self, clusters: Clusters, settings: BootstrapSettings, set_of_draws: str = ""
    ) -> Uncertainty:
        plain, plain_profile = (of[0] for of in self.plain)
        values, profiles = _moved(_joined(self.draws), self.beside, self.known, plain)
        left_values, left_profiles = _joined(self.left_out)
        figures = {
            name: FigureDraws(
                estimate,
                values[:, k],
                left_values[:, k],
                clusters.n_fewest,
                name in OPTIMISTIC,
                *range_of(name, self.known),
                SCALES.get(name),
                AT_ERROR.get(name, ()) if clusters.unit is ResamplingUnit.SPEAKER else (),
                figure=name,
                set_of_draws=set_of_draws,
            )
            for k, (name, estimate) in enumerate(zip(FIGURES, plain.tolist(), strict=True))
            if np.isfinite(estimate) and not np.isnan(values[:, k]).all()
        }
        top = prior_entropy_bits(self.priors)
        low, high = corrected(
            plain_profile, profiles, left_profiles, settings.level, clusters.n_fewest, 0.0, top
        )
        return Uncertainty(
            settings,
            self.n_drawn,
            figures,
            clusters.n_told,
            clusters.unit,
            (*clusters.remarks, *self.remarks),
            self.priors,
            low,
            high,
        )


def _joined(blocks: Sequence[DrawnFigures]) -> DrawnFigures:
    """The draws of all blocks."""
    values, profiles = zip(*blocks, strict=True)
    return np.concatenate(values), np.concatenate(profiles)


def _moved(
    drawn: DrawnFigures, beside: Sequence[DrawnFigures], assessment: Assessment, plain: FloatArray
) -> DrawnFigures:
    """The figures and the profiles of all draws, (R, figures) and (R, p).

    Where listeners were drawn they lie around those with every listener once: of those drawn fewer are
    different, whose means are noisier, so that draws show less than the panel does. Where with all of them
    no error is seen, whoever speaks, it is as `perfect_separation` says: how many errors so few leave open.
    """
    if not beside:
        return drawn
    (values, profiles), (about, profiles_about) = drawn, _joined(beside)
    top = prior_entropy_bits(assessment.profile.prior_log_odds)
    moved = [
        about[:, k]
        if name in AT_ERROR and is_perfect(float(plain[k]), about[:, k], AT_ERROR[name][0](0.0))
        else moved_to(values[:, k], about[:, k], range_of(name, assessment), SCALES.get(name))
        for k, name in enumerate(FIGURES)
    ]
    shift = np.nanmean(profiles_about, axis=0) - profiles.mean(axis=0)
    return np.stack(moved, axis=1), np.clip(profiles + shift, 0.0, top)


def _drawn(
    samples: Sequence[_Sample], clusters: Clusters, rng: np.random.Generator, number: int
) -> CodeArray:
    """Add so many draws to all samples, in which each of them has both classes; their weights."""
    kept: list[CodeArray] = []
    missing, in_vain = number, 0
    while missing:
        weights = clusters.draw_often(rng, missing)
        found = [sample.measured(weights) for sample in samples]
        complete = np.all([are_there(measured) for measured in found], axis=0)
        in_vain = 0 if complete.any() else in_vain + missing
        if in_vain >= REDRAWS:
            raise InputError("uncertainty-few-speakers", count=clusters.n_told, fewest=FEWEST_CLUSTERS)
        for sample, (values, profiles) in zip(samples, found, strict=True):
            sample.draws.append((values[complete], profiles[complete]))
        kept.append(weights[complete])
        missing -= int(np.count_nonzero(complete))
    return np.concatenate(kept)
