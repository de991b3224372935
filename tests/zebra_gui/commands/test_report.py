"""`zebra report` and `zebra verify` from the shell."""

import gzip
import json
import shutil
import stat
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from click.testing import CliRunner
from docx import Document
from pypdf import PdfReader

import zebra_resources
from tests.core.samples import pdf_text
from zebra_core import project_of_folder
from zebra_core.document.project_file import save_project
from zebra_core.metrics.scales import Tag, TagScale
from zebra_core.project.comparison import difference_tests
from zebra_core.project.demo import demo_project
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.sharing.pseudonymised import keys_folder
from zebra_core.report import verify
from zebra_core.report.pdf import forget_drawn
from zebra_core.report.verification import Verification, VerificationLine, VerificationStatus
from zebra_core.uncertainty.bootstrap import FEWEST_REPLICATES, BootstrapSettings
from zebra_gui.cli import main

CONTEXT_WORDS = """recipients = "One hospital"
access = "public"
other_knowledge = "Old recordings"
motive = "Curiosity"
means = "A day"
domain = "The ward"
people = 17
retention = "Two years"
hears_originals = "Nobody else"
review_on = "2027-01-31"
"""


def run(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(zebra_resources.path("demo"), tmp_path / "in")
    return tmp_path / "in"


@pytest.fixture
def one_safeguard(tmp_path: Path) -> Path:
    """Of the demo's files those of B2, and what goes with them: enough where the demo itself is no matter."""
    demo = zebra_resources.path("demo")
    shutil.copytree(demo / "data", tmp_path / "in" / "data")
    shutil.copytree(demo / "exp" / "B2", tmp_path / "in" / "exp" / "B2")
    return tmp_path / "in"


@pytest.fixture
def two_safeguards(one_safeguard: Path) -> Path:
    """Those of B1w beside them, and the matrices of B2: enough to have differences."""
    demo = zebra_resources.path("demo")
    shutil.copytree(demo / "exp" / "B1w", one_safeguard / "exp" / "B1w")
    shutil.copytree(demo / "similarity", one_safeguard / "similarity", ignore=shutil.ignore_patterns("B1w"))
    return one_safeguard


@pytest.fixture(scope="module")
def whole_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that is made of a project of B2 without intervals, once; the project lies beside it."""
    folder, demo = tmp_path_factory.mktemp("whole"), demo_project()
    items = tuple(item for item in demo.items if item.name == "B2")
    save_project(replace(demo, items=items), folder / "demo.zebra")
    made = run("report", folder / "demo.zebra", "--no-intervals", "-o", folder / "all")
    assert made.exit_code == 0, made.output
    return folder / "all"


@pytest.fixture
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as are enough for a test; verifying draws as many as the report says."""
    few = partial(difference_tests.with_certainty, settings=BootstrapSettings(replicates=FEWEST_REPLICATES))
    monkeypatch.setattr("zebra_core.project.comparison.difference_tests.with_certainty", few)


@pytest.fixture
def verified_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report whose outcome is told twice, in words and as JSON, is verified once."""
    whole, known = verify.verify, {}

    def once(report: Path, *given: object, **more: object):
        if report not in known:
            known[report] = whole(report, *given, **more)
        return known[report]

    monkeypatch.setattr("zebra_core.report.verify.verify", once)


def test_why_pages_were_not_compared_is_said_to_its_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reason = f"The pages are of another version: commit {'0123456789ab'} then, {'ba9876543210'} now."
    pages = VerificationLine("Pages", "printed page", VerificationStatus.NOT_COMPARED, found=reason)
    found = Verification("", (pages,), has_pages=True)
    monkeypatch.setattr("zebra_core.report.verify.verify", lambda *_args, **_options: found)
    done = run("verify", tmp_path / "r.pdf")
    assert done.exit_code == 4
    assert done.stdout.splitlines()[:2] == [
        f"not compared: Pages, printed page. {reason}",
        "Not everything is verified: one not compared. As stated, not checked: who made it (no signature).",
    ]


@pytest.mark.usefixtures("fewer_draws", "verified_once")
def test_a_folder_becomes_a_pdf_that_is_verified(two_safeguards: Path, tmp_path: Path) -> None:
    folder = two_safeguards
    made = run("report", folder, "-o", tmp_path / "r.pdf", "--date", "2026-11-20")
    assert (made.exit_code, made.stdout) == (0, f"{tmp_path / 'r.pdf'}\n")
    found = run("verify", tmp_path / "r.pdf", "--data", folder)
    assert found.exit_code == 0
    assert found.stdout.startswith("All ")
    checked = json.loads(run("verify", tmp_path / "r.pdf", "--data", folder, "--json").stdout)["checked"]
    assert {"trust.intervals", "d_ece_corrected_bits"} <= {one["what"] for one in checked if one["recorded"]}
    assert any(one["about"].startswith("Differences") for one in checked)


def test_the_summary_has_two_pages_and_is_verified_like_the_report(
    two_safeguards: Path, tmp_path: Path
) -> None:
    folder = two_safeguards
    made = run("report", folder, "--no-intervals", "--summary", "-o", tmp_path / "s.pdf")
    assert (made.exit_code, made.stdout) == (0, f"{tmp_path / 's.pdf'}\n")
    assert len(PdfReader(tmp_path / "s.pdf").pages) == 2
    assert run("verify", tmp_path / "s.pdf", "--data", folder).exit_code == 0
    assert run("report", folder, "--summary", "-o", tmp_path / "folder").exit_code == 1


@pytest.mark.parametrize(
    ("out", "told"),
    [("s", "ends in .pdf"), ("taken.pdf", "already exists"), ("taken.pdf/s.pdf", "no folder")],
)
def test_where_it_cannot_be_written_that_is_told_before_anything_is_computed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, told: str
) -> None:
    monkeypatch.setattr(
        "zebra_core.project.comparison.difference_tests.with_certainty", None
    )  # whoever called it would end with status 3
    (tmp_path / "taken.pdf").touch()
    found = run("report", folder, "--summary", "-o", tmp_path / out)
    assert found.exit_code == 1
    assert told in found.stderr
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("command", ["report", "demo"])
def test_a_set_where_there_is_one_already_is_refused_before_anything_is_computed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(
        "zebra_core.project.comparison.difference_tests.with_certainty", None
    )  # whoever called it would end with status 3
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "report.pdf").touch()
    found = run(*(("report", folder, "-o") if command == "report" else ("demo", "--out")), tmp_path / "all")
    assert found.exit_code == 1
    assert "report.pdf already exists" in found.stderr


def test_without_intervals_the_report_says_that_they_are_missing(whole_set: Path) -> None:
    assert "Intervals have not been computed" in (whole_set / "report.md").read_text()


def test_the_same_date_makes_the_same_bytes(one_safeguard: Path, tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        forget_drawn()
        assert (
            run(
                "report", one_safeguard, "--no-intervals", "-o", tmp_path / name, "--date", "2026-11-20"
            ).exit_code
            == 0
        )
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()


def test_a_project_becomes_everything(whole_set: Path) -> None:
    assert (whole_set / "SHA256SUMS").exists()
    again = run("report", whole_set.with_name("demo.zebra"), "--no-intervals", "-o", whole_set)
    assert again.exit_code == 1
    assert "already exists" in again.stderr


@pytest.mark.usefixtures("verified_once")
def test_what_is_not_verified_is_told_line_by_line(one_safeguard: Path, tmp_path: Path) -> None:
    run("report", one_safeguard, "--no-intervals", "-o", tmp_path / "r.pdf")
    scores = next(one_safeguard.glob("exp/B2/*/scores"))
    scores.write_text(scores.read_text().replace(" 1", " 2", 1))
    found = run("verify", tmp_path / "r.pdf", "--data", one_safeguard)
    assert found.exit_code == 4
    assert "file changed: B2 OP" in found.stdout
    assert "Not everything is verified" in found.stdout
    told = json.loads(run("verify", tmp_path / "r.pdf", "--data", one_safeguard, "--json").stdout)
    assert told["verified"] is False
    assert {one["status"] for one in told["checked"]} == {"verified", "file-changed", "not-compared"}


@pytest.mark.parametrize("is_inside", [True, False])
def test_the_report_of_a_project_whose_files_have_gone_is_verified_where_they_are(
    folder: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, is_inside: bool
) -> None:
    key = folder / "data/libri_test_trials_f/trials"
    project = Project(items=arrive([key, *folder.glob("exp/B2/*/scores")]).entries)
    save_project(project, tmp_path / "case.zebra", with_inputs=is_inside)
    there = shutil.move(folder, tmp_path_factory.mktemp("elsewhere"))
    made = run(
        "report", tmp_path / "case.zebra", "--no-intervals", "-o", tmp_path / "r.pdf", "--date", "2026-11-20"
    )
    assert made.exit_code == 0, made.output
    found = run("verify", tmp_path / "r.pdf", "--data", there, "--json")
    checked = json.loads(found.stdout)["checked"]
    # Pages that tell of missing files are not those that can be made where the files are.
    others = {one["status"] for one in checked} - {"verified"}
    assert (found.exit_code, others) == ((0, set()) if is_inside else (4, {"not-compared"})), found.output
    told = {one["what"] for one in checked}
    # Speakers need trials, which are there only where the files are.
    assert any(what.startswith("speakers[") for what in told) is is_inside


def test_an_own_scale_is_told_beside_compare_and_report(one_safeguard: Path, tmp_path: Path) -> None:
    found = project_of_folder(one_safeguard).project
    own = TagScale((Tag("0", 0.0), Tag("OK", 0.0), Tag("B", 9.0)))
    save_project(found.with_scales(own, None), tmp_path / "own.zebra")
    told = "Tags in quotation marks are those of this project’s own scale"
    compared = run("compare", tmp_path / "own.zebra")
    assert "“OK”" in compared.stdout
    assert told in compared.stdout
    assert told in run("compare", tmp_path / "own.zebra", "--json").stderr
    made = run("report", tmp_path / "own.zebra", "-o", tmp_path / "own.pdf", "--summary", "--no-intervals")
    assert told in made.stderr
    assert told in " ".join(pdf_text(tmp_path / "own.pdf").split())


def test_no_report_is_one_sentence(tmp_path: Path) -> None:
    found = run("verify", tmp_path / "none.pdf")
    assert found.exit_code == 1
    assert found.stderr.startswith(
        "zebra: error: “none.pdf”" if "“" in found.stderr else "zebra: error: none.pdf was not found"
    )


def test_the_words_of_the_case_end_the_draft(one_safeguard: Path, tmp_path: Path) -> None:
    case = tmp_path / "case.toml"
    case.write_text(
        'author = "A"\nrequester = "R"\nquestion = "Q?"\nrelevance = "V"\nattacker = "lazy-informed"\n'
        + CONTEXT_WORDS
    )
    drafts = []
    for number, words in enumerate([(), ("--case", case)]):
        out = tmp_path / f"{number}.pdf"
        result = run("report", one_safeguard, "--no-intervals", "-o", out, *words)
        assert result.exit_code == 0, result.output
        pages = pdf_text(out).split("\f")[:-1]
        assert len(pages) == len(PdfReader(out).pages)
        drafts.append([page.count("DRAFT") for page in pages])
    assert all(count > 0 for count in drafts[0])
    assert not any(drafts[1])


def evidence_of(report: Path) -> dict[str, Any]:
    with pikepdf.open(report) as pdf:
        return dict(json.loads(pdf.attachments["evidence.json"].get_file().read_bytes()))


@pytest.mark.parametrize(
    ("words", "one_in"),
    [
        ((), 17),
        (("--among", "33"), 33),
        (("--prior", "500"), 500),
        (("--among", "33", "--prior", "500"), 500),
    ],
    ids=["case", "among", "prior", "both"],
)
def test_the_people_of_the_case_are_the_prior_unless_another_is_given(
    one_safeguard: Path, tmp_path: Path, words: tuple[str, ...], one_in: int
) -> None:
    case, out = tmp_path / "case.toml", tmp_path / "r.pdf"
    case.write_text(CONTEXT_WORDS)
    made = run("report", one_safeguard, "--no-intervals", "-o", out, "--case", case, *words, "--json")
    assert made.exit_code == 0, made.stderr
    found = evidence_of(out)
    people = 33 if "33" in words else 17
    assert {one["settings"]["prior_one_in"] for one in found["assessments"]} == {one_in}
    assert found["context"] == json.loads(made.stdout)["context"]
    assert (found["context"]["access"], found["context"]["review_on"]) == ("public", "2027-01-31")
    assert found["context"]["people"] == people
    among = [one["reidentification"]["among"] for one in found["assessments"]]
    assert [one["people"] for one in among] == [people] * len(among)
    assert [one["linkage"][0]["people"] for one in among] == [people] * len(among)


def test_a_fault_in_the_words_of_the_case_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    case = tmp_path / "case.toml"
    case.write_text('author = "A"\nrequester = R\n')
    result = run("report", folder, "--no-intervals", "-o", tmp_path / "r.pdf", "--case", case)
    assert result.exit_code == 1
    assert "case.toml, line 2: this is not TOML" in result.stderr
    assert not (tmp_path / "r.pdf").exists()


def test_a_report_without_names_comes_with_its_scores_and_its_key(
    one_safeguard: Path, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    out = tmp_path / "out" / "report.pdf"
    made = run("report", one_safeguard, "-o", out, "--without-names", "--no-intervals", "--json")
    assert made.exit_code == 0, made.stderr
    assert "do not share it" in made.stderr
    names = {path.name for path in out.parent.iterdir()}
    assert names == {"report.pdf", "report-scores"}
    key = keys_folder() / "report-codes.json"
    assert str(key) in made.stderr
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    again = run("report", one_safeguard, "-o", tmp_path / "report.pdf", "--without-names", "--no-intervals")
    assert str(keys_folder() / "report-codes-2.json") in again.stderr
    written = json.loads(made.stdout)["written"]
    assert {Path(path).parent for path in written} == {out.parent, out.parent / "report-scores"}


@pytest.mark.parametrize("out", ["report.pdf", "report-scores", "copy.zebra"])
def test_what_is_shared_without_names_is_not_mixed_unasked_with_what_lies_there(
    one_safeguard: Path, tmp_path: Path, out: str
) -> None:
    there = tmp_path / ("copy-scores" if out == "copy.zebra" else "report-scores")
    there.mkdir()
    (there / "Mueller.txt").write_text("mine")
    command = ("copy",) if out == "copy.zebra" else ("report", "--no-intervals")
    words = (*command, one_safeguard, "-o", tmp_path / out, "--without-names", "--codes", tmp_path / "key")
    refused = run(*words)
    assert refused.exit_code == 1
    assert f"{there.name} already exists in" in refused.stderr
    assert [path.name for path in there.iterdir()] == ["Mueller.txt"]
    assert not (tmp_path / "key").exists()
    allowed = run(*words, "--overwrite")
    assert allowed.exit_code == 0, allowed.stderr
    assert (there / "Mueller.txt").read_text() == "mine"


def test_a_requirement_with_a_name_in_it_gets_into_no_report_without_names(
    folder: Path, tmp_path: Path
) -> None:
    scores = next(path for path in folder.rglob("*.gz") if "scores" in path.name)
    speaker = gzip.decompress(scores.read_bytes()).decode().split()[0]
    required = tmp_path / "required.toml"
    required.write_text(
        '[[requirement]]\nname = "enough"\nfigure = "d_ece"\nat_most = 0.7\n'
        f'why = "agreed on {speaker}"\nset_by = "the court"\n'
    )
    (tmp_path / "out").mkdir()
    out = tmp_path / "out" / "report.pdf"
    made = run("report", folder, "-o", out, "--without-names", "--no-intervals", "--require", required)
    assert made.exit_code == 1
    assert "required.toml: a speaker, a recording or a file is named in a requirement" in made.stderr
    assert not list(out.parent.iterdir())


def test_where_the_key_goes_is_asked_of_those_who_want_codes(folder: Path, tmp_path: Path) -> None:
    made = run("report", folder, "-o", tmp_path / "report.pdf", "--codes", tmp_path / "key.json")
    assert made.exit_code == 2
    assert "--without-names" in made.stderr


def test_where_the_report_cannot_be_written_no_scores_and_no_key_stay(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_text("mine")
    made = run("report", folder, "-o", tmp_path / "report.pdf", "--without-names")
    assert made.exit_code != 0
    assert {path.name for path in tmp_path.iterdir()} == {"in", "report.pdf"}


def test_a_copy_without_names_opens_on_its_own_scores(folder: Path, tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    made = run("copy", folder, "-o", tmp_path / "copy.zebra", "--without-names", "--codes", key)
    assert made.exit_code == 0, made.stderr
    assert key.exists()
    assert "matrices" not in made.stderr  # they came along, under codes
    shutil.rmtree(folder)
    compared = run("compare", tmp_path / "copy.zebra", "--json")
    assert compared.exit_code == 0, compared.stderr


def test_a_copy_of_another_kind_is_refused(folder: Path, tmp_path: Path) -> None:
    made = run("copy", folder, "-o", tmp_path / "copy.zip")
    assert made.exit_code != 0
    assert "ends in .zebra" in made.stderr


def test_a_report_in_german_beside_english_sentences_names_its_language(
    one_safeguard: Path, tmp_path: Path
) -> None:
    made = run(
        "report",
        one_safeguard,
        "-o",
        tmp_path / "de.pdf",
        "--summary",
        "--no-intervals",
        "--language",
        "de-AT",
    )
    assert made.exit_code == 0, made.stderr
    pdf = PdfReader(tmp_path / "de.pdf")
    assert pdf.trailer["/Root"]["/Lang"] == "de"
    assert "Die Antwort" in pdf.pages[0].extract_text()
    (evidence,) = pdf.attachments["evidence.json"]
    assert json.loads(evidence)["pages"]["report"]["language"] == "de"


def test_a_report_in_a_language_that_is_not_there_is_refused(folder: Path, tmp_path: Path) -> None:
    made = run("report", folder, "-o", tmp_path / "it.pdf", "--no-intervals", "--language", "it")
    assert made.exit_code == 1
    assert "There are no texts in the language “it”. The languages are: en, de, es, fr." in made.stderr


def test_a_copy_under_codes_can_be_moved_and_says_nothing_of_the_folder_it_was_written_to(
    one_safeguard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrices = Path(__file__).parents[2] / "data" / "similarity" / "other_f"
    shutil.copytree(matrices, one_safeguard / "voices")
    (tmp_path / "Anna-Mueller").mkdir()
    monkeypatch.chdir(tmp_path)
    for key, out in (("one", Path("Anna-Mueller")), ("two", tmp_path / "Anna-Mueller")):
        codes = ("--without-names", "--codes", f"{key}.json", "--overwrite")
        made = run("copy", one_safeguard, "-o", out / "case.zebra", *codes)
        assert made.exit_code == 0, made.stderr
        with zipfile.ZipFile(tmp_path / "Anna-Mueller" / "case.zebra") as packed:
            assert b"Mueller" not in packed.read("project.json")
        shutil.copytree(tmp_path / "Anna-Mueller", tmp_path / "elsewhere", dirs_exist_ok=True)
        compared = run("compare", tmp_path / "elsewhere" / "case.zebra", "--json")
        assert compared.exit_code == 0, compared.stderr
        shutil.rmtree(tmp_path / "elsewhere")
        shutil.rmtree(tmp_path / "Anna-Mueller" / "case-scores")


def test_a_report_is_verified_with_a_project_and_a_changed_file_is_told(
    one_safeguard: Path, tmp_path: Path
) -> None:
    assert run("copy", one_safeguard, "-o", tmp_path / "case.zebra", "--inside").exit_code == 0
    made = run("report", tmp_path / "case.zebra", "--no-intervals", "-o", tmp_path / "report.pdf")
    assert made.exit_code == 0, made.output
    scores = next((one_safeguard / "exp").rglob("scores"))
    with scores.open("a") as file:
        file.write("\n")
    verifying = ("verify", tmp_path / "report.pdf", "--data", tmp_path / "case.zebra")
    assert run(*verifying).exit_code == 0
    changed = run(*verifying, "--data", scores.parent)
    assert changed.exit_code == 4
    told = f"has changed ({scores}); the bytes of the report were found in {tmp_path}/case.zebra › scores."
    assert changed.stdout.splitlines()[0].startswith("another file in its place: ")
    assert told in changed.stdout
    assert "one file has changed, whose bytes were found elsewhere" in changed.stdout
    values = json.loads(run(*verifying, "--data", scores.parent, "--json").stdout)
    assert [one["status"] for one in values["checked"] if one["what"] == "SHA-256"].count(
        "file-replaced"
    ) == 1
    assert not values["verified"]


def test_a_project_says_which_of_its_files_has_changed_while_its_bytes_lie_elsewhere(
    one_safeguard: Path, tmp_path: Path
) -> None:
    assert run("copy", one_safeguard, "-o", tmp_path / "case.zebra").exit_code == 0
    scores = next((one_safeguard / "exp").rglob("scores"))
    shutil.copy(scores, tmp_path / "copy")
    with scores.open("a") as file:
        file.write("\n")
    compared = run("compare", tmp_path / "case.zebra")
    assert compared.exit_code == 0, compared.output
    told = f"zebra: scores has changed since it was read ({scores}). The bytes that were read were found in "
    assert told + str(tmp_path / "copy") in compared.stderr


def test_a_word_file_is_written_with_its_evidence_beside_it_and_this_is_verified(
    one_safeguard: Path, tmp_path: Path
) -> None:
    house = Document()
    house.sections[0].header.paragraphs[0].text = "Chambers of A. Judge"
    house.save(str(tmp_path / "house.docx"))
    made = run(
        *("report", one_safeguard, "--no-intervals", "-o", tmp_path / "r.docx", "--language", "de"),
        *("--template", tmp_path / "house.docx", "--date", "2026-11-20", "--json"),
    )
    assert made.exit_code == 0, made.output
    names = ["r.docx", "r.evidence.json"]
    assert json.loads(made.stdout)["written"] == [str(tmp_path / name) for name in names]
    document = Document(str(tmp_path / "r.docx"))
    assert document.sections[0].header.paragraphs[0].text == "Chambers of A. Judge"
    assert document.core_properties.language == "de-DE"

    again = run("report", one_safeguard, "--no-intervals", "-o", tmp_path / "r.docx")
    assert again.exit_code != 0
    assert "r.docx" in again.stderr

    done = run("verify", tmp_path / "r.docx", "--data", one_safeguard)
    assert done.exit_code == 4  # not all of it: nobody can verify a Word file
    assert done.stdout.startswith(
        "not compared: Report, text and pictures. Anybody can change a Word file: checked was r.evidence.json"
    )
    assert run("verify", tmp_path / "r.evidence.json", "--data", one_safeguard).exit_code == 0


def test_a_word_file_without_names_has_none(one_safeguard: Path, tmp_path: Path) -> None:
    made = run(
        *("report", one_safeguard, "--summary", "--no-intervals", "--without-names"),
        *("--codes", tmp_path / "key.json", "-o", tmp_path / "r.docx"),
    )
    assert made.exit_code == 0, made.output
    assert '"2836"' in (tmp_path / "key.json").read_text(encoding="utf-8")  # who is named most often
    text = "\n".join(one.text for one in Document(str(tmp_path / "r.docx")).paragraphs)
    assert "he strongest attack on " in text
    assert "2836" not in text


def test_a_template_is_for_word_files_alone(one_safeguard: Path, tmp_path: Path) -> None:
    done = run("report", one_safeguard, "-o", tmp_path / "r.pdf", "--template", tmp_path / "t.docx")
    assert done.exit_code == 2
    assert "Give a name that ends in .docx with -o" in done.stderr
