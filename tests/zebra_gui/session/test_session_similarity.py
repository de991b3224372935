"""Similarity matrices in the session: dropped, undone, and speakers pointed at."""

from pathlib import Path

from zebra_core.project.items import SimilarityEntry

DATA = Path(__file__).parents[2] / "data" / "similarity"


def test_dropped_matrices_are_in_the_project_until_it_is_undone(window, drop, settled):
    assert drop(window, DATA / "other_f")
    settled(window.jobs)

    session = window.session
    assert session.problems == ()
    assert [(type(item), item.full_name, item.dataset) for item in session.items] == [
        (SimilarityEntry, name, "other_f") for name in ("B1w", "B2", "B2r")
    ]
    assert session.selected_item.name == "B1w"
    assert session.selected is None
    assert window.workspace.isVisible()
    session.undo_stack.undo()
    assert session.items == ()
    session.undo_stack.redo()
    assert [item.colour for item in session.items] == [0, 1, 2]


def test_a_setting_that_no_name_says_is_asked_in_the_sheet(window, drop, settled, tmp_path):
    for name in ("utt2spk", "scores_oo.txt.gz"):
        (tmp_path / name).write_bytes((DATA / "other_f" / name).read_bytes())
    mystery = tmp_path / "mystery.gz"
    mystery.write_bytes((DATA / "other_f" / "B2" / "scores_pp.txt.gz").read_bytes())
    assert drop(window, tmp_path)
    settled(window.jobs)

    sheet = window.sheet
    assert sheet.isVisible()
    [view] = sheet.file_card.questions
    assert str(view.question) == "What was compared in mystery.gz?"
    assert not any(button.isChecked() for button in view.buttons.values())
    view.buttons["pp"].click()
    settled(window.jobs)
    assert "Voice similarity in OO and PP, from" in sheet.as_text()
    assert sheet.file_card.questions[0].buttons["pp"].isChecked()
    sheet.assess_button.click()
    [item] = window.session.items
    assert (item.name, list(item.similarity.matrices)) == ("mystery", ["oo", "pp"])


def test_a_speaker_is_pointed_at_once(qtbot, demo_session):
    with qtbot.waitSignal(demo_session.speaker_changed):
        demo_session.select_speaker("1089")
    assert demo_session.speaker == "1089"
    with qtbot.assertNotEmitted(demo_session.speaker_changed):
        demo_session.select_speaker("1089")
    demo_session.select_speaker(None)
    assert demo_session.speaker is None
