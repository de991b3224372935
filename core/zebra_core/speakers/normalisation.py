"""Scores held against the others of the same enrolment and the same test: what any attacker has for free.

It takes no labels, no training and no other recogniser: only the comparisons that are in the file. Ref: Li
and Porter 1988, "Normalizations and selection of speech data for speaker recognition scoring" (z-norm);
Auckenthaler, Carey and Lloyd-Thomas 2000, "Score normalization for text-independent speaker verification
systems" (t-norm); Kenny 2010, "Bayesian speaker verification with heavy-tailed priors" (their mean, s-norm).
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

import numpy as np

from zebra_core.evidence.audit import Remark
from zebra_core.evidence.speaker_trials import NOBODY_KNOWN, SpeakerTrials
from zebra_core.evidence.trials import FloatArray, Ids, Trials

FEWEST_TESTS, FEWEST_PEOPLE = 20, 10
"""Of others, that each enrolment is compared with: of fewer a mean and a spread say little."""
FILLED = 0.8
"""The share of enrolments by tests that are compared, at least: else means are of other people each."""

_DECIMALS = 9  # of normalised scores: what ties stays tied, whatever the processor


class Normalisation(Enum):
    """What a score is held against: its distance from a mean, in standard deviations, both over trials."""

    Z = "z"  # those of the same enrolment
    T = "t"  # those of the same test
    S = "s"  # the mean of both


def normalised_trials(trials: Trials, by: Normalisation) -> Trials:
    """The same trials, in the same order, with normalised scores; trials need ids. O(n)."""
    assert trials.enrol is not None and trials.test is not None  # noqa: S101, PT018 - for the type checker
    of_each = [
        _standardised(trials.score, ids)
        for ids, has in ((trials.enrol, by is not Normalisation.T), (trials.test, by is not Normalisation.Z))
        if has
    ]
    return replace(trials, score=np.mean(of_each, axis=0).round(_DECIMALS))


def _standardised(score: FloatArray, ids: Ids) -> FloatArray:
    """Each score less the mean of its id, over its spread, (n,); 0 where all scores of an id are equal."""
    count = np.maximum(1, np.bincount(ids.codes, minlength=len(ids.names)))
    mean = np.bincount(ids.codes, score, len(ids.names)) / count
    off = score - mean[ids.codes]
    spread = np.sqrt(np.bincount(ids.codes, off * off, len(ids.names)) / count)[ids.codes]
    dust = np.finfo(np.float64).eps * 8.0 * np.abs(score).max(initial=0.0)
    return np.divide(off, spread, out=np.zeros_like(off), where=spread > dust)


def why_not_normalised(named: SpeakerTrials) -> Remark | None:
    """Why these comparisons are not normalised; None where each enrolment meets enough of others."""
    others = np.flatnonzero((named.heard != NOBODY_KNOWN) & ~named.is_target)
    enrol = named.enrol.codes[others]
    there = np.unique(named.enrol.codes)
    tests, people = (
        np.bincount(
            np.unique(np.stack([enrol, each[others]]), axis=1)[0] if len(others) else enrol,
            minlength=len(named.enrol.names),
        )[there].min()
        for each in (named.test.codes, named.heard)
    )
    if tests < FEWEST_TESTS or people < FEWEST_PEOPLE:
        facts = {"tests": int(tests), "people": int(people)}
        return Remark(
            "not-normalised-few",
            {**facts, "fewest_tests": FEWEST_TESTS, "fewest_people": FEWEST_PEOPLE},
        )
    cells = np.unique(named.enrol.codes.astype(np.int64) * len(named.test.names) + named.test.codes)
    share = len(cells) / (len(there) * len(np.unique(named.test.codes)))
    if share < FILLED:
        return Remark(
            "not-normalised-gaps", {"share": f"{100.0 * share:.0f}", "fewest": f"{100 * FILLED:.0f}"}
        )
    return None
