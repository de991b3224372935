"""The evidence tree is a window onto the session's project."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, Qt

from zebra_core.evidence.audit import InputState
from zebra_core.project.items import Condition
from zebra_core.wording.texts import speaking
from zebra_gui.models.evidence import MIME_TYPE, EvidenceModel, EvidenceRole, RowKind

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
        (ROLE.AccessibleTextRole, "B2 OP, tag C, worst case 2.4, colour blue, in the answer"),
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


def test_what_zebra_calls_speech_is_shown_in_the_language_of_the_window_and_stays_what_it_was(
    model, demo_session
):
    name, title = demo_session.entries[0].name, demo_session.project.title
    with speaking("de"):
        assert (row(model, 0).data(), row(model, 0).data(ROLE.EditRole)) == ("ungeschützt", "ungeschützt")
        assert model.index(0, 0).data() == "Demo: LibriSpeech, Sprecherinnen"
        model.setData(row(model, 0), "ungeschützt")
        model.setData(model.index(0, 0), "Demo: LibriSpeech, Sprecherinnen")
    assert (demo_session.entries[0].name, demo_session.project.title) == (name, title)
    assert (name, title) == ("unprotected", "Demo: LibriSpeech, female speakers")


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


@pytest.fixture
def many(demo):
    """Two hundred items in three datasets, some of them called as badly as can be."""
    names = ["B2", "<img src=x>", "a\u202eb\n" * 40, "漢字", "x" * 3000]
    return replace(
        demo,
        items=tuple(
            replace(
                demo.entries[number % 4],
                id=str(number),
                name=names[number % 5],
                dataset=("", "libri_f", "<b>m</b>\u0000")[number // 67],
                condition=(Condition.PP, None)[number % 2],
                attacker=("semi-informed", "", "anybody & all")[number % 3],
                run="2" if number % 7 == 0 else "",
                is_ticked=number % 2 == 0,
            )
            for number in range(200)
        ),
    )


def test_two_hundred_items_keep_the_rules_of_models(qtmodeltester, demo_session, many):
    model = EvidenceModel(demo_session)
    qtmodeltester.check(model)
    demo_session.open_project(many)
    ids = [item.id for item in many.items]
    edits = demo_session.edits
    for operate in (
        lambda: edits.place(ids[:50], "libri_f", ids[80]),
        lambda: edits.remove(ids[60:190]),
        lambda: edits.rename_dataset("libri_f", "f"),
        lambda: edits.shift_dataset("f", 1),
        lambda: edits.place(ids, "one"),
        lambda: edits.place(ids, ""),
    ):
        operate()
        qtmodeltester.check(model)
    while demo_session.undo_stack.canUndo():
        demo_session.undo_stack.undo()


def test_datasets_have_rows_where_one_has_a_name(demo_session, demo):
    model = EvidenceModel(demo_session)
    assert not model.has_datasets
    demo_session.edits.place([demo.entries[0].id, demo.entries[2].id], "libri_f")

    root = model.index(0, 0)
    assert [model.index(place, 0, root).data() for place in range(2)] == ["Dataset not stated", "libri_f"]
    new = model.index(1, 0, root)
    assert [model.index(place, 0, new).data() for place in range(2)] == ["unprotected", "B2"]
    assert new.data(ROLE.AccessibleTextRole) == "libri_f, dataset with 2 items"
    assert new.data(EvidenceRole.KIND) is RowKind.DATASET
    assert model.ids_at(new) == (demo.entries[0].id, demo.entries[2].id)


def test_a_lonely_dataset_with_a_name_has_a_row(demo_session, demo):
    demo_session.edits.rename_dataset("", "libri_f")
    model = EvidenceModel(demo_session)

    assert model.index_of(demo.entries[1].id).parent().data() == "libri_f"


def test_a_row_says_everything_in_words(demo_session, demo):
    entry = replace(
        demo.entries[2],
        dataset="libri_f",
        run="run 2",
        attacker="semi-informed",
        notes="ask\nthe lab",
        is_ticked=False,
        colour=None,
    )
    demo_session._show(replace(demo, items=(entry,)), entry.id)
    model = EvidenceModel(demo_session)
    index = model.index_of(entry.id)

    assert index.data(ROLE.AccessibleTextRole) == (
        "B2 run 2 OP, semi-informed, tag C, worst case 2.4, dataset libri_f, colour grey, "
        "notes: ask\\nthe lab, left out of the answer"
    )
    assert index.data(EvidenceRole.ATTACKER_PILL) == "semi"


@pytest.mark.parametrize(("code", "said"), [("de", "Tonhöhe"), ("en", "pitch")])
def test_attackers_without_a_network_are_marked_by_what_they_hear(demo_session, demo, code, said):
    entry = replace(demo.entries[3], attacker="ignorant", recogniser="pitch", back_end="Gaussian")
    demo_session._show(replace(demo, items=(entry,)), entry.id)
    with speaking(code):
        model = EvidenceModel(demo_session)
        assert model.index_of(entry.id).data(EvidenceRole.ATTACKER_PILL) == said


@pytest.mark.parametrize(("code", "said"), [("de", "Hörer"), ("fr", "auditeurs"), ("en", "listeners")])
def test_listeners_are_an_attacker_in_the_words_of_the_language(demo_session, demo, code, said):
    entry = replace(demo.entries[3], attacker="listeners")
    demo_session._show(replace(demo, items=(entry,)), entry.id)
    with speaking(code):
        model = EvidenceModel(demo_session)
        assert model.index_of(entry.id).data(EvidenceRole.ATTACKER_PILL) == said


def test_a_condition_that_is_not_stated_is_said_to_be_so(demo_session, demo):
    demo_session.edits.set_condition([demo.entries[2].id], None)
    model = EvidenceModel(demo_session)
    index = model.index_of(demo.entries[2].id)

    assert index.data(ROLE.AccessibleTextRole).startswith("B2, condition not stated, tag C")
    assert "condition not stated" in index.data(ROLE.ToolTipRole)


def test_files_that_are_gone_are_marked(demo_session, demo):
    entry = demo.entries[2]
    gone = tuple(replace(file, state=InputState.MISSING) for file in entry.files)
    marked = replace(entry, assessment=replace(entry.assessment, files=gone))
    demo_session._show(demo.replacing(marked), entry.id)
    model = EvidenceModel(demo_session)

    assert gone[0].path.name in model.index_of(entry.id).data(EvidenceRole.MARK)
    assert gone[0].path.name in model.index_of(entry.id).data(ROLE.AccessibleTextRole)
    assert model.index_of(demo.entries[1].id).data(EvidenceRole.MARK) == ""


def test_ticks_go_through_the_session(demo_session, demo):
    demo_session.edits.place([entry.id for entry in demo.entries[:2]], "libri_f")
    model = EvidenceModel(demo_session)
    dataset, entry = model.index_of_dataset("libri_f"), model.index_of(demo.entries[0].id)
    assert model.setData(entry, Qt.CheckState.Unchecked, ROLE.CheckStateRole)
    assert model.data(dataset, ROLE.CheckStateRole) == Qt.CheckState.PartiallyChecked
    assert [item.name for item in demo_session.items if not item.is_ticked] == ["unprotected"]

    assert model.setData(dataset, Qt.CheckState.Checked, ROLE.CheckStateRole)
    assert all(item.is_ticked for item in demo_session.items)


def test_dragged_items_are_placed_where_they_are_dropped(demo_session, demo):
    ids = [entry.id for entry in demo.entries]
    demo_session.edits.place(ids[:2], "libri_f")
    model = EvidenceModel(demo_session)
    dragged = model.mimeData([model.index_of(ids[3]), model.index_of(ids[2])])
    move = Qt.DropAction.MoveAction
    dataset = model.index_of_dataset("libri_f")
    assert not model.canDropMimeData(dragged, move, 0, 0, QModelIndex())
    assert not model.canDropMimeData(dragged, move, -1, 0, model.index_of(ids[0]))

    assert model.dropMimeData(dragged, move, 1, 0, dataset)
    assert [item.id for item in demo_session.items] == [ids[0], ids[2], ids[3], ids[1]]
    assert demo_session.project.datasets == ("libri_f",)


def test_what_is_dragged_from_elsewhere_is_refused(model):
    data = QMimeData()
    data.setData(MIME_TYPE, b"\xff\nnobody")
    assert not model.dropMimeData(data, Qt.DropAction.MoveAction, 0, 0, model.index(0, 0))
    assert not model.dropMimeData(QMimeData(), Qt.DropAction.MoveAction, 0, 0, model.index(0, 0))


def test_an_edit_is_for_all_that_are_selected(demo_session, demo):
    ids = [entry.id for entry in demo.entries]
    model = EvidenceModel(demo_session)
    demo_session.select_items(ids[1:3], ids[2])
    assert model.setData(model.index_of(ids[2]), "knows the pool", EvidenceRole.ATTACKER)
    assert [entry.attacker for entry in demo_session.entries] == ["", "knows the pool", "knows the pool", ""]

    assert model.setData(model.index_of(ids[2]), "ECAPA", EvidenceRole.RECOGNISER)
    assert model.setData(model.index_of(ids[2]), "PLDA", EvidenceRole.BACK_END)
    assert [entry.attack for entry in demo_session.entries] == [
        *("", "knows the pool, ECAPA, PLDA", "knows the pool, ECAPA, PLDA", "")
    ]

    assert model.setData(model.index_of(ids[3]), "2", EvidenceRole.RUN)
    assert [item.run for item in demo_session.items] == ["", "", "", "2"]


def test_only_rows_that_say_something_else_are_told(model, demo_session):
    told = []
    model.dataChanged.connect(lambda first, last: told.append((first.data(), first.row(), last.row())))
    demo_session.edits.rename([demo_session.entries[1].id], "other")

    assert [rows for *_, rows in told] == [0, 1]  # the project, and the one item
    assert told[1] == ("other", 1, 1)


def test_rows_say_where_their_names_differ_and_so_do_the_others_when_one_is_renamed(
    model, demo_session, qtbot
):
    ids = [entry.id for entry in demo_session.entries]
    demo_session.edits.rename(ids[1:2], "a rather long name, first")
    assert [row(model, number).data(EvidenceRole.DIFFERS_FROM) for number in range(4)] == [0, 0, 0, 0]
    told = []
    model.dataChanged.connect(lambda first, last, _roles: told.append((first.row(), last.row())))
    demo_session.edits.rename(ids[2:3], "a rather long name, second")
    assert [row(model, number).data(EvidenceRole.DIFFERS_FROM) for number in range(4)] == [0, 20, 20, 0]
    assert (1, 2) in told
