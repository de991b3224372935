"""What is known of linking and singling out is not worked out twice, and is never that of other scores."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.core.samples import demo
from zebra_core.evidence.trials import Ids, Trials
from zebra_core.project.comparison import linking
from zebra_core.project.items import Entry
from zebra_core.project.reading.reading import trials_of
from zebra_core.runtime.progress import LastUsed
from zebra_core.speakers.candidates import Candidates, with_people
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.reidentification import DEALS, reidentification


@pytest.fixture
def entry() -> Entry:
    return demo().entries[-1]


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Of which people something is worked out, by a program that knows nothing yet."""
    seen = []
    whole = linking.reidentification

    def seeing(candidates, *given, **named):
        seen.append(candidates.people)
        return whole(candidates, *given, **named)

    monkeypatch.setattr(linking, "reidentification", seeing)
    monkeypatch.setattr(linking, "_known", LastUsed())
    return seen


def test_the_same_scores_that_are_read_again_are_known(entry: Entry, worked_out: list) -> None:
    first = trials_of(entry)
    again = replace(first, score=first.score.copy())
    shares: list[float] = []
    one = linking.reidentification_of(entry, trials=first)
    assert linking.reidentification_of(entry, trials=again, on_progress=shares.append) is one
    assert len(worked_out) == 1
    assert shares[-1] == 1.0


def test_other_scores_settings_and_names_are_worked_out_for_themselves(
    entry: Entry, worked_out: list
) -> None:
    trials = trials_of(entry)
    score = trials.score.copy()
    score[0] += 0.5
    plain = linking.reidentification_of(entry, trials=trials)
    others = [
        linking.reidentification_of(entry, trials=replace(trials, score=score)),
        linking.reidentification_of(entry, BootstrapSettings(20), trials=trials),
        linking.reidentification_of(entry, trials=trials, deals=2),
        linking.reidentification_of(entry, trials=trials, dense=True),
        linking.reidentification_of(entry, trials=trials, quick=True),
    ]
    names = tuple(f"x{name}" for name in trials.enrol.names)
    renamed = linking.reidentification_of(
        entry, trials=replace(trials, enrol=replace(trials.enrol, names=names))
    )
    assert len(worked_out) == 7
    assert plain not in others
    assert renamed.people == tuple(f"x{name}" for name in plain.people)


def test_where_some_have_more_enrolments_the_sentence_takes_chance_from_dealt_recordings() -> None:
    """Scores without disclosure; ten people with one enrolment are heard 90 times, ten with ten 10 times.

    A mean of ten is spread less than a single score, and is the highest less often: guessing names those who
    are heard most in more than one of twenty.
    """
    rng = np.random.default_rng(0)
    models = [f"s{who:02}-e{n}" for who in range(20) for n in range(1 if who < 10 else 10)]
    tests = [f"s{who:02}-t{n}" for who in range(20) for n in range(9 if who < 10 else 1)]
    enrol, test = (side.ravel() for side in np.indices((len(models), len(tests))))
    is_target = np.array([models[a][:3] == tests[b][:3] for a, b in zip(enrol, test, strict=True)])
    ids = Ids(enrol.astype(np.int32), tuple(models)), Ids(test.astype(np.int32), tuple(tests))
    trials = Trials(rng.normal(size=len(enrol)), is_target, *ids)
    candidates = Candidates.of(with_people(trials, {name: name[:3] for name in (*models, *tests)}))
    said = linking.sentence(reidentification(candidates, deals=DEALS), 20, is_singling_out=False)
    assert re.search(
        r"; by guessing in 9 \(where nothing is given away, sets like this show [345] to 1[345]\)\. "
        r"Each recording counts alike here; if each person does, as in the answer, it is 5 of 100\.$",
        said,
    )
    guessed = linking.sentence(reidentification(candidates), 20, is_singling_out=False)
    assert "; by guessing in 9. Each recording counts alike here" in guessed


def test_a_list_that_zebra_made_of_recordings_is_named_as_its_own(entry: Entry) -> None:
    read = trials_of(entry)
    kept = np.ones(len(read.score), dtype=bool)
    kept[np.flatnonzero(~read.is_target)[:1]] = False
    assert read.enrol is not None
    assert read.test is not None
    enrol, test = (replace(ids, codes=ids.codes[kept]) for ids in (read.enrol, read.test))
    part = Trials(read.score[kept], read.is_target[kept], enrol, test)
    record = replace(entry.files[0], role="recordings")
    heard = entry.resting_on((*entry.files, record), (), entry.audit)
    (theirs,) = (str(one) for one in linking.reidentification_of(entry, trials=part).remarks[:1])
    (own,) = (str(one) for one in linking.reidentification_of(heard, trials=part).remarks[:1])
    assert "were not compared with everybody" in theirs
    assert "the list that ZEBRA made of these recordings" in own
