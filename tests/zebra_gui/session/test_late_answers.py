"""Answers of jobs that come when something else was asked since."""

from dataclasses import replace

from zebra_core.project.requirements.requirement import Requirement


def test_verdicts_on_requirements_that_are_no_more_are_forgotten(demo_session):
    requirements = demo_session.requirements
    requirements.put(Requirement("a", "tag", "B", confidence=None))
    requirements.remove(["a"])
    requirements._on_decided((("a verdict",), True))
    assert requirements.verdicts == ()
    assert not requirements.lacks_bounds


def test_people_in_earlier_figures_are_not_those_of_newer_ones(demo_session):
    people, entry = demo_session.people_found, demo_session.entries[1]
    earlier = entry.assessment.counts
    changed = replace(entry, assessment=replace(entry.assessment, counts=replace(earlier)))
    assert people.of(changed) is None
    asked = dict(people._asked)
    people._on_done(entry.id, earlier, "those of before")
    people._on_failed(entry.id, earlier, None)
    assert people._asked == asked
    assert people.failure(entry) == ""
    people._asked[entry.id][1].cancel()
