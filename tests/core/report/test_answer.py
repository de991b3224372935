"""The answer on the first page, and the summary, which is nothing else."""

import datetime as dt
import hashlib
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

import zebra_resources
from tests.core.project.attacks import attack
from tests.core.samples import demo, demo_assessments, demo_material, pdf_text, project_of, small_entry
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.headline import Individual
from zebra_core.project.items import Attacker, Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings
from zebra_core.report.content.answer import brief
from zebra_core.report.content.frame import finding, result_of
from zebra_core.report.document import FindingLine, Paragraph, ReportPicture
from zebra_core.report.export import made_pdf, make_report, save_report
from zebra_core.report.markdown import report_markdown
from zebra_core.report.pdf import forget_drawn
from zebra_core.report.tex import report_tex
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of

DATE = dt.date(2026, 11, 20)
WORDS = "The court wishes to know whether the recordings, as protected, can be traced to persons. "
CASE = ReportSettings(
    case="2026/117", requester="District court", author="A. Author", organisation="Institute",
    question=WORDS, relevance="The same microphones.", signers=("A. Author",),
)  # fmt: skip
LONG = ReportSettings(
    case="Case number " * 80, requester="Court of many words " * 80, author="Name " * 100,
    organisation="Institute " * 300, question=WORDS * 100, propositions=WORDS * 20, relevance=WORDS * 30,
    signers=tuple(f"Signer {k}" for k in range(8)),
)  # fmt: skip


def entry_of(target: list[float], nontarget: list[float]) -> Entry:
    trials = Trials.from_scores(target, nontarget)
    return replace(small_entry(), trials=trials, assessment=assess(trials))


def pages_of(pdf: bytes, folder: Path) -> list[str]:
    """The text of every page on one line."""
    (folder / "report.pdf").write_bytes(pdf)
    pages = pdf_text(folder / "report.pdf").split("\f")[:-1]
    return [re.sub(r"\s+", " ", page.replace("\u200b", "")) for page in pages]


def lines_of(answer: Sequence[object]) -> list[FindingLine]:
    return [block for block in answer if isinstance(block, FindingLine)]


# --- in words, by hand


def test_a_finding_is_one_sentence_with_direction_and_ceiling() -> None:
    # One target above four nontargets: for one speaker (1 + 1)/1 · 4 = 8 at most, and reached.
    assert brief(entry_of([9.0], [1.0, 2.0, 3.0, 4.0])) == (
        "0.7 bit on average, 100 % of full disclosure; worst case 0.9 of at most 0.90, for the same "
        "speaker. A, at the limit of these data."
    )
    assert brief(demo().entries[1]) == (
        "0.04 bit on average, 5 % of full disclosure; worst case −0.9 of at most −2.19, for two different "
        "speakers."
    )


def test_no_worst_case_is_rounded_above_its_ceiling() -> None:
    # Four targets above nine nontargets: (4 + 1)/4 · 9 = 11.25, log10 1.05; rounded it would be 1.1.
    entry = entry_of([11.0, 12.0, 13.0, 14.0], [float(k) for k in range(9)])
    assert "worst case 1.05 of at most 1.05" in brief(entry)
    assert "a log10 LR of 1.05 " in finding(entry.assessment)
    assert Individual.of(entry).in_words == "1.05"


def test_no_disclosure_is_said_with_what_could_have_been_seen() -> None:
    # (2 + 1)/2 · 2 = 3 at most.
    assert brief(entry_of([1.0, 1.0], [1.0, 1.0])) == (
        "With these data no disclosure is seen; they could show a log10 LR of at most 0.48."
    )


def test_scores_that_run_the_wrong_way_are_answered_by_what_they_disclose_by_it() -> None:
    unprotected = demo().entries[0]
    assert unprotected.trials is not None
    trials = replace(unprotected.trials, score=-unprotected.trials.score)
    known = assess(trials)
    trust = trust_of(trials, known, BootstrapSettings(replicates=20))
    wrong = replace(unprotected, trials=trials, assessment=known, measured=trust)
    said = (
        "Read the other way round, lower meaning more alike, these scores disclose 0.678 bit, C (worst case"
    )
    assert brief(wrong).startswith(said)
    told = result_of(wrong, "wrong", known.files).finding
    assert told.startswith(said)
    assert "they would seem to disclose only 0 bit on average, 0 % of full disclosure" in told
    assert "an attacker gains" not in told
    assert "no log10 LR is beyond 0.1 in either direction" in told
    assert "reached tag A" not in told


def test_with_intervals_the_figure_stands_with_its_own() -> None:
    entry = demo().entries[2]
    assert entry.trials is not None
    trust = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20), deals=0)
    measured = replace(entry, measured=trust)
    value = trust.sentences[0].partition(": ")[2].removesuffix(".")
    assert brief(measured).startswith(f"{value} on average")
    assert "0.20 bit" not in brief(measured)


# --- the first page


def person_by_person(project: Project) -> list[str]:
    answer = make_report(demo_material(project), date=DATE).content.answer
    told = [block.text for block in answer if isinstance(block, Paragraph)]
    return [text for text in told if text.startswith("Single speakers")]


def test_the_most_exposed_and_the_most_linked_person_of_all_safeguards_are_told() -> None:
    (told,) = person_by_person(demo_assessments())
    assert told == (
        "Single speakers, B2r OP: Of 63 speakers, 248 has the highest estimated exposure: 0.47 bit. "
        "Recordings of 8238 are linked most often: in 100 of 100 attempts among 63 people, with 3 "
        "recordings; guessing reaches 2. Of whoever is linked most, it is 9 to 100 (each end at 95 % "
        "confidence)."
    )


def test_of_scores_that_run_the_wrong_way_nobody_is_called_hardly_exposed() -> None:
    safeguard = demo().entries[2]
    assert safeguard.trials is not None
    assert len(person_by_person(Project(items=(safeguard,)))) == 1
    trials = replace(safeguard.trials, score=-safeguard.trials.score)
    wrong = replace(safeguard, trials=trials, assessment=assess(trials))
    assert person_by_person(Project(items=(wrong,))) == []


def test_the_first_page_holds_question_findings_badges_and_pictures(tmp_path: Path) -> None:
    project = replace(demo_assessments(), report=CASE)
    first, second, *_ = pages_of(made_pdf(make_report(gather(project), date=DATE)), tmp_path)
    for said in (
        "Question. The court wishes to know",
        "unprotected OO 0.68 bit on average, 94 % of full disclosure; worst case 3.9 of at most 3.99",
        "B1w OP 0.04 bit on average, 5 % of full disclosure; worst case −0.9 of at most −2.19, for two",
        "B2 OP 0.20 bit",
        "B2r OP 0.21 bit",
        "Figure 1.",
        "Figure 2.",
        "Intervals have not been computed.",
        "page 1 of ",
    ):
        assert said in first, said
    assert "Contents" in second
    answer = make_report(gather(project), date=DATE).content.answer
    assert [line.name for line in lines_of(answer)] == ["B2r", "B2", "B1w", "unprotected"]
    assert [line.badge.tag for line in lines_of(answer)] == ["C", "C", "A", "≥ C"]


def test_a_draft_says_so_before_the_answer_and_what_is_missing_after_it(tmp_path: Path) -> None:
    first, *_ = pages_of(made_pdf(make_report(gather(project_of("a")), date=DATE)), tmp_path)
    places = [
        first.index(said)
        for said in (
            "5 items must be stated before this is more than a draft",
            "Question. How much does protected speech",
            "a OP 0.6 bit",
            "Figure 2.",
            "This report is a draft. It does not say:",
        )
    ]
    assert places == sorted(places)


def test_long_words_of_the_case_leave_the_findings_on_the_first_page(tmp_path: Path) -> None:
    project = replace(demo_assessments(), report=LONG)
    pages = pages_of(made_pdf(make_report(gather(project), date=DATE)), tmp_path)
    assert "B2r OP" in pages[0]
    assert "Figure 1." in pages[0]
    assert "Institute Institute" in pages[0]
    told = " ".join(pages)
    assert told.count("Court of many words") >= 80  # all of it is told after the answer
    assert "In full" in told


def test_of_many_the_most_telling_are_on_the_first_page_and_their_pictures_open_the_findings() -> None:
    content = make_report(gather(project_of(*(f"s{k}" for k in range(40)))), date=DATE).content
    assert len(lines_of(content.answer)) == 6
    assert not any(isinstance(block, ReportPicture) for block in content.answer)
    told = [block.text for block in content.answer if isinstance(block, Paragraph)]
    assert told[1].startswith(
        "40 assessments were made. Shown here are 6 of them: for each safeguard and dataset the "
        "attacker who finds most on average, and last unprotected speech."
    )
    assert [picture.stem for picture in content.pictures[:2]] == ["headline-scale", "headline-ladder"]


def test_the_strongest_attacker_of_each_safeguard_comes_first_by_what_it_finds_on_average() -> None:
    """Whose single comparisons tell more, as those of more trials do, is no reason to leave it out."""
    attackers = {  # of two safeguards, and how many trials they have
        "B1": [(0.2, 100), (2.0, 20), (0.1, 200)],
        "B2": [(0.2, 100), (3.0, 20), (0.5, 200)],
    }
    entries = [
        replace(attack(shift, "", Condition.OP, seed=k, n=n), id=f"{name}{k}", name=name)
        for name, found in attackers.items()
        for k, (shift, n) in enumerate(found)
    ]
    original = replace(attack(8.0, "", Condition.OO, seed=9), name="unprotected", id="oo")
    content = make_report(gather(Project("", (original, *entries))), date=DATE).content
    assert [line.name for line in lines_of(content.answer)] == ["B2", "B1", "unprotected"]
    bits = {entry.id: entry.assessment.d_ece_bits for entry in entries}
    assert max(bits, key=lambda each: bits[each]) == "B21"
    few = make_report(gather(Project("", (original, *entries[:3]))), date=DATE).content
    assert [line.name for line in lines_of(few.answer)] == ["B1", "unprotected"]


def test_an_attacker_who_knows_nothing_is_the_most_favourable_case_there_too() -> None:
    entry = replace(small_entry(), attacker=Attacker.IGNORANT.value)
    content = make_report(gather(Project("x", (entry,))), date=DATE).content
    assert any(
        isinstance(block, Paragraph) and "most favourable case" in block.text for block in content.answer
    )


def test_every_format_has_the_answer_first() -> None:
    content = make_report(gather(replace(project_of("a"), report=LONG)), date=DATE).content
    markdown, tex = report_markdown(content, "figures"), report_tex(content)["report.tex"].decode()
    assert markdown.index("## The answer") < markdown.index("**Question.**") < markdown.index("**In full**")
    assert markdown.index("**In full**") < markdown.index("## 1 Question")
    assert tex.index(r"\section*{The answer}") < tex.index(r"\input{headline-scale.tex}")
    assert tex.index(r"\input{headline-ladder.tex}") < tex.index("In full") < tex.index(r"\section{Question")


def test_speakers_are_drawn_one_by_one_in_the_appendix() -> None:
    content = make_report(demo_material(), date=DATE).content
    of_speakers = [name for name in (picture.stem for picture in content.pictures) if "speakers" in name]
    *_, appendix = content.sections
    assert [picture.stem for picture in appendix.pictures if "speakers" in picture.stem] == of_speakers
    assert len(of_speakers) == 3


# --- the summary


def summary_of(project: Project) -> bytes:
    return made_pdf(make_report(gather(project), date=DATE, is_summary=True))


@pytest.mark.parametrize("settings", [ReportSettings(), CASE, LONG], ids=["draft", "case", "long"])
@pytest.mark.parametrize("count", [1, 4, 40])
def test_a_summary_has_one_or_two_pages(count: int, settings: ReportSettings, tmp_path: Path) -> None:
    names = [f"safeguard {k} of a family with a long name {'and more ' * 20}" for k in range(count)]
    project = replace(project_of(*names, title="A long title " * 40), report=settings)
    pages = pages_of(summary_of(project), tmp_path)
    assert 1 <= len(pages) <= 2
    assert "ZEBRA summary: privacy disclosure" in pages[0]
    assert "Question." in pages[0]
    assert "What the figures mean" in " ".join(pages)


def test_a_summary_is_archivable_has_the_same_evidence_and_is_the_same_every_time() -> None:
    project = replace(demo_assessments(), report=CASE)
    summary, report = summary_of(project), made_pdf(make_report(gather(project), date=DATE))
    forget_drawn()
    assert summary == summary_of(project)
    with pikepdf.open(io.BytesIO(summary)) as short, pikepdf.open(io.BytesIO(report)) as whole:
        assert list(short.attachments) == list(whole.attachments)
        for name in short.attachments:
            told = short.attachments[name].get_file().read_bytes()
            # But for which pages go with it.
            told = told.replace(b'"is_summary": true', b'"is_summary": false')
            assert told == whole.attachments[name].get_file().read_bytes()
        for each in (short, whole):
            own = hashlib.sha256(each.attachments["evidence.json"].get_file().read_bytes()).hexdigest()
            assert str(each.docinfo["/Keywords"]) == f"evidence-sha256:{own}"
        with short.open_metadata() as xmp:
            assert (xmp["pdfaid:part"], xmp["pdfaid:conformance"], xmp["pdfuaid:part"]) == ("3", "A", "1")


def test_a_summary_is_verified_like_a_report(tmp_path: Path) -> None:
    path = save_report(gather(demo_assessments()), tmp_path / "summary.pdf", date=DATE, is_summary=True)
    found = verify(path, [zebra_resources.path("demo")])
    assert found.is_verified


def test_its_pictures_are_those_of_the_report() -> None:
    short = make_report(demo_material(), date=DATE, is_summary=True).content
    assert [picture.stem for picture in short.pictures] == ["headline-scale", "headline-ladder"]
    assert short.sections == ()
    assert short.signers == ()
