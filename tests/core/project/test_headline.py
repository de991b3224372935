"""When a set is too small for its figures to say anything, and what tag is shown of it."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.project.attacks import attack
from tests.core.samples import demo
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.headline import says_nothing, says_nothing_in_words, tag_in_words, tag_is_open
from zebra_core.project.items import Entry
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of


def entry_of(target: list[float], nontarget: list[float]) -> Entry:
    trials = Trials.from_scores(target, nontarget)
    return Entry("X", trials, assess(trials))


def overlapping(n_target: int, n_nontarget: int) -> Entry:
    return entry_of(list(np.arange(n_target) + 0.5), list(np.arange(n_nontarget, dtype=float)))


def test_five_trials_say_nothing_however_well_they_are_separated() -> None:
    tiny = entry_of([2.0, 3.0], [0.1, 0.2, 0.3])
    assert says_nothing(tiny)
    assert says_nothing_in_words(tiny) == (
        "5 trials (2 target, 3 nontarget): these figures say nothing. At least 10 of each kind are needed."
    )
    assert tag_is_open(tiny)
    assert tag_in_words(tiny) == "≥ A?"


@pytest.mark.parametrize(
    ("n_target", "n_nontarget", "is_nothing"), [(9, 50, True), (50, 9, True), (10, 10, False)]
)
def test_ten_trials_of_each_class_say_something(n_target: int, n_nontarget: int, is_nothing: bool) -> None:
    assert says_nothing(overlapping(n_target, n_nontarget)) is is_nothing


def test_four_speakers_say_nothing_whatever_their_number_of_trials() -> None:
    few, enough = attack(2.0, n=4), attack(2.0, n=5)
    assert says_nothing_in_words(few).startswith("4 speakers: these figures say nothing.")
    assert tag_in_words(few) == "≥ B?"
    assert not says_nothing(enough)


def test_a_set_whose_ceiling_chance_reaches_says_nothing() -> None:
    entry = next(one for one in demo().entries if one.trust is None)
    assert not says_nothing(entry)
    assert entry.trials is not None
    trust = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20))
    assert not says_nothing(replace(entry, measured=trust))
    null = trust.null
    assert null is not None
    ceiling = entry.assessment.worst_case_ceiling_log10_lr
    as_high = replace(null, draws={**null.draws, "worst_case_log10_lr": np.full(20, ceiling)})
    by_chance = replace(entry, measured=replace(trust, null=as_high))
    told = says_nothing_in_words(by_chance)
    assert "In one of twenty sets of this size without any disclosure" in told


def test_a_tag_at_the_ceiling_of_these_data_is_a_lower_bound_unless_no_worse_tag_exists() -> None:
    separated = entry_of(list(np.arange(20) + 100.0), list(np.arange(20, dtype=float)))
    assert (tag_in_words(separated), tag_is_open(separated)) == ("≥ B", True)
    apart = overlapping(20, 20)
    assert (tag_in_words(apart), tag_is_open(apart)) == ("A", False)
