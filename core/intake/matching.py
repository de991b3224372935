"""Matching scores with their key by the pair of ids, as strings, never by position."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.errors import InputError
from core.intake.columns import line_of_row
from core.intake.kaldi import KeyTable, ScoreTable, recorded
from core.remarks import Remark
from core.trials import Ids, IntArray, Trials


def match(scores: ScoreTable, key: KeyTable) -> Trials:
    """The trials of the key, in its order, each with its score.

    Raises InputError at a pair that is listed twice in either file, at a trial of the key without a score,
    when the files share no trial, and when one class is empty. Scores that the key does not list are left
    out and counted in a remark.
    """
    key_pair = _pairs(key.enrol, key.test)
    score_pair = _pairs(scores.enrol, scores.test)
    _refuse_repeats(key, key_pair)
    _refuse_repeats(scores, score_pair)

    row = _score_rows(scores, score_pair, key, key_pair)
    unscored = np.flatnonzero(row < 0)
    if len(unscored) == len(row):
        line = line_of_row(key.file, 0)
        raise InputError(
            "nothing-shared",
            scores=scores.file.name,
            file=key.file.name,
            line=line.number,
            found=_text(line.columns),
        )
    if len(unscored):
        line = line_of_row(key.file, int(unscored[0]))
        raise InputError(
            "trial-without-score",
            scores=scores.file.name,
            file=key.file.name,
            line=line.number,
            found=_text(line.columns),
            count=len(unscored),
        )
    outside = len(scores) - len(key)
    remarks = (Remark("scores-outside-key", {"count": outside, "file": scores.file.name}),) if outside else ()
    return Trials(
        score=scores.score[row],
        is_target=key.is_target,
        enrol=key.enrol,
        test=key.test,
        files=(recorded(scores), recorded(key)),
        remarks=remarks,
    )


def _pairs(enrol: Ids, test: Ids) -> IntArray:
    """One number for each pair of ids of a file, shape (n,)."""
    return enrol.codes.astype(np.int64) * len(test.names) + test.codes


def _refuse_repeats(table: ScoreTable | KeyTable, pair: IntArray) -> None:
    repeated = pd.Series(pair).duplicated().to_numpy()
    if not repeated.any():
        return
    again = int(np.flatnonzero(repeated)[0])
    before = int(np.flatnonzero(pair == pair[again])[0])
    first, second = line_of_row(table.file, before), line_of_row(table.file, again)
    values = table.score if isinstance(table, ScoreTable) else table.is_target
    raise InputError(
        "duplicate" if values[before] == values[again] else "contradiction",
        file=table.file.name,
        line=second.number,
        found=_text(second.columns),
        first_line=first.number,
        first_found=_text(first.columns),
    )


def _score_rows(scores: ScoreTable, score_pair: IntArray, key: KeyTable, key_pair: IntArray) -> IntArray:
    """For each trial of the key the row of its score, or −1; shape (rows of the key,)."""
    same_order = (
        scores.enrol.names == key.enrol.names
        and scores.test.names == key.test.names
        and np.array_equal(score_pair, key_pair)
    )
    if same_order:
        return np.arange(len(key), dtype=np.int64)
    enrol = pd.Index(scores.enrol.names).get_indexer(pd.Index(key.enrol.names))[key.enrol.codes]
    test = pd.Index(scores.test.names).get_indexer(pd.Index(key.test.names))[key.test.codes]
    wanted = np.where((enrol < 0) | (test < 0), -1, enrol * len(scores.test.names) + test)
    return np.asarray(pd.Index(score_pair).get_indexer(pd.Index(wanted)), dtype=np.int64)


def _text(columns: tuple[str, ...]) -> str:
    return " ".join(columns)
