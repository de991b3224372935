"""Where no error was seen, intervals say how many there may be."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import xlogy

from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.perfect_separation import AT_ERROR, d_ece_at, min_cllr_at, most_errors
from zebra_core.uncertainty.trust import Trust, trust_of

FEW = BootstrapSettings(replicates=25)


def entropy(share: float) -> float:
    return float(-(xlogy(share, share) + xlogy(1.0 - share, 1.0 - share)) / np.log(2.0))


def parted(n: int = 20, *, with_ids: bool = True) -> Trials:
    """Everybody against everybody, two segments each, all targets above all others."""
    enrol, test = np.divmod(np.arange(n * n * 2), n * 2)
    is_target = enrol == test // 2
    score = np.random.default_rng(1).uniform(0.0, 1.0, len(enrol)) + 2.0 * is_target
    ids = (
        Ids(enrol.astype(np.int32), tuple(f"s{k}" for k in range(n))),
        Ids(test.astype(np.int32), tuple(f"s{k // 2}-{k % 2}" for k in range(2 * n))),
    )
    return Trials(score, is_target, *(ids if with_ids else (None, None)))


def trust(trials: Trials) -> Trust:
    return trust_of(trials, assess(trials), FEW, deals=0)


def test_of_twenty_speakers_without_an_error_three_in_twenty_may_make_some() -> None:
    """0.05^(1/20) = 0.861: the rule of three says 0.15, the exact bound 0.139."""
    assert most_errors(20, 0.95) == pytest.approx(0.1391, abs=1e-4)
    assert most_errors(1000, 0.95) == pytest.approx(0.003, rel=0.01)
    assert most_errors(1, 0.95) == 0.5


def test_answers_that_err_in_one_of_four_cost_their_entropy() -> None:
    """−0.25·log2 0.25 − 0.75·log2 0.75 = 0.811 bit."""
    assert min_cllr_at(0.25) == pytest.approx(0.8113, abs=1e-4)
    assert min_cllr_at(0.0) == 0.0
    assert (d_ece_at(0.0), d_ece_at(0.5)) == (FULL_DISCLOSURE_BITS, pytest.approx(0.0))


def test_their_disclosure_is_what_an_answer_tells_on_average_over_all_priors() -> None:
    def told(prior: float, error: float = 0.139) -> float:
        same = prior * (1.0 - error) + (1.0 - prior) * error
        return entropy(same) - entropy(error)

    assert d_ece_at(0.139) == pytest.approx(quad(told, 0.0, 1.0)[0], abs=1e-9)


def test_no_scores_of_the_same_error_disclose_less() -> None:
    """Scores of normal classes at an EER of 16 % disclose more than answers that err as often."""
    rng = np.random.default_rng(3)
    score = np.concatenate([rng.normal(2.0, 1.0, 20_000), rng.normal(0.0, 1.0, 20_000)])
    found = assess(Trials(score, np.arange(40_000) < 20_000))
    assert found.d_ece_bits > d_ece_at(found.rocch_eer) + 0.05
    assert found.min_cllr_bits < min_cllr_at(found.rocch_eer) - 0.05


def test_intervals_reach_from_no_error_to_the_most_there_may_be() -> None:
    found = trust(parted())
    error = most_errors(20, 0.95)
    intervals = found.uncertainty.intervals
    for name, at in AT_ERROR.items():
        assert sorted((intervals[name].low, intervals[name].high)) == sorted((at(0.0), at(error)))
        assert getattr(found.assessment, name) in intervals[name]
    assert intervals["d_ece_bits"].low == pytest.approx(0.2850, abs=5e-4)
    assert str(found.remarks[0]) == (
        "These trials are perfectly separated: however their speakers are drawn, no error is seen. The "
        "intervals say how many errors are possible nevertheless: of 20 speakers without any error, up to "
        "14 % may make some (at 95 % confidence)."
    )


def test_single_trials_have_no_such_bound_and_say_so() -> None:
    found = trust(parted(with_ids=False))
    assert found.uncertainty.intervals["eer"].high == 0.0
    assert "perfectly separated" in str(found.remarks[1])


def test_one_error_is_enough_for_the_draws() -> None:
    trials = parted()
    score = trials.score.copy()
    score[np.flatnonzero(trials.is_target)[0]] = 0.5
    found = trust(Trials(score, trials.is_target, trials.enrol, trials.test))
    assert not found.uncertainty.is_perfect
    assert 0.0 < found.uncertainty.intervals["eer"].high < most_errors(20, 0.95)
