"""The sheet of recordings: what it tells of them, and what can be chosen before they are heard."""

import shlex
import shutil
from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QScrollArea

import zebra_resources
from tests.zebra_gui.conftest import drop
from tests.zebra_gui.recordings.material import SPEAKERS, rest
from tests.zebra_gui.turning import turn_events
from tests.zebra_gui.wheeling import turn_wheel
from zebra_core.errors import InputError
from zebra_core.evidence.speaker_names import SpeakerRule
from zebra_core.recordings.attacks import AttackerChoice
from zebra_core.recordings.folder_roles import FolderRole
from zebra_gui.cli import main
from zebra_gui.recordings.page import NAME, RATE, REMARK
from zebra_gui.recordings.protecting import ProtectDialog
from zebra_gui.recordings.work import ProtectionRequest


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


def test_names_have_the_room_that_short_remarks_leave(shown, monkeypatch):
    card, rows = shown.table, shown.table.model.rows
    place = "2025-03-01/customer-service/Eva Novak/call_0020_take_2_of_3.wav"
    monkeypatch.setattr(card.table.viewport(), "width", lambda: 1100)
    card.show_rows([replace(rows[0], place=place, remark="No copy.", in_short="No copy."), *rows[1:]])
    assert card.table.columnWidth(NAME) > card.table.fontMetrics().horizontalAdvance(place)


def test_remarks_have_room_in_a_narrow_window_and_the_rate_a_column_where_it_differs(
    window, shown, monkeypatch
):
    card, rows = shown.table, shown.table.model.rows
    monkeypatch.setattr(card.table.viewport(), "width", lambda: 470)
    card.show_rows([replace(rows[0], remark="No copy under B2.", in_short="No copy under B2."), *rows[1:]])
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

    told = "Clipped in 12 places, and shorter than a second."
    card.show_rows([replace(row, remark=told, in_short=told) for row in card.model.rows])
    assert card.table.columnWidth(NAME) <= 170  # what a long remark leaves


def test_very_many_rows_are_shown_without_a_look_at_each(window, shown, monkeypatch):
    card, looks = shown.table, []
    whole = type(card.model).text
    monkeypatch.setattr(type(card.model), "text", lambda *of: (looks.append(of), whole(*of))[1])
    rows = tuple(replace(card.model.rows[0], id=str(n)) for n in range(20_000))
    card.show_rows(rows)
    turn_events(50)

    assert 0 < len(looks) < 2_000


def test_the_wheel_over_the_sheet_scrolls_and_weakens_no_attack(window, shown):
    window.resize(900, 420)
    turn_events(20)
    choices = shown.choices
    before = window.recordings.state.choices
    bar = choices.findChild(QScrollArea).verticalScrollBar()
    boxes = [
        box for kind in (QComboBox, QAbstractSpinBox) for box in choices.findChildren(kind) if box.isVisible()
    ]
    assert bar.maximum() > 0
    assert choices.attackers in boxes
    for box in boxes:
        choices.findChild(QScrollArea).ensureWidgetVisible(box)
        turn_wheel(box)

    assert window.recordings.state.choices == before


def test_transcripts_are_chosen_and_taken_away_again(window, shown, tmp_path, answers):
    answers["transcripts"] = tmp_path / "asr.csv"
    answers["transcripts"].write_text("Datei;Konfidenz;Text\n1688-142285-0005.wav;0,9;one two three four\n")
    shown.choices.own_transcripts.click()
    rest(window)
    assert "asr.csv has the words of 1 of 6 recordings." in shown.outcome.remarks
    shown.choices.no_transcripts.click()
    rest(window)

    assert shown.choices.transcripts.text() == "None"
    assert not shown.choices.no_transcripts.isVisible()
    assert window.recordings.state.overview.request.transcripts is None


def test_the_sheet_is_given_up_by_cancel_and_nothing_was_opened(window, shown):
    shown.cancel_button.click()

    assert not window.recordings.is_shown
    assert window.start_page.isVisible()


def test_what_was_looked_at_under_another_channel_is_not_waited_for(window, shown, monkeypatch, qtbot):
    def survey(_rest, seen, channel, watch):
        while channel == 1:
            watch(0.0)
        return seen

    recordings = window.recordings.state
    monkeypatch.setattr("zebra_gui.recordings.work.survey", survey)
    recordings.choose(replace(recordings.choices, channel=1))
    qtbot.waitUntil(lambda: bool(recordings.jobs.wanted))
    recordings.choose(replace(recordings.choices, channel=None))
    assert not recordings.jobs.wanted


def test_roles_can_be_changed_and_what_is_lacking_stands_in_place(window, shown, top):
    box = shown.folders.roles[top / "original"]
    box.setCurrentIndex(box.findData(FolderRole.UNUSED.value))
    box.activated.emit(box.currentIndex())
    rest(window)

    assert shown.outcome.remarks[0] == "Say which folder holds the original recordings."
    assert not shown.start_button.isEnabled()


def test_another_rule_is_chosen_and_the_number_of_speakers_follows(window, shown):
    shown.choices.speakers.buttons[SpeakerRule.BEFORE_HYPHEN].click()
    rest(window)

    assert window.recordings.state.overview.request.speakers is SpeakerRule.BEFORE_HYPHEN


def test_a_list_of_speakers_is_chosen_by_a_dialog_and_a_wrong_one_has_its_sentence(
    window, shown, tmp_path, answers
):
    wrong = tmp_path / "speakers.csv"
    wrong.write_text("who,what\n1,2\n")
    answers["speakers"] = wrong
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
    request = window.recordings.state.overview.request
    assert (request.every_pair, request.attacker, request.enrol) == (False, AttackerChoice.COSINE, 1)


def test_originals_alone_are_protected_from_the_sheet_and_stand_beside_them(
    window, top, tmp_path, monkeypatch
):
    shutil.copytree(top / "original", tmp_path / "original")
    drop(window, tmp_path / "original")
    rest(window)
    page = window.recordings.page
    assert page.outcome.remarks[0].startswith("There are only original recordings")
    assert list(window.recordings.state.overview.trials) == ["oo"]
    asked = ProtectionRequest(tmp_path / "original", tmp_path / "B2", 0.8)
    monkeypatch.setattr(ProtectDialog, "ask", lambda _dialog: asked)
    page.protect_button.click()
    rest(window)

    assert {path.name for path in (tmp_path / "B2").iterdir()} == {*SPEAKERS, "protected.json"}
    assert list(window.recordings.state.overview.trials) == ["oo", "oa", "aa"]
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
    assert dialog.asked == ProtectionRequest(top / "original", top / "B2", 0.8)
    dialog.by_recording.setChecked(True)
    assert dialog.asked == ProtectionRequest(top / "original", top / "B2r", None, "utterance", 0)
    dialog.same.setChecked(True)
    dialog.use(out=Path("out"))
    assert dialog.asked == ProtectionRequest(top / "original", Path("out"), 0.8)
    dialog.by_speaker.setChecked(True)
    dialog.seed.setValue(3)

    rule = SpeakerRule.FIRST_FOLDER
    assert dialog.asked == ProtectionRequest(top / "original", Path("out"), None, "speaker", 3, rule)


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


def renamed(top, tmp_path, name):
    """The copies, called otherwise."""
    vendor = tmp_path / "Vendor"
    vendor.mkdir()
    for path in (top / "B2").rglob("*.wav"):
        shutil.copy(path, vendor / name.format(stem=path.stem))
    return vendor


def test_copies_that_are_named_otherwise_are_paired_and_another_way_can_be_chosen(
    window, top, tmp_path, monkeypatch
):
    vendor = renamed(top, tmp_path, "{stem}_ANON.wav")
    drop(window, top / "original", vendor)
    rest(window)
    page, recordings = window.recordings.page, window.recordings.state
    asked = page.choices.pairs[vendor]
    [button] = asked.buttons.values()
    assert (button.text(), button.isChecked()) == ("The rule {}={}_ANON: 6 pairs", True)
    assert "1688/1688-142285-0005.wav ↔ 1688-142285-0005_ANON.wav" in button.accessibleName()
    assert page.start_button.isEnabled()

    table = tmp_path / "pairs.csv"
    stems = sorted(path.stem for path in (top / "original").rglob("*.wav"))
    table.write_text("".join(f"{stem};{stem}_ANON.wav\n" for stem in stems[:4]))
    monkeypatch.setattr(window.dialogs, "ask_file", lambda kind: table if kind == "pairs" else None)
    asked.list_button.click()
    rest(window)
    assert [str(source) for source in page.choices.pairs[vendor].buttons] == ["pairs.csv", "{}={}_ANON"]
    assert len(recordings.overview.ids) == 4
    page.choices.pairs[vendor].buttons[list(page.choices.pairs[vendor].buttons)[1]].click()
    rest(window)
    assert len(recordings.overview.ids) == 6


def test_names_that_leave_it_open_are_asked_about_before_anything_is_heard(window, top, tmp_path):
    vendor = renamed(top, tmp_path, "{stem}_v1.wav")
    for path in list(vendor.iterdir()):
        shutil.copy(path, vendor / path.name.replace("_v1", "_v2"))
    drop(window, top / "original", vendor)
    rest(window)
    page = window.recordings.page
    asked = page.choices.pairs[vendor]

    assert [button.isChecked() for button in asked.buttons.values()] == [False, False]
    assert not page.start_button.isEnabled()
    assert "Which copies under Vendor belong to which originals?" in page.remainder.text()
    next(iter(asked.buttons.values())).click()
    rest(window)
    assert page.start_button.isEnabled()


def test_two_folders_that_may_be_versions_or_speakers_are_asked_about(window, top, tmp_path):
    both = tmp_path / "both"
    shutil.copytree(top / "original", both / "Calls")
    renamed(top, both, "{stem}_x.wav")
    drop(window, both)
    rest(window)
    page = window.recordings.page
    division = page.folders.divisions[both]
    assert division.currentText() == "Choose…"
    assert not any(button.isChecked() for button in page.choices.speakers.buttons.values())
    assert not page.start_button.isEnabled()

    division.setCurrentIndex(1)
    division.activated.emit(1)
    rest(window)
    assert set(page.folders.roles) == {both / "Calls", both / "Vendor"}


def test_the_command_asks_for_the_same(window, shown, monkeypatch, tmp_path):
    asked = []

    def score(request, out, **_how):
        asked.append((request, out))
        raise InputError("reidentification-one-person")  # nothing is heard

    monkeypatch.setattr("zebra_core.recordings.scoring.score", score)
    state, page = window.recordings.state, window.recordings.page
    wanted = replace(state.choices, attacker=AttackerChoice.COSINE, every_pair=True)
    state.choose(wanted)
    rest(window)
    page.command_button.click()
    words = shlex.split(QGuiApplication.clipboard().text())
    assert words[:2] == ["zebra", "score"]
    CliRunner().invoke(main, words[1:])
    ((request, out),) = asked
    assert request == state.overview.request
    assert (request.attacker, request.every_pair) == (AttackerChoice.COSINE, True)
    assert out.name.endswith("-scores")
