"""Files that change on disk are noticed by their stamps, told by their hash, and read anew when asked for."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.saved.samples import KEY, SCORES, write_case
from zebra_core.errors import Cancelled, ZebraError
from zebra_core.evidence.files import InputState
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import with_findings
from zebra_core.project.reading.reading import assess_files
from zebra_core.project.reading.rereading import look_for_changes, read_all_anew, read_anew


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return write_case(tmp_path / "data")


@pytest.fixture
def entry(files: tuple[Path, Path]) -> Entry:
    made = assess_files(*files, allow=["infinite-scores"], condition=Condition.PP)
    return replace(made, name="called by me", notes="mine", attacker="ignorant", colour=5)


def looked(project: Project, before) -> tuple[Project, dict]:
    found, now = look_for_changes(project, before)
    return with_findings(project, found), now


def test_what_nobody_touched_is_not_read(entry: Entry, files, monkeypatch) -> None:
    project = Project(items=(entry,))
    _, stamps = look_for_changes(project, {})
    monkeypatch.setattr("zebra_core.project.reading.inputs.open_regular", None)  # to read would fail
    found, again = look_for_changes(project, stamps)
    assert not found.standings
    assert again == stamps
    assert set(stamps) == set(files)


def test_a_file_that_is_written_anew_is_noticed_though_its_size_is_the_same(entry: Entry, files) -> None:
    project = Project(items=(entry,))
    _, stamps = look_for_changes(project, {})
    files[1].write_text(KEY.replace("m1 u1 target", "m1 u9 target"))
    os.utime(files[1], ns=(1, 10**18))
    marked, _ = looked(project, stamps)
    assert [file.state for file in marked.items[0].files] == [InputState.AS_READ, InputState.CHANGED]


def test_a_file_that_was_only_touched_has_not_changed(entry: Entry, files) -> None:
    project = Project(items=(entry,))
    _, stamps = look_for_changes(project, {})
    os.utime(files[1], ns=(1, 10**18))
    assert looked(project, stamps)[0] is project


def test_a_file_that_goes_and_comes_back_is_told_both_times(entry: Entry, files) -> None:
    project = Project(items=(entry,))
    _, stamps = look_for_changes(project, {})
    content = files[0].read_bytes()
    files[0].unlink()
    gone, stamps = looked(project, stamps)
    assert gone.items[0].files[0].state is InputState.MISSING
    files[0].write_bytes(content)
    assert looked(gone, stamps)[0].items[0].is_as_read


def test_a_file_of_another_size_is_noticed_at_the_first_look(entry: Entry, files) -> None:
    files[0].write_text(SCORES + "\n")
    found = looked(Project(items=(entry,)), {})[0].items[0]
    assert [file.state for file in found.files] == [InputState.CHANGED, InputState.AS_READ]


def test_looking_can_be_cancelled(entry: Entry, files) -> None:
    files[0].write_text(SCORES + "\n")

    def stop(_share: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        look_for_changes(Project(items=(entry,)), {}, stop)


def test_reading_anew_gives_the_figures_of_today_and_keeps_what_the_user_said(entry: Entry, files) -> None:
    files[0].write_text(SCORES.replace("-1.25", "7.5"))
    read = read_anew(entry)
    assert isinstance(read, Entry)
    assert read.assessment.rests_on != entry.assessment.rests_on
    assert read.files[0].sha256 != entry.files[0].sha256
    assert read.is_as_read
    assert read.audit is not None
    assert entry.audit is not None
    assert read.audit.decisions == entry.audit.decisions
    kept = ("id", "name", "notes", "attacker", "colour", "condition", "is_ticked", "dataset", "run")
    assert [getattr(read, one) for one in kept] == [getattr(entry, one) for one in kept]
    assert read.assessment.settings == entry.assessment.settings


def test_what_cannot_be_read_stays_and_is_told(entry: Entry, files) -> None:
    files[0].write_text("hello\n")
    with pytest.raises(ZebraError):
        read_anew(entry)
    found = read_all_anew([entry])
    assert found.items == ()
    assert len(found.faults) == 1
    assert found.faults[0].startswith("called by me PP, ignorant was not read again, and keeps its figures: ")
