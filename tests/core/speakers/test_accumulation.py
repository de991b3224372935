"""Pools of utterances."""

import numpy as np
import pytest

from tests.core.similarity_cases import ids, random_rows, scores, segments
from tests.core.speakers.test_disclosure import dense, made
from zebra_core.evidence.segments import SpokenSegments
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.speakers.accumulation import Accumulation, Pooling, accumulate

TRIALS = dense(0, gap=0.5, per_speaker=40)


def curve(trials: Trials = TRIALS, pooling: Pooling = Pooling.MEAN_SCORE, seed: int = 0) -> Accumulation:
    return accumulate(SpeakerTrials.of_trials(trials), pooling, seed=seed)


def test_every_point_has_as_many_pools_until_fewer_than_30_of_a_class_are_left() -> None:
    """160 target segments make 40 pools of 4; of 8 utterances only 20 would be left."""
    found = curve()
    assert [(p.n_utterances, p.n_target, p.n_nontarget) for p in found.points] == [
        (1, 40, 120), (2, 40, 120), (4, 40, 120),
    ]  # fmt: skip
    assert (found.stopped_at, found.n_pools_there, found.n_speakers) == (8, 20, 4)
    assert len({point.ceiling_log10_lr for point in found.points}) == 1


def test_a_single_utterance_is_the_assessment_where_no_more_are_pooled() -> None:
    trials = dense(0, gap=0.5, per_speaker=14)
    (point,), whole = curve(trials).points, assess(trials)
    assert (point.n_utterances, point.n_target, point.n_nontarget) == (1, 56, 168)
    assert point.d_ece_bits == pytest.approx(whole.d_ece_bits, rel=1e-12)
    assert point.worst_case_log10_lr == pytest.approx(whole.worst_case_log10_lr, rel=1e-12)
    assert point.ceiling_log10_lr == whole.worst_case_ceiling_log10_lr


def test_utterances_that_fill_no_pool_are_counted() -> None:
    found = curve(dense(0, per_speaker=43))
    assert [p.n_segments_unused for p in found.points] == [4 * 33, 4 * 23, 4 * 3]


def test_more_utterances_disclose_more() -> None:
    disclosed = [point.d_ece_bits for point in curve(dense(0, gap=0.5, per_speaker=160)).points]
    assert len(disclosed) == 5
    assert disclosed == sorted(disclosed)


def test_too_few_targets_make_no_curve() -> None:
    found = curve(dense(0, per_speaker=7))
    assert (found.points, found.stopped_at, found.n_pools_there) == ((), 1, 28)
    assert not found.has_chance


@pytest.mark.parametrize("pooling", Pooling)
def test_where_nothing_is_disclosed_nothing_accumulates(pooling: Pooling) -> None:
    """Means of five sets: without the correction 0.02 bit, and sums of LLRs up to 0.07."""
    trials = [SpeakerTrials.of_trials(made(seed, 30, 8, segment=0.0, mu=0.0)) for seed in range(5)]
    curves = [accumulate(each, pooling, replicates=39) for each in trials]
    for number in range(4):
        points = [each.points[number] for each in curves]
        assert np.mean([point.d_ece_corrected_bits for point in points]) == pytest.approx(0.0, abs=0.04)
        assert sum(p.by_chance_bits[0] <= p.shown_bits <= p.by_chance_bits[1] for p in points) >= 3
        assert all(p.worst_case_log10_lr <= p.ceiling_log10_lr for p in points)


def test_full_disclosure_stays_full_without_what_chance_shows() -> None:
    trials = made(0, 30, 4, mu=50.0)
    for point in accumulate(SpeakerTrials.of_trials(trials), replicates=19).points:
        assert point.d_ece_corrected_bits == pytest.approx(FULL_DISCLOSURE_BITS, rel=1e-12)


def test_where_not_everybody_met_everybody_nothing_is_said_of_chance() -> None:
    trials = made(0, 30, 8)
    rng = np.random.default_rng(1)
    kept = np.flatnonzero(trials.is_target | (rng.random(len(trials)) < 0.7))
    assert trials.enrol is not None
    assert trials.test is not None
    sparse = Trials(
        trials.score[kept],
        trials.is_target[kept],
        ids([trials.enrol[int(k)] for k in kept]),
        ids([trials.test[int(k)] for k in kept]),
    )
    found = accumulate(SpeakerTrials.of_trials(sparse), replicates=9)
    assert len(found.points) > 1
    assert not found.has_chance
    assert all(point.shown_bits == point.d_ece_bits for point in found.points)
    assert len({(point.n_target, point.n_nontarget) for point in found.points}) == 1


def test_pools_do_not_depend_on_the_order_of_the_trials() -> None:
    order = np.random.default_rng(5).permutation(len(TRIALS))
    assert TRIALS.enrol is not None
    assert TRIALS.test is not None
    turned = Trials(
        TRIALS.score[order],
        TRIALS.is_target[order],
        ids([TRIALS.enrol[int(k)] for k in order]),
        ids([TRIALS.test[int(k)] for k in order]),
    )
    for ours, other in zip(curve().points, curve(turned).points, strict=True):
        assert ours.d_ece_bits == pytest.approx(other.d_ece_bits, rel=1e-12)


def test_the_seed_decides_who_is_pooled_with_whom() -> None:
    # Compared as they are shown: what is not measurable is NaN, which equals nothing.
    assert repr(curve(seed=1).points) == repr(curve(seed=1).points)
    assert curve(seed=1).points[1] != curve(seed=2).points[1]


def all_alike() -> Trials:
    """Each speaker's utterances score alike, so that a second one says nothing new."""
    assert TRIALS.enrol is not None
    assert TRIALS.test is not None
    name = [(TRIALS.enrol[k], TRIALS.test[k][0]) for k in range(len(TRIALS))]
    value = {pair: float(number) for number, pair in enumerate(sorted(set(name)))}
    return Trials(np.array([value[pair] for pair in name]), TRIALS.is_target, TRIALS.enrol, TRIALS.test)


def test_pools_of_utterances_that_are_all_alike_disclose_what_one_does() -> None:
    first, *others = curve(all_alike()).points
    for point in others:
        assert point.d_ece_bits == pytest.approx(first.d_ece_bits, rel=1e-12)


def test_summed_llrs_of_dependent_evidence_are_calibrated_again() -> None:
    """Added up they would be twice as strong with each doubling; no worst case passes the ceiling."""
    found = curve(all_alike(), Pooling.SUM_OF_LLRS)
    first, *others = found.points
    for point in others:
        assert point.worst_case_log10_lr == pytest.approx(first.worst_case_log10_lr, rel=1e-12)


@pytest.mark.parametrize("mutual", [True, False], ids=["within a set", "between sets"])
def test_segments_against_segments_are_pooled_without_the_enrolment_itself(mutual: bool) -> None:
    """4 speakers of 6 segments. Pools of 2 against one of the 4 other segments of the speaker, or of others.

    4 speakers · 3 pools of each size, those of two against the 4 other segments; as many of single segments.
    """
    spoken = segments(4, 6)
    rows = random_rows(spoken, 0, ordered=not mutual)
    trials = SpokenSegments.of(scores(rows), spoken).trials(("s0", "s1", "s2", "s3"), mutual=mutual)
    one, two = accumulate(trials).points
    assert (one.n_target, two.n_target) == (48, 48)
    assert one.n_nontarget == two.n_nontarget == 4 * 3 * 18


def test_utterances_of_unknown_speakers_are_left_out() -> None:
    assert TRIALS.enrol is not None
    assert TRIALS.test is not None
    names = [TRIALS.enrol[k] for k in range(len(TRIALS))], [TRIALS.test[k] for k in range(len(TRIALS))]
    more = Trials(
        np.append(TRIALS.score, 9.0),
        np.append(TRIALS.is_target, False),
        ids([*names[0], "a"]),
        ids([*names[1], "unknown"]),
    )
    assert repr(curve(more).points) == repr(curve().points)
    assert [p.n_nontarget for p in curve(more).points] == [p.n_nontarget for p in curve().points]
