"""Verifying: good, altered and incomplete reports are told apart, figure by figure."""

import copy
import datetime as dt
import hashlib
import io
import json
import re
import shutil
import unicodedata
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pikepdf
import pytest

import zebra_resources
from tests.core.samples import CONTEXT, demo, demo_material, pdf_text, project_of
from zebra_core.document.project_file import open_project, save_project
from zebra_core.errors import InputError
from zebra_core.evidence.audit import Answers
from zebra_core.metrics.assessment import ScoreMeaning, reassess
from zebra_core.project.arranging import with_ticks
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.gathering.robustness import with_robustness
from zebra_core.project.items import SimilarityEntry
from zebra_core.project.project import Project
from zebra_core.project.reading.arrival import arrive
from zebra_core.project.reading.reading import evidence_of, read_similarity
from zebra_core.project.report_settings import ReportSettings
from zebra_core.project.requirements.requirement import Requirement, RequirementDetail
from zebra_core.project.verdicts.measuring import with_bounds
from zebra_core.report.evidence import as_bytes, evidence
from zebra_core.report.export import make_report, save_report
from zebra_core.report.verification import VerificationStatus
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of, voices_trust_of
from zebra_core.version import versions
from zebra_core.wording.texts import say, speaking

DATE = dt.date(2026, 11, 20)
VERSIONS = versions()
EVERYTHING = "everything in it, made again"
SIMILARITY = Path(__file__).parents[2] / "data" / "similarity"
SCORES = "exp/B2/ASV-libri_test_enrolls-libri_test_trials_f_anon/scores"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of the demo's files, to be changed."""
    shutil.copytree(zebra_resources.path("demo"), tmp_path / "data")
    return tmp_path / "data"


def two() -> Project:
    """The demo with two of its four assessments, where these show all: each is computed again."""
    return demo().without([entry.id for entry in demo().entries[2:]])


@pytest.fixture(scope="module")
def made_report(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return save_report(
        demo_material(), tmp_path_factory.mktemp("made") / "report.pdf", date=DATE
    ).read_bytes()


@pytest.fixture
def report(made_report: bytes, tmp_path: Path) -> Path:
    """A copy of the one report of the demo, to be changed."""
    (tmp_path / "report.pdf").write_bytes(made_report)
    return tmp_path / "report.pdf"


def written(made: object, folder: Path) -> Path:
    path = folder / "evidence.json"
    path.write_bytes(as_bytes(made))
    return path


def counts(found) -> Counter:
    return Counter(one.status for one in found.checked)


def with_attachment(report: Path, change) -> None:
    """Put altered evidence into the PDF."""
    with pikepdf.open(report, allow_overwriting_input=True) as pdf:
        spec = pdf.attachments["evidence.json"]
        content = change(spec.get_file().read_bytes())
        pdf.attachments["evidence.json"] = pikepdf.AttachedFileSpec(pdf, content, filename="evidence.json")
        pdf.save(report)


def test_a_good_report_is_verified_wherever_its_files_lie(report: Path, data: Path) -> None:
    moved = data.parent / "elsewhere" / "deep"
    moved.mkdir(parents=True)
    for number, path in enumerate(sorted(path for path in data.rglob("*") if path.is_file())):
        path.rename(moved / f"file{number}")
    found = verify(report, [moved.parent])
    assert found.is_verified
    assert set(counts(found)) == {VerificationStatus.VERIFIED}
    names = {(one.about, one.what) for one in found.checked}
    assert {("B2 OP", "d_ece_bits"), ("B2 OP", "profile.min_bits"), ("B2 OP", "speakers[150]")} <= names
    assert (
        found.summary == f"All {len(found.checked)} figures, files and pages are those of the evidence. "
        "As stated, not checked: names and date, which side was protected, choices about files, "
        "who made it (no signature). Differs from the standard report: no intervals."
    )


def test_an_altered_digit_in_the_attachment_is_told_as_that_figure(report: Path, data: Path) -> None:
    figure = repr(demo().entries[2].assessment.eer)
    other = figure[:8] + str((int(figure[8]) + 1) % 10) + figure[9:]
    with_attachment(report, lambda content: content.replace(figure.encode(), other.encode()))
    found = verify(report, [data])
    assert not found.is_verified
    wrong = [
        (one.about, one.what, one.status)
        for one in found.checked
        if one.status is not VerificationStatus.VERIFIED
    ]
    assert wrong[0] == ("Report", "attachment evidence.json", VerificationStatus.DIFFERS)
    assert ("B2 OP", "eer", VerificationStatus.DIFFERS) in wrong
    figures = {"Report", "B2 OP", "The evidence"}  # all others are of the PDF, which was saved again
    assert {about for about, _, _ in wrong} - figures >= {"The file itself"}


def test_an_altered_last_digit_is_told_by_the_seal(report: Path, data: Path) -> None:
    figure = repr(demo().entries[2].assessment.cllr_bits)
    other = figure[:-1] + str((int(figure[-1]) + 1) % 10)
    with_attachment(report, lambda content: content.replace(figure.encode(), other.encode()))
    found = verify(report, [data])
    assert not found.is_verified
    assert found.checked[0].status is VerificationStatus.DIFFERS


def test_an_altered_file_is_told_as_changed(report: Path, data: Path) -> None:
    with (data / SCORES).open("a") as file:
        file.write("\n")
    found = verify(report, [data])
    assert not found.is_verified
    (file,) = (
        one
        for one in found.checked
        if one.what == "SHA-256" and one.status is not VerificationStatus.VERIFIED
    )
    assert (file.status, file.found) == (VerificationStatus.FILE_CHANGED, str(data / SCORES))
    assert {one.status for one in found.checked if one.about == "B2 OP"} == {VerificationStatus.FILE_CHANGED}
    assert {one.status for one in found.checked if one.about == "B1w OP"} == {VerificationStatus.VERIFIED}


def test_a_missing_file_is_told_as_missing(report: Path, data: Path) -> None:
    (data / SCORES).unlink()
    found = verify(report, [data])
    assert not found.is_verified
    assert {one.status for one in found.checked if one.about == "B2 OP"} == {VerificationStatus.FILE_MISSING}
    assert set(counts(found)) == {
        VerificationStatus.VERIFIED,
        VerificationStatus.FILE_MISSING,
        VerificationStatus.NOT_COMPARED,
    }
    assert "without their file" in found.summary


def test_figures_that_rest_on_no_file_cannot_be_verified(tmp_path: Path) -> None:
    path = written(evidence(gather(project_of("a")), DATE, VERSIONS), tmp_path)
    found = verify(path)
    assert not found.is_verified
    assert counts(found).keys() == {VerificationStatus.FILE_MISSING, VerificationStatus.NOT_COMPARED}
    assert counts(found)[VerificationStatus.NOT_COMPARED] == 1  # the evidence as a whole


def test_files_are_looked_for_beside_the_report(data: Path) -> None:
    path = written(evidence(demo_material(two()), DATE, VERSIONS), data)
    assert verify(path).is_verified


def test_choices_decisions_and_archives_are_followed(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "key").write_text("a x target\na y nontarget\nb x nontarget\nb z target\n")
    (folder / "scores").write_text("a x -2\na y nan\nb x 1\nb z -0.5\n")
    place = str(folder / "scores")
    answers = Answers(allowed={place: ("nan-scores", "lower-is-more-alike")})
    archive = Path(shutil.make_archive(str(tmp_path / "all"), "zip", folder))
    answers = replace(answers, allowed={**answers.allowed, f"{archive} › scores": answers.allowed[place]})
    for source in (folder, archive):
        arrival = arrive([source], answers)
        (entry,) = arrival.entries
        path = written(evidence(gather(Project().with_items(entry)), DATE, VERSIONS), tmp_path)
        assert verify(path, [tmp_path]).is_verified, source


def _swapped(a: str, b: str) -> tuple[str, str]:
    return b, a


OTHERWISE_IN_KEY = {
    "swapped-columns": _swapped,
    "ignore-composition": lambda a, b: (unicodedata.normalize("NFD", a), b),
    "ignore-encoding": lambda a, b: (a.encode().decode("cp1252"), b),
    "ignore-quotes": lambda a, b: (f"'{a}'", f"'{b}'"),
    "ignore-sides": lambda a, b: (a, f"{b}:a"),
    "lower-is-more-alike": lambda a, b: (a, b),
    "self-comparisons": lambda a, b: (a, b),
}


@pytest.mark.parametrize("decision", OTHERWISE_IN_KEY)
def test_a_report_that_rests_on_a_decision_is_verified_after_saving(tmp_path: Path, decision: str) -> None:
    rng = np.random.default_rng(5)
    folder = tmp_path / "in"
    folder.mkdir()
    people = [f"é{k}" for k in range(4)]
    models = [f"{one}-{k}" for one in people for k in (0, 1)] if decision == "self-comparisons" else people
    trials = [(a, f"{b}-{k}", a[:2] == b) for a in models for b in people for k in (0, 1)]
    sign = -1 if decision == "lower-is-more-alike" else 1
    rows = [(a, b, sign * (rng.normal() + 3 * same), same) for a, b, same in trials]
    (folder / "scores").write_text("".join(f"{a} {b} {s:.4f}\n" for a, b, s, _ in rows), encoding="utf-8")
    of_key = ((*OTHERWISE_IN_KEY[decision](a, b), same) for a, b, _, same in rows)
    key = "".join(f"{a} {b} {'target' if same else 'nontarget'}\n" for a, b, same in of_key)
    (folder / "key").write_text(key, encoding="utf-8")
    answers = Answers(allowed={str(folder / "scores"): (decision,)})
    (entry,) = arrive([folder], answers).entries
    save_project(Project().with_items(entry), tmp_path / "p.zebra")
    project = open_project(tmp_path / "p.zebra").project
    assert [str(one.value) for one in project.entries[0].audit.decisions] == [decision]
    made = evidence(gather(project), DATE, VERSIONS)
    assert decision in as_bytes(made).decode()
    assert verify(written(made, tmp_path), [tmp_path]).is_verified


def test_findings_are_the_same_whatever_their_files_are_called_by_now(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "key").write_text("a x target\na y nontarget\nb x nontarget\nb z target\nc z target\n")
    (folder / "scores").write_text("a x 2\na y nan\nb x -1\nb z 0.5\n")
    allowed = {str(folder / "scores"): ("nan-scores", "key-lines-without-score")}
    (entry,) = arrive([folder], Answers(allowed=allowed)).entries
    path = written(evidence(gather(Project().with_items(entry)), DATE, VERSIONS), tmp_path)
    (folder / "key").rename(folder / "who")
    (folder / "scores").rename(folder / "what")
    assert verify(path, [folder]).is_verified


def test_a_file_that_is_called_like_a_figure_alters_none(
    recorded: dict[str, object], data: Path, tmp_path: Path
) -> None:
    """Its name stood for the one in the evidence, wherever that was part of a sentence."""
    values = copy.deepcopy(recorded)
    (key,) = [one for one in values["inputs"] if one["name"].endswith("trials")]  # type: ignore[attr-defined]
    (lies,) = [path for path in data.rglob("trials") if path.stat().st_size == key["size"]]
    figure = re.search(r"\d\.\d+ bit", values["checks"][0]["text"])  # type: ignore[index]
    assert figure
    lies.rename(lies.with_name(figure[0]))
    key["name"] = "0.00 bit"
    for one in (values["checks"][0], *values["checks"][0]["cases"]):  # type: ignore[index]
        one["text"] = one["text"].replace(figure[0], key["name"])
    found = verify(written(values, tmp_path), [data])
    (line,) = [one for one in found.checked if one.status is not VerificationStatus.VERIFIED]
    assert "checks[0].text" in line.found


def test_evidence_at_a_prior_is_verified_at_it(data: Path, tmp_path: Path) -> None:
    made = evidence(gather(two().at_prior(20)), DATE, VERSIONS)
    assert verify(written(made, tmp_path), [data]).is_verified
    for recorded in made["assessments"]:
        recorded["settings"]["prior_one_in"] = 30
    wrong = [one for one in verify(written(made, tmp_path), [data]).checked if one.what == "prior_one_in"]
    assert {one.status for one in wrong} == {VerificationStatus.DIFFERS}


def stating(people: int) -> Project:
    """Two assessments with a whole context and so many people in question."""
    return replace(two(), report=ReportSettings(**CONTEXT)).among(people)


def test_a_report_with_a_context_is_verified_with_its_pages(data: Path, tmp_path: Path) -> None:
    report = save_report(gather(stating(17)), tmp_path / "r.pdf", date=DATE)
    found = verify(report, [data])
    assert found.is_verified
    (among, *_) = [one for one in found.checked if one.what == "reidentification.among"]
    assert among.status is VerificationStatus.VERIFIED


def test_a_report_of_stated_llrs_is_verified_with_its_pictures(data: Path, tmp_path: Path) -> None:
    entry = demo().entries[2]
    settings = replace(entry.assessment.settings, score_meaning=ScoreMeaning.NATURAL_LLR)
    stated = replace(entry, assessment=reassess(entry.assessment, settings))
    report = save_report(gather(Project("", (stated,))), tmp_path / "r.pdf", date=DATE)
    found = verify(report, [data])
    assert found.is_verified
    assert {"dev_pav_log10", "invariance_low_log10_lr", "invariance_high_log10_lr"} <= {
        one.what for one in found.checked
    }


def test_another_context_than_the_pages_say_and_other_linking_differ(data: Path, tmp_path: Path) -> None:
    made = json.loads(as_bytes(evidence(gather(stating(17)), DATE, VERSIONS)))
    made["context"]["recipients"] = "Anybody"
    made["assessments"][1]["reidentification"]["among"]["linkage"][0]["probability"] = 0.01
    wrong = [
        one
        for one in verify(written(made, tmp_path), [data]).checked
        if one.status is VerificationStatus.DIFFERS
    ]
    assert [one.what for one in wrong] == ["reidentification.among", EVERYTHING]
    assert "context.recipients" in wrong[1].found


def test_a_made_up_reading_differs(data: Path, tmp_path: Path) -> None:
    made = evidence(demo_material(two()), DATE, VERSIONS)
    made["assessments"][0]["reversed"]["d_ece_bits"] = 0.5
    made["assessments"][0]["cross_fitted"]["strongest_for_log10_lr"] = 0.5
    wrong = [
        one.what
        for one in verify(written(made, tmp_path), [data]).checked
        if one.status is VerificationStatus.DIFFERS
    ]
    assert wrong == ["reversed.d_ece_bits", "cross_fitted.strongest_for_log10_lr", EVERYTHING]


def test_a_made_up_figure_differs(data: Path, tmp_path: Path) -> None:
    made = evidence(demo_material(two()), DATE, VERSIONS)
    made["assessments"][0]["tag"] = "A"
    made["assessments"][1]["speakers"].append({**made["assessments"][1]["speakers"][0], "speaker": "nobody"})
    found = verify(written(made, tmp_path), [data])
    wrong = {
        (one.about, one.what, one.recorded, one.found)
        for one in found.checked
        if one.status is VerificationStatus.DIFFERS
    }
    told = {("unprotected OO", "tag"), ("B1w OP", "speakers[nobody]"), ("The evidence", EVERYTHING)}
    assert {row[:2] for row in wrong} == told
    assert ("unprotected OO", "tag", "A", "C") in wrong


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "evidence-not-json"),
        (b"[" * 100_000, "evidence-not-json"),
        (b'{"schema": 1, "schema": {"name": "zebra-evidence", "version": 1}}', "evidence-not-json"),
        (b"[]", "evidence-of-nothing"),
        (b'{"schema": {"name": "zebra-evidence", "version": 2}}', "evidence-version"),
        (b'{"schema": {"name": "zebra-evidence", "version": 1}}', "evidence-broken"),
        (b"%PDF-1.7\n garbage", "report-broken"),
    ],
)
def test_what_is_no_evidence_is_refused_in_a_sentence(content: bytes, code: str, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(content)
    with pytest.raises(InputError) as raised:
        verify(tmp_path / "report.pdf")
    assert raised.value.code == code
    assert str(raised.value)


def test_a_figure_that_stands_there_twice_is_not_verified_by_its_second(data: Path, tmp_path: Path) -> None:
    made = as_bytes(evidence(demo_material(), DATE, VERSIONS))
    twice = made.replace(b'"d_ece_bits":', b'"d_ece_bits": 0.01, "d_ece_bits":', 1)
    (tmp_path / "evidence.json").write_bytes(twice)
    with pytest.raises(InputError, match=r"contains no readable JSON: a field occurs twice\. Give"):
        verify(tmp_path / "evidence.json", [data])


def of_nothing(values: dict[str, object]) -> dict[str, object]:
    """Evidence without anything to compute again; the schema allows that."""
    lists = {name: [] for name, value in values.items() if isinstance(value, list)}
    return {**values, **lists, "pages": {**values["pages"], "kinds": [], "colours": []}}


def test_evidence_of_nothing_at_all_is_not_verified(tmp_path: Path) -> None:
    made = of_nothing(evidence(demo_material(), DATE, VERSIONS))
    found = verify(written(made, tmp_path), [tmp_path])
    assert not found.is_verified
    assert [one.found for one in found.checked] == ["It contains nothing that could be verified."]


def test_pages_over_evidence_of_nothing_are_not_verified(report: Path, tmp_path: Path) -> None:
    """With a seal of its own, such evidence had nothing but verified lines, whatever the pages said."""
    with_attachment(report, lambda content: json.dumps(of_nothing(json.loads(content))).encode())
    with pikepdf.open(report, allow_overwriting_input=True) as pdf:
        digest = hashlib.sha256(pdf.attachments["evidence.json"].get_file().read_bytes()).hexdigest()
        pdf.docinfo["/Keywords"] = pikepdf.String(f"evidence-sha256:{digest}")
        pdf.save(report)
    seal, *others = verify(report, [tmp_path]).checked
    assert seal.status is VerificationStatus.VERIFIED
    assert {(one.about, one.status) for one in others} == {
        ("The evidence", VerificationStatus.NOT_COMPARED),
        ("Pages", VerificationStatus.NOT_COMPARED),
    }


def test_what_stands_for_the_version_forges_no_line_of_ours(tmp_path: Path) -> None:
    made = evidence(demo_material(), DATE, VERSIONS)
    made["schema"]["version"] = "2\x1b[31m\u202e\nzebra: All 49 checks are verified" + "!" * 1000
    with pytest.raises(InputError) as raised:
        verify(written(made, tmp_path))
    assert "schema version 2\\x1b[31m\\u202e\\nzebra: All 49" in str(raised.value)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 300


def test_a_pdf_without_evidence_is_refused(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(stream)
    (tmp_path / "other.pdf").write_bytes(stream.getvalue())
    with pytest.raises(InputError, match="nothing to verify"):
        verify(tmp_path / "other.pdf")


def test_inputs_that_are_not_there_cannot_be_referred_to(tmp_path: Path) -> None:
    made = json.loads(as_bytes(evidence(demo_material(), DATE, VERSIONS)))
    made["assessments"][0]["inputs"] = [99]
    with pytest.raises(InputError, match="inputs"):
        verify(written(made, tmp_path), [tmp_path])


def test_a_folder_that_is_none_is_refused(report: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a folder"):
        verify(report, [tmp_path / "nowhere"])


def test_intervals_are_drawn_again_from_their_seed(data: Path, tmp_path: Path) -> None:
    entry = demo().entries[2]
    assert entry.trials is not None
    measured = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20, seed=11))
    project = Project("", (replace(entry, measured=measured),))
    made = json.loads(as_bytes(evidence(gather(project), DATE, VERSIONS)))
    found = verify(written(made, tmp_path), [data])
    assert found.is_verified
    assert ("B2 OP", "trust.intervals") in {(one.about, one.what) for one in found.checked}
    made["assessments"][0]["trust"]["intervals"]["eer"][0] -= 0.01
    found = verify(written(made, tmp_path), [data])
    assert [one.what for one in found.checked if one.status is VerificationStatus.DIFFERS] == [
        "trust.intervals",
        EVERYTHING,
    ]


def test_similarity_matrices_are_computed_again(tmp_path: Path) -> None:
    folder = tmp_path / "B1"
    folder.mkdir()
    segments = [f"{who}-{k}" for who in ("amy", "bob", "cat") for k in range(3)]
    (folder / "utt2spk").write_text("".join(f"{name} {name[:3]}\n" for name in segments))
    rng = np.random.default_rng(3)
    for setting in ("oo", "op"):
        lines = [
            f"{a} {b} {rng.normal() + 3.0 * (a[:3] == b[:3]):.4f}\n"
            for a in segments
            for b in segments
            if a < b
        ]
        (folder / f"scores_{setting}").write_text("".join(lines))
    voices = read_similarity(oo=folder / "scores_oo", op=folder / "scores_op", speakers=folder / "utt2spk")
    places = {
        f"{topic}:{folder / name}": choice
        for name, setting in (("scores_oo", "oo"), ("scores_op", "op"))
        for topic, choice in (("reading", "kaldi-scores"), ("setting", setting))
    }
    item = SimilarityEntry("B1", voices, choices=places)
    project = Project().with_items(*demo().entries[:1], item)
    shutil.copytree(zebra_resources.path("demo"), tmp_path / "data")
    path = written(evidence(gather(project), DATE, VERSIONS), tmp_path)
    found = verify(path, [tmp_path])
    assert {one.status for one in found.checked if one.about == "B1"} == {VerificationStatus.VERIFIED}, [
        one for one in found.checked if one.about == "B1"
    ]
    assert found.is_verified


def test_intervals_of_matrices_are_computed_again_and_altered_ones_are_told(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    for name in ("other_f/utt2spk", "other_f/scores_oo.txt.gz", "other_f/B2/scores_op.txt.gz"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SIMILARITY / name, data / name)
    [item] = arrive([data]).entries
    assert isinstance(item, SimilarityEntry)
    trials = evidence_of(item).all_trials(item.similarity.speakers)
    trust = voices_trust_of(item.similarity, trials, BootstrapSettings(25, seed=4), deals={"op": 21})
    shutil.copytree(zebra_resources.path("demo"), tmp_path / "demo")
    project = Project().with_items(*demo().entries[:1], replace(item, measured=trust))
    made = evidence(gather(project), DATE, VERSIONS)
    assert verify(written(made, tmp_path), [tmp_path]).is_verified
    made["similarities"][0]["trust"]["intervals"]["de_id"][0] -= 0.01  # type: ignore[index]
    found = verify(written(made, tmp_path), [tmp_path])
    assert [one.what for one in found.checked if one.status is VerificationStatus.DIFFERS] == [
        "trust.intervals",
        EVERYTHING,
    ]


def test_a_number_of_draws_that_nobody_waits_for_is_refused(data: Path, tmp_path: Path) -> None:
    entry = demo().entries[2]
    assert entry.trials is not None
    measured = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20), deals=0)
    made = json.loads(
        as_bytes(evidence(gather(Project("", (replace(entry, measured=measured),))), DATE, VERSIONS))
    )
    assert made["assessments"][0]["trust"]["null_replicates"] is None
    made["assessments"][0]["trust"]["replicates"] = 10**9
    found = verify(written(made, tmp_path), [data])
    assert VerificationStatus.NOT_POSSIBLE in {one.status for one in found.checked}


def test_a_check_that_was_passed_by_hand_differs(data: Path, tmp_path: Path) -> None:
    made = evidence(demo_material(), DATE, VERSIONS)
    line = next(one for one in made["checks"] if one["check"] == "complete")
    line["outcome"] = "passed"
    found = verify(written(made, tmp_path), [data])
    assert [one.what for one in found.checked if one.status is not VerificationStatus.VERIFIED] == [
        "complete",
        EVERYTHING,
    ]
    assert {one.what for one in found.checked} >= {"recogniser", "attackers", "tag", "B2r"}


def test_what_leaving_out_speakers_did_is_computed_again(data: Path, tmp_path: Path) -> None:
    entry = demo().entries[2]
    examined, _ = with_robustness(Project("", (entry,)))
    made = json.loads(as_bytes(evidence(gather(examined), DATE, VERSIONS)))
    found = verify(written(made, tmp_path), [data])
    assert found.is_verified
    assert "B2 (1)" in {one.what for one in found.checked if one.about == say("robustness.head")}

    made["robustness"][0]["left_out"][3]["figures"]["d_ece_bits"] += 0.01
    found = verify(written(made, tmp_path), [data])
    assert [one.what for one in found.checked if one.status is not VerificationStatus.VERIFIED] == [
        "B2 (1)",
        EVERYTHING,
    ]


@pytest.fixture(scope="module")
def recorded() -> dict[str, object]:
    """The evidence of the demo, with a requirement; read anew by whoever changes it."""
    asked = Requirement("little", "d_ece", 0.1, why="agreed", set_by="the board")
    return dict(
        json.loads(as_bytes(evidence(demo_material(replace(demo(), requirements=(asked,))), DATE, VERSIONS)))
    )


def alter(values: object, *path: object, to: object = None) -> None:
    """Another value at that place; a text gets a letter more."""
    *way, last = path
    for key in way:
        values = values[key]  # type: ignore[index]
    values[last] = to if to is not None else values[last] + "x"  # type: ignore[index]


@pytest.mark.parametrize(
    "path",
    [
        ("checks", 2, "text"),
        ("checks", 2, "cases", 0, "text"),
        ("assessments", 2, "remarks", 0, "text"),
        ("assessments", 2, "remarks", 0, "severity"),
        ("requirements", 0, "demand"),
        ("inputs", 0, "format"),
        ("inputs", 0, "role"),
        ("inputs", 0, "dialect"),
        ("attackers", 0, "safeguard"),
    ],
)
def test_sentences_of_the_evidence_are_made_again_and_compared(
    path: tuple[object, ...], recorded: dict[str, object], tmp_path: Path
) -> None:
    values = copy.deepcopy(recorded)
    if path[-1] == "severity":
        alter(values, *path, to="warning")
    else:
        alter(values, *path)
    found = verify(written(values, tmp_path), [zebra_resources.path("demo")])
    assert not found.is_verified
    if path[0] not in ("attackers", "inputs"):  # these lead to other lines, too
        (line,) = [one for one in found.checked if one.status is not VerificationStatus.VERIFIED]
        at = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")
        assert line.found == f"one entry is another than the one computed again: {at}"


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("pages", "report"), {}),
        (("pages", "report", "language"), "xx"),
        (("inputs", 0, "name"), ""),
        (("requirements", 0, "figure"), "none"),
        (("assessments", 2, "inputs"), []),
        (("similarities", 0, "inputs", 0), 0),
    ],
)
def test_evidence_that_leads_nowhere_is_a_line_and_no_fault(
    path: tuple[object, ...], to: object, recorded: dict[str, object], tmp_path: Path
) -> None:
    values = copy.deepcopy(recorded)
    alter(values, *path, to=to)
    found = verify(written(values, tmp_path), [zebra_resources.path("demo")])
    assert not found.is_verified
    assert found.checked


def test_a_missing_file_of_matrices_leaves_verdicts_and_checks_as_lines(
    recorded: dict[str, object], data: Path, tmp_path: Path
) -> None:
    matrices = recorded["similarities"][0]["inputs"][0]  # type: ignore[index]
    name = recorded["inputs"][matrices]["name"]  # type: ignore[index]
    (lost,) = [path for path in data.rglob(Path(name).name) if path.as_posix().endswith(name)]
    lost.unlink()
    found = verify(written(recorded, tmp_path), [data])
    missing = {one.about for one in found.checked if one.status is VerificationStatus.FILE_MISSING}
    assert missing >= {name, say("check.title"), say("verify.requirements")}
    assert ("B2 OP", "d_ece_bits", VerificationStatus.VERIFIED) in {
        (one.about, one.what, one.status) for one in found.checked
    }


def test_what_authorities_ask_is_decided_and_verified_in_the_language_of_the_report(tmp_path: Path) -> None:
    """Linking, singling out, ranks and hits, of all and of a group that nobody brought along, in German."""
    asked = (
        Requirement("Verknüpfen", "pi_link", 0.09, detail=RequirementDetail(people=20)),
        Requirement("Herausgreifen", "pi_sing", 0.6, detail=RequirementDetail(people=5)),
        Requirement("Rang", "rank_disclosure", 0.5),
        Requirement("Treffer", "hits_at", 0.05, detail=RequirementDetail(false_alarms=0.01)),
        Requirement("Niemand", "most_linked", 0.9, detail=RequirementDetail(people=10)),
        Requirement("Gruppe", "d_ece", 0.5, detail=RequirementDetail(group="sex=f")),
    )
    of = replace(two(), requirements=asked, report=ReportSettings(language="de"))
    of = of.replacing(*(replace(entry, attacker="ignorant") for entry in of.entries if not entry.is_original))
    drawn, faults = with_bounds(of, asked, BootstrapSettings(100))
    assert faults == ()
    with speaking("de"):
        path = save_report(gather(drawn), tmp_path / "report.pdf", date=DATE)
    found = verify(path, [zebra_resources.path("demo")])
    told = [line for line in found.checked if line.about == say("verify.requirements")]
    assert {line.status for line in told} == {VerificationStatus.VERIFIED}
    assert any("Verknüpfen · " in line.what and "unwissend" in line.what for line in told)
    others = [line for line in found.checked if line.status is not VerificationStatus.VERIFIED]
    assert others == []


def test_a_report_is_of_what_is_ticked_says_so_and_is_verified(data: Path, tmp_path: Path) -> None:
    found = demo()
    left = [item.id for item in found.items if item.name == "B2r" or item.kind == "similarity"]
    project = with_ticks(found, left, False).requiring(Requirement("low", "d_ece_bits", 0.05))
    material = gather(project)
    report = save_report(material, tmp_path / "ticked.pdf", date=DATE)
    said = pdf_text(report)
    assert "Without B2r" in said
    made = make_report(material, date=DATE)
    assert "B2r" not in made.tables["results.csv"].decode()
    assert {each.name for each in made.content.results} == {"B1w", "B2", "unprotected"}
    kept = json.loads(made.evidence)
    assert len(kept["assessments"]) == 4  # the evidence is of all
    assert {row["name"] for row in kept["requirements"][0]["rows"]} >= {"B2r OP"}
    assert verify(report, [data]).is_verified
