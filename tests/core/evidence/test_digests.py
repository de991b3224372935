"""The digest of arrays: equal content has one, anything else another."""

import numpy as np
import pytest

from zebra_core.evidence.audit import InputFile
from zebra_core.evidence.trials import ScoreCounts, Trials, digest_of
from zebra_core.metrics.assessment import ScoreMeaning, Settings, assess

ONE = np.array([1.0, 2.0, 3.0])


def test_equal_arrays_have_equal_digests_wherever_they_lie_in_memory():
    assert digest_of(ONE) == digest_of(np.array([1.0, 0.0, 2.0, 0.0, 3.0])[::2])
    assert len(digest_of(ONE)) == 32


@pytest.mark.parametrize(
    "others",
    [
        (np.array([1.0, 2.0, 4.0]),),
        (ONE[:2],),
        (ONE.astype(np.float32),),
        (ONE.reshape(1, 3),),
        (ONE[:1], ONE[1:]),
        (ONE, np.array([])),
        (np.array([1, 2, 3]),),
    ],
    ids=["value", "length", "kind", "shape", "parted", "one more", "whole numbers"],
)
def test_anything_else_has_another(others):
    assert digest_of(ONE) != digest_of(*others)


def test_the_order_of_the_trials_is_no_matter_and_a_label_is():
    score, is_target = np.array([0.5, 1.5, -1.0, 1.5]), np.array([True, False, False, True])
    turned = ScoreCounts.of(score[::-1], is_target[::-1])
    assert ScoreCounts.of(score, is_target).digest == turned.digest
    assert ScoreCounts.of(score, ~is_target).digest != turned.digest


def test_an_assessment_computed_anew_rests_on_the_same_and_one_of_other_files_does_not(tmp_path):
    def of_file(sha256):
        file = InputFile(tmp_path / "scores", "scores", 10, sha256, 4)
        trials = Trials.from_scores([1.0, 2.0], [0.0, -1.0])
        return assess(Trials(trials.score, trials.is_target, files=(file,)))

    one = of_file("a" * 64)
    assert one.rests_on == of_file("a" * 64).rests_on
    assert one.rests_on != of_file("b" * 64).rests_on
    llrs = assess(
        Trials.from_scores([1.0, 2.0], [0.0, -1.0]), Settings(score_meaning=ScoreMeaning.NATURAL_LLR)
    )
    assert llrs.rests_on != assess(Trials.from_scores([1.0, 2.0], [0.0, -1.0])).rests_on
