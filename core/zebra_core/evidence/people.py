"""Which ids of trials are one person's, as far as target trials tell, and the fold everybody falls into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from zebra_core.evidence.trials import BoolArray, Ids, IntArray


@dataclass(frozen=True, eq=False)
class People:
    """The person behind each id of either side, numbered from 0 without gaps.

    Two ids are one person's where they are equal or where a target trial compares them; an id of which
    nothing is known is a person by itself. `of_enrol` and `of_test` have one number for each *name* of the
    ids, `has_targets` (n,) says of whom there are target trials. Persons ascend by their first id; the order
    of trials is irrelevant.
    """

    of_enrol: IntArray
    of_test: IntArray
    has_targets: BoolArray

    def __len__(self) -> int:
        return len(self.has_targets)

    @classmethod
    def of(cls, enrol: Ids, test: Ids, is_target: BoolArray) -> People:
        """Join the ids of target trials; O(n)."""
        place = {name: number for number, name in enumerate(dict.fromkeys([*enrol.names, *test.names]))}
        of_enrol = np.array([place[name] for name in enrol.names], dtype=np.int64)
        of_test = np.array([place[name] for name in test.names], dtype=np.int64)
        one, other = of_enrol[enrol.codes[is_target]], of_test[test.codes[is_target]]
        graph = scipy.sparse.coo_array((np.ones(len(one)), (one, other)), shape=(len(place), len(place)))
        n, person = scipy.sparse.csgraph.connected_components(graph, directed=False)
        least = np.full(n, np.iinfo(np.int64).max)
        np.minimum.at(least, person, np.arange(len(place)))
        rank = np.empty(n, dtype=np.int64)
        rank[np.argsort(least, kind="stable")] = np.arange(n)
        number = rank[person]
        has_targets = np.zeros(n, dtype=np.bool_)
        has_targets[number[one]] = True
        return cls(number[of_enrol], number[of_test], has_targets)

    def folds(self, n_folds: int) -> IntArray:
        """The fold of every person, shape (n,): first those with target trials are dealt out."""
        dealt = np.empty(len(self), dtype=np.int64)
        for members in (np.flatnonzero(self.has_targets), np.flatnonzero(~self.has_targets)):
            dealt[members] = np.arange(len(members)) % n_folds
        return dealt
