"""Files that moved are found by their hash; those that changed are told, and the old figures stay marked."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.document.samples import KEY, SCORES, rich_project, write_case
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import Cancelled
from zebra_core.evidence.audit import InputState, ReplacementFile, replaced_files
from zebra_core.project.items import Entry
from zebra_core.project.project import Project
from zebra_core.project.reading.inputs import Findings, check, input_files, look_at, with_findings
from zebra_core.project.reading.reading import assess_files, trials_of


@pytest.fixture
def project(tmp_path: Path) -> Project:
    path, key = write_case(tmp_path / "data")
    entry = assess_files(path, key, allow=["infinite-scores"])
    choices = {f"reading:{path}": "kaldi-scores", f"key:{path}": str(key), "reading:elsewhere": "x"}
    return Project(items=(replace(entry, choices=choices),))


def checked(project: Project, *folders: Path) -> Entry:
    return with_findings(project, check(project, folders)).entries[0]


def test_files_that_are_the_same_change_nothing(project: Project, tmp_path: Path) -> None:
    found = check(project, [tmp_path])
    assert not found.moves
    assert found.of_state(InputState.AS_READ) == (tmp_path / "data/exp/scores", tmp_path / "data/trials")
    assert with_findings(project, found) is project


def test_a_moved_file_is_found_by_its_hash_whatever_it_is_called(project: Project, tmp_path: Path) -> None:
    (tmp_path / "other/deep").mkdir(parents=True)
    (tmp_path / "other/deep/same-size").write_text("x" * len(SCORES))
    moved = tmp_path / "other/deep/called-otherwise"
    (tmp_path / "data/exp/scores").rename(moved)
    entry = checked(project, tmp_path / "other")

    assert [file.path for file in entry.files] == [moved, tmp_path / "data/trials"]
    assert entry.audit is not None
    assert entry.audit.files == entry.files
    assert entry.trials is not None
    assert entry.trials.files == entry.files
    assert entry.is_as_read
    assert dict(entry.choices) == {
        f"reading:{moved}": "kaldi-scores",
        f"key:{moved}": str(tmp_path / "data/trials"),
        "reading:elsewhere": "x",
    }
    assert trials_of(replace(entry, trials=None)).n_target == 3


def test_it_is_found_beside_the_other_files_without_being_told_where(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "data/exp/scores").rename(tmp_path / "data/exp/renamed")
    assert checked(project).files[0].path == tmp_path / "data/exp/renamed"


def test_answers_move_with_their_files(tmp_path: Path) -> None:
    project = rich_project(tmp_path / "data")
    (tmp_path / "data/exp").rename(tmp_path / "moved")
    moved = with_findings(project, check(project, [tmp_path / "moved"]))
    assert list(moved.answers.allowed) == [str(tmp_path / "moved/scores")]
    assert f"key:{tmp_path / 'moved/scores'}" in moved.answers.choices


def test_a_missing_file_marks_the_results_that_rest_on_it(project: Project, tmp_path: Path) -> None:
    (tmp_path / "data/trials").unlink()
    entry = checked(project, tmp_path)
    assert [file.state for file in entry.files] == [InputState.AS_READ, InputState.MISSING]
    assert not entry.is_as_read
    assert entry.assessment.tag == project.entries[0].assessment.tag
    assert entry.assessment.remarks[0].code == "input-missing"


def test_a_changed_file_is_told_with_what_changed(project: Project, tmp_path: Path) -> None:
    before = (tmp_path / "data/exp/scores").stat().st_size
    (tmp_path / "data/exp/scores").write_text(SCORES + "m9 u9 0.25\n", newline="\n")
    entry = checked(project, tmp_path)
    file = entry.files[0]
    assert file.state is InputState.CHANGED
    assert file.instead is not None
    assert (file.instead.size, file.instead.rows) == (len(SCORES) + 11, 7)
    now = file.instead.sha256
    assert now is not None
    told = str(entry.assessment.remarks[0])
    assert told.startswith(
        f"scores has changed since it was read: {before} bytes then, {len(SCORES) + 11} now, "
    )
    assert f"6 rows then, 7 now, SHA-256 {file.sha256[:12]}… then, {now[:12]}… now." in told
    assert told.endswith("The figures are those of the file as it was.")


def test_a_file_of_the_same_size_with_another_hash_has_changed(project: Project, tmp_path: Path) -> None:
    (tmp_path / "data/trials").write_text(KEY.replace("m1 u1 target", "m1 u9 target"))
    file = checked(project, tmp_path).files[1]
    assert file.state is InputState.CHANGED
    assert file.instead is not None
    assert (file.instead.size, file.instead.rows) == (file.size, 6)


def test_what_can_no_longer_be_read_has_changed_too(project: Project, tmp_path: Path) -> None:
    (tmp_path / "data/trials").write_bytes(b"\0\1\2")
    file = checked(project, tmp_path).files[1]
    assert file.instead is not None
    assert file.instead.rows is None


def test_what_is_as_it_was_again_is_no_longer_marked(project: Project, tmp_path: Path) -> None:
    (tmp_path / "data/exp/scores").rename(tmp_path / "hidden")
    marked = with_findings(project, check(project, []))
    assert not marked.entries[0].is_as_read
    (tmp_path / "hidden").rename(tmp_path / "data/exp/scores")
    assert with_findings(marked, check(marked, [])).entries[0].is_as_read


def test_one_path_read_twice_is_two_files(project: Project, tmp_path: Path) -> None:
    path, key = tmp_path / "data/exp/scores", tmp_path / "data/trials"
    path.write_text(SCORES.replace("2.5", "3.5"))
    both = project.with_items(assess_files(path, key, allow=["infinite-scores"]))
    assert len(input_files(both)) == 3
    old, new = with_findings(both, check(both, [])).entries
    assert not old.is_as_read
    assert new.is_as_read


def test_devices_and_pipes_are_never_read(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "data/exp/scores"
    path.unlink()
    os.mkfifo(path)
    assert look_at(path, 10).state is InputState.MISSING
    assert look_at(Path("/dev/zero"), 0).state is InputState.MISSING
    assert look_at(Path("a\0b"), 0).state is InputState.MISSING
    assert checked(project, tmp_path).files[0].state is InputState.MISSING


def test_a_first_look_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert look_at(tmp_path / "file", 5).state is InputState.AS_READ
    assert look_at(tmp_path / "file", 6).instead == ReplacementFile(5)


def test_it_can_be_cancelled(project: Project) -> None:
    def stop(_share: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        check(project, [], stop)


def test_findings_about_other_files_change_nothing(project: Project) -> None:
    found = Findings({(Path("/elsewhere"), "0"): Path("/x")})
    assert with_findings(project, found) is project


def test_a_changed_file_is_told_with_both_places_where_its_bytes_lie_elsewhere(
    project: Project, tmp_path: Path
) -> None:
    place, copy = tmp_path / "data/exp/scores", tmp_path / "data/exp/old"
    place.rename(copy)
    place.write_text(SCORES.replace("2.5", "3.5"))
    found = with_findings(project, check(project, [tmp_path]))
    files = found.entries[0].files
    assert found.entries[0].is_as_read
    assert files[0].path == copy
    (told,) = replaced_files(files).values()
    assert told == (
        f"scores has changed since it was read ({place}). The bytes that were read were found in {copy}; "
        "the figures rest on those."
    )
    again = with_findings(found, check(found, [tmp_path]))
    assert replaced_files(again.entries[0].files) == {place: told}
    place.write_text(SCORES)
    assert not replaced_files(with_findings(found, check(found, [tmp_path])).entries[0].files)


def test_a_file_that_has_moved_and_left_nothing_is_told_of_none(project: Project, tmp_path: Path) -> None:
    (tmp_path / "data/exp/scores").rename(tmp_path / "data/exp/old")
    assert not replaced_files(checked(project).files)


def test_the_copy_beside_a_project_that_has_changed_is_told_when_it_is_opened(tmp_path: Path) -> None:
    path, key = write_case(tmp_path / "case/data")
    saved = Project(items=(assess_files(path, key, allow=["infinite-scores"]),))
    save_project(saved, tmp_path / "case/case.zebra")
    (tmp_path / "copy").mkdir()
    write_case(tmp_path / "copy/data")
    (tmp_path / "case/case.zebra").rename(tmp_path / "copy/case.zebra")
    (tmp_path / "copy/data/exp/scores").write_text(SCORES + "m9 u9 0.25\n")
    files = open_project(tmp_path / "copy/case.zebra").project.entries[0].files
    assert files[0].path == path
    assert list(replaced_files(files)) == [tmp_path / "copy/data/exp/scores"]
