"""The scales are edited in place; a change tags everything anew and can be undone."""

import pytest
from PySide6.QtWidgets import QApplication

from zebra_core.metrics.scales import ENFSI_LIKE_SCALE, PAPER_SCALE
from zebra_core.wording.texts import speaking
from zebra_gui.dialogs.scales import ScalesDialog


@pytest.fixture
def dialog(qtbot, demo_session):
    dialog = ScalesDialog(demo_session)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def tags(session):
    return [entry.assessment.tag for entry in session.entries]


def test_it_shows_the_papers_table_1_at_first(dialog):
    assert [row[:2] for row in dialog.tags.rows()] == [
        ("0", "0"), ("A", "0"), ("B", "1"), ("C", "2"), ("D", "4"), ("E", "5"), ("F", "6"),
    ]  # fmt: skip
    assert not dialog.has_verbal.isChecked()
    assert not dialog.levels.isEnabled()
    assert not dialog.isModal()


def test_a_change_tags_everything_anew_as_one_change_and_is_undone(dialog, demo_session):
    assert tags(demo_session) == ["C", "A", "C", "C"]
    dialog.tags.item(4, 1).setText("2,5")
    dialog.tags.item(4, 0).setText("high")
    dialog.apply.click()

    assert tags(demo_session) == ["high", "A", "C", "C"]
    assert demo_session.project.tag_scale.tags[4].from_log10_lr == 2.5
    assert demo_session.undo_stack.undoText() == "change of the scale"
    demo_session.undo_stack.undo()
    assert tags(demo_session) == ["C", "A", "C", "C"]
    assert demo_session.project.tag_scale == PAPER_SCALE
    assert dialog.tags.rows()[4][:2] == ("D", "4")


def test_nothing_changed_is_no_change(dialog, demo_session):
    steps = demo_session.undo_stack.count()
    dialog.apply.click()

    assert demo_session.undo_stack.count() == steps


def test_words_of_ours_are_shown_in_the_language_and_stay_what_they_were(dialog, demo_session):
    with speaking("de"):
        dialog.show_project()
        dialog.has_verbal.setChecked(True)
        assert dialog.tags.rows()[0] == ("0", "0", "gleiche Chancen: Nichts wird offengelegt")
        assert dialog.levels.rows()[0] == ("0", "keine Unterstützung")
        dialog.tags.item(1, 2).setText("wenig")
        tags, verbal = dialog._scales()
    assert [tag.words for tag in tags.tags] == [
        "wenig" if tag.letter == "A" else tag.words for tag in PAPER_SCALE.tags
    ]
    assert (verbal.name, [level.words for level in verbal.levels]) == (
        ENFSI_LIKE_SCALE.name,
        [level.words for level in ENFSI_LIKE_SCALE.levels],
    )


@pytest.mark.parametrize(
    ("row", "column", "typed", "sentence"),
    [
        (3, 1, "nonsense", "The bound of “C” is not a number up to 12."),
        (3, 1, "inf", "The bound of “C” is not a number up to 12."),
        (3, 1, "0.5", "“C” begins at 0.5, which is not above 1 before it."),
        (1, 1, "0.1", "A scale begins at 0"),
        (3, 0, "", "cannot be a tag"),
        (3, 0, "B", "The tag “B” is given twice."),
    ],
)
def test_what_is_no_scale_is_said_in_place(dialog, demo_session, row, column, typed, sentence):
    dialog.tags.item(row, column).setText(typed)

    assert sentence in dialog.problem.text()
    assert not dialog.apply.isEnabled()
    dialog.restore_tags.click()
    assert dialog.problem.text() == ""
    assert dialog.apply.isEnabled()


def test_rows_are_added_and_removed(dialog, demo_session):
    dialog.tags.setCurrentCell(6, 0)
    dialog.tags.buttons[0].click()
    for column, text in enumerate(("G", "7", "worse")):
        if dialog.tags.item(7, column) is None:
            dialog.tags.setItem(7, column, type(dialog.tags.item(0, 0))(text))
    assert dialog.tags.rows()[7] == ("G", "7", "worse")
    dialog.tags.setCurrentCell(2, 0)
    dialog.tags.buttons[1].click()
    dialog.apply.click()

    assert [tag.letter for tag in demo_session.project.tag_scale.tags] == ["0", "A", "C", "D", "E", "F", "G"]
    dialog.restore_tags.click()
    dialog.apply.click()
    assert demo_session.project.tag_scale == PAPER_SCALE


def test_a_verbal_scale_is_shown_beside_the_tags(demo_window):
    demo_window.edit_menu.scales_action.trigger()
    dialog = demo_window.dialogs._scales
    demo_window.session.select(demo_window.session.entries[2].id)
    dialog.has_verbal.click()
    dialog.apply.click()

    verbal = demo_window.session.project.verbal_scale
    assert [level.words for level in verbal.levels] == [level.words for level in ENFSI_LIKE_SCALE.levels]
    for level, expected in zip(verbal.levels, ENFSI_LIKE_SCALE.levels, strict=True):
        assert level.from_log10_lr == pytest.approx(expected.from_log10_lr, abs=1e-9)
    card = demo_window.workspace.pane("overview").worst_case
    assert "moderately strong support for one speaker rather than two" in card.meaning.text()

    dialog.levels.item(3, 1).setText("")
    assert "has no words" in dialog.problem.text()
    dialog.restore_levels.click()
    dialog.has_verbal.click()
    dialog.apply.click()
    assert demo_window.session.project.verbal_scale is None
    dialog.close()


def test_new_files_meet_the_scale_of_the_project(window, settled, scores, key):
    window.open_paths([scores["B2"], key])
    settled(window.jobs)
    window.edit_menu.scales_action.trigger()
    dialog = window.dialogs._scales
    dialog.tags.item(3, 0).setText("mine")
    dialog.apply.click()
    window.open_paths([scores["B2r"], key])
    settled(window.jobs)

    assert tags(window.session) == ["mine", "mine"]
    dialog.close()


def test_everything_on_it_has_a_name(dialog):
    for widget in (dialog.tags, dialog.levels, dialog.name, dialog.problem):
        assert widget.accessibleName()
    assert QApplication.instance() is not None
