"""Spreadsheets are read sheet by sheet, values only; what a spreadsheet spoilt is told with its row."""

import datetime as dt
import io
import re
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.styles import Color, Font, PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from zebra_core.errors import InputError
from zebra_core.intake.drop import read_trials
from zebra_core.intake.opening import spreadsheet
from zebra_core.intake.opening.opening import open_all
from zebra_core.intake.sorting.plan import plan, read_planned
from zebra_core.project.reading.arrival import arrive

SCORES = [("enrolment", "test", "score"), (1089, "1089-1-2", 2.5), (1089, "237-3-4", -1.25), ("a", "b", 0.1)]
KEY = [(1089, "1089-1-2", "target"), (1089, "237-3-4", "nontarget"), ("a", "b", "nontarget")]


def book(path: Path, **sheets: list[tuple[object, ...]]) -> Path:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


def test_a_sheet_is_lines_with_tabs_and_numbers_are_read_again_as_they_are(tmp_path):
    path = book(tmp_path / "scores.xlsx", Scores=[*SCORES, ("x", "y", 1e-17), ("x", "z", 1 / 3)])
    (file,) = open_all(path)
    assert file.source.member == "Scores"
    assert file.content.decode().splitlines() == [
        "enrolment\ttest\tscore",
        "1089\t1089-1-2\t2.5",
        "1089\t237-3-4\t-1.25",
        "a\tb\t0.1",
        "x\ty\t1e-17",
        f"x\tz\t{1 / 3!r}",
    ]


def test_scores_and_key_on_two_sheets_of_one_file_are_assessed(tmp_path):
    path = book(tmp_path / "case.xlsx", Scores=SCORES, Key=KEY, Empty=[])
    (planned,) = plan([path]).assessments
    trials = read_planned(planned)
    assert sorted(trials.score.tolist()) == [-1.25, 0.1, 2.5]
    assert trials.score[trials.is_target].tolist() == [2.5]


def test_scores_in_a_spreadsheet_and_a_key_as_text(tmp_path):
    (tmp_path / "trials").write_text("".join(" ".join(map(str, row)) + "\n" for row in KEY))
    trials = read_trials(book(tmp_path / "scores.xlsx", Scores=SCORES), tmp_path / "trials")
    assert trials.n_target == 1


def test_a_formula_is_the_value_that_was_saved_and_is_never_computed(tmp_path):
    path = book(tmp_path / "scores.xlsx", Scores=[("a", "b", "=1+1"), ("a", "c", 1.5)])
    (file,) = open_all(path)
    assert file.content == b"a\tb\na\tc\t1.5\n"  # this one was never opened by a program that computes


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        (dt.date(2026, 2, 1), "row 2: a cell contains the date 2026-02-01 00:00:00. Spreadsheets turn ids"),
        ("#REF!", "row 2: a cell contains the error #REF!. Correct it in the spreadsheet"),
    ],
)
def test_what_a_spreadsheet_spoilt_is_told_with_sheet_and_row(tmp_path, cell, sentence):
    path = book(tmp_path / "scores.xlsx", Scores=[("a", "b", 1.0), (cell, "c", 1.5)])
    with pytest.raises(InputError) as raised:
        open_all(path)
    assert f"scores.xlsx, sheet “Scores”, {sentence}" in str(raised.value)


def test_a_broken_one_is_a_sentence(tmp_path):
    path = book(tmp_path / "scores.xlsx", Scores=SCORES)
    whole = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(whole) as good, zipfile.ZipFile(path, "w") as broken:
        for name in good.namelist():
            broken.writestr(name, good.read(name) if "sheet1" not in name else b"<worksheet><sheetData>")
    with pytest.raises(InputError) as raised:
        open_all(path)
    assert raised.value.code == "spreadsheet-broken"
    assert "scores.xlsx is a spreadsheet that cannot be read" in str(raised.value)


def test_entities_of_xml_are_not_blown_up(tmp_path):
    path = book(tmp_path / "scores.xlsx", Scores=SCORES)
    whole = io.BytesIO(path.read_bytes())
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE b [<!ENTITY l0 "ha">{laughs}]><worksheet>&l9;</worksheet>'
    with zipfile.ZipFile(whole) as good, zipfile.ZipFile(path, "w") as broken:
        for name in good.namelist():
            broken.writestr(name, good.read(name) if "sheet1" not in name else bomb)
    with pytest.raises(InputError):
        open_all(path)


def test_one_that_unpacks_too_well_is_asked_about(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/workbook.xml", b"<workbook/>")
        packed.writestr("xl/worksheets/sheet1.xml", bytes(100 << 20))
    with pytest.raises(InputError) as raised:
        open_all(path)
    assert raised.value.code == "unpacks-too-much"


def test_a_sheet_that_claims_cells_without_end_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheet, "MOST_CELLS", 100_000)
    path = book(tmp_path / "scores.xlsx", Scores=SCORES)
    whole = io.BytesIO(path.read_bytes())
    rows = "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 20))
    size = '<dimension ref="A1:XFD1048576"/>'
    wide = f'<worksheet xmlns="{_MAIN}">{size}<sheetData>{rows}</sheetData></worksheet>'
    with zipfile.ZipFile(whole) as good, zipfile.ZipFile(path, "w") as made:
        for name in good.namelist():
            made.writestr(name, good.read(name) if "sheet1" not in name else wide)
    with pytest.raises(InputError) as raised:
        open_all(path)
    assert "sheet “Scores” has more than 100\u202f000 cells." in str(raised.value)


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def test_sheets_that_are_not_used_are_told_beside_the_figures(tmp_path):
    notes, ages = [("made by", "Mr X on a Monday")], [("speaker", "age"), ("x", 44)]
    path = book(tmp_path / "case.xlsx", Scores=SCORES, Key=KEY, Notes=notes, Ages=ages, Empty=[])
    (planned,) = plan([path]).assessments
    assert [str(finding) for finding in planned.findings] == [
        "case.xlsx has 2 more sheets, of which nothing was used: Ages, Notes."
    ]
    (entry,) = arrive([path]).entries
    assert "sheets-left-out" in [remark.code for remark in entry.remarks]


def test_a_workbook_whose_sheets_are_all_used_has_no_such_note(tmp_path):
    (planned,) = plan([book(tmp_path / "case.xlsx", Scores=SCORES, Key=KEY)]).assessments
    assert planned.findings == ()


def test_a_sheet_that_nobody_named_is_called_as_its_workbook(tmp_path):
    (tmp_path / "trials").write_text("".join(" ".join(map(str, row)) + "\n" for row in KEY))
    books = [book(tmp_path / f"{name}.xlsx", Sheet1=SCORES) for name in ("alpha", "beta")]
    made = plan([*books, book(tmp_path / "gamma.xlsx", McAdams=SCORES), tmp_path / "trials"])
    assert [one.name for one in made.assessments] == ["alpha", "beta", "McAdams"]


def looked_through(path: Path) -> str:
    (file,) = open_all(path)
    return "; ".join(str(finding) for finding in file.findings)


def patched(path: Path, member: str, change: Callable[[str], str]) -> Path:
    whole = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(whole) as good, zipfile.ZipFile(path, "w") as made:
        for name in good.namelist():
            content = good.read(name)
            made.writestr(name, change(content.decode()) if name == member else content)
    return path


def changed(path: Path, change: Callable[[Worksheet], object]) -> Path:
    made = openpyxl.load_workbook(path)
    change(made.worksheets[0])
    made.save(path)
    return path


def styled(rows: Iterable[int], **styles: object) -> Callable[[Worksheet], None]:
    def change(sheet: Worksheet) -> None:
        for row in rows:
            for name, style in styles.items():
                setattr(sheet.cell(row, 3), name, style)

    return change


def grouped(sheet: Worksheet) -> None:
    sheet.row_dimensions[2].hidden = sheet.row_dimensions[900].hidden = True  # the second has no cells
    sheet.column_dimensions["B"].hidden = sheet.column_dimensions["ZZ"].hidden = True


WHITE = PatternFill("solid", fgColor="FFFFFFFF")
BLACK = PatternFill("solid", fgColor="FF000000")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (styled([]), ""),
        (lambda sheet: setattr(sheet, "sheet_state", "hidden"), "the sheet is hidden"),
        (lambda sheet: setattr(sheet, "sheet_state", "veryHidden"), "the sheet is hidden"),
        (grouped, "row 2 is hidden; column B is hidden"),
        (styled([3], font=Font(strike=True)), "struck-out text in row 3"),
        (
            styled([2, 4], font=Font(color="FFFFFFFF")),
            "text that cannot be seen in 2 rows, the first is row 2",
        ),
        (styled([2], font=Font(color=Color(theme=0))), "text that cannot be seen in row 2"),
        (styled([2], font=Font(color="FFFFFFFF"), fill=WHITE), "text that cannot be seen in row 2"),
        (styled([2], font=Font(color="FFFFFFFF"), fill=BLACK), ""),
        (styled([2], fill=BLACK), "text that cannot be seen in row 2"),
        (styled([2], number_format=";;;"), "text that cannot be seen in row 2"),
        (styled([2], number_format='"0.00"'), "text that cannot be seen in row 2"),
        (styled([2], number_format='0.00" bit";-0.00'), ""),
        (styled([2], number_format="[Red]General"), ""),
        (styled([9], font=Font(strike=True)), ""),  # an empty cell
    ],
)
def test_what_a_person_sees_otherwise_is_told_and_the_values_stay(tmp_path, change, told):
    path = book(tmp_path / "scores.xlsx", Scores=SCORES, Notes=[("made", "by hand")])
    before = open_all(path)[0].content
    file, _ = open_all(changed(path, change))
    assert file.content.strip() == before.strip()
    prefix = "scores.xlsx, sheet “Scores”: the saved value of every cell was read, but "
    prefix += "whoever opens the sheet may see something else: "
    assert [str(finding) for finding in file.findings] == ([f"{prefix}{told}."] if told else [])


def test_formulas_are_told_with_their_row(tmp_path):
    path = book(tmp_path / "scores.xlsx", Scores=SCORES)
    formula = re.compile(r'<c r="C([34])" t="n"><v>')
    rand = patched(
        path, "xl/worksheets/sheet1.xml", lambda xml: formula.sub(r'<c r="C\1"><f>RAND()</f><v>', xml)
    )
    assert looked_through(rand).endswith("something else: formulas in 2 rows, the first is row 3.")
    assert open_all(rand)[0].content.decode().splitlines()[2] == "1089\t237-3-4\t-1.25"


def test_rows_and_columns_without_height_and_width_are_hidden(tmp_path):
    path = book(tmp_path / "scores.xlsx", Scores=SCORES)
    columns = '<cols><col min="2" max="3" width="0"/></cols><sheetData>'
    path = patched(path, "xl/worksheets/sheet1.xml", lambda xml: xml.replace("<sheetData>", columns))
    path = patched(
        path, "xl/worksheets/sheet1.xml", lambda xml: re.sub('<row r="([34])"', r'<row ht="0" r="\1"', xml)
    )
    told = "2 hidden rows, the first is row 3; 2 hidden columns, the first is column B."
    assert looked_through(path).endswith(told)


@pytest.mark.filterwarnings("ignore:Unknown extension")
def test_formulas_of_conditional_formats_are_none_of_its_cells(tmp_path):
    path = book(tmp_path / "scores.xlsx", Scores=SCORES)
    office = "http://schemas.microsoft.com/office/excel/2006/main"
    extra = f'<extLst><ext uri="u" xmlns:xm="{office}"><xm:f>A1</xm:f></ext></extLst>'
    change = patched(
        path, "xl/worksheets/sheet1.xml", lambda xml: xml.replace("</worksheet>", f"{extra}</worksheet>")
    )
    assert looked_through(change) == ""


def test_columns_hidden_a_million_times_end(tmp_path):
    path = book(tmp_path / "scores.xlsx", Scores=SCORES)
    columns = '<col min="1" max="999999999" hidden="1"/>' * 100_000
    many = patched(
        path,
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace("<cols>", "").replace("<sheetData>", f"<cols>{columns}</cols><sheetData>"),
    )
    assert looked_through(many).endswith("3 hidden columns, the first is column A.")


def test_what_a_person_sees_otherwise_stands_beside_the_figures(tmp_path):
    path = changed(book(tmp_path / "case.xlsx", Scores=SCORES, Key=KEY), styled([3], font=Font(strike=True)))
    trials = read_planned(plan([path]).assessments[0])
    assert [finding.code for finding in trials.audit.findings] == ["sheet-unseen"]
    (tmp_path / "list").write_text("".join(" ".join(map(str, row)) + "\n" for row in SCORES[1:]))
    key = changed(
        book(tmp_path / "key.xlsx", Key=KEY), lambda sheet: setattr(sheet.row_dimensions[1], "hidden", True)
    )
    read = read_trials(tmp_path / "list", key)
    assert "row 1 is hidden" in str(next(one for one in read.audit.findings if one.code == "sheet-unseen"))
