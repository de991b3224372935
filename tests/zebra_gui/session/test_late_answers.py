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
    """Not even where the job for the earlier ones ends later."""
    findings, entry = demo_session.findings, demo_session.entries[1]
    before, now = (with_score_moved(entry, by) for by in (1.0, 2.0))
    assert findings.of("people", before) is None
    earlier = findings._known[findings.key("people", before)].job
    assert findings.of("people", now) is None
    earlier.done.emit("those of before")
    assert findings.known("people", now) is None
    assert findings.failure("people", now) == ""
    for job in (earlier, findings._known[findings.key("people", now)].job):
        job.cancel()


def with_score_moved(entry, by):
    counts = replace(entry.assessment.counts, score=entry.assessment.counts.score + by)
    return replace(entry, assessment=replace(entry.assessment, counts=counts))
