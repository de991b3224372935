"""Trials: who was compared with whom, the score, whether it was one speaker; checked once, then frozen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zebra_core.errors import InputError
from zebra_core.evidence.audit import Audit
from zebra_core.evidence.files import InputFile
from zebra_core.evidence.remarks import Remark

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
CodeArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Ids:
    """A column of ids: for each trial a code into the distinct names. Ids are strings and stay strings.

    `is_ordered`: the names are in the order in which chance is dealt, see `ordering.in_order`.
    """

    codes: CodeArray  # shape (n,), read-only
    names: tuple[str, ...]
    is_ordered: bool = False

    @classmethod
    def of(cls, ids: ArrayLike) -> Ids:
        """A column of ids from an array or a list of them, shape (n,); numbers become strings."""
        names, codes = np.unique(np.asarray(ids).astype(str), return_inverse=True)
        return cls(codes.astype(np.int32), tuple(map(str, names)))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, trial: int) -> str:
        return self.names[int(self.codes[trial])]


@dataclass(frozen=True, eq=False)
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
        Where shapes disagree, a score is not finite, or one of the two classes is empty.

    Examples
    --------
    >>> from zebra_core import Trials
    >>> trials = Trials.from_arrays(
    ...     [2.0, -1.0, 0.0, 1.5],
    ...     [True, False, False, True],
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
        is_target = _frozen(self.is_target, np.bool_, "labels")
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
        score: ArrayLike,
        is_target: ArrayLike,
        *,
        enrol: ArrayLike | None = None,
        test: ArrayLike | None = None,
    ) -> Trials:
        """Trials from arrays of one length: scores, labels, and the ids of both sides where they are known.

        With ids there are intervals over speakers (`bootstrap`).

        Parameters
        ----------
        `score`, `is_target`
            Scores and labels, (n,) each.
        `enrol`, `test`
            Names of the enrolment and the test segment of each trial, (n,); numbers become strings.

        Raises
        ------
        InputError
            As for any trials, and for labels other than true and false, or 1 and 0.
        """
        labels = np.asarray(is_target)
        if not (known := np.isin(labels, (0, 1))).all():
            raise InputError("array-not-labels", found=str(labels[~known][0]))
        return cls(
            cast("FloatArray", score),  # made an array, and checked, as all are
            cast("BoolArray", is_target),
            None if enrol is None else Ids.of(enrol),
            None if test is None else Ids.of(test),
        )

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

    def _lacking(self, code: str) -> InputError:
        """One class is missing, in the key where there is one."""
        keys = [file.name for file in self.files if file.role in ("key", "both")]
        return InputError(code, file=keys[0]) if keys else InputError(f"{code}-given")


def _frozen(values: ArrayLike | Iterable[float], dtype: type[np.generic], name: str) -> NDArray[np.generic]:
    """A read-only one-dimensional copy (or the array itself when it is one already)."""
    try:
        array = np.asarray(values, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise InputError("array-not-numbers", name=name) from error
    if array.ndim != 1:
        raise InputError("array-not-one-dimensional", name=name, dimensions=array.ndim)
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array
