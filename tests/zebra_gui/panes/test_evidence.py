"""The evidence tree and the session's selection follow each other."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from tests.core.similarity_cases import random_rows, scores, segments
from zebra_core.metrics.similarity import voice_similarity
from zebra_core.project.items import Condition, SimilarityEntry
from zebra_gui.models.evidence import EvidenceRole, RowKind
from zebra_gui.panes.evidence import EvidencePane
from zebra_gui.widgets.layouts import elided_apart


@pytest.fixture
def pane(qtbot, demo_session):
    pane = EvidencePane(demo_session, QAction())
    qtbot.addWidget(pane)
    pane.resize(220, 400)
    pane.show()
    return pane


def test_a_row_chosen_is_an_entry_selected(qtbot, pane, demo_session, demo):
    qtbot.keyClick(pane.tree, Qt.Key.Key_Up)

    assert demo_session.selected is demo.entries[1]


def test_an_entry_selected_is_a_row_chosen(pane, demo_session, demo):
    demo_session.select(demo.entries[3].id)

    assert pane.tree.currentIndex().data() == "B2r"


def test_the_selection_survives_a_change_of_the_tree(pane, demo_session, demo):
    demo_session.edits.remove([demo.entries[0].id])
    assert pane.tree.currentIndex().data() == "B1w"

    demo_session.undo_stack.undo()
    assert pane.tree.currentIndex().data() == "B2"


def test_a_name_is_edited_in_its_place(qtbot, pane, demo_session):
    pane.edit_current()
    editor = pane.tree.findChild(QLineEdit)
    assert editor.text() == "B2"
    editor.setText("mine")
    qtbot.keyClick(editor, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: demo_session.selected.name == "mine")


def test_the_button_opens_files(qtbot, demo_session):
    action = QAction()
    pane = EvidencePane(demo_session, action)
    qtbot.addWidget(pane)
    with qtbot.waitSignal(action.triggered):
        next(button for button in pane.findChildren(QPushButton) if button.text() == "Add files…").click()


def test_rows_are_painted_with_badges(pane):
    image = pane.tree.grab().toImage()
    colours = {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)
    }

    assert {"#b35900", "#00755a"} <= colours  # tags C and A
    assert "#21967b" in colours  # the swatch of the first series


@pytest.fixture
def ids(demo):
    return [entry.id for entry in demo.entries]


def names(session):
    return [item.name for item in session.items]


def test_several_rows_chosen_are_several_items_selected(qtbot, pane, demo_session, ids):
    qtbot.keyClick(pane.tree, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)

    assert demo_session.selected_ids == (ids[1], ids[2])
    assert demo_session.selected.id == ids[1]


def test_several_items_selected_are_several_rows_chosen(pane, demo_session, ids):
    demo_session.select_items((ids[0], ids[3]), ids[3])

    rows = pane.tree.selectionModel().selectedRows()
    assert sorted(index.data() for index in rows) == ["B2r", "unprotected"]
    assert pane.tree.currentIndex().data() == "B2r"


def test_undo_brings_the_rows_back(pane, demo_session, ids):
    demo_session.select_items(ids[1:3], ids[1])
    demo_session.edits.remove(ids[1:3])
    demo_session.undo_stack.undo()

    rows = pane.tree.selectionModel().selectedRows()
    assert sorted(index.data() for index in rows) == ["B1w", "B2"]


def test_the_row_of_a_dataset_stands_for_its_items(pane, demo_session, ids):
    demo_session.edits.place(ids[:2], "libri_f")
    pane.tree.setCurrentIndex(pane.tree.model().index_of_dataset("libri_f"))
    assert demo_session.selected_ids == (ids[0], ids[1])
    assert demo_session.selected.id == ids[0]
    assert pane.current_dataset == "libri_f"

    demo_session.edits.shift_dataset("libri_f", 1)  # the tree is made anew; the row stays the one it was
    assert pane.current_dataset == "libri_f"
    demo_session.edits.tick(ids[:2], False)
    assert pane.current_dataset == "libri_f"


def test_the_row_of_the_project_stands_for_no_item(pane, demo_session, ids):
    pane.tree.setCurrentIndex(pane.tree.model().index(0, 0))
    assert demo_session.selected_ids == ()
    assert demo_session.selected.id == ids[2]  # the panes stay with what they show

    demo_session.edits.rename_project("Case 7")
    demo_session.edits.place(ids[:1], "libri_f")
    assert pane.tree.currentIndex().data() == "Case 7"


def test_datasets_stay_folded(pane, demo_session, ids):
    demo_session.edits.place(ids[:2], "libri_f")
    model = pane.tree.model()
    pane.tree.collapse(model.index_of_dataset("libri_f"))
    demo_session.edits.place(ids[2:3], "libri_m")

    assert not pane.tree.isExpanded(model.index_of_dataset("libri_f"))
    assert pane.tree.isExpanded(model.index_of_dataset("libri_m"))


def test_a_click_on_the_box_ticks_and_unticks(qtbot, pane, demo_session, ids):
    row = pane.tree.visualRect(pane.tree.model().index_of(ids[1]))
    box = QPoint(row.left() + 8, row.center().y())
    for is_ticked in (False, True):
        qtbot.mouseClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, pos=box)
        assert demo_session.items[1].is_ticked is is_ticked


def test_a_double_click_on_the_box_edits_nothing(qtbot, pane, demo_session, ids):
    row = pane.tree.visualRect(pane.tree.model().index_of(ids[1]))
    box = QPoint(row.left() + 8, row.center().y())
    qtbot.mouseDClick(pane.tree.viewport(), Qt.MouseButton.LeftButton, pos=box)

    assert pane.tree.findChild(QLineEdit) is None


@pytest.mark.parametrize(
    ("role", "field", "called"),
    [
        (EvidenceRole.ATTACKER, "attacker", "Attacker, in your words"),
        (EvidenceRole.RECOGNISER, "recogniser", "Recogniser of the attacker"),
        (EvidenceRole.BACK_END, "back_end", "Back end of the recogniser"),
        (EvidenceRole.RUN, "run", "Run of the safeguard"),
        (EvidenceRole.DATASET, "dataset", "Name of the dataset"),
    ],
)
def test_other_texts_are_edited_in_their_place_too(qtbot, pane, demo_session, role, field, called):
    pane.edit_current(role)
    editor = pane.tree.findChild(QLineEdit)
    assert editor.accessibleName() == called
    editor.setText("another")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pane.tree.findChild(QLineEdit) is None)
    assert getattr(demo_session.selected, field) == "another"

    pane.edit_current()
    assert pane.tree.findChild(QLineEdit).text() == "B2"


def test_two_hundred_rows_of_one_height_are_painted_narrow(pane, demo_session, demo):
    items = tuple(
        replace(
            demo.entries[number % 4],
            id=str(number),
            name=f"<img src=x>{'long' * number}",
            dataset=f"d{number % 3}",
            run="2",
            condition=None if number % 2 else Condition.PP,
            attacker="words of the user's own",
        )
        for number in range(200)
    )
    demo_session.open_project(replace(demo, items=items))
    pane.resize(pane.minimumWidth(), 400)
    assert pane.tree.uniformRowHeights()
    assert pane.tree.horizontalScrollBar().maximum() == 0
    assert not pane.tree.grab().isNull()

    demo_session.select("199")
    assert pane.tree.visualRect(pane.tree.currentIndex()).intersects(pane.tree.viewport().rect())


def matrices():
    spoken = segments(3, 3)
    rows = random_rows(spoken, 5, ordered=True)
    return voice_similarity(oo=scores(rows), op=scores(rows), pp=scores(rows), speakers=spoken)


def test_matrices_have_a_sign_of_their_own(pane, demo_session, demo):
    entry = SimilarityEntry("B2", id="matrices", colour=2, similarity=matrices())
    demo_session._show(demo.with_items(entry), "matrices")

    index = pane.tree.model().index_of("matrices")
    assert index.data(EvidenceRole.KIND) is RowKind.SIMILARITY
    assert index.data(EvidenceRole.TAG) is None
    assert index.data(Qt.ItemDataRole.AccessibleTextRole).startswith(
        "B2, similarity matrices, colour vermillion"
    )
    assert demo_session.selected is None
    assert demo_session.selected_items == (entry,)
    assert not pane.tree.grab().isNull()


class TestNotes:
    def test_they_are_kept_while_they_are_typed(self, qtbot, pane, demo_session):
        pane.show_notes(shows=True)
        qtbot.keyClicks(pane.notes.text, "ask the lab")
        qtbot.waitUntil(lambda: demo_session.selected.notes == "ask the lab")

        demo_session.undo_stack.undo()
        assert pane.notes.text.toPlainText() == ""

    def test_they_are_kept_when_another_item_is_selected(self, qtbot, pane, demo_session, ids):
        pane.show_notes(shows=True)
        qtbot.keyClicks(pane.notes.text, "of B2")
        demo_session.select(ids[0])

        assert [item.notes for item in demo_session.items] == ["", "", "of B2", ""]
        assert pane.notes.text.toPlainText() == ""
        assert pane.notes.heading.whole_text == "Notes on unprotected OO"

    def test_those_on_the_project_are_shown_in_its_row(self, qtbot, pane, demo_session):
        pane.tree.setCurrentIndex(pane.tree.model().index(0, 0))
        qtbot.keyClicks(pane.notes.text, "Exhibit 3")
        pane.notes.keep()

        assert pane.notes.heading.whole_text == "Notes on the project"
        assert demo_session.project.notes == "Exhibit 3"

    def test_what_an_editor_cannot_hold_is_not_changed_by_looking_at_it(self, pane, demo_session, demo, ids):
        strange = replace(demo.entries[0], notes="<b>one</b>\r\ntwo\u2029three")
        demo_session._show(demo.replacing(strange), ids[0])
        pane.show_notes(shows=True)
        pane.notes.keep()
        demo_session.select(ids[1])

        assert demo_session.items[0].notes == "<b>one</b>\r\ntwo\u2029three"


def painted_row(qtbot, window, index):
    tree = window.workspace.evidence.tree
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not tree.visualRect(index).isEmpty())
    tree.grab()
    return tree


def test_a_click_on_a_condition_that_is_not_stated_leads_to_where_it_is_said(qtbot, demo_window):
    session = demo_window.session
    protected = next(entry for entry in session.entries if entry.condition)
    session.edits.set_condition([protected.id], None)
    evidence = demo_window.workspace.evidence
    index = evidence._model.index_of(protected.id)
    tree = painted_row(qtbot, demo_window, index)
    place = next(iter(evidence._delegate._unstated.values()))
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place.center())

    menu = demo_window.edit_menu.stated.condition_menu
    assert menu.isVisible()
    assert session.selected_ids == (protected.id,)
    menu.close()


def test_names_of_datasets_are_cut_where_they_do_not_differ(qtbot, demo_window):
    session = demo_window.session
    first, second, *_ = session.entries
    session.edits.place([first.id], "Interviews of the witnesses, female speakers")
    session.edits.place([second.id], "Interviews of the witnesses, male speakers")
    model = demo_window.workspace.evidence._model
    top = model.index(0, 0)
    rows = [model.index(row, 0, top) for row in range(model.rowCount(top))]
    names = [index.data() for index in rows if index.data().startswith("Interviews")]
    metrics = demo_window.fontMetrics()
    places = [
        index.data(EvidenceRole.DIFFERS_FROM) for index in rows if index.data().startswith("Interviews")
    ]
    shown = [elided_apart(name, place, metrics, 150) for name, place in zip(names, places, strict=True)]
    assert shown[0].endswith("…female speakers")
    assert shown[1].endswith("…male speakers")


def test_a_single_name_is_cut_at_its_end(demo_window):
    text = elided_apart("Demo: LibriSpeech, female speakers", 0, demo_window.fontMetrics(), 150)
    assert text.startswith("Demo: Libri")
    assert text.endswith("…")


def test_attacks_on_one_safeguard_are_told_apart_where_there_is_little_room(demo_session, pane):
    session, (first, second, *_) = demo_session, demo_session.entries
    session.edits.rename([first.id, second.id], "Vendor A, delivery of March, configuration with pitch")
    session.edits.colour([first.id, second.id], 0)
    pane.resize(pane.minimumWidth(), 400)
    model, tree = pane._model, pane.tree

    def pictures(*attackers):
        for entry, words in zip((first, second), attackers, strict=True):
            session.edits.set_condition([entry.id], Condition.OP)
            session.edits.set_attack([entry.id], "attacker", f"Recogniser trained again, run {words}")
        image = tree.grab().toImage()
        rows = (tree.visualRect(model.index_of(entry.id)) for entry in (first, second))
        return [image.copy(row.adjusted(60, 0, -60, 0)) for row in rows]

    alike, other = pictures("01", "01"), pictures("01", "02")
    assert other[0] == alike[0]
    assert other[1] != alike[1]
