"""What evidence makes of a prior: from 1 in N to a posterior, in numbers and in one sentence."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

import scipy

from zebra_core.errors import InputError
from zebra_core.metrics.assessment import Assessment
from zebra_core.metrics.zebra import LN10
from zebra_core.wording.texts import grouped, say, written

_STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
ROUND_PRIORS = (
    *range(2, 10),
    *(round(step * 10**power) for power in range(1, 7) for step in _STEPS),
    10_000_000,
)
"""Priors to choose from, as 1 in so many, evenly spread as people think of them."""

_RARE = 0.01  # below it a probability is told as 1 in so many


@dataclass(frozen=True)
class Posterior:
    """The probability that two recordings have one speaker, before and after the strongest comparison.

    Raises InputError at a prior of 1 in less than 2.
    """

    one_in: int  # the prior is 1 in so many
    log10_lr: float  # of the comparison; negative: against one speaker

    def __post_init__(self) -> None:
        if self.one_in < 2:
            raise InputError("prior-one-in", found=str(self.one_in))

    @property
    def prior_log_odds(self) -> float:
        """The natural log-odds of the prior."""
        return prior_log_odds(self.one_in)

    @property
    def probability(self) -> float:
        """The posterior, 0 … 1."""
        return float(scipy.special.expit(self.prior_log_odds + self.log10_lr * LN10))

    def __str__(self) -> str:
        """One sentence; it tells what an attacker may believe, and claims nobody's identity."""
        rest = float(scipy.special.expit(-self.prior_log_odds - self.log10_lr * LN10))
        sentence = "prior.sentence-against" if self.log10_lr < 0.0 else "prior.sentence"
        return say(sentence, one_in=grouped(self.one_in), posterior=_probability(self.probability, rest))


def prior_log_odds(one_in: int) -> float:
    """The natural log-odds of a prior of 1 in `one_in`, at least 2: −ln(N − 1)."""
    return -math.log(one_in - 1)


def prior_share(one_in: int) -> float:
    """The probability of a prior of 1 in `one_in`."""
    return 1.0 / one_in


def strongest_posterior(assessment: Assessment, one_in: int) -> Posterior:
    """The posterior that the worst case of an assessment makes of a prior of 1 in `one_in`, at least 2.

    The worst case may speak for one speaker or for two; where both are as strong, for one.
    """
    return Posterior(one_in, assessment.strongest_log10_lr)


def nearest_round_prior(one_in: int) -> int:
    """The place in `ROUND_PRIORS` of the greatest that is not above `one_in`."""
    return max(bisect_right(ROUND_PRIORS, one_in) - 1, 0)


def _probability(share: float, rest: float) -> str:
    """A probability as people read it; `rest` is 1 − share, with its own digits."""
    if share < _RARE:
        return say("prior.rare", one_in=grouped(_two_digits(1.0 / share))) if share > 0.0 else "0"
    if rest >= _RARE:
        return f"{written(100.0 * share, '.1f')}\u202f%"
    if rest < 1e-6:
        return say("prior.nearly-one")
    decimals = 1 - math.floor(math.log10(100.0 * rest))  # two digits of what is missing from 100 %
    return f"{written(100.0 * (1.0 - rest), f'.{decimals}f')}\u202f%"


def _two_digits(number: float) -> int:
    return int(round(number, 1 - math.floor(math.log10(number))))
