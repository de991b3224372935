"""A matrix whose speakers are drawn: what repeated speakers are, and calibrations learnt anew."""

import numpy as np
import pytest

from tests.core.similarity_cases import Rows, d_diag, matrix, random_rows, scores, segments
from zebra_core.evidence.segments import SpokenSegments
from zebra_core.evidence.speaker_trials import SpeakerTrials
from zebra_core.metrics.similarity import Mean, similarity_matrix
from zebra_core.uncertainty.voices import DrawnMatrix

SPOKEN = segments(5, 3)


def rows(*, mutual: bool) -> Rows:
    return random_rows(SPOKEN, 4, ordered=not mutual, gap=1.0)


def trials(given: Rows, spoken: dict[str, str], *, mutual: bool) -> SpeakerTrials:
    names = tuple(sorted(set(spoken.values())))
    return SpokenSegments.of(scores(given), spoken).trials(names, mutual=mutual)


def weights(*often: int) -> np.ndarray:
    return np.array([[*often, 1]], dtype=np.int32)


@pytest.mark.parametrize("mutual", [True, False])
@pytest.mark.parametrize("mean", list(Mean))
def test_with_all_weights_one_everything_is_as_it_is(mean: Mean, mutual: bool) -> None:
    given = trials(rows(mutual=mutual), SPOKEN, mutual=mutual)
    plain = similarity_matrix(given)
    found = DrawnMatrix.of(given, mean).figures(weights(1, 1, 1, 1, 1))[0]
    assert found[0] == pytest.approx(plain.d_diag(mean), rel=1e-12)
    assert found[1:].tolist() == [plain.d_ece_bits, plain.min_cllr_bits]


@pytest.mark.parametrize("mutual", [True, False])
def test_who_is_not_drawn_is_as_if_never_there(mutual: bool) -> None:
    given = rows(mutual=mutual)
    few = {name: who for name, who in SPOKEN.items() if who not in {"s1", "s4"}}
    left = [row for row in given if row[0] in few and row[1] in few]
    found = DrawnMatrix.of(trials(given, SPOKEN, mutual=mutual), Mean.GEOMETRIC).figures(
        weights(1, 0, 1, 1, 0)
    )[0]
    alone = similarity_matrix(trials(left, few, mutual=mutual))
    assert found.tolist() == pytest.approx([alone.d_diag(), alone.d_ece_bits, alone.min_cllr_bits], rel=1e-12)


@pytest.mark.parametrize("is_full", [True, False], ids=["all cells", "an empty cell"])
@pytest.mark.parametrize("mutual", [True, False])
def test_somebody_drawn_twice_is_two_people_who_are_not_compared(mutual: bool, is_full: bool) -> None:
    """By brute force: copies of the speaker s2 with all comparisons but those of one copy with the other."""
    given = [
        row for row in rows(mutual=mutual) if is_full or {SPOKEN[row[0]], SPOKEN[row[1]]} != {"s1", "s2"}
    ]
    copied = SPOKEN | {f"{name}+": "s2+" for name, who in SPOKEN.items() if who == "s2"}
    more = list(given)
    for a, b, score in given:
        first, second = SPOKEN[a] == "s2", SPOKEN[b] == "s2"
        if first and second:
            more.append((f"{a}+", f"{b}+", score))
        elif first or second:
            more.append((f"{a}+" if first else a, f"{b}+" if second else b, score))
    found = DrawnMatrix.of(trials(given, SPOKEN, mutual=mutual), Mean.GEOMETRIC).figures(
        weights(1, 1, 2, 1, 1)
    )[0]
    by_hand = similarity_matrix(trials(more, copied, mutual=mutual))
    assert found.tolist() == pytest.approx(
        [by_hand.d_diag(), by_hand.d_ece_bits, by_hand.min_cllr_bits], rel=1e-12
    )


def test_the_diagonal_stands_out_as_in_plain_loops() -> None:
    given = rows(mutual=False)
    found = DrawnMatrix.of(trials(given, SPOKEN, mutual=False), Mean.SIGMOID_OF_MEAN).figures(
        weights(1, 1, 1, 1, 1)
    )
    assert found[0, 0] == pytest.approx(d_diag(matrix(given, SPOKEN, mutual=False, sigmoid_of_mean=True)))


def test_without_a_class_nothing_can_be_learnt() -> None:
    given = trials(rows(mutual=True), SPOKEN, mutual=True)
    assert np.isnan(DrawnMatrix.of(given, Mean.GEOMETRIC).figures(weights(3, 0, 0, 0, 0))).all()
