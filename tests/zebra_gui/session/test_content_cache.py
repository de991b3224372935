"""What was computed once is there at once when it comes again: files that are dropped, a project."""

import pytest

import zebra_core.project.reading.reading
import zebra_gui.session.work
from zebra_gui.session.findings import StudiedComparisons


@pytest.fixture
def counted(monkeypatch):
    """How often a function of a module was called: a list that grows."""

    def count(module, name):
        calls, function = [], getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda *given, **named: (calls.append(given), function(*given, **named))[1]
        )
        return calls

    return count


def test_files_that_are_dropped_again_are_not_read_again(session, jobs, settled, scores, key, counted):
    read = counted(zebra_core.project.reading.reading, "audit_planned")
    for _ in range(2):
        session.load([scores["B2"], key])
        settled(jobs)
    first, second = session.entries

    assert len(read) == 1
    assert second.assessment.counts is first.assessment.counts
    assert second.id != first.id
    assert second.files == first.files


def test_nor_after_everything_was_closed(session, jobs, settled, scores, key, counted):
    read = counted(zebra_core.project.reading.reading, "audit_planned")
    session.load([scores["B2"], key])
    settled(jobs)
    session.restart(None)
    session.load([scores["B2"], key])
    settled(jobs)

    assert len(read) == 1
    assert session.selected.assessment.tag == "C"


def test_a_file_that_has_changed_is_read(session, jobs, settled, scores, key, tmp_path, counted):
    read = counted(zebra_core.project.reading.reading, "audit_planned")
    own = tmp_path / "scores"
    own.write_bytes(scores["B2"].read_bytes())
    session.load([own, key])
    settled(jobs)
    lines = own.read_text().splitlines()
    own.write_text("\n".join([*lines[:-1], lines[-1].rsplit(maxsplit=1)[0] + " 99"]) + "\n")
    session.load([own, key])
    settled(jobs)
    first, second = session.entries

    assert len(read) == 2
    assert first.assessment.counts.score[-1] < 99.0
    assert second.assessment.counts.score[-1] == 99.0


def test_the_speakers_of_a_project_that_is_opened_again_are_known(window, case, settled, counted):
    studied = counted(zebra_gui.session.work, "study_of")
    session = window.session
    found = []
    for _ in range(2):
        window.open_paths([case])
        settled(window.jobs)
        spoken = StudiedComparisons(session.entries[1])
        session.speaker_studies.of(spoken)
        settled(window.jobs)
        found.append(session.speaker_studies.of(spoken))
        window.documents.close()
        assert not session.entries

    assert found[0] is not None
    assert found[1] is found[0]
    assert len(studied) == 1


def test_a_study_belongs_to_the_contents_and_not_to_the_name(session, demo):
    session.open_project(demo)
    entry = demo.entries[1]
    stamp = session.speaker_studies.rests_on(StudiedComparisons(entry))
    session.edits.rename([entry.id], "another name")

    assert session.entries[1].name == "another name"
    assert session.speaker_studies.rests_on(StudiedComparisons(session.entries[1])) == stamp
    assert session.speaker_studies.rests_on(StudiedComparisons(session.entries[2])) != stamp
