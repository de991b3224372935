"""Where no error was seen, intervals say how many there may be."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import xlogy

from zebra_core.evidence.trials import Ids, Trials
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.zebra import FULL_DISCLOSURE_BITS
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.one_sided import one_sided
from zebra_core.uncertainty.perfect_separation import AT_ERROR, d_ece_at, eer_at, min_cllr_at, most_errors
from zebra_core.uncertainty.trust import Trust, trust_of

FEW = BootstrapSettings(replicates=25)
ONE_END = {name: at[0] for name, at in AT_ERROR.items() if len(at) == 1}


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
    assert most_errors(1, 0.95) == 0.95


def test_a_quarter_of_the_targets_missed_costs_what_is_left_to_be_known_at_even_odds() -> None:
    """Of 1 + 1/4 that score low a fifth are targets: half of 5/4·H(1/5) = 0.451 bit."""
    assert min_cllr_at(0.25) == pytest.approx(0.625 * entropy(0.2))
    assert min_cllr_at(0.0) == 0.0
    assert (d_ece_at(0.0), d_ece_at(1.0)) == (FULL_DISCLOSURE_BITS, pytest.approx(0.0))
    assert eer_at(0.25) == pytest.approx(0.2)  # 0.25·(1 − 0.2) of the targets, 0.2 of the nontargets


def test_their_disclosure_is_what_such_scores_tell_on_average_over_all_priors() -> None:
    def told(prior: float, missed: float = 0.139) -> float:
        low = 1.0 - prior * (1.0 - missed)
        return entropy(prior) - low * entropy(prior * missed / low)

    assert d_ece_at(0.139) == pytest.approx(quad(told, 0.0, 1.0)[0], abs=1e-9)


def test_people_who_are_not_recognised_among_others_who_are_disclose_so_much() -> None:
    """One target of eight scores as nontargets do, all others far above them."""
    rng = np.random.default_rng(3)
    is_target = np.arange(80_000) < 40_000
    found = assess(Trials(rng.normal(0.0, 1.0, 80_000) + 20.0 * (np.arange(80_000) < 35_000), is_target))
    for name, at in ONE_END.items():
        assert getattr(found, name) == pytest.approx(at(0.125), abs=0.005)


def test_intervals_reach_from_no_error_to_the_most_there_may_be() -> None:
    found = trust(parted())
    error = most_errors(20, 0.95)
    intervals = found.uncertainty.intervals
    for name, at in ONE_END.items():
        assert sorted((intervals[name].low, intervals[name].high)) == sorted((at(0.0), at(error)))
        assert getattr(found.figures, name) in intervals[name]
    assert intervals["d_ece_bits"].low == pytest.approx(0.4914, abs=5e-4)
    assert str(found.remarks[0]) == (
        "These trials are perfectly separated: however their speakers are drawn, no error is seen. The "
        "intervals show what is still possible: even if all 20 speakers are recognised, up to "
        "14 % of people may not be (at 95 % confidence)."
    )


def test_hits_of_everybody_leave_open_that_some_are_missed_and_none_that_some_are_hit() -> None:
    """Of 20 speakers as well recognised, or as little, up to 0.139 may be the other way."""
    always = trust(parted()).uncertainty.intervals["hits_at_0_01"]
    assert (always.low, always.high) == (pytest.approx(1.0 - 0.1391, abs=1e-4), 1.0)
    trials = parted()
    never = trust(Trials(-trials.score, trials.is_target, trials.enrol, trials.test))
    assert never.figures.hits_at[0.01] == 0.0
    found = never.uncertainty.intervals["hits_at_0_01"]
    assert (found.low, found.high) == (0.0, pytest.approx(0.1391, abs=1e-4))
    assert one_sided(never.uncertainty.figures["hits_at_0_01"], 0.95).high == pytest.approx(0.1391, abs=1e-4)


def test_single_trials_have_no_such_bound_and_say_so() -> None:
    found = trust(parted(with_ids=False))
    assert found.uncertainty.intervals["eer"].high == 0.0
    assert "perfectly separated" in str(found.remarks[1])


def with_errors(count: int) -> Trials:
    """As `parted`, with one target each of so many speakers below most of the others."""
    trials = parted()
    score = trials.score.copy()
    score[np.flatnonzero(trials.is_target)[0 : 2 * count : 2]] = 0.5
    return Trials(score, trials.is_target, trials.enrol, trials.test)


@pytest.fixture(scope="module")
def ladder() -> list[Trust]:
    """Trusts of twenty speakers with 0, 1, 2, 5 errors."""
    return [trust(with_errors(count)) for count in (0, 1, 2, 5)]


@pytest.mark.parametrize("confidence", [None, 0.95, 0.99])
def test_fewer_errors_never_have_the_worse_bound(ladder: list[Trust], confidence: float | None) -> None:
    for name in ladder[0].uncertainty.figures.keys() & AT_ERROR.keys():
        draws = [each.uncertainty.figures[name] for each in ladder]
        found = [one_sided(one, confidence) if confidence else one.interval(0.95) for one in draws]
        falls = name == "d_ece_bits" or name.startswith("hits_at")
        for better, worse in pairwise(found):
            assert better.low >= worse.low if falls else better.low <= worse.low
            assert better.high >= worse.high if falls else better.high <= worse.high


def test_few_errors_are_said_to_leave_as_much_open_as_none(ladder: list[Trust]) -> None:
    assert [each.uncertainty.is_perfect for each in ladder] == [True, False, False, False]
    codes = [[one.code for one in each.remarks] for each in ladder]
    assert ["uncertainty-few-errors" in one for one in codes] == [False, True, True, False]
    assert "even if all 20 speakers are recognised, up to 14 % of people" in str(ladder[1].remarks[0])
    weak = trust(Trials(np.sin(np.arange(800.0)), parted().is_target, parted().enrol, parted().test))
    assert "uncertainty-few-errors" not in [one.code for one in weak.remarks]


def test_where_hardly_anybody_errs_the_other_end_is_no_error() -> None:
    """One of twenty errs: in one draw of three that one is not there, and nothing errs."""
    found = trust(with_errors(1)).uncertainty
    assert found.intervals["d_ece_bits"].high == FULL_DISCLOSURE_BITS
    assert found.intervals["rocch_eer"].low == 0.0
