"""What simulations measured stands beside intervals that hold the truth more or less often than they say."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.speaker_model import trials_of
from zebra_core.evidence.audit import Remark
from zebra_core.metrics.assessment import assess
from zebra_core.uncertainty.bootstrap import BootstrapSettings, Uncertainty
from zebra_core.uncertainty.trust import Trust, coverage_in_words, trust_of

FEW = BootstrapSettings(replicates=20)


def measured(between: float) -> Trust:
    trials = trials_of(np.random.default_rng(0), 20, between)
    return trust_of(trials, assess(trials), FEW, deals=0)


def found(between: float) -> Uncertainty:
    return measured(between).uncertainty


@pytest.mark.parametrize(
    ("between", "words"),
    [
        pytest.param(0.1, "such weak disclosure", id="next to none"),
        pytest.param(1.0, "of such disclosure", id="between"),
        pytest.param(30.0, "such strong disclosure", id="next to full"),
    ],
)
def test_it_is_said_how_often_such_intervals_hold_the_truth(between: float, words: str) -> None:
    told = measured(between)
    assert words in coverage_in_words(told.uncertainty)
    assert told.sentences[-1] == coverage_in_words(told.uncertainty)
    assert told.lines().splitlines()[-1] == coverage_in_words(told.uncertainty)


@pytest.mark.parametrize(
    ("drawn", "begins"),
    [
        ("drawn-by-ear-listeners", "In simulations of listening tests with 20 or 40 speakers"),
        ("drawn-by-ear-listeners-canvases", "In simulations of listening tests with 20 or 40 speakers"),
        ("drawn-by-ear", ""),
        ("drawn-by-machine-canvases", ""),
    ],
)
def test_of_listeners_it_is_said_where_several_were_drawn(drawn: str, begins: str) -> None:
    said = coverage_in_words(replace(found(1.0), remarks=(Remark(drawn),)))
    assert said.startswith(begins)
    assert bool(said) == bool(begins)


def test_of_fewer_than_twenty_speakers_nothing_is_said() -> None:
    assert coverage_in_words(replace(found(1.0), n_clusters=19)) == ""


def test_of_other_levels_nothing_was_measured() -> None:
    weak = found(0.1)
    assert coverage_in_words(replace(weak, settings=replace(FEW, level=0.9))) == ""
