"""What is known of linking and singling out is not worked out twice, and is never that of other scores."""

from dataclasses import replace

import pytest

from tests.core.samples import demo
from zebra_core.project import people
from zebra_core.project.items import Entry
from zebra_core.project.reading import trials_of
from zebra_core.runtime.cache import LastUsed
from zebra_core.uncertainty.bootstrap import BootstrapSettings


@pytest.fixture
def entry() -> Entry:
    return demo().entries[-1]


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Of which people something is worked out, by a program that knows nothing yet."""
    seen = []
    whole = people.reidentification

    def seeing(candidates, *given, **named):
        seen.append(candidates.people)
        return whole(candidates, *given, **named)

    monkeypatch.setattr(people, "reidentification", seeing)
    monkeypatch.setattr(people, "_known", LastUsed())
    return seen


def test_the_same_scores_that_are_read_again_are_known(entry: Entry, worked_out: list) -> None:
    first = trials_of(entry)
    again = replace(first, score=first.score.copy())
    shares: list[float] = []
    one = people.reidentification_of(entry, trials=first)
    assert people.reidentification_of(entry, trials=again, on_progress=shares.append) is one
    assert len(worked_out) == 1
    assert shares[-1] == 1.0


def test_other_scores_settings_and_names_are_worked_out_for_themselves(
    entry: Entry, worked_out: list
) -> None:
    trials = trials_of(entry)
    score = trials.score.copy()
    score[0] += 0.5
    plain = people.reidentification_of(entry, trials=trials)
    others = [
        people.reidentification_of(entry, trials=replace(trials, score=score)),
        people.reidentification_of(entry, BootstrapSettings(20), trials=trials),
        people.reidentification_of(entry, trials=trials, deals=2),
        people.reidentification_of(entry, trials=trials, dense=True),
    ]
    names = tuple(f"x{name}" for name in trials.enrol.names)
    renamed = people.reidentification_of(
        entry, trials=replace(trials, enrol=replace(trials.enrol, names=names))
    )
    assert len(worked_out) == 6
    assert plain not in others
    assert renamed.people == tuple(f"x{name}" for name in plain.people)
