"""The table of files: a well-behaved model, cell by cell."""

import pytest
from PySide6.QtCore import Qt

from zebra_gui.tables.files import FilesModel, FileState, rows_of_entry


@pytest.fixture
def model(demo):
    model = FilesModel(with_states=False)
    model.put(rows_of_entry(demo.entries[1]))
    return model


@pytest.mark.parametrize("with_states", [False, True])
def test_it_behaves_like_a_model(qtmodeltester, demo, with_states):
    model = FilesModel(with_states=with_states)
    model.put(rows_of_entry(demo.entries[1]))
    qtmodeltester.check(model)


def test_the_cells(model):
    def cell(column, role=Qt.ItemDataRole.DisplayRole):
        return model.data(model.index(1, column), role)

    headings = [model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())]
    assert headings == ["File", "Taken for", "Rows", "Written as", "Bytes", "SHA-256"]
    assert [cell(n) for n in range(6)] == [
        "trials",
        "key (enrol test label)",
        "9\u202f828",
        "UTF-8, blanks between columns, LF",
        "322\u202f596",
        "e0027c39a054",
    ]
    assert "e0027c39a054c9aef01a39a1d47f70f3babe4af2ae78d2ccb43762632c039d4e" in cell(
        5, Qt.ItemDataRole.ToolTipRole
    )
    assert cell(2, Qt.ItemDataRole.AccessibleTextRole) == "Rows: 9\u202f828"


def test_the_same_files_again_keep_the_selection(qtbot, model, demo):
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        model.put(rows_of_entry(demo.entries[1]))


def test_every_state_has_a_sign_and_a_word(model):
    from dataclasses import replace

    words = {replace(model.rows[0], state=state).state_in_words for state in FileState}
    assert len(words) == len(FileState)
    assert all(len(word.split()) >= 2 for word in words)
