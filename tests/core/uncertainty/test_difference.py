"""Paired comparisons, Holm's correction, and ranks."""

import numpy as np
import pytest

from tests.core.speaker_model import trials_of
from zebra_core.errors import InputError
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.uncertainty.bootstrap import BootstrapSettings, bootstrap
from zebra_core.uncertainty.difference import Difference, bootstrap_paired, holm, ranking
from zebra_core.uncertainty.draws import FigureDraws
from zebra_core.uncertainty.intervals import Interval

FEW = BootstrapSettings(replicates=99)


def assessed(*all_trials: Trials) -> list:
    return [(trials, assess(trials)) for trials in all_trials]


def sample(between: float = 0.5, seed: int = 0) -> Trials:
    return trials_of(np.random.default_rng(seed), 20, between)


def shuffled(trials: Trials) -> Trials:
    order = np.random.default_rng(5).permutation(len(trials))
    sides = [type(side)(side.codes[order], side.names) for side in (trials.enrol, trials.test)]
    return Trials(trials.score[order], trials.is_target[order], *sides)


def test_holm_of_a_published_case() -> None:
    """Holm's step-down of 0.01, 0.04, 0.03, 0.005: 4·0.005, 3·0.01, 2·0.03, then no less than that."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([0.04]) == [0.04]
    assert holm([]) == []


def test_each_of_a_pair_has_the_intervals_that_it_has_alone() -> None:
    trials = sample()
    noisier = Trials(trials.score + np.random.default_rng(1).normal(size=len(trials)), trials.is_target,
                     trials.enrol, trials.test)  # fmt: skip
    pair = bootstrap_paired(assessed(trials, noisier), FEW)
    for together, (one, known) in zip(pair, assessed(trials, noisier), strict=True):
        assert together.intervals == bootstrap(one, known, FEW).intervals


def test_the_same_scores_in_another_order_do_not_differ_at_all() -> None:
    trials = sample()
    one, other = bootstrap_paired(assessed(trials, shuffled(trials)), FEW)
    found = one.figures["d_ece_bits"].minus(other.figures["d_ece_bits"])
    assert np.abs(found.draws).max() == 0.0
    assert found.p_value_of_zero == 1.0


def test_pairing_sees_what_two_separate_intervals_hide() -> None:
    """The scores with some noise are worse by less than either interval's width, yet certainly worse."""
    trials = sample(2.0)
    noise = np.random.default_rng(1).normal(size=len(trials))
    noisier = Trials(trials.score + 1.5 * noise, trials.is_target, trials.enrol, trials.test)
    one, other = bootstrap_paired(assessed(trials, noisier), FEW)
    first, second = one.intervals["min_cllr_bits"], other.intervals["min_cllr_bits"]
    assert first.high > second.low
    found = ranking("min_cllr_bits", [each.figures["min_cllr_bits"] for each in (one, other)])
    assert found.settled == (True,)
    assert found.ranks == ((1, 1), (2, 2))


def test_p_values_of_no_difference_are_about_uniform() -> None:
    """Two noisy copies of one recogniser: of 40 pairs about a tenth, at most a quarter, gets p ≤ 0.1."""
    p_values = []
    for seed in range(40):
        trials, rng = sample(seed=seed), np.random.default_rng(1000 + seed)
        copies = [
            Trials(trials.score + rng.normal(size=len(trials)), trials.is_target, trials.enrol, trials.test)
            for _ in range(2)
        ]
        one, other = bootstrap_paired(assessed(*copies), FEW)
        p_values.append(one.figures["eer"].minus(other.figures["eer"]).p_value_of_zero)
    assert np.mean(np.array(p_values) <= 0.1) < 0.25
    assert 0.3 < np.mean(p_values) < 0.7


def draws(estimate: float, spread: float, seed: int) -> FigureDraws:
    noise = np.random.default_rng(seed).normal(size=999)
    return FigureDraws(estimate, estimate + spread * noise, np.full(10, estimate), 100)


def test_ranks_are_settled_where_differences_are() -> None:
    found = ranking("eer", [draws(0.30, 0.02, 1), draws(0.10, 0.02, 2), draws(0.31, 0.02, 3)])
    assert found.order == (1, 0, 2)
    assert found.settled == (True, False)
    assert found.ranks == ((2, 3), (1, 1), (2, 3))
    assert len(found.differences) == 3


def test_a_difference_in_words() -> None:
    settled = Difference("eer", 0, 1, 0.1538, Interval(0.0965, 0.2244), 0.0001, 0.0006)
    assert settled.sentence(["B1", "B2"]) == (
        "B1 and B2 differ by 15.38 percentage points "
        "(9.65 percentage points to 22.44 percentage points, p < 0.001): settled."
    )
    open_ = Difference("d_ece_bits", 0, 1, -0.009, Interval(-0.05, 0.032), 0.644, 0.644)
    assert "differ by −0.009 bit (−0.050 bit to 0.032 bit, p = 0.644): not settled" in open_.sentence("ab")


def test_other_trials_cannot_be_paired() -> None:
    trials = sample()
    fewer = Trials(trials.score[:-1], trials.is_target[:-1], *(
        type(side)(side.codes[:-1], side.names) for side in (trials.enrol, trials.test)))  # fmt: skip
    relabelled = Trials(trials.score, ~trials.is_target, trials.enrol, trials.test)
    nameless = Trials(trials.score, trials.is_target)
    for other, sentence in (
        (fewer, "not the same trials"), (relabelled, "not the same trials"), (nameless, "carry no ids"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=sentence):
            bootstrap_paired(assessed(trials, other), FEW)
