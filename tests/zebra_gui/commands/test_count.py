"""`zebra count`: what is said of the file that is made to be sent."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from zebra_gui.cli import main

LINES = "enrol,test,score,label\na,b,1,target\na,c,0,nontarget\na,d,0,nontarget\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("both.csv").write_text(LINES)
    return tmp_path


def said(*given: str) -> list[str]:
    done = CliRunner().invoke(main, ["count", *given, "-o", "counts.parquet"])
    return done.output.splitlines()


def test_what_the_counts_hold_is_said(folder) -> None:
    assert said("-s", "both.csv")[-1] == (
        "counts.parquet holds the columns score, targets, nontargets, with 2 different scores of 3 trials, "
        "and the names of what was counted: both.csv. Whoever gets it can read all these scores."
    )


def test_how_many_files_a_path_means_and_where_a_link_led_is_said(folder) -> None:
    Path("more.csv").write_text(LINES.replace("a,", "e,"))
    where = str(folder.resolve())
    shown = where if len(where) <= 64 else where[:40]
    [told] = [line for line in said("-s", "./*.csv") if "means" in line]
    assert told.startswith(f"“./*.csv” means 2 files in {shown}")
    Path("called").symlink_to(folder)
    [told] = [line for line in said("-s", "called/both.csv", "--overwrite") if "means" in line]
    assert told.startswith(f"“called/both.csv” means one file in {shown}")


@pytest.mark.parametrize(
    ("score", "sentence", "decision"),
    [
        ("nan", "One score of both.csv is not a number, that of a d.", "nan-scores"),
        ("inf", "One score of both.csv is infinite, that of a d.", "infinite-scores"),
    ],
)
def test_scores_that_are_no_numbers_are_refused_until_they_are_allowed(
    folder, score, sentence, decision
) -> None:
    Path("both.csv").write_text(LINES.replace("a,d,0", f"a,d,{score}"))
    [refused] = said("-s", "both.csv")
    assert sentence in refused
    assert f"--allow {decision}" in refused
    assert not Path("counts.parquet").exists()
    assert "with 3 different scores of 3 trials" in said("-s", "both.csv", "--allow", decision)[-1]


@pytest.mark.parametrize("speakers", ["utt2spk", "before-hyphen"])
def test_who_speaks_is_a_file_of_any_name_or_a_rule(folder, speakers) -> None:
    Path("scores").write_text("x x-1 1\nx y-1 0\ny x-1 0\ny z-1 0\n")
    Path("trials").write_text("x x-1 target\nx y-1 nontarget\ny x-1 nontarget\ny z-1 nontarget\n")
    Path("utt2spk").write_text("x-1 x\ny-1 y\nz-1 z\n")
    given = ("-s", "scores", "-k", "trials", "--by-speaker", "codes.csv", "--speakers", speakers)
    assert "pairs of 3 speakers" in said(*given)[1]
    assert [line.partition(",")[2] for line in Path("codes.csv").read_text().splitlines()[1:]] == [*"xyz"]
