"""The worst case that other speakers bear out, drawn again."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.speaker_model import trials_of
from zebra_core.errors import Cancelled
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.trials import ScoreCounts
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.cross_fitted import FoldCounts, FoldedTrials, strongest_log10_lrs
from zebra_core.project.verdicts.measuring import MOST_DRAWN, worst_of_others
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.one_sided import one_sided
from zebra_core.uncertainty.resampling import Clusters

FEW = BootstrapSettings(100)
TRIALS = in_order(trials_of(np.random.default_rng(4), 12, 0.5))


def test_undrawn_it_is_the_figure_of_the_assessment_and_a_seed_gives_its_draws_again() -> None:
    found, again = worst_of_others(TRIALS, FEW), worst_of_others(TRIALS, FEW)
    other = worst_of_others(TRIALS, replace(FEW, seed=1))
    assert found is not None
    assert again is not None
    assert other is not None
    assert found.estimate == assess(TRIALS).cross_fitted.worst_case_log10_lr
    assert found.draws.tolist() == again.draws.tolist()
    assert found.draws.tolist() != other.draws.tolist()
    assert (len(found.draws), len(found.left_out), found.n_clusters) == (100, 12, 12)
    assert (found.draws >= 0.0).all()


def test_whoever_is_left_out_is_as_if_he_had_never_been_there() -> None:
    """The folds and bins stay those of all; counted here without any weights."""
    found, clusters = worst_of_others(TRIALS, FEW), Clusters.of_trials(TRIALS)
    folded = FoldedTrials.of(TRIALS, ScoreCounts.of(TRIALS.score, TRIALS.is_target))
    assert found is not None
    assert folded is not None
    shape = folded.counts.n_target.shape
    for who, weight in enumerate(clusters.left_out()):
        (gone,) = np.flatnonzero(weight[:-1] == 0)
        kept = (clusters.enrol != gone) & (clusters.test != gone)
        target, nontarget = (
            np.bincount(folded.place[kept & of], minlength=int(np.prod(shape))).reshape(shape)
            for of in (TRIALS.is_target, ~TRIALS.is_target)
        )
        folds = FoldCounts(folded.counts.borders, target, nontarget, is_by_speaker=True)
        against, for_ = strongest_log10_lrs(folds)
        assert found.left_out[who] == max(for_, -against)


def test_what_nobody_speaks_has_none_and_it_can_be_stopped() -> None:
    assert worst_of_others(replace(TRIALS, enrol=None, test=None), FEW) is None

    def stop(_share: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        worst_of_others(TRIALS, FEW, stop)


def test_it_takes_no_more_draws_than_its_spread_needs() -> None:
    found = worst_of_others(trials_of(np.random.default_rng(4), 4, 0.5), BootstrapSettings(MOST_DRAWN + 1))
    assert found is not None
    assert len(found.draws) == MOST_DRAWN


def test_what_such_sets_show_is_hardly_ever_said_to_be_kept_below() -> None:
    """Sets of twelve speakers show 0.586 on the average of five hundred; the bound is that."""
    met = 0
    for seed in range(8):
        trials = trials_of(np.random.default_rng([12, seed]), 12, 0.5)
        drawn = worst_of_others(trials, BootstrapSettings(100, seed=seed))
        assert drawn is not None
        met += one_sided(drawn, 0.95).high <= 0.586
    assert met <= 1
