"""Unsaved changes survive a crash, two windows keep out of each other's way, files are found again."""

import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.core.document.samples import KEY, SCORES, rich_project
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import OutputError
from zebra_core.evidence.audit import InputState
from zebra_gui.document.autosave import autosave_of, lock_of
from zebra_gui.session.unsaved import unsaved_folder


def rename_first(window, name):
    window.session.edits.rename([window.session.entries[0].id], name)


def names(window):
    return [entry.name for entry in window.session.entries]


# Autosave and recovery


def keep(window, qtbot):
    with qtbot.waitSignal(window.documents.autosave.kept, timeout=60_000):
        window.documents.autosave.keep_now()


def crash(window):
    """What a kill leaves: the files as they are, and nobody who holds a lock."""
    path = window.documents.autosave.file
    content = path.read_bytes()
    window.close()
    path.write_bytes(content)


def test_changes_are_kept_beside_the_file_and_go_when_it_is_saved(shared_opened, settled, qtbot, case):
    rename_first(shared_opened, "other")
    keep(shared_opened, qtbot)
    assert open_project(autosave_of(case)).project.entries[0].name == "other"
    assert open_project(case).project.entries[0].name == "unprotected"

    shared_opened.documents.save()
    settled(shared_opened.jobs)
    assert not autosave_of(case).exists()


def test_they_are_kept_after_a_moment_without_being_told(shared_opened, qtbot, case):
    shared_opened.documents.autosave._timer.setInterval(10)
    rename_first(shared_opened, "other")
    with qtbot.waitSignal(shared_opened.documents.autosave.kept, timeout=60_000):
        rename_first(shared_opened, "and another")
    assert autosave_of(case).exists()


def test_undoing_the_changes_removes_what_was_kept(shared_opened, qtbot, case):
    rename_first(shared_opened, "other")
    keep(shared_opened, qtbot)
    shared_opened.session.undo_stack.undo()
    assert not autosave_of(case).exists()


def test_a_clean_exit_leaves_nothing_behind(opened, qtbot, case):
    rename_first(opened, "other")
    keep(opened, qtbot)
    opened.close()
    assert [path.name for path in case.parent.iterdir()] == ["case.zebra"]


def test_after_a_crash_the_changes_are_offered_and_recovered(opened, settled, qtbot, another_window, case):
    rename_first(opened, "other")
    keep(opened, qtbot)
    crash(opened)

    again = another_window()
    again.open_paths([case])
    settled(again.jobs)
    assert names(again)[0] == "unprotected"
    assert again.recovery_bar.isVisible()
    assert again.recovery_bar.text.text().startswith("ZEBRA ended unexpectedly: changes to “case.zebra” of ")

    again.recovery_bar.recover_button.click()
    settled(again.jobs)
    assert names(again)[0] == "other"
    assert again.isWindowModified()
    assert not again.recovery_bar.isVisible()
    again.session.undo_stack.undo()
    assert names(again)[0] == "unprotected"
    again.session.undo_stack.redo()
    again.documents.save()
    settled(again.jobs)
    again.close()
    assert [path.name for path in case.parent.iterdir()] == ["case.zebra"]


def test_changes_that_nobody_decided_about_are_offered_again(opened, settled, qtbot, another_window, case):
    rename_first(opened, "lost and found")
    keep(opened, qtbot)
    crash(opened)
    first = another_window()
    first.open_paths([case])
    settled(first.jobs)
    rename_first(first, "newer")
    keep(first, qtbot)
    crash(first)

    again = another_window()
    again.open_paths([case])
    settled(again.jobs)
    again.recovery_bar.recover_button.click()
    settled(again.jobs)
    assert names(again)[0] == "newer"
    again.recovery_bar.recover_button.click()
    settled(again.jobs)
    assert names(again)[0] == "lost and found"


def test_changes_can_be_discarded(opened, settled, qtbot, another_window, case):
    rename_first(opened, "other")
    keep(opened, qtbot)
    crash(opened)
    again = another_window()
    again.open_paths([case])
    settled(again.jobs)
    again.recovery_bar.button.click()

    assert not again.recovery_bar.isVisible()
    again.close()
    assert [path.name for path in case.parent.iterdir()] == ["case.zebra"]


def test_a_project_without_a_file_is_recovered_too(window, settled, qtbot, another_window, scores, key):
    window.open_paths([scores["B2"], key])
    settled(window.jobs)
    keep(window, qtbot)
    assert window.documents.autosave.file.parent == unsaved_folder()
    busy = another_window()
    busy.documents.look_for_leftovers()
    assert not busy.recovery_bar.isVisible()  # it is somebody's work
    crash(window)

    again = another_window()
    again.documents.look_for_leftovers()
    assert "was never saved" in again.recovery_bar.text.text()
    again.recovery_bar.recover_button.click()
    settled(again.jobs)
    assert len(again.session.entries) == 1
    assert again.windowTitle() == "Untitled[*] – ZEBRA"
    assert again.isWindowModified()
    keep(again, qtbot)
    again.close()
    assert list(unsaved_folder().iterdir()) == []


def test_an_autosave_that_fails_is_told_once(opened, qtbot, monkeypatch):
    monkeypatch.setattr(
        "zebra_gui.document.work.save_project", lambda *_a, **_k: (_ for _ in ()).throw(OSError())
    )
    for name in ("one", "two"):
        rename_first(opened, name)
        opened.documents.autosave.keep_now()
        qtbot.waitUntil(lambda: not opened.documents.autosave._jobs.waiting)
    assert len(opened.session.problems) == 1


@pytest.mark.parametrize("code", ["not-allowed", "read-only", "no-folder"])
def test_where_nothing_may_be_written_the_user_is_told_to_save_elsewhere(
    shared_opened, qtbot, monkeypatch, code
):
    def fail(*_a, **_k):
        raise OutputError(code, file="unsaved", folder="/home/me")

    monkeypatch.setattr("zebra_gui.document.work.save_project", fail)
    rename_first(shared_opened, "one")
    shared_opened.documents.autosave.keep_now()
    qtbot.waitUntil(lambda: not shared_opened.documents.autosave._jobs.waiting)
    (told,) = shared_opened.session.problems
    assert told.startswith("Unsaved changes cannot be kept in /home/me, which cannot be written to")
    assert told.endswith("Save the project in another folder.")


# Two windows on one project


def test_a_second_window_may_look_but_not_write(
    shared_opened, settled, another_window, case, tmp_path, answers
):
    second = another_window()
    second.open_paths([case])
    settled(second.jobs)
    assert second.locked_bar.isVisible()
    told = second.locked_bar.text.text()
    assert told.startswith("“case.zebra” is open elsewhere (by ")
    assert f"process {os.getpid()}, on " in told
    assert not shared_opened.locked_bar.isVisible()

    rename_first(second, "other")
    answers["project"] = tmp_path / "mine.zebra"
    second.documents.save()
    settled(second.jobs)
    assert open_project(case).project.entries[0].name == "unprotected"
    assert second.documents.path == tmp_path / "mine.zebra"
    assert not second.locked_bar.isVisible()


def test_a_file_that_is_open_elsewhere_is_not_saved_over(
    shared_opened, settled, another_window, case, answers
):
    before = case.read_bytes()
    second = another_window()
    second.documents.open_demo()
    settled(second.jobs)
    answers["project"] = case
    second.documents.save()
    settled(second.jobs)
    assert "“case.zebra” is open elsewhere" in second.problem_bar.text.text()
    assert case.read_bytes() == before


def test_the_lock_goes_with_the_window(opened, settled, another_window, case):
    opened.close()
    second = another_window()
    second.open_paths([case])
    settled(second.jobs)
    assert not second.locked_bar.isVisible()


def test_who_knows_better_may_write_all_the_same(shared_opened, settled, another_window, case):
    second = another_window()
    second.open_paths([case])
    settled(second.jobs)
    second.locked_bar.button.click()
    assert not second.locked_bar.isVisible()
    rename_first(second, "other")
    second.documents.save()
    settled(second.jobs)
    assert open_project(case).project.entries[0].name == "other"


def test_a_lock_of_a_dead_process_is_none(shared_empty, settled, case):
    lock = Path(lock_of(case).fileName())
    lock.write_text(f"999999\npython\n{os.uname().nodename}\n\n")
    shared_empty.open_paths([case])
    settled(shared_empty.jobs)
    assert not shared_empty.locked_bar.isVisible()


@pytest.mark.parametrize("kind", ["pipe", "gigabytes", "link", "folder"])
def test_what_lies_in_the_place_of_the_lock_is_not_looked_into(shared_empty, settled, case, tmp_path, kind):
    lock = Path(lock_of(case).fileName())
    if kind == "pipe":
        os.mkfifo(lock)  # whoever opened it would wait for ever
    elif kind == "gigabytes":
        lock.touch()
        os.truncate(lock, 3 << 30)
    elif kind == "link":
        lock.symlink_to(tmp_path / "elsewhere")
    else:
        lock.mkdir()
    shared_empty.open_paths([case])
    settled(shared_empty.jobs)
    assert len(shared_empty.session.items) > 0
    assert "in another program" in shared_empty.locked_bar.text.text()
    shared_empty.locked_bar.button.click()
    assert shared_empty.locked_bar.isVisible() == (kind == "folder")
    assert not (tmp_path / "elsewhere").exists()


# The files that the project rests on


def assessments_of(folder):
    project = rich_project(folder)
    return project.without([item.id for item in project.similarities])


@pytest.fixture
def moved_case(tmp_path) -> Path:
    """A project whose files have been moved away, where nobody looks."""
    (tmp_path / "cases").mkdir()
    save_project(assessments_of(tmp_path / "here"), tmp_path / "cases/case.zebra")
    (tmp_path / "here").rename(tmp_path / "far")
    return tmp_path / "cases/case.zebra"


def test_missing_files_are_told_and_found_in_a_folder(shared_empty, settled, moved_case, tmp_path, answers):
    shared_empty.open_paths([moved_case])
    settled(shared_empty.jobs)
    assert len(shared_empty.session.entries) == 3
    assert shared_empty.inputs_bar.isVisible()
    assert "No longer where they were: “exp/scores”, “here/trials”." in shared_empty.inputs_bar.text.text()
    assert not shared_empty.isWindowModified()

    answers["files of the project"] = tmp_path / "far"
    shared_empty.inputs_bar.find_button.click()
    settled(shared_empty.jobs)
    assert not shared_empty.inputs_bar.isVisible()
    assert shared_empty.session.entries[0].files[0].path == tmp_path / "far/exp/scores"


def test_a_changed_file_marks_the_results_beside_the_figures(shared_empty, settled, tmp_path):
    save_project(rich_project(tmp_path), tmp_path / "case.zebra")
    (tmp_path / "trials").write_text(KEY.replace("m1 u1 target", "m1 u9 target"))
    shared_empty.open_paths([tmp_path / "case.zebra"])
    settled(shared_empty.jobs)

    assert shared_empty.session.selected.files[1].state is InputState.CHANGED
    assert "Changed since they were read" in shared_empty.inputs_bar.text.text()
    shared_empty.workspace.show_topic("overview")
    QApplication.processEvents()
    shown = [
        label.text()
        for label in shared_empty.workspace.pane("overview").remarks.findChildren(
            type(shared_empty.inputs_bar.text)
        )
    ]
    assert any("trials has changed since it was read: SHA-256" in text for text in shown)
    shared_empty.inputs_bar.button.click()
    assert not shared_empty.inputs_bar.isVisible()


def test_a_changed_file_whose_bytes_lie_elsewhere_is_told_with_both_places(shared_empty, settled, tmp_path):
    save_project(assessments_of(tmp_path), tmp_path / "case.zebra")
    (tmp_path / "trials").rename(tmp_path / "old trials")
    (tmp_path / "trials").write_text(KEY.replace("m1 u1 target", "m1 u9 target"))
    shared_empty.open_paths([tmp_path / "case.zebra"])
    settled(shared_empty.jobs)

    assert all(item.is_as_read for item in shared_empty.session.items)
    told = (
        f"trials has changed since it was read ({tmp_path}/trials). The bytes that were read were found in "
    )
    assert shared_empty.inputs_bar.text.text().startswith(f"{told}{tmp_path}/old trials;")
    assert not shared_empty.inputs_bar.read_again_button.isVisible()
    assert not shared_empty.isWindowModified()
    shared_empty.inputs_bar.button.click()
    assert not shared_empty.inputs_bar.isVisible()


def test_files_inside_the_project_can_be_read_again(window, settled, tmp_path):
    from zebra_core.evidence.audit import Decision

    save_project(assessments_of(tmp_path / "here"), tmp_path / "case.zebra", with_inputs=True)
    shutil.rmtree(tmp_path / "here")
    window.open_paths([tmp_path / "case.zebra"])
    settled(window.jobs)
    entry = window.session.entries[0]
    assert entry.is_as_read
    kept = entry.files[0].path
    assert kept.read_text() == SCORES
    assert not window.inputs_bar.isVisible()

    window.session.reassessing.decide(entry.id, Decision.LOWER_IS_MORE_ALIKE, holds=True)
    settled(window.jobs)
    assert Decision.INFINITE_SCORES in window.session.entries[0].audit.decisions
    window.documents.save()
    settled(window.jobs)
    window.close()
    assert not kept.exists()
    again = open_project(tmp_path / "case.zebra")
    assert again.has_inputs
    assert again.project.entries[0].files[0].path == tmp_path / "here/exp/scores"


def test_what_takes_long_to_keep_is_kept_less_often(shared_opened):
    autosave = shared_opened.documents.autosave
    for took_ms, delay_ms in ((1, 2000), (900, 9000), (100_000, 60_000)):
        autosave._on_kept(took_ms)
        assert autosave._timer.interval() == delay_ms
