"""Attacks on one safeguard, drawn from a model of voices: the more between voices, the more is found."""

from dataclasses import replace
from functools import cache

import numpy as np

from tests.core.speaker_model import trials_of
from zebra_core.evidence.audit import Remark
from zebra_core.metrics.assessment import assess
from zebra_core.project.items import Condition, Entry
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import AssessmentTrust, trust_of


def as_given(trust: AssessmentTrust) -> AssessmentTrust:
    """The trust of scores that cannot be normalised: they are judged as they are given."""
    return replace(trust, normalised={}, not_normalised=Remark("not-normalised-counted"))


@cache
def attack(
    between: float,
    attacker: str = "",
    condition: Condition | None = Condition.PP,
    *,
    sure: bool = True,
    seed: int = 0,
    n: int = 20,
) -> Entry:
    """An attack on B1 by 20 speakers with three segments each; `between` 0 finds nothing."""
    made = trials_of(np.random.default_rng(seed), n, between)
    known = assess(made)
    trust = as_given(trust_of(made, known, BootstrapSettings(60), deals=0, normalise=False)) if sure else None
    return Entry("B1", made, known, condition, attacker=attacker, dataset="libri_f", measured=trust)
