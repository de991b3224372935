"""What is kept of recordings that were heard, scores and embeddings: where, how long, until who says so."""

import os
import shutil
import time

import pytest

from tests.zebra_gui.conftest import drop
from tests.zebra_gui.recordings.material import DEMO, rest
from zebra_core.document.project_file import open_project
from zebra_gui.session.unsaved import UnsavedScores, unsaved_folder


@pytest.fixture(scope="module", autouse=True)
def heard_once(walked):
    """What is dropped has been heard, so that no test waits until it is heard again."""


def test_what_was_heard_is_not_heard_again_until_it_is_forgotten(window, shown, monkeypatch):
    recordings = window.recordings.state
    assert recordings.heard == 12
    monkeypatch.setattr("zebra_core.recordings.embedding.read_sound", None)
    shown.start_button.click()
    rest(window)
    assert len(window.session.entries) == 3


def test_scores_inside_the_project_are_there_when_it_is_opened_again(window, shown, tmp_path, answers):
    shown.start_button.click()
    rest(window)
    folder = window.session.entries[0].files[0].path.parents[5]
    answers["project"] = tmp_path / "case.zebra"
    window.documents.save()
    rest(window)
    window.session.restart(None)
    assert not folder.exists()
    window.open_paths([tmp_path / "case.zebra"])
    rest(window)

    assert len(window.session.entries) == 3
    assert all(entry.is_as_read for entry in window.session.entries)
    assert window.session.problems == ()


def test_scores_of_a_project_that_was_never_saved_survive_a_crash(window, top, tmp_path, answers):
    documents, recordings = window.documents, window.recordings.state
    documents.close()  # the project of the test before, which is in a file
    drop(window, top)
    rest(window)
    recordings.start()
    rest(window)
    [kept] = window.session.kept._scores
    documents.autosave.keep_now()
    assert documents.autosave.finish()
    left = shutil.copy(documents.autosave.file, unsaved_folder() / "left.zebra")  # as a killed program does
    kept._lock.unlock()
    window.session.kept._scores.clear()
    window.session.restart(None)
    documents.look_for_leftovers()
    assert documents.leftovers.offered == left
    documents.recover()
    rest(window)
    assert [entry.is_as_read for entry in window.session.entries] == [True] * 3

    documents.put_inputs_inside(False)
    assert window.session.problems[-1].startswith("The scores made from recordings lie nowhere else")
    answers["project"] = tmp_path / "case.zebra"
    documents.save()
    rest(window)
    window.session.restart(None)
    assert not kept.folder.exists()
    window.open_paths([tmp_path / "case.zebra"])
    rest(window)
    assert [entry.is_as_read for entry in window.session.entries] == [True] * 3
    assert set(window.session.project.similarities[0].similarity.matrices) == {"oo", "op", "pp"}
    documents.close()


def test_scores_that_nobody_came_back_for_go_after_a_month_and_no_sooner(window):
    folders = [UnsavedScores() for _ in range(3)]
    for number, days in enumerate((31, 31, 29)):
        os.utime(folders[number].folder, (time.time() - days * 86_400,) * 2)
    for one in folders[1:]:
        one._lock.unlock()
    window.documents.look_for_leftovers()

    assert [one.folder.exists() for one in folders] == [True, False, True]
    for one in folders:
        one.remove()


def test_transcripts_of_a_file_that_the_user_chooses_are_put_beside_the_keys(
    window, shown, top, tmp_path, answers
):
    (tmp_path / "words.txt").write_text("1688-142285-0005 HE SAID\nother NOTHING\n", encoding="utf-8")
    answers["transcripts"] = tmp_path / "words.txt"
    shown.choices.own_transcripts.click()
    rest(window)
    assert "words.txt has the words of 1 of 6 recordings." in shown.outcome.remarks
    assert shown.choices.transcripts.text() == str(tmp_path / "words.txt")
    window.recordings.state.save_in(tmp_path / "scores")
    shown.start_button.click()
    rest(window)

    texts = {path.read_text(encoding="utf-8") for path in (tmp_path / "scores").rglob("text")}
    assert texts == {"1688-142285-0005 HE SAID\n"}


def test_embeddings_are_kept_in_a_folder_if_that_is_asked_for_and_forgotten_there(
    window, shown, tmp_path, answers
):
    recordings, folder = window.recordings.state, tmp_path / "voices"
    kept = dict(recordings._store._kept)
    answers["embeddings"] = folder
    shown.choices.keep.click()
    assert shown.choices.heard.text().endswith(f"embeddings, which are biometric data, in {folder}")
    shown.start_button.click()
    rest(window)
    assert len(list(folder.iterdir())) == 12
    assert {path.stat().st_mode & 0o077 for path in folder.iterdir()} == {0}

    drop(window, DEMO)
    rest(window)
    recordings._store._kept.clear()
    recordings.keep_in(folder)
    recordings.forget_heard()
    rest(window)
    assert not folder.exists()
    assert (recordings.heard, recordings.kept_in) == (0, None)
    recordings._store._kept.update(kept)  # for the other tests


def test_embeddings_are_kept_in_the_project_file_if_that_is_asked_for_and_forgotten_there(
    window, shown, tmp_path, answers
):
    recordings, documents, path = window.recordings.state, window.documents, tmp_path / "case.zebra"
    menu = window.file_menu.document_actions
    shown.choices.keep_inside.click()
    assert shown.choices.heard.text().endswith("biometric data, go into the project file")
    recordings.save_in(tmp_path / "scores")
    shown.start_button.click()
    rest(window)
    answers["project"] = path
    documents.save_as()
    rest(window)
    assert len(open_project(path).voices) == 12
    assert (menu.voices.isChecked(), documents.is_modified) == (True, False)

    kept = dict(recordings._store._kept)
    documents.close()
    assert (menu.voices.isEnabled(), window.session.kept.voices) == (False, {})
    recordings._store.forget()
    documents.open_paths([path])
    rest(window)
    assert (recordings.heard, documents.is_modified) == (12, False)
    assert window.session.problems[0].startswith(
        "This project file contains embeddings of 12 recordings, which are biometric data."
    )
    menu.voices.trigger()
    assert documents.is_modified
    documents.save()
    rest(window)
    assert open_project(path).voices == {}
    assert len(open_project(path).project.entries) == 3
    documents.close()
    assert recordings.heard == 0
    recordings._store._kept.update(kept)  # for the other tests


def test_what_was_heard_is_told_and_forgotten_on_request(window, shown):
    recordings = window.recordings.state
    kept = dict(recordings._store._kept)
    assert (
        shown.choices.heard.text() == "12 recordings; kept in memory until ZEBRA is closed, and nowhere else"
    )
    shown.choices.forget.click()

    assert recordings.heard == 0
    assert not shown.choices.forget.isVisible()
    recordings._store._kept.update(kept)  # for the other tests


def test_scores_go_into_a_folder_of_the_user_s_and_one_in_use_is_told_in_place(
    window, shown, tmp_path, answers
):
    (tmp_path / "letter").write_text("dear all")
    answers["scores"] = tmp_path
    shown.choices.in_folder.click()
    assert shown.choices.place.text() == str(tmp_path)
    shown.start_button.click()
    rest(window)

    assert shown.outcome.remarks[0].startswith(f"{tmp_path.name} already exists")
    assert (tmp_path / "letter").read_text() == "dear all"
