"""Every table is copied in the same ways, with its heads."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from zebra_gui.models.rows import Column, RowsModel
from zebra_gui.tables.rows import FactGrid, RowsTable, Sideways

ROWS = [("B2 & <co>", "=0.5"), ("B1w", "0.25")]


class _Shown(RowsModel):
    def __init__(self, parent):
        super().__init__(
            (
                Column("Safeguard", lambda row: row[0]),
                Column("D_ECE", lambda row: row[1], is_number=True),
                Column("Hidden", lambda _row: "secret"),
            ),
            parent,
        )


@pytest.fixture
def table(qtbot):
    made = RowsTable("A table")
    qtbot.addWidget(made)
    shown = _Shown(made)
    made.setModel(shown)
    shown.put(ROWS)
    made.setColumnHidden(2, True)
    return made


@pytest.fixture
def grid(qtbot):
    made = FactGrid()
    qtbot.addWidget(made)
    made.show_table(("Safeguard", "D_ECE"), ROWS)
    return made


def copied(widget, entry):
    """What is on the clipboard after an entry of the menu was chosen: text and HTML."""
    assert widget.contextMenuPolicy() is Qt.ContextMenuPolicy.ActionsContextMenu
    QGuiApplication.clipboard().setText("before")
    next(action for action in widget.actions() if action.text() == entry).trigger()
    found = QGuiApplication.clipboard().mimeData()
    return found.text(), found.html()


@pytest.mark.parametrize("kind", ["table", "grid"])
def test_a_letter_gets_a_table_and_a_spreadsheet_cells_that_are_no_formulas(request, kind):
    text, html = copied(request.getfixturevalue(kind), "Copy the table")
    assert text == "Safeguard\tD_ECE\nB2 & <co>\t'=0.5\nB1w\t0.25\n"
    assert '<th align="left">Safeguard</th><th align="right">D_ECE</th>' in html
    assert '<td align="left">B2 &amp; &lt;co&gt;</td>' in html
    assert "secret" not in html


@pytest.mark.parametrize("kind", ["table", "grid"])
def test_sources_are_copied_as_text(request, kind):
    widget = request.getfixturevalue(kind)
    assert copied(widget, "Copy as Markdown")[0].startswith("| Safeguard | D_ECE |\n| --- | ---: |\n")
    assert copied(widget, "Copy as HTML")[0].startswith("<table border=")
    text, html = copied(widget, "Copy as LaTeX")
    assert "\\begin{tabular}{lr}" in text
    assert r"B2 \& \textless{}co\textgreater{} & =0.5 \\" in text
    assert html == ""


def test_selected_rows_are_copied_alone(table):
    table.selectRow(1)
    assert copied(table, "Copy the table")[0] == "Safeguard\tD_ECE\nB1w\t0.25\n"


def test_without_rows_the_clipboard_keeps_what_it_has(table, grid):
    table.model().put([])
    grid.forget()
    assert copied(table, "Copy the table")[0] == "before"
    assert copied(grid, "Copy as LaTeX")[0] == "before"


def test_the_last_row_of_a_table_is_whole_whatever_frame_a_style_draws_around_it(qtbot):
    table = FactGrid(wraps=True)
    area = Sideways(table)
    qtbot.addWidget(area)
    area.setStyleSheet("QScrollArea { border: 1px solid red }")
    table.show_table(("Measured", "B2"), [("Strongest comparison", "8.7 to 1\nborne out")], ("meaning",))
    area.resize(500, 300)
    area.show()
    qtbot.waitExposed(area)
    assert area.verticalScrollBar().maximum() == 0


def test_a_long_text_beside_a_short_name_has_the_room_that_is_left(qtbot):
    """The risk that is most linked, beside guessing: its ends in one line."""
    table = FactGrid(wraps=True)
    qtbot.addWidget(table)
    ends = "100 of 100 (0 … 100, each end at 95 %)"
    rows = [("Most linked: 8 of 63 people, every time", ends, "11 of 100")]
    table.show_table(("Asked", "How often", "By guessing"), rows, ("meaning",))
    table.resize(900, 200)
    assert table.heightForWidth(900) < 3 * table.fontMetrics().height()
