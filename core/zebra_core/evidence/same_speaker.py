"""Which ids are of one speaker: by a map, by the target trials, and by both together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy

from zebra_core.evidence.trials import BoolArray, Ids, IntArray


def speakers_of(
    enrol: Ids, test: Ids, is_target: BoolArray, utt2spk: Mapping[str, str]
) -> tuple[IntArray, IntArray]:
    """The speaker of each side of every trial, numbered from 0 without gaps; two arrays of shape (n,).

    They ascend by the first of their ids in `enrol.names`, then `test.names`.

    Two ids are of one speaker when `utt2spk` says so, or when a target trial compares them; an id that is
    not in `utt2spk` may itself be a speaker's.
    """
    names = {name: number for number, name in enumerate(dict.fromkeys([*enrol.names, *test.names]))}
    owned = [(name, utt2spk[name]) for name in list(names) if name in utt2spk]
    for _, speaker in owned:
        names.setdefault(speaker, len(names))
    enrol_id = np.array([names[name] for name in enrol.names])[enrol.codes]
    test_id = np.array([names[name] for name in test.names])[test.codes]
    one = np.concatenate([enrol_id[is_target], [names[name] for name, _ in owned]]).astype(np.int64)
    same = np.concatenate([test_id[is_target], [names[speaker] for _, speaker in owned]]).astype(np.int64)
    graph = scipy.sparse.coo_array((np.ones(len(one)), (one, same)), shape=(len(names), len(names)))
    _, speaker_of_id = scipy.sparse.csgraph.connected_components(graph, directed=False)
    sides = np.concatenate([speaker_of_id[enrol_id], speaker_of_id[test_id]])
    number = np.unique(sides, return_inverse=True)[1].astype(np.int64)
    return number[: len(enrol)], number[len(enrol) :]
