"""The Edit menu and its keys act on everything that is selected, without the mouse."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit

from zebra_core.project.comparison.difference_tests import with_certainty
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_gui.models.evidence import EvidenceRole

ALT, CONTROL, SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture
def demo_window(shared_window):
    """The tests of this module take turns with one window."""
    return shared_window


@pytest.fixture
def tree(qtbot, demo_window):
    """The tree with the keyboard in it and B1w and B2 selected."""
    window, session = demo_window, demo_window.session
    window.activateWindow()
    tree = window.workspace.evidence.tree
    tree.setFocus()
    qtbot.waitUntil(tree.hasFocus)
    ids = [item.id for item in session.items]
    session.select_items(ids[1:3], ids[1])
    return tree


@pytest.fixture
def actions(demo_window):
    return demo_window.edit_menu.item_actions


def of_items(window, name):
    return [getattr(item, name) for item in window.session.items]


def press(qtbot, tree, key, modifiers=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(tree, key, modifiers)


def type_in(qtbot, tree, text):
    """Type into the editor in the tree, which Qt closes when the event loop is reached."""
    editor = tree.findChild(QLineEdit)
    editor.setText(text)
    press(qtbot, editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: tree.findChild(QLineEdit) is None)


def test_everything_by_keyboard(qtbot, demo_window, tree):
    names = of_items(demo_window, "name")
    press(qtbot, tree, Qt.Key.Key_Down, ALT)
    assert of_items(demo_window, "name") == ["unprotected", "B2r", "B1w", "B2"]
    press(qtbot, tree, Qt.Key.Key_Up, ALT)
    assert of_items(demo_window, "name") == names

    press(qtbot, tree, Qt.Key.Key_Space)
    assert of_items(demo_window, "is_ticked") == [True, False, False, True]
    press(qtbot, tree, Qt.Key.Key_Space)
    assert of_items(demo_window, "is_ticked") == [True] * 4

    press(qtbot, tree, Qt.Key.Key_D, CONTROL | SHIFT)
    assert of_items(demo_window, "name")[3:5] == ["B1w (copy)", "B2 (copy)"]
    press(qtbot, tree, Qt.Key.Key_Delete)
    assert of_items(demo_window, "name") == names

    press(qtbot, tree, Qt.Key.Key_F2)
    assert tree.findChild(QLineEdit) is not None


def test_renaming_is_for_all_that_are_selected(qtbot, demo_window, tree):
    press(qtbot, tree, Qt.Key.Key_F2)
    type_in(qtbot, tree, "mine")

    assert of_items(demo_window, "name") == ["unprotected", "mine", "mine", "B2r"]
    assert of_items(demo_window, "colour")[1] == of_items(demo_window, "colour")[2]


def test_attackers_are_chosen_or_typed(qtbot, demo_window, tree, actions):
    actions.attackers.actions()[2].trigger()
    assert of_items(demo_window, "attacker") == ["", "semi-informed", "semi-informed", ""]
    assert actions.attackers.checkedAction().data() == "semi-informed"

    actions.other_attacker_action.trigger()
    type_in(qtbot, tree, "knows the pool")
    assert of_items(demo_window, "attacker")[1:3] == ["knows the pool"] * 2
    assert actions.attackers.checkedAction() is None


def test_conditions_are_set_for_all(demo_window, tree):
    demo_window.edit_menu.stated.conditions.actions()[2].trigger()

    assert [entry.condition.value for entry in demo_window.session.entries] == ["OO", "PP", "PP", "OP"]


def test_items_move_to_a_dataset_that_is_there_or_to_a_new_one(qtbot, demo_window, tree, actions):
    actions.datasets_menu.actions()[-1].trigger()
    type_in(qtbot, tree, "libri & <b>f</b>")
    assert of_items(demo_window, "dataset") == ["", "", *["libri & <b>f</b>"] * 2]

    texts = [action.text() for action in actions.datasets_menu.actions() if not action.isSeparator()]
    assert texts == ["Not stated", "libri && <b>f</b>", "&New dataset…"]
    actions.datasets_menu.actions()[0].trigger()
    assert set(of_items(demo_window, "dataset")) == {""}


def test_a_dataset_moves_with_its_row(qtbot, demo_window, tree):
    session = demo_window.session
    session.edits.place(session.selected_ids, "libri_f")
    tree.setCurrentIndex(tree.model().index_of_dataset("libri_f"))
    press(qtbot, tree, Qt.Key.Key_Up, ALT)

    assert session.project.datasets == ("libri_f", "")


def test_colours_have_names_and_the_baseline_is_grey(demo_window, tree, actions):
    texts = [action.text() for action in actions.colours.actions()]
    assert texts == [
        "bluish green",
        "blue",
        "vermillion",
        "reddish purple",
        "orange",
        "sky blue",
        "olive",
        *("violet", "green", "rose", "khaki", "magenta", "cobalt blue", "brown"),
        "grey, the unprotected baseline",
    ]
    assert actions.colours.checkedAction() is None  # the two have different ones
    actions.colours.actions()[4].trigger()
    assert of_items(demo_window, "colour") == [None, 4, 4, 2]
    assert actions.colours.checkedAction().text() == "orange"
    actions.colours.actions()[-1].trigger()
    assert of_items(demo_window, "colour") == [None, None, None, 2]


def test_ticks_for_the_pictures(demo_window, tree, actions):
    actions.only_action.trigger()
    assert of_items(demo_window, "is_ticked") == [False, True, True, False]
    assert actions.tick_action.isChecked()
    actions.none_action.trigger()
    assert not any(of_items(demo_window, "is_ticked"))
    assert not actions.tick_action.isChecked()
    actions.all_action.trigger()
    assert all(of_items(demo_window, "is_ticked"))


def test_pictures_show_what_is_ticked_and_what_is_selected(qtbot, demo_window, tree, actions):
    demo_window.session.select(demo_window.session.items[0].id)
    actions.only_action.trigger()
    card = demo_window.workspace.pane("ece").card
    demo_window.workspace.show_topic("ece")
    qtbot.waitUntil(lambda: card.is_drawn)
    labels = [line.label.split(" (")[0] for line in card.view.figure.legend]
    assert labels == ["perfect privacy", "unprotected OO"]

    demo_window.session.select(demo_window.session.items[3].id)
    qtbot.waitUntil(lambda: card.is_drawn)
    labels = [line.label.split(" (")[0] for line in card.view.figure.legend]
    assert labels == ["perfect privacy", "unprotected OO", "B2r OP"]


def test_notes_come_and_go_by_the_keyboard(qtbot, demo_window, tree, actions):
    evidence = demo_window.workspace.evidence
    actions.notes_action.trigger()
    assert evidence.notes.isVisible()
    assert evidence.notes_button.isChecked()
    actions.notes_action.trigger()
    assert not evidence.notes.isVisible()


def test_nothing_selected_leaves_nothing_to_do(demo_window, actions):
    demo_window.session.select(None)
    offered = (actions.duplicate_action, actions.up_action, actions.tick_action, actions.run_action)
    assert not any(action.isEnabled() for action in offered)
    assert not demo_window.edit_menu.remove_action.isEnabled()
    assert actions.all_action.isEnabled()


def test_copied_figures_say_what_they_hold_for(demo_window, tree):
    session = demo_window.session
    session.edits.place([session.items[1].id], "libri_f")
    session.edits.set_condition([session.items[-1].id], None)
    demo_window.edit_menu.copy_action.trigger()
    assert QGuiApplication.clipboard().text().startswith("libri_f · B1w, condition not stated\n")


def test_a_broken_attack_is_told_on_the_overview_and_in_the_status_bar(demo_window, tree):
    session = demo_window.session
    weak, strong = session.entries[1], session.entries[2]
    assert weak.assessment.d_ece_bits < strong.assessment.d_ece_bits
    session.edits.rename([strong.id], "B1w")
    session.edits.set_attack([weak.id], "attacker", "semi-informed")
    session.edits.set_attack([strong.id], "attacker", "lazy-informed")
    session.select(weak.id)
    overview = demo_window.workspace.pane("overview")
    assert overview.heading.whole_text == "B1w OP, semi-informed"
    assert not demo_window.statusBar().broken.isVisible()  # nobody knows whether it is more than chance
    certain, _ = with_certainty(session.project, BootstrapSettings(200))
    session.take_measured({one.id: one.trust for one in certain.entries})

    sentence = "learns less from B1w ("
    shown = [label.text() for label in overview.remarks.findChildren(QLabel)]
    assert any(sentence in text for text in shown)
    status = demo_window.statusBar()
    assert (status.broken.isVisible(), status.broken.text()) == (True, "1 attack is in doubt")
    demo_window.session.select(demo_window.session.entries[0].id)
    status.broken.click()
    assert demo_window.workspace.front_pane.topic == "overview"
    assert demo_window.session.selected_ids != (demo_window.session.entries[0].id,)
    session.select(strong.id)
    labels = overview.remarks.findChildren(QLabel)
    assert not any(sentence in label.text() for label in labels if not label.isHidden())


def test_the_run_is_typed_in_its_place(qtbot, demo_window, tree, actions):
    actions.run_action.trigger()
    type_in(qtbot, tree, "run 2")

    assert of_items(demo_window, "run") == ["", "run 2", "run 2", ""]
    assert tree.currentIndex().data(EvidenceRole.RUN) == "run 2"
