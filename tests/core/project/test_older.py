"""Figures that an earlier version computed by another rule are told, and computed again."""

from dataclasses import replace
from functools import cache

import pytest

from tests.core.samples import demo_assessments
from tests.core.stopping import stop_after
from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.remarks import Remark
from zebra_core.evidence.trials import Trials
from zebra_core.project.items import Entry
from zebra_core.project.older import AGAIN, brought_up_to_date, of_an_older_rule, older_in_words
from zebra_core.project.project import Project
from zebra_core.report.evidence import assessment_as_json
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.intervals import Method
from zebra_core.uncertainty.trust import trust_of


@cache
def older() -> Project:
    """Two safeguards of the demo, the first with intervals by the rule of version 0.1.0."""
    _, first, second, _ = demo_assessments().entries
    assert first.trials is not None
    settings = BootstrapSettings(30, seed=7, method=Method.CORRECTED)
    trust = trust_of(first.trials, first.assessment, settings, deals=20)
    return Project("", (replace(first, measured=trust), second))


def own_trials(entry: Entry, _progress: object = None) -> Trials:
    assert entry.trials is not None
    return entry.trials


def gone(_entry: Entry, _progress: object = None) -> Trials:
    raise InputError("uncertainty-few-speakers", count=1, fewest=3)


def test_it_is_told_which_intervals_follow_an_older_rule_until_they_do_not() -> None:
    (said,) = older_in_words(older(), had_older_tests=False)
    assert said.startswith("The intervals of B1w OP were computed by the rule of an earlier version")
    assert [entry.name for entry in of_an_older_rule(older())] == ["B1w"]
    assert len(older_in_words(older(), had_older_tests=True)) == 2

    found = brought_up_to_date(older(), own_trials)
    assert (older_in_words(found.project, had_older_tests=False), found.faults) == ((), ())


def test_they_are_computed_again_with_the_same_draws_and_a_remark_keeps_that() -> None:
    again = brought_up_to_date(older(), own_trials).project.entries[0].trust
    before = older().entries[0].trust
    assert again is not None
    assert before is not None
    assert again.uncertainty.settings == BootstrapSettings(30, seed=7)
    assert again.null is not None
    assert again.null.replicates == 20
    assert list(again.uncertainty.figures["d_ece_bits"].draws) == list(
        before.uncertainty.figures["d_ece_bits"].draws
    )
    assert again.uncertainty.interval("d_ece_bits") != before.uncertainty.interval("d_ece_bits")
    assert Remark(AGAIN) in again.remarks
    told = assessment_as_json("B1w", older().entries[0].assessment, again)
    assert told["d_ece_corrected_bits"] == again.uncertainty.d_ece_corrected_bits


def test_differences_are_tested_again_where_they_had_been() -> None:
    found = brought_up_to_date(older(), own_trials, tests=True)
    (settled,) = found.project.settled
    assert set(settled.assessments) == {entry.id for entry in older().entries}


def test_what_cannot_be_read_again_stays_as_it_was_and_is_told() -> None:
    found = brought_up_to_date(older(), gone)
    assert found.project.entries[0].trust is older().entries[0].trust
    (fault,) = found.faults
    assert fault.startswith("B1w OP has no intervals: ")


def test_stopped_it_leaves_everything_as_it_was() -> None:
    with pytest.raises(Cancelled):
        brought_up_to_date(older(), own_trials, stop_after(0.5))
