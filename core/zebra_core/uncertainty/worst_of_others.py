"""The worst case that other speakers bear out, drawn again: what a set of so many speakers shows.

Unlike D_ECE it grows with the number of speakers, for the more trials there are the stronger evidence they
bear out. So its draws speak of sets of as many speakers as there are, and of no more. For each draw the
calibration is learnt anew, always on other folds of speakers than it is judged on; whoever is drawn twice
stays in one fold. That takes longer than all other figures together: it is drawn where somebody asks for it.
"""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.trials import BoolArray, CodeArray, IntArray, Trials
from zebra_core.metrics.chance.resampling import drawn_until
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.cross_fitted import strongest_log10_lrs
from zebra_core.metrics.cross_fitting import FoldCounts, FoldedTrials
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.resampling import Clusters, ResamplingUnit

MOST_DRAWN = 200  # replicates; a spread is known to 5 % of itself from so many


def worst_of_others(
    trials: Trials,
    settings: BootstrapSettings,
    on_progress: Progress = no_progress,
) -> FigureDraws | None:
    """The largest |log10 LR| by calibration of others with its draws; None where nobody knows who speaks.

    O(n) a replicate. Folds are dealt as the assessment of these trials deals them. The same seed gives the
    same draws. Raises InputError for fewer than three speakers, and Cancelled.
    """
    trials = in_order(trials)
    folded = FoldedTrials.of(trials, ScoreCounts.of(trials.score, trials.is_target))
    clusters = Clusters.of_trials(trials)
    if folded is None or clusters.unit is not ResamplingUnit.SPEAKER:
        return None
    rng = generator(settings.seed, Purpose.SPEAKERS_DRAWN)
    replicates = min(settings.replicates, MOST_DRAWN)
    work = 1 + clusters.n_left_out + replicates

    def once() -> float | None:
        return _worst(folded, trials, clusters, clusters.draw(rng))

    left_out, draws = [], []
    for weight in clusters.left_out():
        found = _worst(folded, trials, clusters, weight)
        left_out.append(np.nan if found is None else found)
        on_progress(len(left_out) / work)
    for _ in range(replicates):
        found = drawn_until(once)
        draws.append(np.nan if found is None else found)
        on_progress((len(left_out) + len(draws)) / work)
    estimate = _worst(folded, trials, clusters, clusters.all_once)
    assert estimate is not None  # noqa: S101 - for the type checker: trials have both classes
    return FigureDraws(estimate, np.array(draws), np.array(left_out), clusters.n_told, lowest=0.0)


def _worst(folded: FoldedTrials, trials: Trials, clusters: Clusters, weight: CodeArray) -> float | None:
    """The worst case of others under these weights; None where they leave a class without trials."""
    own = weight[clusters.enrol] * weight[clusters.test]
    target, nontarget = (_table(folded, own, chosen) for chosen in (trials.is_target, ~trials.is_target))
    if not (target.any() and nontarget.any()):
        return None
    folds = FoldCounts(folded.counts.borders, target, nontarget, is_by_speaker=True)
    against, for_ = strongest_log10_lrs(folds)
    return max(for_, -against)


def _table(folded: FoldedTrials, own: CodeArray, chosen: BoolArray) -> IntArray:
    shape = folded.counts.n_target.shape
    table = np.bincount(folded.place[chosen], own[chosen], int(np.prod(shape)))
    return table.astype(np.int64).reshape(shape)
