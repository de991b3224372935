"""Attributes dropped on a window in which their scores are open already."""

import pytest

from tests.core.attribute_cases import write_drop
from zebra_core.project.attributes import names_of_attributes


@pytest.fixture
def folder(tmp_path, session, jobs, settled):
    """A drop of which the scores are open."""
    write_drop(tmp_path)
    session.load([tmp_path / name for name in ("scores", "trials", "who")])
    settled(jobs)
    return tmp_path


def test_they_join_the_open_assessment_and_undoing_takes_them_away(session, jobs, settled, folder):
    told = []
    session.arrivals.announced.connect(told.append)
    before = session.entries[0].assessment.counts
    session.load([folder / "sex"])
    session.load([folder / "heard"])
    settled(jobs)
    [entry] = session.entries
    assert {file.path.name: file.role for file in entry.files} == {
        "scores": "scores",
        "trials": "key",
        "who": "speakers",
        "sex": "attributes",
        "heard": "predictions",
    }
    assert entry.assessment.counts is before
    assert told == ["One assessment now has what these files say of its speakers: see Law."] * 2
    assert (session.arrivals.waiting, session.problems) == ((), ())
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert names_of_attributes(session.entries[0]) == []


def test_predictions_wait_for_the_attributes_they_are_of(session, jobs, settled, folder):
    session.load([folder / "heard"])
    settled(jobs)
    assert [file.source.path.name for file in session.arrivals.waiting] == ["heard"]
    session.load([folder / "sex"])
    settled(jobs)
    assert session.arrivals.waiting == ()
    assert [file.role for file in session.entries[0].files][-2:] == ["attributes", "predictions"]


def test_attributes_of_others_wait_for_their_scores(session, jobs, settled, folder):
    (folder / "others").write_text("x1 f\nx2 m\nx3 f\nx4 m\n")
    session.load([folder / "others"])
    settled(jobs)
    assert [file.source.path.name for file in session.arrivals.waiting] == ["others"]
    assert names_of_attributes(session.entries[0]) == []
