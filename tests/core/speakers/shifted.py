"""Trials of speakers whose own comparisons are higher by known amounts: some are exposed, others private."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zebra_core.evidence.trials import Ids, Trials

_EFFECT = 0.3  # standard deviations of enrolments, speakers and segments; noise fills the variance up to 1


def shifted(
    rng: np.random.Generator,
    n_speakers: int,
    segments: Sequence[int],
    shift: Sequence[float],
    enrolments: int = 1,
) -> tuple[Trials, dict[str, str]]:
    """All enrolments against all test segments, and who speaks in them; own comparisons `shift` (s,) higher.

    Score = enrolment + speaker + segment + noise of normal distributions, variance 1 in all.
    """
    heard, enrolled = np.repeat(np.arange(n_speakers), segments), np.repeat(np.arange(n_speakers), enrolments)
    of_enrol, of_speaker, of_segment = (
        rng.normal(0.0, _EFFECT, n) for n in (len(enrolled), n_speakers, len(heard))
    )
    score = of_enrol[:, np.newaxis] + (of_speaker[heard] + of_segment)[np.newaxis]
    score = score + rng.normal(0.0, np.sqrt(1.0 - 3.0 * _EFFECT**2), score.shape)
    is_own = enrolled[:, np.newaxis] == heard[np.newaxis]
    score += np.where(is_own, np.asarray(shift)[enrolled][:, np.newaxis], 0.0)
    models = tuple(f"s{k:02d}-e{n}" for n, k in enumerate(enrolled))
    tests = tuple(f"s{k:02d}-t{n}" for n, k in enumerate(heard))
    at = np.indices(score.shape).reshape(2, -1).astype(np.int32)
    trials = Trials(score.ravel(), is_own.ravel(), Ids(at[0], models), Ids(at[1], tests))
    return trials, {name: name[:3] for name in (*models, *tests)}
