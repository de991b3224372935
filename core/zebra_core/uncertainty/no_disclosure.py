"""What no disclosure would look like: the figures of these very trials if scores said nothing about speakers.

Even then an oracle finds something to calibrate on, the more so the fewer the trials. To see how much, it is
dealt out anew who is who, while the scores stay where they are: which is what would be equally likely if
scores and speakers had nothing to do with each other. Ref: Fisher 1935; Phipson and Smyth 2010 for the
p-value, which is never 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np

from zebra_core.errors import Cancelled
from zebra_core.evidence.audit import Remark
from zebra_core.evidence.heard_trials import HeardTrials, Resamplable
from zebra_core.evidence.speaker_names import Speakers
from zebra_core.evidence.speaker_trials import SpeakerCounts
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray, ScoreCounts, Trials
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.chance.permutation import exchanged, some_of_each
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.ece import ece_bits_of_each
from zebra_core.metrics.registry import METRICS, DisclosureDirection, DrawnTrials
from zebra_core.metrics.scales import ON_A_BOUND, Tag, TagScale
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.intervals import in_words
from zebra_core.uncertainty.resampling import Clusters, ResamplingUnit
from zebra_core.uncertainty.weighted import at_once_of, counted, in_runs
from zebra_core.wording.texts import log10_lr, say

_NULL = {metric.key: metric.drawn for metric in METRICS if metric.drawn and metric.drawn.has_null}
NULL_FIGURES = tuple(_NULL)
"""The figures whose distribution without disclosure is computed, by key."""

LESS_DISCLOSES_MORE = frozenset(
    metric.key for metric in METRICS if metric.key in _NULL and metric.discloses is DisclosureDirection.LESS
)

FEWEST_DEALS = 20
BAND_LEVEL = 0.95
_SAME_NUMBER = 0.1  # how far the number of target trials may change on average when speakers are exchanged
_TRIED = 20  # exchanges that tell how many target trials they leave
FEWEST_LEFT = 20
FEWEST_MEMBERS = 5
"""In sparse lists so many target trials must be left on average, of so many speakers at least."""


class Exchange(Enum):
    """What is dealt out anew."""

    SPEAKERS = "speakers"  # who is who among the speakers with target trials: all their trials go along;
    # in similarity matrices, who speaks in which segment
    SPEAKERS_SPARSE = "speakers-sparse"  # the same where not everybody met everybody: fewer targets are left
    TRIALS = "trials"  # which trials are target: tells how optimistic an oracle is, not what is probable

    @property
    def has_p_value(self) -> bool:
        """Whether it keeps together what belongs together, so that it says how probable figures are."""
        return self in (Exchange.SPEAKERS, Exchange.SPEAKERS_SPARSE)


@dataclass(frozen=True, eq=False)
class NoDisclosure:
    """Figures beside those of sets without disclosure.

    Attributes
    ----------
    `observed`
        The figures by name, those of NULL_FIGURES, or d_diag_oo and so on of similarity matrices.
    `draws`
        For each of them an array (R,), NaN where a set has no such figure; R is below what was asked for
        where somebody stopped it.
    `exchange`
        What was dealt out.
    `seed`
        From which it was dealt out.
    `remarks`
        What must be told beside the figures.
    `prior_log_odds`
        The priors of the band, (p,), as natural log-odds; p is 0 for matrices.
    `band_low`, `band_high`
        Between them, (p,), the minimum ECE in bits of 95 % of the sets lies, prior by prior.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import Trials, assess, without_disclosure
    >>> enrol, test = np.divmod(np.arange(144), 12)  # 12 speakers, each against each
    >>> is_target = enrol == test
    >>> score = np.random.default_rng(0).normal(size=144) + 2.0 * is_target
    >>> trials = Trials.from_arrays(score=score, is_target=is_target, enrol=enrol, test=test)
    >>> known = assess(trials)
    >>> chance = without_disclosure(trials, known, replicates=199)
    >>> round(known.d_ece_bits, 3), round(chance.one_in_twenty("d_ece_bits"), 3)
    (0.549, 0.116)
    >>> chance.n_as_disclosing("d_ece_bits"), chance.p_value("d_ece_bits")
    (0, 0.005)
    >>> print(chance.sentence("d_ece_bits"))
    None of 199 sets without any disclosure showed 0.549 bit or more.
    """

    observed: Mapping[str, float]
    draws: Mapping[str, FloatArray]
    exchange: Exchange
    seed: int
    remarks: tuple[Remark, ...] = ()
    prior_log_odds: FloatArray = field(default_factory=lambda: np.zeros(0))
    band_low: FloatArray = field(default_factory=lambda: np.zeros(0))
    band_high: FloatArray = field(default_factory=lambda: np.zeros(0))

    @property
    def replicates(self) -> int:
        """How many sets there are, of the figure with the fewest."""
        return min(map(len, self.draws.values()))

    def median(self, figure: str) -> float:
        """What half of the sets without disclosure exceed."""
        return float(np.nanmedian(self.draws[figure]))

    def one_in_twenty(self, figure: str) -> float:
        """What one set without disclosure in twenty goes beyond, towards disclosure: up, or down for EER."""
        return float(np.nanquantile(self.draws[figure], 0.05 if figure in LESS_DISCLOSES_MORE else 0.95))

    def n_as_disclosing(self, figure: str) -> int:
        """How many sets without disclosure show at least as much as these trials do."""
        sign = -1.0 if figure in LESS_DISCLOSES_MORE else 1.0
        # The same counts may sum to a little less by rounding alone.
        return int(np.count_nonzero(sign * (self.draws[figure] - self.observed[figure]) >= -1e-12))

    def p_value(self, figure: str) -> float:
        """(1 + sets that show at least as much)/(1 + R): valid for every R; NaN where nobody can say.

        In sparse lists it is rather too large than too small (in simulations at most 3 % were below 5 %).
        """
        if not self.exchange.has_p_value:
            return math.nan
        there = int(np.count_nonzero(~np.isnan(self.draws[figure])))
        return (1 + self.n_as_disclosing(figure)) / (1 + there)

    def tag_shares(self, scale: TagScale, *, are_equal: bool = False) -> dict[str, float]:
        """Which share of the sets without disclosure get each tag; tags that nobody gets are left out.

        They have the scores of the trials themselves: `are_equal` says whether all of these are.
        """
        return scale.shares(self.draws["worst_case_log10_lr"].tolist(), are_equal=are_equal)

    def sentence(self, figure: str, value: str = "") -> str:
        """How many sets without any disclosure would show as much; `value` is the figure in words."""
        direction = "less" if figure in LESS_DISCLOSES_MORE else "more"
        value = value or in_words(figure, self.observed[figure])
        if not self.exchange.has_p_value:
            return say("null.no-p")
        if not self.n_as_disclosing(figure):
            return say(f"null.none-{direction}", replicates=self.replicates, value=value)
        share = self.p_value(figure)
        digits = 0 if share >= 0.095 else 1
        return say(f"null.share-{direction}", share=f"{100.0 * share:.{digits}f}", value=value)


def without_disclosure(
    trials: Resamplable,
    known: Assessment,
    *,
    replicates: int = 999,
    seed: int = 0,
    speakers: Speakers | None = None,
    on_progress: Progress = no_progress,
) -> NoDisclosure:
    """Deal out anew who is who, again and again, and compute the figures each time; one sort, O(n) each.

    Whole speakers are exchanged, so that trials which share one stay together. In sparse lists, where not
    everybody was compared with everybody, fewer target trials are left than there are (a remark says how
    many); such sets scatter more, so that p-values are rather too large. Where too few are left, or nobody
    knows the speakers, it is dealt out which trials are target: then there are no p-values. In complete lists
    the numbers of trials stay as they are (on average, where speakers have different numbers of enrolments).

    Parameters
    ----------
    `trials`
        What was assessed.
    `known`
        Their assessment.
    `replicates`
        How often to deal out.
    `seed`
        The same seed gives the same sets.
    `speakers`
        Who speaks, as in `bootstrap`.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.

    Returns
    -------
    NoDisclosure
        The figures of the trials and of the sets. Stopped by `on_progress` there are those that were dealt by
        then, if that is at least 20 sets.

    Raises
    ------
    Cancelled
        Where it was stopped before there were 20 sets.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import Trials, assess, without_disclosure
    >>> enrol, test = np.divmod(np.arange(144), 12)  # 12 speakers, each against each
    >>> is_target = enrol == test
    >>> score = np.random.default_rng(0).normal(size=144)  # it says nothing about them
    >>> trials = Trials.from_arrays(score=score, is_target=is_target, enrol=enrol, test=test)
    >>> known = assess(trials)
    >>> chance = without_disclosure(trials, known, replicates=199)
    >>> round(known.d_ece_bits, 3), round(chance.median("d_ece_bits"), 3)
    (0.072, 0.038)
    >>> chance.p_value("d_ece_bits")
    0.23
    """
    on_progress(0.0)
    if isinstance(trials, HeardTrials):
        trials = trials.counts()  # people and canvases stay as they are: it holds for any of them
    dealt = _of_counts(trials) if isinstance(trials, SpeakerCounts) else _of_trials(trials, speakers)
    exchange, deal, left = _dealer(dealt)
    priors = known.profile.prior_log_odds
    rng = generator(seed, Purpose.NO_DISCLOSURE)
    found: list[tuple[FloatArray, FloatArray]] = []
    at_once = at_once_of(len(dealt.enrol), replicates)
    block: list[ScoreCounts] = []
    try:
        for done in range(replicates):
            on_progress(done / replicates)
            block.append(deal(rng))
            if len(block) == at_once:
                found.append(_figures(block, priors))
                block.clear()
        on_progress(1.0)
    except Cancelled:
        if len(found) * at_once + len(block) < FEWEST_DEALS:
            raise
    if block:
        found.append(_figures(block, priors))
    table, profiles = (np.concatenate(of) for of in zip(*found, strict=True))
    low, high = np.quantile(profiles, [(1.0 - BAND_LEVEL) / 2.0, (1.0 + BAND_LEVEL) / 2.0], axis=0)
    is_sparse = exchange is Exchange.SPEAKERS_SPARSE  # which may leave as many as there were
    facts: dict[str, object] = {"share": f"{100.0 * left:.0f}"} if is_sparse else {}
    remarks = [] if exchange is Exchange.SPEAKERS else [Remark(f"null-{exchange.value}", facts)]
    return NoDisclosure(
        observed={name: getattr(known, name) for name in NULL_FIGURES},
        draws={name: table[:, k] for k, name in enumerate(NULL_FIGURES)},
        exchange=exchange,
        seed=seed,
        remarks=tuple(remarks),
        prior_log_odds=priors,
        band_low=low,
        band_high=high,
    )


def _figures(counts: Sequence[ScoreCounts], priors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """NULL_FIGURES of each of such counts, and the minimum ECE at the priors."""
    runs = [in_runs(each) for each in counts]
    m = max(len(each.score) for each in runs)
    n_target, n_nontarget = np.zeros((2, len(runs), m), dtype=np.int64)
    for row, each in enumerate(runs):
        n_target[row, : len(each.score)] = each.n_target
        n_nontarget[row, : len(each.score)] = each.n_nontarget
    dealt = DrawnTrials(n_target, n_nontarget)
    values = [np.asarray(figure.of(dealt)) for figure in _NULL.values()]
    return np.stack(values, axis=1), ece_bits_of_each(priors, *dealt.oracle)


_Codes = IntArray | CodeArray
_Labels = Callable[[np.random.Generator], BoolArray]
"""Makes new labels of what is dealt."""
_Deal = Callable[[np.random.Generator], ScoreCounts]
"""Makes counts under new labels, with both classes."""


@dataclass(frozen=True, eq=False)
class _DealtTrials:
    """What is dealt among: trials in the order of their scores, or pairs of speakers with all theirs.

    Of each the two speakers, its label and how many trials it is, all of shape (n,).
    """

    enrol: _Codes
    test: _Codes
    is_target: BoolArray
    n_trials: IntArray | None  # None: one each
    n: int  # speakers
    has_speakers: bool
    counted: Callable[[BoolArray], ScoreCounts]  # under these labels
    by_lot: _Deal  # which trials are target, whoever they are of

    @property
    def n_target(self) -> int:
        """How many trials are target."""
        return self.n_of(self.is_target)

    def n_of(self, chosen: BoolArray) -> int:
        """How many trials these are."""
        return int(np.count_nonzero(chosen) if self.n_trials is None else self.n_trials[chosen].sum())


def _of_trials(trials: Trials, speakers: Speakers | None) -> _DealtTrials:
    clusters = Clusters.of_trials(trials, speakers)
    order = np.argsort(trials.score, kind="stable")
    score, is_target = trials.score[order], trials.is_target[order]

    def under(labels: BoolArray) -> ScoreCounts:
        return counted(score, labels)[0]

    return _DealtTrials(
        clusters.enrol[order],
        np.where(clusters.test == clusters.n, clusters.enrol, clusters.test)[order],
        is_target,
        None,
        clusters.n,
        clusters.unit is ResamplingUnit.SPEAKER and trials.test is not None,
        under,
        lambda rng: under(is_target[exchanged(len(is_target), rng)]),
    )


def _of_counts(counts: SpeakerCounts) -> _DealtTrials:
    plain = counts.counted.counts
    both, n_target = plain.n_target + plain.n_nontarget, plain.total_target

    def by_lot(rng: np.random.Generator) -> ScoreCounts:
        chosen = some_of_each(both, n_target, rng)
        return ScoreCounts(plain.score, chosen, both - chosen)

    sides = counts.enrolled, counts.heard, counts.is_target, counts.n_trials
    return _DealtTrials(*sides, len(counts.speakers), True, counts.labelled, by_lot)


def _dealer(of: _DealtTrials) -> tuple[Exchange, _Deal, float]:
    """What may be exchanged, how, and which share of the target trials that leaves."""
    if of.has_speakers:
        members = np.unique(of.enrol[of.is_target]).astype(np.int64)
        deal = _speakers_exchanged(of.enrol, of.test, members, of.n)
        if _is_complete(of, members):
            return Exchange.SPEAKERS, lambda rng: of.counted(deal(rng)), 1.0
        trial = generator(0, Purpose.NO_DISCLOSURE)
        left = float(np.mean([of.n_of(deal(trial)) for _ in range(_TRIED)]))
        if len(members) >= FEWEST_MEMBERS and left >= FEWEST_LEFT:
            share = min(1.0, left / of.n_target)
            return Exchange.SPEAKERS_SPARSE, _with_both_classes(lambda rng: of.counted(deal(rng))), share
    return Exchange.TRIALS, of.by_lot, 1.0


def _with_both_classes(deal: _Deal) -> _Deal:
    """Again until there is a target trial, and one that is none."""

    def again(rng: np.random.Generator) -> ScoreCounts:
        while True:
            dealt = deal(rng)
            if dealt.total_target and dealt.total_nontarget:
                return dealt

    return again


def _is_complete(of: _DealtTrials, members: _Codes) -> bool:
    """Whether all speakers with target trials meet each other, about as often as themselves."""
    size = len(members)
    if size < 3 or len(of.enrol) < size * size:
        return False
    place = np.full(int(max(of.enrol.max(), of.test.max())) + 1, -1, dtype=np.int64)
    place[members] = np.arange(size)
    both = (place[of.enrol] >= 0) & (place[of.test] >= 0)
    n_trials = None if of.n_trials is None else of.n_trials[both]
    cells = np.bincount(place[of.enrol[both]] * size + place[of.test[both]], n_trials, minlength=size * size)
    expected = cells.sum() / size
    return bool(cells.all() and abs(expected - of.n_target) <= _SAME_NUMBER * of.n_target)


def _speakers_exchanged(enrol: _Codes, test: _Codes, members: _Codes, n: int) -> _Labels:
    def deal(rng: np.random.Generator) -> BoolArray:
        taken_for = np.full(n, -1, dtype=np.int32)
        taken_for[members] = members[exchanged(len(members), rng)]
        return np.asarray(taken_for[enrol] == test)

    return deal


# How much of the scale these data can reach at all, and how many trials it would take to reach more.


_NEAR = math.log10(2.0)  # half of the LR that could be seen


@dataclass(frozen=True)
class TrialsNeeded:
    """The trials that could show a tag: so many nontargets with the targets there are, or the other way.

    Either alone is enough.
    """

    tag: Tag
    n_nontarget: int
    n_target: int


@dataclass(frozen=True)
class Ceiling:
    """The strongest evidence that perfect separation of so many trials shows on the side of the worst case.

    `log10_lr` is its magnitude; evidence for one speaker and for two has not the same ceiling.
    """

    log10_lr: float
    tag: Tag
    is_reached: bool  # near the ceiling of its side, and with its tag: a worse one could not have been seen
    needed: tuple[TrialsNeeded, ...]  # for the tags above it, in their order

    def badge(self) -> str:
        """The tag, and whether the data end there: "C, at the limit of these data"."""
        code = "ceiling.reached" if self.is_reached else "ceiling.not-reached"
        return say(code, tag=self.tag.letter, ceiling=log10_lr(self.log10_lr))

    def sentence(self) -> str:
        """How many trials the next tags would take; empty where there is none."""
        codes = ("ceiling.needed", *("ceiling.needed-next" for _ in self.needed[1:]))
        return " ".join(
            say(code, tag=each.tag.letter, nontarget=each.n_nontarget, target=each.n_target)
            for code, each in zip(codes, self.needed, strict=False)
        )


def ceiling_of(assessment: Assessment) -> Ceiling:
    """The ceiling of an assessment on its own scale of tags."""
    scale = assessment.settings.tag_scale
    highest = abs(assessment.strongest_ceiling_log10_lr)
    tag = scale.tag_of(highest)
    is_near = assessment.worst_case_log10_lr >= highest - _NEAR
    most = scale.tag_of(assessment.worst_case_ceiling_log10_lr)  # on either side
    above = scale.tags[scale.tags.index(most) + 1 :]
    shown, *needed = (replace(each, letter=scale.shown(each.letter)) for each in (tag, *above))
    return Ceiling(
        highest,
        shown,
        is_near and assessment.tag == tag.letter,
        tuple(trials_needed(each, assessment.n_target, assessment.n_nontarget) for each in needed),
    )


def trials_needed(tag: Tag, n_target: int, n_nontarget: int) -> TrialsNeeded:
    """How many trials of either class a tag would take, with those of the other class as they are.

    By Laplace's rule T targets all above N nontargets have the LR (T + 1)/T · N, and T/N · (N + 1) stands
    against it: so N = ⌈10^l · T/(T + 1)⌉ nontargets reach the bound l, and T = ⌈10^l · N/(N + 1)⌉ targets do.
    Ref: the ZEBRA paper, footnote 6.
    """
    bound = 10.0 ** (tag.from_log10_lr - ON_A_BOUND)
    return TrialsNeeded(
        tag,
        math.ceil(bound * n_target / (n_target + 1)),
        math.ceil(bound * n_nontarget / (n_nontarget + 1)),
    )
