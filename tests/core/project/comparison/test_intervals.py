"""Intervals for many assessments, each drawn alone."""

import numpy as np
import pytest

from tests.core.project.comparison.test_difference_tests import entry, own_trials
from tests.core.speaker_model import trials_of
from tests.core.stopping import stop_after
from zebra_core.errors import Cancelled, InputError
from zebra_core.evidence.trials import Trials
from zebra_core.project.comparison.difference_tests import DEALS, measure
from zebra_core.project.items import Entry
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

FEW = BootstrapSettings(replicates=25, seed=2)


def entries() -> list[Entry]:
    return [
        entry(name, trials_of(np.random.default_rng(seed), 8, 1.0)) for seed, name in enumerate(["B1", "B2"])
    ]


def test_each_has_the_intervals_that_it_has_alone() -> None:
    found = measure(entries(), own_trials, FEW).trust
    for one in entries():
        alone = trust_of(own_trials(one), one.assessment, FEW, deals=DEALS)
        assert found[one.id].uncertainty.intervals == alone.uncertainty.intervals
        assert found[one.id].null_tag_share == alone.null_tag_share is not None


def test_what_cannot_be_drawn_is_told_and_the_rest_is_there() -> None:
    first, second = entries()

    def read(one: Entry, _on_progress: object) -> Trials:
        if one.id == "B1":
            raise InputError("counts-alone", file="B1")
        return own_trials(one)

    found = measure([first, second], read, FEW)
    assert list(found.trust) == ["B2"]
    assert len(found.faults) == 1
    assert found.faults[0].startswith("B1 OP has no intervals: B1 is known only as counts")


def test_stopped_it_keeps_those_that_there_are() -> None:
    assert list(measure(entries(), own_trials, FEW, stop_after(0.55)).trust) == ["B1"]
    with pytest.raises(Cancelled):
        measure(entries(), own_trials, FEW, stop_after(0.1))
