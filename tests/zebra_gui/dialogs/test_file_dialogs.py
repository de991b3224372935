"""The dialogs for files where the desktop has none: a selected row can be read, and nothing is cut."""

import pytest
from PySide6.QtCore import QItemSelectionModel, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QTreeView

from tests.contrast import contrast
from zebra_gui.widgets.theme import DARK, LIGHT, ThemeChoice


def asked(window, look):
    """What `look` finds of the dialog and its table, once the files of the folder are listed."""
    found = []

    def look_at_it():
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        table = dialog.findChild(QTreeView)
        if not table.model().rowCount(table.rootIndex()):
            QTimer.singleShot(20, look_at_it)
            return
        found.append(look(dialog, table))
        dialog.reject()

    QTimer.singleShot(50, look_at_it)
    window.dialogs.ask_files()
    return found[0]


@pytest.fixture
def window_beside_a_file(window, tmp_path):
    (tmp_path / "B1w_scores.txt").write_text("1089 a 0.5\n")
    window.dialogs.begin_in(tmp_path)
    return window


def colours_of_selected_row(_dialog, table):
    first = table.model().index(0, 0, table.rootIndex())
    flags = QItemSelectionModel.SelectionFlag
    table.selectionModel().select(first, flags.ClearAndSelect | flags.Rows)
    QApplication.processEvents()
    row = table.visualRect(first).adjusted(24, 0, 0, 0)  # without its icon
    image = table.viewport().grab(row).toImage()
    pixels = [image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())]
    paper = max(set(pixels), key=pixels.count)
    return paper, max(contrast(ink, paper) for ink in set(pixels))


@pytest.mark.parametrize(
    ("choice", "colours"), [(ThemeChoice.LIGHT, LIGHT), (ThemeChoice.DARK, DARK)], ids=["light", "dark"]
)
def test_a_selected_row_is_seen_and_can_be_read(window_beside_a_file, choice, colours):
    window_beside_a_file.theme.choose(choice)
    paper, most = asked(window_beside_a_file, colours_of_selected_row)
    assert paper.upper() == colours.selected
    assert most >= 4.5


def columns_that_cut(_dialog, table):
    metrics = table.fontMetrics()
    shown = {1: "12.25 KiB", 2: "plain text document", 3: "27 Nov 2026 07:03:45"}
    cut = [
        text
        for place, text in shown.items()
        if metrics.horizontalAdvance(text) > table.columnWidth(place) - 8
    ]
    width = sum(map(table.columnWidth, range(4)))
    return cut, width <= table.viewport().width() + 2


def test_size_kind_and_time_have_the_room_of_their_words(window_beside_a_file):
    cut, fits = asked(window_beside_a_file, columns_that_cut)
    assert cut == []
    assert fits
