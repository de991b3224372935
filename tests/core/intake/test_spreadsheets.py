"""What spreadsheets, locales and exports do to files: the same figure, a question, a refusal or a remark."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import openpyxl
import pytest

import zebra_core
from zebra_core.evidence.audit import Decision
from zebra_core.intake.planned import Topic
from zebra_core.intake.sorting.plan import plan

Row = tuple[str, str, str, str]


def _rows(decimals: int = 4) -> list[Row]:
    rng = np.random.default_rng(69)
    return [
        (
            f"s{a}",
            f"s{b}-u{n}",
            f"{rng.normal(1.5 * (a == b)):.{decimals}f}",
            "target" if a == b else "nontarget",
        )
        for a in range(6)
        for b in range(6)
        for n in range(3)
    ]


ROWS = _rows()
HEAD = ("enrol", "test", "score", "label")


def table(rows: Sequence[Sequence[str]] = ROWS, head: Sequence[str] = HEAD, mark: str = ",") -> str:
    return "\n".join(mark.join(row) for row in (head, *rows) if row) + "\n"


def read(tmp_path: Path, text: str | bytes, key: str | None = None, **how: object) -> zebra_core.Trials:
    (tmp_path / "s.csv").write_bytes(text.encode() if isinstance(text, str) else text)
    if key is not None:
        (tmp_path / "k.csv").write_text(key)
    trials = zebra_core.read_trials(tmp_path / "s.csv", None if key is None else tmp_path / "k.csv", **how)
    assert isinstance(trials, zebra_core.Trials)
    return trials


def refusal(tmp_path: Path, text: str | bytes, key: str | None = None, **how: object) -> str:
    with pytest.raises(zebra_core.InputError) as caught:
        read(tmp_path, text, key, **how)
    return str(caught.value)


def told(trials: zebra_core.Trials) -> set[str]:
    return {remark.code for remark in trials.remarks}


def same(trials: zebra_core.Trials) -> bool:
    right = [(float(score), label == "target") for *_ids, score, label in ROWS]
    return sorted(zip(trials.score.tolist(), trials.is_target.tolist(), strict=True)) == sorted(right)


def with_commas(rows: Sequence[Row]) -> list[Row]:
    return [(a, b, score.replace(".", ","), label) for a, b, score, label in rows]


# --- rows that do not fit their header ----------------------------------------------------------------------

ORDERS = [(0, 1, 2, 3), (2, 0, 1, 3), (3, 2, 0, 1), (0, 2, 3, 1), (2, 3), (3, 2)]


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_decimal_commas_between_commas_are_named_in_any_order_of_columns(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    rows, head = with_commas(ROWS), [HEAD[n] for n in order]
    said = refusal(tmp_path, table([[row[n] for n in order] for row in rows], head))
    assert f"line 2: this line has {len(order) + 1} fields, but the header has {len(order)}" in said
    assert "decimal commas" in said
    assert same(read(tmp_path, table([[row[n] for n in order] for row in rows], head, ";")))


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 1, 2), (2, 0, 1), (3, 0, 1, 2), (2, 3), (2,)], ids=str)
def test_decimal_commas_between_commas_are_named_without_a_header(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    lines = table([[row[n] for n in order] for row in with_commas(ROWS)]).split("\n", 1)[1]
    assert "decimal commas" in refusal(
        tmp_path, lines, table([(a, b, c) for a, b, _, c in ROWS], HEAD[:2] + HEAD[3:])
    )


@pytest.mark.parametrize("at", range(5))
def test_a_column_without_a_name_is_refused_wherever_it_stands(tmp_path: Path, at: int) -> None:
    rows = [(*row[:at], "0.77", *row[at:]) for row in ROWS]
    assert "line 2: this line has 5 fields, but the header has 4" in refusal(tmp_path, table(rows))


def test_a_header_with_a_name_too_many_is_refused(tmp_path: Path) -> None:
    assert "has 4 fields, but the header has 5" in refusal(tmp_path, table(head=(*HEAD, "channel")))


@pytest.mark.parametrize(("quote", "first"), [("", 1), ('"', 1), ('"', 40)])
def test_row_names_as_r_writes_them_are_left_aside(tmp_path: Path, quote: str, first: int) -> None:
    lines = [(f"{quote}{n}{quote}", *row) for n, row in enumerate(ROWS, first)]
    assert same(read(tmp_path, table(lines)))


def test_whole_scores_under_a_header_that_fits_are_read(tmp_path: Path) -> None:
    rows = [(a, b, f"{100 * float(s):.0f}", str(int(label == "target"))) for a, b, s, label in ROWS]
    trials = read(tmp_path, table(rows, ("enroll", "test", "llr", "target")))
    assert trials.score.tolist() == [float(row[2]) for row in rows]


def test_a_matrix_whose_last_column_has_no_name_is_refused(tmp_path: Path) -> None:
    lines = matrix(RECORDINGS).splitlines()
    text = "\n".join(["id" + lines[0], *(f"{line},7.5" for line in lines[1:])])
    assert "the header has 13" in refusal(tmp_path, text, choices={"speakers": "whole-id"})


def test_other_row_names_are_not_guessed(tmp_path: Path) -> None:
    assert "the header has 4" in refusal(tmp_path, table([(f"r{n % 9}", *row) for n, row in enumerate(ROWS)]))


def test_whole_numbers_as_ids_between_commas_are_ids(tmp_path: Path) -> None:
    """Not every pair of whole numbers is a number that was cut."""
    key = [(a[1:], f"{b[1]}0{b[-1]}", label) for a, b, _, label in ROWS]
    scores = [(a[1:], f"{b[1]}0{b[-1]}", score) for a, b, score, _ in ROWS]
    assert same(read(tmp_path, table(scores, HEAD[:3]), table(key, ("enrol", "test", "label"))))


def test_of_ids_that_are_decimals_it_is_told(tmp_path: Path) -> None:
    """Labels, enrolments, scores and tests without a header, ids whole numbers: no layout has these."""
    rows = [(label, a[1:], score, f"{b[1]}0{b[-1]}") for a, b, score, label in ROWS]
    assert "ids-as-decimals" in told(read(tmp_path, table(rows).split("\n", 1)[1]))


# --- labels and scores under other names --------------------------------------------------------------------

KNOWN = [("WAHR", "FALSCH"), ("VRAI", "FAUX"), ("VERDADERO", "FALSO"), ("TRUE", "FALSE")]
UNKNOWN = [("ja", "nein"), ("SS", "DS"), ("Hp", "Hd"), ("pos", "neg"), ("match", "non-match"), ("2", "1")]
KEY_HEAD = ("enrol", "test", "label")


def relabelled(words: tuple[str, str]) -> list[Row]:
    return [(a, b, score, words[label == "nontarget"]) for a, b, score, label in ROWS]


@pytest.mark.parametrize("words", KNOWN, ids="/".join)
def test_the_words_of_spreadsheets_are_known(tmp_path: Path, words: tuple[str, str]) -> None:
    assert same(read(tmp_path, table(relabelled(words))))


@pytest.mark.parametrize("words", UNKNOWN, ids="/".join)
def test_other_words_are_asked_about_and_then_read(tmp_path: Path, words: tuple[str, str]) -> None:
    rows = relabelled(words)
    said = refusal(tmp_path, table(rows))
    assert all(f"table:{word}" in said for word in words)
    assert same(read(tmp_path, table(rows), choices={"s.csv": f"table:{words[0]}"}))
    key = table([(a, b, label) for a, b, _, label in rows], KEY_HEAD)
    scores = table([row[:3] for row in rows], HEAD[:3])
    assert f"table:{words[0]}" in refusal(tmp_path, scores, key)
    assert same(read(tmp_path, scores, key, choices={"k.csv": f"table:{words[0]}"}))


@pytest.mark.parametrize("words", [("match", "non-match"), ("same", "other")], ids="/".join)
def test_a_line_of_a_list_is_no_header_though_a_word_of_it_names_columns(
    tmp_path: Path, words: tuple[str, str]
) -> None:
    lines = "".join(f"{' '.join(row)}\n" for row in relabelled(words))
    key = "".join(f"{a},{b},{word}\n" for a, b, _, word in relabelled(words))
    assert f"kaldi-key:{words[0]}" in refusal(tmp_path, table([row[:3] for row in ROWS], HEAD[:3]), key)
    assert f"combined:{words[0]}" in refusal(tmp_path, lines)
    assert same(read(tmp_path, lines, choices={"s.csv": f"combined:{words[0]}"}))


def test_a_misspelt_label_is_told_with_its_line(tmp_path: Path) -> None:
    rows = [("s0", "s0-u0", "1.5", "tarrget"), *ROWS[1:]]
    assert "line 2: the label “tarrget”" in refusal(tmp_path, table(rows))


def test_of_scores_under_an_unknown_name_it_is_asked(tmp_path: Path) -> None:
    text = table(head=("enrol", "test", "posterior", "label"))
    assert "table:posterior" in refusal(tmp_path, text)
    assert same(read(tmp_path, text, choices={"s.csv": "table:posterior"}))


def test_a_key_may_have_columns_of_numbers_beside(tmp_path: Path) -> None:
    key = table([(a, b, label, "3.25") for a, b, _, label in ROWS], (*KEY_HEAD, "loudness"))
    assert same(read(tmp_path, table([row[:3] for row in ROWS], HEAD[:3]), key))


def test_labels_under_an_unknown_name_are_asked_about(tmp_path: Path) -> None:
    text = table(relabelled(("1", "0")), ("enrol", "test", "score", "verdict"))
    assert "table:verdict" in refusal(tmp_path, text)
    assert same(read(tmp_path, text, choices={"s.csv": "table:verdict"}))


def test_that_labels_lack_is_said_with_the_names_of_the_columns(tmp_path: Path) -> None:
    said = refusal(tmp_path, table([row[:3] for row in ROWS], ("enrol", "test", "score")))
    assert "By the names of its columns (enrol, test, score)" in said


# --- a matrix of recordings ---------------------------------------------------------------------------------


def matrix(names: Sequence[str], extra: str = "") -> str:
    rng = np.random.default_rng(3)
    score = rng.normal(size=(len(names), len(names)))
    np.fill_diagonal(score, 1.0)
    lines = [",".join([name, *(f"{x:.4f}" for x in row)]) for name, row in zip(names, score, strict=True)]
    return "\n".join([",".join(["", *names]), *lines]) + "\n" + extra


RECORDINGS = [f"p{a}-{n}" for a in range(4) for n in range(3)]


def test_who_speaks_in_a_matrix_of_recordings_is_asked(tmp_path: Path) -> None:
    text = matrix(RECORDINGS)
    assert "--speakers" in refusal(tmp_path, text)
    [question] = plan([tmp_path / "s.csv"]).questions
    assert question.topic is Topic.SPEAKERS


def test_recordings_with_themselves_are_left_out_of_a_matrix_and_counted(tmp_path: Path) -> None:
    utt2spk = tmp_path / "utt2spk"
    utt2spk.write_text("".join(f"{name} {name[:2]}\n" for name in RECORDINGS))
    for said in ("before-hyphen", str(utt2spk)):
        trials = read(tmp_path, matrix(RECORDINGS), choices={"speakers": said})
        assert (trials.n_target, trials.n_nontarget) == (4 * 3 * 2, 12 * 9)
        [left_out] = [one for one in trials.audit.findings if one.code == "self-left-out"]
        assert left_out.facts["count"] == 12
        assert not (trials.score == 1.0).any()


def test_rows_and_columns_of_a_matrix_may_be_people(tmp_path: Path) -> None:
    trials = read(tmp_path, matrix(RECORDINGS), choices={"speakers": "whole-id"})
    assert (trials.n_target, told(trials) >= {"diagonal-is-target"}) == (12, True)


def test_a_row_of_sums_in_a_matrix_is_told(tmp_path: Path) -> None:
    text = matrix(RECORDINGS, ",".join(["Total", *["9.5"] * 12]) + "\n")
    assert "matrix-one-sided" in told(read(tmp_path, text, choices={"speakers": "before-hyphen"}))


# --- values that stand for something else -------------------------------------------------------------------


def with_value(value: str, every: int) -> list[Row]:
    return [(*row[:2], value, row[3]) if n % every == 0 else row for n, row in enumerate(ROWS)]


@pytest.mark.parametrize("value", ["-999", "-1", "0", "1", "100", "0.5"])
def test_a_value_that_stands_in_is_told_and_left_out_only_when_decided(tmp_path: Path, value: str) -> None:
    text = table(with_value(value, 9))
    trials = read(tmp_path, text)
    [finding] = [one for one in trials.audit.findings if one.code.startswith("stand-in")]
    assert (len(trials), finding.facts["count"], finding.facts["value"]) == (108, 12, value)
    assert finding.facts["targets"] == sum(row[3] == "target" for row in ROWS[::9])
    assert finding.lifted_by == (Decision.STAND_IN_SCORES,)
    decided = read(tmp_path, text, allow=["stand-in-scores"])
    assert (len(decided), decided.audit.decisions) == (96, (Decision.STAND_IN_SCORES,))
    assert "stand-ins-left-out" in told(decided)


def test_rounded_scores_stand_for_nothing(tmp_path: Path) -> None:
    rounded = read(tmp_path, table(_rows(1)))
    assert "many-ties" in told(rounded)
    assert not {code for code in told(rounded) if code.startswith("stand-in")}


def test_lost_decimal_points_are_told(tmp_path: Path) -> None:
    lost = [(a, b, score.replace(".", ""), label) for a, b, score, label in ROWS]
    assert told(read(tmp_path, table(lost))) >= {"points-lost", "leading-zeros"}
    some = [row if n % 10 else lost[n] for n, row in enumerate(ROWS)]
    assert "points-lost-in-some" in told(read(tmp_path, table(some)))
    assert not told(read(tmp_path, table())) & {"points-lost", "points-lost-in-some", "leading-zeros"}


def test_ids_that_are_numbers_as_spreadsheets_show_them_are_refused(tmp_path: Path) -> None:
    rows = [(f"1.0{a[1]}E+03", b, score, label) for a, b, score, label in ROWS]
    assert "the id “1.00E+03” is a number as a spreadsheet shows it" in refusal(tmp_path, table(rows))


@pytest.mark.parametrize("line", ["sep=;", '"sep=;"', "SEP=;", "\ufeffsep=;"])
def test_the_line_for_excel_is_passed_over(tmp_path: Path, line: str) -> None:
    assert same(read(tmp_path, f"{line}\r\n{table(with_commas(ROWS), mark=';')}"))


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f"])
def test_blanks_that_do_not_break_are_blanks_beside_a_cell(tmp_path: Path, blank: str) -> None:
    rows = [(f"{a}{blank}", b, f"{blank}{score}{blank}", label) for a, b, score, label in ROWS]
    assert same(read(tmp_path, table(rows)))
    grouped = [(a, b, f"{round(1000 * float(s)):,}".replace(",", "."), label) for a, b, s, label in ROWS]
    assert "points-between-thousands" in told(read(tmp_path, table(grouped)))
    thousands = [("s0", "s0-u0", f"1{blank}234.5", "target"), *ROWS[1:]]
    assert "is not a number" in refusal(tmp_path, table(thousands))


@pytest.mark.parametrize(("column", "code"), [(2, "scores-sorted-alone"), (3, "labels-sorted-alone")])
def test_a_column_that_was_sorted_alone_is_told(tmp_path: Path, column: int, code: str) -> None:
    alone = sorted((row[column] for row in ROWS), key=lambda x: float(x) if column == 2 else x)
    rows = [(*row[:column], cell, *row[column + 1 :]) for row, cell in zip(ROWS, alone, strict=True)]
    assert code in told(read(tmp_path, table(rows)))
    whole = sorted(ROWS, key=lambda row: float(row[2]) if column == 2 else row[3])
    assert code not in told(read(tmp_path, table(whole)))


def test_the_sum_below_a_column_and_blank_lines_in_it_are_told(tmp_path: Path) -> None:
    scores = [row[2] for row in ROWS]
    labels = "\n".join(row[3] for row in ROWS) + "\n"
    total = f"{sum(map(float, scores)):.4f}"
    for cell in ("####", "#WERT!", "#N/A"):
        assert refusal(tmp_path, "\n".join([*scores[:9], cell, *scores[10:]]), labels) != ""
    assert "sum-below" in told(read(tmp_path, "\n".join([*scores, total]), labels + "nontarget\n"))
    assert "blank-lines" in told(read(tmp_path, "\n".join([*scores[:9], "", *scores[9:]]), labels))


def test_a_workbook_says_the_same(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (HEAD, *((a, b, float(score), word == "target") for a, b, score, word in ROWS)):
        book.active.append(row)
    book.save(tmp_path / "s.xlsx")
    trials = zebra_core.read_trials(tmp_path / "s.xlsx")
    assert isinstance(trials, zebra_core.Trials)
    assert same(trials)
