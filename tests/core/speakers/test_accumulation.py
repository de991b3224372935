"""Pools of utterances."""

import numpy as np
import pytest

from tests.core.similarity_cases import ids, random_rows, scores, segments
from tests.core.speakers.test_disclosure import dense
from zebra_core.evidence.segments import SpokenSegments
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.speakers.accumulation import Accumulation, Pooling, accumulate

TRIALS = dense(0, gap=0.5, per_speaker=40)


def curve(trials: Trials = TRIALS, pooling: Pooling = Pooling.MEAN_SCORE, seed: int = 0) -> Accumulation:
    return accumulate(SpeakerTrials.of_trials(trials), pooling, seed=seed)


def test_a_single_utterance_is_the_assessment() -> None:
    point, whole = curve().points[0], assess(TRIALS)
    assert (point.n_utterances, point.n_target, point.n_nontarget) == (1, 160, 480)
    assert point.d_ece_bits == whole.d_ece_bits
    assert point.worst_case_log10_lr == whole.worst_case_log10_lr
    assert point.ceiling_log10_lr == whole.worst_case_ceiling_log10_lr


def test_pools_double_until_fewer_than_30_target_pools_are_left() -> None:
    found = curve()
    assert [(p.n_utterances, p.n_target, p.n_nontarget) for p in found.points] == [
        (1, 160, 480), (2, 80, 240), (4, 40, 120),
    ]  # fmt: skip
    assert (found.stopped_at, found.n_target_there) == (8, 20)


def test_utterances_that_fill_no_pool_are_counted() -> None:
    found = curve(dense(0, per_speaker=43))
    assert [p.n_segments_unused for p in found.points] == [0, 4, 12]


def test_more_utterances_disclose_more() -> None:
    disclosed = [point.d_ece_bits for point in curve(dense(0, gap=0.5, per_speaker=160)).points]
    assert len(disclosed) == 5
    assert disclosed == sorted(disclosed)


def test_too_few_targets_make_no_curve() -> None:
    found = curve(dense(0, per_speaker=7))
    assert (found.points, found.stopped_at, found.n_target_there) == ((), 1, 28)


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
    assert curve(seed=1).points == curve(seed=1).points
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


def test_summed_llrs_count_dependent_evidence_twice() -> None:
    found = curve(all_alike(), Pooling.SUM_OF_LLRS)
    first = found.points[0].worst_case_log10_lr
    assert first == pytest.approx(assess(all_alike()).worst_case_log10_lr, rel=1e-12)
    for point in found.points:
        assert point.worst_case_log10_lr == pytest.approx(point.n_utterances * first, rel=1e-12)


@pytest.mark.parametrize("mutual", [True, False], ids=["within a set", "between sets"])
def test_segments_against_segments_are_pooled_without_the_enrolment_itself(mutual: bool) -> None:
    """4 speakers of 6 segments. Pools of 2 against one of the 4 other segments of the speaker, or of others.

    Singles: 4·15 unordered (4·30 ordered) targets. Pairs: 4 speakers · 3 pools · 4 enrolments.
    """
    spoken = segments(4, 6)
    rows = random_rows(spoken, 0, ordered=not mutual)
    trials = SpokenSegments.of(scores(rows), spoken).trials(("s0", "s1", "s2", "s3"), mutual=mutual)
    one, two = accumulate(trials).points
    assert (one.n_target, two.n_target) == (60 if mutual else 120, 48)
    assert two.n_nontarget == 4 * 3 * 18


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
    assert curve(more).points[0] == curve().points[0]
    assert [p.n_nontarget for p in curve(more).points] == [p.n_nontarget for p in curve().points]
