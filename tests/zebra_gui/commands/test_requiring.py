"""`--require` and `--junit`: verdicts in lines, as JSON and as JUnit XML, and the exit status."""

import json
import re
import shutil
from pathlib import Path
from xml.dom.minidom import parseString

import numpy as np
import pytest
from click.testing import CliRunner, Result

import zebra_resources
from tests.core.samples import HOSTILE
from zebra_core.project.requirements.requirement import Requirement
from zebra_core.project.verdicts.verdict import RowVerdict, Verdict, VerdictOutcome
from zebra_core.report.junit import junit_xml, save_junit
from zebra_gui.cli import main

DEMO = zebra_resources.path("demo")
SAFEGUARD = "exp/B2/ASV-libri_test_enrolls-libri_test_trials_f_anon/scores"
UNPROTECTED = "exp/unprotected/ASV-libri_test_enrolls-libri_test_trials_f/scores"
KEY = "data/libri_test_trials_f/trials"
ONE = '[[requirement]]\nname = "{name}"\nfigure = "{figure}"\nat_most = {bound}\n'
MET = ONE.format(name="loose", figure="tag", bound='"F"')
NOT_MET = ONE.format(name="strict", figure="tag", bound='"0"')
OPEN = ONE.format(name="at it", figure="d_ece_bits", bound=0.33)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One safeguard of the demo, and the unprotected speech that shows what there is to be found."""
    folder = tmp_path_factory.mktemp("one") / "run"
    for name in (SAFEGUARD, UNPROTECTED, KEY):
        (folder / name).parent.mkdir(parents=True)
        shutil.copy(DEMO / name, folder / name)
    return folder


def zebra(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments)])


def assess(pair: Path, tmp_path: Path, text: str, *more: object) -> Result:
    path = tmp_path / "req.toml"
    path.write_text(text, encoding="utf-8")
    works = ("--unprotected", pair / UNPROTECTED, "--unprotected-key", pair / KEY)
    return zebra("assess", "-s", pair / SAFEGUARD, "-k", pair / KEY, "--require", path, *works, *more)


def test_a_figure_may_have_its_name_of_before_which_is_told(pair: Path, tmp_path: Path) -> None:
    formerly = OPEN.replace("d_ece_bits", "d_ece")
    done, now = (assess(pair, tmp_path, text, "--json") for text in (formerly, OPEN))
    assert "zebra: d_ece is called d_ece_bits now" in done.stderr
    assert "Where nothing is disclosed, this is met in half of the cases if there are" in done.stderr
    assert "is called" not in now.stderr
    assert done.stdout == now.stdout
    assert json.loads(done.stdout)["verdicts"][0]["figure"] == "d_ece_bits"


def test_without_unprotected_speech_nothing_is_met_and_the_line_says_why(pair: Path, tmp_path: Path) -> None:
    alone = ("assess", "-s", pair / SAFEGUARD, "-k", pair / KEY)
    done = zebra(*alone, "--require", _written(tmp_path, MET))
    assert done.exit_code == 6
    [line] = [line for line in done.stdout.splitlines() if re.search(r"loose \(.+\): not decided", line)]
    assert "no unprotected speech to show that the recogniser works" in line
    done = zebra(*alone, "--unprotected-key", pair / KEY)
    assert done.exit_code == 2
    assert "--unprotected-key belongs to the scores of --unprotected" in done.stderr


@pytest.mark.parametrize(
    ("text", "status"), [(MET, 0), (MET + NOT_MET, 5), (MET + OPEN, 6), (OPEN + NOT_MET, 5)]
)
def test_not_met_comes_before_not_decided(pair: Path, tmp_path: Path, text: str, status: int) -> None:
    done = assess(pair, tmp_path, text, "--bootstrap", 100)
    assert done.exit_code == status, done.output
    assert done.stdout.count("\n  ") >= text.count("[[")


def test_it_says_line_by_line_why(pair: Path, tmp_path: Path) -> None:
    told = assess(pair, tmp_path, MET + NOT_MET).stdout
    assert re.search(r"Requirements\n  loose \(.+\): met on these trials. ", told)
    assert re.search(r"\n  strict \(.+\): not met on these trials. ", told)


def test_json_has_the_verdicts_with_their_rows(pair: Path, tmp_path: Path) -> None:
    done = assess(pair, tmp_path, MET + NOT_MET, "--json")
    found = json.loads(done.stdout)["verdicts"]
    assert [(each["name"], each["verdict"]) for each in found] == [("loose", "met"), ("strict", "not-met")]
    (row,) = found[1]["rows"]
    assert row["verdict"] == "not-met"
    assert "on these trials" in row["reason"]
    assert found[0]["recorded"] == "not-shown"


def test_what_is_wrong_with_the_file_is_one_sentence_and_nothing_else_happens(
    pair: Path, tmp_path: Path
) -> None:
    done = assess(pair, tmp_path, ONE.format(name="a", figure="x", bound=1), "-e", "png", "-o", tmp_path)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith(
        "zebra: error: req.toml, line 3: No requirement can be set for “x”"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["req.toml"]


def test_a_scope_that_matches_nothing_is_at_fault(pair: Path, tmp_path: Path) -> None:
    done = zebra("compare", pair, "--require", _written(tmp_path, MET + 'datasets = ["vctk"]\n'))
    assert done.exit_code == 1
    assert "line 5: “loose” applies to nothing here: there is no assessment of “vctk”" in done.stderr


def test_what_could_not_be_read_comes_before_every_verdict(pair: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(pair, folder)
    broken = folder / SAFEGUARD.replace("B2", "B9")
    broken.parent.mkdir(parents=True)
    broken.write_text((folder / SAFEGUARD).read_text(encoding="utf-8") + "a b c\n", encoding="utf-8")
    done = zebra("compare", folder, "--require", _written(tmp_path, NOT_MET))
    assert re.search(r"strict \(.+\): not met", done.stdout)
    assert done.exit_code == 1


@pytest.mark.parametrize(("text", "status"), [(MET, 0), (NOT_MET, 5)])
def test_with_nothing_to_compare_verdicts_decide_and_what_could_not_be_compared_is_told(
    pair: Path, tmp_path: Path, text: str, status: int
) -> None:
    done = zebra("compare", pair, "--bootstrap", 20, "--require", _written(tmp_path, text))
    assert done.exit_code == status, done.output
    assert done.stderr.count("nothing to compare") == 1


def test_junit_goes_with_requirements(pair: Path, tmp_path: Path) -> None:
    done = zebra("assess", "-s", pair / SAFEGUARD, "-k", pair / KEY, "--junit", tmp_path / "j.xml")
    assert done.exit_code == 2
    assert "--junit writes the verdicts of --require" in done.stderr


def test_junit_is_written_and_an_earlier_one_replaced_but_no_other_file(pair: Path, tmp_path: Path) -> None:
    junit = tmp_path / "j.xml"
    for _ in range(2):
        assert assess(pair, tmp_path, MET + NOT_MET, "--junit", junit).exit_code == 5
    suites = parseString(junit.read_text(encoding="utf-8")).documentElement  # noqa: S318 - our own
    assert [suites.getAttribute(name) for name in ("tests", "failures", "errors")] == ["2", "1", "0"]
    (failure,) = suites.getElementsByTagName("failure")
    assert "without a confidence" in failure.getAttribute("message")
    junit.write_text("notes", encoding="utf-8")
    done = assess(pair, tmp_path, MET, "--junit", junit)
    assert done.exit_code == 1
    assert junit.read_text(encoding="utf-8") == "notes"


def test_names_of_the_worst_kind_are_escaped_in_junit(tmp_path: Path) -> None:
    found = [
        Verdict(
            Requirement((text.strip() and text[:200]) or "x", "d_ece_bits", 0.1, why=text),
            (
                RowVerdict("id", text, VerdictOutcome.NOT_MET, text, 0.5),
                RowVerdict("id", text, VerdictOutcome.NOT_DECIDED, text),
            ),
        )
        for text in (*HOSTILE.values(), ']]>&"<\x0b')
    ]
    document = parseString(junit_xml(found))  # noqa: S318 - our own
    assert len(document.getElementsByTagName("failure")) == len(found)
    assert save_junit(found, tmp_path / "j.xml").read_bytes() == junit_xml(found)


def test_a_report_ends_with_the_same_status_and_says_so_as_json(pair: Path, tmp_path: Path) -> None:
    asked = _written(tmp_path, NOT_MET)
    done = zebra("report", pair, "-o", tmp_path / "r.pdf", "--no-intervals", "--require", asked, "--json")
    assert done.exit_code == 5, done.output
    found = json.loads(done.stdout)
    assert [Path(path).name for path in found["written"]] == ["r.pdf"]
    assert [each["verdict"] for each in found["verdicts"]] == ["not-met"]


def _written(folder: Path, text: str) -> Path:
    path = folder / "asked.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_badly_trained_attacker_is_found_out(pair: Path, tmp_path: Path) -> None:
    """Who protects the enrolment as well can do all that the ignorant one can; his scores are noise here."""
    folder = tmp_path / "run"
    shutil.copytree(pair, folder)
    noise = folder / SAFEGUARD.replace("enrolls-", "enrolls_anon-")
    noise.parent.mkdir(parents=True)
    rng = np.random.default_rng(1)
    trials = [line.split()[:2] for line in (pair / SAFEGUARD).read_text(encoding="utf-8").splitlines()]
    lines = (
        f"{one} {other} {score:.6f}\n"
        for (one, other), score in zip(trials, rng.normal(size=len(trials)), strict=True)
    )
    noise.write_text("".join(lines), encoding="utf-8")
    asked = _written(tmp_path, MET + 'conditions = ["PP"]\n')
    done = zebra("compare", folder, "--require", asked, "--json")
    assert done.exit_code == 6, done.output
    (verdict,) = json.loads(done.stdout)["verdicts"]
    (row,) = verdict["rows"]
    assert (verdict["verdict"], row["verdict"]) == ("not-decided", "not-decided")
    assert "lazy-informed" in row["reason"]
    assert "badly trained" in row["reason"]


def test_who_attacks_is_said_where_no_folder_does(pair: Path, tmp_path: Path) -> None:
    scope = MET + 'attackers = ["semi-informed"]\n'
    said = ("--attacker", "Semi informed", "--recogniser", "ECAPA", "--back-end", "PLDA")
    done = assess(pair, tmp_path, scope, "--json", *said)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [found[key] for key in ("attacker", "recogniser", "back_end")] == [
        "semi-informed",
        "ECAPA",
        "PLDA",
    ]
    assert assess(pair, tmp_path, scope).exit_code == 1
