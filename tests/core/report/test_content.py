"""What a report says, in words and figures."""

import datetime as dt
from dataclasses import replace
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from core.assessment import assess
from core.errors import OutputError
from core.project import Entry, Project
from core.provenance import versions
from core.report.content import distinguishing_names, report_content
from core.trials import Trials
from tests.core.samples import demo, project_of

DATE = dt.date(2026, 11, 20)


def test_the_demo_in_words() -> None:
    content = report_content(demo(), DATE, versions(), author="A. Author")
    assert content.title == "Demo: LibriSpeech, female speakers"
    assert [result.name for result in content.results] == ["unprotected", "B1w", "B2", "B2r"]
    b2 = content.results[2]
    assert (b2.condition, b2.trials, b2.files) == ("OP", "156 / 9\u202f672", "4, 2")
    assert (b2.d_ece, b2.share, b2.worst_case, b2.ceiling, b2.tag) == ("0.205", "28 %", "2.39", "3.99", "C")
    assert (b2.eer, b2.rocch_eer) == ("27.56 %", "25.94 %")
    assert (b2.cllr, b2.min_cllr, b2.linkability) == ("11.884", "0.705", "0.361")
    assert b2.finding == (
        "With these data an adversary gains 0.205 bit on average, 28 % of full disclosure. The most telling "
        "single comparison reaches a log10 LR of 2.39 (one wrong in about 248); these trials could show at "
        "most 3.99."
    )
    assert [(file.number, file.file, file.role) for file in content.files] == [
        ("1", "unprotected/…/scores", "scores"),
        ("2", "trials", "key"),
        ("3", "B1w/…/scores", "scores"),
        ("4", "B2/…/scores", "scores"),
        ("5", "B2r/…/scores", "scores"),
    ]
    assert content.files[1].rows == "9\u202f828"
    assert content.files[1].sha256 == "e0027c39a054c9aef01a39a1d47f70f3babe4af2ae78d2ccb43762632c039d4e"
    assert [told.about for told in content.remarks] == ["All assessments"]
    assert [(badge.tag, badge.meaning) for badge in content.scale] == [
        ("0", "none"),
        ("A", "below 1"),
        ("B", "1 to 2"),
        ("C", "2 to 4"),
        ("D", "4 to 5"),
        ("E", "5 to 6"),
        ("F", "6 and more"),
    ]


def test_no_disclosure_is_said_as_such() -> None:
    trials = Trials.from_scores(target=[1.0, 1.0], nontarget=[1.0, 1.0])
    content = report_content(Project("", (Entry("flat", trials, assess(trials)),)), DATE, versions())
    (result,) = content.results
    assert result.finding.startswith("With these data no disclosure is seen")
    assert (result.d_ece, result.share, result.worst_case, result.tag) == ("0", "0 %", "0", "0")
    assert result.condition == "not stated"
    assert content.title == "Privacy disclosure of protected speech"


def test_a_remark_names_whom_it_is_about() -> None:
    trials = Trials.from_scores(target=[1.0], nontarget=[0.0, 2.0])
    project = project_of("several").with_items(Entry("one\u202e", trials, assess(trials)))
    about = {told.text: told.about for told in report_content(project, DATE, versions()).remarks}
    assert "All assessments" in about.values()
    assert r"one\u202e, condition not stated" in about.values()


def test_foreign_text_is_one_line_with_nothing_hidden() -> None:
    content = report_content(project_of("a\nb\u202ec", title="t\r\x00"), DATE, versions(), author="\u200fme")
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
        report_content(Project("empty"), DATE, versions())


def test_content_follows_the_tag_scale_of_the_assessment() -> None:
    entry = project_of("a").entries[0]
    scale = entry.assessment.settings.tag_scale
    other = replace(scale, tags=(*scale.tags[:2], replace(scale.tags[2], from_log10_lr=1.5)))
    settings = replace(entry.assessment.settings, tag_scale=other)
    project = Project("", (replace(entry, assessment=replace(entry.assessment, settings=settings)),))
    meanings = [badge.meaning for badge in report_content(project, DATE, versions()).scale]
    assert meanings == ["none", "below 1.5", "1.5 and more"]
