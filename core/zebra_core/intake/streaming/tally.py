"""Trials on their way to being counted: finite scores are counted, others are kept apart."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.audit import MOST_EXAMPLES
from zebra_core.evidence.counting import ScoreCounter
from zebra_core.evidence.trials import BoolArray, FloatArray, IntArray, ScoreCounts
from zebra_core.intake.formats import parquet


@dataclass
class FirstRows:
    """How many rows there are of a kind, and the first of them with another number that goes along."""

    count: int = 0
    first: list[tuple[int, int]] = field(default_factory=list)

    def add(self, rows: np.ndarray, along: np.ndarray | None = None) -> None:
        """Note these rows."""
        self.count += len(rows)
        if len(rows):
            few = np.argsort(rows, kind="stable")[:MOST_EXAMPLES]
            others = rows if along is None else along
            found = [(int(rows[n]), int(others[n])) for n in few]
            self.first = sorted([*self.first, *found])[:MOST_EXAMPLES]

    @property
    def rows(self) -> list[int]:
        """The first of these rows."""
        return [row for row, _ in self.first]

    @property
    def along(self) -> list[int]:
        """The numbers that go along with them."""
        return [other for _, other in self.first]


@dataclass
class Tally:
    """Trials on their way: finite scores are counted, others are kept apart."""

    counter: ScoreCounter = field(default_factory=ScoreCounter)
    infinite: dict[float, list[int]] = field(default_factory=lambda: {-np.inf: [0, 0], np.inf: [0, 0]})
    nans: FirstRows = field(default_factory=FirstRows)
    infinities: FirstRows = field(default_factory=FirstRows)
    total: int = 0

    def add(
        self,
        score: FloatArray,
        is_target: BoolArray,
        order: IntArray | None = None,
        row: IntArray | None = None,
    ) -> None:
        """Count trials; the two last are their place among all and their row in the file of the scores.

        Of those that are not finite the places may also be told later.
        """
        finite = np.isfinite(score)
        if not finite.all():
            self._apart(score, is_target.astype(np.int64), (~is_target).astype(np.int64))
            for few, bad in ((self.nans, np.isnan(score)), (self.infinities, np.isinf(score))):
                if order is None or row is None:
                    few.count += int(np.count_nonzero(bad))
                else:
                    few.add(order[bad], row[bad])
            score, is_target = score[finite], is_target[finite]
        self._more(len(score))
        self.counter.add(score, is_target)

    def add_rows(self, rows: parquet.CountedRows, first: int) -> None:
        """Count trials that are counted already."""
        occupied = rows.n_target + rows.n_nontarget > 0
        score, target, nontarget = rows.score[occupied], rows.n_target[occupied], rows.n_nontarget[occupied]
        row, finite = first + np.flatnonzero(occupied), np.isfinite(score)
        self._apart(score, target, nontarget)
        for few, bad in ((self.nans, np.isnan(score)), (self.infinities, np.isinf(score))):
            few.add(row[bad])
            few.count += int((target + nontarget)[bad].sum()) - int(np.count_nonzero(bad))
        self._more(int(target.sum()) + int(nontarget.sum()))
        self.counter.add_counts(ScoreCounts(score[finite], target[finite], nontarget[finite]))

    def _apart(self, score: FloatArray, target: IntArray, nontarget: IntArray) -> None:
        for value, counts in self.infinite.items():
            counts[0] += int(target[score == value].sum())
            counts[1] += int(nontarget[score == value].sum())

    def _more(self, trials: int) -> None:
        self.total += trials
        if self.total > parquet.MOST_TRIALS:
            raise InputError("too-many-trials", most=parquet.MOST_TRIALS)
