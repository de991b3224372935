"""Scores with effects of enrolment, speaker, pair and segment of known size: the truth is known."""

import math

import numpy as np

from zebra_core.evidence.trials import Ids, Trials


def crossed_trials(
    rng: np.random.Generator,
    *,
    mu: float,
    speakers: int = 20,
    segments: int = 5,
    effects: tuple[float, float, float, float] = (0.3, 0.3, 0.4, 0.3),
) -> Trials:
    """Everybody's enrolment against everybody's segments; standard deviation 1, targets shifted by `mu`.

    `effects` are the standard deviations of the effects of enrolment, speaker heard, pair and segment.
    """
    of_enrol, of_speaker, of_pair, of_segment = effects
    speaker = np.repeat(np.arange(speakers), segments)
    n = len(speaker)
    own = np.arange(speakers)[:, np.newaxis] == speaker
    rest = math.sqrt(max(0.0, 1.0 - sum(effect**2 for effect in effects)))
    score = (
        rng.normal(0.0, of_enrol, speakers)[:, np.newaxis]
        + rng.normal(0.0, of_speaker, speakers)[speaker]
        + rng.normal(0.0, of_pair, (speakers, speakers))[:, speaker]
        + rng.normal(0.0, of_segment, n)
        + rng.normal(0.0, rest, (speakers, n))
        + mu * own
    )
    enrol, test = np.indices(own.shape).reshape(2, -1).astype(np.int32)
    return Trials(
        score.ravel(),
        own.ravel(),
        Ids(enrol, tuple(f"s{k:03d}" for k in range(speakers))),
        Ids(test, tuple(f"s{speaker[k]:03d}-{k}" for k in range(n))),
    )
