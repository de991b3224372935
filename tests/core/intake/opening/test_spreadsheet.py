"""Spreadsheets are read sheet by sheet, values only; what a spreadsheet spoilt is told with its row."""

import datetime as dt
import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from zebra_core.errors import InputError
from zebra_core.intake.drop import read_trials
from zebra_core.intake.opening import spreadsheet
from zebra_core.intake.opening.opening import open_all
from zebra_core.intake.sorting.plan import plan, read_planned
from zebra_core.project.arrival import arrive

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
        ("#N/A", "row 2: a cell contains the error #N/A."),
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
