"""Similarity matrices whose speakers are drawn again, or dealt out anew: for intervals, and for chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
import scipy
from scipy import sparse

from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.ordering import order_of_speakers, order_of_tests
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import BoolArray, CodeArray, FloatArray, IntArray, RankedScores
from zebra_core.metrics.chance.permutation import exchanged
from zebra_core.metrics.chance.seeds import MOST_LEFT_OUT, Purpose, generator
from zebra_core.metrics.ece import PavBlocks, laplace, pav_of_each
from zebra_core.metrics.error_rates import cllr_bits_of_each
from zebra_core.metrics.registry import DrawnTrials
from zebra_core.metrics.similarity import SETTINGS, Mean, VoiceSimilarity, signed_dominance, similarity_matrix
from zebra_core.metrics.zebra import d_ece_bits_of_each
from zebra_core.runtime.progress import Progress, no_progress, part_of
from zebra_core.uncertainty.bootstrap import FEWEST_REPLICATES, BootstrapSettings, Uncertainty
from zebra_core.uncertainty.no_disclosure import FEWEST_DEALS, Exchange, NoDisclosure
from zebra_core.uncertainty.resampling import (
    BY_SETTING,
    FEWEST_CLUSTERS,
    RELATIVE,
    VOICE_FIGURES,
    Clusters,
    FigureDraws,
    ResamplingUnit,
    few_speakers,
)
from zebra_core.uncertainty.weighted import WeightedTrials, at_once_of, each_once

_SUMMED = 64  # numbers added up one after the other

OPTIMISTIC = True  # every figure rests on the PAV, whose bias carries over to shares and gains


def figure_of(voices: VoiceSimilarity, name: str) -> float | None:
    """One of VOICE_FIGURES as the matrices have it; None where it is not defined."""
    if name in RELATIVE:
        value: float | None = getattr(voices, name)
        return value
    of_setting, setting = name[:-3], name[-2:]
    if of_setting == "d_diag":
        return voices.d_diag(setting)
    matrix = voices.matrices.get(setting)
    return getattr(matrix, of_setting) if matrix else None


def voices_bootstrap(
    voices: VoiceSimilarity,
    trials: Mapping[str, SpeakerTrials],
    settings: BootstrapSettings | None = None,
    *,
    order: IntArray | None = None,
    on_progress: Progress = no_progress,
) -> Uncertainty:
    """Draw the speakers of similarity matrices again and again; O(replicates · trials).

    Somebody drawn w times is in w rows and columns, see `weighted_dominance`. All settings share each draw,
    so that DeID and G_VD are those of pairs, as are D_ECE and min Cllr, the disclosure relative to OO and the
    gains of voice distinctiveness by both (csl2022, eq. 17 to 20). The calibration is learnt anew for every
    draw, and as it flatters the attacker in cells as it does in D_ECE, all intervals are freed of its
    optimism as those of an assessment are.

    Parameters
    ----------
    `voices`
        The matrices.
    `trials`
        Those of every setting between the speakers of the matrices (`SegmentEvidence.trials`).
    `settings`
        How often to draw, and from which seed.
    `order`
        The order in which speakers are drawn: what is drawn in one order makes pairs. By default it follows
        from the scores (`dealing_order`), whatever speakers are called.
    `on_progress`
        Is told the share that is done, 0 … 1, and may raise Cancelled.

    Returns
    -------
    Uncertainty
        The draws and their intervals. Stopped by `on_progress` there is what was drawn by then, if that is at
        least 20 replicates.

    Raises
    ------
    InputError
        For fewer than three speakers.
    Cancelled
        Where it was stopped before there were 20 replicates.

    Examples
    --------
    >>> import numpy as np
    >>> from zebra_core import BootstrapSettings, SegmentScores, SpeakerRule, voices_bootstrap
    >>> from zebra_core.evidence.segments import SegmentEvidence
    >>> from zebra_core.evidence.trials import Ids
    >>> from zebra_core.metrics.similarity import similarity_of
    >>> one, two = np.triu_indices(30, k=1)  # 10 speakers with 3 segments each, all pairs
    >>> names = np.array([f"{n // 3}-{n}" for n in range(30)])
    >>> score = np.random.default_rng(0).normal(size=len(one)) + 3.0 * (one // 3 == two // 3)
    >>> oo = SegmentScores(Ids.of(names[one]), Ids.of(names[two]), score)
    >>> known = SegmentEvidence({"oo": oo}, SpeakerRule.BEFORE_HYPHEN)
    >>> voices = similarity_of(known)
    >>> trials = known.all_trials(voices.speakers)
    >>> found = voices_bootstrap(voices, trials, BootstrapSettings(200))
    >>> between = found.interval("d_diag_oo")
    >>> round(voices.d_diag("oo"), 2), round(between.low, 2), round(between.high, 2)
    (0.83, 0.76, 0.96)
    """
    settings = settings or BootstrapSettings()
    n = len(voices.speakers)
    if n < FEWEST_CLUSTERS:
        raise InputError("uncertainty-few-speakers", count=n, fewest=FEWEST_CLUSTERS)
    matrices = {
        setting: DrawnMatrix.of(trials[setting], voices.mean)
        for setting, matrix in voices.matrices.items()
        if matrix.is_calibrated
    }
    order = dealing_order(trials) if order is None else order
    set_of_draws = f"{settings.seed} {order.tolist()}"
    weights = _weights(n, order, settings)
    before = 1 + min(n, MOST_LEFT_OUT)
    work, tables = before + settings.replicates, []
    at_once = at_once_of(max(matrix.trials.size for matrix in matrices.values()), settings.replicates)
    known: dict[str, dict[bytes, FloatArray]] = {setting: {} for setting in matrices}
    done = 0
    try:
        while block := list(islice(weights, at_once)):
            on_progress(done / work)
            tables.append(_figures(matrices, np.array(block), known))
            done += len(block)
        on_progress(1.0)
    except Cancelled:
        if done < before + FEWEST_REPLICATES:
            raise
    values = {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}
    figures = {
        name: FigureDraws(
            float(of_name[0]),
            of_name[before:],
            of_name[1:before],
            n,
            OPTIMISTIC,
            *VOICE_FIGURES[name],
            figure=name,
            set_of_draws=set_of_draws,
        )
        for name, of_name in values.items()
        if figure_of(voices, name) is not None and not np.isnan(of_name[before:]).all()
    }
    return Uncertainty(settings, done - before, figures, n, remarks=few_speakers(n))


def dealing_order(trials: Mapping[str, SpeakerTrials]) -> IntArray:
    """The places of the speakers of these settings in the order in which they are drawn."""
    (first, *_) = trials.values()
    lists = ((each.enrolled, each.heard, each.score, each.is_target) for each in trials.values())
    return order_of_speakers(lists, first.speakers)


def _weights(n: int, order: IntArray, settings: BootstrapSettings) -> Iterator[CodeArray]:
    """The weights of n speakers as they are, then those of the jackknife, then those drawn in this order."""
    nothing, rng = np.zeros(0, dtype=np.int32), generator(settings.seed, Purpose.MATRICES)
    clusters = Clusters(n, nothing, nothing, np.zeros(n, dtype=np.int64), ResamplingUnit.SPEAKER)
    draws = clusters.draw_often(rng, settings.replicates)
    for weight in chain([clusters.all_once], clusters.left_out(), draws):
        placed = weight.copy()  # the last is nobody's
        placed[order] = weight[:-1]
        yield placed


def _figures(
    matrices: Mapping[str, DrawnMatrix], weights: CodeArray, known: Mapping[str, dict[bytes, FloatArray]]
) -> dict[str, FloatArray]:
    """Every figure under each of the weights, NaN where it is not defined; of some they are known."""
    values: dict[str, FloatArray] = {}
    for setting, matrix in matrices.items():
        table = each_once(weights, known[setting], matrix.figures)
        names = [f"{name}_{setting}" for name in BY_SETTING]
        values |= dict(zip(names, table.T, strict=True))
    saved = {f"saved_{s}": 1.0 - values[f"min_cllr_bits_{s}"] for s in matrices}
    _relate(values, "d_diag", "de_id", "g_vd_db")
    _relate(values, "d_ece_bits", "d_ece_op_oo", "g_d_ece_db")
    _relate(saved, "saved", "min_cllr_op_oo", "g_cllr_db")
    values |= {name: of_name for name, of_name in saved.items() if name in RELATIVE}
    return {name: np.where(np.isfinite(of_name), of_name, np.nan) for name, of_name in values.items()}


def _relate(values: dict[str, FloatArray], figure: str, loss: str, gain: str) -> None:
    """Add what OP loses and PP gains relative to OO, where there are both."""
    oo, op, pp = (values.get(f"{figure}_{setting}") for setting in SETTINGS)
    with np.errstate(divide="ignore", invalid="ignore"):
        if oo is not None and op is not None:
            values[loss] = 1.0 - op / oo
        if oo is not None and pp is not None:
            values[gain] = 10.0 * np.log10(pp / oo)


@dataclass(frozen=True, eq=False)
class DrawnMatrix:
    """The trials of one setting, counted once by run of scores and by cell.

    A matrix is made of oracle-calibrated LLRs, and the calibration has seen the very speakers that are drawn.
    Held as it is, the draws are too much alike, and nothing tells how far it flatters the attacker: in
    simulations 95 % intervals of D_diag, DeID and G_VD then held the truth in 55 to 84 of 100 sets. So it is
    learnt anew for every draw.

    Cell k of c, of those that have trials, is that of the speakers `row[k]` and `column[k]`; where neither
    side is special one stands for both orders. `share`, (c, runs), says which share of its trials is in
    each run.
    """

    trials: WeightedTrials
    row: IntArray
    column: IntArray
    share: sparse.csr_array
    mean: Mean

    @classmethod
    def of(cls, trials: SpeakerTrials, mean: Mean) -> DrawnMatrix:
        """Sort the trials between the speakers of a matrix; both classes must be there. O(n log n)."""
        clusters = Clusters.of_speaker_trials(trials)
        weighted, n = WeightedTrials.of(trials, clusters), clusters.n
        sides = (weighted.target, weighted.nontarget)
        row = np.concatenate([side.enrol for side in sides]).astype(np.int64)
        column = np.concatenate([np.where(side.test == n, side.enrol, side.test) for side in sides])
        if trials.mutual:
            row, column = np.minimum(row, column), np.maximum(row, column)
        cells, cell = np.unique(row * n + column, return_inverse=True)
        of_pairs = sparse.hstack([side.counts for side in sides], format="csr").T
        counts = sparse.csr_array((np.ones(len(cell)), (cell, np.arange(len(cell))))) @ of_pairs
        share = sparse.csr_array(counts.multiply(1.0 / counts.sum(axis=1)[:, np.newaxis]))
        return cls(weighted, *np.divmod(cells, n), share, mean)

    def figures(self, weights: CodeArray) -> FloatArray:
        """BY_SETTING under each of these weights, (w, speakers + 1) as of `Clusters.draw`; shape (w, 3).

        NaN where the weights leave a class without trials, or the matrix without a diagonal. O(w · n).
        """
        found = np.full((len(weights), len(BY_SETTING)), np.nan)
        counts = [side.drawn(weights)[0] for side in (self.trials.target, self.trials.nontarget)]
        there = np.flatnonzero(np.all([of_class.any(axis=1) for of_class in counts], axis=0))
        if len(there):
            drawn = DrawnTrials(counts[0][there], counts[1][there])
            d_diag = np.abs(self._dominance(drawn.smoothed, weights[there]))
            found[there] = np.stack(
                [d_diag, d_ece_bits_of_each(*drawn.oracle), cllr_bits_of_each(*drawn.oracle)], axis=1
            )
        return found

    def _dominance(self, blocks: PavBlocks, weights: CodeArray) -> FloatArray:
        """`similarity.signed_dominance` where speaker i is there weight[i] times, (w,).

        The cell of i with itself counts w_i times, as there are w_i people who are like themselves, and that
        of i with j w_i·w_j times. NaN where it is not defined.
        """
        is_geometric = self.mean is Mean.GEOMETRIC
        by_run = blocks.by_score(scipy.special.log_expit(blocks.llr) if is_geometric else blocks.llr)
        mean = self.share @ by_run.T
        cells = np.exp(mean) if is_geometric else scipy.special.expit(mean)
        often = np.ascontiguousarray(weights.T, dtype=np.float64)
        own = self.row == self.column
        times = often[self.row] * np.where(own[:, np.newaxis], 1.0, often[self.column])
        with np.errstate(divide="ignore", invalid="ignore"):
            of_own, of_others = _two_sums(own, times * cells) / _two_sums(own, times)
        return np.asarray(of_own - of_others)


def _two_sums(chosen: BoolArray, values: FloatArray) -> FloatArray:
    """The sums of the chosen rows of the values, (c, w), and of the others: (2, w).

    Sums of sums, for thousands of numbers one after the other lose two digits; in the same order in each
    column, whatever is drawn beside.
    """
    place = np.arange(len(chosen))
    group = np.where(chosen, 0, 1 + len(chosen) // _SUMMED) + place // _SUMMED
    sums = sparse.csr_array((np.ones(len(chosen)), (group, place))) @ values
    is_of_chosen = np.arange(len(sums)) < 1 + len(chosen) // _SUMMED
    return np.asarray(sparse.csr_array(np.stack([is_of_chosen, ~is_of_chosen]).astype(np.float64)) @ sums)


def dominance_without_disclosure(
    deals: Mapping[str, tuple[SpeakerTrials, int]],
    mean: Mean = Mean.GEOMETRIC,
    *,
    seed: int = 0,
    on_progress: Progress = no_progress,
) -> NoDisclosure | None:
    """Deal out anew who speaks in which segment, and make the matrices again; None where no D_diag is there.

    `deals` has the trials of each setting (`SpokenSegments.trials`), and how many sets are made of them.
    Where neither side is special the speakers of all segments are dealt out, otherwise only those of the
    protected ones, so that every speaker keeps the number of segments. They are dealt in an order that
    follows from the scores, not from their ids. The calibration is learnt anew each time, since it adapts to
    whatever is called target. One sort, O(n) a set. Stopped (Cancelled) it returns what there is, if that is
    at least 20 sets of one setting, else Cancelled goes on.
    """
    observed: dict[str, float] = {}
    draws: dict[str, FloatArray] = {}
    try:
        for number, (setting, (trials, replicates)) in enumerate(deals.items()):
            part = part_of(on_progress, number / len(deals), (number + 1) / len(deals))
            value = similarity_matrix(trials).d_diag(mean)
            if value is None:
                continue
            values = _dominances(trials, mean, replicates, seed, part)
            if not np.isnan(values).all():
                observed[f"d_diag_{setting}"], draws[f"d_diag_{setting}"] = value, values
    except Cancelled:
        if not draws:
            raise
    return NoDisclosure(observed, draws, Exchange.SPEAKERS, seed) if draws else None


def _dominances(
    trials: SpeakerTrials, mean: Mean, replicates: int, seed: int, on_progress: Progress
) -> FloatArray:
    """D_diag of as many sets without disclosure, NaN where one has no diagonal."""
    heard, rng = _in_order(trials), generator(seed, Purpose.NO_DISCLOSURE)
    ranked = RankedScores.of(trials.score)
    at_once = at_once_of(len(trials), replicates)
    draws: list[FloatArray] = []
    block: list[CodeArray] = []
    try:
        for done in range(replicates):
            on_progress(done / replicates)
            block.append(_dealt(trials.speaker_of_test, heard, rng))
            if len(block) == at_once:
                draws.append(_dominance_of_each(trials, ranked, np.array(block), mean))
                block.clear()
        on_progress(1.0)
    except Cancelled:
        if len(draws) * at_once + len(block) < FEWEST_DEALS:
            raise
    if block:
        draws.append(_dominance_of_each(trials, ranked, np.array(block), mean))
    return np.concatenate(draws)


def _dominance_of_each(
    trials: SpeakerTrials, ranked: RankedScores, speaker_of_test: CodeArray, mean: Mean
) -> FloatArray:
    """D_diag, (w,), under each of these speakers of the segments, (w, segments); NaN where there is none."""
    n, m, size = len(trials), len(ranked.score), len(trials.speakers)
    heard = speaker_of_test[:, trials.test.codes]
    enrolled = speaker_of_test[:, trials.enrol.codes] if trials.mutual else trials.enrolled[np.newaxis]
    is_target = heard == enrolled
    row = np.repeat(np.arange(len(heard)), np.count_nonzero(is_target, axis=1))
    place = np.broadcast_to(ranked.place, heard.shape)[is_target]
    n_target = np.bincount(row * m + place, minlength=len(heard) * m).reshape(-1, m)
    found = np.full(len(heard), np.nan)
    there = np.flatnonzero((n_target.sum(axis=1) > 0) & (n_target.sum(axis=1) < n))
    if not len(there):
        return found
    blocks = laplace(pav_of_each(n_target[there], (ranked.n_trials - n_target)[there]))
    is_geometric = mean is Mean.GEOMETRIC
    by_score = blocks.by_score(scipy.special.log_expit(blocks.llr) if is_geometric else blocks.llr)
    cell = (enrolled.astype(np.int64) * size + heard)[there] + np.arange(len(there))[:, np.newaxis] * size**2
    tables = (
        np.bincount(cell.ravel(), values, len(there) * size**2).reshape(-1, size, size)
        for values in (by_score[:, ranked.place].ravel(), None)
    )
    sums, n_trials = (table + table.transpose(0, 2, 1) if trials.mutual else table for table in tables)
    with np.errstate(invalid="ignore"):
        means = sums / n_trials
    for k, cells in zip(there, np.exp(means) if is_geometric else scipy.special.expit(means), strict=True):
        found[k] = np.nan if (dominance := signed_dominance(cells)) is None else abs(dominance)
    return found


def _in_order(trials: SpeakerTrials) -> IntArray:
    """The codes of the segments that are dealt out."""
    is_dealt = np.zeros(len(trials.test.names), dtype=np.bool_)
    is_dealt[trials.test.codes] = True
    if trials.mutual:
        is_dealt[trials.enrol.codes] = True
    is_dealt &= trials.speaker_of_test != NOBODY_KNOWN
    order = order_of_tests(trials.enrol, trials.test, trials.score, trials.is_target)
    return order[is_dealt[order]]


def _dealt(speaker_of_test: CodeArray, heard: IntArray, rng: np.random.Generator) -> CodeArray:
    """The speakers of the segments of these codes dealt out anew among them."""
    dealt = speaker_of_test.copy()
    dealt[heard] = dealt[heard][exchanged(len(heard), rng)]
    return dealt
