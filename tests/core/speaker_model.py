"""Trials of speakers who are drawn from a population: a two-covariance model, as in PLDA."""

from __future__ import annotations

import numpy as np

from zebra_core.evidence.trials import FloatArray, Ids, Trials

DIMENSIONS = 8


def trials_of(
    rng: np.random.Generator,
    n_speakers: int,
    between: float,
    *,
    segments: int = 3,
    decimals: int | None = None,
) -> Trials:
    """One enrolment and some test segments for each speaker, all against all, scored by the true LLR.

    Voices have variance `between` in each of eight dimensions, segments vary around them with variance 1;
    with `between` 0 nothing is disclosed. Rounded to `decimals`, scores are tied.
    """
    voice = rng.normal(size=(n_speakers, DIMENSIONS)) * np.sqrt(between)
    who = np.repeat(np.arange(n_speakers), segments)
    enrolled = voice + rng.normal(size=voice.shape)
    heard = voice[who] + rng.normal(size=(len(who), DIMENSIONS))
    score = log_likelihood_ratio(
        enrolled[:, np.newaxis], heard[np.newaxis], between if between > 0.0 else 0.5
    )
    if decimals is not None:
        score = np.round(score, decimals)
    names = tuple(f"s{k:03d}" for k in range(n_speakers))
    segment_names = tuple(f"s{k:03d}-{n}" for k in range(n_speakers) for n in range(segments))
    return Trials(
        score.ravel(),
        (np.arange(n_speakers)[:, np.newaxis] == who).ravel(),
        Ids(np.repeat(np.arange(n_speakers, dtype=np.int32), len(who)), names),
        Ids(np.tile(np.arange(len(who), dtype=np.int32), n_speakers), segment_names),
    )


def log_likelihood_ratio(one: FloatArray, other: FloatArray, between: float) -> FloatArray:
    """ln p(one, other | same voice) − ln p(one) − ln p(other), over the last axis."""
    total = between + 1.0
    determinant = total**2 - between**2
    squares = (one**2).sum(-1) + (other**2).sum(-1)
    cross = (one * other).sum(-1)
    same = (total * squares - 2.0 * between * cross) / determinant + DIMENSIONS * np.log(determinant)
    different = squares / total + DIMENSIONS * np.log(total**2)
    return np.asarray((different - same) / 2.0)
