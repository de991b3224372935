"""Whoever knows people by their words: n-grams of characters, weighted as rare ones are, and the cosine.

A text is normalised as for word errors (`wording.spoken`). Each word, with a blank before and behind it,
gives its runs of 2 to 4 characters (`char_wb` of scikit-learn). Of an n-gram that a text of L n-grams has f
times, L · p is expected, where p is its share of all n-grams in the texts that are learnt from; it weighs
(f − L · p) · idf. The idf is ln((1 + n) / (1 + d)) + 1 for an n-gram in d of these n texts (Salton and
Buckley 1988, as scikit-learn's TfidfVectorizer); in none of them it is as rare as can be. Without what is
expected subtracted, the cosine of two long texts would be large whoever speaks, and tell who speaks much.
Nothing is learnt from whoever speaks in a trial (see `folds`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zebra_core.attackers.fusion import FOLDS, Fold, folds_of_trials
from zebra_core.runtime.progress import Progress, no_progress
from zebra_core.wording.spoken import normalised

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SHORTEST, LONGEST = 2, 4
"""Characters of an n-gram."""
DIGITS = 12
"""Decimal places of a score: equal texts score 1, whichever machine adds up."""
_NOTHING = 1e-12  # of a text, where all is as expected: rounding
_AT_ONCE = 1 << 15  # pairs


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts with the fold of each one's speaker; one of several recordings is these joined by blanks."""

    texts: Sequence[str]
    fold: Fold


def ngrams(text: str) -> Counter[str]:
    """How often a text has each n-gram of characters, within its words; none where it has no word."""
    return Counter(gram for word in normalised(text).split() for gram in _of_word(word))


def word_scores(
    enrol: Texts,
    test: Texts,
    pairs: NDArray[np.int64],
    learnt: Texts,
    on_progress: Progress = no_progress,
) -> NDArray[np.float64]:
    """The cosines of pairs of rows (enrolment, test), shape (n, 2); shape (n,), from −1 to 1.

    What is usual, `learnt` tells without the folds of both speakers, and at least without two. A text without
    n-grams scores 0. Time and memory are linear in n-grams and pairs; nothing depends on threads.
    """
    counts, (left, right, taught) = _counted(enrol.texts, test.texts, learnt.texts)
    usual = _UsualSpeech.of(counts, taught, learnt.fold)
    scores = np.zeros(len(pairs))
    done = 0
    for apart, chosen in folds_of_trials(enrol.fold[pairs[:, 0]], test.fold[pairs[:, 1]]):
        weighted = _WeightedTexts.of(counts, *usual.without(apart))
        for start in range(0, len(chosen), _AT_ONCE):
            some = chosen[start : start + _AT_ONCE]
            scores[some] = weighted.cosines(left[pairs[some, 0]], right[pairs[some, 1]])
            done += len(some)
            on_progress(done / len(pairs))
    return np.round(scores, DIGITS)


def _of_word(word: str) -> Iterable[str]:
    padded = f" {word} "
    for length in range(SHORTEST, LONGEST + 1):
        for start in range(max(1, len(padded) - length + 1)):
            yield padded[start : start + length]
        if length >= len(padded):
            return  # shorter than these n-grams: it counts whole, once


def _counted(*sides: Sequence[str]) -> tuple[csr_array, list[NDArray[np.int64]]]:
    """How often each n-gram is in each different text, and the row of each text of each side."""
    from scipy.sparse import csr_array  # takes its time

    row: dict[str, int] = {}
    rows = [np.array([row.setdefault(one, len(row)) for one in texts], dtype=np.int64) for texts in sides]
    column: dict[str, int] = {}
    of_word: dict[str, list[int]] = {}
    ends, grams, often = [0], list[int](), list[int]()
    for text in row:
        found: Counter[int] = Counter()
        for word in normalised(text).split():
            if word not in of_word:
                of_word[word] = [column.setdefault(gram, len(column)) for gram in _of_word(word)]
            found.update(of_word[word])
        in_order = sorted(found)
        grams += in_order
        often += [found[gram] for gram in in_order]
        ends.append(len(grams))
    values = np.array(often, dtype=np.float64)
    return csr_array((values, grams, ends), shape=(len(row), len(column))), rows


@dataclass(frozen=True, eq=False)
class _UsualSpeech:
    """Of the texts of each fold: how often each n-gram is in them, and in how many; and how many texts."""

    often: NDArray[np.float64]
    seen: NDArray[np.int64]
    texts: NDArray[np.int64]

    @classmethod
    def of(cls, counts: csr_array, rows: NDArray[np.int64], fold: Fold) -> _UsualSpeech:
        width = counts.shape[1]
        each = [counts[rows[fold == number]] for number in range(FOLDS)]
        often = [np.bincount(one.indices, one.data, minlength=width) for one in each]
        seen = [np.bincount(one.indices, minlength=width) for one in each]
        return cls(np.stack(often), np.stack(seen), np.bincount(fold, minlength=FOLDS))

    def without(self, folds: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The share of each n-gram, and its idf, in the texts of all other folds."""
        others = np.setdiff1d(np.arange(FOLDS), folds)
        often = self.often[others].sum(axis=0)
        idf = np.log((1.0 + self.texts[others].sum()) / (1.0 + self.seen[others].sum(axis=0))) + 1.0
        return often / max(1.0, often.sum()), idf


@dataclass(frozen=True, eq=False)
class _WeightedTexts:
    """Texts as weighted n-grams, less what is expected of them, of length 1; kept apart, for most are 0."""

    found: csr_array
    length: NDArray[np.float64]  # so many times `expected` is to be subtracted
    with_expected: NDArray[np.float64]  # the product of `found` with `expected`
    expected_size: float  # the product of `expected` with itself

    @classmethod
    def of(cls, counts: csr_array, share: NDArray[np.float64], idf: NDArray[np.float64]) -> _WeightedTexts:
        from scipy.sparse import csr_array  # takes its time

        rows, expected = counts.shape[0], share * idf
        row = np.repeat(np.arange(rows), np.diff(counts.indptr))
        found = counts.data * idf[counts.indices]
        length = np.bincount(row, counts.data, minlength=rows).astype(np.float64)
        products = found * expected[counts.indices]
        with_expected = np.bincount(row, products, minlength=rows).astype(np.float64)
        expected_size = float((expected * expected).sum())
        whole = np.bincount(row, found * found, minlength=rows)
        size = whole - 2.0 * length * with_expected + length * length * expected_size
        is_there = size > _NOTHING * whole
        scale = np.where(is_there, 1.0 / np.sqrt(np.where(is_there, size, 1.0)), 0.0)
        weighted = csr_array((found * scale[row], counts.indices, counts.indptr), shape=counts.shape)
        return cls(weighted, length * scale, with_expected * scale, expected_size)

    def cosines(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.float64]:
        """Of texts by their rows."""
        common = (self.found[left] * self.found[right]).sum(axis=1)
        lengths = self.length[left], self.length[right]
        usual = lengths[0] * self.with_expected[right] + lengths[1] * self.with_expected[left]
        return np.asarray(common - usual + lengths[0] * lengths[1] * self.expected_size)
