"""The attacker's calibration within one run, learnt on some speakers and judged on others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from zebra_core.errors import InputError
from zebra_core.evidence.counts import ScoreCounts
from zebra_core.evidence.ordering import in_order
from zebra_core.evidence.speaker_trials import speakers_of
from zebra_core.evidence.trials import BoolArray, FloatArray, Trials
from zebra_core.metrics.calibration import pav
from zebra_core.metrics.chance.partitioning import into_folds
from zebra_core.metrics.chance.seeds import Purpose, generator
from zebra_core.metrics.ece import ece_bits
from zebra_core.metrics.learnt_calibration import IsotonicCalibration, JudgedLlrs, LinearCalibration, judge
from zebra_core.metrics.verification import cllr_bits
from zebra_core.metrics.zebra import d_ece_bits
from zebra_core.runtime.progress import Progress, no_progress

FOLDS = 5


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Both calibrations, and the oracle's figures on the same trials: the gap is the oracle's optimism."""

    prior_log_odds: FloatArray
    linear: JudgedLlrs
    isotonic: JudgedLlrs
    d_ece_bits: float  # oracle, on the trials that were judged
    min_cllr_bits: float
    min_bits: FloatArray  # and its ECE at the priors, shape (p,)
    n_speakers: int
    n_judged: int
    n_left_out: int  # trials whose two speakers fall in different folds
    n_folds: int
    seed: int


def cross_validate(
    trials: Trials,
    prior_log_odds: FloatArray,
    utt2spk: Mapping[str, str] | None = None,
    *,
    n_folds: int = FOLDS,
    seed: int = 0,
    prior: float = 0.5,
    on_progress: Progress = no_progress,
) -> CrossValidation:
    """Judge each fold of speakers by calibrations learnt on trials in which none of them takes part.

    Speakers are dealt into `n_folds` folds at random (`seed`), or fewer, of at least two each. A trial is
    judged when both its speakers are in one fold, else left out and counted; calibrations are learnt on
    all trials between speakers of the other folds. Who is whose speaker: see `speakers_of`. Raises
    InputError without ids, with fewer than four speakers, or where a fold leaves a class without trials.
    """
    trials = in_order(trials)
    if trials.enrol is None or trials.test is None:
        raise InputError("folds-without-ids")
    enrol, test = speakers_of(trials.enrol, trials.test, trials.is_target, utt2spk or {})
    n_dealt = int(max(enrol.max(), test.max())) + 1
    n_speakers = n_dealt - n_unknown(trials, utt2spk or {})
    n_folds = min(n_folds, n_dealt // 2)  # one speaker alone makes no nontarget trial
    if n_folds < 2:
        raise InputError("folds-few-speakers", count=n_speakers)
    dealt = into_folds(n_dealt, n_folds, generator(seed, Purpose.FOLDS))
    enrol_fold, test_fold = dealt[enrol], dealt[test]

    judged = enrol_fold == test_fold
    linear, isotonic = np.zeros(len(trials)), np.zeros(len(trials))
    for fold in range(n_folds):
        on_progress(fold / n_folds)
        here = judged & (enrol_fold == fold)
        if not here.any():
            continue
        train = _counted(trials, (enrol_fold != fold) & (test_fold != fold))
        linear[here] = LinearCalibration.fit(train, prior).llr(trials.score[here])
        isotonic[here] = IsotonicCalibration.fit(train).llr(trials.score[here])

    plain = pav(_counted(trials, judged))
    oracle = plain.llr, plain.target_share, plain.nontarget_share
    is_target = trials.is_target[judged]
    return CrossValidation(
        prior_log_odds=prior_log_odds,
        linear=_judge(linear[judged], is_target, prior_log_odds),
        isotonic=_judge(isotonic[judged], is_target, prior_log_odds),
        d_ece_bits=d_ece_bits(*oracle),
        min_cllr_bits=cllr_bits(*oracle),
        min_bits=ece_bits(prior_log_odds, *oracle),
        n_speakers=n_speakers,
        n_judged=int(judged.sum()),
        n_left_out=int((~judged).sum()),
        n_folds=n_folds,
        seed=seed,
    )


def n_unknown(trials: Trials, utt2spk: Mapping[str, str]) -> int:
    """How many test segments nobody knows the speakers of: each is held apart by itself, but is no speaker.

    They are in no target trial, not in the map, and nobody's enrolment.
    """
    if trials.enrol is None or trials.test is None:
        return 0
    known = {trials.test.names[code] for code in np.unique(trials.test.codes[trials.is_target])}
    known.update(trials.enrol.names)
    return sum(name not in known and name not in utt2spk for name in trials.test.names)


def _counted(trials: Trials, chosen: BoolArray) -> ScoreCounts:
    is_target = trials.is_target[chosen]
    if not is_target.any() or is_target.all():
        raise InputError("folds-one-class")
    return ScoreCounts.of(trials.score[chosen], is_target)


def _judge(llr: FloatArray, is_target: BoolArray, prior_log_odds: FloatArray) -> JudgedLlrs:
    counts = ScoreCounts.of(llr, is_target)
    return judge(counts.score, counts, prior_log_odds)
