"""Transcripts of a dropped folder become word error rates, which the status bar tells."""

import pytest

from tests.core.project.reading.test_transcripts import HEARD, KEY, SAID, folder_with


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


def dropped_again(session, jobs, settled, folder):
    """The folder after its transcript was corrected: one utterance more is wrong."""
    [path] = folder.glob("exp/**/text")
    first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(first.split()[0] + "\n" + "".join(rest), encoding="utf-8")
    told = []
    session.arrivals.announced.connect(told.append)
    session.load([folder])
    settled(jobs)
    return told


def test_corrected_transcripts_count_again_and_add_nothing_twice(session, jobs, settled, tmp_path):
    folder = folder_with(tmp_path, SAID, HEARD)
    session.load([folder])
    settled(jobs)
    [entry] = session.entries

    told = dropped_again(session, jobs, settled, folder)
    assert session.entries == (entry,)
    assert session.selected is entry
    assert told[-1] == "One assessment was there already with the same scores; only word errors are new."
    # Every second of n utterances of four words has two errors; the first, which had none, has four now.
    assert session.project.utilities[KEY].wer == pytest.approx(0.25 + 4 / (4 * len(SAID)))
    session.undo_stack.undo()
    assert session.project.utilities[KEY].wer == 0.25


def test_a_rate_that_was_typed_in_stays_and_that_is_told(session, jobs, settled, tmp_path):
    folder = folder_with(tmp_path, SAID, HEARD)
    session.load([folder])
    settled(jobs)
    session.utilities.set_wer(KEY, 0.5)

    dropped_again(session, jobs, settled, folder)
    assert session.project.utilities[KEY].wer == 0.5
    assert session.problems == ("The word error rate that was typed in stays as it is.",)
