"""Recordings in the window, from the drop to the verdict: heard once for all tests, and assessed."""

import json
import shutil

import pytest
from PySide6.QtCore import Qt

import zebra_resources
from tests.zebra_gui.conftest import drop
from tests.zebra_gui.recordings.material import DEMO, SPEAKERS, material, rest
from tests.zebra_gui.test_cli import zebra
from zebra_core.errors import InputError
from zebra_core.intake.recordings_file import FILE
from zebra_core.recordings.recogniser import SHIPPED
from zebra_core.recordings.speakers import AlikeSpeakers
from zebra_core.uncertainty.trust import assessment_as_json
from zebra_gui.recordings.page import REMARK
from zebra_gui.recordings.work import HearingProgress

EXAMPLES = (
    "1688/1688-142285-0005.wav → 1688, 2414/2414-128291-0006.wav → 2414, 3331/3331-159605-0001.wav → 3331"
)


@pytest.fixture(scope="module", autouse=True)
def heard_once(walked):
    """What is dropped has been heard, so that no test waits until it is heard again."""


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
    assert "scores: a matrix of the scores" in walked.problems[-1]  # biometric data, as embeddings are
    assert walked.problems[-2] == (
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
        (HearingProgress(0, 1, 60, 0.5), "Heard 1 of 60 recordings"),
        (HearingProgress(20, 10, 60, 5.0), "Heard 30 of 60 recordings; about 15 s left"),
        (HearingProgress(0, 100, 10_000, 50.0), "Heard 100 of 10\u202f000 recordings; about 83 min left"),
        (HearingProgress(0, 30, 60, 15.0, 40.0), "Heard 30 of 60 recordings; about 35 s left"),
        (HearingProgress(20, 40, 60, 20.0, 40.0, 30.0), "Heard 60 of 60 recordings; about 5 s left"),
        (HearingProgress(60, 0, 60, 0.0, 40.0, 30.0), "Heard 60 of 60 recordings"),
    ],
)
def test_the_time_left_follows_from_what_was_heard_now(shown, hearing, sentence):
    shown._show_hearing(hearing)

    assert shown.remainder.whole_text == sentence


def test_a_recogniser_of_the_user_s_own_that_passes_is_used_and_what_was_found_is_told(
    window, shown, tmp_path, answers
):
    model = shutil.copy(zebra_resources.path(SHIPPED), tmp_path / "mine.onnx")
    answers["recogniser"] = model
    shown.choices.own_model.click()
    rest(window)
    told = "mine.onnx\nmine.onnx answers with 192 finite numbers, as many for short as for long speech. Its "
    assert shown.choices.recogniser.text().startswith(told)
    assert window.recordings.state.overview.request.model == model
    shown.choices.shipped_model.click()
    rest(window)

    assert shown.choices.recogniser.text() == "CAM++ (3D-Speaker)"
    assert window.recordings.state.overview.request.model is None


def test_back_ends_learn_from_a_folder_of_other_speakers(window, shown, tmp_path, answers):
    others = [path.name for path in sorted((DEMO / "original").iterdir()) if path.name not in SPEAKERS]
    folder = material(tmp_path / "others", others[:5])
    kept = dict(window.recordings.state._store._kept)
    answers["training"] = folder
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
    window.recordings.state._store._kept = kept


def test_a_folder_in_which_nobody_knows_who_speaks_is_not_learnt_from(window, shown, tmp_path, answers):
    (tmp_path / "loose").mkdir()
    for number, path in enumerate(sorted((DEMO / "original" / SPEAKERS[0]).iterdir())):
        shutil.copy(path, tmp_path / "loose" / f"{number}.flac")
    answers["training"] = tmp_path / "loose"
    shown.choices.own_training.click()
    rest(window)

    assert shown.outcome.remarks[0].startswith("It is not clear who speaks in the recordings in loose.")
    assert shown.choices.training.text() == "From the other speakers in the recordings, in folds"


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


def test_a_hearing_that_is_stopped_leaves_the_sheet_as_it_was(window, shown):
    shown.start_button.click()
    assert shown.progress.isVisible()
    assert not window.statusBar()._job.isVisible()  # one bar and one button to cancel are enough
    shown.cancel_button.click()
    rest(window)

    assert shown.isVisible()
    assert shown.start_button.isEnabled()
    assert window.session.entries == ()


def test_two_who_sound_alike_are_counted_as_one_person_and_apart_again(window, shown, monkeypatch):
    found = (
        AlikeSpeakers(("1688", "2414"), 0.71, (0.62, 0.8)),
        AlikeSpeakers(("1688", "3331"), 0.63, (0.62, 0.8)),
    )
    monkeypatch.setattr("zebra_core.recordings.scoring.alike", lambda *_of: found)
    bar, choices = window.recordings.alike_bar, shown.choices
    shown.start_button.click()
    rest(window)
    assert bar.text.text().startswith("1688 and 2414 (likeness 0.71; recordings of one speaker: 0.62 to")
    assert not any("sound alike" in one for one in window.session.problems)

    bar.button.click()
    assert bar.text.text().startswith("1688 and 3331 (likeness 0.63;")
    bar.together.click()
    rest(window)
    assert not bar.isVisible()
    assert choices.together.text() == "1688 and 3331"
    assert shown.summary.text().startswith("6 recordings to compare · 2 speakers")
    shown.start_button.click()
    rest(window)
    [record] = {
        file.path for entry in window.session.entries for file in entry.files if file.path.name == FILE
    }
    assert json.loads(record.read_text())["one_person"] == [["1688", "3331"]]
    window.session.undo_stack.undo()
    assert window.session.entries == ()
    window.session.undo_stack.undo()
    assert not any(entry.files[0].path.is_relative_to(record.parent) for entry in window.session.entries)
    assert len(window.session.entries) == 3

    window.recordings.state.count_as_one(found[0])
    rest(window)
    assert shown.summary.text().startswith("6 recordings to compare · 1 speaker ")
    choices.apart.click()
    rest(window)
    assert shown.summary.text().startswith("6 recordings to compare · 3 speakers")
    assert not choices.apart.isVisible()


def test_nothing_is_heard_while_a_recogniser_is_tried(window, shown, tmp_path):
    recordings, model = window.recordings.state, tmp_path / "mine.onnx"
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

    recordings = window.recordings.state
    monkeypatch.setattr("zebra_gui.recordings.work.try_model", slow)
    recordings.use_model(top / "mine.onnx")
    recordings.dismiss()
    drop(window, top)
    rest(window)

    assert recordings.choices.model is None
    assert shown.start_button.isEnabled()


def test_a_file_that_is_no_network_is_refused_in_place(window, shown, tmp_path, answers):
    model = tmp_path / "mine.onnx"
    model.write_bytes(b"no network")
    answers["recogniser"] = model
    shown.choices.own_model.click()
    rest(window)

    assert shown.outcome.remarks[0].startswith("mine.onnx")
    assert shown.choices.recogniser.text() == "CAM++ (3D-Speaker)"
    shown.choices.own_model.click()  # while another is tried, nothing is said of the one before
    assert not shown.outcome.remarks
    rest(window)
