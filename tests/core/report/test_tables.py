"""The results as CSV, Markdown and TeX."""

import csv
import io
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.core.challenge_case import challenge, expected_of
from tests.core.samples import HOSTILE, demo, project_of
from zebra_core.figures.lettering import in_inter, width_in_points
from zebra_core.project.comparison.columns import COLUMNS, column
from zebra_core.project.comparison.comparison import Comparison, compare
from zebra_core.project.comparison.row import ComparisonGroup
from zebra_core.project.items import Condition
from zebra_core.project.project import Project
from zebra_core.project.report_settings import Paper
from zebra_core.report.document import Cell, TableBlock, TableColumn
from zebra_core.report.layout import GAP, TABLE_SIZE, TEXT_WIDTHS, column_widths
from zebra_core.report.tables import (
    escape_markdown,
    heads_of,
    is_same_csv,
    pairs_table,
    results_csv,
    results_markdown,
    shown_cells,
    tab_separated,
    tex_table,
)
from zebra_core.wording.texts import harmless_cell, speaking

OF_THE_TOOLKIT = [
    "System",
    "Gender",
    "Dataset",
    "Task",
    "ROCCH-EER [%]",
    "ZEBRA Population [bit]",
    "ZEBRA Individual",
    "ZEBRA Category",
    "Cllr",
    "min Cllr",
]


def hostile() -> Comparison:
    project = project_of(*HOSTILE.values())
    worst = (
        replace(entry, dataset=entry.name, attacker=entry.name, run=entry.name) for entry in project.entries
    )
    return compare(Project(items=tuple(worst)))


def test_csv_begins_with_the_columns_of_the_toolkit_as_it_rounds_them() -> None:
    rows = list(csv.DictReader(io.StringIO(results_csv(compare(challenge())))))
    assert list(rows[0])[:10] == OF_THE_TOOLKIT
    b2 = next(row for row in rows if (row["System"], row["Gender"], row["Task"]) == ("B2", "f", "o-a"))
    assert [b2[head] for head in OF_THE_TOOLKIT] == [
        "B2", "f", "other", "o-a", "18.88", "0.365", "1.380", "B", "14.45", "0.49",
    ]  # fmt: skip


def test_csv_ends_with_ours_unrounded() -> None:
    comparison = compare(challenge())
    rows = list(csv.DictReader(io.StringIO(results_csv(comparison))))
    for row, compared in zip(rows, comparison.rows, strict=True):
        expected = expected_of(compared.entry)
        for name in ("d_ece_bits", "worst_case_log10_lr", "rocch_eer", "cllr_bits", "min_cllr_bits"):
            assert float(row[name]) == pytest.approx(expected[name], abs=1e-10)
        assert row["attacker"] == compared.group.attacker
    assert rows[0]["rank"] == rows[0]["de_id"] == rows[0]["wer"] == ""


def test_csv_has_the_keys_of_the_command_line() -> None:
    rows = list(csv.DictReader(io.StringIO(results_csv(compare(demo())))))
    assert [row["System"] for row in rows] == ["unprotected", "B1w", "B2", "B2r"]
    found = demo().entries[2].assessment
    assert float(rows[2]["d_ece_bits"]) == found.d_ece_bits
    assert float(rows[2]["cllr_bits"]) == found.cllr_bits
    assert rows[2]["tag"] == "C"
    hits = [rows[2][name] for name in ("hits_at_0_01", "hits_at_0_001", "hits_at_0_0001")]
    assert hits == [str(found.hits_at[0.01]), str(found.hits_at[0.001]), ""]
    assert list(rows[0])[10:14] == ["attacker", "recogniser", "back_end", "n_target"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "\r\n"])
def test_no_cell_is_a_formula(name: str) -> None:
    assert harmless_cell(name) == "'" + name


@pytest.mark.parametrize("name", ["B2", "a=b", "", "100 %", "  spaces"])
def test_ordinary_cells_stay_as_they_are(name: str) -> None:
    assert harmless_cell(name) == name


def test_every_column_of_figures_is_in_csv_and_frames_under_its_key() -> None:
    """One that shows another figure once more, such as a share, has no key of its own."""
    comparison = compare(demo())
    keys = {one.key for one in COLUMNS if not one.is_text} - {"share", "tag", "trials"}
    assert keys <= {*next(csv.reader(io.StringIO(results_csv(comparison))))}
    assert keys - {"cross_fitted_worst_case_log10_lr"} <= {*comparison.to_frame().columns}


def test_no_cell_of_csv_is_an_object() -> None:
    head, *rows = csv.reader(io.StringIO(results_csv(compare(demo()))))
    assert not [cell for row in rows for cell in row if "{" in cell]
    assert {"reversed_d_ece_bits", "cross_fitted_worst_case_log10_lr"} <= {*head}


def test_csv_keeps_names_of_the_worst_kind() -> None:
    comparison = compare(project_of(*HOSTILE.values()))
    rows = list(csv.reader(io.StringIO(results_csv(comparison), newline="")))
    assert [row[0].removeprefix("'") for row in rows[1:]] == list(HOSTILE.values())


def test_markdown() -> None:
    lines = results_markdown(compare(demo())).splitlines()
    assert lines[0].startswith(
        "| System | Gender | Dataset | Task | Attacker | Rank | D_ECE as computed (bit) | of full |"
    )
    assert lines[4].startswith("| B2 |  |  | o-a | – | 2, not tested | 0.205 | 28 % | 2.4 | C |")
    assert len({line.count(" | ") for line in lines}) == 1


def test_headings_are_in_the_language_where_they_are_words_and_codes_where_programs_read_them() -> None:
    english = results_csv(compare(demo()))
    with speaking("fr"):
        lines = results_markdown(compare(demo())).splitlines()
        assert lines[0].startswith("| Système | Sexe | Jeu de données | Tâche | Attaquant | Rang |")
        assert " | 0,205 | 28 % | 2,4 | C |" in lines[4]
        assert results_csv(compare(demo())) == english


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("<img src=x>", r"\<img src=x>"),
        ("[a](http://b) *c* _d_ `e` $f$", r"[a\](http\://b) \*c\* \_d\_ \`e\` \$f\$"),
        ("www.example.org me@example.org", r"www\.example.org me\@example.org"),
        (r"\input{x} \{", r"\\input{x} \\{"),
        (r"\begin{x} [a]{=tex} `x`{=tex}", r"\\begin{x} [a\]{=tex} \`x\`{=tex}"),
        ("A: D_ECE [1, 2] & B > 5, 2 * 3, #4, up! @ me", "A: D_ECE [1, 2] & B > 5, 2 * 3, #4, up! @ me"),
        ("&amp; &#38; :smile: AT&T; 12:30", r"\&amp; \&#38; \:smile: AT\&T; 12:30"),
        ("libri_test_f _x_ a__b", r"libri_test_f \_x\_ a\_\_b"),
        ("plain, text (1.5)", "plain, text (1.5)"),
    ],
)
def test_markdown_is_escaped(text: str, escaped: str) -> None:
    assert escape_markdown(text) == escaped


def test_a_row_stays_one_row_whatever_the_name() -> None:
    assert len(results_markdown(hostile()).splitlines()) == 2 + len(HOSTILE)
    every = [shown_cells(COLUMNS, row) for row in hostile().rows]
    lines = tab_separated(heads_of(COLUMNS), every).splitlines()
    assert {line.count("\t") for line in lines} == {len(COLUMNS) - 1}
    assert len(lines) == 1 + len(HOSTILE)


def test_tabs_for_the_clipboard() -> None:
    chosen = [column(code) for code in ("name", "d_ece", "tag", "de_id", "g_vd", "trials")]
    rows = [shown_cells(chosen, row) for row in compare(demo()).rows[:2]]
    assert tab_separated(heads_of(chosen), rows) == (
        "Safeguard\tD_ECE as computed (bit)\tTag\tDeID\tG_VD\tTrials\n"
        "unprotected\t0.678\t≥ C\t–\t–\t156 / 9\u202f672\n"
        "B1w\t0.037\tA\t92 %\t−4.2 dB\t156 / 9\u202f672\n"
    )


def test_nothing_on_the_clipboard_is_a_formula() -> None:
    chosen = heads_of([column("name"), column("c_ece")])
    lines = tab_separated(chosen, [("=1+1", "-0.5"), ("-x", "−0.5")]).splitlines()
    assert lines[1:] == ["'=1+1\t-0.5", "'-x\t−0.5"]


def test_a_tex_table_of_chosen_columns() -> None:
    chosen = [column("name"), column("d_ece")]
    rows = [shown_cells(chosen, row) for row in compare(demo()).rows]
    assert tex_table(heads_of(chosen), [rows[:1], rows[1:2]]) == (
        "% Needs: \\usepackage{booktabs}\n\\begin{tabular}{lr}\n\\toprule\n"
        "Safeguard & D\\_ECE as computed (bit) \\\\\n\\midrule\nunprotected & 0.678 \\\\\n"
        "\\midrule\nB1w & 0.037 \\\\\n\\bottomrule\n\\end{tabular}\n"
    )


def test_every_column_has_its_words() -> None:
    for one in COLUMNS:
        assert one.head
        assert one.meaning.endswith(".")


def test_pairs_for_elsewhere_say_in_the_language_whom_they_are_about() -> None:
    group = ComparisonGroup("libri_f", Condition.OP, "lazy-informed")
    pair = SimpleNamespace(cells=("EER",))
    with speaking("de"):
        heads, rows = pairs_table(group, [pair])  # type: ignore[list-item]
    assert [head.head for head in heads[:3]] == ["Datensatz", "Bedingung", "Angreifer"]
    assert rows == [("libri_f", "OP", "träge informiert", "EER")]


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        (b"name,x\nB1,0.10000000000000002\n", True),
        (b"name,x\nB1,0.100001\n", False),
        (b"name,x\nB2,0.1\n", False),
        (b"name,x\nB1,0.1,\n", False),
        (b"name,x\nB1,0.1\nB1,0.1\n", False),
        (b"name,x\nB1,0.10000000000000003 \n", False),
        ("name,x\nB1,0.\u06610000000000000003\n".encode(), False),
        (b'name,x\n"B1",0.10000000000000002\n', False),
        (b"name,x\r\nB1,0.10000000000000002\r\n", False),
        (b"name,x\nB1,\xff\n", False),
        (b"", False),
    ],
)
def test_two_tables_are_the_same_but_for_the_last_digits_of_numbers(other, is_same):
    assert is_same_csv(b"name,x\nB1,0.1\n", b"name,x\nB1,0.1\n")
    assert is_same_csv(other, b"name,x\nB1,0.1\n") is is_same


def test_where_a_table_is_too_wide_short_figures_keep_their_room_and_long_texts_wrap() -> None:
    figure = "11\u00a0% … 34\u00a0%"
    row = (*[Cell("words that go on and on in this column of the table")] * 5, Cell(figure), Cell(figure))
    widths = column_widths(TableBlock((TableColumn(""),) * 7, (row,)), Paper.A4)
    assert sum(widths) + 6 * GAP == pytest.approx(TEXT_WIDTHS[Paper.A4])
    assert len(set(widths[:5])) == 1
    assert min(widths[5:]) >= width_in_points(in_inter(figure), TABLE_SIZE)
