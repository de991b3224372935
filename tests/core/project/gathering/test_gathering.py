"""What a report is made of is computed once for trials that are in memory, and anew for others."""

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest

from tests.core.samples import demo
from zebra_core.evidence.speaker_names import SessionRule
from zebra_core.intake.tables.table import FileRole
from zebra_core.metrics.assessment import assess
from zebra_core.metrics.scales import PAPER_SCALE, TagScale
from zebra_core.project.comparison import linking, studies
from zebra_core.project.gathering import gathering
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.project import Project
from zebra_core.runtime.progress import LastUsed

Computed = list[str]


@pytest.fixture
def project() -> Project:
    """One assessment of the demo, with trials that nothing is known of yet; sessions are not stated."""
    entry = demo().in_sessions(None).entries[1]
    return Project(items=(replace(entry, trials=replace(entry.trials)),))


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Computed:
    """Names of what was computed, in order."""
    found: Computed = []

    def noting(module: ModuleType, name: str) -> Callable[..., object]:
        whole = getattr(module, name)
        return lambda *given, **named: (found.append(name), whole(*given, **named))[1]

    for module, name in ((gathering, "zoo_tests"), (studies, "reidentification_of")):
        monkeypatch.setattr(module, name, noting(module, name))
    monkeypatch.setattr(gathering, "_studies", LastUsed())  # what other tests came to is not known here
    return found


def test_of_the_same_trials_everything_is_computed_once(project: Project, computed: Computed) -> None:
    first, again = gather(project), gather(replace(project, title="Another", notes="And more."))
    assert computed == ["zoo_tests", "reidentification_of"]
    (entry,) = project.entries
    assert again.project.title == "Another"
    assert again.speakers[entry.id] is first.speakers[entry.id]
    assert again.people[entry.id] is first.people[entry.id]


def test_where_each_person_has_one_session_nothing_bounds_a_person_and_means_stay(project: Project) -> None:
    """All segments of a speaker of the demo are cuts of one recording: 1089-134686-0001 of 1089-134686."""
    known = project.in_sessions(SessionRule.BEFORE_LAST_HYPHEN)
    (entry,) = project.entries
    before, after = gather(project), gather(known)
    free, bound = (one.people[entry.id].most_linked() for one in (before, after))
    assert (free.sessions, bound.sessions, bound.low, bound.high) == (None, 1, 0.0, 1.0)
    assert after.people[entry.id].linkage == before.people[entry.id].linkage
    exposed = [one.speakers[entry.id].disclosures for one in (before, after)]
    assert [found.speakers[0].has_interval for found in exposed] == [True, False]
    assert [found.chance.can_be_told for found in exposed] == [True, False]
    codes = [[remark.code for remark in one.people[entry.id].remarks] for one in (before, after)]
    assert codes == [["reidentification-sessions"], []]


def test_of_other_trials_it_is_computed_anew_with_the_same_result(
    project: Project, computed: Computed, monkeypatch: pytest.MonkeyPatch
) -> None:
    (entry,) = project.entries
    first = gather(project)
    # The same scores are known as long as a program runs.
    monkeypatch.setattr(linking, "_known", LastUsed())
    monkeypatch.setattr(gathering, "_studies", LastUsed())
    again = gather(Project(items=(replace(entry, trials=replace(entry.trials)),)))
    assert computed == 2 * ["zoo_tests", "reidentification_of"]
    assert again.people[entry.id] is not first.people[entry.id]
    assert again.people[entry.id].linkage == first.people[entry.id].linkage
    assert again.speakers[entry.id] is not first.speakers[entry.id]
    assert again.speakers[entry.id].zoo_tests == first.speakers[entry.id].zoo_tests


def test_speakers_of_the_same_scores_are_known_when_these_are_read_again(
    project: Project, computed: Computed
) -> None:
    (entry,) = project.entries
    first = gather(project)
    again = gather(Project(items=(replace(entry, trials=replace(entry.trials)),)))
    assert computed.count("zoo_tests") == 1
    assert again.speakers[entry.id] is first.speakers[entry.id]
    score = entry.trials.score.copy()
    score[0] += 1.0
    gather(Project(items=(replace(entry, trials=replace(entry.trials, score=score)),)))
    assert computed.count("zoo_tests") == 2


def test_on_another_scale_speakers_have_other_tags(project: Project, computed: Computed) -> None:
    (entry,) = project.entries
    gather(project)
    scale = TagScale(PAPER_SCALE.tags[:-1])
    assessment = entry.assessment
    on_it = replace(assessment, settings=replace(assessment.settings, tag_scale=scale))
    gather(Project(items=(replace(entry, assessment=on_it),)))
    assert computed == ["zoo_tests", "reidentification_of", "zoo_tests"]


def test_where_a_file_says_who_speaks_it_is_always_read(
    project: Project, computed: Computed, monkeypatch: pytest.MonkeyPatch
) -> None:
    (entry,) = project.entries
    maps = iter([{}, {}, {}, {}, {"89": "somebody else"}, {"89": "somebody else"}])  # asked twice each
    monkeypatch.setattr(gathering, "speaker_map_of", lambda _entry: next(maps))
    monkeypatch.setattr(linking, "speakers_of_entry", lambda _entry: None)
    said = replace(entry.files[0], role=FileRole.SPEAKERS.value)
    trials = replace(entry.trials, files=(*entry.files, said))
    with_it = Project(items=(replace(entry, trials=trials, assessment=assess(trials)),))
    for _ in range(3):
        gather(with_it)
    # What the first map came to is known when it is read again, and the third is another one.
    assert computed == ["zoo_tests", *2 * ["reidentification_of"], "zoo_tests", "reidentification_of"]
    assert next(maps, None) is None
