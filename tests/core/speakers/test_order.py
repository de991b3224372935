"""Orders of speakers in a matrix."""

import numpy as np
import pytest

from zebra_core.evidence.trials import FloatArray
from zebra_core.metrics.similarity import SimilarityMatrix
from zebra_core.speakers.order import SpeakerOrder, natural, speaker_order


def matrix(cells: FloatArray, speakers: tuple[str, ...]) -> SimilarityMatrix:
    """One trial a cell; NaN is an empty one."""
    filled = ~np.isnan(cells)
    with np.errstate(divide="ignore"):
        logs = np.log(np.where(filled, cells, 1.0))
    return SimilarityMatrix(speakers, filled.astype(np.int64), logs, logs, 1, 1, 0.5, 0.5)


FOUR = matrix(
    np.array([[0.5, 0.1, 0.9, 0.1], [0.1, 0.9, 0.1, 0.8], [0.9, 0.1, np.nan, 0.1], [0.1, 0.8, 0.1, 0.9]]),
    ("10", "2", "1", "b"),
)


def names(by: SpeakerOrder, sex: dict[str, str] | None = None) -> list[str]:
    return [FOUR.speakers[int(k)] for k in speaker_order(FOUR, by, sex)]


def test_numbers_in_names_sort_by_value() -> None:
    assert names(SpeakerOrder.NAME) == ["1", "2", "10", "b"]
    assert sorted(["p10", "p9", "q1", "7", ""], key=natural) == ["", "7", "p9", "p10", "q1"]


def test_by_sex_then_name_the_unknown_last() -> None:
    assert names(SpeakerOrder.SEX, {"10": "m", "b": "f", "1": "f"}) == ["1", "b", "10", "2"]
    assert names(SpeakerOrder.SEX) == names(SpeakerOrder.NAME)


def test_by_self_similarity_the_highest_first_empty_last() -> None:
    assert names(SpeakerOrder.SELF_SIMILARITY) == ["2", "b", "10", "1"]


def test_clusters_put_those_alike_beside_each_other() -> None:
    order = names(SpeakerOrder.CLUSTER)
    assert abs(order.index("10") - order.index("1")) == 1
    assert abs(order.index("2") - order.index("b")) == 1


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("by", SpeakerOrder)
def test_one_or_two_speakers_are_in_order_too(by: SpeakerOrder, n: int) -> None:
    found = speaker_order(matrix(np.full((n, n), np.nan), ("b", "a")[:n]), by)
    assert found.tolist() == [[0], [1, 0]][n - 1]


def test_reordered_rows_and_columns_go_together() -> None:
    order = speaker_order(FOUR, SpeakerOrder.NAME)
    found = FOUR.reordered(order)
    assert found.speakers == ("1", "2", "10", "b")
    assert found.cells()[2, 0] == pytest.approx(0.9)
    assert np.isnan(found.cells()[0, 0])
