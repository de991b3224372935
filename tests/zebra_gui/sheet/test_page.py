"""The intake sheet as a user meets it: ambiguous drops, answers by mouse and keys, decisions, cancel."""

import gzip
import json
import shlex
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QRadioButton, QWidget

from zebra_core.evidence.audit import Decision
from zebra_core.intake.opening import packing
from zebra_core.intake.planned import Topic
from zebra_core.project.attackers import AttackWords
from zebra_core.uncertainty.trust import assessment_as_json
from zebra_gui.cli import main
from zebra_gui.tables.files import FileState

MUSEUM = Path(__file__).parents[2] / "data" / "intake"


@pytest.fixture
def four(tmp_path, scores, key):
    """Two keys that both fit, their scores, and two columns with words that nobody knows."""
    files = {
        "B2.txt": scores["B2"].read_text(),
        "key-1": key.read_text(),
        "key-2": key.read_text(),
        "words": "2.5 gleich\n0.25 gleich\n-1.5 anders\n1.25 anders\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return [tmp_path / name for name in files]


@pytest.fixture
def dropped(window, settled, drop):
    """Drops files on the window and waits until they are looked at; returns the sheet."""

    def drop_and_wait(*paths):
        assert drop(window, *paths)
        settled(window.jobs)
        return window.sheet

    return drop_and_wait


@pytest.fixture
def cut_scores(tmp_path, scores):
    path = tmp_path / "cut"
    path.write_text("\n".join(scores["B2"].read_text().splitlines()[:-40]) + "\n")
    return path


def states(sheet):
    return {row.name: row.state for row in sheet.table.files.rows}


def look_at(sheet, name):
    sheet.table.look_at(next(row.source for row in sheet.table.files.rows if row.name == name))


def texts(widget):
    return [label.text() for label in widget.findChildren(QLabel) if not label.isHidden()]


def test_an_ambiguous_drop_of_four_files_opens_the_sheet_and_nothing_is_guessed(window, dropped, four):
    sheet = dropped(*four)

    assert sheet.isVisible()
    assert QApplication.activeModalWidget() is None
    assert window.session.entries == ()
    assert states(sheet) == {
        "B2.txt": FileState.ASKED,
        "key-1": FileState.OFFERED,
        "key-2": FileState.OFFERED,
        "words": FileState.ASKED,
    }
    assert sheet.summary.text() == "4 files · 2 questions"
    assert not sheet.assess_button.isEnabled()
    assert not any(button.isChecked() for button in sheet.findChildren(QRadioButton))
    assert sheet.table.current.name == "B2.txt"
    assert [row.rows for row in sheet.table.files.rows] == [9828, 9828, 9828, 4]


def test_each_alternative_shows_the_first_rows_as_they_would_be_read(dropped, four):
    sheet = dropped(*four)
    look_at(sheet, "words")

    [view] = sheet.file_card.questions
    assert [button.text() for button in view.buttons.values()] == [
        "scores with labels (score label), where “gleich” means target",
        "scores with labels (score label), where “anders” means target",
    ]
    assert texts(view)[1:5] == ["score", "label", "2.5", "gleich"]


def test_answers_make_it_ready_and_assess_takes_it_in(window, settled, dropped, four):
    sheet = dropped(*four)
    [of_key] = sheet.file_card.questions
    of_key.buttons[str(four[1])].click()
    assert not sheet.assess_button.isEnabled()
    settled(window.jobs)
    assert sheet.assess_button.text() == "&Assess 1"
    assert states(sheet)["key-2"] is FileState.UNUSED
    look_at(sheet, "words")
    [of_words] = sheet.file_card.questions
    next(iter(of_words.buttons.values())).click()
    settled(window.jobs)

    assert sheet.assess_button.text() == "&Assess 2"
    sheet.assess_button.click()
    assert [entry.name for entry in window.session.entries] == ["B2", "words"]
    assert window.workspace.isVisible()
    assert window.session.arrivals.arrival is None
    assert window.session.project.answers.choices[f"key:{four[0]}"] == str(four[1])

    window.session.undo_stack.undo()
    assert window.session.entries == ()


def test_who_attacks_is_asked_once_for_everything_of_which_nobody_says_it(window, settled, dropped, four):
    """Quietly: nothing is chosen, and nothing waits for it; the key of the button takes what is typed."""
    sheet = dropped(*four)
    assert not sheet.attack.isVisible()
    for file, choice in ((four[0], str(four[1])), (four[3], None)):
        look_at(sheet, file.name)
        [view] = sheet.file_card.questions
        (view.buttons[choice] if choice else next(iter(view.buttons.values()))).click()
        settled(window.jobs)
    assert sheet.attack.about.text() == "Nobody has said who attacks in 2 assessments:"
    assert sheet.attack.attacker.currentText() == "Knowledge not stated"
    assert sheet.assess_button.isEnabled()

    sheet.attack.attacker.setCurrentIndex(3)
    sheet.attack.attacker.activated.emit(3)
    sheet.attack.recogniser.setText(" ECAPA ")
    sheet.assess_button.click()
    attacks = [(entry.attacker, entry.recogniser, entry.back_end) for entry in window.session.entries]
    assert attacks == [("semi-informed", "ECAPA", "")] * 2
    assert window.session.arrivals.attack is None


def test_an_answer_can_be_corrected_and_keeps_the_focus(window, settled, dropped, four):
    sheet = dropped(*four)
    [view] = sheet.file_card.questions
    for choice, key in ((str(four[1]), "key-1"), (str(four[2]), "key-2")):
        view.buttons[choice].click()
        settled(window.jobs)
        assert sheet.file_card.questions == [view]
        assert view.buttons[choice].isChecked()
        assert states(sheet)[key] is FileState.READY
    view.buttons["none"].click()
    settled(window.jobs)

    assert not sheet.assess_button.isEnabled()
    assert states(sheet)["B2.txt"] is FileState.UNUSED


def test_it_is_done_with_keys_alone(qtbot, window, settled, dropped, four):
    sheet = dropped(*four)
    [view] = sheet.file_card.questions
    first = next(iter(view.buttons.values()))
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Space)
    settled(window.jobs)
    assert first.isChecked()

    qtbot.keyClick(sheet.assess_button, Qt.Key.Key_Space)
    assert len(window.session.entries) == 1


def test_cancel_and_escape_leave_everything_as_it_was(window, dropped, four):
    sheet = dropped(*four)
    sheet.cancel_button.click()
    assert window.session.arrivals.arrival is None
    assert window.start_page.isVisible()

    sheet = dropped(*four)
    assert window.cancelling.action.isEnabled()
    window.cancelling.action.trigger()
    assert window.session.arrivals.arrival is None
    assert window.start_page.isVisible()
    assert not window.cancelling.action.isEnabled()


def test_cancelling_an_answer_takes_it_back(window, settled, dropped, four):
    sheet = dropped(*four)
    window.session.arrivals.choose(f"key:{four[0]}", str(four[1]))
    window.cancelling.action.trigger()
    settled(window.jobs)

    assert window.session.arrivals.answers.choices == {}
    assert not window.session.arrivals.is_answering
    assert not sheet.assess_button.isEnabled()


def test_the_newest_of_two_quick_answers_counts(window, settled, dropped, four):
    sheet = dropped(*four)
    window.session.arrivals.choose(f"key:{four[0]}", str(four[1]))
    window.session.arrivals.choose(f"key:{four[0]}", str(four[2]))
    settled(window.jobs)

    assert states(sheet)["key-2"] is FileState.READY
    assert states(sheet)["key-1"] is FileState.UNUSED


def test_files_dropped_on_the_sheet_are_looked_at_together(window, settled, dropped, four, scores, tmp_path):
    sheet = dropped(four[3], four[0])
    assert states(sheet) == {"B2.txt": FileState.UNUSED, "words": FileState.ASKED}
    dropped(four[1])

    assert states(sheet)["B2.txt"] is FileState.READY
    assert states(sheet)["words"] is FileState.ASKED
    assert sheet.assess_button.isEnabled()


def test_a_failed_audit_offers_what_could_be_decided(window, settled, dropped, key, scores, cut_scores):
    sheet = dropped(key, scores["B1w"], cut_scores)
    assert [entry.assessment.tag for entry in window.session.entries] == ["A"]
    assert [one.planned.name for one in window.session.arrivals.arrival.tried] == ["cut"]
    [view] = sheet.assessments.views.values()
    shown = texts(view)
    assert "✕ Error" in shown
    assert any("has no score in cut; 40 trials in all have none" in text for text in shown)
    assert sum(text.count("line 97") for text in shown) >= 5

    box = view.boxes[Decision.KEY_LINES_WITHOUT_SCORE]
    assert box.text() == "Leave out the key’s trials that have no score"
    box.setFocus()
    box.click()
    settled(window.jobs)
    sheet.assess_button.click()

    [_, entry] = window.session.entries
    assert entry.audit.decisions == (Decision.KEY_LINES_WITHOUT_SCORE,)
    assert window.session.arrivals.arrival is None


def test_a_decision_can_be_taken_back_and_the_box_keeps_the_focus(
    qtbot, window, settled, dropped, key, cut_scores
):
    sheet = dropped(key, cut_scores)
    window.activateWindow()
    for holds in (True, False):
        [view] = sheet.assessments.views.values()
        view.boxes[Decision.KEY_LINES_WITHOUT_SCORE].setFocus()
        view.boxes[Decision.KEY_LINES_WITHOUT_SCORE].click()
        settled(window.jobs)
        [view] = sheet.assessments.views.values()
        box = view.boxes[Decision.KEY_LINES_WITHOUT_SCORE]
        assert box.isChecked() is holds
        assert sheet.focusWidget() is box
        assert sheet.assess_button.isEnabled() is holds


def test_one_decision_for_many(window, settled, dropped, key, cut_scores, tmp_path):
    more = [tmp_path / f"cut-{number}" for number in range(3)]
    for path in more:
        path.write_text(cut_scores.read_text())
    sheet = dropped(key, *more)
    [box] = sheet.assessments.for_all.values()
    assert box.text() == "For all 3: leave out the key’s trials that have no score"
    box.click()
    settled(window.jobs)

    assert sheet.assess_button.text() == "&Assess 3"
    assert next(iter(sheet.assessments.for_all.values())).isChecked()


def test_what_is_not_ready_is_left_out_and_said_to_be(window, dropped, key, scores, bad_scores, tmp_path):
    sheet = dropped(key, scores["B2"], bad_scores, tmp_path / "gone")
    refused = next(row for row in sheet.table.files.rows if row.state is FileState.REFUSED)
    assert "was not found" in refused.reason
    look_at(sheet, "gone")
    assert sheet.file_card.state.text() == refused.reason
    assert sheet.remainder.whole_text.startswith("Whatever is not ready is left out.")

    sheet.assess_button.click()
    assert [entry.assessment.tag for entry in window.session.entries] == ["C"]


def test_it_is_copied_as_text(dropped, four, tmp_path):
    sheet = dropped(*four)
    sheet.copy_button.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("4 files · 2 questions\n\nState\tFile\tTaken for\tRows\tBelongs to")
    assert str(four[3]) in copied
    assert sheet.table.files.rows[3].sha256 in copied
    assert "How should words be read?\n– scores with labels" in copied
    assert "score\tlabel\n2.5\tgleich" in copied

    sheet.table.selectRow(3)
    sheet.table.copy()
    assert QGuiApplication.clipboard().text().splitlines()[1].startswith(f"?  Question\t{four[3]}\t")


HOSTILE = ["<img src=x>.txt", "new\nline", "\u202egpj.txt", "& &amp;", "x" * 240, "a\\b"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_shown_as_they_are(window, dropped, four, tmp_path, name):
    path = tmp_path / name
    path.write_text(four[3].read_text())
    sheet = dropped(path, *four[:3])

    labels = [label for label in sheet.findChildren(QLabel) if label.text()]
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)
    row = sheet.table.files.rows[0]
    assert "\n" not in row.name
    assert "\u202e" not in row.name
    look_at(sheet, row.name)
    sheet.file_card.questions[0].buttons["two-columns-score-first:gleich"].click()


def test_forty_files_with_long_names_have_room_at_1024_by_700(qtbot, window, dropped, tmp_path, scores, key):
    (tmp_path / "key").write_text(key.read_text())
    lines = scores["B2"].read_text().splitlines(keepends=True)
    for number in range(39):
        name = f"a-safeguard-with-a-very-long-name-that-tells-all-its-parameters-{number:02}"
        (tmp_path / name).write_text("".join(lines[: len(lines) - number % 2]))
    window.resize(1024, 700)
    sheet = dropped(tmp_path)

    assert len(window.session.entries) == 20
    assert len(sheet.table.files.rows) == 20
    assert window.minimumSizeHint().width() <= 1024
    assert window.minimumSizeHint().height() <= 700
    assert sheet.table.horizontalScrollBar().maximum() == 0
    assert sheet.assess_button.geometry().bottom() <= sheet.height()


def test_everything_that_takes_the_focus_has_a_name(window, settled, dropped, four, cut_scores):
    sheet = dropped(*four, cut_scores)
    nameless = [
        widget
        for widget in sheet.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and (found := QAccessible.queryAccessibleInterface(widget)) is not None
        and not found.text(QAccessible.Text.Name)
        and not found.text(QAccessible.Text.Value)
    ]
    assert [(widget, widget.parent()) for widget in nameless] == []
    assert all(box.accessibleName() for box in sheet.findChildren(QCheckBox))


@pytest.mark.parametrize("packed", ["scores-and-key.zip", "scores-and-key.tar.gz"])
def test_archives_and_folders_of_the_museum_are_assessed_at_once(window, settled, drop, packed):
    drop(window, MUSEUM / packed)
    settled(window.jobs)

    [entry] = window.session.entries
    assert (entry.assessment.n_target, entry.assessment.n_nontarget) == (4, 4)
    assert window.session.arrivals.arrival is None


def test_the_whole_museum_in_one_drop_is_told_file_by_file(window, dropped):
    sheet = dropped(MUSEUM)

    assert sheet.isVisible()
    assert len(sheet.table.files.rows) >= 90
    assert window.session.arrivals.arrival.plan.questions
    assert sheet.assess_button.isEnabled()


def test_a_folder_with_nothing_in_it_for_us_says_so(window, settled, drop, tmp_path):
    drop(window, tmp_path)
    settled(window.jobs)
    assert window.session.problems == (f"There is no file in “{tmp_path.name}”.",)

    (tmp_path / "readme").write_text("hello\n")
    drop(window, tmp_path)
    settled(window.jobs)
    assert "readme, line 1" in window.session.problems[0]


@pytest.fixture
def packed(tmp_path, scores, monkeypatch):
    """Scores that count as a bomb."""
    monkeypatch.setattr(packing, "HARMLESS_BYTES", 1000)
    monkeypatch.setattr(packing, "MOST_RATIO", 2)
    path = tmp_path / "B2.gz"
    path.write_bytes(gzip.compress(scores["B2"].read_bytes()))
    return path


def allow_unpacking(sheet, settled, jobs):
    yes, _no = sheet.file_card.questions[0].findChildren(QRadioButton)
    yes.click()
    settled(jobs)


def test_a_file_that_packs_too_well_is_asked_about_and_unpacked_on_request(
    window, dropped, settled, packed, key
):
    sheet = dropped(packed, key)

    assert states(sheet)["B2.gz"] is FileState.ASKED
    assert "B2.gz unpacks to far more than a score file of its size would. Should it be unpacked?" in texts(
        sheet.file_card
    )
    assert "Score files do not compress this well. Files made to fill a computer’s memory do." in texts(
        sheet.file_card
    )
    yes, no = sheet.file_card.questions[0].findChildren(QRadioButton)
    assert not yes.isChecked()
    assert not no.isChecked()
    yes.click()
    settled(window.jobs)
    assert states(sheet)["B2.gz"] is FileState.READY
    look_at(sheet, "B2.gz")
    view = sheet.file_card.questions[0]
    assert view.question.topic is Topic.UNPACKING
    assert [button.isChecked() for button in view.findChildren(QRadioButton)] == [True, False]
    sheet.assess_button.click()
    settled(window.jobs)
    assert [entry.name for entry in window.session.entries] == ["B2"]


def test_what_may_be_unpacked_is_not_asked_again_when_other_answers_or_files_come(
    window, dropped, settled, tmp_path, packed, key
):
    sheet = dropped(packed, key)
    allow_unpacking(sheet, settled, window.jobs)
    assert states(sheet)["B2.gz"] is FileState.READY
    other = tmp_path / "words"
    other.write_text("2.5 gleich\n0.25 gleich\n-1.5 anders\n1.25 anders\n")
    dropped(other)
    assert states(sheet) == {"B2.gz": FileState.READY, key.name: FileState.READY, "words": FileState.ASKED}
    assert [one.topic for one in window.session.arrivals.arrival.plan.questions] == [Topic.READING]
    look_at(sheet, "B2.gz")
    assert sheet.file_card.state.text() == "Taken for: scores (enrol test score)"
    view = sheet.file_card.questions[0]
    assert [button.isChecked() for button in view.findChildren(QRadioButton)] == [True, False]


def test_the_same_files_dropped_again_are_unpacked_until_the_answer_is_undone(
    window, dropped, settled, packed, key
):
    sheet = dropped(packed, key)
    allow_unpacking(sheet, settled, window.jobs)
    sheet.assess_button.click()
    settled(window.jobs)
    dropped(packed, key)
    assert window.session.arrivals.arrival is None
    assert len(window.session.entries) == 2

    window.session.undo_stack.undo()
    window.session.undo_stack.undo()
    assert window.session.entries == ()
    dropped(packed, key)
    assert [one.topic for one in window.session.arrivals.arrival.plan.questions] == [Topic.UNPACKING]


def test_what_shows_only_when_a_file_is_read_piece_by_piece_is_asked_beside_its_first_rows(
    window, dropped, settled, tmp_path, monkeypatch
):
    monkeypatch.setattr(packing, "HARMLESS_BYTES", 1000)
    monkeypatch.setattr(packing, "MOST_RATIO", 1)
    count, path = [1] * 4000, tmp_path / "counts.parquet"
    pq.write_table(pa.table({"score": [1.0] * 4000, "targets": count, "nontargets": count}), path)
    sheet = dropped(path)
    assert states(sheet) == {"counts.parquet": FileState.ASKED}
    assert (
        sheet.file_card.state.text()
        == "Score files do not compress this well. Files made to fill a computer’s memory do."
    )
    assert not sheet.assess_button.isEnabled()
    allow_unpacking(sheet, settled, window.jobs)
    assert states(sheet) == {"counts.parquet": FileState.READY}
    assert sheet.assess_button.isEnabled()


def test_what_is_copied_as_a_command_assesses_the_same(window, dropped, settled, cut_scores, key):
    sheet = dropped(cut_scores, key)
    (one,) = window.session.arrivals.arrival.tried
    assert not sheet.command_button.isEnabled()
    window.session.arrivals.allow([one.planned.place], Decision.KEY_LINES_WITHOUT_SCORE, holds=True)
    settled(window.jobs)
    window.session.arrivals.say_attack(AttackWords(attacker="informed", recogniser="it's ECAPA"))
    (one,) = window.session.arrivals.arrival.tried
    sheet.command_button.click()
    program, *words = shlex.split(QGuiApplication.clipboard().text())
    done = CliRunner().invoke(main, [*words, "--json"])
    assert (program, done.exit_code) == ("zebra", 0), done.output
    found = json.loads(done.stdout)
    expected = json.loads(json.dumps(assessment_as_json(one.entry.name, one.entry.assessment)))
    assert {name: found[name] for name in expected if name != "remarks"} == {
        name: value for name, value in expected.items() if name != "remarks"
    }
    assert (found["attacker"], found["recogniser"]) == ("informed", "it's ECAPA")


def test_an_answer_goes_into_the_command(window, dropped, settled, four):
    sheet = dropped(four[3])
    (question,) = window.session.arrivals.arrival.plan.questions
    window.session.arrivals.choose(question.id, question.alternatives[0].choice)
    settled(window.jobs)
    (one,) = window.session.arrivals.arrival.tried
    (command,) = sheet.as_commands()
    done = CliRunner().invoke(main, [*shlex.split(command)[1:], "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["n_target"] == one.entry.assessment.n_target
