"""Linking in a matrix on the disk: as in a list of trials, with sentences for what does not fit."""

from pathlib import Path

import numpy as np
import pytest

from zebra_core.errors import InputError
from zebra_core.speakers.candidates import PoolScores, linkage
from zebra_core.speakers.matrix import links, links_in_file


def written(folder: Path, scores: np.ndarray, enrolled: str, tests: str) -> tuple[Path, Path, Path]:
    np.save(folder / "scores.npy", scores)
    (folder / "enrolled").write_text(enrolled.replace(" ", "\n") + "\n")
    (folder / "tests").write_text(tests.replace(" ", "\n") + "\n")
    return folder / "scores.npy", folder / "enrolled", folder / "tests"


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_mapped_matrix_links_as_the_table_does(tmp_path: Path, dtype: type, order: str) -> None:
    rng = np.random.default_rng(0)
    own = np.repeat(np.arange(20), 3)
    scores = np.asarray(rng.normal(size=(20, 60)).round(1), dtype=dtype, order=order)  # type: ignore[call-overload]
    names, tests = (f"s{k:02d}" for k in range(20)), (f"t{k:02d}" for k in range(60))
    utt2spk = {f"t{k:02d}": f"s{own[k]:02d}" for k in range(60)}
    found = links_in_file(*written(tmp_path, scores, " ".join(names), " ".join(tests)), utt2spk)
    assert [found.linkage(people) for people in (2, 7, 20)] == [
        linkage(PoolScores(scores, own), people) for people in (2, 7, 20)
    ]
    assert found.ranks.people == 20


def test_more_rows_than_a_byte_counts_are_all_counted() -> None:
    scores = np.arange(600.0)[:, np.newaxis] + np.zeros((1, 2))
    found = links(scores, [f"p{k:03d}" for k in range(600)], ["p000", "p599"])
    assert found.n_higher.tolist() == [599, 0]


def test_of_several_rows_of_a_person_the_best_counts_and_strangers_are_left_out() -> None:
    scores = np.array([[1.0, 1.0, 9.0], [5.0, 2.0, 9.0], [4.0, 1.5, 9.0], [3.0, 0.0, 9.0]])
    found = links(scores, ["a", "a", "b", "b"], ["a", "b", "stranger"])
    assert (found.columns.tolist(), found.n_higher.tolist(), found.n_enrolled) == ([0, 1], [0, 1], 2)


def test_what_does_not_fit_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains 2 × 2 values, but the lists have 2 enrolments and 3 rec"):
        links_in_file(*written(tmp_path, np.zeros((2, 2)), "a b", "x y z"), {})
    with pytest.raises(InputError, match="has a score of b that is not a number"):
        links_in_file(*written(tmp_path, np.array([[1.0, 2.0], [np.nan, 0.0]]), "a b", "a b"), {})
    (tmp_path / "scores.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(InputError, match="not a NumPy matrix"):
        links_in_file(tmp_path / "scores.npy", tmp_path / "enrolled", tmp_path / "tests", {})
    (tmp_path / "scores.npy").unlink()
    with pytest.raises(InputError, match=r"scores\.npy"):
        links_in_file(tmp_path / "scores.npy", tmp_path / "enrolled", tmp_path / "tests", {})
    with pytest.raises(InputError, match="Only one person"):
        links(np.zeros((1, 1)), ["a"], ["a"])
    with pytest.raises(InputError, match="Nobody who is heard"):
        links(np.zeros((2, 1)), ["a", "b"], ["c"])
