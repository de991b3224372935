"""Opening, saving and closing as a user meets them: nothing is lost unasked, and every ending is told."""

import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from tests.core.document.samples import SCORES, rich_project
from zebra_core.document.project_file import open_project, save_project
from zebra_gui.app import make_app, make_window
from zebra_gui.dialogs.save import SaveChoice
from zebra_gui.document.recents import recent_projects, remember_project


def rename_first(window, name):
    window.session.edits.rename([window.session.entries[0].id], name)


def names(window):
    return [entry.name for entry in window.session.entries]


# Opening


def test_a_project_is_opened_by_drop(shared_empty, settled, drop, case, demo):
    assert shared_empty.windowTitle() == "ZEBRA"
    drop(shared_empty, case)
    settled(shared_empty.jobs)

    assert names(shared_empty) == [entry.name for entry in demo.entries]
    assert shared_empty.windowTitle() == "case.zebra[*] – ZEBRA"
    assert not shared_empty.isWindowModified()
    assert shared_empty.session.undo_stack.count() == 0
    assert not shared_empty.problem_bar.isVisible()


def test_a_project_named_on_the_command_line_is_opened(qtbot, settled, case):
    window = make_window(make_app(), [case])
    settled(window.jobs)
    assert window.documents.path == case
    window.close()
    window.deleteLater()


def test_files_dropped_with_a_project_are_added_to_it(shared_empty, settled, drop, case, scores, key):
    drop(shared_empty, scores["B2"], case, key)
    settled(shared_empty.jobs)
    settled(shared_empty.jobs)

    assert len(shared_empty.session.entries) == 5
    assert shared_empty.windowTitle() == "case.zebra[*] – ZEBRA"
    assert shared_empty.isWindowModified()


def test_of_two_projects_one_is_opened_and_the_other_told(shared_empty, settled, drop, case, tmp_path):
    other = shutil.copy(case, tmp_path / "other.zebra")
    told = []
    shared_empty.session.problems_changed.connect(lambda: told.extend(shared_empty.session.problems))
    drop(shared_empty, case, Path(other))
    settled(shared_empty.jobs)
    assert shared_empty.documents.path == case
    assert told == ["Only one project can be open at a time, so “other.zebra” was left alone."]


def test_a_file_that_is_no_project_is_refused_where_it_was_dropped(shared_empty, settled, drop, tmp_path):
    (tmp_path / "case.zebra").write_text("hello")
    drop(shared_empty, tmp_path / "case.zebra")
    settled(shared_empty.jobs)

    assert "case.zebra is not a ZEBRA project" in shared_empty.problem_bar.text.text()
    assert shared_empty.windowTitle() == "ZEBRA"


def test_what_cannot_be_opened_leaves_what_is_open(shared_opened, settled, tmp_path):
    (tmp_path / "bad.zebra").write_text("hello")
    shared_opened.open_paths([tmp_path / "bad.zebra"])
    settled(shared_opened.jobs)

    assert shared_opened.documents.path == tmp_path / "case.zebra"
    assert len(shared_opened.session.entries) == 4


def test_a_folder_does_not_count_a_project_a_second_time(shared_empty, settled, drop, tmp_path):
    save_project(rich_project(tmp_path), tmp_path / "case.zebra", with_inputs=True)
    (tmp_path / "exp/scores").write_text(SCORES.replace("inf", "9"))
    drop(shared_empty, tmp_path)
    settled(shared_empty.jobs)
    assert len(shared_empty.session.entries) == 1


# The modified mark, and saving


def test_the_mark_follows_undo_and_redo(shared_opened):
    rename_first(shared_opened, "other")
    assert shared_opened.isWindowModified()
    shared_opened.session.undo_stack.undo()
    assert not shared_opened.isWindowModified()
    shared_opened.session.undo_stack.redo()
    assert shared_opened.isWindowModified()


def test_saving_writes_the_file_and_clears_the_mark(shared_opened, settled, case):
    rename_first(shared_opened, "other")
    assert shared_opened.file_menu.document_actions.save.shortcut().toString() == "Ctrl+S"
    shared_opened.file_menu.document_actions.save.trigger()
    settled(shared_opened.jobs)

    assert not shared_opened.isWindowModified()
    assert open_project(case).project.entries[0].name == "other"
    assert shared_opened.statusBar().currentMessage() == f"Saved “case.zebra” in {case.parent}"
    shared_opened.session.undo_stack.undo()
    assert shared_opened.isWindowModified()


def test_a_file_that_is_written_when_somebody_stops_it_is_saved(shared_opened, settled, case, monkeypatch):
    def written_and_stopped(*given, **named):
        saved = save_project(*given, **named)
        for job in shared_opened.jobs.waiting:
            job.cancel()
        return saved

    monkeypatch.setattr("zebra_gui.document.work.save_project", written_and_stopped)
    rename_first(shared_opened, "one")
    shared_opened.documents.save()
    settled(shared_opened.jobs)
    assert not shared_opened.isWindowModified()
    monkeypatch.undo()
    rename_first(shared_opened, "two")
    shared_opened.documents.save()
    settled(shared_opened.jobs)
    assert shared_opened.session.problems == ()  # nobody else is taken for the one who changed the file


def test_what_is_changed_while_it_is_saved_stays_modified(shared_opened, settled):
    rename_first(shared_opened, "one")
    shared_opened.documents.save()
    rename_first(shared_opened, "two")
    settled(shared_opened.jobs)
    assert shared_opened.isWindowModified()


def test_the_first_save_asks_where(shared_empty, settled, scores, key, tmp_path, answers):
    shared_empty.open_paths([scores["B2"], key])
    settled(shared_empty.jobs)
    assert shared_empty.windowTitle() == "Untitled[*] – ZEBRA"
    assert shared_empty.isWindowModified()

    suggested = []
    path = tmp_path / "new[*].zebra"
    answers["project"] = lambda name: (suggested.append(name), path)[1]
    shared_empty.documents.save()
    settled(shared_empty.jobs)

    assert suggested == ["project.zebra"]
    assert shared_empty.windowTitle() == "new[*][*].zebra[*] – ZEBRA"
    assert len(open_project(path).project.entries) == 1


def test_a_save_that_fails_is_told_and_loses_nothing(shared_opened, settled, case, monkeypatch):
    rename_first(shared_opened, "other")
    before = case.read_bytes()

    def no_room(*_arguments):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", no_room)
        shared_opened.documents.save()
        settled(shared_opened.jobs)

    assert "is full" in shared_opened.problem_bar.text.text()
    assert shared_opened.isWindowModified()
    assert case.read_bytes() == before


def test_the_scores_are_put_inside(shared_opened, settled, case):
    shared_opened.file_menu.document_actions.inside.trigger()
    assert shared_opened.isWindowModified()
    shared_opened.documents.save()
    settled(shared_opened.jobs)

    assert open_project(case).has_inputs
    assert shared_opened.file_menu.document_actions.inside.isChecked()
    assert not shared_opened.isWindowModified()


# Before changes are lost


@pytest.mark.parametrize(
    ("how", "answer"),
    [
        ("window", SaveChoice.SAVE),
        ("window", SaveChoice.DISCARD),
        ("window", SaveChoice.CANCEL),
        ("close", SaveChoice.SAVE),
        ("open", SaveChoice.SAVE),
        ("open", SaveChoice.CANCEL),
        ("demo", SaveChoice.DISCARD),
        ("demo", SaveChoice.CANCEL),
    ],
)
def test_it_asks_before_changes_are_lost(opened, settled, ask, case, tmp_path, how, answer):
    other = Path(shutil.copy(case, tmp_path / "other.zebra"))
    rename_first(opened, "other")
    asked = ask(answer)
    go = {
        "window": opened.close,
        "close": opened.file_menu.close_action.trigger,
        "open": lambda: opened.open_paths([other]),
        "demo": opened.file_menu.demo_action.trigger,
    }
    go[how]()
    settled(opened.jobs)
    settled(opened.jobs)

    assert asked == ["case.zebra"]
    stayed = answer is SaveChoice.CANCEL
    gone = {
        "window": lambda: not opened.isVisible(),
        "close": lambda: opened.windowTitle() == "ZEBRA",
        "open": lambda: opened.documents.path == other,
        "demo": lambda: opened.windowTitle() == "Untitled[*] – ZEBRA",
    }
    assert gone[how]() is not stayed
    saved = "other" if answer is SaveChoice.SAVE else "unprotected"
    assert open_project(case).project.entries[0].name == saved


def test_nobody_is_asked_where_nothing_would_be_lost(opened, ask, settled):
    asked = ask(SaveChoice.CANCEL)
    rename_first(opened, "other")
    opened.session.undo_stack.undo()
    opened.documents.open_demo()
    settled(opened.jobs)
    opened.close()

    assert asked == []
    assert not opened.isVisible()


def test_what_is_being_saved_is_not_asked_about(shared_opened, settled, ask, case):
    asked = ask(SaveChoice.CANCEL)
    rename_first(shared_opened, "other")
    shared_opened.documents.save()
    shared_opened.file_menu.close_action.trigger()
    settled(shared_opened.jobs)

    assert asked == []
    assert shared_opened.windowTitle() == "ZEBRA"
    assert open_project(case).project.entries[0].name == "other"


def test_what_is_changed_while_another_is_opened_is_asked_about(shared_opened, settled, ask, case, tmp_path):
    asked = ask(SaveChoice.CANCEL)
    shared_opened.open_paths([Path(shutil.copy(case, tmp_path / "other.zebra"))])
    rename_first(shared_opened, "other")
    settled(shared_opened.jobs)

    assert asked == ["case.zebra"]
    assert names(shared_opened)[0] == "other"


# Recent ones


def test_recent_projects_come_newest_first(shared_opened, settled, case, tmp_path):
    assert recent_projects() == [case]
    other = Path(shutil.copy(case, tmp_path / "a & b.zebra"))
    shared_opened.open_paths([other])
    settled(shared_opened.jobs)
    assert recent_projects() == [other, case]

    menu = shared_opened.file_menu.document_actions.recent
    menu.fill()
    assert menu.actions()[0].text().startswith("&1  a && b.zebra  –  ")
    menu.actions()[1].trigger()
    settled(shared_opened.jobs)
    assert shared_opened.documents.path == case

    menu.fill()
    menu.actions()[-1].trigger()
    assert recent_projects() == []


def test_a_recent_one_that_is_gone_is_told_and_forgotten(shared_empty, settled, tmp_path):
    remember_project(tmp_path / "gone.zebra")
    shared_empty.documents.open(tmp_path / "gone.zebra")
    settled(shared_empty.jobs)
    assert "gone.zebra was not found" in shared_empty.problem_bar.text.text()
    assert recent_projects() == []


def test_at_most_ten_are_kept_and_a_spoilt_setting_is_none(tmp_path):
    for number in range(12):
        remember_project(tmp_path / str(number))
    assert [path.name for path in recent_projects()] == [str(n) for n in range(11, 1, -1)]
    settings = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "ZEBRA", "ZEBRA")
    settings.setValue("recent", 7)
    assert recent_projects() == []


# How the window looked


def test_a_project_remembers_how_the_window_looked(opened, settled, another_window, case):
    opened.resize(790, 640)
    opened.session.select(opened.session.entries[2].id)
    opened.session.consider_prior(5000)
    opened.session.mark_prior(False)
    opened.workspace.show_topic("compare")
    opened.workspace.docks[-1].close()
    rename_first(opened, "x")
    opened.documents.save()
    settled(opened.jobs)
    opened.close()

    again = another_window()
    again.open_paths([case])
    settled(again.jobs)
    assert again.size().toTuple() == (790, 640)
    assert again.session.selected.name == "B2"
    assert (again.session.prior, again.session.marks_prior) == (5000, False)
    assert again.workspace.front_pane is again.workspace.pane("compare")
    assert not again.workspace.docks[-1].isVisible()


def test_a_layout_from_elsewhere_is_not_given_to_qt(shared_opened, monkeypatch):
    """Spoilt bytes would crash it."""
    view = {**shared_opened.view(), "layout": "AAAA", "hidden_panes": ["guide"], "front_pane": "ece"}
    monkeypatch.setattr(shared_opened.workspace, "take_layout", lambda _state: pytest.fail("it was"))
    shared_opened.show_view(view)
    assert shared_opened.workspace.hidden_panes() == ["guide"]
    assert shared_opened.workspace.front_pane.topic == "ece"


def test_a_spoilt_view_is_left_alone(shared_opened):
    before = shared_opened.view()
    for value in (None, True, -1, 0, 1e300, "x", "\udc80", [], [1, 2, 3], [10**9, 5], ["a", "b"], {"a": 1}):
        shared_opened.show_view(dict.fromkeys([*before, "anything"], value))
        after = shared_opened.view()
        for name in ("selected", "prior", "size"):
            assert after[name] == before[name], (name, value)
        shared_opened.showNormal()


def test_the_demo_is_nothing_to_be_saved(window, settled, ask):
    asked = ask(SaveChoice.CANCEL)
    window.file_menu.demo_action.trigger()
    settled(window.jobs)
    assert not window.isWindowModified()
    window.close()
    assert asked == []
