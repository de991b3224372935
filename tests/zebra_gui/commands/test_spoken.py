"""What words give away, on the command line: figures, refusals, the report, and verifying it."""

import json

import pytest
from click.testing import CliRunner

from tests.core.samples import pdf_text
from tests.core.words_case import PEOPLE, written
from zebra_core.report.verification import VerificationStatus
from zebra_core.report.verify import verify
from zebra_gui.cli import main


def zebra(*arguments):
    return CliRunner().invoke(main, [str(one) for one in arguments])


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    return written(tmp_path_factory.mktemp("words") / "case")


@pytest.fixture(scope="module")
def report(case):
    path = case.parent / "report.pdf"
    done = zebra("report", case, "-o", path, "--no-intervals")
    assert done.exit_code == 0, done.output
    return path


def test_transcripts_stand_in_place_of_scores(case):
    done = zebra(
        "assess",
        "--transcripts",
        case / "text",
        "-k",
        case / "trials",
        "--speakers",
        "before-hyphen",
        "--json",
    )
    found = json.loads(done.stdout)

    assert done.exit_code == 0
    assert (found["recogniser"], found["back_end"]) == ("words", "character n-grams")
    assert found["eer"] < 0.2
    assert found["most_exposed"] is not None
    assert any(one.startswith("Scores are computed from words.") for one in found["remarks"])
    assert f"({PEOPLE} speakers)" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Give either scores (-s) or transcripts (--transcripts)."),
        (("-s", "a", "--transcripts", "b"), "Give either scores (-s) or transcripts (--transcripts)."),
        (("--transcripts", "text", "-k", "trials"), "One or two transcripts need a key (-k), and --speakers"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments, sentence):
    done = zebra("assess", *arguments)

    assert done.exit_code == 2
    assert sentence in done.stderr


def test_compare_takes_a_folder_of_transcripts_and_key(case):
    done = zebra("compare", case, "--json")

    [row] = json.loads(done.stdout)["rows"]
    assert "words" in json.dumps(row)
    assert done.exit_code == 0


def test_a_report_says_how_words_were_compared_and_verifying_compares_them_again(case, report, tmp_path):
    said = " ".join(pdf_text(report).split())
    assert "what is said was compared, and no voice" in said
    assert "Scores are computed from words." in said
    moved = written(tmp_path / "elsewhere")
    found = verify(report, [moved])
    assert found.is_verified

    lines = (moved / "text").read_text().replace("p00-0 ", "p00-0 more ")
    (moved / "text").write_text(lines)
    changed = verify(report, [moved])
    assert not changed.is_verified
    assert VerificationStatus.FILE_CHANGED in {one.status for one in changed.checked}
