"""Orders of the speakers in a similarity matrix."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

import numpy as np

from zebra_core.evidence.trials import FloatArray, IntArray
from zebra_core.metrics.similarity import SimilarityMatrix


class SpeakerOrder(Enum):
    """Ways to put speakers in order; ties are broken by name."""

    NAME = "name"  # numbers in names by their value: 367 before 1998
    SEX = "sex"  # then by name; those of whom it is not known come last
    SELF_SIMILARITY = "self-similarity"  # the highest first, empty ones last
    CLUSTER = "cluster"  # those alike are neighbours: leaves of an average-linkage tree


def speaker_order(
    matrix: SimilarityMatrix, by: SpeakerOrder, sex: Mapping[str, str] | None = None
) -> IntArray:
    """The codes of the speakers in the order asked for, shape (speakers,); for `SimilarityMatrix.reordered`.

    `sex` maps speakers to any words, f and m as a rule (Kaldi's spk2gender). For clusters the distance of
    two speakers is 1 − their similarity, the mean of both orders; empty cells count as similarity 0.
    """
    by_name = np.array(
        sorted(range(len(matrix.speakers)), key=lambda k: natural(matrix.speakers[k])), dtype=np.int64
    )
    if by is SpeakerOrder.SEX:
        known = sex or {}
        words = [known.get(matrix.speakers[int(k)]) for k in by_name]
        return _stable(by_name, [(word is None, word or "") for word in words])
    if by is SpeakerOrder.SELF_SIMILARITY:
        own = np.nan_to_num(matrix.self_similarity, nan=-1.0)[by_name]
        return by_name[np.argsort(-own, kind="stable")]
    if by is SpeakerOrder.CLUSTER and len(by_name) > 2:
        return by_name[_leaves(matrix.cells()[np.ix_(by_name, by_name)])]
    return by_name


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts names with the numbers in them by value."""
    parts = [part for part in re.split(r"([0-9]+)", name) if part]
    return tuple((0, int(part), part) if part[0] in "0123456789" else (1, 0, part) for part in parts)


def _stable(codes: IntArray, keys: list[tuple[bool, str]]) -> IntArray:
    return codes[sorted(range(len(codes)), key=keys.__getitem__)]


def _leaves(cells: FloatArray) -> IntArray:
    # Every command loads this module, and next to none draws a tree.
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    likeness = np.nan_to_num((cells + cells.T) / 2.0, nan=0.0)
    distance = 1.0 - likeness
    np.fill_diagonal(distance, 0.0)
    return np.asarray(leaves_list(linkage(squareform(distance, checks=False), "average")), dtype=np.int64)
