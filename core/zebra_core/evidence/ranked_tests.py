"""Recordings ranked by an engine: how many of the enrolled score higher than the one who is heard."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from zebra_core.evidence.trials import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class RankedTests:
    """The recordings of enrolled speakers that were compared with their own one, shape (t,) each.

    `speaker` has codes of the speakers of the counts beside, of whom `n_enrolled` are enrolled. Of a speaker
    with several enrolments the best score counts: `n_higher` speakers have a higher one than the speaker who
    is heard, `n_tied` others the same, of `n_compared`. `n_listed` counts all those of enrolled speakers,
    `n_tests` all there are; `is_single` says that everybody is enrolled once.
    """

    speaker: IntArray
    n_higher: IntArray
    n_tied: IntArray
    n_compared: IntArray
    n_enrolled: int
    n_listed: int
    n_tests: int
    is_single: bool

    @property
    def complete(self) -> RankedTests:
        """The recordings that were compared with every enrolled speaker."""
        return self._chosen(self.n_compared == self.n_enrolled)

    def renumbered(self, code: IntArray) -> RankedTests:
        """The recordings with `code[k]` in place of speaker k, sorted by the new codes, then by ranks."""
        speaker = code[self.speaker]
        order = np.lexsort((self.n_tied, self.n_higher, self.n_compared, speaker))
        return replace(self._chosen(order), speaker=speaker[order])

    def _chosen(self, at: BoolArray | IntArray) -> RankedTests:
        return replace(
            self,
            speaker=self.speaker[at],
            n_higher=self.n_higher[at],
            n_tied=self.n_tied[at],
            n_compared=self.n_compared[at],
        )
