"""Recordings in the window: dropped, asked about, heard once for all tests, and assessed."""

import json
import os
import shutil
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import soundfile
from PySide6.QtCore import QElapsedTimer, Qt, QTimer

import zebra_resources
from tests.settings_folder import keep_settings_in
from tests.zebra_gui.conftest import drop, take_style_away
from tests.zebra_gui.test_cli import zebra
from tests.zebra_gui.turning import turn_events
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.dropped import Role
from zebra_core.recordings.recogniser import SHIPPED
from zebra_core.report.evidence import assessment_as_json
from zebra_core.saved.project_file import open_project
from zebra_gui.app import make_app, make_window
from zebra_gui.dialogs.protecting import ProtectDialog
from zebra_gui.models.recordings import NAME, RATE, REMARK
from zebra_gui.session.recordings_work import Hearing, Protecting
from zebra_gui.session.unsaved import UnsavedScores, unsaved_folder
from zebra_gui.settings import settings

DEMO = zebra_resources.path("recordings")
SPEAKERS = ("3331", "2414", "1688")
EXAMPLES = (
    "1688/1688-142285-0005.wav → 1688, 2414/2414-128291-0006.wav → 2414, 3331/3331-159605-0001.wav → 3331"
)
_SECONDS = 1.6


def material(top, speakers=SPEAKERS):
    """Two recordings of each of these speakers, short, as originals and as copies."""
    for version in ("original", "B2"):
        for speaker in speakers:
            for path in sorted((DEMO / version / speaker).iterdir())[:2]:
                place = top / version / speaker / f"{path.stem}.wav"
                place.parent.mkdir(parents=True, exist_ok=True)
                samples, rate = soundfile.read(path, frames=int(16_000 * _SECONDS), start=8_000)
                soundfile.write(place, samples, rate)
    return top


def rest(window, until=lambda: True):
    """Until no job is under way, and this holds."""
    since = QElapsedTimer()
    since.start()
    queues = window.jobs, window.session.recordings.jobs
    while any(queue.waiting for queue in queues) or not until():
        assert since.elapsed() < 60_000
        turn_events(5)


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    return material(tmp_path_factory.mktemp("material"))


@pytest.fixture(scope="module")
def own_window(qapp, tmp_path_factory):
    keep_settings_in(tmp_path_factory.mktemp("settings"))
    settings().setValue("intervals_at_once", False)
    window = make_window(make_app())
    window.show()
    yield window
    window.close()
    assert window.finish(10_000)
    window.deleteLater()
    take_style_away()


@pytest.fixture(scope="module")
def walked(own_window, top):
    """From the drop to the verdict, and what was said on the way."""
    window, said = own_window, SimpleNamespace(heard=[])
    recordings = window.session.recordings
    drop(window, top)
    rest(window)
    page = window.recordings.page
    said.text, said.summary, said.is_shown = page.as_text(), page.summary.text(), page.isVisible()
    recordings.progressed.connect(said.heard.append)
    page.start_button.click()
    said.is_locked = not page.folders.isEnabled() and not page.start_button.isEnabled()
    rest(window)
    recordings.progressed.disconnect(said.heard.append)
    said.entries, said.problems = window.session.entries, window.session.problems
    said.inside, said.shows_results = window.documents.with_inputs, window.workspace.isVisible()
    return said


@pytest.fixture
def window(own_window, walked, qtbot, monkeypatch):
    """The same window for one test after the other, each with nothing open."""
    own_window.session.restart(None)
    yield own_window
    monkeypatch.undo()
    own_window.session.recordings.dismiss()
    own_window.session.restart(None)
    rest(own_window)
    for timer in own_window.findChildren(QTimer):  # what waits for a pause waits no longer
        timer.stop()


@pytest.fixture
def shown(window, top):
    drop(window, top / "original", top / "B2")
    rest(window)
    return window.recordings.page


def test_a_folder_of_two_versions_is_shown_with_all_that_will_be_compared(walked):
    assert walked.is_shown
    assert walked.summary == (
        "6 recordings to compare · 3 speakers · 0.2 minutes of original speech · 16\u202f000 Hz"
    )
    assert walked.text.splitlines()[1:] == [
        f"The first folder: 3 speakers ({EXAMPLES})",
        "Original with original: 15 trials, 3 of them target",
        "Original with protected: 30 trials, 6 of them target",
        "Protected with protected: 15 trials, 3 of them target",
    ]


def test_one_click_goes_on_to_assessments_with_recogniser_and_attackers(walked):
    assert walked.shows_results
    assert {(e.name, e.condition.value, e.attacker, e.recogniser, e.back_end) for e in walked.entries} == {
        ("unprotected", "OO", "", "CAM++ (3D-Speaker)", "cosine"),
        ("B2", "OP", "ignorant", "CAM++ (3D-Speaker)", "cosine"),
        ("B2", "PP", "lazy-informed", "CAM++ (3D-Speaker)", "cosine"),
    }
    assert {e.condition.value: e.assessment.n_target for e in walked.entries} == {"OO": 3, "OP": 6, "PP": 3}
    assert walked.inside  # of the project, as nobody named a folder
    assert walked.problems[-1] == (
        "There are too few speakers with several recordings for back ends that learn; some were left out."
    )


def test_the_command_line_finds_the_same_figures_to_the_last_digit(walked, top, tmp_path):
    scored = tmp_path / "scored"
    safeguard = f"B2={top / 'B2'}"
    given = ("score", "--original", top / "original", "--protected", safeguard, "--trials", "all")
    assert zebra(*map(str, (*given, "--speakers", "first-folder", "-o", scored))).exit_code == 0
    for entry in walked.entries:
        of_window = [file.path for file in entry.files[:2]]
        part, key = next(path for path in of_window[1].parents if path.name == "data").parent, of_window[1]
        places = [scored / part.name / path.relative_to(part) for path in of_window]
        assert places[1].read_bytes() == key.read_bytes()
        assert places[0].read_bytes() == of_window[0].read_bytes()
        found = json.loads(zebra("assess", "-s", str(places[0]), "-k", str(places[1]), "--json").stdout)
        shown = json.loads(json.dumps(assessment_as_json("", entry.assessment, None)))
        figures = [name for name in shown if name not in {"label", "remarks"}]
        assert {name: found[name] for name in figures} == {name: shown[name] for name in figures}
        assert {"eer", "d_ece_bits", "worst_case_log10_lr"} <= {*figures}


def test_progress_tells_recordings(walked):
    assert walked.is_locked
    assert walked.heard[-1].total == 12
    assert max(hearing.before + hearing.now for hearing in walked.heard) == 12


@pytest.mark.parametrize(
    ("hearing", "sentence"),
    [
        (Hearing(0, 1, 60, 0.5), "Heard 1 of 60 recordings"),
        (Hearing(20, 10, 60, 5.0), "Heard 30 of 60 recordings; about 15 s left"),
        (Hearing(0, 100, 10_000, 50.0), "Heard 100 of 10\u202f000 recordings; about 83 min left"),
        (Hearing(0, 30, 60, 15.0, 40.0), "Heard 30 of 60 recordings; about 35 s left"),
        (Hearing(20, 40, 60, 20.0, 40.0, 30.0), "Heard 60 of 60 recordings; about 5 s left"),
        (Hearing(60, 0, 60, 0.0, 40.0, 30.0), "Heard 60 of 60 recordings"),
    ],
)
def test_the_time_left_follows_from_what_was_heard_now(shown, hearing, sentence):
    shown._show_hearing(hearing)

    assert shown.remainder.whole_text == sentence


def test_what_was_heard_is_not_heard_again_until_it_is_forgotten(window, shown, monkeypatch):
    recordings = window.session.recordings
    assert recordings.heard == 12
    monkeypatch.setattr("zebra_core.recordings.hearing.read_sound", None)
    shown.start_button.click()
    rest(window)
    assert len(window.session.entries) == 3


def test_scores_inside_the_project_are_there_when_it_is_opened_again(window, shown, tmp_path, monkeypatch):
    shown.start_button.click()
    rest(window)
    folder = window.session.entries[0].files[0].path.parents[5]
    monkeypatch.setattr(window.dialogs, "ask_project_file", lambda _name: (tmp_path / "case.zebra", True))
    window.documents.save()
    rest(window)
    window.session.restart(None)
    assert not folder.exists()
    window.open_paths([tmp_path / "case.zebra"])
    rest(window)

    assert len(window.session.entries) == 3
    assert all(entry.is_as_read for entry in window.session.entries)
    assert window.session.problems == ()


def test_scores_of_a_project_that_was_never_saved_survive_a_crash(window, top, tmp_path, monkeypatch):
    documents, recordings = window.documents, window.session.recordings
    documents.close()  # the project of the test before, which is in a file
    drop(window, top)
    rest(window)
    recordings.start()
    rest(window)
    [kept] = recordings._kept
    documents.autosave.keep_now()
    assert documents.autosave.finish()
    left = shutil.copy(documents.autosave.file, unsaved_folder() / "left.zebra")  # as a killed program does
    kept._lock.unlock()
    recordings._kept.clear()
    window.session.restart(None)
    documents.look_for_leftovers()
    assert documents.leftovers.offered == left
    documents.recover()
    rest(window)
    assert [entry.is_as_read for entry in window.session.entries] == [True] * 3

    documents.put_inputs_inside(False)
    assert window.session.problems[-1].startswith("The scores made from recordings lie nowhere else")
    monkeypatch.setattr(window.dialogs, "ask_project_file", lambda _name: (tmp_path / "case.zebra", True))
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


def test_a_recogniser_of_the_user_s_own_that_passes_is_used_and_what_was_found_is_told(
    window, shown, tmp_path, monkeypatch
):
    model = shutil.copy(zebra_resources.path(SHIPPED), tmp_path / "mine.onnx")
    monkeypatch.setattr(window.dialogs, "ask_model", lambda: model)
    shown.choices.own_model.click()
    rest(window)
    told = "mine.onnx\nmine.onnx answers with 192 finite numbers, as many for short as for long speech. Its "
    assert shown.choices.recogniser.text().startswith(told)
    assert window.session.recordings.overview.request.model == model
    shown.choices.shipped_model.click()
    rest(window)

    assert shown.choices.recogniser.text() == "CAM++ (3D-Speaker)"
    assert window.session.recordings.overview.request.model is None


def test_back_ends_learn_from_a_folder_of_other_speakers(window, shown, tmp_path, monkeypatch):
    others = [path.name for path in sorted((DEMO / "original").iterdir()) if path.name not in SPEAKERS]
    folder = material(tmp_path / "others", others[:5])
    kept = dict(window.session.recordings._store._kept)
    monkeypatch.setattr(window.dialogs, "ask_folder_for", lambda _title: folder)
    shown.choices.own_training.click()
    rest(window)
    assert shown.choices.training.text() == str(folder)
    [told] = [one for one in shown.outcome.remarks if "learn" in one]
    assert told.startswith("Back ends learn from 10 recordings in others. The first folder: 5 speakers (")
    assert told.endswith("). There are also copies under B2.")
    shown.start_button.click()
    rest(window)

    assert {(e.name, e.condition.value, e.attacker) for e in window.session.entries} >= {
        ("B2", "OP", "semi-informed"),
        ("B2", "PP", "semi-informed"),
    }
    assert any("only 5 speakers to learn from" in one for one in window.session.problems)
    window.session.recordings._store._kept = kept


def test_a_folder_in_which_nobody_knows_who_speaks_is_not_learnt_from(window, shown, tmp_path, monkeypatch):
    (tmp_path / "loose").mkdir()
    for number, path in enumerate(sorted((DEMO / "original" / SPEAKERS[0]).iterdir())):
        shutil.copy(path, tmp_path / "loose" / f"{number}.flac")
    monkeypatch.setattr(window.dialogs, "ask_folder_for", lambda _title: tmp_path / "loose")
    shown.choices.own_training.click()
    rest(window)

    assert shown.outcome.remarks[0].startswith("It is not clear who speaks in the recordings in loose.")
    assert shown.choices.training.text() == "From the other speakers in the recordings, in folds"


def test_transcripts_of_a_file_that_the_user_chooses_are_put_beside_the_keys(
    window, shown, top, tmp_path, monkeypatch
):
    (tmp_path / "words.txt").write_text("1688-142285-0005 HE SAID\nother NOTHING\n", encoding="utf-8")
    monkeypatch.setattr(window.dialogs, "ask_file", lambda _title: tmp_path / "words.txt")
    shown.choices.own_transcripts.click()
    rest(window)
    assert "words.txt has the words of 1 of 6 recordings." in shown.outcome.remarks
    assert shown.choices.transcripts.text() == str(tmp_path / "words.txt")
    window.session.recordings.save_in(tmp_path / "scores")
    shown.start_button.click()
    rest(window)

    texts = {path.read_text(encoding="utf-8") for path in (tmp_path / "scores").rglob("text")}
    assert texts == {"1688-142285-0005 HE SAID\n"}


def test_embeddings_are_kept_in_a_folder_if_that_is_asked_for_and_forgotten_there(
    window, shown, tmp_path, monkeypatch
):
    recordings, folder = window.session.recordings, tmp_path / "voices"
    kept = dict(recordings._store._kept)
    monkeypatch.setattr(window.dialogs, "ask_folder_for", lambda _title: folder)
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
    window, shown, tmp_path, monkeypatch
):
    recordings, documents, path = window.session.recordings, window.documents, tmp_path / "case.zebra"
    menu = window.file_menu.document_actions
    shown.choices.keep_inside.click()
    assert shown.choices.heard.text().endswith("biometric data, go into the project file")
    recordings.save_in(tmp_path / "scores")
    shown.start_button.click()
    rest(window)
    monkeypatch.setattr(window.dialogs, "ask_project_file", lambda _name: (path, True))
    documents.save_as()
    rest(window)
    assert len(open_project(path).voices) == 12
    assert (menu.voices.isChecked(), documents.is_modified) == (True, False)

    kept = dict(recordings._store._kept)
    documents.close()
    assert (menu.voices.isEnabled(), recordings.voices) == (False, {})
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


def test_without_the_libraries_for_sound_one_sentence_says_what_to_install(window, top, monkeypatch):
    def missing():
        raise InputError("recordings-not-installed", package="soundfile")

    monkeypatch.setattr("zebra_core.recordings.libraries.soundfile", missing)
    drop(window, top)
    rest(window)

    assert not window.recordings.is_shown
    assert [problem.partition(",")[0] for problem in window.session.problems] == [
        "Recordings need the packages onnxruntime"
    ]


def test_what_was_heard_is_told_and_forgotten_on_request(window, shown):
    recordings = window.session.recordings
    kept = dict(recordings._store._kept)
    assert (
        shown.choices.heard.text() == "12 recordings; kept in memory until ZEBRA is closed, and nowhere else"
    )
    shown.choices.forget.click()

    assert recordings.heard == 0
    assert not shown.choices.forget.isVisible()
    recordings._store._kept.update(kept)  # for the other tests


def test_every_recording_stands_in_a_table_with_its_speaker_and_its_copies(shown, top):
    model = shown.table.model
    cells = [model.data(model.index(0, column)) for column in range(model.columnCount())]
    assert cells == ["1688/1688-142285-0005.wav", "1688", "1.6", "16\u202f000", ""]
    assert model.rowCount() == 6
    assert shown.table.current is None
    shown.table.table.selectRow(1)

    name = "1688/1688-142285-0008.wav"
    assert shown.table.current.original == top / "original" / name
    assert shown.table.current.copies == {"B2": top / "B2" / name}


def test_remarks_have_room_in_a_narrow_window_and_the_rate_a_column_where_it_differs(
    window, shown, monkeypatch
):
    card, rows = shown.table, shown.table.model.rows
    monkeypatch.setattr(card.table.viewport(), "width", lambda: 470)
    card.show_rows([replace(rows[0], remark="No copy under B2."), *rows[1:]])
    header = card.table.horizontalHeader()
    assert 470 - header.sectionPosition(REMARK) >= 130
    assert card.table.isColumnHidden(RATE)

    card.show_rows([replace(rows[0], rate_hz=8_000), *rows[1:]])
    assert not card.table.isColumnHidden(RATE)


def test_names_are_whole_where_no_recording_has_a_remark(window, shown, monkeypatch):
    card, name = shown.table, "1688/" + "long-" * 8 + "0005.wav"
    monkeypatch.setattr(card.table.viewport(), "width", lambda: 600)
    card.show_rows([replace(row, place=name) for row in card.model.rows])
    assert card.table.columnWidth(NAME) >= card.table.fontMetrics().horizontalAdvance(name)

    card.show_rows([replace(row, remark="Clipped.") for row in card.model.rows])
    assert card.table.columnWidth(NAME) <= 170


def test_very_many_rows_are_shown_without_a_look_at_each(window, shown, monkeypatch):
    card, looks = shown.table, []
    whole = type(card.model).text
    monkeypatch.setattr(type(card.model), "text", lambda *of: (looks.append(of), whole(*of))[1])
    rows = tuple(replace(card.model.rows[0], id=str(n)) for n in range(20_000))
    card.show_rows(rows)
    turn_events(50)

    assert 0 < len(looks) < 2_000


def test_a_recording_that_cannot_be_heard_is_told_in_short_in_its_row(window, tmp_path, top):
    shutil.copytree(top, tmp_path / "all")
    path = next((tmp_path / "all" / "original" / SPEAKERS[0]).iterdir())
    path.write_bytes(path.read_bytes()[:20_000])
    drop(window, tmp_path / "all")
    rest(window)
    model = window.recordings.page.table.model

    assert model.index(0, REMARK).data() == "original: cut off."
    told = model.index(0, REMARK).data(Qt.ItemDataRole.ToolTipRole)
    assert f"original/{SPEAKERS[0]}/{path.name} ends before its sound does" in told


def test_the_sheet_is_given_up_by_cancel_and_nothing_was_opened(window, shown):
    shown.cancel_button.click()

    assert not window.recordings.is_shown
    assert window.start_page.isVisible()


def test_a_hearing_that_is_stopped_leaves_the_sheet_as_it_was(window, shown):
    shown.start_button.click()
    shown.cancel_button.click()
    rest(window)

    assert shown.isVisible()
    assert shown.start_button.isEnabled()
    assert window.session.entries == ()


def test_nothing_is_heard_while_a_recogniser_is_tried(window, shown, tmp_path):
    recordings, model = window.session.recordings, tmp_path / "mine.onnx"
    model.write_bytes(b"no network")
    recordings.use_model(model)
    assert not shown.start_button.isEnabled()
    recordings.start()
    assert not recordings.is_hearing
    rest(window)

    assert recordings.problem.startswith("mine.onnx")
    assert shown.start_button.isEnabled()


def test_a_recogniser_that_was_tried_for_folders_that_are_gone_is_not_used_for_others(
    window, shown, top, monkeypatch
):
    def slow(_path, watch):
        while True:
            watch(0.0)

    recordings = window.session.recordings
    monkeypatch.setattr("zebra_gui.session.recordings_work.try_model", slow)
    recordings.use_model(top / "mine.onnx")
    recordings.dismiss()
    drop(window, top)
    rest(window)

    assert recordings.choices.model is None
    assert shown.start_button.isEnabled()


def test_what_was_looked_at_under_another_channel_is_not_waited_for(window, shown, monkeypatch, qtbot):
    def survey(_rest, seen, channel, watch):
        while channel == 1:
            watch(0.0)
        return seen

    recordings = window.session.recordings
    monkeypatch.setattr("zebra_gui.session.recordings_work.survey", survey)
    recordings.choose(replace(recordings.choices, channel=1))
    qtbot.waitUntil(lambda: bool(recordings.jobs.wanted))
    recordings.choose(replace(recordings.choices, channel=None))
    assert not recordings.jobs.wanted


def test_roles_can_be_changed_and_what_is_lacking_stands_in_place(window, shown, top):
    box = shown.folders.roles[top / "original"]
    box.setCurrentIndex(box.findData(Role.UNUSED.value))
    box.activated.emit(box.currentIndex())
    rest(window)

    assert shown.outcome.remarks[0] == "Say which folder holds the original recordings."
    assert not shown.start_button.isEnabled()


def test_another_rule_is_chosen_and_the_number_of_speakers_follows(window, shown):
    shown.choices.speakers.buttons[SpeakerRule.BEFORE_HYPHEN].click()
    rest(window)

    assert window.session.recordings.overview.request.speakers is SpeakerRule.BEFORE_HYPHEN


def test_a_list_of_speakers_is_chosen_by_a_dialog_and_a_wrong_one_has_its_sentence(
    window, shown, tmp_path, monkeypatch
):
    wrong = tmp_path / "speakers.csv"
    wrong.write_text("who,what\n1,2\n")
    monkeypatch.setattr(window.dialogs, "ask_file", lambda _title: wrong)
    shown.choices.speakers.list_button.click()
    rest(window)

    assert shown.outcome.remarks[0].startswith("speakers.csv begins with “who,what”")


def test_a_list_of_speakers_may_be_dropped_and_score_files_go_their_own_way(
    window, shown, tmp_path, top, scores, key
):
    names = [path.stem for path in sorted((top / "original").rglob("*.wav"))]
    own = tmp_path / "who.txt"
    own.write_text("".join(f"{name} {'ab'[number % 2]}\n" for number, name in enumerate(names)))
    drop(window, own)
    rest(window)
    assert next(button.text() for button in shown.choices.speakers.buttons.values()) == (
        "The list who.txt: 2 speakers"
    )
    drop(window, scores["B2"], key)
    rest(window)

    assert len(window.session.entries) == 1
    assert window.recordings.is_shown


def test_a_dropped_list_that_says_nothing_of_these_recordings_has_its_sentence(window, shown, tmp_path):
    (tmp_path / "utt2spk").write_text("x-1 x\n")
    drop(window, tmp_path / "utt2spk")
    rest(window)

    [button, *_others] = shown.choices.speakers.buttons.values()
    assert "utt2spk does not say who speaks in any recording" in button.accessibleName()


def test_the_challenge_s_trials_and_the_cosine_alone_can_be_chosen(window, shown):
    for box, place in ((shown.choices.trials, 1), (shown.choices.attackers, 1)):
        box.setCurrentIndex(place)
        box.activated.emit(place)
        rest(window)

    assert shown.outcome.trials.text().splitlines() == [
        "Original with original: 9 trials, 3 of them target",
        "Original with protected: 9 trials, 3 of them target",
        "Protected with protected: 9 trials, 3 of them target",
    ]
    request = window.session.recordings.overview.request
    assert (request.every_pair, request.every_attacker, request.enrol) == (False, False, 1)


def test_scores_go_into_a_folder_of_the_user_s_and_one_in_use_is_told_in_place(
    window, shown, tmp_path, monkeypatch
):
    (tmp_path / "letter").write_text("dear all")
    monkeypatch.setattr(window.dialogs, "ask_folder_for_scores", lambda: tmp_path)
    shown.choices.in_folder.click()
    assert shown.choices.place.text() == str(tmp_path)
    shown.start_button.click()
    rest(window)

    assert shown.outcome.remarks[0].startswith(f"{tmp_path.name} already exists")
    assert (tmp_path / "letter").read_text() == "dear all"


def test_a_file_that_is_no_network_is_refused_in_place(window, shown, tmp_path, monkeypatch):
    model = tmp_path / "mine.onnx"
    model.write_bytes(b"no network")
    monkeypatch.setattr(window.dialogs, "ask_model", lambda: model)
    shown.choices.own_model.click()
    rest(window)

    assert shown.outcome.remarks[0].startswith("mine.onnx")
    assert shown.choices.recogniser.text() == "CAM++ (3D-Speaker)"
    shown.choices.own_model.click()  # while another is tried, nothing is said of the one before
    assert not shown.outcome.remarks
    rest(window)


def test_originals_alone_are_protected_from_the_sheet_and_stand_beside_them(
    window, top, tmp_path, monkeypatch
):
    shutil.copytree(top / "original", tmp_path / "original")
    drop(window, tmp_path / "original")
    rest(window)
    page = window.recordings.page
    assert page.outcome.remarks[0].startswith("There are only original recordings")
    assert list(window.session.recordings.overview.trials) == ["oo"]
    asked = Protecting(tmp_path / "original", tmp_path / "B2", 0.8)
    monkeypatch.setattr(window.dialogs, "ask_to_protect", lambda *_about: asked)
    page.protect_button.click()
    rest(window)

    assert {path.name for path in (tmp_path / "B2").iterdir()} == {*SPEAKERS, "protected.json"}
    assert list(window.session.recordings.overview.trials) == ["oo", "oa", "aa"]
    assert "weak by design" in window.statusBar().currentMessage()


def test_copies_of_the_demo_are_not_put_into_the_program_unless_somebody_says_where(window, qtbot, tmp_path):
    dialog = ProtectDialog(zebra_resources.path("recordings/original"), None, lambda _title: "", window)
    qtbot.addWidget(dialog)
    assert dialog.asked is None
    assert not dialog.protect_button.isEnabled()
    dialog.use(out=tmp_path / "B2")
    assert dialog.asked.out == tmp_path / "B2"


def test_the_dialog_of_protecting_says_what_it_is_worth_and_needs_recordings(window, qtbot, top):
    dialog = ProtectDialog(None, None, lambda _title: "", window)
    qtbot.addWidget(dialog)
    assert dialog.asked is None
    assert not dialog.protect_button.isEnabled()
    dialog.use(top / "original")
    assert dialog.asked == Protecting(top / "original", top / "B2", 0.8)
    dialog.by_recording.setChecked(True)
    assert dialog.asked == Protecting(top / "original", top / "B2r", None, "utterance", 0)
    dialog.same.setChecked(True)
    dialog.use(out=Path("out"))
    assert dialog.asked == Protecting(top / "original", Path("out"), 0.8)
    dialog.by_speaker.setChecked(True)
    dialog.seed.setValue(3)

    rule = SpeakerRule.FIRST_FOLDER
    assert dialog.asked == Protecting(top / "original", Path("out"), None, "speaker", 3, rule)


def test_the_demo_from_recordings_is_in_the_menu_and_on_the_start_page(window):
    window.start_page.recordings_demo_button.click()
    rest(window)

    assert window.recordings.page.summary.text().startswith(
        "30 recordings to compare · 10 speakers · 2.2 min"
    )


def test_score_files_beside_recordings_are_taken_and_the_recordings_told(window, tmp_path, top, scores, key):
    shutil.copytree(top / "original", tmp_path / "original")
    shutil.copy(scores["B2"], tmp_path / "scores.txt")
    shutil.copy(key, tmp_path / "key.txt")
    drop(window, tmp_path)
    rest(window)

    assert not window.recordings.is_shown
    assert [entry.assessment.n_target for entry in window.session.entries] == [156]
    assert window.session.problems[0].startswith("There are recordings beside the score files")


def test_a_folder_without_sound_goes_the_way_of_score_files(window, tmp_path):
    (tmp_path / "letter.wav").write_text("dear all")
    drop(window, tmp_path)
    rest(window)

    assert not window.recordings.is_shown
    assert window.start_page.isVisible()
