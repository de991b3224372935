"""What a report says, in words and figures."""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from tests.core.samples import CONTEXT, demo_assessments, demo_material, project_of, small_entry
from zebra_core.errors import OutputError
from zebra_core.evidence.audit import Remark, distinguishing_names
from zebra_core.evidence.trials import Trials
from zebra_core.metrics.assessment import assess
from zebra_core.project.gathering.gathering import gather
from zebra_core.project.items import Condition, Entry
from zebra_core.project.project import Project
from zebra_core.project.report_settings import ReportSettings, Section
from zebra_core.report.content import ReportContent, report_content, shown
from zebra_core.report.document import (
    Badge,
    Block,
    Bullets,
    Cell,
    FindingLine,
    Heading,
    Paragraph,
    ReportPicture,
    TableBlock,
    TagLegend,
)
from zebra_core.uncertainty.bootstrap import BootstrapSettings
from zebra_core.uncertainty.trust import trust_of
from zebra_core.version import versions

DATE = dt.date(2026, 11, 20)


def blocks(content: ReportContent, section: Section) -> tuple[Block, ...]:
    return next(one.blocks for one in content.sections if one.section is section)


def tables(content: ReportContent, section: Section) -> list[TableBlock]:
    return [block for block in blocks(content, section) if isinstance(block, TableBlock)]


def scale_of(content: ReportContent) -> tuple[Badge, ...]:
    return next(block.badges for block in blocks(content, Section.FINDINGS) if isinstance(block, TagLegend))


def remarks(content: ReportContent) -> list[tuple[str, str]]:
    """Whom each remark is about, and what it says."""
    (told,) = (block for block in blocks(content, Section.EXAMINED) if isinstance(block, Bullets))
    return [(item[0].text, item[1].text) for item in told.items]


def words_of(content: ReportContent) -> str:
    return str([section.blocks for section in content.sections])


def test_the_demo_in_words() -> None:
    content = report_content(
        demo_material(demo_assessments()), DATE, versions(), author="A. Author", evidence=b"{}"
    )
    assert content.title == "Demo: LibriSpeech, female speakers"
    assert [result.name for result in content.results] == ["unprotected", "B1w", "B2", "B2r"]
    b2 = content.results[2]
    assert (b2.condition, b2.trials, b2.files) == ("OP", "156 / 9\u202f672", "4, 2")
    assert b2.tag == "C"
    assert b2.figures == {
        "d_ece": ("0.205", "28 %"),
        "worst_case": ("2.4", "others 0.9 (A)"),
        "strongest_for": ("2.4", "of 3.99 at most"),
        "strongest_against": ("−1.3", "of −2.19 at most"),
        "eer": ("28 %", ""),
        "rocch_eer": ("26 %", ""),
        "cllr": ("–", ""),
        "min_cllr": ("0.71", ""),
        "linkability": ("0.36", "by chance 0.05"),
        "wrong_target": ("98 %", "at 1 in 100"),
        "wrong_nontarget": ("0 %", "at 1 in 100"),
        "hits_at_1e2": ("15 %", ""),
        "hits_at_1e3": ("6 %", ""),
        "hits_at_1e4": ("–", "cannot be measured below 1 in 9\u202f672"),
        "dev_pav": ("–", ""),
        "min_dcf": ("0.98", "at 1 in 100"),
        "actual_dcf": ("–", "at 1 in 100"),
        "min_dcf_0_05": ("0.96", ""),
        "actual_dcf_0_05": ("–", ""),
    }
    assert b2.finding == (
        "With these data an attacker gains 0.20 bit on average, 28 % of full disclosure. The strongest "
        "single comparison speaks for the same speaker: a log10 LR of 2.4 (odds of about 250 to 1), where "
        "these trials could show 3.99 at most."
    )
    assert (
        "for two different speakers: a log10 LR of −0.9 (odds of 8.7 to 1), where these trials could show "
        "−2.19 at most." in content.results[1].finding
    )
    assert content.report_id == "ZEBRA-4413-6FA3-55B3"  # of SHA-256 44136fa355b3…
    assert "5 files, by kind: scores (4); key (1)" in words_of(content)
    assert not tables(content, Section.EXAMINED)
    files = next(one for one in tables(content, Section.APPENDIX) if one.columns[-1].head == "SHA-256")
    assert [[cell.text for cell in row[:3]] for row in files.rows] == [
        ["1", "unprotected/…/scores", "scores"],
        ["2", "trials", "key"],
        ["3", "B1w/…/scores", "scores"],
        ["4", "B2/…/scores", "scores"],
        ["5", "B2r/…/scores", "scores"],
    ]
    assert [cell.text for cell in files.rows[1][3:]] == [
        "9\u202f828",
        "322\u202f596",
        "e0027c39a054c9aef01a39a1d47f70f3babe4af2ae78d2ccb43762632c039d4e",
    ]
    assert [about for about, _ in remarks(content)] == ["All assessments"]
    assert [(badge.tag, badge.meaning) for badge in scale_of(content)] == [
        ("0", "none"),
        ("A", "below 1"),
        ("B", "1 to 2"),
        ("C", "2 to 4"),
        ("D", "4 to 5"),
        ("E", "5 to 6"),
        ("F", "6 and more"),
    ]


def test_no_disclosure_is_said_as_such() -> None:
    trials = Trials.from_scores(target=[1.0] * 10, nontarget=[1.0] * 10)
    content = report_content(gather(Project("", (Entry("flat", trials, assess(trials)),))), DATE, versions())
    (result,) = content.results
    assert "With these data no disclosure is seen" in result.finding
    assert (result.figures["d_ece"], result.figures["worst_case"][0]) == (("0", "0 %"), "0")
    assert result.tag == "0?"
    assert result.condition == "not stated"
    assert content.title == "Privacy disclosure of protected speech"


def test_a_remark_names_whom_it_is_about() -> None:
    trials = Trials.from_scores(target=[1.0], nontarget=[0.0, 2.0])
    project = project_of("several").with_items(Entry("one\u202e", trials, assess(trials)))
    about = [about for about, _ in remarks(report_content(gather(project), DATE, versions()))]
    assert "All assessments" in about
    assert r"one\u202e, condition not stated" in about


def test_foreign_text_is_one_line_with_nothing_hidden() -> None:
    content = report_content(
        gather(project_of("a\nb\u202ec", title="t\r\x00")), DATE, versions(), author="\u200fme"
    )
    assert content.results[0].name == r"a\nb\u202ec"
    assert content.title == r"t\r\x00"
    assert content.author == r"\u200fme"


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/home/me/scores", "/home/me/key"], ["scores", "key"]),
        (["/x/a/scores", "/x/b/scores", "/x/key"], ["a/scores", "b/scores", "key"]),
        (["/x/a/e/s", "/x/b/e/s", "/x/a/f/s"], ["a/e/s", "b/e/s", "a/f/s"]),
        (["s", "/s"], ["s", "/s"]),
        (["/same", "/same"], ["same", "same"]),
    ],
)
def test_files_are_named_as_shortly_as_tells_them_apart(paths: list[str], names: list[str]) -> None:
    assert distinguishing_names([PurePosixPath(path) for path in paths]) == names


def test_files_are_named_alike_on_every_system() -> None:
    paths = [PureWindowsPath(r"C:\me\a\scores"), PureWindowsPath(r"C:\me\b\scores")]
    assert distinguishing_names(paths) == ["a/scores", "b/scores"]


def test_an_empty_project_is_refused_in_a_sentence() -> None:
    with pytest.raises(OutputError, match="There is nothing to report yet"):
        report_content(gather(Project("empty")), DATE, versions())


def test_content_follows_the_tag_scale_of_the_assessment() -> None:
    entry = project_of("a").entries[0]
    scale = entry.assessment.settings.tag_scale
    other = replace(scale, tags=(*scale.tags[:2], replace(scale.tags[2], from_log10_lr=1.5)))
    settings = replace(entry.assessment.settings, tag_scale=other)
    entry = replace(entry, assessment=replace(entry.assessment, settings=settings, tag="B"))
    project = Project("", (entry,), tag_scale=other)
    meanings = [badge.meaning for badge in scale_of(report_content(gather(project), DATE, versions()))]
    assert meanings == ["none", "below 1.5", "1.5 and more"]


def test_the_sections_are_those_of_a_forensic_report_in_that_order() -> None:
    content = report_content(demo_material(demo_assessments()), DATE, versions())
    assert [section.heading for section in content.sections] == [
        "Question and propositions",
        "Findings",
        "What was examined",
        "Data",
        "Method",
        "Results",
        "Comparison of safeguards",
        "Against Opinion 05/2014",
        "Limitations: what this does not show",
        "Glossary",
        "References",
        "Appendix: settings, versions, recomputation",
    ]
    assert [picture.stem for picture in content.pictures] == [
        *("answer", "headline-scale", "headline-ladder", "ece-1-1", "linkage", "one-by-one"),
        *(f"{kind}-{number}" for number in (1, 2, 3) for kind in ("zoo", "speakers")),
    ]


def test_sections_are_left_out_moved_and_annotated() -> None:
    settings = (
        ReportSettings()
        .ticking(Section.GLOSSARY, ticked=False)
        .moving(Section.LIMITATIONS, 0)
        .noting(Section.DATA, "All were *read* speech.")
    )
    content = report_content(demo_material(replace(demo_assessments(), report=settings)), DATE, versions())
    sections = [section.section for section in content.sections]
    assert sections[0] is Section.LIMITATIONS
    assert Section.GLOSSARY not in sections
    head, note = blocks(content, Section.DATA)[-2:]
    assert head == Heading("Note of the author")
    assert [(run.text, run.italic) for run in note.runs] == [
        ("All were ", False),
        ("read", True),
        (" speech.", False),
    ]


def test_the_title_block_states_what_the_user_stated_and_no_more() -> None:
    settings = ReportSettings(case="C\u202e7", requester="A court")
    content = report_content(demo_material(replace(demo_assessments(), report=settings)), DATE, versions())
    assert content.front == (("Case", r"C\u202e7"), ("Requested by", "A court"), ("Date", "2026-11-20"))


def test_no_posterior_and_no_identity_is_ever_stated() -> None:
    words = words_of(report_content(demo_material(demo_assessments()), DATE, versions())).lower()
    assert "posterior" not in words
    assert "identif" not in words.replace("de-identification", "").replace("deid", "")
    assert "with these data" in words


def test_safeguards_are_compared_with_the_unprotected_speech_of_the_same_data() -> None:
    (table,) = tables(report_content(demo_material(demo_assessments()), DATE, versions()), Section.COMPARISON)
    assert [[cell.text for cell in row[1:]] for row in table.rows] == [
        ["B1w OP", "0.04", "0.68", "−0.64", "5 %", "0.9"],
        ["B2 OP", "0.20", "0.68", "−0.48", "30 %", "2.4"],
        ["B2r OP", "0.21", "0.68", "−0.47", "32 %", "2.4"],
    ]


def test_without_speech_without_protection_nothing_is_compared() -> None:
    content = report_content(gather(project_of("a", "b")), DATE, versions())
    assert tables(content, Section.COMPARISON) == []


def test_scores_without_ids_say_why_there_are_no_speakers() -> None:
    words = words_of(report_content(gather(project_of("a")), DATE, versions()))
    assert "Nothing is said about single speakers of a OP: These trials name neither" in words


def test_many_assessments_are_divided_by_dataset_and_condition() -> None:
    entry = small_entry()
    conditions = (Condition.OO, Condition.OP, Condition.PP)
    items = tuple(
        replace(entry, name=f"s{k}", dataset=name, condition=condition, id=f"{name}{k}{condition}")
        for name in ("libri_f", "libri_m")
        for condition in conditions
        for k in range(6)
    )
    content = report_content(gather(Project("", items)), DATE, versions())
    heads = [block.text for block in blocks(content, Section.RESULTS) if isinstance(block, Heading)]
    groups = [f"{name} · condition {c.value}" for name in ("libri_f", "libri_m") for c in conditions]
    assert heads[:6] == groups
    pictures = [block for block in blocks(content, Section.RESULTS) if isinstance(block, ReportPicture)]
    assert [len(picture.figure.lines) for picture in pictures] == [7] * 6
    assert "36 assessments were made. Shown here are 9" in words_of(content)


def test_the_finding_says_how_sure_it_is_where_somebody_asked() -> None:
    entry = demo_assessments().entries[2]
    assert entry.trials is not None
    trust = trust_of(entry.trials, entry.assessment, BootstrapSettings(replicates=20))
    content = report_content(gather(Project("", (replace(entry, measured=trust),))), DATE, versions())
    finding = content.results[0].finding
    assert re.search(r"gains 0\.\d+ (± 0\.\d+|\(0\.\d+ … 0\.\d+\)) bit on average", finding)
    assert re.search(
        r"As computed it is 0\.20?5? bit; of 20 sets without any disclosure 0 show as much, and \d reach",
        finding,
    )
    (table,) = [
        table
        for table in tables(content, Section.APPENDIX)
        if table.caption.startswith("Figures with their intervals")
    ]
    assert table.rows[0][0] == Cell("B2 OP", "20 times 63 speakers")


def stated(**words: object) -> ReportSettings:
    """Words of a report that is no draft, but for these."""
    told = {"author": "A", "requester": "R", "question": "Q?", "relevance": "These are those.", **CONTEXT}
    return ReportSettings(**{**told, **words})  # type: ignore[arg-type]


def told_of(attackers: Sequence[str], settings: ReportSettings) -> ReportContent:
    """The content of a report of protected speech by these attackers, beside the unprotected one."""
    original, *protected = demo_assessments().entries
    entries = [replace(each, attacker=who) for each, who in zip(protected, attackers, strict=False)]
    return report_content(gather(Project("", (original, *entries), report=settings)), DATE, versions())


def test_what_states_author_requester_question_relevance_and_attacker_is_no_draft() -> None:
    found = told_of(["semi-informed"], stated())
    assert (found.missing, found.is_draft) == ((), False)


def test_a_draft_says_what_is_missing() -> None:
    assert told_of(["", "ignorant"], stated(author=" ", relevance="")).missing == (
        "who wrote it",
        "how far the data correspond to the question",
        "what the attacker knows, in B1w OP",
    )
    assert told_of(["lazy-informed"], stated(question="", requester="")).missing == (
        "who requested it",
        "which question was asked",
    )


def test_what_of_the_context_is_not_stated_is_one_line_of_a_draft() -> None:
    assert told_of(["ignorant"], stated(motive=" ", access=None)).missing == (
        "of the context of the release: Public or controlled and Motive",
    )
    (line,) = told_of(["ignorant"], stated(**{**dict.fromkeys(CONTEXT, ""), "people": None})).missing
    assert line == (
        "of the context of the release: Recipients, Public or controlled, What else they may hold, Motive, "
        "Means, Pseudonymisation domain, People in question, Retention, Who hears the "
        "originals and Date of review"
    )


def test_the_context_of_the_release_is_a_table_with_what_is_not_stated() -> None:
    told = told_of(["ignorant"], stated(motive="", means="A day.\n\nNo\u202e skill.", people=1000))
    (table,) = tables(told, Section.QUESTION)
    assert table.caption == "The context of the release, as the author states it."
    assert [(what.text, how.text) for what, how in table.rows] == [
        ("Recipients", "One hospital"),
        ("Public or controlled", "controlled"),
        ("What else they may hold", "Old recordings"),
        ("Motive", "not stated"),
        ("Means", "A day. No\\u202e skill."),
        ("Pseudonymisation domain", "The ward"),
        ("People in question", "1\u202f000"),
        ("Retention", "Two years"),
        ("Who hears the originals", "Nobody else"),
        ("Date of review", "2027-01-31"),
    ]
    assert "as if each of the 1\u202f000 people were as likely" in " ".join(
        block.text for block in blocks(told, Section.QUESTION) if isinstance(block, Paragraph)
    )


def test_where_nothing_of_the_context_is_stated_there_is_a_sentence_and_no_table() -> None:
    told = told_of(["ignorant"], ReportSettings())
    assert tables(told, Section.QUESTION) == []
    assert "does not state who receives the speech, or under which conditions." in words_of(told)


def test_an_author_given_beside_the_project_is_stated() -> None:
    project = Project("", demo_assessments().entries[:1], report=stated(author=""))
    assert not report_content(gather(project), DATE, versions(), author="B").is_draft


def test_the_strongest_attacker_comes_first_and_one_who_knows_nothing_is_the_most_favourable_case() -> None:
    content = told_of(["ignorant", "semi-informed", "lazy-informed"], stated())
    lines = [block for block in blocks(content, Section.FINDINGS) if isinstance(block, FindingLine)]
    lines = [line for line in lines if "judged here" not in line.condition]  # the answers in full
    assert [line.condition for line in lines] == [
        "OP, semi-informed",
        "OP, lazy-informed",
        "OP, ignorant",
        "OO",
    ]
    told = "This attacker knows nothing of the safeguard: the most favourable case."
    (said,) = [
        block.text
        for block in blocks(content, Section.FINDINGS)
        if isinstance(block, Paragraph) and told in block.text
    ]
    assert said == f"B1w OP, ignorant: {told}"


def test_every_reference_is_cited() -> None:
    content = report_content(demo_material(demo_assessments()), DATE, versions())
    cited = {
        int(n) for group in re.findall(r"\[(\d+(?:, \d+)*)\]", words_of(content)) for n in group.split(", ")
    }
    (listed,) = blocks(content, Section.REFERENCES)
    assert isinstance(listed, Bullets)
    assert cited == set(range(1, len(listed.items) + 1))


def test_the_blank_in_a_number_of_a_remark_is_no_escape() -> None:
    assert shown(str(Remark("files-unused", {"count": 12_345}))).startswith("12\u202f345 files belong")


def test_whoever_is_named_in_a_table_is_on_the_list_of_the_answer_and_is_a_speaker() -> None:
    material = demo_material(demo_assessments())
    content = report_content(material, DATE, versions())
    table = next(one for one in tables(content, Section.RESULTS) if one.columns[-1].head == "Own trials")
    named: dict[str, list[str]] = {}
    for row in table.rows:
        name = row[0].text
        named.setdefault(name, []).append(row[2].text)
    listed = {one.safeguard: [each.speaker for each in one.standing_out] for one in material.conclusions}
    for entry in material.project.entries:
        if not entry.is_original:
            expected = [f"speaker {name}" for name in listed[entry.name][:5]] or ["nobody can be named"]
            assert named[f"{entry.name} OP"] == expected
    told = words_of(content)
    assert all(one.people_in_words in told for one in material.conclusions)
