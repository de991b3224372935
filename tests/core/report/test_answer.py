"""The answer on the first page, and the summary, which is nothing else."""

import datetime as dt
import hashlib
import io
import re
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
from zebra_core.project.items import Attacker, Condition, Entry, Individual
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.report.content.values import ReportContent, finding, result_of
from zebra_core.report.document import FindingLine, Paragraph, ReportPicture, TableBlock
from zebra_core.report.export import made_pdf, make_report, save_report
from zebra_core.report.markdown import report_markdown
from zebra_core.report.pdf import forget_drawn
from zebra_core.report.tex import report_tex
from zebra_core.report.verify import verify
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of
from zebra_core.wording.texts import speaking

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
    return [re.sub(r"\s+", " ", page) for page in pages]


def cards_of(content: ReportContent) -> list[FindingLine]:
    """The answer for each safeguard in full, with which the findings begin."""
    found = next(each for each in content.sections if each.section is Section.FINDINGS)
    lines = [block for block in found.blocks if isinstance(block, FindingLine)]
    return [line for line in lines if "judged here" in line.condition]


# --- in words, by hand


def test_no_worst_case_is_rounded_above_its_ceiling() -> None:
    # Four targets above nine nontargets: (4 + 1)/4 · 9 = 11.25, log10 1.05; rounded it would be 1.1.
    entry = entry_of([11.0, 12.0, 13.0, 14.0], [float(k) for k in range(9)])
    assert "a log10 LR of 1.05 " in finding(entry.assessment)
    assert Individual.of(entry).in_words == "1.05"


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
    told = result_of(wrong, "wrong", known.files).finding
    assert told.startswith(said)
    assert "they would seem to disclose only 0 bit on average, 0 % of full disclosure" in told
    assert "an attacker gains" not in told
    assert "no log10 LR is beyond 0.1 in either direction" in told
    assert "reached tag A" not in told


# --- the first page


def cards(project: Project) -> list[FindingLine]:
    return cards_of(make_report(gather(project), date=DATE).content)


def test_the_person_comes_before_the_average_in_the_answer_for_each_safeguard() -> None:
    found = {card.name: card for card in cards(demo_assessments())}
    assert list(found) == ["B1w", "B2", "B2r"]
    assert found["B1w"].text.startswith(
        "Among 20 people, of whom one is speaking, the attacker names the right one in 11 of 100 attempts "
        "(between 6 and 16 with 95 % confidence); by guessing in 5; without protection in 98. "
        "That rests on 156 recordings of 63 people, each heard in one session only: "
    )
    person = found["B1w"].text
    assert person.index("That rests on") < person.index("named every time") < person.index("highest estimate")
    assert (
        found["B1w"].more[0].startswith("On average the attacker learns 5 % of what one comparison can tell")
    )


def test_of_scores_that_run_the_wrong_way_nobody_is_called_hardly_exposed() -> None:
    safeguard = demo().entries[2]
    assert safeguard.trials is not None
    (card,) = cards(Project(items=(safeguard,)))
    assert "highest estimate" in card.text
    trials = replace(safeguard.trials, score=-safeguard.trials.score)
    (card,) = cards(Project(items=(replace(safeguard, trials=trials, assessment=assess(trials)),)))
    assert "highest estimate" not in card.text


def test_question_sentence_picture_and_facts_are_on_the_first_page(tmp_path: Path) -> None:
    project = replace(demo_assessments(), report=CASE)
    first, second, *_ = pages_of(made_pdf(make_report(gather(project), date=DATE)), tmp_path)
    for said in (
        "Question. The court wishes to know",
        "Which of 3 safeguards protects best has not been tested",
        "Figure 1. Right one of 20 people named, of 100 attempts; order not settled.",
        "Table 1.",
        "This holds for the attacks that were tried",
        "page 1 of ",
    ):
        assert said in first, said
    assert "Contents" in second
    content = make_report(gather(project), date=DATE).content
    assert [line.badge.tag for line in cards_of(content)] == ["A", "C", "C"]


def test_a_draft_says_so_before_the_answer_and_what_is_missing_after_it(tmp_path: Path) -> None:
    pages = pages_of(made_pdf(make_report(gather(project_of("a")), date=DATE)), tmp_path)
    first = " ".join(pages[:2])
    places = [
        first.index(said)
        for said in (
            "6 items must be stated before this is more than a draft",
            "Question. How much does protected speech",
            "9 comparisons, 4 of the same person and 5 of different ones: these figures say nothing.",
            "Figure 1.",
            "This report is a draft. It does not say:",
        )
    ]
    assert places == sorted(places)


def test_long_words_of_the_case_leave_the_findings_on_the_first_page(tmp_path: Path) -> None:
    project = replace(demo_assessments(), report=LONG)
    pages = pages_of(made_pdf(make_report(gather(project), date=DATE)), tmp_path)
    assert "Which of 3 safeguards protects best" in pages[0]
    assert "Figure 1." in pages[0] + pages[1]
    assert "Institute Institute" in pages[0]
    told = " ".join(pages)
    assert told.count("Court of many words") >= 80  # all of it is told after the answer
    assert "In full" in told


def test_of_many_safeguards_the_box_stands_with_the_findings() -> None:
    content = make_report(gather(project_of(*(f"s{k}" for k in range(40)))), date=DATE).content
    assert len(cards_of(content)) == 4
    assert not [block for block in content.answer if isinstance(block, TableBlock)]
    box = next(block for block in content.sections[1].blocks if isinstance(block, TableBlock))
    assert len(box.rows) == 42  # with guessing, and without protection
    assert [picture.stem for picture in content.pictures[:2]] == ["headline-scale", "headline-ladder"]


def test_the_answer_is_of_whoever_finds_most_on_average() -> None:
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
    assert [line.name for line in cards_of(content)] == ["B1", "B2"]
    assert all("of 3 that are judged here" in line.condition for line in cards_of(content))
    bits = {entry.id: entry.assessment.d_ece_bits for entry in entries}
    assert max(bits, key=lambda each: bits[each]) == "B21"


def test_an_attacker_who_knows_nothing_is_told_not_to_be_the_last_word() -> None:
    entry = replace(small_entry(), attacker=Attacker.IGNORANT.value)
    content = make_report(gather(Project("x", (entry,))), date=DATE).content
    told = [block.text for block in content.answer if isinstance(block, Paragraph)]
    assert any("Nobody who knows of the protection was tried as an attacker" in text for text in told)


def test_every_format_has_the_answer_first() -> None:
    content = make_report(gather(replace(project_of("a"), report=LONG)), date=DATE).content
    markdown, tex = report_markdown(content, "figures"), report_tex(content)["report.tex"].decode()
    assert markdown.index("## The answer") < markdown.index("**Question.**") < markdown.index("**In full**")
    assert markdown.index("**In full**") < markdown.index("## 1 Question")
    assert tex.index(r"\section*{The answer}") < tex.index(r"\input{headline-scale.tex}")
    assert tex.index(r"\input{headline-scale.tex}") < tex.index("In full") < tex.index(r"\section{Question")


def test_speakers_are_drawn_one_by_one_in_the_appendix() -> None:
    content = make_report(demo_material(), date=DATE).content
    of_speakers = [name for name in (picture.stem for picture in content.pictures) if "speakers" in name]
    *_, appendix = content.sections
    assert [picture.stem for picture in appendix.pictures if "speakers" in picture.stem] == of_speakers
    assert len(of_speakers) == 3


WORD = re.compile(r"[^\W\d_]{2,}")
MOST_WORDS = 220


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_first_page_has_few_words(language: str, count: int) -> None:
    """Of running text, of two letters or more: no labels, no ids, no words of the user's."""
    unprotected, *protected = demo().entries
    doubled = replace(protected[0].trials, score=2.0 * protected[0].trials.score)  # else they were told twice
    more = [*protected, replace(protected[0], assessment=assess(doubled), name="B9", id="B9")]
    with speaking(language):
        project = Project("", (unprotected, *more[:count]), report=replace(CASE, question=""))
        content = make_report(gather(project), date=DATE).content
    texts = [block.text for block in content.answer if isinstance(block, Paragraph)]
    texts += [block.caption for block in content.answer if isinstance(block, ReportPicture | TableBlock)]
    words = [word for text in texts for word in WORD.findall(text)]
    assert 50 < len(words) <= MOST_WORDS
    assert not any(text.endswith("…") for text in texts)


def test_an_alarm_names_the_section_that_explains_it_where_there_is_that_section() -> None:
    entries = (*demo_assessments().entries, replace(small_entry(), name="tiny", id="tiny"))

    def alarm(settings: ReportSettings, *, is_summary: bool = False) -> str:
        material = gather(Project("", entries, report=settings))
        _, _, first, *_ = make_report(material, date=DATE, is_summary=is_summary).content.answer
        assert isinstance(first, Paragraph)
        return first.text

    whole = alarm(CASE)
    assert whole.startswith(
        "tiny: 9 comparisons, 4 of the same person and 5 of different ones: these figures"
    )
    assert whole.endswith("See the section Findings.")
    assert "See the section" not in alarm(CASE.ticking(Section.FINDINGS, ticked=False))
    assert "See the section" not in alarm(CASE, is_summary=True)


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
            assert str(each.docinfo["/Keywords"]) == f"evidence-sha256:{own}, draft"
        with short.open_metadata() as xmp:
            assert (xmp["pdfaid:part"], xmp["pdfaid:conformance"], xmp["pdfuaid:part"]) == ("3", "A", "1")


def test_a_summary_is_verified_like_a_report(tmp_path: Path) -> None:
    path = save_report(gather(demo_assessments()), tmp_path / "summary.pdf", date=DATE, is_summary=True)
    found = verify(path, [zebra_resources.path("demo")])
    assert found.is_verified


def test_its_picture_is_that_of_the_answer() -> None:
    short = make_report(demo_material(), date=DATE, is_summary=True).content
    assert [picture.stem for picture in short.pictures] == ["answer"]
    assert short.sections == ()
    assert short.signers == ()
