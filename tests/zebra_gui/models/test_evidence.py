"""The evidence tree is a window onto the session's project."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, Qt

from zebra_gui.models.evidence import EvidenceModel
from zebra_gui.models.evidence_rows import EvidenceRole

ROLE = Qt.ItemDataRole


@pytest.fixture
def model(demo_session):
    return EvidenceModel(demo_session)


def row(model, number):
    return model.index(number, 0, model.index(0, 0))


def test_keeps_the_rules_of_models(qtmodeltester, model, demo_session):
    qtmodeltester.check(model)
    demo_session.edits.remove([demo_session.entries[1].id])
    demo_session.undo_stack.undo()
    demo_session.close()
    qtmodeltester.check(model)


def test_keeps_the_rules_of_models_when_empty(qtmodeltester, session):
    model = EvidenceModel(session)
    qtmodeltester.check(model)
    assert model.rowCount() == 0


def test_the_project_with_its_entries(model):
    assert model.rowCount() == 1
    assert model.index(0, 0).data() == "Demo: LibriSpeech, female speakers"
    assert [row(model, number).data() for number in range(4)] == ["unprotected", "B1w", "B2", "B2r"]


@pytest.mark.parametrize(
    ("role", "value"),
    [
        (ROLE.DisplayRole, "B2"),
        (ROLE.EditRole, "B2"),
        (EvidenceRole.CONDITION, "OP"),
        (EvidenceRole.TAG, "C"),
        (EvidenceRole.COLOUR, 1),
        (ROLE.AccessibleTextRole, "B2 OP, tag C, worst case 2.39, colour blue, in the pictures"),
    ],
)
def test_an_entry_cell_by_cell(model, role, value):
    assert row(model, 2).data(role) == value


def test_editing_renames_through_the_session(model, demo_session):
    assert model.setData(row(model, 2), "mine")
    assert demo_session.entries[2].name == "mine"
    assert row(model, 2).data() == "mine"

    demo_session.undo_stack.undo()
    assert row(model, 2).data() == "B2"


def test_an_empty_name_is_refused(model):
    assert not model.setData(row(model, 2), "  ")


def test_the_title_of_the_project_is_edited_in_its_row(model, demo_session):
    assert model.setData(model.index(0, 0), "Case 7")
    assert demo_session.project.title == "Case 7"
    assert model.index(0, 0).data() == "Case 7"


def test_renaming_does_not_reset_the_tree(qtbot, model, demo_session):
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        demo_session.edits.rename([demo_session.entries[0].id], "bare")


def test_foreign_names_are_shown_as_typed(model, demo_session, demo):
    name = "<img src=x>\n" + "x" * 300
    demo_session._show(replace(demo, items=(replace(demo.entries[0], name=name),)), None)

    assert row(model, 0).data() == "<img src=x>\\n" + "x" * 300
    assert row(model, 0).data(ROLE.EditRole) == name
    assert "<img" not in row(model, 0).data(ROLE.ToolTipRole)


def test_finds_entries_by_id(model, demo):
    assert model.index_of(demo.entries[3].id) == row(model, 3)
    assert model.item_at(row(model, 3)) is demo.entries[3]
    assert model.index_of("nobody") == QModelIndex()
    assert model.item_at(model.index(0, 0)) is None
