"""Trials: who was compared with whom, the score, whether it was one speaker; checked once, then frozen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Audit, InputFile, Remark

if TYPE_CHECKING:
    import pandas as pd


FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]


_LONGEST_NUMBER = 18  # digits of an id that may count lines


@dataclass(frozen=True, eq=False, repr=False)
class Ids:
    """A column of ids: for each trial a code into the distinct names. Ids are strings and stay strings.

    It behaves as a column: `ids[3]` is an id, `ids[:5]` and `ids[mask]` are columns, `ids == "ann"` tells
    where an id stands, and NumPy and pandas take it as it is. `is_ordered`: the names are in the order in
    which chance is dealt, see `ordering.in_order`.
    """

    codes: CodeArray  # shape (n,), read-only
    names: tuple[str, ...]
    is_ordered: bool = False

    @classmethod
    def of(cls, ids: ArrayLike, name: str = "ids") -> Ids:
        """A column of ids from an array or a list of them, shape (n,); numbers become strings.

        Raises InputError where one is missing; `name` is what they are called there.
        """
        if isinstance(ids, Ids):
            return ids
        array = _column(ids, name)
        is_missing = _are_missing(array)
        if is_missing.any():
            raise InputError("array-id-missing", name=name, position=int(np.flatnonzero(is_missing)[0]))
        names, codes = np.unique(array.astype(str), return_inverse=True)
        return cls(codes.astype(np.int32), tuple(map(str, names)))

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, trial: int | np.integer[Any]) -> str: ...

    @overload
    def __getitem__(self, trial: slice | NDArray[Any] | Sequence[int]) -> Ids: ...

    def __getitem__(self, trial: Any) -> str | Ids:
        found = self.codes[trial]
        return Ids(found, self.names, self.is_ordered) if np.ndim(found) else self.names[int(found)]

    def __iter__(self) -> Iterator[str]:
        return (self.names[code] for code in self.codes.tolist())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.names, dtype=dtype)[self.codes]

    def __eq__(self, other: object) -> Any:
        """Trial by trial, as of arrays."""
        return np.asarray(self) == (np.asarray(other) if isinstance(other, Ids) else other)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<Ids: {len(self)} of {len(self.names)} names>"


@dataclass(frozen=True, eq=False, repr=False)
class Trials:
    """The scores of one recogniser on one set of comparisons, with their ground truth.

    Attributes
    ----------
    `score`, `is_target`
        Scores, which are higher the more alike and have no unit, and labels; (n,) each, in the order of the
        key.
    `enrol`, `test`
        The names of the two sides of each trial, (n,) each, or None where only scores are known.
    `files`, `remarks`, `audit`
        What is to be said of the files that trials were read from; empty, and None, where there were none.

    Raises
    ------
    InputError
        Where shapes disagree, a score is not finite, a label is neither true nor false, or one of the two
        classes is empty.

    Examples
    --------
    >>> from zebra_core import Trials
    >>> trials = Trials.from_arrays(
    ...     score=[2.0, -1.0, 0.0, 1.5],
    ...     is_target=[True, False, False, True],
    ...     enrol=["ann-1", "ann-1", "ben-1", "ben-1"],
    ...     test=["ann-2", "ben-2", "ann-2", "ben-2"],
    ... )
    >>> len(trials), trials.n_target, trials.n_nontarget
    (4, 2, 2)
    >>> trials.enrol[2], trials.test[2], float(trials.score[2])
    ('ben-1', 'ann-2', 0.0)
    """

    score: FloatArray
    is_target: BoolArray
    enrol: Ids | None = None
    test: Ids | None = None
    files: tuple[InputFile, ...] = ()
    remarks: tuple[Remark, ...] = ()
    audit: Audit | None = None

    def __post_init__(self) -> None:
        score = _frozen(self.score, np.float64, "scores")
        is_target = _frozen(_labels(self.is_target), np.bool_, "labels")
        object.__setattr__(self, "score", score)
        object.__setattr__(self, "is_target", is_target)
        sides = [len(ids) for ids in (self.enrol, self.test) if ids is not None]
        if any(length != len(score) for length in [len(is_target), *sides]):
            raise InputError("shapes-disagree", scores=len(score), labels=len(is_target))
        if not np.isfinite(score).all():
            position = int(np.flatnonzero(~np.isfinite(score))[0])
            raise InputError("array-not-finite", position=position, found=str(score[position]))
        if self.n_target == 0:
            raise self._lacking("no-targets")
        if self.n_nontarget == 0:
            raise self._lacking("no-nontargets")

    @classmethod
    def from_scores(cls, target: ArrayLike, nontarget: ArrayLike) -> Trials:
        """Trials from two arrays of scores, one for each class, in any order; ids are not known.

        Parameters
        ----------
        `target`, `nontarget`
            The scores of each class, of shapes (t,) and (n,).

        Examples
        --------
        >>> from zebra_core import Trials
        >>> Trials.from_scores([2.0, 1.0], [0.0]).is_target
        array([ True,  True, False])
        """
        target_score = _frozen(target, np.float64, "target")
        nontarget_score = _frozen(nontarget, np.float64, "nontarget")
        is_target = np.zeros(len(target_score) + len(nontarget_score), dtype=np.bool_)
        is_target[: len(target_score)] = True
        return cls(np.concatenate([target_score, nontarget_score]), is_target)

    @classmethod
    def from_arrays(
        cls,
        *,
        score: ArrayLike,
        is_target: ArrayLike,
        enrol: ArrayLike | None = None,
        test: ArrayLike | None = None,
    ) -> Trials:
        """Trials from arrays of one length: scores, labels, and the ids of both sides where they are known.

        With ids there are intervals over speakers (`bootstrap`). Arrays are looked at as files are, but
        nothing is left out of them: what files would be without is refused here.

        Parameters
        ----------
        `score`, `is_target`
            Scores and labels, (n,) each; by keyword only, for functions of figures take labels first.
        `enrol`, `test`
            Names of the enrolment and the test segment of each trial, (n,); numbers become strings.

        Raises
        ------
        InputError
            As for any trials; for masked arrays and missing ids; where a pair of ids comes twice; where a
            recording is compared with itself, though other trials are target, too.

        Examples
        --------
        >>> from zebra_core import Trials
        >>> Trials.from_arrays(
        ...     score=[2.0, -1.0], is_target=[1, 0], enrol=["ann", "ann"], test=["a-2", "b-1"]
        ... )
        <Trials: 1 target, 1 nontarget; 1 enrolments, 2 tests>
        """
        made = cls(
            cast("FloatArray", score),  # made an array, and checked, as all are
            cast("BoolArray", is_target),
            None if enrol is None else Ids.of(enrol, "enrol"),
            None if test is None else Ids.of(test, "test"),
        )
        made._refuse_repeats()
        made._refuse_self_comparisons()
        return made

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        score: str = "score",
        is_target: str = "is_target",
        enrol: str | None = "enrol",
        test: str | None = "test",
    ) -> Trials:
        """Trials from the columns of a pandas frame, as `from_arrays` takes them.

        Parameters
        ----------
        `frame`
            A row for each trial.
        `score`, `is_target`, `enrol`, `test`
            What the columns are called; None for ids that are not known.

        Raises
        ------
        InputError
            As `from_arrays` does, and where there is no such column.

        Examples
        --------
        >>> import pandas as pd
        >>> from zebra_core import Trials
        >>> frame = pd.DataFrame({"cos": [0.9, 0.1], "same": [True, False]})
        >>> Trials.from_frame(frame, score="cos", is_target="same", enrol=None, test=None)
        <Trials: 1 target, 1 nontarget; ids not known>
        """
        names = {"score": score, "is_target": is_target, "enrol": enrol, "test": test}
        for name in filter(None, names.values()):
            if name not in frame.columns:
                raise InputError("frame-column", found=name, columns=", ".join(map(str, frame.columns)))
        return cls.from_arrays(**{each: frame[name] for each, name in names.items() if name})

    def to_frame(self) -> pd.DataFrame:
        """A row for each trial, as pandas has it: ids where they are known, score and label."""
        import pandas as pd

        sides = {name: ids for name, ids in (("enrol", self.enrol), ("test", self.test)) if ids is not None}
        return pd.DataFrame({**sides, "score": self.score, "is_target": self.is_target})

    def __repr__(self) -> str:
        sides = self.enrol, self.test
        counts = [str(len(set(ids.codes.tolist()))) if ids is not None else "unknown" for ids in sides]
        ids = f"{counts[0]} enrolments, {counts[1]} tests" if any(sides) else "ids not known"
        return f"<Trials: {self.n_target} target, {self.n_nontarget} nontarget; {ids}>"

    def __len__(self) -> int:
        return len(self.score)

    @property
    def n_target(self) -> int:
        """How many trials compare a speaker with themselves."""
        return int(np.count_nonzero(self.is_target))

    @property
    def n_nontarget(self) -> int:
        """How many trials compare two different speakers."""
        return len(self.is_target) - self.n_target

    def _refuse_repeats(self) -> None:
        """Raise InputError where a pair of ids comes twice: with the same score and label, or with others."""
        if self.enrol is None or self.test is None:
            return
        pair = self.enrol.codes.astype(np.int64) * len(self.test.names) + self.test.codes
        by_pair = np.argsort(pair, kind="stable")
        again = np.flatnonzero(pair[by_pair][1:] == pair[by_pair][:-1])
        if not len(again):
            return
        first, second = sorted(by_pair[again[0] : again[0] + 2].tolist())
        is_same = self.score[first] == self.score[second] and self.is_target[first] == self.is_target[second]
        facts = {"position": second, "first": first, "enrol": self.enrol[second], "test": self.test[second]}
        raise InputError("array-repeats" if is_same else "array-contradicts", **facts, count=len(again))

    def _refuse_self_comparisons(self) -> None:
        """Raise InputError where files would leave out comparisons of a recording with itself."""
        if self.enrol is None or self.test is None:
            return
        rows = np.flatnonzero(equal_names(self.enrol, self.test))
        targets = int(np.count_nonzero(self.is_target[rows]))
        may_be_others = targets == self.n_target or are_numbered_apart((self.enrol, self.test))
        if len(rows) and 2 * targets >= len(rows) and not may_be_others:
            facts = {"position": int(rows[0]), "id": self.enrol[int(rows[0])]}
            raise InputError("array-self-comparison", **facts, count=len(rows))

    def _lacking(self, code: str) -> InputError:
        """One class is missing, in the key where there is one."""
        keys = [file.name for file in self.files if file.role in ("key", "both")]
        return InputError(code, file=keys[0]) if keys else InputError(f"{code}-given")


def equal_names(left: Ids, right: Ids) -> BoolArray:
    """Row by row, whether two columns hold the same id."""
    if set(left.names).isdisjoint(right.names):
        return np.zeros(len(left), np.bool_)
    known = {name: code for code, name in enumerate(left.names)}
    translated = np.array([known.get(name, -1) for name in right.names], dtype=np.int32)
    return np.asarray(left.codes == translated[right.codes])


def are_numbered_apart(sides: tuple[Ids, Ids]) -> bool:
    """Whether ids count the lines of two lists, from 0 or 1 on: then 7 and 7 need not be one recording.

    Not all lines need be in the trials, but at least every other one.
    """
    enrol, test = (set(ids.names) for ids in sides)
    if enrol == test or not all(name.isdecimal() and len(name) < _LONGEST_NUMBER for name in enrol | test):
        return False
    return all(max(map(int, names)) <= 2 * len(names) for names in (enrol, test))


def _are_missing(ids: NDArray[Any]) -> BoolArray:
    """Where there is no id, but an empty text, None, NaN or what pandas has for it."""
    if ids.dtype.kind == "O":
        return np.array([one is None or str(one) in ("", "nan", "NaT", "<NA>") for one in ids], np.bool_)
    return np.isnan(ids) if ids.dtype.kind == "f" else np.asarray(ids.astype(str) == "")


def _column(values: ArrayLike, name: str) -> NDArray[Any]:
    """An array of one dimension. Raises InputError for others, and for masks, which would be passed over."""
    if isinstance(values, np.ma.MaskedArray):
        raise InputError("array-masked", name=name)
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError("array-not-one-dimensional", name=name, dimensions=array.ndim)
    return array


def _labels(values: ArrayLike) -> BoolArray:
    """Labels as they are meant: a number that is neither 0 nor 1, text or nothing is no label."""
    array = _column(values, "labels")
    if array.dtype == np.bool_:
        return array
    is_known = np.zeros(len(array), np.bool_)
    if array.dtype.kind in "iuf":
        is_known = np.isin(array, (0, 1))
    elif array.dtype.kind == "O":
        is_known = np.array(
            [isinstance(one, bool | int | float) and one in (0, 1) for one in array], np.bool_
        )
    if not is_known.all():
        raise InputError("array-not-labels", found=str(array[~is_known][0]))
    return array.astype(np.bool_)


def _frozen(values: ArrayLike | Iterable[float], dtype: type[np.generic], name: str) -> NDArray[np.generic]:
    """A read-only one-dimensional copy (or the array itself when it is one already)."""
    try:
        array = _column(np.asarray(values, dtype=dtype) if not np.ma.isMA(values) else values, name)
    except (TypeError, ValueError) as error:
        raise InputError("array-not-numbers", name=name) from error
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array


# Distinct scores with their counts: the one sort that every figure of an assessment shares.


def digest_of(*arrays: np.ndarray) -> str:
    """32 hexadecimal digits, equal for arrays of equal kinds, shapes and values in this order alone.

    Values are told apart bit by bit, so that 0.0 and −0.0 differ, and equal NaNs do not.
    """
    found = blake2b(digest_size=16)
    for array in arrays:
        found.update(f"{array.dtype.str}{array.shape}".encode())
        found.update(np.ascontiguousarray(array).data)
    return found.hexdigest()


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """How many target and nontarget trials got each distinct score.

    All three have shape (m,); `score` ascends strictly, so tied trials share one place. Nothing that is
    computed from counts can depend on the order of the trials or on how a sort treats ties.
    """

    score: FloatArray
    n_target: IntArray
    n_nontarget: IntArray

    @cached_property
    def digest(self) -> str:
        """What tells these counts from all others; computed once, 1 ms for each MB."""
        return digest_of(self.score, self.n_target, self.n_nontarget)

    def digested(self) -> ScoreCounts:
        """Itself, with the digest computed: whoever compares it later need not wait."""
        _ = self.digest
        return self

    @classmethod
    def of(cls, score: FloatArray, is_target: BoolArray) -> ScoreCounts:
        """Count finite scores of shape (n,), n > 0, in any order; O(n log n)."""
        # All scores are sorted, then those of the targets alone: values are sorted much faster than places.
        distinct, n_trials = _runs(np.sort(score))
        of_targets, n_of_targets = _runs(np.sort(score[is_target]))
        n_target = np.zeros(len(distinct), np.int64)
        n_target[np.searchsorted(distinct, of_targets)] = n_of_targets
        return cls(distinct, n_target, n_trials - n_target)

    @classmethod
    def of_trials(cls, trials: Trials) -> ScoreCounts:
        """Count the scores of these trials."""
        return cls.of(trials.score, trials.is_target)

    def within(self, edges: FloatArray) -> BinCounts:
        """The trials in each bin between ascending `edges`, shape (b + 1,).

        A bin holds its lower edge and not its upper one, but the last holds both (as np.histogram has it).
        Scores beyond the outer edges are in no bin.
        """
        place = np.searchsorted(self.score, edges)
        place[-1] = np.searchsorted(self.score, edges[-1], side="right")
        return BinCounts(_between(self.n_target, place), _between(self.n_nontarget, place))

    def even_edges(self, bins: int) -> FloatArray:
        """The edges of `bins` bins of one width from the lowest to the highest score, shape (bins + 1,)."""
        # Halved, the range of two huge scores does not overflow; halving and doubling are exact.
        return np.asarray(2.0 * np.linspace(self.score[0] / 2.0, self.score[-1] / 2.0, bins + 1))

    @cached_property
    def total_target(self) -> int:
        """The number of target trials."""
        return int(self.n_target.sum())

    @cached_property
    def total_nontarget(self) -> int:
        """The number of nontarget trials."""
        return int(self.n_nontarget.sum())

    @property
    def target_share(self) -> FloatArray:
        """The share of all target trials at each score, shape (m,); sums to 1."""
        return self.n_target / self.total_target

    @property
    def nontarget_share(self) -> FloatArray:
        """The share of all nontarget trials at each score, shape (m,); sums to 1."""
        return self.n_nontarget / self.total_nontarget


@dataclass(frozen=True, eq=False)
class RankedScores:
    """Scores whose trials may be of either class: sorted once, counted as often as classes are dealt out.

    `score`, (m,), are the distinct ones, ascending; trial i of n has score[place[i]], and `n_trials`, (m,),
    says how many have each.
    """

    score: FloatArray
    place: IntArray
    n_trials: IntArray

    @classmethod
    def of(cls, score: FloatArray) -> RankedScores:
        """Rank finite scores of shape (n,), n > 0, in any order; O(n log n)."""
        distinct, place, n_trials = np.unique(score, return_inverse=True, return_counts=True)
        return cls(distinct, place, n_trials)

    def counts(self, is_target: BoolArray) -> ScoreCounts:
        """The counts where these trials, (n,), are target; O(n)."""
        n_target = np.bincount(self.place[is_target], minlength=len(self.score))
        return ScoreCounts(self.score, n_target, self.n_trials - n_target)


@dataclass(frozen=True, eq=False)
class BinCounts:
    """How many trials of each class fall into b bins: two histograms with shared bins."""

    n_target: IntArray  # shape (b,)
    n_nontarget: IntArray


@dataclass(frozen=True, eq=False)
class CountedTrials:
    """Trials of which only the counts are kept, because all of them would not fit into memory.

    Attributes
    ----------
    `counts`
        The trials of each class at each score.
    `width`
        0 for exact counts, else that of the bins that scores were rounded down to (see `counting`).
    `files`, `remarks`, `audit`
        As in `Trials`.

    Examples
    --------
    >>> import zebra_resources
    >>> from zebra_core import assess, read_trials
    >>> demo = zebra_resources.path("demo")
    >>> scores = demo / "exp/B2/ASV-libri_test_enrolls-libri_test_trials_f_anon/scores"
    >>> key = demo / "data/libri_test_trials_f/trials"
    >>> counted = read_trials(scores, key, choices={"streaming": "yes"})
    >>> type(counted).__name__, counted.n_target, counted.n_nontarget, counted.width
    ('CountedTrials', 156, 9672, 0.0)
    >>> round(assess(counted).d_ece_bits, 3)
    0.205
    """

    counts: ScoreCounts
    width: float = 0.0
    files: tuple[InputFile, ...] = ()
    remarks: tuple[Remark, ...] = ()
    audit: Audit | None = None

    @property
    def n_target(self) -> int:
        """How many trials compare a speaker with themselves."""
        return self.counts.total_target

    @property
    def n_nontarget(self) -> int:
        """How many trials compare two different speakers."""
        return self.counts.total_nontarget


def _runs(ascending: FloatArray) -> tuple[FloatArray, IntArray]:
    """The distinct values, and how often each of them occurs."""
    fresh = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=fresh[1:])
    starts = np.flatnonzero(fresh)
    return ascending[starts], np.diff(starts, append=len(ascending))


def _between(counts: IntArray, place: IntArray) -> IntArray:
    """Sums of counts[place[k]:place[k + 1]], shape (b,)."""
    if len(place) > len(counts):  # many bins: one pass over all counts
        return np.diff(np.concatenate([[0], np.cumsum(counts)])[place])
    ends = place.tolist()
    return np.array([counts[low:high].sum() for low, high in pairwise(ends)], dtype=np.int64)
