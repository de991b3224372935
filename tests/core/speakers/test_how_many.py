"""There is one number of speakers: whoever says how many there are says the same."""

import numpy as np
import pytest

from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.speakers.disclosure import speaker_disclosures
from zebra_core.speakers.study import cross_validate
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.resampling import Clusters

ENROLLED, WITHOUT_TARGETS, UNKNOWN = 24, 4, 7


@pytest.fixture(scope="module")
def trials():
    """24 are enrolled, 4 of whom have no target trial; of 7 segments nobody knows who speaks in them."""
    rng = np.random.default_rng(3)
    heard = [f"s{k}-1" for k in range(ENROLLED - WITHOUT_TARGETS)] + [f"x{k}" for k in range(UNKNOWN)]
    pairs = [(f"s{k}", test) for k in range(ENROLLED) for test in heard]
    is_target = np.array([test == f"{enrol}-1" for enrol, test in pairs])
    score = rng.normal(is_target, 1.0)
    enrol, test = (_ids(side) for side in zip(*pairs, strict=True))
    return Trials(score, is_target, enrol, test)


def _ids(column):
    names, codes = np.unique(column, return_inverse=True)
    return Ids(codes.astype(np.int32), tuple(map(str, names)))


def test_segments_of_whom_nobody_knows_are_no_speakers(trials):
    known = assess(trials)
    assert len(SpeakerTrials.of_trials(trials).speakers) == ENROLLED
    assert Clusters.of_trials(trials).n == ENROLLED + UNKNOWN  # all of which are drawn
    assert Clusters.of_trials(trials).n_told == ENROLLED
    assert bootstrap(trials, known, BootstrapSettings(replicates=20)).n_clusters == ENROLLED
    assert cross_validate(trials, known.profile.prior_log_odds, n_folds=3).n_speakers == ENROLLED


def test_where_nothing_is_said_of_some_that_is_part_of_the_sentence(trials):
    found = speaker_disclosures(SpeakerTrials.of_trials(trials), replicates=20)
    assert (len(found), len(found.left_out)) == (ENROLLED - WITHOUT_TARGETS, WITHOUT_TARGETS)
    whom = "20 speakers (of 24: the others lack target or nontarget trials)"
    assert whom in found.sentence("B2")
