"""From a prior to a posterior."""

import math
from itertools import pairwise

import pytest

import zebra_core
from zebra_core.metrics.prior import ROUND_PRIORS, Posterior, nearest_round_prior, strongest_posterior


@pytest.mark.parametrize(
    ("one_in", "log10_lr", "probability"),
    [
        (2, 0.0, 0.5),
        (2, math.log10(3.0), 0.75),
        (10, math.log10(9.0), 0.5),  # odds 1 : 9, times 9
        (1001, 3.0, 0.5),
        (1001, -3.0, 1e-6 / (1.0 + 1e-6)),
    ],
)
def test_posterior_worked_by_hand(one_in: int, log10_lr: float, probability: float) -> None:
    assert Posterior(one_in, log10_lr).probability == pytest.approx(probability, rel=1e-12)


@pytest.mark.parametrize(
    ("one_in", "log10_lr", "told"),
    [
        (2, 0.0, "50.0\u202f%"),
        (10_000, 2.0, "about 1 in 100"),
        (10_000, 2.3, "2.0\u202f%"),
        (1_000_000, 2.0, "about 1 in 10\u202f000"),
        (10, 4.0, "99.910\u202f%"),
        (2, 9.0, "more than 99.9999 %"),
        (100, -3.0, "about 1 in 99\u202f000"),
    ],
)
def test_the_sentence(one_in: int, log10_lr: float, told: str) -> None:
    sentence = str(Posterior(one_in, log10_lr))
    assert sentence.startswith(f"From a prior of 1 in {one_in:,}".replace(",", "\u202f"))
    assert sentence.endswith(f"leads to a posterior of {told}.")


def test_an_evidence_that_leaves_nothing_is_told() -> None:
    assert str(Posterior(2, -400.0)).endswith("a posterior of 0.")


def test_evidence_for_different_speakers_is_called_so() -> None:
    assert "which speaks for different speakers" in str(Posterior(100, -1.0))
    assert "different speakers" not in str(Posterior(100, 1.0))


def test_the_strongest_comparison_of_an_assessment_has_a_direction() -> None:
    """One target above three nontargets: LR 6 for one speaker, 3/4 for two; and the other way round."""
    found = zebra_core.assess(zebra_core.Trials.from_scores([9.0], [1.0, 2.0, 3.0]))
    assert strongest_posterior(found, 2).probability == pytest.approx(6 / 7)
    mirrored = zebra_core.assess(zebra_core.Trials.from_scores([-1.0, -2.0, -3.0], [-9.0]))
    assert strongest_posterior(mirrored, 2).probability == pytest.approx(1 / 7)


@pytest.mark.parametrize("one_in", [1, 0, -5])
def test_a_prior_that_is_none_is_refused(one_in: int) -> None:
    found = zebra_core.assess(zebra_core.Trials.from_scores([1.0], [0.0]))
    with pytest.raises(zebra_core.InputError, match=f"cannot be 1 in {one_in}"):
        strongest_posterior(found, one_in)


def test_priors_to_choose_from_ascend_from_1_in_2_and_are_whole() -> None:
    assert ROUND_PRIORS[:9] == (2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert ROUND_PRIORS[-1] == 10_000_000
    assert all(lower < upper for lower, upper in pairwise(ROUND_PRIORS))


@pytest.mark.parametrize(("one_in", "place"), [(2, 2), (9, 9), (11, 10), (12, 12), (99_999_999, 10_000_000)])
def test_the_round_prior_at_or_below_another(one_in: int, place: int) -> None:
    assert ROUND_PRIORS[nearest_round_prior(one_in)] == place
