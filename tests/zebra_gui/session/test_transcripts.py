"""Transcripts of a dropped folder become word error rates, which the status bar tells."""

from tests.core.project.test_transcripts import HEARD, KEY, SAID, folder_with


def test_they_are_counted_as_the_folder_comes_and_undone_with_it(session, jobs, settled, tmp_path):
    told = []
    session.arrivals.announced.connect(told.append)
    session.load([folder_with(tmp_path, SAID, HEARD)])
    settled(jobs)

    assert session.project.utilities[KEY].wer == 0.25
    assert told[-1].startswith("Word errors of B2, recordings were counted")
    assert session.problems == ()


def test_why_they_are_not_counted_stays_as_a_problem(session, jobs, settled, tmp_path):
    session.load([folder_with(tmp_path, SAID, HEARD, dict.fromkeys(SAID, "no"))])
    settled(jobs)

    assert session.project.utilities == {}
    assert "several transcripts lie beside the scores, and they differ" in session.problems[0]
