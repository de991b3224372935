"""Speakers who sound alike in the originals: a list that makes two of one person flatters a safeguard."""

from __future__ import annotations

import numpy as np

from zebra_core.recordings.back_ends import Vectors
from zebra_core.recordings.trial_list import TrialList

LEAST_SPEAKERS = 4
"""With several recordings; of fewer nobody can tell what is usual."""


def alike(trials: TrialList, originals: Vectors) -> tuple[tuple[str, str], ...] | None:
    """Pairs of speakers whose recordings are as alike as those of one speaker, the most alike first.

    None where nobody can tell.

    `originals` are unit vectors (n, dimensions) in the order of the ids. Two speakers are alike where the
    mean cosine between their recordings is no less than the lower quartile of those within speakers.
    That is a hint to look, not a test: some who differ are alike, and some who are one person are not.
    """
    names, numbers, counts = np.unique(np.array(trials.speaker), return_inverse=True, return_counts=True)
    sums = np.zeros((len(names), originals.shape[1]))
    np.add.at(sums, numbers, originals)
    several = counts > 1
    if several.sum() < LEAST_SPEAKERS:
        return None
    within = (np.sum(sums**2, axis=1)[several] - counts[several]) / (counts * (counts - 1))[several]
    between = sums @ sums.T / np.outer(counts, counts)
    pairs = np.argwhere(np.triu(between >= np.quantile(within, 0.25), 1))
    ordered = sorted(pairs.tolist(), key=lambda pair: -between[pair[0], pair[1]])
    return tuple((str(names[a]), str(names[b])) for a, b in ordered)
